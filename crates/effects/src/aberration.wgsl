// Lateral chromatic aberration.

fn apply(at: vec2i) -> vec4f {
    let size = vec2f(frame.size_px);
    let place = from_middle(at);
    let moved = place * dot(place, place) * params.strength * (0.5 * length(size)) / size;
    let uv = uv_of(at);
    let green = texel_0(at);
    return vec4f(between_0(uv - moved).x, green.y, between_0(uv + moved).z, green.w);
}
