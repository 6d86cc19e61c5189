// Radiance of the procedural sky: Preetham, Shirley, Smits 1999 ("A practical analytic model for daylight"), Perez's
// distribution for luminance and chromaticity. Deviations: the whole sky is scaled so that a white Lambert ground shows
// a luminance of 1; below the horizon lies a flat ground lit by that sky; the sun's disk is seen but does not light (a
// directional light does).

struct Source {
    // Perez's five coefficients for (Y, x, y).
    a: vec4f,
    b: vec4f,
    c: vec4f,
    d: vec4f,
    e: vec4f,
    // Value at the zenith over Perez's distribution there, for (Y, x, y).
    zenith: vec4f,
    // Unit, towards the sun; w: radiance of the disk.
    sun: vec4f,
    // Radiance of the ground.
    ground: vec4f,
}

@group(1) @binding(0) var<uniform> source: Source;

fn perez(cos_zenith: f32, angle_sun: f32) -> vec3f {
    let cos_sun = cos(angle_sun);
    let rising = 1.0 + source.a.xyz * exp(source.b.xyz / cos_zenith);
    let around = 1.0 + source.c.xyz * exp(source.d.xyz * angle_sun) + source.e.xyz * (cos_sun * cos_sun);
    return rising * around;
}

// CIE xyY to linear Rec.709, nothing below 0.
fn from_xyy(luminance: f32, x: f32, y: f32) -> vec3f {
    let cx = luminance * x / y;
    let cz = luminance * (1.0 - x - y) / y;
    let r = 3.2404542 * cx - 1.5371385 * luminance - 0.4985314 * cz;
    let g = 1.8760108 * luminance - 0.9692660 * cx + 0.0415560 * cz;
    let b = 0.0556434 * cx - 0.2040259 * luminance + 1.0572252 * cz;
    return max(vec3f(r, g, b), vec3f(0.0));
}

fn radiance(d: vec3f) -> vec3f {
    let angle_sun = acos(clamp(dot(d, source.sun.xyz), -1.0, 1.0));
    let value = source.zenith.xyz * perez(max(d.y, 0.002), angle_sun);
    let sky = from_xyy(value.x, value.y, value.z);
    let above = smoothstep(-0.01, 0.01, d.y);
    return source.ground.xyz + (sky - source.ground.xyz) * above;
}

fn radiance_seen(d: vec3f) -> vec3f {
    // The disk is 0.53 degrees wide: its edge is at cosine 0.9999893.
    let disk = smoothstep(0.9999880, 0.9999905, dot(d, source.sun.xyz)) * smoothstep(-0.01, 0.01, d.y);
    return radiance(d) + vec3f(source.sun.w * disk);
}
