// 1000 cd/m2, the peak, over 203, white (ITU-R BT.2408).
const HEADROOM: f32 = 4.9261084;

// Rec. 709 to Rec. 2020 (ITU-R BT.2087).
fn on_display(light: vec3f) -> vec3f {
    let rec2020_from_709 = mat3x3f(
        vec3f(0.6274038959, 0.0690972894, 0.0163914389),
        vec3f(0.3292830384, 0.9195403951, 0.0880133079),
        vec3f(0.0433130657, 0.0113623156, 0.8955952532),
    );
    return rec2020_from_709 * light;
}

// SMPTE ST 2084: of the peak. 1 is 10000 cd/m2.
fn display_code(x: f32) -> f32 {
    let y = pow(max(x, 0.0) * 0.1, 0.1593017578125);
    return pow((0.8359375 + 18.8515625 * y) / (1.0 + 18.6875 * y), 78.84375);
}
