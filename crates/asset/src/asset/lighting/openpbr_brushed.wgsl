// The brushed base of OpenPBR.

fn microfacets_anisotropy(s: Surface, own: Openpbr, a: Angles) -> f32 {
    return ggx_of_two(own.t, own.b, a, widths_of(own.rough, own.specular_roughness_anisotropy));
}

// The normal is bent about the narrow direction, as KHR_materials_anisotropy proposes.
fn around_anisotropy(s: Surface, own: Openpbr, v: vec3f, below: Around) -> Around {
    var around = below;
    let bent = cross(cross(own.b, v), own.b);
    let straight = 1.0 - own.specular_roughness_anisotropy * (1.0 - own.rough);
    let straight2 = straight * straight;
    let unit = bent * inverseSqrt(max(dot(bent, bent), 1e-8));
    around.n = normalize(unit + (s.n - unit) * (straight2 * straight2));
    return around;
}
