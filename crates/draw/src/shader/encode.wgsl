// Encode: the linear, premultiplied, exposed picture becomes the picture people get.
//
// A plain background is a display colour: it goes behind the tone-mapped picture, neither exposed nor tone mapped.

struct Encode {
    // Linear; w = 1: behind the picture; 0: the picture stays transparent.
    background: vec4f,
}

@group(0) @binding(0) var<uniform> encode: Encode;
@group(0) @binding(1) var linear_picture: texture_2d<f32>;

// IEC 61966-2-1.
fn srgb_encode(x: f32) -> f32 {
    return select(1.055 * pow(max(x, 0.0), 0.41666667) - 0.055, x * 12.92, x <= 0.0031308);
}

// Straight alpha, linear display colour.
fn developed(position: vec4f) -> vec4f {
    let texel = textureLoad(linear_picture, vec2u(position.xy), 0);
    let alpha = clamp(texel.w, 0.0, 1.0);
    var color = vec3f(0.0);
    if alpha > 0.0 {
        color = tonemap(texel.xyz / alpha);
    }
    if encode.background.w > 0.0 {
        return vec4f(encode.background.xyz + (color - encode.background.xyz) * alpha, 1.0);
    }
    return vec4f(color, alpha);
}

// Into an sRGB format, which encodes and rounds.
@fragment
fn encode_8(@builtin(position) position: vec4f) -> @location(0) vec4f {
    return developed(position);
}

@fragment
fn encode_16(@builtin(position) position: vec4f) -> @location(0) vec4u {
    let c = developed(position);
    let encoded = vec4f(srgb_encode(c.x), srgb_encode(c.y), srgb_encode(c.z), c.w);
    return vec4u(clamp(encoded, vec4f(0.0), vec4f(1.0)) * 65535.0 + 0.5);
}

// Linear and premultiplied, before tone mapping, over the background.
@fragment
fn encode_32(@builtin(position) position: vec4f) -> @location(0) vec4f {
    let texel = textureLoad(linear_picture, vec2u(position.xy), 0);
    let behind = encode.background.w * (1.0 - texel.w);
    return texel + vec4f(encode.background.xyz, 1.0) * behind;
}
