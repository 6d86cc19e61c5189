
@group(0) @binding(2) var depths: texture_depth_2d;

// Along the view axis, in metres; -1 where nothing is.
fn distance_at(at: vec2i) -> f32 {
    let depth = textureLoad(depths, clamp(at, vec2i(0), vec2i(textureDimensions(depths)) - 1), 0);
    if depth == 0.0 {
        return -1.0;
    }
    return (frame.depth.y - depth * frame.depth.w) / (frame.depth.x - depth * frame.depth.z);
}

// What is that far along the view axis, in view space.
fn view_place(at: vec2i, distance_m: f32) -> vec3f {
    let clip = (uv_of(at) * 2.0 - 1.0) * vec2f(1.0, -1.0);
    let w = frame.depth.w - frame.depth.z * distance_m;
    return vec3f((clip * w + frame.extent.zw * distance_m) * frame.extent.xy, -distance_m);
}
