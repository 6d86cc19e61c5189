
// IEC 61966-2-1.
fn display_code(x: f32) -> f32 {
    return select(1.055 * pow(max(x, 0.0), 0.41666667) - 0.055, x * 12.92, x <= 0.0031308);
}
