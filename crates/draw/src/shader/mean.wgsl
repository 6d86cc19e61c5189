// Mean: the sum of pictures over their number.

struct Mean {
    // One over the number.
    scale: f32,
}

@group(0) @binding(0) var<uniform> mean_uniform: Mean;
@group(0) @binding(1) var sums: texture_2d<f32>;

@fragment
fn mean(@builtin(position) position: vec4f) -> @location(0) vec4f {
    return textureLoad(sums, vec2u(position.xy), 0) * mean_uniform.scale;
}
