
@group(0) @binding(BINDING) var picture_NUMBER: texture_2d<f32>;

fn size_NUMBER() -> vec2i {
    return vec2i(textureDimensions(picture_NUMBER));
}

// The edge goes on outside.
fn texel_NUMBER(at: vec2i) -> vec4f {
    return textureLoad(picture_NUMBER, clamp(at, vec2i(0), size_NUMBER() - 1), 0);
}

// At a place from 0 to 1, between four pixels.
fn between_NUMBER(uv: vec2f) -> vec4f {
    let place = uv * vec2f(size_NUMBER()) - 0.5;
    let corner = floor(place);
    let part = place - corner;
    let at = vec2i(corner);
    let top = mix(texel_NUMBER(at), texel_NUMBER(at + vec2i(1, 0)), part.x);
    let bottom = mix(texel_NUMBER(at + vec2i(0, 1)), texel_NUMBER(at + vec2i(1, 1)), part.x);
    return mix(top, bottom, part.y);
}
