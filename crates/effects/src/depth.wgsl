
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
    return view_place_of((vec2f(at) + 0.5) / frame.picture_px, distance_m);
}

// The same by a place in the picture, 0 to 1.
fn view_place_of(uv: vec2f, distance_m: f32) -> vec3f {
    let clip = (uv * 2.0 - 1.0) * vec2f(1.0, -1.0);
    let w = frame.depth.w - frame.depth.z * distance_m;
    return vec3f((clip * w + frame.extent.zw * distance_m) * frame.extent.xy, -distance_m);
}

// Where a place in view space before the camera is seen, in pixels.
fn pixel_of(place: vec3f) -> vec2f {
    let distance_m = -place.z;
    let w = frame.depth.w - frame.depth.z * distance_m;
    let clip = (place.xy / frame.extent.xy - frame.extent.zw * distance_m) / w;
    return (clip * vec2f(0.5, -0.5) + 0.5) * frame.picture_px;
}

// Pixels of a metre across the view, that far along the view axis.
fn pixels_per_m(distance_m: f32) -> f32 {
    return 0.5 * frame.picture_px.y / (abs(frame.depth.w - frame.depth.z * distance_m) * frame.extent.y);
}

fn is_inside(at: vec2i) -> bool {
    return all(at >= vec2i(0)) && all(at < vec2i(frame.picture_px));
}
