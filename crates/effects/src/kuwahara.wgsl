// Kuwahara's filter.

fn apply(at: vec2i) -> vec4f {
    let side = i32(params.radius_px);
    var best = texel_0(at);
    var least = 3e38;
    for (var square = 0; square < 4; square++) {
        let corner = at - vec2i(select(0, side, (square & 1) == 0), select(0, side, (square & 2) == 0));
        var sum = vec4f(0.0);
        var squares = vec3f(0.0);
        for (var y = 0; y <= side; y++) {
            for (var x = 0; x <= side; x++) {
                let c = texel_0(corner + vec2i(x, y));
                sum += c;
                squares += c.xyz * c.xyz;
            }
        }
        let count = f32((side + 1) * (side + 1));
        let mean = sum / count;
        let spread = squares / count - mean.xyz * mean.xyz;
        let varies = spread.x + spread.y + spread.z;
        if varies < least {
            least = varies;
            best = mean;
        }
    }
    return best;
}
