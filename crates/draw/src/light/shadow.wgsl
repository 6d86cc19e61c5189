// Shadow: how much of a light reaches a point, from depth maps.
//
// Maps are Depth32Float, reversed: near is 1, far 0. A lamp has one map of the part in which shadows can be
// seen, or six of 90 degrees and a margin, so that no filter ever looks over an edge. Compare first, average after.
// Sources: Isidoro 2006 (depths that follow the receiver's plane), Holbert 2011 (normal offset). Filters have files of
// their own.

struct ShadowMap {
    clip_from_world: mat4x4f,
    // A texel's width in metres is x + y * clip w.
    texel: vec2f,
    // -1: nothing that is seen can be in shadow here.
    layer: i32,
    // Width of the map, texels.
    size: f32,
    // Of its layer: where the map begins, and how wide the layer is, texels.
    corner: vec2f,
    width: f32,
    technique: u32,
    // Along the normal and towards the light, texels.
    offset: vec2f,
    // What filters look at beyond a point, texels.
    edge: f32,
    // How far things in sight are looked for, metres.
    contact: f32,
    // Nearest and farthest along the light that it tells apart, metres.
    span: vec2f,
    // Of cascades: depths of the camera between which it counts, metres.
    depths: vec2f,
    // What the technique's keys hold.
    own: vec4f,
    // Half axes of the light: to the right, down and away along the map, metres, of parallel light for each metre. In w
    // whether it is a rectangle between them: 1, or an ellipse: 0.
    across: vec4f,
    along: vec3f,
    // Which array has what lets light through, from 1 on; 0: nothing does.
    veils: u32,
}

// A point as a map sees it.
struct MapPoint {
    // From the map's corner, texels.
    at: vec2f,
    depth: f32,
    // How much depth grows with each texel to the right and down.
    slope: vec2f,
    layer: i32,
    corner: vec2f,
    size: f32,
    width: f32,
    parallel: bool,
    // Width of a texel here, metres.
    texel: f32,
    span: vec2f,
    own: vec4f,
    across: vec3f,
    along: vec3f,
    square: bool,
    pixel: vec2f,
}

@group(1) @binding(1) var<storage, read> shadow_maps: array<ShadowMap>;
@group(1) @binding(2) var sun_maps: texture_depth_2d_array;
@group(1) @binding(3) var local_maps: texture_depth_2d_array;
@group(1) @binding(4) var shadow_sampler: sampler_comparison;

// The filter reaches 1.5 texels about its middle. Depths follow the plane of the surface there, up to where the light
// comes in at less than a degree.
const SHADOW_SLOPE_MAX: f32 = 64.0;
// Along the slope, in texels: half a texel, since a tap blends texels as far away, and as much again for taps that reach
// under another surface, such as the floor at the foot of a wall.
const SHADOW_SLOPE_OFFSET: f32 = 1.0;
// Where lamps' maps begin, metres.
const SHADOW_NEAR: f32 = 0.01;

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

// Distance along the light of a depth, metres.
fn map_distance(p: MapPoint, depth: f32) -> f32 {
    return select(SHADOW_NEAR / max(depth, 1e-9), (1.0 - depth) * p.span.y, p.parallel);
}
