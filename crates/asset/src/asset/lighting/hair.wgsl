// Hair (Karis 2016): three lobes of strands along `own.t`, each a Gaussian of the angles along the strand times a part
// of the angle around it, and light that many strands scatter.

fn hair_gauss(width: f32, x: f32) -> f32 {
    let w = max(width, 1e-4);
    return exp(-0.5 * x * x / (w * w)) * (0.398942280 / w);
}

// Schlick's term of an index of refraction of 1.55.
fn hair_fresnel(cosine: f32) -> f32 {
    let f0 = 0.0465205;
    return f0 + (1.0 - f0) * schlick_weight(cosine);
}

fn lobes_hair(s: Surface, own: Hair, v: vec3f, incident: Incident) -> vec3f {
    let l = incident.l;
    let sin_l = clamp(dot(own.t, l), -1.0, 1.0);
    let sin_v = clamp(dot(own.t, v), -1.0, 1.0);
    let cos_l = sqrt(max(1.0 - sin_l * sin_l, 0.0));
    let cos_v = sqrt(max(1.0 - sin_v * sin_v, 0.0));
    // Half the angle between light and eye along the strand.
    let cos_d = max(sqrt(max(0.5 + 0.5 * (cos_l * cos_v + sin_l * sin_v), 0.0)), 0.02);
    let across_l = l - sin_l * own.t;
    let across_v = v - sin_v * own.t;
    let lengths = dot(across_l, across_l) * dot(across_v, across_v) + 1e-4;
    let cos_phi = clamp(dot(across_l, across_v) * inverseSqrt(lengths), -1.0, 1.0);
    let cos_half = sqrt(clamp(0.5 + 0.5 * cos_phi, 0.0, 1.0));
    let width = max(s.roughness * s.roughness, 0.002025);
    let along = sin_l + sin_v;
    let base = clamp(s.base, vec3f(0.0), vec3f(1.0));
    let vl = clamp(dot(v, l), -1.0, 1.0);

    // Reflected by the outside. Sine and cosine of -0.07.
    let turned = 2.0 * -0.0699428 * (0.9975510 * cos_half * cos_v - 0.0699428 * sin_v);
    let outside = hair_gauss(width * 1.41421356 * cos_half, along - turned);
    let mirrored = hair_fresnel(sqrt(clamp(0.5 + 0.5 * vl, 0.0, 1.0)));
    let through_mix = 1.0 + (own.backlit - 1.0) * clamp(-vl, 0.0, 1.0);
    var sum = vec3f(outside * 0.25 * cos_half * mirrored * 2.0 * own.hair_specular * through_mix);

    // Through the strand.
    let a = 1.0 / (1.19 / cos_d + 0.36 * cos_d);
    let h = cos_half * (1.0 + a * (0.6 - 0.8 * cos_phi));
    let in_and_out = 1.0 - hair_fresnel(cos_d * sqrt(clamp(1.0 - h * h, 0.0, 1.0)));
    let way = 0.5 * sqrt(max(1.0 - h * h * a * a, 0.0)) / cos_d;
    let through = hair_gauss(width * 0.5, along - 0.035) * exp(-3.65 * cos_phi - 3.98) * in_and_out * in_and_out;
    sum += pow(base, vec3f(way)) * (through * own.backlit);

    // Reflected once inside.
    let edge = hair_fresnel(cos_d * 0.5);
    let inside = hair_gauss(width * 2.0, along - 0.14) * exp(17.0 * cos_phi - 16.78) * (1.0 - edge) * (1.0 - edge) * edge;
    sum += pow(base, vec3f(0.8 / cos_d)) * inside;

    // Scattered by many: as a wrapped surface that looks at the eye, and by Kajiya's sine.
    let facing = across_v * inverseSqrt(max(dot(across_v, across_v), 1e-8));
    let wrapped = clamp((dot(facing, l) + 1.0) * 0.25, 0.0, 1.0);
    let scattered = wrapped + (1.0 - abs(sin_l) - wrapped) * 0.33;
    sum += sqrt(base) * (scattered * INV_PI * own.scatter);
    return max(sum, vec3f(0.0)) * incident.e;
}

fn around_hair(s: Surface, own: Hair, v: vec3f, weight: f32) -> Around {
    return around_diffuse(s, sqrt(clamp(s.base, vec3f(0.0), vec3f(1.0))) * own.scatter);
}
