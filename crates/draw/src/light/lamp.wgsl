// A point or spot with other windows and cones than glTF's. `terms`: 1 / range^2, cosine of the outer half angle,
// 1 / (cos inner - cos outer), falloff: the power of the share of the way between the cosines.
fn incident_lamp(light: Light, point: vec3f) -> Incident {
    let offset = light.position - point;
    let d2 = max(dot(offset, offset), 0.0001);
    let l = offset / sqrt(d2);
    let share = clamp((-dot(light.direction, l) - light.terms.y) * light.terms.z, 0.0, 1.0);
    if share <= 0.0 {
        return Incident(l, vec3f(0.0));
    }
    return Incident(l, light.color * (window_of(light, d2) * pow(share, light.terms.w)));
}
