// A point or spot with other windows and cones than glTF's. `terms`: 1 / range^2, cosine of the outer half angle,
// 1 / (cos inner - cos outer), falloff. `more.x`: the window.
//
// Windows of d / range: 0 is glTF's sat(1 - x^4); 1 its square (Karis 2013); 2 is sat(1 - x) without 1 / d^2, as
// engines of the years of Direct3D 9 have it. Cone: the share of the way between the cosines, to the power of falloff.
fn incident_lamp(light: Light, point: vec3f) -> Incident {
    let offset = light.position - point;
    let d2 = max(dot(offset, offset), 0.0001);
    let l = offset / sqrt(d2);
    let reach = d2 * light.terms.x;
    let fade = max(1.0 - reach * reach, 0.0);
    var window = fade / d2;
    if light.more.x == 1.0 {
        window = fade * fade / d2;
    } else if light.more.x == 2.0 {
        window = max(1.0 - sqrt(reach), 0.0);
    }
    let share = clamp((-dot(light.direction, l) - light.terms.y) * light.terms.z, 0.0, 1.0);
    if share <= 0.0 {
        return Incident(l, vec3f(0.0));
    }
    return Incident(l, light.color * (window * pow(share, light.terms.w)));
}
