// Hemisphere: two halves of one luminance each, above `color` and below `terms.xyz`. Their irradiance is exactly
// pi (up (0.5 + 0.5 n.y) + down (0.5 - 0.5 n.y)). Only matte surfaces show it; it makes no highlights.
fn incident_hemisphere(light: Light, point: vec3f) -> Incident {
    return Incident(vec3f(0.0, 1.0, 0.0), light.color);
}

fn leaving_hemisphere(s: Surface, v: vec3f, light: Light, point: vec3f) -> vec3f {
    let above = 0.5 + 0.5 * s.n.y;
    let around = light.color * above + light.terms.xyz * (1.0 - above);
    return s.base * around * ((1.0 - s.metallic) * s.occlusion);
}

fn gathered_hemisphere(s: Surface, v: vec3f, light: Light, point: vec3f) -> Incident {
    let above = 0.5 + 0.5 * s.n.y;
    return Incident(s.n, (light.color * above + light.terms.xyz * (1.0 - above)) * (PI * s.occlusion));
}
