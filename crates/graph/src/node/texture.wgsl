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

// The normal of a higher surface, by the differences of height and place to the neighbouring pixels (Mikkelsen 2010).
fn graph_bump(rise_x: f32, rise_y: f32, way_x: vec3f, way_y: vec3f, normal: vec3f) -> vec3f {
    let n = graph_normalize3(normal);
    let across_x = cross(way_y, n);
    let across_y = cross(n, way_x);
    let area = dot(way_x, across_x);
    let slope = sign(area) * (rise_x * across_x + rise_y * across_y);
    return graph_normalize3(abs(area) * n - slope);
}
