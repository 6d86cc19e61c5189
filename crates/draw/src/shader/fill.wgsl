// Fill: radiance into a strip.

struct Fill {
    size: u32,
    // 1 / radiance that a texel of 1 stands for.
    inverse_scale: f32,
}

@group(0) @binding(0) var<uniform> fill: Fill;

@fragment
fn fill_strip(@builtin(position) position: vec4f) -> @location(0) vec4f {
    let gathered = gather(strip_place(position, fill.size), fill.size);
    return vec4f(gathered.xyz * (fill.inverse_scale / gathered.w), 1.0);
}
