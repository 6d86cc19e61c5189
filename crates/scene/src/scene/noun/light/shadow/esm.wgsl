fn shadow_esm(p: MapPoint) -> f32 {
    return min(exp(-p.own.y * moment_distance(p, p.depth)) * moments_at(p).x, 1.0);
}
