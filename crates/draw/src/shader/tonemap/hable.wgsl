// Hable 2010 ("filmic"), each channel by itself, with its exposure of 2: 5.6 becomes white.
fn hable_curve(x: vec3f) -> vec3f {
    return (x * (0.15 * x + 0.05) + 0.004) / (x * (0.15 * x + 0.5) + 0.06) - 0.066666667;
}

fn tonemap_hable(color: vec3f) -> vec3f {
    return clamp(hable_curve(2.0 * color) / hable_curve(vec3f(11.2)), vec3f(0.0), vec3f(1.0));
}
