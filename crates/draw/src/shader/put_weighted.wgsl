// Put weighted: sums of blended surfaces become what lies over the picture (McGuire, Bavoil 2013, equation 10).

@group(0) @binding(0) var weighted_sum: texture_2d<f32>;
@group(0) @binding(1) var weighted_cover: texture_2d<f32>;

@fragment
fn put(@builtin(position) position: vec4f) -> @location(0) vec4f {
    let at = vec2u(position.xy);
    let sum = textureLoad(weighted_sum, at, 0);
    let cover = textureLoad(weighted_cover, at, 0).w;
    return vec4f(sum.xyz / max(sum.w, 0.00001) * cover, cover);
}
