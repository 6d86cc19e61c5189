// Accumulate: the samples of every pixel are added up one after the other.

struct Accumulate {
    // What the sum is multiplied with: 1, and for the last sample one over their number.
    scale: f32,
}

@group(0) @binding(0) var<uniform> accumulate_uniform: Accumulate;
@group(0) @binding(1) var sum_picture: texture_2d<f32>;
@group(0) @binding(2) var sample_picture: texture_2d<f32>;

@fragment
fn accumulate(@builtin(position) position: vec4f) -> @location(0) vec4f {
    let at = vec2u(position.xy);
    return (textureLoad(sum_picture, at, 0) + textureLoad(sample_picture, at, 0)) * accumulate_uniform.scale;
}
