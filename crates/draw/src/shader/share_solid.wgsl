// Share, where radiance has details as small as texels: they count by their solid angles.

fn texel_share(face: u32, texel: vec2u, size: u32) -> f32 {
    return strip_share(StripPlace(face, texel), vec2f(0.5), size);
}
