// Prefilter: reflections of one roughness into a strip, as a sum of blurs (`render/ladder.rs`).

struct Prefilter {
    size: u32,
    count: u32,
    // Cube, level and share of each blur.
    blurs: array<vec4f, 6>,
}

@group(0) @binding(0) var<uniform> prefilter: Prefilter;
@group(0) @binding(1) var blur_cubes: texture_cube_array<f32>;
@group(0) @binding(2) var cube_sampler: sampler;

@fragment
fn prefilter_strip(@builtin(position) position: vec4f) -> @location(0) vec4f {
    let n = strip_direction(strip_place(position, prefilter.size), vec2f(0.5), prefilter.size);
    var sum = vec3f(0.0);
    for (var i = 0u; i < prefilter.count; i++) {
        let blur = prefilter.blurs[i];
        sum += textureSampleLevel(blur_cubes, cube_sampler, n, i32(blur.x), blur.y).xyz * blur.z;
    }
    return vec4f(max(sum, vec3f(0.0)), 1.0);
}
