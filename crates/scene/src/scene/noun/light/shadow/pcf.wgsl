// The mean over the `n` by `n` texels about a point.
fn square_filter(maps: texture_depth_2d_array, p: MapPoint, n: i32) -> f32 {
    let first = floor(p.at - 0.5 * f32(n - 1));
    var lit = 0.0;
    for (var y = 0; y < n; y++) {
        for (var x = 0; x < n; x++) {
            lit += shadow_texel(maps, p, first + vec2f(vec2i(x, y)));
        }
    }
    return lit / f32(n * n);
}
