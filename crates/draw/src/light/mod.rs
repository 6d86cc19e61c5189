//! Light: what each kind of light tells shaders, and where the depth maps of lights look from.
//!
//! In: a `Shot`. Out: the WGSL of lights and shadows, the numbers that it reads of a light, [`Maps`]: a view a map.
//! Never here: textures, passes, wgpu.
//!
//! A kind of light is one file with its [`Row`], its WGSL beside it, and its line in `kinds!`.

mod clip;
mod clusters;
mod cone;
mod directional;
mod fit;
mod map;
mod maps;
mod point;
mod reach;
mod row;
mod seen;
mod spot;

use std::fmt::Write;

pub use clusters::{CLUSTERS, clusters};
pub use map::{MapArray, MapView, Rays, Wanted};
pub use maps::{MapRange, Maps, maps};
pub use reach::Reach;
pub use row::{Row, Terms};

use crate::scene::LightKind;

/// Shadows: `visibility`. Group 1. Needs [`text`].
pub const SHADOW: &str = concat!(include_str!("../shader/tangents.wgsl"), "\n", include_str!("shadow.wgsl"));

/// The table: for each kind of a scene's lights the file of its row. Its place is its number in shaders.
macro_rules! kinds {
    ($($kind:ident: $file:ident),+ $(,)?) => {
        pub const ROWS: &[Row] = &[$($file::ROW),+];

        /// The row of a kind.
        pub const fn row(kind: &LightKind) -> &'static Row {
            match kind {
                $(LightKind::$kind { .. } => &$file::ROW,)+
            }
        }
    };
}

kinds! {
    Directional: directional,
    Point: point,
    Spot: spot,
}

/// The number of a kind in shaders.
pub fn number(kind: &LightKind) -> u32 {
    let name = row(kind).name;
    ROWS.iter().position(|row| row.name == name).expect("the rows are those of `row`") as u32
}

/// `incident`, `is_parallel` and the list of lights. Group 1. Needs `shader::LOBES`.
pub fn text() -> String {
    let mut out = include_str!("light.wgsl").to_string();
    for (number, row) in ROWS.iter().enumerate() {
        _ = write!(out, "\nconst {}: u32 = {number}u;\n\n{}", row.constant(), row.text);
    }
    let any = |is: fn(&Row) -> bool| {
        let of: Vec<String> =
            ROWS.iter().filter(|row| is(row)).map(|row| format!("kind == {}", row.constant())).collect();
        if of.is_empty() { "false".to_string() } else { of.join(" || ") }
    };
    let (last, others) = ROWS.split_last().expect("there are lights");
    let tests = others.iter().map(|row| {
        format!("if light.kind == {} {{\n        return incident_{}(light, point);\n    }}", row.constant(), row.name)
    });
    _ = write!(
        out,
        "
fn is_parallel(kind: u32) -> bool {{
    return {};
}}

fn incident(light: Light, point: vec3f) -> Incident {{
    {}
    return incident_{}(light, point);
}}
",
        any(|row| row.rays == Rays::Parallel),
        tests.collect::<Vec<_>>().join(" else "),
        last.name,
    );
    out
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::shader::{COMMON, DIELECTRIC, LOBES, check, compose, folded_constants};

    #[test]
    fn texts_are_valid_and_nothing_in_them_is_folded_with_the_hosts_maths() {
        let text = compose(&[COMMON, LOBES, DIELECTRIC, &text(), SHADOW]);
        check(&text).unwrap_or_else(|error| panic!("{error}"));
        assert_eq!(folded_constants(&text), Vec::<String>::new());
        assert!(!text.contains("fma("));
    }

    #[test]
    fn kinds_have_numbers_and_names_of_their_own() {
        let mut names: Vec<&str> = ROWS.iter().map(|row| row.name).collect();
        names.dedup();
        assert_eq!(names.len(), ROWS.len());
        assert_eq!(number(&LightKind::Point { intensity_cd: 1.0, range_m: None }), 1);
    }
}
