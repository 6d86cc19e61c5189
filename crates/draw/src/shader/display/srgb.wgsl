const HEADROOM: f32 = 1.0;

fn on_display(light: vec3f) -> vec3f {
    return light;
}
