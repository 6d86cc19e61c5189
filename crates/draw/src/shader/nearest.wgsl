// Nearest: the first of the blended surfaces that are peeled off one by one (Everitt 2001, Interactive Order-Independent
// Transparency). Depth is reversed: nearer is greater.

@group(0) @binding(1) var opaque_depth: texture_depth_2d_array;

fn is_hidden(position: vec4f) -> bool {
    return position.z <= textureLoad(opaque_depth, vec2i(position.xy), 0, 0);
}
