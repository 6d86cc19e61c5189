// Ambient coat: light from everywhere on a varnish of f0 = 0.04 that has a normal of its own.

fn ambient_coat(s: Surface, v: vec3f, n: vec3f, strength: f32, roughness: f32) -> vec3f {
    let coat = albedo_at(eye_cosine(n, v), roughness);
    let shown = reflected(reflect(-v, n), roughness);
    return shown * (strength * (0.04 * coat.x + coat.y) * s.occlusion);
}
