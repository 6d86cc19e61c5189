// Veils: what blended surfaces and glass let through of light.
//
// A texel holds what all of them before the nearest opaque surface keep of red, green and blue, 1 minus the product of
// what each lets through, and the depth of the nearest of them (after Dachsbacher, Stamminger 2003: a depth and a
// colour; the order of a product does not matter).

@group(1) @binding(27) var sun_veils: texture_2d_array<f32>;
@group(1) @binding(28) var local_veils: texture_2d_array<f32>;
@group(1) @binding(29) var moment_veils: texture_2d_array<f32>;

// What a texel lets through to the receiver's plane.
fn veil_texel(veils: texture_2d_array<f32>, p: MapPoint, wanted: vec2f) -> vec3f {
    let texel = clamp(wanted, vec2f(0.0), vec2f(p.size - 1.0));
    let depth = max(p.depth + dot(p.slope, texel + 0.5 - p.at), 0.0);
    let held = textureLoad(veils, vec2i(p.corner + texel), p.layer, 0);
    return select(vec3f(1.0), 1.0 - held.xyz, held.w > depth);
}

// Between the four nearest texels.
fn through_veils(veils: texture_2d_array<f32>, p: MapPoint) -> vec3f {
    let at = p.at - 0.5;
    let first = floor(at);
    let part = at - first;
    let a = veil_texel(veils, p, first);
    let b = veil_texel(veils, p, first + vec2f(1.0, 0.0));
    let c = veil_texel(veils, p, first + vec2f(0.0, 1.0));
    let d = veil_texel(veils, p, first + vec2f(1.0, 1.0));
    let top = a + part.x * (b - a);
    let bottom = c + part.x * (d - c);
    return top + part.y * (bottom - top);
}
