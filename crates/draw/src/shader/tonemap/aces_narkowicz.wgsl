// A fit of ACES by Narkowicz 2016, each channel by itself.
fn tonemap_aces_narkowicz(color: vec3f) -> vec3f {
    let mapped = color * (2.51 * color + 0.03) / (color * (2.43 * color + 0.59) + 0.14);
    return clamp(mapped, vec3f(0.0), vec3f(1.0));
}
