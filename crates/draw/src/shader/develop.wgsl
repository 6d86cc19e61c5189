// Develop: the linear, premultiplied, exposed picture becomes light of a display.
//
// A plain background is a display colour: it goes behind the tone-mapped picture, neither exposed nor tone mapped.
// What is shown is 1 at the peak of the display: `HEADROOM` times its white. Needs `tonemap`.

struct Encode {
    // Linear; w = 1: behind the picture; 0: the picture stays transparent.
    background: vec4f,
}

@group(0) @binding(0) var<uniform> encode: Encode;
@group(0) @binding(1) var linear_picture: texture_2d<f32>;

// Straight alpha, linear display colour.
fn shown(position: vec4f) -> vec4f {
    let texel = textureLoad(linear_picture, vec2u(position.xy), 0);
    let alpha = clamp(texel.w, 0.0, 1.0);
    var color = vec3f(0.0);
    if alpha > 0.0 {
        color = tonemap(texel.xyz / (alpha * HEADROOM));
    }
    if encode.background.w > 0.0 {
        let behind = encode.background.xyz / HEADROOM;
        return vec4f(behind + (color - behind) * alpha, 1.0);
    }
    return vec4f(color, alpha);
}

// Premultiplied, for effects.
@fragment
fn develop(@builtin(position) position: vec4f) -> @location(0) vec4f {
    let color = shown(position);
    return vec4f(color.xyz * color.w, color.w);
}

// Linear and premultiplied, before tone mapping, over the background.
@fragment
fn encode_32(@builtin(position) position: vec4f) -> @location(0) vec4f {
    let texel = textureLoad(linear_picture, vec2u(position.xy), 0);
    let behind = encode.background.w * (1.0 - texel.w);
    return texel + vec4f(encode.background.xyz, 1.0) * behind;
}
