const PCSS_RADIUS_MAX: f32 = 24.0;
const PCSS_SEARCHED: i32 = 32;
const PCSS_COMPARED: i32 = 64;

// A light as a point sees it: its half axes across the map, metres, or metres for each metre of parallel light.
struct Shape {
    axes: mat2x2f,
    // From its middle to what is farthest from it.
    radius: f32,
    square: bool,
}

fn shape_of(p: MapPoint, here: f32) -> Shape {
    // Parts that are nearer look farther from the middle of the map than they are.
    let lean = select((p.at - 0.5 * p.size) * (p.texel / here), vec2f(0.0), p.parallel);
    let u = p.across.xy - lean * p.across.z;
    let v = p.along.xy - lean * p.along.z;
    let radius = select(max(length(u), length(v)), max(length(u + v), length(u - v)), p.square);
    return Shape(mat2x2f(u, v), max(radius, 1e-6), p.square);
}

// Texels for each metre of the light, where the way to it passes something at `blocker`, metres along the light.
fn spread(p: MapPoint, shape: Shape, here: f32, blocker: f32) -> f32 {
    let wide = select((here - blocker) / max(blocker, 0.01), here - blocker, p.parallel) / p.texel;
    return clamp(wide * shape.radius, 0.5, PCSS_RADIUS_MAX) / shape.radius;
}

// A part of the light, of `count` that cover it: across it in x and y, how large it is in z.
fn part_of(shape: Shape, direction: vec2f, tap: i32, count: i32) -> vec3f {
    let part = direction * sqrt((f32(tap) + 0.5) / f32(count));
    if !shape.square {
        return vec3f(part, 1.0);
    }
    // A disk, stretched out to a square.
    let stretch = 1.0 / max(abs(direction.x), abs(direction.y));
    return vec3f(part * stretch, stretch * stretch);
}

fn shadow_pcss(maps: texture_depth_2d_array, p: MapPoint) -> f32 {
    let here = map_distance(p, p.depth);
    let shape = shape_of(p, here);
    let start = spiral_start(p.pixel);
    // As far as something at the nearest place in the map could darken this point.
    let reach = spread(p, shape, here, p.span.x);
    var direction = start;
    // Sums and counts of distances: of what is nearer than the point, and of what of it hides a part of the light.
    var nearer = vec2f(0.0);
    var hiding = vec2f(0.0);
    for (var tap = 0; tap < PCSS_SEARCHED; tap++) {
        let part = part_of(shape, direction, tap, PCSS_SEARCHED);
        let held = occluder(maps, p, floor(p.at + shape.axes * part.xy * reach));
        if held > 0.0 {
            let blocker = map_distance(p, held);
            let away = reach * sqrt((f32(tap) + 0.5) / f32(PCSS_SEARCHED));
            nearer += part.z * vec2f(blocker, 1.0);
            hiding += select(vec2f(0.0), part.z * vec2f(blocker, 1.0), away <= spread(p, shape, here, blocker));
        }
        direction = spiral_step(direction);
    }
    if nearer.y == 0.0 {
        return 1.0;
    }
    let blockers = select(nearer, hiding, hiding.y > 0.0);
    let wide = spread(p, shape, here, blockers.x / blockers.y);
    direction = start;
    var lit = 0.0;
    var all = 0.0;
    for (var tap = 0; tap < PCSS_COMPARED; tap++) {
        // What hides a part of the light is where the way to it passes, as far away as what is found there.
        let part = part_of(shape, direction, tap, PCSS_COMPARED);
        let way = shape.axes * part.xy;
        var held = occluder(maps, p, floor(p.at + way * wide));
        if held > 0.0 {
            held = occluder(maps, p, floor(p.at + way * spread(p, shape, here, map_distance(p, held))));
        }
        lit += select(0.0, part.z, held == 0.0);
        all += part.z;
        direction = spiral_step(direction);
    }
    return lit / all;
}
