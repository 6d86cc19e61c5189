// Occlusion: how much light from around arrives at what a pixel shows.

// The share, the distance along the view axis of what has it, -1 where nothing is, and 1 where bounces count.
@group(1) @binding(30) var occlusions: texture_2d<f32>;

// With the light that comes off what occludes, by a fit (Jimenez et al. 2016); `albedo`: of the surface, and of that.
fn with_bounces(share: f32, albedo: f32) -> f32 {
    let a = 2.0404 * albedo - 0.3324;
    let b = 0.6417 - 4.7951 * albedo;
    let c = 2.7552 * albedo + 0.6903;
    return max(share, ((share * a + b) * share + c) * share);
}

// Of the pixel and those about it, the one counts whose surface is as far away. Where none is, nothing is known.
fn occlusion_at(position: vec2f, distance_m: f32, base: vec3f) -> f32 {
    let at = vec2i(position);
    let last = vec2i(textureDimensions(occlusions)) - 1;
    let here = textureLoad(occlusions, at, 0).xyz;
    var share = here.x;
    var off = abs(here.y - distance_m);
    if off > 0.001 * distance_m {
        for (var i = 0; i < 9; i++) {
            let other = textureLoad(occlusions, clamp(at + vec2i(i % 3, i / 3) - 1, vec2i(0), last), 0).xy;
            if abs(other.y - distance_m) < off {
                share = other.x;
                off = abs(other.y - distance_m);
            }
        }
    }
    let albedo = clamp(dot(base, vec3f(0.2126, 0.7152, 0.0722)), 0.0, 1.0);
    let lit = select(share, with_bounces(share, albedo), here.z > 0.5);
    return select(1.0, lit, off < 0.05 * distance_m);
}
