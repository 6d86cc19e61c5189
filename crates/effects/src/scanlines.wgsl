// Scanlines and a mask of columns.

fn apply(at: vec2i) -> vec4f {
    let color = texel_0(at);
    let phase = (f32(at.y) + 0.5) / params.pitch_px;
    let part = 2.0 * abs(phase - floor(phase) - 0.5);
    var kept = vec3f(1.0 - params.strength * part * part);
    let column = at.x % 3;
    let lit = vec3f(f32(column == 0), f32(column == 1), f32(column == 2));
    kept *= 1.0 - params.mask * (1.0 - lit);
    return vec4f(color.xyz * kept, color.w);
}
