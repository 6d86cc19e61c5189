// Vignette.

fn apply(at: vec2i) -> vec4f {
    let color = texel_0(at);
    let place = from_middle(at);
    let r2 = dot(place, place);
    var kept = 1.0 - params.strength * pow(r2, params.power);
    if params.shape == 1.0 {
        let turn = params.angle_deg * 0.017453293;
        let tangent = sin(turn) / cos(turn);
        let cos2 = 1.0 / (1.0 + r2 * tangent * tangent);
        kept = 1.0 + (cos2 * cos2 - 1.0) * params.strength;
    }
    return vec4f(color.xyz * max(kept, 0.0), color.w);
}
