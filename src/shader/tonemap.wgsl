// Tone maps: linear scene colour (after exposure) to linear display colour, 0..1. Grey 0.18, 1 and 8 become:
// agx 0.2145 0.590 0.937; aces 0.10559 0.61912 0.96304; neutral 0.14 0.86909 0.99226.

// A sixth-order fit of AgX's default contrast (Sobotka's AgX, fit by Wrensch 2023), decoded by the power 2.2.
fn tonemap_agx(color: vec3f) -> vec3f {
    let inset = mat3x3f(
        vec3f(0.842479062253094, 0.0423282422610123, 0.0423756549057051),
        vec3f(0.0784335999999992, 0.878468636469772, 0.0784336),
        vec3f(0.0792237451477643, 0.0791661274605434, 0.879142973793104),
    );
    let outset = mat3x3f(
        vec3f(1.19687900512017, -0.0528968517574562, -0.0529716355144438),
        vec3f(-0.0980208811401368, 1.15190312990417, -0.0980434501171241),
        vec3f(-0.0990297440797205, -0.0989611768448433, 1.15107367264116),
    );
    // Exposure stops of the range, -12.47393 to 4.026069, onto 0..1.
    let stops = clamp(log2(max(inset * color, vec3f(1e-10))), vec3f(-12.47393), vec3f(4.026069));
    let x = (stops + 12.47393) / 16.499999;
    let x2 = x * x;
    let x4 = x2 * x2;
    let curve = 15.5 * x4 * x2 - 40.14 * x4 * x + 31.96 * x4 - 6.868 * x2 * x + 0.4298 * x2 + 0.1191 * x - 0.00232;
    return pow(clamp(outset * curve, vec3f(0.0), vec3f(1.0)), vec3f(2.2));
}

// Hill's fit of the ACES reference rendering and output transforms, without the usual factor of 0.6.
fn tonemap_aces(color: vec3f) -> vec3f {
    let inset = mat3x3f(
        vec3f(0.59719, 0.07600, 0.02840),
        vec3f(0.35458, 0.90834, 0.13383),
        vec3f(0.04823, 0.01566, 0.83777),
    );
    let outset = mat3x3f(
        vec3f(1.60475, -0.10208, -0.00327),
        vec3f(-0.53108, 1.10813, -0.07276),
        vec3f(-0.07367, -0.00605, 1.07602),
    );
    let v = inset * color;
    let a = v * (v + 0.0245786) - 0.000090537;
    let b = v * (0.983729 * v + 0.4329510) + 0.238081;
    return clamp(outset * (a / b), vec3f(0.0), vec3f(1.0));
}

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

fn tonemap_none(color: vec3f) -> vec3f {
    return clamp(color, vec3f(0.0), vec3f(1.0));
}
