const HEADROOM: f32 = 1.0;

// Rec. 709 to P3 with the white D65 (SMPTE EG 432-1).
fn on_display(light: vec3f) -> vec3f {
    let p3_from_709 = mat3x3f(
        vec3f(0.8224619687, 0.0331941989, 0.0170826307),
        vec3f(0.1775380313, 0.9668058011, 0.0723974407),
        vec3f(0.0, 0.0, 0.9105199286),
    );
    return p3_from_709 * light;
}
