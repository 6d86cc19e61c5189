// Khronos PBR Neutral 2024: colours of 0.08..0.80 lose 0.04 and are otherwise kept.
fn tonemap_neutral(color: vec3f) -> vec3f {
    let least = min(color.x, min(color.y, color.z));
    let toe = select(0.04, least - 6.25 * least * least, least < 0.08);
    let kept = color - toe;
    let peak = max(kept.x, max(kept.y, kept.z));
    if peak < 0.76 {
        return kept;
    }
    let new_peak = 1.0 - 0.0576 / (peak + 0.24 - 0.76);
    let scaled = kept * (new_peak / peak);
    let grey = 1.0 - 1.0 / (0.15 * (peak - new_peak) + 1.0);
    return scaled + (vec3f(new_peak) - scaled) * grey;
}
