// Tone curves of encoded values (Fritsch, Carlson 1980). Slopes are per quarter, so that a straight line is exact.

// Between two pieces. Three times the lesser slope keeps both monotone.
fn slope_of(left: f32, right: f32) -> f32 {
    let steep = min(0.5 * abs(left + right), 3.0 * min(abs(left), abs(right)));
    return select(0.0, sign(left) * steep, left * right > 0.0);
}

fn curve(x: f32, points: array<f32, 5>) -> f32 {
    // An array that is indexed by a number of the run is a variable.
    var values = points;
    let place = clamp(x, 0.0, 1.0) * 4.0;
    let at = min(i32(place), 3);
    let t = place - f32(at);
    let rise = values[at + 1] - values[at];
    var first = rise;
    var last = rise;
    if at > 0 {
        first = slope_of(values[at] - values[at - 1], rise);
    }
    if at < 3 {
        last = slope_of(rise, values[at + 2] - values[at + 1]);
    }
    return values[at] + t * (first + t * (3.0 * rise - 2.0 * first - last + t * (first + last - 2.0 * rise)));
}

fn master(x: f32) -> f32 {
    return curve(
        x,
        array<f32, 5>(
            params.master_black,
            params.master_shadows,
            params.master_mids,
            params.master_lights,
            params.master_white,
        ),
    );
}

fn apply(at: vec2i) -> vec4f {
    let color = texel_0(at);
    let x = srgb_of(straight(color));
    let y = vec3f(
        curve(x.x, array<f32, 5>(params.black.x, params.shadows.x, params.mids.x, params.lights.x, params.white.x)),
        curve(x.y, array<f32, 5>(params.black.y, params.shadows.y, params.mids.y, params.lights.y, params.white.y)),
        curve(x.z, array<f32, 5>(params.black.z, params.shadows.z, params.mids.z, params.lights.z, params.white.z)),
    );
    return premultiplied(linear_of(vec3f(master(y.x), master(y.y), master(y.z))), color.w);
}
