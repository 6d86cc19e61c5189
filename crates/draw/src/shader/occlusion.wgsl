// Occlusion: how much light from around arrives at what a pixel shows.

// The share, and the distance along the view axis of what has it; -1 where nothing is.
@group(1) @binding(30) var occlusions: texture_2d<f32>;

// Of the pixel and those about it, the one counts whose surface is as far away. Where none is, nothing is known.
fn occlusion_at(position: vec2f, distance_m: f32) -> f32 {
    let at = vec2i(position);
    let last = vec2i(textureDimensions(occlusions)) - 1;
    let here = textureLoad(occlusions, at, 0).xy;
    var share = here.x;
    var off = abs(here.y - distance_m);
    if off > 0.001 * distance_m {
        for (var i = 0; i < 9; i++) {
            let other = textureLoad(occlusions, clamp(at + vec2i(i % 3, i / 3) - 1, vec2i(0), last), 0).xy;
            if abs(other.y - distance_m) < off {
                share = other.x;
                off = abs(other.y - distance_m);
            }
        }
    }
    return select(1.0, share, off < 0.05 * distance_m);
}
