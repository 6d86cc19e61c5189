// What a texel of a map holds; beyond its edge, what the nearest texel holds.
fn held_in(maps: texture_depth_2d_array, p: MapPoint, texel: vec2f) -> f32 {
    return textureLoad(maps, vec2i(p.corner + clamp(texel, vec2f(0.0), vec2f(p.size - 1.0))), p.layer, 0);
}

// How much depth grows along three texels: the lesser step, since the other one may cross an edge. What is nearer than
// both neighbours is as thin as a texel, and no plane goes on beside it.
fn step_of(before: f32, held: f32, behind: f32) -> f32 {
    let a = held - before;
    let b = behind - held;
    if a > 0.0 && b < 0.0 {
        return 0.0;
    }
    return select(b, a, abs(a) < abs(b));
}

// Whether the receiver is before the plane through what a texel holds. A wall is so before the floor at its foot: the
// floor is before the wall's plane, and shadows none of it.
fn is_before(maps: texture_depth_2d_array, p: MapPoint, texel: vec2f, held: f32) -> bool {
    let way = p.at - texel - 0.5;
    let x = vec2f(1.0, 0.0);
    let y = vec2f(0.0, 1.0);
    let right = step_of(held_in(maps, p, texel - x), held, held_in(maps, p, texel + x));
    let down = step_of(held_in(maps, p, texel - y), held, held_in(maps, p, texel + y));
    return p.depth >= held + right * way.x + down * way.y;
}

// Depth of what a texel of a map holds where that shadows the receiver, 0 where it does not. It does if it is nearer to
// the light than the receiver's plane is at the texel's middle, and the receiver is behind its plane.
fn occluder(maps: texture_depth_2d_array, p: MapPoint, wanted: vec2f) -> f32 {
    let texel = clamp(wanted, vec2f(0.0), vec2f(p.size - 1.0));
    let depth = max(p.depth + dot(p.slope, texel + 0.5 - p.at), 0.0);
    let held = held_in(maps, p, texel);
    if depth >= held || is_before(maps, p, texel, held) {
        return 0.0;
    }
    return held;
}

// 1 where a texel lets light through.
fn shadow_texel(maps: texture_depth_2d_array, p: MapPoint, wanted: vec2f) -> f32 {
    return select(0.0, 1.0, occluder(maps, p, wanted) == 0.0);
}
