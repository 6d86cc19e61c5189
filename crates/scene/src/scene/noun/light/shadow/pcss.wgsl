const PCSS_RADIUS_MAX: f32 = 24.0;
const PCSS_SEARCHED: i32 = 32;
const PCSS_COMPARED: i32 = 64;

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
    // Sums and counts of distances: of what is nearer than the point, and of what of it hides a part of the light.
    var nearer = vec2f(0.0);
    var hiding = vec2f(0.0);
    for (var tap = 0; tap < PCSS_SEARCHED; tap++) {
        let away = reach * sqrt((f32(tap) + 0.5) / f32(PCSS_SEARCHED));
        let held = occluder(maps, p, floor(p.at + direction * away));
        if held > 0.0 {
            let blocker = map_distance(p, held);
            nearer += vec2f(blocker, 1.0);
            hiding += select(vec2f(0.0), vec2f(blocker, 1.0), away <= penumbra_texels(p, here, blocker));
        }
        direction = spiral_step(direction);
    }
    if nearer.y == 0.0 {
        return 1.0;
    }
    let blockers = select(nearer, hiding, hiding.y > 0.0);
    let radius = penumbra_texels(p, here, blockers.x / blockers.y);
    direction = start;
    var lit = 0.0;
    for (var tap = 0; tap < PCSS_COMPARED; tap++) {
        // A part of the light; what hides it is where the way to it passes, as far away as what is found there.
        let part = direction * sqrt((f32(tap) + 0.5) / f32(PCSS_COMPARED));
        var held = occluder(maps, p, floor(p.at + part * radius));
        if held > 0.0 {
            held = occluder(maps, p, floor(p.at + part * penumbra_texels(p, here, map_distance(p, held))));
        }
        lit += select(0.0, 1.0, held == 0.0);
        direction = spiral_step(direction);
    }
    return lit / f32(PCSS_COMPARED);
}
