// Blur: along rows, then along columns.

fn along(at: vec2i, step: vec2i) -> vec4f {
    let sigma = max(params.sigma_px, 1e-3);
    if params.shape == 1.0 {
        var sum = texel_0(at);
        var weights = 1.0;
        // The deviation of a box of width w is w / sqrt(12).
        let half_width = sigma * 1.7320508 - 0.5;
        let count = i32(ceil(half_width));
        for (var i = 1; i <= count; i++) {
            let weight = clamp(half_width - f32(i) + 1.0, 0.0, 1.0);
            sum += weight * (texel_0(at + step * i) + texel_0(at - step * i));
            weights += 2.0 * weight;
        }
        return sum / weights;
    }
    return gauss_0(at, step, sigma);
}

fn rows(at: vec2i) -> vec4f {
    return along(at, vec2i(1, 0));
}

fn columns(at: vec2i) -> vec4f {
    return along(at, vec2i(0, 1));
}
