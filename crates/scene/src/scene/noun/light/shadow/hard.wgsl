fn shadow_hard(maps: texture_depth_2d_array, p: MapPoint) -> f32 {
    return shadow_texel(maps, p, floor(p.at));
}
