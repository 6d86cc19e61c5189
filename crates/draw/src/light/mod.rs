//! Light: what each kind of light tells shaders, and where the depth maps of lights look from.
//!
//! In: a `Shot`. Out: the WGSL of lights and shadows, the numbers that it reads of a light, [`Maps`]: a view a map.
//! Never here: textures, passes, wgpu.
//!
//! A kind of light is one file with its [`Row`], its WGSL beside it, and its line in `kinds!`.

mod air;
mod clip;
mod clusters;
mod cone;
mod directional;
mod disk;
mod extent;
mod fit;
mod function;
mod hemisphere;
mod kinds;
mod lamp;
mod ltc;
mod map;
mod maps;
mod panel;
mod piece;
mod point;
mod profile;
mod reach;
mod rect;
mod row;
mod seen;
mod seen_reach;
mod sh9;
mod sights;
mod sphere;
mod spot;
mod techniques;
mod tiles;
mod tube;
mod warp;

use std::fmt::Write;

pub use air::air_text;
pub use clusters::{CLUSTERS, clusters, one_list};
pub use extent::Extent;
pub use function::terms as function_terms;
pub use kinds::Kinds;
pub use ltc::lobe_table;
pub use map::{Bank, MAP_LAYER, MapArray, MapView, Rays, Wanted};
pub use maps::{MapRange, Maps, is_by_sight, maps};
pub use piece::{Piece, disk};
pub use reach::Reach;
pub use row::{Arrival, Row, Terms};
pub use sights::Sights;
pub use techniques::{Techniques, shadow_text};
pub use tiles::{TILES, TileGrid, TileInputs, tile_inputs};

pub use crate::scene::Asks;
use crate::scene::{LightKind, Rim, Window};

/// What kinds with an area stand on. Needs a dielectric of `shader`.
const AREA: &str = include_str!("area.wgsl");

/// What lamps stand on whose light ends in another way than glTF's.
const WINDOW: &str = include_str!("window.wgsl");

/// Lists of numbers that lights have.
const VALUES: &str = include_str!("values.wgsl");

/// The table: files of rows, and for each kind of a scene's lights the one of its row, the first that fits. The place
/// of a row is its number in shaders. Those of glTF come first: they are in every text.
macro_rules! kinds {
    (rows: $($file:ident),+; $($kind:pat => $row:ident),+ $(,)?) => {
        pub const ROWS: &[Row] = &[$($file::ROW),+];

        /// The row of a kind.
        pub const fn row(kind: &LightKind) -> &'static Row {
            match kind {
                $($kind => &$row::ROW,)+
            }
        }
    };
}

kinds! {
    rows: directional, point, spot, lamp, profile, hemisphere, rect, disk, sphere, tube, sh9, panel;
    LightKind::Directional { .. } => directional,
    LightKind::Point { profile: Some(_), .. } => profile,
    LightKind::Point { window: Window::Gltf, .. } => point,
    LightKind::Spot { window: Window::Gltf, rim: Rim::Gltf, .. } => spot,
    LightKind::Point { .. } | LightKind::Spot { .. } => lamp,
    LightKind::Hemisphere { .. } => hemisphere,
    LightKind::Rect { texture: Some(_), .. } => panel,
    LightKind::Rect { .. } => rect,
    LightKind::Disk { .. } => disk,
    LightKind::Sphere { .. } => sphere,
    LightKind::Tube { .. } => tube,
    LightKind::Sh9 { .. } => sh9,
}

/// The number of a kind in shaders.
pub fn number(kind: &LightKind) -> u32 {
    let name = row(kind).name;
    ROWS.iter().position(|row| row.name == name).expect("the rows are those of `row`") as u32
}

/// `incident`, `is_parallel` and the list of lights, with these kinds besides glTF's; `leaving_of` and `gathered_of` if
/// light of one of them arrives from many directions. Group 1. Needs `shader::LOBES`.
pub fn text(kinds: Kinds) -> String {
    let mut out = include_str!("light.wgsl").to_string();
    let mut needs: Vec<&str> = Vec::new();
    for (number, row) in kinds.rows() {
        for need in row.needs {
            if !needs.contains(need) {
                needs.push(need);
                _ = write!(out, "\n{need}");
            }
        }
        _ = write!(out, "\nconst {}: u32 = {number}u;\n\n{}", row.constant(), row.text);
    }
    let rows: Vec<&Row> = kinds.rows().map(|(_, row)| row).collect();
    let parallel: Vec<String> =
        rows.iter().filter(|row| row.rays == Rays::Parallel).map(|row| format!("kind == {}", row.constant())).collect();
    let (last, others) = rows.split_last().expect("there are lights");
    // What does not shine through a function has none of it in its text.
    let name = if kinds.has_functions() { "incident_bare" } else { "incident" };
    let tests = others.iter().map(|row| {
        format!("if light.kind == {} {{\n        return incident_{}(light, point);\n    }}", row.constant(), row.name)
    });
    _ = write!(
        out,
        "
fn is_parallel(kind: u32) -> bool {{
    return {};
}}

fn {name}(light: Light, point: vec3f) -> Incident {{
    {}
    return incident_{}(light, point);
}}
",
        parallel.join(" || "),
        tests.collect::<Vec<_>>().join(" else "),
        last.name,
    );
    if kinds.has_functions() {
        _ = write!(
            out,
            "
{}
fn incident(light: Light, point: vec3f) -> Incident {{
    return through_function(light, point, incident_bare(light, point));
}}
",
            function::FUNCTION
        );
    }
    if kinds.has_many() {
        leaving(kinds, &mut out);
    }
    out
}

/// `leaving_of`: what leaves a surface towards the eye of one light. `gathered_of`: all of its light as from one
/// direction, for lobes that know one at a time. `is_shadowed`: whether its shadow says something
/// of a surface at all.
fn leaving(kinds: Kinds, out: &mut String) {
    let many: Vec<&Row> = kinds.own().filter(|row| row.arrival == Arrival::Many).collect();
    let areas: Vec<&Row> = many.iter().copied().filter(|row| row.lobes).collect();
    if let Some((last, others)) = areas.split_last() {
        shown(others, last, out);
    }
    out.push_str("\nfn leaving_of(s: Surface, v: vec3f, light: Light, point: vec3f, arriving: Incident) -> vec3f {\n");
    for row in &many {
        let (constant, name) = (row.constant(), row.name);
        _ = write!(
            out,
            "    if light.kind == {constant} {{\n        return leaving_{name}(s, v, light, point);\n    }}\n"
        );
    }
    out.push_str("    return lobes(s, v, arriving);\n}\n");
    out.push_str("\nfn gathered_of(s: Surface, v: vec3f, light: Light, point: vec3f) -> Incident {\n");
    for row in &many {
        let (constant, name) = (row.constant(), row.name);
        _ = write!(
            out,
            "    if light.kind == {constant} {{\n        return gathered_{name}(s, v, light, point);\n    }}\n"
        );
    }
    let tests: Vec<String> = many.iter().map(|row| format!("light.kind == {}", row.constant())).collect();
    _ = write!(
        out,
        "    return incident(light, point);
}}

// A surface can see a part of a light whose middle is behind it. The shadow is that of the middle: there it says
// nothing.
fn is_shadowed(s: Surface, light: Light, arriving: Incident) -> bool {{
    let has_area = {};
    return light.shadow >= 0 && (!has_area || dot(s.ng, arriving.l) > 0.0);
}}
",
        tests.join(" || ")
    );
}

/// `has_area`, and `shown_by`: what of such a light a lobe sees.
fn shown(others: &[&Row], last: &Row, out: &mut String) {
    let tests: Vec<String> =
        others.iter().chain([&last]).map(|row| format!("light.kind == {}", row.constant())).collect();
    let cases: String = others
        .iter()
        .map(|row| {
            format!(
                "    if light.kind == {} {{\n        return shown_{}(light, lobe, point);\n    }}\n",
                row.constant(),
                row.name
            )
        })
        .collect();
    _ = write!(
        out,
        "
fn has_area(light: Light) -> bool {{
    return {};
}}

fn shown_by(light: Light, lobe: Lobe, point: vec3f) -> Shown {{
{cases}    return shown_{}(light, lobe, point);
}}
",
        tests.join(" || "),
        last.name
    );
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::shader::{COMMON, DIELECTRIC, LOBES, check, compose, folded_constants};

    #[test]
    fn texts_are_valid_and_nothing_in_them_is_folded_with_the_hosts_maths() {
        let alone = Kinds::unusual().map(|place| Kinds::of([place]));
        let all = Kinds::of(Kinds::unusual());
        for kinds in
            alone.chain([Kinds::default(), Kinds::default().with_functions(true), all, all.with_functions(true)])
        {
            let text = compose(&[COMMON, LOBES, DIELECTRIC, &text(kinds), &shadow_text(Techniques::default())]);
            check(&text).unwrap_or_else(|error| panic!("{kinds:?}: {error}"));
            assert_eq!(folded_constants(&text), Vec::<String>::new());
            assert!(!text.contains("fma("));
        }
    }

    #[test]
    fn texts_of_techniques_are_valid() {
        let all = crate::scene::ShadowTechnique::ALL;
        let alone = all.iter().map(|technique| Techniques::of([*technique]));
        for techniques in alone.chain([Techniques::of(all.iter().copied())]) {
            let text = compose(&[COMMON, LOBES, DIELECTRIC, &text(Kinds::default()), &shadow_text(techniques)]);
            check(&text).unwrap_or_else(|error| panic!("{techniques:?}: {error}"));
            assert_eq!(folded_constants(&text), Vec::<String>::new());
        }
    }

    #[test]
    fn kinds_have_numbers_and_names_of_their_own() {
        let mut names: Vec<&str> = ROWS.iter().map(|row| row.name).collect();
        names.sort_unstable();
        names.dedup();
        assert_eq!(names.len(), ROWS.len());
        assert_eq!(number(&LightKind::point(1.0, None)), 1);
    }

    /// The first kinds are glTF's, whose text is the same in every scene.
    #[test]
    fn a_scene_without_a_kind_has_none_of_its_text() {
        let usual = text(Kinds::default());
        for row in Kinds::of(Kinds::unusual()).own() {
            assert!(!usual.contains(&row.constant()), "{}", row.name);
        }
        assert_eq!(Kinds::of([0, 1, 2]), Kinds::default());
        assert!(!usual.contains("leaving_of"));
    }
}
