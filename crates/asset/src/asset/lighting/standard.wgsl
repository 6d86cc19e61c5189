// Standard: glTF's surface with what facets send to each other (Kulla, Conty 2017; Turquin 2019).
//
// The table: columns are the cosine to the eye, texel i stands for (i / 15)^2, rows the roughness j / 15. Made by
// quadrature in f64.

const GGX_ALBEDO = array<f32, 256>(
    0.98999, 0.92037, 0.99244, 0.99921, 0.99979, 0.99992, 0.99996, 0.99998,
    0.99999, 0.99999, 1.00000, 1.00000, 1.00000, 1.00000, 1.00000, 1.00000,
    0.99547, 0.89209, 0.96458, 0.99280, 0.99784, 0.99958, 0.99981, 0.99990,
    0.99994, 0.99997, 0.99998, 0.99999, 0.99999, 1.00000, 1.00000, 1.00000,
    0.99887, 0.95259, 0.89202, 0.92216, 0.96452, 0.98466, 0.99281, 0.99634,
    0.99787, 0.99936, 0.99966, 0.99980, 0.99988, 0.99994, 0.99997, 1.00000,
    0.99949, 0.97735, 0.92461, 0.89143, 0.90538, 0.93820, 0.96422, 0.97964,
    0.98809, 0.99271, 0.99552, 0.99686, 0.99784, 0.99934, 0.99980, 0.99997,
    0.99970, 0.98659, 0.95017, 0.90846, 0.88732, 0.89437, 0.91745, 0.94174,
    0.96040, 0.97297, 0.98097, 0.98604, 0.98932, 0.99165, 0.99297, 0.99356,
    0.99978, 0.99038, 0.96280, 0.92830, 0.89694, 0.88130, 0.88479, 0.90111,
    0.92163, 0.94046, 0.95533, 0.96620, 0.97389, 0.97928, 0.98298, 0.98580,
    0.99981, 0.99171, 0.96924, 0.93911, 0.90791, 0.88297, 0.87029, 0.87131,
    0.88279, 0.89943, 0.91684, 0.93239, 0.94509, 0.95495, 0.96242, 0.96807,
    0.99981, 0.99170, 0.97111, 0.94348, 0.91320, 0.88504, 0.86363, 0.85233,
    0.85146, 0.85925, 0.87236, 0.88764, 0.90276, 0.91631, 0.92778, 0.93724,
    0.99979, 0.99081, 0.97004, 0.94272, 0.91247, 0.88251, 0.85628, 0.83664,
    0.82532, 0.82253, 0.82703, 0.83686, 0.84973, 0.86370, 0.87740, 0.89003,
    0.99976, 0.98928, 0.96741, 0.93824, 0.90639, 0.87428, 0.84438, 0.81890,
    0.79953, 0.78724, 0.78207, 0.78328, 0.78964, 0.79958, 0.81162, 0.82450,
    0.99971, 0.98789, 0.96304, 0.93093, 0.89615, 0.86082, 0.82705, 0.79656,
    0.77067, 0.75037, 0.73614, 0.72799, 0.72546, 0.72777, 0.73395, 0.74294,
    0.99965, 0.98613, 0.95768, 0.92157, 0.88261, 0.84298, 0.80472, 0.76916,
    0.73737, 0.71012, 0.68787, 0.67084, 0.65898, 0.65200, 0.64946, 0.65077,
    0.99959, 0.98404, 0.95125, 0.91047, 0.86638, 0.82166, 0.77820, 0.73728,
    0.69975, 0.66616, 0.63685, 0.61195, 0.59151, 0.57537, 0.56336, 0.55514,
    0.99951, 0.98162, 0.94422, 0.89797, 0.84804, 0.79758, 0.74849, 0.70193,
    0.65871, 0.61923, 0.58369, 0.55212, 0.52443, 0.50049, 0.48011, 0.46306,
    0.99942, 0.97892, 0.93648, 0.88432, 0.82810, 0.77158, 0.71648, 0.66420,
    0.61544, 0.57056, 0.52965, 0.49263, 0.45934, 0.42954, 0.40299, 0.37942,
    0.99933, 0.97597, 0.92822, 0.86981, 0.80709, 0.74417, 0.68305, 0.62514,
    0.57119, 0.52151, 0.47615, 0.43498, 0.39777, 0.36422, 0.33402, 0.30686,
);

fn ggx_albedo(cosine: f32, roughness: f32) -> f32 {
    let x = sqrt(clamp(cosine, 0.0, 1.0)) * 15.0;
    let y = clamp(roughness, 0.0, 1.0) * 15.0;
    let column = min(u32(x), 14u);
    let row = min(u32(y), 14u);
    let at = row * 16u + column;
    let share = x - f32(column);
    let low = GGX_ALBEDO[at] + (GGX_ALBEDO[at + 1u] - GGX_ALBEDO[at]) * share;
    let high = GGX_ALBEDO[at + 16u] + (GGX_ALBEDO[at + 17u] - GGX_ALBEDO[at + 16u]) * share;
    return low + (high - low) * (y - f32(row));
}

fn prepare_standard(s: Surface, own: Standard, v: vec3f) -> Standard {
    var out = own;
    out.albedo = ggx_albedo(eye_cosine(s.n, v), s.roughness);
    return out;
}

// The factor of a lobe.
fn standard_gain(own: Standard, f0: vec3f) -> vec3f {
    return 1.0 + f0 * (1.0 / own.albedo - 1.0);
}

fn lobes_standard(s: Surface, own: Standard, v: vec3f, incident: Incident) -> vec3f {
    let a = angles(s, incident.l, v);
    if a.nl <= 0.0 {
        return vec3f(0.0);
    }
    let a2 = alpha_squared(s.roughness);
    let specular = distribution_ggx(a.nh, a.sin2, a2) * visibility_smith(a.nl, a.nv, a2);
    let weight = schlick_weight(a.vh);
    let f0 = dielectric_f0();
    let fresnel = f0 + (dielectric_f90() - f0) * weight;
    let plastic = s.base * ((1.0 - largest_of(fresnel)) * INV_PI) + fresnel * standard_gain(own, f0) * specular;
    let metal = (s.base + (1.0 - s.base) * weight) * standard_gain(own, s.base) * specular;
    return (plastic + (metal - plastic) * s.metallic) * a.nl * incident.e;
}

fn around_standard(s: Surface, own: Standard, v: vec3f, weight: f32) -> Around {
    let f0 = dielectric_f0();
    let most = largest_of(f0);
    let through = (1.0 - most - (dielectric_f90() - most) * weight) * (1.0 - s.metallic);
    var around = around_diffuse(s, s.base * through);
    let plastic = standard_gain(own, f0) * (1.0 - s.metallic);
    let metal = standard_gain(own, s.base) * s.metallic;
    around.f0 = f0 * plastic + s.base * metal;
    around.f90 = dielectric_f90() * plastic + metal;
    return around;
}
