// Radiance of a studio: a grey room, and soft boxes on its walls and its ceiling.

struct Source {
    unused: vec4f,
}

@group(1) @binding(0) var<uniform> source: Source;

// How much a box about a direction covers: its sides in tangents of half angles, its edges soft.
fn box_at(d: vec3f, middle: vec3f, across: vec3f, half_sides: vec2f) -> f32 {
    let facing = dot(d, middle);
    let up = cross(middle, across);
    let place = abs(vec2f(dot(d, across), dot(d, up))) / max(facing, 1e-3);
    let off = max(place - half_sides, vec2f(0.0));
    let share = clamp(1.0 - length(off) / 0.18, 0.0, 1.0);
    return select(0.0, share * share * (3.0 - 2.0 * share), facing > 1e-3);
}

fn radiance(d: vec3f) -> vec3f {
    let far = select(0.1, 0.24, d.y >= 0.0);
    var light = 0.17 + (far - 0.17) * abs(d.y);
    // Above, a little to the front.
    light += 1.5 * box_at(d, vec3f(0.0, 0.9578263, 0.2873479), vec3f(1.0, 0.0, 0.0), vec2f(0.8, 0.55));
    // Right front, left, behind.
    light += 2.2 * box_at(d, vec3f(0.7427814, 0.3713907, 0.5570860), vec3f(0.6, 0.0, -0.8), vec2f(0.22, 0.5));
    light += 1.3 * box_at(d, vec3f(-0.9284767, 0.2785430, 0.2475938), vec3f(0.2576628, 0.0, 0.9662350), vec2f(0.16, 0.6));
    light += 1.8 * box_at(d, vec3f(-0.3746343, 0.2809757, -0.8835801), vec3f(0.9206, 0.0, -0.3904), vec2f(0.3, 0.45));
    return vec3f(light);
}

fn radiance_seen(d: vec3f) -> vec3f {
    return radiance(d);
}
