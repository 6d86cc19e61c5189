// The outline of a rectangle across the light's axis. `terms`: half its width along `across`, half its height;
// `terms.z` 1: its back shines, too.
fn share_rect(light: Light, lobe: Lobe, point: vec3f) -> Share {
    let offset = light.position - point;
    if dot(light.direction, offset) >= 0.0 && light.terms.z == 0.0 {
        return Share(0.0, 0.0, vec3f(0.0, 0.0, 1.0));
    }
    let middle = in_frame(lobe, offset);
    let x = in_frame(lobe, light.across * light.terms.x);
    let y = in_frame(lobe, cross(light.across, light.direction) * light.terms.y);
    var outline: Outline;
    add_edge(&outline, lobe, middle - x - y, middle + x - y);
    add_edge(&outline, lobe, middle + x - y, middle + x + y);
    add_edge(&outline, lobe, middle + x + y, middle - x + y);
    add_edge(&outline, lobe, middle - x + y, middle - x - y);
    return share_inside(outline, lobe);
}
