// Around, area: lights with an area on the surfaces of lighting models, by the shares of `around.wgsl`: a matt part, a
// mirror and a mirror over it, each with its own roughness, and each as `light/area.wgsl` sees the light.

// The Schlick weight of the matt part, taken towards the light's middle.
fn area_weight(v: vec3f, light: Light, point: vec3f) -> f32 {
    return schlick_weight(clamp(sqrt(max(0.5 + 0.5 * dot(towards_middle(light, point).l, v), 0.0)), 0.0, 1.0));
}

fn leaving_around(s: Surface, v: vec3f, light: Light, point: vec3f, a: Around) -> vec3f {
    var mirror = s;
    mirror.roughness = a.roughness;
    let lobe = lobe_of(mirror, v);
    let shown = shown_by(light, lobe, point);
    let back = sent_back(mirror, v, lobe, shown.share);
    let plain = a.mirror * ((back.x + back.y) / max(lobe.albedo.x + lobe.albedo.y, 0.000001));
    var out = a.diffuse * shown.matte * shown.share.matte;
    out += (plain + a.f0 * back.x + a.f90 * back.y) * shown.luminance * shown.share.lobe;
    if a.coat > 0.0 {
        var coat = s;
        coat.roughness = a.coat_roughness;
        let over = lobe_of(coat, v);
        let seen = shown_by(light, over, point);
        let sent = sent_back(coat, v, over, seen.share);
        out += seen.luminance * (a.coat * (a.coat_f0 * sent.x + sent.y) * seen.share.lobe);
    }
    return out;
}
