// Tangents: two unit directions across a normal, without branches. Source: Duff et al. 2017.

struct Tangents {
    t: vec3f,
    u: vec3f,
}

fn tangents(n: vec3f) -> Tangents {
    let side = select(-1.0, 1.0, n.z >= 0.0);
    let a = -1.0 / (side + n.z);
    let b = n.x * n.y * a;
    let t = vec3f(1.0 + side * n.x * n.x * a, side * b, -side * n.x);
    return Tangents(t, vec3f(b, side + n.y * n.y * a, -n.y));
}
