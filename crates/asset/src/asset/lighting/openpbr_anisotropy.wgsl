// Anisotropy of OpenPBR: GGX of two widths along tangent and bitangent (Heitz 2014).

// The two alphas, whose mean square is that of the roughness.
fn widths_of(roughness: f32, anisotropy: f32) -> vec2f {
    let across = 1.0 - anisotropy;
    let alpha = max(roughness * roughness, 0.002025);
    let along = alpha * sqrt(2.0 / (1.0 + across * across));
    return vec2f(along, max(along * across, 0.002025));
}

fn ggx_of_two(t: vec3f, b: vec3f, a: Angles, widths: vec2f) -> f32 {
    let facet = vec3f(dot(t, a.h) / widths.x, dot(b, a.h) / widths.y, a.nh);
    let s2 = dot(facet, facet);
    let distribution = INV_PI / (widths.x * widths.y * s2 * s2);
    let toward_light = a.nl * length(vec3f(widths.x * dot(t, a.v), widths.y * dot(b, a.v), a.nv));
    let toward_eye = a.nv * length(vec3f(widths.x * dot(t, a.l), widths.y * dot(b, a.l), a.nl));
    return distribution * (0.5 / (toward_light + toward_eye));
}
