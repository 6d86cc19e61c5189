// 0 where b is 0.
fn graph_divide(a: f32, b: f32) -> f32 {
    return select(a / select(b, 1.0, b == 0.0), 0.0, b == 0.0);
}

// With the sign of b; 0 where b is 0.
fn graph_modulo(a: f32, b: f32) -> f32 {
    let rest = a - b * floor(graph_divide(a, b));
    return clamp(rest, min(b, 0.0), max(b, 0.0));
}

// 1 where b is 0, else 0 where a is 0 or less.
fn graph_power(a: f32, b: f32) -> f32 {
    let power = pow(select(a, 1.0, a <= 0.0), b);
    return select(select(power, 0.0, a <= 0.0), 1.0, b == 0.0);
}

fn graph_sqrt(x: f32) -> f32 {
    return sqrt(max(x, 0.0));
}

// Beyond 88 the value would not fit.
fn graph_exp(x: f32) -> f32 {
    return exp(min(x, 88.0));
}

// The least normal number stands for all below.
fn graph_log(x: f32) -> f32 {
    return log(max(x, 1.1754944e-38));
}

fn graph_sin(x: f32) -> f32 {
    return sin(x);
}

fn graph_cos(x: f32) -> f32 {
    return cos(x);
}

// 0 for the origin.
fn graph_atan2(y: f32, x: f32) -> f32 {
    let is_origin = x == 0.0 && y == 0.0;
    return select(atan2(y, select(x, 1.0, is_origin)), 0.0, is_origin);
}

// Where x is between low and high; a step where they are equal.
fn graph_fraction(low: f32, high: f32, x: f32) -> f32 {
    return select(graph_divide(x - low, high - low), select(0.0, 1.0, x >= low), high == low);
}

fn graph_smoothstep(low: f32, high: f32, x: f32) -> f32 {
    let t = clamp(graph_fraction(low, high, x), 0.0, 1.0);
    return t * t * (3.0 - 2.0 * t);
}

fn graph_remap(x: f32, low: f32, high: f32, to_low: f32, to_high: f32) -> f32 {
    return to_low + (to_high - to_low) * graph_fraction(low, high, x);
}
