// Frame: what every stage of an effect knows, and how it reads pictures.

struct Frame {
    // Of what is written, in pixels.
    size_px: vec2i,
    // Of the effect's picture.
    picture_px: vec2f,
    time_s: f32,
    // Differs from picture to picture of a sequence.
    tick: u32,
    // How much of the effect is seen. Stages of occlusion alone read it.
    amount: f32,
    // Of effects that read what they have left before: how many frames there are, with this one.
    age: f32,
    // From frame to frame.
    step_s: f32,
    // What depth is of the distance z along the view axis: (y - x z) / (w - z z).
    depth: vec4f,
    // What clip space is of view space: width and height of what is seen at w = 1, halved, and its shift.
    extent: vec4f,
    world_from_view: mat4x4f,
    // What the stage is told.
    data: array<vec4f, 4>,
}

@group(0) @binding(0) var<uniform> frame: Frame;

// Rec. 709.
fn luminance(color: vec3f) -> f32 {
    return dot(color, vec3f(0.2126, 0.7152, 0.0722));
}

// Where a pixel's centre is in the picture: 0 to 1, right and down.
fn uv_of(at: vec2i) -> vec2f {
    return (vec2f(at) + 0.5) / vec2f(frame.size_px);
}

// Where a pixel's centre is, right and down from the middle: 1 away in the corners.
fn from_middle(at: vec2i) -> vec2f {
    let size = vec2f(frame.size_px);
    return (vec2f(at) + 0.5 - 0.5 * size) / (0.5 * length(size));
}

// IEC 61966-2-1, of numbers from 0.
fn srgb_of(color: vec3f) -> vec3f {
    let x = max(color, vec3f(0.0));
    let curved = 1.055 * vec3f(pow(x.x, 0.41666667), pow(x.y, 0.41666667), pow(x.z, 0.41666667)) - 0.055;
    return select(curved, x * 12.92, x <= vec3f(0.0031308));
}

fn linear_of(encoded: vec3f) -> vec3f {
    let x = (max(encoded, vec3f(0.0)) + 0.055) / 1.055;
    let curved = vec3f(pow(x.x, 2.4), pow(x.y, 2.4), pow(x.z, 2.4));
    return select(curved, encoded / 12.92, encoded <= vec3f(0.04045));
}

// PCG (Jarzynski, Olano 2020).
fn hash_of(number: u32) -> u32 {
    let state = number * 747796405u + 2891336453u;
    let word = ((state >> ((state >> 28u) + 4u)) ^ state) * 277803737u;
    return (word >> 22u) ^ word;
}

// From 0 up to 1, by where, when and which.
fn random(at: vec2i, moment: u32, stream: u32) -> f32 {
    let hash = hash_of(u32(at.x) + hash_of(u32(at.y) + hash_of(moment + hash_of(stream))));
    return f32(hash >> 8u) / 16777216.0;
}

// Colour without alpha.
fn straight(color: vec4f) -> vec3f {
    return select(vec3f(0.0), color.xyz / color.w, color.w > 0.0);
}

fn premultiplied(color: vec3f, alpha: f32) -> vec4f {
    return vec4f(color * alpha, alpha);
}
