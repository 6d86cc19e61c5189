// Radiance of a picture around everything: equirectangular, u = atan2(z, x) / 2 pi + 0.5, top row +Y.

struct Source {
    // x: radiance of a texel of 1.
    scale: vec4f,
}

@group(1) @binding(0) var<uniform> source: Source;
@group(1) @binding(1) var source_map: texture_2d<f32>;
@group(1) @binding(2) var source_sampler: sampler;

fn radiance(d: vec3f) -> vec3f {
    let u = atan2(d.z, d.x) * 0.15915494 + 0.5;
    let v = acos(clamp(d.y, -1.0, 1.0)) * 0.31830989;
    return textureSampleLevel(source_map, source_sampler, vec2f(u, v), 0.0).xyz * source.scale.x;
}

fn radiance_seen(d: vec3f) -> vec3f {
    return radiance(d);
}
