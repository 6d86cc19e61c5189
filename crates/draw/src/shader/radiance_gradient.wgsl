// Radiance of a gradient: mix(horizon, zenith, y) above the horizon, mix(horizon, ground, -y) below.

struct Source {
    zenith: vec4f,
    horizon: vec4f,
    ground: vec4f,
}

@group(1) @binding(0) var<uniform> source: Source;

fn radiance(d: vec3f) -> vec3f {
    let far = select(source.ground.xyz, source.zenith.xyz, d.y >= 0.0);
    return source.horizon.xyz + (far - source.horizon.xyz) * abs(d.y);
}

fn radiance_seen(d: vec3f) -> vec3f {
    return radiance(d);
}
