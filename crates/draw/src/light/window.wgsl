// How the light of a lamp ends, by the square of the distance, and its fall-off. `terms.x`: 1 / range^2; `more.x`: which
// window of x = d / range: 0 is glTF's sat(1 - x^4); 1 its square (Karis 2013); 2 is sat(1 - x) without 1 / d^2, as
// engines of the years of Direct3D 9 have it.
fn window_of(light: Light, d2: f32) -> f32 {
    let reach = d2 * light.terms.x;
    let fade = max(1.0 - reach * reach, 0.0);
    if light.more.x == 1.0 {
        return fade * fade / d2;
    } else if light.more.x == 2.0 {
        return max(1.0 - sqrt(reach), 0.0);
    }
    return fade / d2;
}
