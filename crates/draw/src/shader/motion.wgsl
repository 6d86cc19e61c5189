// Motion: where a surface point stands in the picture now, and where it stood one frame before.

struct Moving {
    clip_from_local_now: mat4x4f,
    clip_from_local_before: mat4x4f,
}

// One entry a draw item, as in `objects`.
@group(3) @binding(1) var<storage, read> moving: array<Moving>;

// Pixels from where it is to where it was, y down. Both places come about the same way, so that what rests has no
// motion, to the bit. A point that stood behind the eye came from no place in the picture: none.
fn motion(now: vec4f, before: vec4f) -> vec2f {
    if before.w <= 0.0 {
        return vec2f(0.0);
    }
    return (before.xy / before.w - now.xy / now.w) * vec2f(0.5, -0.5) * view.size.xy;
}
