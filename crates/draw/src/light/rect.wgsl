// A rectangle across the light's axis that shines along it.
fn incident_rect(light: Light, point: vec3f) -> Incident {
    return towards_middle(light, point);
}

fn leaving_rect(s: Surface, v: vec3f, light: Light, point: vec3f) -> vec3f {
    let lobe = lobe_of(s, v);
    return leaving_area(s, v, lobe, towards_middle(light, point).l, light.color, share_rect(light, lobe, point));
}

fn gathered_rect(s: Surface, v: vec3f, light: Light, point: vec3f) -> Incident {
    return gathered_area(s, light, point, share_rect(light, lobe_of(s, v), point));
}

fn shown_rect(light: Light, lobe: Lobe, point: vec3f) -> Shown {
    return Shown(share_rect(light, lobe, point), light.color, light.color);
}
