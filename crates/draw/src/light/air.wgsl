// Air: light that arrives where no surface is, exposed.

fn light_count() -> u32 {
    return view.light_count;
}

// Light from around has six parts: what arrives on the sides of three axes. Times 2/3 they hold all light whose
// spherical harmonics end with the second band, and that of two halves.
fn parts_of_light(i: u32) -> u32 {
    return select(1u, 6u, is_around(lights[i].kind));
}

// What gathers light on a side.
fn side_in_air(n: vec3f) -> Surface {
    return Surface(vec3f(1.0), 1.0, n, n, 1.0, 0.0, vec3f(0.0), 1.0);
}

// Light of one part of a light at a point, with its shadow. `radius_m`: of what the point stands for. The mean of
// 1 / d^2 over a ball about a lamp is 3 / radius^2: nearer than that counts as that near.
fn arriving_at(i: u32, part: u32, point: vec3f, radius_m: f32) -> Incident {
    let light = lights[i];
    if is_around(light.kind) {
        let sign = select(1.0, -1.0, part % 2u == 1u);
        let n = select(vec3f(0.0), vec3f(sign), vec3u(part / 2u) == vec3u(0u, 1u, 2u));
        return Incident(n, gathered_on(side_in_air(n), light, point).e * (0.6666667 * view.exposure));
    }
    var place = point;
    let offset = point - light.position;
    let least = 0.57735027 * radius_m;
    if !is_parallel(light.kind) && dot(offset, offset) < least * least {
        place = light.position + offset * (least / max(length(offset), 0.0001));
    }
    let arriving = gathered_in_air(light, place);
    if all(arriving.e <= vec3f(0.0)) {
        return arriving;
    }
    return shadowed_in_air(light, Incident(arriving.l, arriving.e * view.exposure), place);
}
