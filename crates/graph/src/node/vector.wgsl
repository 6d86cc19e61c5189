// Without overflow on the way: squares of large numbers are larger still.
fn graph_length2(v: vec2f) -> f32 {
    let a = abs(v);
    let most = max(a.x, a.y);
    let w = v / select(most, 1.0, most == 0.0);
    return most * sqrt(dot(w, w));
}

// 0 for 0, where `normalize` may be anything.
fn graph_normalize2(v: vec2f) -> vec2f {
    let a = abs(v);
    let most = max(a.x, a.y);
    let w = v / select(most, 1.0, most == 0.0);
    return w / select(sqrt(dot(w, w)), 1.0, most == 0.0);
}

// Without overflow on the way: squares of large numbers are larger still.
fn graph_length3(v: vec3f) -> f32 {
    let a = abs(v);
    let most = max(max(a.x, a.y), a.z);
    let w = v / select(most, 1.0, most == 0.0);
    return most * sqrt(dot(w, w));
}

// 0 for 0, where `normalize` may be anything.
fn graph_normalize3(v: vec3f) -> vec3f {
    let a = abs(v);
    let most = max(max(a.x, a.y), a.z);
    let w = v / select(most, 1.0, most == 0.0);
    return w / select(sqrt(dot(w, w)), 1.0, most == 0.0);
}

// Without overflow on the way: squares of large numbers are larger still.
fn graph_length4(v: vec4f) -> f32 {
    let a = abs(v);
    let most = max(max(max(a.x, a.y), a.z), a.w);
    let w = v / select(most, 1.0, most == 0.0);
    return most * sqrt(dot(w, w));
}

// 0 for 0, where `normalize` may be anything.
fn graph_normalize4(v: vec4f) -> vec4f {
    let a = abs(v);
    let most = max(max(max(a.x, a.y), a.z), a.w);
    let w = v / select(most, 1.0, most == 0.0);
    return w / select(sqrt(dot(w, w)), 1.0, most == 0.0);
}

fn graph_reflect(v: vec3f, n: vec3f) -> vec3f {
    return v - 2.0 * dot(n, v) * n;
}
