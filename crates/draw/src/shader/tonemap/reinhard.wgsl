// Reinhard et al. 2002, each channel by itself: white is reached only at infinity.
fn tonemap_reinhard(color: vec3f) -> vec3f {
    return color / (1.0 + color);
}
