// Inverse square, no nearer than 1 cm, times glTF's window sat(1 - (d / range)^4). `terms.x`: 1 / range^2, 0 without a
// range.
fn incident_point(light: Light, point: vec3f) -> Incident {
    let offset = light.position - point;
    let d2 = max(dot(offset, offset), 0.0001);
    let reach = d2 * light.terms.x;
    let window = max(1.0 - reach * reach, 0.0);
    return Incident(offset / sqrt(d2), light.color * (window / d2));
}
