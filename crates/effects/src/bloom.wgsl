// Bloom: a pyramid of halves (Jimenez 2014).

// The mean of four pixels about a corner.
fn corner_0(at: vec2i) -> vec4f {
    return 0.25 * (texel_0(at - vec2i(1, 1)) + texel_0(at - vec2i(0, 1)) + texel_0(at - vec2i(1, 0)) + texel_0(at));
}

// What spreads of it.
fn bright(color: vec4f) -> vec4f {
    if params.threshold == 0.0 {
        return color;
    }
    let peak = max(color.x, max(color.y, color.z));
    let knee = params.threshold * params.knee;
    let soft = clamp(peak - params.threshold + knee, 0.0, 2.0 * knee);
    let over = max(soft * soft / (4.0 * knee + 1e-6), peak - params.threshold);
    return color * (max(over, 0.0) / max(peak, 1e-6));
}

fn calm(color: vec4f) -> f32 {
    return select(1.0, 1.0 / (1.0 + luminance(color.xyz)), params.fireflies == 0.0);
}

fn halved(at: vec2i, is_first: bool) -> vec4f {
    let m = 2 * at + 1;
    var taps: array<vec4f, 13>;
    taps[0] = corner_0(m);
    taps[1] = corner_0(m + vec2i(-1, -1));
    taps[2] = corner_0(m + vec2i(1, -1));
    taps[3] = corner_0(m + vec2i(-1, 1));
    taps[4] = corner_0(m + vec2i(1, 1));
    taps[5] = corner_0(m + vec2i(-2, -2));
    taps[6] = corner_0(m + vec2i(0, -2));
    taps[7] = corner_0(m + vec2i(2, -2));
    taps[8] = corner_0(m + vec2i(-2, 0));
    taps[9] = corner_0(m + vec2i(2, 0));
    taps[10] = corner_0(m + vec2i(-2, 2));
    taps[11] = corner_0(m + vec2i(0, 2));
    taps[12] = corner_0(m + vec2i(2, 2));
    // The middle box counts half, the four at the corners share the other half.
    let middle = 0.25 * (taps[1] + taps[2] + taps[3] + taps[4]);
    let a = 0.25 * (taps[5] + taps[6] + taps[8] + taps[0]);
    let b = 0.25 * (taps[6] + taps[7] + taps[0] + taps[9]);
    let c = 0.25 * (taps[8] + taps[0] + taps[10] + taps[11]);
    let d = 0.25 * (taps[0] + taps[9] + taps[11] + taps[12]);
    if !is_first {
        return 0.5 * middle + 0.125 * (a + b + c + d);
    }
    let weights = array<f32, 5>(0.5 * calm(middle), 0.125 * calm(a), 0.125 * calm(b), 0.125 * calm(c), 0.125 * calm(d));
    let sum = middle * weights[0] + a * weights[1] + b * weights[2] + c * weights[3] + d * weights[4];
    return bright(sum / (weights[0] + weights[1] + weights[2] + weights[3] + weights[4]));
}

fn first(at: vec2i) -> vec4f {
    return halved(at, true);
}

fn down(at: vec2i) -> vec4f {
    return halved(at, false);
}

// A tent of 3 x 3 over the wider level.
fn up(at: vec2i) -> vec4f {
    let uv = uv_of(at);
    let step = 1.0 / vec2f(size_1());
    var sum = 4.0 * between_1(uv);
    sum += 2.0 * (between_1(uv + vec2f(step.x, 0.0)) + between_1(uv - vec2f(step.x, 0.0)));
    sum += 2.0 * (between_1(uv + vec2f(0.0, step.y)) + between_1(uv - vec2f(0.0, step.y)));
    sum += between_1(uv + step) + between_1(uv - step);
    sum += between_1(uv + vec2f(step.x, -step.y)) + between_1(uv - vec2f(step.x, -step.y));
    return mix(texel_0(at), sum / 16.0, params.spread);
}

fn apply(at: vec2i) -> vec4f {
    let color = texel_0(at);
    let spread = between_1(uv_of(at));
    if params.mode == 1.0 {
        return vec4f(color.xyz + spread.xyz * params.strength, max(color.w, min(color.w + spread.w * params.strength, 1.0)));
    }
    return color + (spread - color) * params.strength;
}
