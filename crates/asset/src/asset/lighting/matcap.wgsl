// Matcap (Sloan et al. 2001): a picture of a ball by the normal, in axes that turn with the direction to the eye.

fn matcap_place(n: vec3f, v: vec3f) -> vec2f {
    let right = view.world_from_clip[0].xyz;
    let x = normalize(right - v * dot(right, v));
    let y = cross(v, x);
    return vec2f(0.5 + 0.495 * dot(x, n), 0.5 - 0.495 * dot(y, n));
}

fn lobes_matcap(s: Surface, own: Matcap, v: vec3f, incident: Incident) -> vec3f {
    return vec3f(0.0);
}

fn around_matcap(s: Surface, own: Matcap, v: vec3f, weight: f32) -> Around {
    return around_diffuse(s, vec3f(0.0));
}

// What it looks like without any light.
fn shine_matcap(s: Surface, own: Matcap) -> vec3f {
    return s.base * own.matcap_color;
}
