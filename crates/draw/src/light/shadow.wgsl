// Shadow: how much of a light reaches a point, from depth maps.
//
// Maps are Depth32Float, reversed: near is 1, far 0. A point light has six maps of 90 degrees and a margin, so that no
// filter ever looks over an edge. Compare first, average after. Sources: Reeves 1987 (percentage closer filtering),
// Holbert 2011 (normal offset), Castano 2013 (a 5x5 filter of weights 1 3 4 3 1 in nine bilinear taps).

struct ShadowMap {
    clip_from_world: mat4x4f,
    // A texel's width in metres is x + y * clip w.
    texel: vec2f,
    layer: i32,
    // Width of the map, texels.
    size: f32,
}

@group(1) @binding(1) var<storage, read> shadow_maps: array<ShadowMap>;
@group(1) @binding(2) var sun_maps: texture_depth_2d_array;
@group(1) @binding(3) var local_maps: texture_depth_2d_array;
@group(1) @binding(4) var shadow_sampler: sampler_comparison;

// Normal offset and depth offset in texels; the filter reaches 2 texels.
const SHADOW_NORMAL_OFFSET: f32 = 3.0;
const SHADOW_DEPTH_OFFSET: f32 = 1.0;

// Which of a point light's six maps holds a direction: +X -X +Y -Y +Z -Z.
fn cube_face(d: vec3f) -> i32 {
    let a = abs(d);
    if a.x >= a.y && a.x >= a.z {
        return select(1, 0, d.x >= 0.0);
    } else if a.y >= a.z {
        return select(3, 2, d.y >= 0.0);
    }
    return select(5, 4, d.z >= 0.0);
}

// Offsets and weights of three bilinear taps that make the five weights 1 3 4 3 1 (of 12), shifted by `s` in [0, 1).
struct Taps {
    offset: vec3f,
    weight: vec3f,
}

fn taps(s: f32) -> Taps {
    let weight = vec3f(4.0 - 3.0 * s, 7.0, 1.0 + 3.0 * s);
    let offset = vec3f((3.0 - 2.0 * s) / weight.x - 2.0, (3.0 + s) / 7.0, s / weight.z + 2.0);
    return Taps(offset, weight);
}

// Three taps of one row at height `v`.
fn shadow_row(maps: texture_depth_2d_array, layer: i32, u: vec3f, v: f32, weight: vec3f, depth: f32) -> f32 {
    let left = weight.x * textureSampleCompareLevel(maps, shadow_sampler, vec2f(u.x, v), layer, depth);
    let middle = weight.y * textureSampleCompareLevel(maps, shadow_sampler, vec2f(u.y, v), layer, depth);
    let right = weight.z * textureSampleCompareLevel(maps, shadow_sampler, vec2f(u.z, v), layer, depth);
    return left + middle + right;
}

fn filtered_shadow(maps: texture_depth_2d_array, layer: i32, size: f32, uv: vec2f, depth: f32) -> f32 {
    let at = uv * size - 0.5;
    let first = floor(at);
    let part = at - first;
    let x = taps(part.x);
    let y = taps(part.y);
    let u = (first.x + 0.5 + x.offset) / size;
    let v = (first.y + 0.5 + y.offset) / size;
    let top = y.weight.x * shadow_row(maps, layer, u, v.x, x.weight, depth);
    let middle = y.weight.y * shadow_row(maps, layer, u, v.y, x.weight, depth);
    let bottom = y.weight.z * shadow_row(maps, layer, u, v.z, x.weight, depth);
    // The weights make 144 within rounding. Summed in the same order they divide all of the light into exactly 1.
    let row = x.weight.x + x.weight.y + x.weight.z;
    return (top + middle + bottom) / (y.weight.x * row + y.weight.y * row + y.weight.z * row);
}

// 1: all of the light arrives. `l` is towards the light.
fn visibility(light: Light, l: vec3f, point: vec3f, ng: vec3f) -> f32 {
    let cosine = dot(ng, l);
    if cosine <= 0.0 {
        return 0.0;
    }
    var index = light.shadow;
    if has_faces(light.kind) {
        index += cube_face(point - light.position);
    }
    let map = shadow_maps[index];
    let w = (map.clip_from_world * vec4f(point, 1.0)).w;
    let texel = map.texel.x + map.texel.y * w;
    // How fast a texel leaves the surface: by the sine of the light's angle where rays are parallel, and at worst fully
    // where they spread from the light over a plane.
    let sine = select(1.0, sqrt(max(1.0 - cosine * cosine, 0.0)), is_parallel(light.kind));
    let moved = point + ng * (SHADOW_NORMAL_OFFSET * texel * sine) + l * (SHADOW_DEPTH_OFFSET * texel);
    let clip = map.clip_from_world * vec4f(moved, 1.0);
    let ndc = clip.xyz / clip.w;
    let uv = vec2f(ndc.x * 0.5 + 0.5, 0.5 - ndc.y * 0.5);
    if clip.w <= 0.0 || uv.x < 0.0 || uv.x > 1.0 || uv.y < 0.0 || uv.y > 1.0 {
        return 1.0;
    }
    let depth = clamp(ndc.z, 0.0, 1.0);
    if is_parallel(light.kind) {
        return filtered_shadow(sun_maps, map.layer, map.size, uv, depth);
    }
    return filtered_shadow(local_maps, map.layer, map.size, uv, depth);
}
