// Distortion (Brown 1966).

fn apply(at: vec2i) -> vec4f {
    let size = vec2f(frame.size_px);
    let place = from_middle(at);
    let r2 = dot(place, place);
    let shown = place * ((1.0 + r2 * (params.k1 + r2 * params.k2)) / params.zoom);
    let uv = shown * (0.5 * length(size)) / size + 0.5;
    if any(uv < vec2f(0.0)) || any(uv > vec2f(1.0)) {
        return vec4f(0.0, 0.0, 0.0, texel_0(at).w);
    }
    return between_0(uv);
}
