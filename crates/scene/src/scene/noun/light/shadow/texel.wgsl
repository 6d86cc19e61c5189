// 1 where a texel of a map holds nothing nearer to the light than the receiver's plane is at the texel's middle.
fn shadow_texel(maps: texture_depth_2d_array, p: MapPoint, wanted: vec2f) -> f32 {
    let texel = clamp(wanted, vec2f(0.0), vec2f(p.size - 1.0));
    let depth = max(p.depth + dot(p.slope, texel + 0.5 - p.at), 0.0);
    return select(0.0, 1.0, depth >= textureLoad(maps, vec2i(p.corner + texel), p.layer, 0));
}
