// Depth levels: depth of pixels' centres, then of what is nearest in squares of pixels, each level twice as wide as the
// one before. Where the finer level has an odd number of texels, the last one takes three.

@group(0) @binding(0) var seen_depth: texture_depth_2d;
@group(0) @binding(1) var finer: texture_2d<f32>;

@fragment
fn depth_first(@builtin(position) position: vec4f) -> @location(0) vec4f {
    return vec4f(textureLoad(seen_depth, vec2u(position.xy), 0), 0.0, 0.0, 1.0);
}

@fragment
fn depth_next(@builtin(position) position: vec4f) -> @location(0) vec4f {
    let size = textureDimensions(finer);
    let at = 2u * vec2u(position.xy);
    let side = select(vec2u(2u), vec2u(3u), at + 3u == size);
    var nearest = 0.0;
    for (var y = 0u; y < side.y; y++) {
        for (var x = 0u; x < side.x; x++) {
            nearest = max(nearest, textureLoad(finer, min(at + vec2u(x, y), size - 1u), 0).x);
        }
    }
    return vec4f(nearest, 0.0, 0.0, 1.0);
}
