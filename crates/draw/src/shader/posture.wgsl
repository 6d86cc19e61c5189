// Posture: joints and shares of what is bent, from buffers. Group 3. Needs `bend`.

// Three rows a joint, of everything that is bent.
@group(3) @binding(5) var<storage, read> joints: array<vec4f>;
@group(3) @binding(6) var<storage, read> shares: array<f32>;
// One entry a draw item, as in `objects`: the first joint and share now, then one frame before. The three highest bits
// of the first joint are what its rows are.
@group(3) @binding(7) var<storage, read> postures: array<vec4u>;

fn joint_row(first: vec2u, joint: u32, row: u32) -> vec4f {
    return joints[3u * ((first.x & 0x1fffffffu) + joint) + row];
}

fn form_of(first: vec2u) -> u32 {
    return first.x >> 29u;
}

fn share_of(first: vec2u, shape: u32) -> f32 {
    return shares[first.y + shape];
}

// Who bends draw item `instance` now (0) or one frame before (1).
fn bender(instance: u32, before: u32) -> vec2u {
    let posture = postures[instance];
    return select(posture.xy, posture.zw, before == 1u);
}
