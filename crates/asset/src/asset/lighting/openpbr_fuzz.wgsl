// The fuzz of OpenPBR: fibres over everything below, which keeps what their albedo leaves. Their lobe is a cosine lobe that
// is linearly transformed (Zeltner, Burley, Chiang 2022), with the fits of MaterialX 1.39 to the tables of that paper.

fn fuzz_albedo(x: f32, roughness: f32) -> f32 {
    let y = clamp(roughness, 0.01, 1.0);
    let width = y * (0.0206607 + 1.58491 * y) / (0.0379424 + y * (1.32227 + y));
    let middle = y * (-0.193854 + y * (-1.14885 + y * (1.7932 - 0.95943 * y * y))) / (0.046391 + y);
    let rest = y * (0.000654023 + (-0.0207818 + 0.119681 * y) * y) / (1.26264 + y * (-1.92021 + y));
    let z = (x - middle) / width;
    return max(exp(-0.5 * z * z) * (0.398942280 / width) + rest, 0.0);
}

// f(l, v).
fn fuzz(s: Surface, a: Angles, roughness: f32) -> f32 {
    let x = a.nv;
    let y = clamp(roughness, 0.01, 1.0);
    let scale = (2.58126 * x + 0.813703 * y) * y / (1.0 + 0.310327 * x * x + 2.60994 * x * y);
    let shear = sqrt(1.0 - x) * (y - 1.0) * y * y * y / (0.0000254053 + 1.71228 * x - 1.71506 * x * y + 1.34174 * y * y);
    // The light in a frame whose x is the eye's way along the surface.
    let flat = a.v - s.n * dot(s.n, a.v);
    let along = dot(a.l, flat) * inverseSqrt(max(dot(flat, flat), 1e-12));
    let across2 = max(1.0 - a.nl * a.nl - along * along, 0.0);
    let turned = scale * along + shear * a.nl;
    let length2 = turned * turned + scale * scale * across2 + a.nl * a.nl;
    let stretched = scale / length2;
    return fuzz_albedo(x, roughness) * INV_PI * stretched * stretched;
}

fn over_fuzz(s: Surface, own: Openpbr, a: Angles, below: vec3f) -> vec3f {
    let kept = 1.0 - own.fuzz_weight * min(fuzz_albedo(a.nv, own.fuzz_roughness), 1.0);
    return below * kept + own.fuzz_color * (own.fuzz_weight * fuzz(s, a, own.fuzz_roughness));
}

fn around_fuzz(s: Surface, own: Openpbr, v: vec3f, below: Around) -> Around {
    var around = below;
    let albedo = own.fuzz_weight * min(fuzz_albedo(eye_cosine(s.n, v), own.fuzz_roughness), 1.0);
    let kept = 1.0 - albedo;
    around.diffuse = around.diffuse * kept + own.fuzz_color * albedo;
    around.mirror *= kept;
    around.f0 *= kept;
    around.f90 *= kept;
    around.coat *= kept;
    return around;
}
