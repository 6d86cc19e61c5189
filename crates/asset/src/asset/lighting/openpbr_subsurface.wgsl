// Subsurface of OpenPBR: the share of the scattered light that leaves elsewhere than it enters.

// What scatters where it enters.
fn under_subsurface(own: Openpbr, base: vec3f) -> vec3f {
    return max(base - own.subsurface_color * own.subsurface_weight, vec3f(0.0));
}

fn around_subsurface(s: Surface, own: Openpbr, v: vec3f, below: Around) -> Around {
    var around = below;
    let kept = eon_around(under_subsurface(own, own.scattered), own.base_diffuse_roughness, eye_cosine(s.n, v));
    around.diffuse = kept * (own.kept * (1.0 - s.metallic));
    return around;
}

// The share of light that has come through the surface and leaves towards the eye.
fn share_subsurface(s: Surface, own: Openpbr) -> vec3f {
    return own.subsurface_color * (own.subsurface_weight * own.kept * (1.0 - s.metallic));
}

// How wide light spreads, in metres: `d` of the profile (Christensen, Burley 2015, for light that enters in all
// directions). The free path is that of isotropic scattering with the same effect, by the albedo of one scattering
// event (OpenPBR 1.1, 3.7).
fn widths_subsurface(own: Openpbr) -> vec3f {
    let color = own.subsurface_color;
    let g = own.subsurface_scatter_anisotropy;
    let s = 4.09712 + 4.20863 * color - sqrt(9.59217 + 41.6808 * color + 17.7126 * color * color);
    let once = (1.0 - s * s) / max(1.0 - g * s * s, vec3f(1e-6));
    let path = own.subsurface_radius_m * own.subsurface_radius_scale / max(1.0 - g * once, vec3f(1e-6));
    let beyond = color - 0.8;
    return path / (1.9 - color + 3.5 * beyond * beyond);
}
