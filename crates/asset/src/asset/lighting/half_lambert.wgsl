// Half Lambert (Mitchell, Francke, Eng 2007): the cosine from -1 to 1 as a share from 0 to 1, to a power.

fn lobes_half_lambert(s: Surface, own: HalfLambert, v: vec3f, incident: Incident) -> vec3f {
    let wrapped = clamp(0.5 * dot(s.n, incident.l) + 0.5, 0.0, 1.0);
    return s.base * (INV_PI * pow(wrapped, own.wrap_power)) * incident.e;
}

// The integral over all directions, also those behind, is 4 / (power + 1).
fn around_half_lambert(s: Surface, own: HalfLambert, v: vec3f, weight: f32) -> Around {
    return around_diffuse(s, s.base * (4.0 / (own.wrap_power + 1.0)));
}
