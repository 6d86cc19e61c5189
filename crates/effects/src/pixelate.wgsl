// Pixelate: squares of one colour, the mean of up to 8 x 8 of their pixels.

fn apply(at: vec2i) -> vec4f {
    let side = i32(params.size_px);
    let corner = at / side * side;
    let last = min(corner + side, frame.size_px);
    let step = max(side / 8, 1);
    var sum = vec4f(0.0);
    var count = 0.0;
    for (var y = corner.y; y < last.y; y += step) {
        for (var x = corner.x; x < last.x; x += step) {
            sum += texel_0(vec2i(x, y));
            count += 1.0;
        }
    }
    return sum / count;
}
