// Auto exposure: means of logarithms over ever larger squares, weighed by their pixels. Half floats hold both.

fn part(at: vec2i, is_first: bool) -> vec4f {
    let first = at * size_0() / frame.size_px;
    let last = (at + 1) * size_0() / frame.size_px;
    var sum = 0.0;
    var count = 0.0;
    for (var y = first.y; y < last.y; y++) {
        for (var x = first.x; x < last.x; x++) {
            let texel = texel_0(vec2i(x, y));
            if is_first {
                sum += log2(max(luminance(texel.xyz), params.black));
                count += 1.0;
            } else {
                sum += texel.x * texel.y;
                count += texel.y;
            }
        }
    }
    return vec4f(sum / max(count, 1e-6), count / 64.0, 0.0, 0.0);
}

fn measured(at: vec2i) -> vec4f {
    return part(at, true);
}

fn added(at: vec2i) -> vec4f {
    return part(at, false);
}

fn adapted(at: vec2i) -> vec4f {
    let now = texel_0(at).x;
    let before = select(texel_1(at).x, now, frame.age < 1.5);
    return vec4f(now + (before - now) * exp2(-1.442695 * frame.step_s / params.adapt_s), 0.0, 0.0, 0.0);
}

fn apply(at: vec2i) -> vec4f {
    let color = texel_0(at);
    let all = texel_1(vec2i(0));
    let ev = clamp(log2(params.key) - all.x, params.ev_min, params.ev_max);
    return vec4f(color.xyz * exp2(ev), color.w);
}
