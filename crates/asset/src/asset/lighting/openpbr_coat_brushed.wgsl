// A brushed coat; light from everywhere sees it as if it were not.

fn over_brushed_coat(s: Surface, own: Openpbr, a: Angles, below: vec3f) -> vec3f {
    let widths = widths_of(own.coat_roughness, own.coat_roughness_anisotropy);
    return coat_over(s, own, a, below, ggx_of_two(own.t, own.b, a, widths));
}

fn around_brushed_coat(s: Surface, own: Openpbr, v: vec3f, below: Around) -> Around {
    return coat_around(s, own, v, below);
}
