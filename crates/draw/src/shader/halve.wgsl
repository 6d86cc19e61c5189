// Halve: the next level of a cube into a strip, mean of 2x2 texels.

struct Halve {
    // Width of a face of the new level.
    size: u32,
    // Level read.
    level: u32,
}

@group(0) @binding(0) var<uniform> halve: Halve;
@group(0) @binding(1) var faces: texture_2d_array<f32>;

@fragment
fn halve_strip(@builtin(position) position: vec4f) -> @location(0) vec4f {
    let place = strip_place(position, halve.size);
    let at = place.texel * 2u;
    let a = textureLoad(faces, at, place.face, halve.level);
    let b = textureLoad(faces, at + vec2u(1u, 0u), place.face, halve.level);
    let c = textureLoad(faces, at + vec2u(0u, 1u), place.face, halve.level);
    let d = textureLoad(faces, at + vec2u(1u, 1u), place.face, halve.level);
    return (a + b + c + d) * 0.25;
}
