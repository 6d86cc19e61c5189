// Summed, grey: a surface of glTF in light that has been added up, its mirror by luminance alone and without Fresnel's
// rise towards grazing light (Engel 2008).

@group(1) @binding(15) var sum_light: texture_2d<f32>;

// Sums are not negative, but for their rounding.
fn is_blank(at: vec2u) -> bool {
    return textureLoad(sum_light, at, 0).w == -1e38;
}

fn summed(s: Surface, at: vec2u) -> vec3f {
    let light = textureLoad(sum_light, at, 0);
    let dielectric = under_fresnel_around(s, light.xyz, vec3f(light.w), vec3f(1.0, 0.0, 0.0));
    let metal = s.base * light.w;
    return dielectric + (metal - dielectric) * s.metallic;
}
