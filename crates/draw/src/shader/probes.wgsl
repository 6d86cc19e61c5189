// Probes: light from around that holds in boxes, in place of the environment's, which `far_diffuse` and `far_specular`
// tell. Weights are 1 in a box and fall to 0 over a distance outside of it; where they sum to more than 1 they are
// divided by their sum, and what is left of 1 is the environment's. Reflections come from where the mirror's ray meets
// the box (Lagarde, Zanuttini 2012, "Local image-based lighting with parallax-corrected cubemaps").

struct Probe {
    // Rows of the way from the world to the probe; w: of its place.
    to_x: vec4f,
    to_y: vec4f,
    to_z: vec4f,
    // Middle of the box from the probe; w: the distance that it fades over.
    middle: vec4f,
    // Half lengths of the box; w: radiance of 1 in its cubes.
    half: vec4f,
    // x: 0: it has no box, 1: it has one, 2: what it shows is on the box.
    form: vec4f,
}

struct Probes {
    // Roughness of the last step.
    smoothest: f32,
    last_step: u32,
    last_level: u32,
    // Cubes that each probe has.
    step_cubes: u32,
    count: u32,
    list: array<Probe, 16>,
}

@group(1) @binding(20) var<uniform> probes: Probes;
// One after the other, each as the environment's.
@group(1) @binding(21) var probe_prefiltered: texture_cube_array<f32>;
@group(1) @binding(22) var probe_mirrored: texture_cube_array<f32>;

// The point that is lit, each probe's share of what is around it, and the environment's.
var<private> probe_point: vec3f;
var<private> probe_shares: array<f32, 16>;
var<private> far_share: f32;

// Probes ask in the world's directions.
fn unturned(d: vec3f) -> vec3f {
    return d;
}

fn in_probe(i: u32, d: vec3f) -> vec3f {
    let probe = probes.list[i];
    return vec3f(dot(probe.to_x.xyz, d), dot(probe.to_y.xyz, d), dot(probe.to_z.xyz, d));
}

fn place_in_probe(i: u32) -> vec3f {
    let probe = probes.list[i];
    return in_probe(i, probe_point) + vec3f(probe.to_x.w, probe.to_y.w, probe.to_z.w);
}

fn probe_weight(i: u32) -> f32 {
    let probe = probes.list[i];
    if probe.form.x == 0.0 {
        return 1.0;
    }
    let outside = max(abs(place_in_probe(i) - probe.middle.xyz) - probe.half.xyz, vec3f(0.0));
    return clamp(1.0 - length(outside) / max(probe.middle.w, 1e-6), 0.0, 1.0);
}

// Before anything else is asked of a point.
fn meet_probes(point: vec3f) {
    probe_point = point;
    var whole = 0.0;
    for (var i = 0u; i < probes.count; i++) {
        whole += probe_weight(i);
    }
    far_share = 1.0 - whole;
    for (var i = 0u; i < probes.count; i++) {
        let weight = probe_weight(i) / max(whole, 1.0);
        probe_shares[i] = weight;
    }
}

// The direction from the probe in which a ray from the point meets the box.
fn on_box(i: u32, d: vec3f) -> vec3f {
    let probe = probes.list[i];
    let local = in_probe(i, d);
    if probe.form.x < 2.0 {
        return local;
    }
    let middle = probe.middle.xyz;
    let from_middle = clamp(place_in_probe(i) - middle, -probe.half.xyz, probe.half.xyz);
    let side = select(vec3f(-1.0), vec3f(1.0), local >= vec3f(0.0));
    let ways = (probe.half.xyz - side * from_middle) / max(abs(local), vec3f(1e-9));
    return middle + from_middle + local * min(ways.x, min(ways.y, ways.z));
}

// As `step_radiance`.
fn probe_step(i: u32, d: vec3f, step: u32) -> vec3f {
    let place = step_place(step, probes.last_level);
    let number = i32(i * probes.step_cubes + place.x);
    return textureSampleLevel(probe_prefiltered, smooth_sampler, d, number, f32(place.y)).xyz;
}

// As `far_specular`.
fn probe_specular(i: u32, r: vec3f, roughness: f32) -> vec3f {
    let steps = steps_about(roughness, probes.last_step);
    let wide = probe_step(i, r, steps.wide);
    let narrow = probe_step(i, r, steps.narrow);
    var radiance = wide + (narrow - wide) * steps.way;
    let share = roughness / probes.smoothest;
    if share < 1.0 {
        let mirror = textureSampleLevel(probe_mirrored, smooth_sampler, r, i32(i), 0.0).xyz;
        radiance = mirror + (radiance - mirror) * (share * share);
    }
    return radiance;
}

// What a white Lambert surface facing `n` shows.
fn diffuse_radiance(n: vec3f) -> vec3f {
    var sum = vec3f(0.0);
    if far_share > 0.0 {
        sum = far_diffuse(unturned_far(n)) * far_share;
    }
    for (var i = 0u; i < probes.count; i++) {
        let share = probe_shares[i];
        if share > 0.0 {
            sum += probe_step(i, in_probe(i, n), 0u) * probes.list[i].half.w * share;
        }
    }
    return sum;
}

// What a mirror of this roughness shows about `r`.
fn specular_radiance(r: vec3f, roughness: f32) -> vec3f {
    var sum = vec3f(0.0);
    if far_share > 0.0 {
        sum = far_specular(unturned_far(r), roughness) * far_share;
    }
    for (var i = 0u; i < probes.count; i++) {
        let share = probe_shares[i];
        if share > 0.0 {
            sum += probe_specular(i, on_box(i, r), roughness) * probes.list[i].half.w * share;
        }
    }
    return sum;
}
