// A coat that is not brushed.

fn over_coat(s: Surface, own: Openpbr, a: Angles, below: vec3f) -> vec3f {
    let a2 = alpha_squared(own.coat_roughness);
    return coat_over(s, own, a, below, distribution_ggx(a.nh, a.sin2, a2) * visibility_smith(a.nl, a.nv, a2));
}

fn around_coat(s: Surface, own: Openpbr, v: vec3f, below: Around) -> Around {
    return coat_around(s, own, v, below);
}
