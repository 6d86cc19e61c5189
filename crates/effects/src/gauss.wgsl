
// Of pixels along a direction, to 3 deviations; below a tenth of a pixel others do not count. Weights follow from the one before (Turkowski 2007).
fn gauss_0(at: vec2i, step: vec2i, sigma_px: f32) -> vec4f {
    if sigma_px < 0.1 {
        return texel_0(at);
    }
    var ratio = exp(-0.5 / (sigma_px * sigma_px));
    let change = ratio * ratio;
    var sum = texel_0(at);
    var weights = 1.0;
    var weight = 1.0;
    let count = i32(ceil(3.0 * sigma_px));
    for (var i = 1; i <= count; i++) {
        weight *= ratio;
        ratio *= change;
        sum += weight * (texel_0(at + step * i) + texel_0(at - step * i));
        weights += 2.0 * weight;
    }
    return sum / weights;
}
