// Peeled: what is not behind the surface that was peeled off last.

@group(0) @binding(2) var peeled_depth: texture_depth_2d_array;

fn is_peeled(position: vec4f) -> bool {
    return position.z >= textureLoad(peeled_depth, vec2i(position.xy), 0, 0);
}
