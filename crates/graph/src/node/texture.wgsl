// Shares of the three planes (Geiss, GPU Gems 3, chapter 1, 2007).
fn graph_triplanar(normal: vec3f, sharpness: f32) -> vec3f {
    let n = abs(graph_normalize3(normal));
    let w = vec3f(graph_power(n.x, sharpness), graph_power(n.y, sharpness), graph_power(n.z, sharpness));
    let sum = w.x + w.y + w.z;
    return select(w / select(sum, 1.0, sum == 0.0), vec3f(0.0, 0.0, 1.0), sum == 0.0);
}

// MikkTSpace: the frame is interpolated, not made unit again.
fn graph_normal_map(texel: vec3f, scale: f32, tangent: vec3f, bitangent: vec3f, normal: vec3f) -> vec3f {
    let bumped = vec3f((texel.xy * 2.0 - 1.0) * scale, texel.z * 2.0 - 1.0);
    return graph_normalize3(bumped.x * tangent + bumped.y * bitangent + bumped.z * normal);
}
