// Motion around: where what is infinitely far away stands in the picture now, and where it stood one frame before.

struct Turning {
    world_from_clip: mat4x4f,
    clip_from_world_now: mat4x4f,
    clip_from_world_before: mat4x4f,
    // Width and height of the picture; left and top of the target in it, pixels.
    picture: vec4f,
}

@group(0) @binding(0) var<uniform> turning: Turning;

// As `motion` of surface points. Orthographic cameras see one direction in every pixel: none.
@fragment
fn motion_around(@builtin(position) position: vec4f) -> @location(0) vec4f {
    let clip = ((position.xy + turning.picture.zw) / turning.picture.xy * 2.0 - 1.0) * vec2f(1.0, -1.0);
    let near = turning.world_from_clip * vec4f(clip, 0.75, 1.0);
    let far = turning.world_from_clip * vec4f(clip, 0.25, 1.0);
    let way = vec4f(normalize(far.xyz / far.w - near.xyz / near.w), 0.0);
    let now = turning.clip_from_world_now * way;
    let before = turning.clip_from_world_before * way;
    if now.w <= 1e-6 || before.w <= 1e-6 {
        return vec4f(0.0);
    }
    let moved = (before.xy / before.w - now.xy / now.w) * vec2f(0.5, -0.5) * turning.picture.xy;
    return vec4f(moved, 0.0, 0.0);
}
