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
