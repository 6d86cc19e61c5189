// Moments of depth, each layer blurred.
@group(1) @binding(25) var moment_maps: texture_2d_array<f32>;

// Between the four nearest texels.
fn moments_at(p: MapPoint) -> vec4f {
    let at = p.at - 0.5;
    let first = floor(at);
    let part = at - first;
    let texel = vec2i(p.corner + first);
    let a = textureLoad(moment_maps, texel, p.layer, 0);
    let b = textureLoad(moment_maps, texel + vec2i(1, 0), p.layer, 0);
    let c = textureLoad(moment_maps, texel + vec2i(0, 1), p.layer, 0);
    let d = textureLoad(moment_maps, texel + vec2i(1, 1), p.layer, 0);
    let top = a + part.x * (b - a);
    let bottom = c + part.x * (d - c);
    return top + part.y * (bottom - top);
}

// Distance from the light, 0 to 1 over what the map holds.
fn moment_distance(p: MapPoint, depth: f32) -> f32 {
    return clamp((map_distance(p, depth) - p.span.x) / (p.span.y - p.span.x), 0.0, 1.0);
}

// With half of the bias along the slope. The mean of an exponential over a plane is more than that in its middle: a
// surface does not shadow itself, and a bias grows to light. Half of it is for what reaches under another surface.
fn plane_distance(p: MapPoint) -> f32 {
    return moment_distance(p, p.depth - 0.5 * SHADOW_SLOPE_OFFSET * (abs(p.slope.x) + abs(p.slope.y)));
}

// Chebyshev's bound, one-sided: what share of a distribution with these two moments lies at `t` or behind.
fn chebyshev(moments: vec2f, t: f32, variance_min: f32) -> f32 {
    if t <= moments.x {
        return 1.0;
    }
    let variance = max(moments.y - moments.x * moments.x, variance_min);
    let beyond = t - moments.x;
    return variance / (variance + beyond * beyond);
}
