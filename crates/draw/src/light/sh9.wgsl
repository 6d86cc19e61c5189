// SH9: radiance in spherical harmonics up to the second order, at `first` of its values; x, y and z are the light's
// own axes. Irradiance is the closed form of Ramamoorthi, Hanrahan 2001 (equation 13): each band times pi, 2 pi / 3 or
// pi / 4. Only matte surfaces show it; it makes no highlights.

fn sh9_value(light: Light, number: u32) -> vec3f {
    let at = light.first + 3u * number;
    return vec3f(values[at], values[at + 1u], values[at + 2u]);
}

fn sh9_irradiance(light: Light, n: vec3f) -> vec3f {
    let x = dot(n, light.across);
    let y = dot(n, cross(light.across, light.direction));
    let z = -dot(n, light.direction);
    var sum = sh9_value(light, 0u) * 0.88622693;
    sum += (sh9_value(light, 1u) * y + sh9_value(light, 2u) * z + sh9_value(light, 3u) * x) * 1.0233267;
    sum += (sh9_value(light, 4u) * (x * y) + sh9_value(light, 5u) * (y * z) + sh9_value(light, 7u) * (x * z)) * 0.85808553;
    sum += sh9_value(light, 6u) * (0.74312386 * z * z - 0.24770796);
    sum += sh9_value(light, 8u) * ((x * x - y * y) * 0.42904277);
    // Coefficients of what shines everywhere can be less than nothing somewhere.
    return max(sum, vec3f(0.0)) * light.color;
}

fn incident_sh9(light: Light, point: vec3f) -> Incident {
    return Incident(-light.direction, light.color);
}

fn leaving_sh9(s: Surface, v: vec3f, light: Light, point: vec3f) -> vec3f {
    return s.base * sh9_irradiance(light, s.n) * (INV_PI * (1.0 - s.metallic) * s.occlusion);
}

fn gathered_sh9(s: Surface, v: vec3f, light: Light, point: vec3f) -> Incident {
    return Incident(s.n, sh9_irradiance(light, s.n) * s.occlusion);
}
