// Moments are moved this far towards those of a wide distribution, so that rounding leaves them moments. The source has
// 3e-7 for floats; sums of 25 texels need ten times as much.
const MSM_BIAS: f32 = 3e-6;

// The bound of Hamburger's problem (Peters, Klein 2015): three points, one of them `t`, carry the four moments.
fn hamburger(moments: vec4f, t: f32) -> f32 {
    let b = moments + MSM_BIAS * (vec4f(0.0, 0.63, 0.0, 0.63) - moments);
    // Cholesky factors of the Hankel matrix [1 b1 b2; b1 b2 b3; b2 b3 b4].
    let d2 = b.y - b.x * b.x;
    let l32_d2 = b.z - b.x * b.y;
    let l32 = l32_d2 / d2;
    let d3 = (b.w - b.y * b.y) - l32 * l32_d2;
    // It times `c` is [1 t t^2].
    var c = vec3f(1.0, t - b.x, t * t - b.y);
    c.z = (c.z - l32 * c.y) / d3;
    c.y = c.y / d2 - l32 * c.z;
    c.x = c.x - c.y * b.x - c.z * b.y;
    // The other two points are roots of c1 + c2 z + c3 z^2.
    let half = -0.5 * c.y / c.z;
    let root = sqrt(max(half * half - c.x / c.z, 0.0));
    let z1 = half - root;
    let z2 = half + root;
    if z2 < t {
        // Both are nearer: all of the rest is at `t`.
        return clamp((z1 * z2 - b.x * (z1 + z2) + b.y) / ((t - z1) * (t - z2)), 0.0, 1.0);
    }
    if z1 < t {
        return 1.0 - clamp((t * z2 - b.x * (t + z2) + b.y) / ((z2 - z1) * (t - z1)), 0.0, 1.0);
    }
    return 1.0;
}

fn shadow_msm(p: MapPoint) -> f32 {
    return hamburger(moments_at(p), 2.0 * moment_distance(p, p.depth) - 1.0);
}
