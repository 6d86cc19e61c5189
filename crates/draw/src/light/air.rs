//! Air: light at points that no surface is at.

use std::fmt::Write;

use super::kinds::Kinds;
use super::techniques::Techniques;

/// `light_count`, `parts_of_light` and `arriving_at`. Group 1, and the view in group 0. Needs `light::text`, and
/// `shadow_text` with the same techniques, which look at no surface, where there are any.
pub fn air_text(kinds: Kinds, techniques: Option<Techniques>) -> String {
    let mut out = include_str!("air.wgsl").to_string();
    let around: Vec<String> =
        kinds.own().filter(|row| row.occluded).map(|row| format!("kind == {}", row.constant())).collect();
    let is_around = if around.is_empty() { "false".to_string() } else { around.join(" || ") };
    let on_side = if kinds.has_many() { "gathered_of(s, s.n, light, point)" } else { "incident(light, point)" };
    // Lights with an area shine on a side that faces them.
    let of_area = match kinds.reads_lobes() {
        true => "    if has_area(light) {\n        return gathered_on(side_in_air(arriving.l), light, point);\n    }\n",
        false => "",
    };
    // Filters that turn with the pixel have one pattern in the air: noise would be as large as froxels.
    let pixel = if techniques.is_some_and(Techniques::by_pixel) { ", vec2f(0.0)" } else { "" };
    let shadow = match techniques {
        Some(_) => format!(
            "    if light.shadow < 0 {{
        return arriving;
    }}
    let lit = visibility(light, arriving.l, point, arriving.l{pixel});
    return Incident(arriving.l, arriving.e * lit);
"
        ),
        None => "    return arriving;\n".to_string(),
    };
    _ = write!(
        out,
        "
fn is_around(kind: u32) -> bool {{
    return {is_around};
}}

fn gathered_on(s: Surface, light: Light, point: vec3f) -> Incident {{
    return {on_side};
}}

fn gathered_in_air(light: Light, point: vec3f) -> Incident {{
    let arriving = incident(light, point);
{of_area}    return arriving;
}}

// What of it comes past what casts shadows.
fn shadowed_in_air(light: Light, arriving: Incident, point: vec3f) -> Incident {{
{shadow}}}
"
    );
    out
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::light::{shadow_text, text};
    use crate::scene::ShadowTechnique;
    use crate::shader::{COMMON, DIELECTRIC, LOBES, check, compose, folded_constants};

    #[test]
    fn texts_are_valid_with_every_kind_and_technique() {
        let alone = Kinds::unusual().map(|place| Kinds::of([place]));
        let kinds = alone.chain([Kinds::default(), Kinds::of(Kinds::unusual()).with_functions(true)]);
        let all = Techniques::of(ShadowTechnique::ALL.iter().copied());
        for kinds in kinds {
            for techniques in [None, Some(Techniques::default()), Some(all), Some(all.with_veils(true))] {
                let shadows = techniques.map(shadow_text).unwrap_or_default();
                let text = compose(&[COMMON, LOBES, DIELECTRIC, &text(kinds), &shadows, &air_text(kinds, techniques)]);
                check(&text).unwrap_or_else(|error| panic!("{kinds:?}, {techniques:?}: {error}"));
                assert_eq!(folded_constants(&text), Vec::<String>::new());
            }
        }
    }
}
