// Of linear Rec.709 (ITU-R BT.709-6, 2015).
fn graph_luminance(color: vec3f) -> f32 {
    return dot(color, vec3f(0.2126, 0.7152, 0.0722));
}

// From the grey of the same luminance outward.
fn graph_saturation(color: vec3f, amount: f32) -> vec3f {
    let grey = graph_luminance(color);
    return grey + (color - grey) * amount;
}

// Straight lines from colour to colour.
fn graph_ramp(t: f32, low: vec4f, middle: vec4f, high: vec4f, at: f32) -> vec4f {
    let x = clamp(t, 0.0, 1.0);
    let below = x < at;
    let share = graph_fraction(select(at, 0.0, below), select(1.0, at, below), x);
    let base = select(middle, low, below);
    return base + (select(high, middle, below) - base) * share;
}
