// Octahedral: unit vectors in 32 bits (Meyer, Suessmuth, Sussner, Stamminger, Greiner 2010; Cigolle, Donow, Evangelakos,
// Mara, McGuire, Meyer 2014). Ours: 65,535 steps a side, so that the axes are exact. Off by at most 0.004 degrees.

// The lower half of the octahedron is turned over the edges of the upper one.
fn turned_over(p: vec2f) -> vec2f {
    return (1.0 - abs(p.yx)) * select(vec2f(-1.0), vec2f(1.0), p >= vec2f(0.0));
}

fn packed_normal(n: vec3f) -> u32 {
    let p = n.xy / max(abs(n.x) + abs(n.y) + abs(n.z), 1e-9);
    let q = select(p, turned_over(p), n.z < 0.0);
    let steps = vec2u((q * 0.5 + 0.5) * 65534.0 + 0.5);
    return steps.x | (steps.y << 16u);
}

fn unpacked_normal(word: u32) -> vec3f {
    let q = vec2f(vec2u(word & 0xffffu, word >> 16u)) * (2.0 / 65534.0) - 1.0;
    let z = 1.0 - abs(q.x) - abs(q.y);
    return normalize(vec3f(select(q, turned_over(q), z < 0.0), z));
}
