// Shadow: how much of a light reaches a point, from depth maps.
//
// Maps are Depth32Float, reversed: near is 1, far 0. A lamp has one map of the part in which shadows can be
// seen, or six of 90 degrees and a margin, so that no filter ever looks over an edge. Compare first, average after.
// Sources: Reeves 1987 (percentage closer filtering), Isidoro 2006 (depths that follow the receiver's plane),
// Holbert 2011 (normal offset), Castano 2013 (a 3x3 filter of weights 1 2 1 in four bilinear taps).

struct ShadowMap {
    clip_from_world: mat4x4f,
    // A texel's width in metres is x + y * clip w.
    texel: vec2f,
    // -1: nothing that is seen can be in shadow here.
    layer: i32,
    // Width of the map, texels.
    size: f32,
}

@group(1) @binding(1) var<storage, read> shadow_maps: array<ShadowMap>;
@group(1) @binding(2) var sun_maps: texture_depth_2d_array;
@group(1) @binding(3) var local_maps: texture_depth_2d_array;
@group(1) @binding(4) var shadow_sampler: sampler_comparison;

// The filter reaches 1.5 texels about its middle. Depths follow the plane of the surface there, up to where the light
// comes in at less than a degree.
const SHADOW_SLOPE_MAX: f32 = 64.0;
// Offsets in texels: along the normal, towards the light, and along the slope: half a texel, since a tap blends texels
// as far away, and as much again for taps that reach under another surface, such as the floor at the foot of a wall.
const SHADOW_NORMAL_OFFSET: f32 = 0.1;
const SHADOW_DEPTH_OFFSET: f32 = 0.5;
const SHADOW_SLOPE_OFFSET: f32 = 1.0;

// Which of a lamp's six maps holds a direction: +X -X +Y -Y +Z -Z.
fn cube_face(d: vec3f) -> i32 {
    let a = abs(d);
    if a.x >= a.y && a.x >= a.z {
        return select(1, 0, d.x >= 0.0);
    } else if a.y >= a.z {
        return select(3, 2, d.y >= 0.0);
    }
    return select(5, 4, d.z >= 0.0);
}

// Offsets and weights of two bilinear taps that make the weights 1 - s, 2 - s, 1 + s, s (of 4) for `s` in [0, 1).
struct Taps {
    offset: vec2f,
    weight: vec2f,
}

fn taps(s: f32) -> Taps {
    let weight = vec2f(3.0 - 2.0 * s, 1.0 + 2.0 * s);
    return Taps(vec2f((2.0 - s) / weight.x - 1.0, s / weight.y + 1.0), weight);
}

// Two taps of one row at height `v`, each against the depth of the plane at its place.
fn shadow_row(maps: texture_depth_2d_array, layer: i32, u: vec2f, v: f32, weight: vec2f, depth: vec2f) -> f32 {
    let left = weight.x * textureSampleCompareLevel(maps, shadow_sampler, vec2f(u.x, v), layer, depth.x);
    let right = weight.y * textureSampleCompareLevel(maps, shadow_sampler, vec2f(u.y, v), layer, depth.y);
    return left + right;
}

// `slope`: how much depth grows with each texel to the right and down.
fn filtered_shadow(maps: texture_depth_2d_array, layer: i32, size: f32, uv: vec2f, depth: f32, slope: vec2f) -> f32 {
    let at = uv * size - 0.5;
    let first = floor(at);
    let part = at - first;
    let x = taps(part.x);
    let y = taps(part.y);
    let u = (first.x + 0.5 + x.offset) / size;
    let v = (first.y + 0.5 + y.offset) / size;
    let across = depth + slope.x * (x.offset - part.x);
    let down = slope.y * (y.offset - part.y);
    let top = y.weight.x * shadow_row(maps, layer, u, v.x, x.weight, across + down.x);
    let bottom = y.weight.y * shadow_row(maps, layer, u, v.y, x.weight, across + down.y);
    // The weights make 16 within rounding. Summed in the same order they divide all of the light into exactly 1.
    let row = x.weight.x + x.weight.y;
    return (top + bottom) / (y.weight.x * row + y.weight.y * row);
}

// How much depth grows with each texel to the right and down on the plane through a point.
fn plane_slope(map: ShadowMap, clip: vec4f, ng: vec3f, cosine: f32) -> vec2f {
    let across = tangents(ng);
    let t = map.clip_from_world * vec4f(across.t, 0.0);
    let u = map.clip_from_world * vec4f(across.u, 0.0);
    let ndc = clip.xyz / clip.w;
    let dt = t.xyz - ndc * t.w;
    let du = u.xyz - ndc * u.w;
    let det = dt.x * du.y - dt.y * du.x;
    if det == 0.0 {
        return vec2f(0.0);
    }
    let by_ndc = vec2f(dt.z * du.y - du.z * dt.y, du.z * dt.x - dt.z * du.x) / det;
    let steep = sqrt(max(1.0 - cosine * cosine, 0.0)) / cosine;
    return vec2f(by_ndc.x, -by_ndc.y) * (2.0 / map.size * min(1.0, SHADOW_SLOPE_MAX / max(steep, 0.001)));
}

// 1: all of the light arrives. `l` is towards the light.
fn visibility(light: Light, l: vec3f, point: vec3f, ng: vec3f) -> f32 {
    let cosine = dot(ng, l);
    if cosine <= 0.0 {
        return 0.0;
    }
    // The same for all pixels, but for a lamp of several maps.
    var map = shadow_maps[light.shadow];
    if light.map_count > 1u {
        map = shadow_maps[light.shadow + cube_face(point - light.position)];
    }
    if map.layer < 0 {
        return 1.0;
    }
    let w = (map.clip_from_world * vec4f(point, 1.0)).w;
    let texel = map.texel.x + map.texel.y * w;
    let moved = point + ng * (SHADOW_NORMAL_OFFSET * texel) + l * (SHADOW_DEPTH_OFFSET * texel);
    let clip = map.clip_from_world * vec4f(moved, 1.0);
    let ndc = clip.xyz / clip.w;
    let uv = vec2f(ndc.x * 0.5 + 0.5, 0.5 - ndc.y * 0.5);
    // All taps inside: what must be held is, and a margin around it.
    let inside = abs(ndc.xy) <= vec2f(1.0 - 4.0 / map.size);
    if clip.w <= 0.0 || !all(inside) {
        return 1.0;
    }
    let slope = plane_slope(map, clip, ng, cosine);
    let depth = clamp(ndc.z + SHADOW_SLOPE_OFFSET * (abs(slope.x) + abs(slope.y)), 0.0, 1.0);
    if is_parallel(light.kind) {
        return filtered_shadow(sun_maps, map.layer, map.size, uv, depth, slope);
    }
    return filtered_shadow(local_maps, map.layer, map.size, uv, depth, slope);
}
