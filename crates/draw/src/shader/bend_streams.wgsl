// Bend streams: all vertices of a geometry, into streams of their own. Needs `bend`.

struct Streams {
    vertex_count: u32,
    // First values of normals and tangents; positions begin at 0. The same in both arrays.
    normals: u32,
    tangents: u32,
    // Vertices a row of workgroups.
    row: u32,
    // The first joint and share.
    first: vec2u,
}

@group(0) @binding(0) var<uniform> streams: Streams;
@group(0) @binding(1) var<storage, read> at_rest: array<f32>;
@group(0) @binding(2) var<storage, read_write> bent: array<f32>;

fn load(at: u32) -> vec3f {
    return vec3f(at_rest[at], at_rest[at + 1u], at_rest[at + 2u]);
}

fn store(at: u32, v: vec3f) {
    bent[at] = v.x;
    bent[at + 1u] = v.y;
    bent[at + 2u] = v.z;
}

@compute @workgroup_size(64)
fn bend_streams(@builtin(global_invocation_id) id: vec3u) {
    let number = id.y * streams.row + id.x;
    if number >= streams.vertex_count {
        return;
    }
    let normal = streams.normals + 3u * number;
    let tangent = streams.tangents + 4u * number;
    let out = bend(number, streams.first, Vertex(load(3u * number), load(normal), load(tangent)));
    store(3u * number, out.position);
    store(normal, out.normal);
    store(tangent, out.tangent);
    bent[tangent + 3u] = at_rest[tangent + 3u];
}
