// A point light inside a cone: sat((cos - cos_outer) / (cos_inner - cos_outer))^2. `terms.y`: cosine of the outer half
// angle; `terms.z`: 1 / (cos inner - cos outer).
fn incident_spot(light: Light, point: vec3f) -> Incident {
    let open = incident_point(light, point);
    let cone = clamp((-dot(light.direction, open.l) - light.terms.y) * light.terms.z, 0.0, 1.0);
    return Incident(open.l, open.e * (cone * cone));
}
