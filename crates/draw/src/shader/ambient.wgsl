// Ambient: light from everywhere on the surfaces of lighting models, by the shares of `around.wgsl`.

// The table of `environment.wgsl`.
fn albedo_at(cosine: f32, roughness: f32) -> vec3f {
    let at = (vec2f(sqrt(cosine), roughness) * 63.0 + 0.5) / 64.0;
    return textureSampleLevel(albedo_table, smooth_sampler, at, 0.0).xyz;
}

fn ambient_of(s: Surface, v: vec3f, a: Around) -> vec3f {
    let nv = eye_cosine(s.n, v);
    let table = albedo_at(nv, a.roughness);
    let share = a.mirror + a.f0 * table.x + a.f90 * table.y;
    var out = a.diffuse * diffuse_radiance(unturned(s.n));
    if share.x + share.y + share.z > 0.0 {
        out += share * reflected(reflect(-v, a.n), a.roughness);
    }
    if a.coat > 0.0 {
        let coat = albedo_at(nv, a.coat_roughness);
        let shown = reflected(reflect(-v, s.n), a.coat_roughness);
        out += shown * (a.coat * (a.coat_f0 * coat.x + coat.y));
    }
    return out * s.occlusion;
}
