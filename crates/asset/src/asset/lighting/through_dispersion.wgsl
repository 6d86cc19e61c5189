// Dispersion (KHR_materials_dispersion): red, green and blue each with an index of refraction of its own; those of red
// and blue are 0.05 dispersion (ior - 1) apart.

fn through_transmission(s: Surface, own: Own, v: vec3f, seen: Seen) -> vec4f {
    let ior = max(glass_ior(own), 1.0);
    let spread = 0.025 * glass_dispersion(own) * (ior - 1.0);
    let red = ray_through(s, own, v, seen, max(ior - spread, 1.0));
    let green = ray_through(s, own, v, seen, ior);
    let blue = ray_through(s, own, v, seen, ior + spread);
    let color = vec3f(red.behind.x * red.left.x, green.behind.y * green.left.y, blue.behind.z * blue.left.z);
    return vec4f(color, (red.behind.w + green.behind.w + blue.behind.w) * (1.0 / 3.0));
}
