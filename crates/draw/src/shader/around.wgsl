// Around: what lighting models share. Angles between light, eye and normal, and what a surface makes of light from
// everywhere, as shares of lobes that the environment's cubes are prefiltered for.

struct Angles {
    l: vec3f,
    v: vec3f,
    h: vec3f,
    // Products with the normal: of the light as it is, of the eye kept from zero, of the half vector from 0 to 1.
    nl: f32,
    nv: f32,
    nh: f32,
    // Of eye and half vector, from 0 to 1.
    vh: f32,
    // |cross(n, h)|^2.
    sin2: f32,
}

fn angles(s: Surface, l: vec3f, v: vec3f) -> Angles {
    let sum = l + v;
    // Light from straight behind has no half vector.
    let h = select(sum * inverseSqrt(max(dot(sum, sum), 1e-12)), s.n, dot(sum, sum) < 1e-10);
    let across = cross(s.n, h);
    let nh = clamp(dot(s.n, h), 0.0, 1.0);
    return Angles(l, v, h, dot(s.n, l), eye_cosine(s.n, v), nh, clamp(dot(v, h), 0.0, 1.0), dot(across, across));
}

struct Around {
    // Of Lambert's lobe about the normal.
    diffuse: vec3f,
    // Of a GGX lobe about the mirror direction: without a Fresnel term, and with one.
    mirror: vec3f,
    f0: vec3f,
    f90: vec3f,
    roughness: f32,
    // The normal of that mirror.
    n: vec3f,
    // Of a second GGX lobe over it.
    coat: f32,
    coat_f0: f32,
    coat_roughness: f32,
}

fn around_diffuse(s: Surface, diffuse: vec3f) -> Around {
    let none = vec3f(0.0);
    return Around(diffuse, none, none, none, s.roughness, s.n, 0.0, 0.04, 0.0);
}

fn largest_of(color: vec3f) -> f32 {
    return max(max(color.x, color.y), color.z);
}
