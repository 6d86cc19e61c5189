// Radiance of six pictures of what is around, the faces of a cube.

struct Source {
    // x: radiance of a texel of 1.
    scale: vec4f,
}

@group(1) @binding(0) var<uniform> source: Source;
@group(1) @binding(1) var source_faces: texture_cube<f32>;
@group(1) @binding(2) var source_sampler: sampler;

fn radiance(d: vec3f) -> vec3f {
    return textureSampleLevel(source_faces, source_sampler, d, 0.0).xyz * source.scale.x;
}

fn radiance_seen(d: vec3f) -> vec3f {
    return radiance(d);
}
