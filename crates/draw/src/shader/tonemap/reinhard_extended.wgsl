// Reinhard et al. 2002, equation 4, each channel by itself: 4 becomes white.
fn tonemap_reinhard_extended(color: vec3f) -> vec3f {
    let mapped = color * (1.0 + color / 16.0) / (1.0 + color);
    return min(mapped, vec3f(1.0));
}
