// Reflections of what the picture shows.

struct Reflections {
    reach_m: f32,
    thickness_m: f32,
    steps: f32,
    rim: f32,
    roughness_max: f32,
    // How much of them is seen.
    amount: f32,
}

@group(1) @binding(31) var<uniform> reflections: Reflections;
// Of opaque surfaces, at pixels' centres.
@group(1) @binding(32) var screen_depth: texture_depth_2d;

fn screen_px(ndc: vec3f) -> vec2f {
    return vec2f(0.5 + 0.5 * ndc.x, 0.5 - 0.5 * ndc.y) * view.size.xy;
}

// How far behind a surface a place of a ray is, in metres; less than 0 before it.
fn behind_by(ndc: vec3f) -> f32 {
    let last = vec2i(textureDimensions(screen_depth)) - 1;
    let depth = textureLoad(screen_depth, clamp(vec2i(screen_px(ndc)), vec2i(0), last), 0);
    if depth <= ndc.z {
        return -1.0;
    }
    let surface = view.world_from_clip * vec4f(ndc.xy, depth, 1.0);
    let place = view.world_from_clip * vec4f(ndc, 1.0);
    return view_depth(place.xyz / place.w) - view_depth(surface.xyz / surface.w);
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
    let count = min(i32(reflections.steps), i32(ceil(length_px)));
    // The surface itself is no hit.
    let first = 1.5 / length_px;
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
        return vec4f(0.0);
    }
    for (var i = 0; i < 5; i++) {
        let middle = 0.5 * (low + high);
        if behind_by(start + way * middle) > 0.0 {
            high = middle;
        } else {
            low = middle;
        }
    }
    let hit = start + way * high;
    let at = screen_px(hit);
    let edge = min(min(at.x, at.y), min(view.size.x - at.x, view.size.y - at.y)) / view.size.y;
    let place = view.world_from_clip * vec4f(hit, 1.0);
    let far = distance(point, place.xyz / place.w) / reflections.reach_m;
    var kept = clamp(edge / max(reflections.rim, 1e-6), 0.0, 1.0) * max(1.0 - far * far, 0.0);
    kept *= reflections.amount * (1.0 - roughness / reflections.roughness_max);
    // The lobe is about as wide as roughness squared.
    let radius_px = roughness * roughness * high * length_px;
    let color = behind_at(at * view.size.zw, log2(max(radius_px, 1.0)));
    return vec4f(color.xyz / max(view.exposure, 1e-30), kept * color.w);
}
