// Load packed: what `store_packed.wgsl` has stored. Normals of the mesh are those of the surface.

@group(2) @binding(0) var base_occlusion: texture_2d<f32>;
@group(2) @binding(1) var shapes: texture_2d<u32>;
@group(2) @binding(2) var emissive: texture_2d<f32>;
@group(2) @binding(3) var numbers: texture_2d<u32>;
@group(2) @binding(4) var depths: texture_depth_2d;

fn loaded(at: vec2u) -> Loaded {
    let base = textureLoad(base_occlusion, at, 0);
    let shape = textureLoad(shapes, at, 0).xy;
    let n = unpacked_normal(shape.x);
    let twelve = vec2f(vec2u(shape.y & 0xfffu, (shape.y >> 12u) & 0xfffu)) / 4095.0;
    let s = Surface(base.xyz, 1.0, n, n, twelve.x, twelve.y, textureLoad(emissive, at, 0).xyz, base.w);
    return Loaded(s, textureLoad(depths, at, 0));
}
