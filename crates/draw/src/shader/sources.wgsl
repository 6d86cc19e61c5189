// Sources: the texels of two small levels of a cube as a list: faces of 16 texels, then faces of 8.

struct Gather {
    // Of the faces of 16 texels.
    level: u32,
}

@group(0) @binding(0) var<uniform> gather: Gather;
@group(0) @binding(1) var faces: texture_2d_array<f32>;
@group(0) @binding(2) var<storage, read_write> sources: array<Source>;

@compute @workgroup_size(64)
fn gather_sources(@builtin(global_invocation_id) id: vec3u) {
    let is_small = id.x >= 1536u;
    let size = select(16u, 8u, is_small);
    let index = select(id.x, id.x - 1536u, is_small);
    let face = index / (size * size);
    let texel = index - face * size * size;
    let at = vec2u(texel % size, texel / size);
    let uv = (vec2f(at) + 0.5) * (2.0 / f32(size)) - 1.0;
    let r2 = 1.0 + dot(uv, uv);
    let radiance = textureLoad(faces, at, face, gather.level + select(0u, 1u, is_small)).xyz;
    let direction = strip_direction(StripPlace(face, at), vec2f(0.5), size);
    sources[id.x] = Source(direction, 1.0 / (r2 * sqrt(r2)), radiance, 0.0);
}
