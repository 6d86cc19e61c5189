// A ball. `terms.x`: its radius. Matte surfaces: the closed form of a ball that the horizon may cut (Snyder 1996).
fn incident_sphere(light: Light, point: vec3f) -> Incident {
    return towards_middle(light, point);
}

// What a ball at this cosine from the normal adds to a matte surface; `sin2`: of the angle of its radius.
fn share_ball(cosine: f32, sin2: f32) -> f32 {
    if cosine * cosine >= sin2 {
        return max(cosine, 0.0) * sin2;
    }
    let x = sqrt(max(1.0 / sin2 - 1.0, 0.0));
    let sine = sqrt(max(1.0 - cosine * cosine, 1e-12));
    let y = clamp(-x * cosine / sine, -1.0, 1.0);
    let root = sine * sqrt(1.0 - y * y);
    return max((cosine * acos(y) - x * root) * sin2 + atan2(root, x), 0.0) * INV_PI;
}

fn share_sphere(light: Light, lobe: Lobe, point: vec3f) -> Share {
    let middle = in_frame(lobe, light.position - point);
    let distance = max(length(middle), light.terms.x * 1.0001);
    let sine = light.terms.x / distance;
    // Its outline is that of a disk that faces the point.
    let w = middle / max(length(middle), 0.000001);
    let x = normalize(cross(w, select(vec3f(1.0, 0.0, 0.0), vec3f(0.0, 1.0, 0.0), abs(w.x) > 0.5)));
    let radius = sine / sqrt(1.0 - sine * sine);
    var outline: Outline;
    add_round(&outline, lobe, w, x * radius, cross(w, x) * radius);
    var share = share_inside(outline, lobe);
    share.matte = share_ball(w.z, sine * sine);
    return share;
}

fn leaving_sphere(s: Surface, v: vec3f, light: Light, point: vec3f) -> vec3f {
    let lobe = lobe_of(s, v);
    return leaving_area(s, v, lobe, towards_middle(light, point).l, light.color, share_sphere(light, lobe, point));
}

fn gathered_sphere(s: Surface, v: vec3f, light: Light, point: vec3f) -> Incident {
    return gathered_area(s, light, point, share_sphere(light, lobe_of(s, v), point));
}

fn shown_sphere(light: Light, lobe: Lobe, point: vec3f) -> Shown {
    return Shown(share_sphere(light, lobe, point), light.color, light.color);
}
