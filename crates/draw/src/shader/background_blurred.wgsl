// Background, blurred: what a mirror shows of the environment in each direction.

struct Backdrop {
    // x: roughness of the mirror.
    mirror: vec4f,
}

@group(2) @binding(0) var<uniform> backdrop: Backdrop;

@fragment
fn background(@builtin(position) position: vec4f) -> @location(0) vec4f {
    // Both cameras look at a point in front of the far plane.
    let d = -towards_eye(unproject(vec4f(position.xy, 0.5, 1.0)));
    let color = specular_radiance(unturned(d), backdrop.mirror.x) * view.exposure;
    return vec4f(min(color, vec3f(65504.0)), 1.0);
}
