fn shadow_esm(p: MapPoint) -> f32 {
    return min(exp(-p.own.y * plane_distance(p)) * moments_at(p).x, 1.0);
}
