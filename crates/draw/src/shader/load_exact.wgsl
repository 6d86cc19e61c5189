// Load exact: what `store_exact.wgsl` has stored.

@group(2) @binding(0) var base_depth: texture_2d<f32>;
@group(2) @binding(1) var normal_roughness: texture_2d<f32>;
@group(2) @binding(2) var mesh_normal_metallic: texture_2d<f32>;
@group(2) @binding(3) var emissive_occlusion: texture_2d<f32>;
@group(2) @binding(4) var numbers: texture_2d<u32>;

fn loaded(at: vec2u) -> Loaded {
    let base = textureLoad(base_depth, at, 0);
    let shape = textureLoad(normal_roughness, at, 0);
    let mesh = textureLoad(mesh_normal_metallic, at, 0);
    let glow = textureLoad(emissive_occlusion, at, 0);
    let s = Surface(base.xyz, 1.0, shape.xyz, mesh.xyz, shape.w, mesh.w, glow.xyz, glow.w);
    return Loaded(s, base.w);
}
