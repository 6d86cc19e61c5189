// Toon: bands of light (Lake et al. 2000).

// From 0 to 1 in equal steps; the last share `softness` of a step rises to the next.
fn toon_ramp(x: f32, bands: f32, softness: f32) -> f32 {
    let at = min(x, 1.0) * bands;
    let step = floor(at);
    let rise = smoothstep(0.0, 1.0, (at - step - 1.0) / max(softness, 0.0001) + 1.0);
    return min(step + rise, bands - 1.0) / (bands - 1.0);
}

fn lobes_toon(s: Surface, own: Toon, v: vec3f, incident: Incident) -> vec3f {
    let a = angles(s, incident.l, v);
    if a.nl <= 0.0 {
        return vec3f(0.0);
    }
    let ramp = toon_ramp(a.nl, own.bands, own.softness);
    let size = own.specular_size * own.specular_size;
    let soft = max(own.softness, 0.01);
    let highlight = 1.0 - smoothstep(size * (1.0 - soft), size + 1e-6, 1.0 - a.nh);
    let rim = 1.0 - smoothstep(own.rim_width * (1.0 - soft), own.rim_width + 1e-6, a.nv);
    return (s.base * ramp + own.specular_color * highlight + own.rim_color * (rim * a.nl)) * INV_PI * incident.e;
}

fn around_toon(s: Surface, own: Toon, v: vec3f, weight: f32) -> Around {
    return around_diffuse(s, s.base);
}
