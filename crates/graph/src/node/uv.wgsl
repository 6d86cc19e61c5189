// As KHR_texture_transform: v points down.
fn graph_uv_transform(uv: vec2f, scale: vec2f, rotation_deg: f32, offset: vec2f) -> vec2f {
    let angle = rotation_deg * 0.017453292;
    let s = sin(angle);
    let c = cos(angle);
    let scaled = uv * scale;
    return vec2f(c * scaled.x + s * scaled.y, c * scaled.y - s * scaled.x) + offset;
}
