const PCSS_RADIUS_MAX: f32 = 24.0;

// Radius in texels of the penumbra at `here` behind something at `blocker`, metres along the light.
fn penumbra_texels(p: MapPoint, here: f32, blocker: f32) -> f32 {
    let width = select((here - blocker) / max(blocker, 0.01) * p.own.x, (here - blocker) * p.own.y, p.parallel);
    return clamp(0.5 * width / p.texel, 0.5, PCSS_RADIUS_MAX);
}

fn shadow_pcss(maps: texture_depth_2d_array, p: MapPoint) -> f32 {
    let here = map_distance(p, p.depth);
    let start = spiral_start(p.pixel);
    // As far as something at the nearest place in the map could darken this point.
    let reach = penumbra_texels(p, here, p.span.x);
    var direction = start;
    var sum = vec2f(0.0);
    for (var tap = 0; tap < 16; tap++) {
        let wanted = floor(p.at + direction * (reach * sqrt((f32(tap) + 0.5) / 16.0)));
        let texel = clamp(wanted, vec2f(0.0), vec2f(p.size - 1.0));
        let depth = max(p.depth + dot(p.slope, texel + 0.5 - p.at), 0.0);
        let held = textureLoad(maps, vec2i(p.corner + texel), p.layer, 0);
        if held > depth {
            sum += vec2f(map_distance(p, held), 1.0);
        }
        direction = spiral_step(direction);
    }
    if sum.y == 0.0 {
        return 1.0;
    }
    return spiral_filter(maps, p, start, penumbra_texels(p, here, sum.x / sum.y), 32);
}
