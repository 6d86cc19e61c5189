// Store packed: surfaces in 28 bytes a pixel, which WebGPU counts as 32: what every device can draw into.
//
// Base colour: 8 bits of sRGB. Occlusion: 8 bits. Normal: octahedral. Roughness and metalness: 12 bits. Emission: half
// floats. The mesh's normal is missing.

struct Stored {
    @location(0) base_occlusion: vec4f,
    @location(1) shape: vec2u,
    @location(2) emissive: vec4f,
    @location(3) numbers: vec2u,
}

fn stored(s: Surface, depth: f32, numbers: vec2u) -> Stored {
    let twelve = vec2u(vec2f(s.roughness, s.metallic) * 4095.0 + 0.5);
    return Stored(
        vec4f(s.base, s.occlusion),
        vec2u(packed_normal(s.n), twelve.x | (twelve.y << 12u)),
        vec4f(min(s.emissive, vec3f(65504.0)), 0.0),
        numbers,
    );
}
