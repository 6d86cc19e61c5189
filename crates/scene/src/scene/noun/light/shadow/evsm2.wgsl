fn shadow_evsm2(p: MapPoint) -> f32 {
    let warped = exp(p.own.y * plane_distance(p));
    let slack = 1e-4 * p.own.y * warped;
    return chebyshev(moments_at(p).xy, warped, slack * slack);
}
