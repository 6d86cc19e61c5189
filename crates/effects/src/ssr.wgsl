// Reflections of what the picture shows.

struct Reflections {
    reach_m: f32,
    thickness_m: f32,
    steps: f32,
    rim: f32,
    roughness_max: f32,
    march: f32,
    // How much of them is seen.
    amount: f32,
}

@group(1) @binding(31) var<uniform> reflections: Reflections;
// Of opaque surfaces, at pixels' centres; the nearest of squares of pixels, each level twice as wide.
@group(1) @binding(32) var depth_levels: texture_2d<f32>;

fn screen_px(ndc: vec3f) -> vec2f {
    return vec2f(0.5 + 0.5 * ndc.x, 0.5 - 0.5 * ndc.y) * view.size.xy;
}

// Odd sizes: the last square is of three.
fn nearest_in(square: vec2i, level: i32) -> f32 {
    let size = vec2i(view.size.xy) >> vec2u(u32(level));
    return textureLoad(depth_levels, clamp(square, vec2i(0), max(size - 1, vec2i(0))), level).x;
}

// How far behind a depth a place is, in metres; less than 0 before it.
fn beyond(ndc: vec3f, depth: f32) -> f32 {
    if depth <= ndc.z {
        return -1.0;
    }
    let surface = view.world_from_clip * vec4f(ndc.xy, depth, 1.0);
    let place = view.world_from_clip * vec4f(ndc, 1.0);
    return view_depth(place.xyz / place.w) - view_depth(surface.xyz / surface.w);
}

// The same of what the picture shows there.
fn behind_by(ndc: vec3f) -> f32 {
    return beyond(ndc, nearest_in(vec2i(screen_px(ndc)), 0));
}

// Where on the way a surface is met; less than 0 where none is.
fn met_by_steps(start: vec3f, way: vec3f, length_px: f32, first: f32) -> f32 {
    let count = min(i32(reflections.steps), i32(ceil(length_px)));
    var low = 0.0;
    var high = -1.0;
    for (var i = 1; i <= count; i++) {
        let t = max(f32(i) / f32(count), first);
        let behind_m = behind_by(start + way * t);
        if behind_m > 0.0 && behind_m < reflections.thickness_m {
            high = t;
            break;
        }
        low = t;
    }
    if high < 0.0 {
        return high;
    }
    for (var i = 0; i < 5; i++) {
        let middle = 0.5 * (low + high);
        if behind_by(start + way * middle) > 0.0 {
            high = middle;
        } else {
            low = middle;
        }
    }
    return high;
}

// The same at every pixel: a square that the ray passes before is left at once, and the next is twice as wide.
fn met_by_texels(start: vec3f, way: vec3f, length_px: f32, first: f32) -> f32 {
    let start_px = screen_px(start);
    let way_px = way.xy * vec2f(0.5, -0.5) * view.size.xy;
    let moves = way_px != vec2f(0.0);
    let per_px = 1.0 / select(vec2f(1.0), way_px, moves);
    // The sides that squares are left at.
    let side = select(vec2f(0.0), vec2f(1.0), way_px > vec2f(0.0));
    let recedes = way.z < 0.0;
    let last = i32(textureNumLevels(depth_levels)) - 1;
    // Into the next square.
    let nudge = 0.015625 / length_px;
    // Each pixel is entered once, and each level once before it.
    let bound = 4 * i32(view.size.x + view.size.y);
    var t = first;
    var level = 0;
    var width = 1.0;
    for (var i = 0; i < bound && t < 1.0; i++) {
        let square = floor((start_px + way_px * (t + nudge)) / width);
        let leaves = select(vec2f(2.0), ((square + side) * width - start_px) * per_px, moves);
        let end = clamp(min(leaves.x, leaves.y), t + nudge, 1.0);
        let nearest = nearest_in(vec2i(square), level);
        let is_before = start.z + way.z * select(t, end, recedes) >= nearest;
        if !is_before && level == 0 {
            let front = start + way * select(end, t, recedes);
            if beyond(front, nearest) < reflections.thickness_m {
                return select(t, clamp((nearest - start.z) / way.z, t, end), way.z != 0.0);
            }
        }
        // Wider after what is passed, and narrower before what may be met.
        let is_passed = is_before || level == 0;
        t = select(t, end, is_passed);
        level = clamp(level + select(-1, select(0, 1, is_before), is_passed), 0, last);
        width = f32(1u << u32(level));
    }
    return -1.0;
}

// Radiance from a direction, and how much it counts.
fn reflection_at(point: vec3f, d: vec3f, roughness: f32) -> vec4f {
    if roughness >= reflections.roughness_max {
        return vec4f(0.0);
    }
    // Not behind the eye.
    let ahead = view_depth(point);
    let rate = dot(d, view.forward.xyz);
    var reach = reflections.reach_m;
    if rate < 0.0 {
        reach = min(reach, 0.99 * ahead / -rate);
    }
    let from_clip = view.clip_from_world * vec4f(point, 1.0);
    let to_clip = view.clip_from_world * vec4f(point + d * reach, 1.0);
    // Depth is even along lines of the picture.
    let start = from_clip.xyz / from_clip.w;
    var way = to_clip.xyz / to_clip.w - start;
    // Up to the edge of the picture.
    var share = 1.0;
    if way.x != 0.0 {
        share = min(share, (select(-1.0, 1.0, way.x > 0.0) - start.x) / way.x);
    }
    if way.y != 0.0 {
        share = min(share, (select(-1.0, 1.0, way.y > 0.0) - start.y) / way.y);
    }
    way *= clamp(share, 0.0, 1.0);
    let length_px = length(way.xy * 0.5 * view.size.xy);
    if length_px < 1.0 {
        return vec4f(0.0);
    }
    // The surface itself is no hit.
    let first = 1.5 / length_px;
    var met = -1.0;
    if reflections.march == 0.0 {
        met = met_by_steps(start, way, length_px, first);
    } else {
        met = met_by_texels(start, way, length_px, first);
    }
    if met < 0.0 {
        return vec4f(0.0);
    }
    let hit = start + way * met;
    let at = screen_px(hit);
    let edge = min(min(at.x, at.y), min(view.size.x - at.x, view.size.y - at.y)) / view.size.y;
    let place = view.world_from_clip * vec4f(hit, 1.0);
    let far = distance(point, place.xyz / place.w) / reflections.reach_m;
    var kept = clamp(edge / max(reflections.rim, 1e-6), 0.0, 1.0) * max(1.0 - far * far, 0.0);
    kept *= reflections.amount * (1.0 - roughness / reflections.roughness_max);
    // The lobe is about as wide as roughness squared.
    let radius_px = roughness * roughness * met * length_px;
    let color = behind_at(at * view.size.zw, log2(max(radius_px, 1.0)));
    return vec4f(color.xyz / max(view.exposure, 1e-30), kept * color.w);
}
