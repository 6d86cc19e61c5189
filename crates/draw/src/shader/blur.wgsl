// Blur: a cube blurred a little more, into a strip. Seven taps have the moments of a Gaussian (`render/ladder.rs`).

struct Blur {
    size: u32,
    // Level of the cube that is read.
    level: f32,
    // Sine and cosine of the outer taps' angle.
    sine: f32,
    cosine: f32,
}

@group(0) @binding(0) var<uniform> blur: Blur;
@group(0) @binding(1) var sharper_cube: texture_cube<f32>;
@group(0) @binding(2) var cube_sampler: sampler;

fn sharper(d: vec3f) -> vec3f {
    return textureSampleLevel(sharper_cube, cube_sampler, d, blur.level).xyz;
}

@fragment
fn blur_strip(@builtin(position) position: vec4f) -> @location(0) vec4f {
    let n = strip_direction(strip_place(position, blur.size), vec2f(0.5), blur.size);
    let across = tangents(n);
    let t = across.t * blur.sine;
    let u = across.u * blur.sine;
    let c = n * blur.cosine;
    let half = u * 0.8660254;
    var ring = sharper(c + t) + sharper(c - t);
    ring += sharper(c + t * 0.5 + half) + sharper(c - t * 0.5 - half);
    ring += sharper(c - t * 0.5 + half) + sharper(c + t * 0.5 - half);
    return vec4f(sharper(n) * 0.5 + ring * (1.0 / 12.0), 1.0);
}
