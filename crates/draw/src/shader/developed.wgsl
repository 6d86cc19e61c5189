// Developed: light of a display, premultiplied, as effects have left it.

@group(0) @binding(1) var developed_picture: texture_2d<f32>;

// Straight alpha.
fn shown(position: vec4f) -> vec4f {
    let texel = textureLoad(developed_picture, vec2u(position.xy), 0);
    let alpha = clamp(texel.w, 0.0, 1.0);
    return vec4f(select(vec3f(0.0), texel.xyz / alpha, alpha > 0.0), alpha);
}
