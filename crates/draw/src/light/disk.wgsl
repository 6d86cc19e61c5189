// A disk across the light's axis that shines along it. `terms.x`: its radius; `terms.z` 1: its back shines, too.
fn incident_disk(light: Light, point: vec3f) -> Incident {
    return towards_middle(light, point);
}

fn share_disk(light: Light, lobe: Lobe, point: vec3f) -> Share {
    let offset = light.position - point;
    if dot(light.direction, offset) >= 0.0 && light.terms.z == 0.0 {
        return Share(0.0, 0.0, vec3f(0.0, 0.0, 1.0));
    }
    let x = in_frame(lobe, light.across * light.terms.x);
    let y = in_frame(lobe, cross(light.across, light.direction) * light.terms.x);
    var outline: Outline;
    add_round(&outline, lobe, in_frame(lobe, offset), x, y);
    return share_inside(outline, lobe);
}

fn leaving_disk(s: Surface, v: vec3f, light: Light, point: vec3f) -> vec3f {
    let lobe = lobe_of(s, v);
    return leaving_area(s, v, lobe, towards_middle(light, point).l, light.color, share_disk(light, lobe, point));
}

fn gathered_disk(s: Surface, v: vec3f, light: Light, point: vec3f) -> Incident {
    return gathered_area(s, light, point, share_disk(light, lobe_of(s, v), point));
}

fn shown_disk(light: Light, lobe: Lobe, point: vec3f) -> Shown {
    return Shown(share_disk(light, lobe, point), light.color, light.color);
}
