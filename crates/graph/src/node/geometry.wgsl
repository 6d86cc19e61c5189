// Schlick 1994 with a free exponent.
fn graph_fresnel(normal: vec3f, view: vec3f, exponent: f32) -> f32 {
    let cosine = abs(dot(graph_normalize3(normal), graph_normalize3(view)));
    return graph_power(max(1.0 - cosine, 0.0), max(exponent, 0.0));
}
