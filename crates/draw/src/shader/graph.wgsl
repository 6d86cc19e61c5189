// Graph: what nodes of materials read of the camera.

// How points of the near plane differ to the right (1, 0) or upward (0, 1), of length 1.
fn camera_axis(step: vec2f) -> vec3f {
    let a = view.world_from_clip * vec4f(-step, 1.0, 1.0);
    let b = view.world_from_clip * vec4f(step, 1.0, 1.0);
    return normalize(b.xyz / b.w - a.xyz / a.w);
}

// A direction of the world in view space, whose -Z is ahead.
fn into_view(v: vec3f) -> vec3f {
    return vec3f(dot(camera_axis(vec2f(1.0, 0.0)), v), dot(camera_axis(vec2f(0.0, 1.0)), v), -dot(view.forward.xyz, v));
}

// The eye; without perspective, the middle of the near plane.
fn camera_position() -> vec3f {
    let middle = view.world_from_clip * vec4f(0.0, 0.0, 1.0, 1.0);
    return select(middle.xyz / middle.w, view.eye.xyz, view.eye.w > 0.5);
}

fn view_position(point: vec3f) -> vec3f {
    return vec3f(into_view(point - camera_position()).xy, -view_depth(point));
}

// A shading normal of any length; one without length is the mesh's.
fn graph_normal(n: vec3f, mesh: vec3f) -> vec3f {
    let squared = dot(n, n);
    return select(mesh, n / sqrt(select(1.0, squared, squared > 0.0)), squared > 0.0);
}
