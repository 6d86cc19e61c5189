// Moments: means of functions of a map's depths, across and then down, with weights of a tent.

struct Blur {
    corner: vec2u,
    size: u32,
    layer: u32,
    radius: u32,
    // Whether the light's rays are parallel.
    parallel: u32,
    // Nearest and farthest along the light, metres.
    span: vec2f,
    own: vec4f,
}

@group(0) @binding(0) var<uniform> blur: Blur;
@group(0) @binding(1) var depths: texture_depth_2d_array;
@group(0) @binding(2) var rows: texture_2d<f32>;

// Distance from the light of a texel, 0 to 1 over what the map holds; what is empty is far.
fn distance_of(texel: vec2i) -> f32 {
    let depth = textureLoad(depths, texel, blur.layer, 0);
    let lamp = 0.01 / max(depth, 1e-9);
    let away = select(lamp, (1.0 - depth) * blur.span.y, blur.parallel == 1u);
    return clamp((away - blur.span.x) / (blur.span.y - blur.span.x), 0.0, 1.0);
}

// A texel so many away, inside of the map.
fn beside(texel: vec2i, offset: vec2i) -> vec2i {
    let first = vec2i(blur.corner);
    return clamp(texel + offset, first, first + vec2i(i32(blur.size) - 1));
}

// Of a tent; those of all offsets make 1.
fn weight_of(offset: i32) -> f32 {
    let radius = i32(blur.radius);
    return f32(radius + 1 - abs(offset)) / f32((radius + 1) * (radius + 1));
}

@fragment
fn moments_across(@builtin(position) position: vec4f) -> @location(0) vec4f {
    let texel = vec2i(position.xy);
    let radius = i32(blur.radius);
    var sum = vec4f(0.0);
    for (var offset = -radius; offset <= radius; offset++) {
        sum += weight_of(offset) * moments_of(distance_of(beside(texel, vec2i(offset, 0))), blur.own);
    }
    return sum;
}

@fragment
fn moments_down(@builtin(position) position: vec4f) -> @location(0) vec4f {
    let texel = vec2i(position.xy);
    let radius = i32(blur.radius);
    var sum = vec4f(0.0);
    for (var offset = -radius; offset <= radius; offset++) {
        sum += weight_of(offset) * textureLoad(rows, beside(texel, vec2i(0, offset)), 0);
    }
    return sum;
}
