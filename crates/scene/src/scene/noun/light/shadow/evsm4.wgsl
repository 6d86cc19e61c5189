fn shadow_evsm4(p: MapPoint) -> f32 {
    let t = moment_distance(p, p.depth);
    let moments = moments_at(p);
    let near = exp(p.own.y * t);
    let far = -exp(-p.own.z * t);
    let slack = 1e-4 * vec2f(p.own.y * near, p.own.z * far);
    return min(chebyshev(moments.xy, near, slack.x * slack.x), chebyshev(moments.zw, far, slack.y * slack.y));
}
