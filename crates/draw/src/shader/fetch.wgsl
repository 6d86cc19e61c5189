// Fetch: the triangle that a pixel shows, and what lies between its corners (Burns, Hunt 2013).

// For each pixel the number of an item from 1, and twice the number of its triangle, plus 1 where the front is seen; 0
// and 0 where nothing is.
@group(0) @binding(1) var ids: texture_2d<u32>;
@group(0) @binding(2) var depths: texture_depth_2d;

// Where the streams of a geometry begin, in words.
struct Starts {
    position: u32,
    normal: u32,
    tangent: u32,
    uv0: u32,
    uv1: u32,
    color: u32,
    indices: u32,
}

// Positions, normals and tangents, as they are bent.
@group(3) @binding(1) var<storage, read> shape: array<f32>;
// Everything, at rest.
@group(3) @binding(2) var<storage, read> words: array<u32>;
@group(3) @binding(3) var<uniform> starts: Starts;
// By item: left, top, right and bottom of the pixels that it may cover, in clip space.
@group(3) @binding(4) var<storage, read> rectangles: array<vec4f>;

struct Rectangle {
    @builtin(position) position: vec4f,
    @location(0) @interpolate(flat) item: u32,
}

// Two triangles over the pixels that an item may cover.
@vertex
fn vertex(@builtin(vertex_index) index: u32, @builtin(instance_index) item: u32) -> Rectangle {
    let edges = rectangles[item];
    let corner = select(6u - index, index, index < 3u);
    let x = select(edges.x, edges.z, (corner & 1u) == 1u);
    let y = select(edges.y, edges.w, corner >= 2u);
    return Rectangle(vec4f(x, y, 0.0, 1.0), item + 1u);
}

// What the four pixels of a quad show.
struct Quad {
    ids: array<vec2u, 4>,
}

fn quad_of(at: vec2u) -> Quad {
    let first = at & vec2u(0xfffffffeu);
    return Quad(array<vec2u, 4>(
        textureLoad(ids, first, 0).xy,
        textureLoad(ids, first + vec2u(1u, 0u), 0).xy,
        textureLoad(ids, first + vec2u(0u, 1u), 0).xy,
        textureLoad(ids, first + vec2u(1u, 1u), 0).xy,
    ));
}

// Whether no pixel of the quad before this one shows the same.
fn is_first(quad: Quad, number: u32) -> bool {
    var first = true;
    for (var before = 0u; before < number; before++) {
        first = first && any(quad.ids[before] != quad.ids[number]);
    }
    return first;
}

fn corners_of(triangle: u32) -> vec3u {
    let at = starts.indices + 3u * triangle;
    return vec3u(words[at], words[at + 1u], words[at + 2u]);
}

fn shape_at(at: u32) -> vec3f {
    return vec3f(shape[at], shape[at + 1u], shape[at + 2u]);
}

fn words_at(at: u32) -> vec2f {
    return vec2f(bitcast<f32>(words[at]), bitcast<f32>(words[at + 1u]));
}

fn crossed(a: vec2f, b: vec2f) -> f32 {
    return a.x * b.y - a.y * b.x;
}

// Whether a corner is drawn as it is, and not cut off.
fn is_whole(clip: vec4f) -> bool {
    return clip.w > 0.0 && clip.z >= 0.0 && clip.z <= clip.w && all(abs(clip.xy) <= vec2f(128.0 * clip.w));
}

// The pixels of a corner, in steps of 1/256, to which rasterizers round them.
fn snapped(clip: vec4f) -> vec2f {
    let at = 0.5 * (vec2f(clip.x, -clip.y) / clip.w + 1.0);
    return round(at * view.size.xy * 256.0);
}

// What the second and the third corner weigh at a point of the picture.
fn weights_of(a: vec4f, b: vec4f, c: vec4f, at: vec2f) -> vec2f {
    if is_whole(a) && is_whole(b) && is_whole(c) {
        let corner = snapped(a);
        let point = at * 256.0 - corner;
        let ab = snapped(b) - corner;
        let ac = snapped(c) - corner;
        let nearness = 1.0 / vec3f(a.w, b.w, c.w);
        let weights = vec2f(crossed(point, ac), crossed(ab, point)) / crossed(ab, ac);
        let sum = nearness.x + (weights.x * (nearness.y - nearness.x) + weights.y * (nearness.z - nearness.x));
        return weights * nearness.yz / sum;
    }
    // The triangle reaches behind the eye: no corner is divided by its w (Olano, Greer 1997).
    let x = at.x * view.size.z * 2.0 - 1.0;
    let y = 1.0 - at.y * view.size.w * 2.0;
    let p = a.xy - a.w * vec2f(x, y);
    let q = b.xy - b.w * vec2f(x, y);
    let r = c.xy - c.w * vec2f(x, y);
    let weights = vec3f(crossed(q, r), crossed(r, p), crossed(p, q));
    return weights.yz / (weights.x + weights.y + weights.z);
}
