// Store exact: surfaces pixel by pixel, every bit of them, 72 bytes.

struct Stored {
    @location(0) base_depth: vec4f,
    @location(1) normal_roughness: vec4f,
    @location(2) mesh_normal_metallic: vec4f,
    @location(3) emissive_occlusion: vec4f,
    @location(4) numbers: vec2u,
}

fn stored(s: Surface, depth: f32, numbers: vec2u) -> Stored {
    return Stored(
        vec4f(s.base, depth),
        vec4f(s.n, s.roughness),
        vec4f(s.ng, s.metallic),
        vec4f(s.emissive, s.occlusion),
        numbers,
    );
}
