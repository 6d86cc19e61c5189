// Radiance of a constant environment.

struct Source {
    value: vec4f,
}

@group(1) @binding(0) var<uniform> source: Source;

fn radiance(d: vec3f) -> vec3f {
    return source.value.xyz;
}

fn radiance_seen(d: vec3f) -> vec3f {
    return radiance(d);
}
