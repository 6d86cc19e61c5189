// Halve: the next level of a cube into a strip, mean of 2x2 texels by their shares.

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
    let finer = halve.size * 2u;
    let wa = texel_share(place.face, at, finer);
    let wb = texel_share(place.face, at + vec2u(1u, 0u), finer);
    let wc = texel_share(place.face, at + vec2u(0u, 1u), finer);
    let wd = texel_share(place.face, at + vec2u(1u, 1u), finer);
    return (a * wa + b * wb + c * wc + d * wd) / (wa + wb + wc + wd);
}
