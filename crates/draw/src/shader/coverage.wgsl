// Coverage: alpha as samples of a pixel, four of them. The share of samples is alpha to the next quarter; which they are
// changes from pixel to pixel, so that surfaces behind each other do not always meet in the same ones.

fn covered_samples(alpha: f32, pixel: vec2f) -> u32 {
    let count = u32(clamp(alpha, 0.0, 1.0) * 4.0 + 0.5);
    let mask = (1u << count) - 1u;
    let turn = (u32(pixel.x) + 2u * u32(pixel.y)) & 3u;
    return ((mask << turn) | (mask >> (4u - turn))) & 15u;
}
