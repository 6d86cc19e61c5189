// Load shape: what `store_shape.wgsl` has stored.

@group(2) @binding(0) var normal_roughness: texture_2d<f32>;
@group(2) @binding(1) var mesh_normal_occlusion: texture_2d<f32>;
@group(2) @binding(2) var depths: texture_depth_2d;

fn loaded(at: vec2u) -> Loaded {
    let shape = textureLoad(normal_roughness, at, 0);
    let mesh = textureLoad(mesh_normal_occlusion, at, 0);
    let s = Surface(vec3f(0.0), 1.0, shape.xyz, mesh.xyz, shape.w, 0.0, vec3f(0.0), mesh.w - 1.0);
    return Loaded(s, textureLoad(depths, at, 0));
}
