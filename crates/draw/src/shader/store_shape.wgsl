// Store shape: what light that arrives needs of surfaces, pixel by pixel, 32 bytes.

struct Stored {
    @location(0) normal_roughness: vec4f,
    // 1 more than the occlusion: 0 is where nothing is.
    @location(1) mesh_normal_occlusion: vec4f,
}

fn stored(s: Surface, depth: f32, numbers: vec2u) -> Stored {
    return Stored(vec4f(s.n, s.roughness), vec4f(s.ng, 1.0 + s.occlusion));
}
