// Afterimage: each frame leaves a part of itself.

fn apply(at: vec2i) -> vec4f {
    return max(texel_0(at), params.kept * texel_1(at));
}
