fn shadow_vsm(p: MapPoint) -> f32 {
    let t = moment_distance(p, p.depth);
    let across = moment_distance(p, p.depth + p.slope.x) - t;
    let down = moment_distance(p, p.depth + p.slope.y) - t;
    let lit = chebyshev(moments_at(p).xy, t, 1e-7 + 0.25 * (across * across + down * down));
    return clamp((lit - p.own.y) / (1.0 - p.own.y), 0.0, 1.0);
}
