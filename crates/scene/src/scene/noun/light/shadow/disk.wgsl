fn shadow_disk(maps: texture_depth_2d_array, p: MapPoint) -> f32 {
    return spiral_filter(maps, p, spiral_start(p.pixel), p.own.x, 16);
}
