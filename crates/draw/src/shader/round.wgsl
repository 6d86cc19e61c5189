// Round: light that earlier rounds of lights have left at a pixel.

@group(0) @binding(1) var light_sum: texture_2d<f32>;

fn is_blank(at: vec2u) -> bool {
    return textureLoad(light_sum, at, 0).w == 0.0;
}

fn light_before(at: vec2f) -> vec3f {
    return textureLoad(light_sum, vec2u(at), 0).xyz;
}
