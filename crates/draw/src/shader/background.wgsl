// Background: the environment where nothing else is.

struct Backdrop {
    // Cosine and sine of the rotation about +Y, intensity.
    turn: vec4f,
}

@group(2) @binding(0) var<uniform> backdrop: Backdrop;

@fragment
fn background(@builtin(position) position: vec4f) -> @location(0) vec4f {
    // Both cameras look at a point in front of the far plane.
    let point = unproject(vec4f(position.xy, 0.5, 1.0));
    let d = -towards_eye(point);
    let turned = vec3f(d.x * backdrop.turn.x - d.z * backdrop.turn.y, d.y, d.x * backdrop.turn.y + d.z * backdrop.turn.x);
    let color = radiance_seen(turned) * (backdrop.turn.z * view.exposure);
    return vec4f(min(color, vec3f(65504.0)), 1.0);
}
