//! What an FBX file says about itself: axes, unit, ticks, who wrote it.

use glam::{DMat4, DVec4};

use super::document::{Properties, text};
use super::tree::Tree;
use crate::import::{Axis, Fault, code};

/// A file's space.
pub struct Space {
    pub model_from_file: DMat4,
    pub up: Option<Axis>,
    pub unit_m: f64,
}

/// Axes and unit of the file; Y up and centimetres, with a warning, where it does not say or contradicts itself.
///
/// The new axes in the order right, up, front; `UnitScaleFactor` is centimetres a unit. A left-handed file gives a
/// mirroring matrix.
pub fn space(tree: &Tree, warnings: &mut Vec<Fault>) -> Space {
    let mut warn = |message: String| warnings.push(Fault::new(code::FBX_SETTINGS, message));
    let Some(at) = tree.find("GlobalSettings") else {
        warn("the file has no axes and unit; using Y up and centimetres".to_string());
        return placed([0, 1, 2], [1.0; 3], 0.01);
    };
    let properties = Properties::of(at);
    let unit_cm = properties.float("UnitScaleFactor").unwrap_or_else(|| {
        warn("the file has no unit; using centimetres".to_string());
        1.0
    });
    // Larger than a light year or smaller than an atom is a mistake.
    let unit_cm = if (1e-8..1e18).contains(&unit_cm) {
        unit_cm
    } else {
        warn(format!("invalid unit of {unit_cm} cm; using centimetres"));
        1.0
    };
    let mut axes = [0_usize; 3];
    let mut signs = [1.0; 3];
    for (place, name) in ["CoordAxis", "UpAxis", "FrontAxis"].into_iter().enumerate() {
        axes[place] = properties.integer(name).and_then(|axis| usize::try_from(axis).ok()).unwrap_or(3);
        signs[place] = if properties.integer(&format!("{name}Sign")).unwrap_or(1) < 0 { -1.0 } else { 1.0 };
    }
    let mut sorted = axes;
    sorted.sort_unstable();
    if sorted != [0, 1, 2] {
        warn("the file's axes are not three different ones; using Y up".to_string());
        return placed([0, 1, 2], [1.0; 3], unit_cm / 100.0);
    }
    placed(axes, signs, unit_cm / 100.0)
}

/// `axes` and `signs` in the order right, up, front.
fn placed(axes: [usize; 3], signs: [f64; 3], unit_m: f64) -> Space {
    let mut rows = [DVec4::ZERO; 3];
    for place in 0..3 {
        rows[place][axes[place]] = signs[place] * unit_m;
    }
    let model_from_file = DMat4::from_cols(rows[0], rows[1], rows[2], DVec4::W).transpose();
    let up = [Axis::X, Axis::Y, Axis::Z][axes[1]];
    Space { model_from_file, up: Some(up), unit_m }
}

/// The program that wrote the file.
pub fn generator(tree: &Tree) -> Option<String> {
    let header = tree.find("FBXHeaderExtension");
    let inner = header.and_then(|at| at.child_text("Creator"));
    let outer = tree.find("Creator").and_then(|at| at.text(0));
    let name = text(inner.filter(|name| !name.is_empty()).or(outer)?);
    (!name.is_empty()).then(|| super::document::short(&name))
}

/// The version of Blender that a program's name says: `Blender (stable FBX IO) - 2.79 (sub 0) - 3.7.17` is 2.79. A name
/// without a version is taken for a new one.
pub fn blender_version(generator: &str) -> Option<[u32; 2]> {
    let (_, rest) = generator.split_once("Blender")?;
    let version = |word: &str| {
        let (major, rest) = word.split_once('.')?;
        let minor = rest.split(|c: char| !c.is_ascii_digit()).next()?;
        Some([major.parse().ok()?, minor.parse().ok()?])
    };
    Some(rest.split_whitespace().find_map(version).unwrap_or([u32::MAX; 2]))
}

/// 46,186,158,000 in all files of version 7 but those that declare another clock.
///
/// Source: FBX SDK, `FbxTime`: `TCDefinition` 127 keeps the old clock, any other is the new one, from header version
/// 1004 on.
pub fn ticks_per_second(tree: &Tree) -> i64 {
    const OLD: i64 = 46_186_158_000;
    const NEW: i64 = 141_120_000;
    let Some(header) = tree.find("FBXHeaderExtension") else { return OLD };
    let declares = header.child_integer("FBXHeaderVersion").is_some_and(|version| version >= 1004);
    let definition = header.child("OtherFlags").and_then(|flags| flags.child_integer("TCDefinition"));
    if declares && definition.is_some_and(|definition| definition != 127) { NEW } else { OLD }
}

#[cfg(test)]
mod tests {
    use super::*;
    use glam::DVec3;

    #[test]
    fn versions_of_blender() {
        for (name, version) in [
            ("Blender (stable FBX IO) - 2.79 (sub 0) - 3.7.17", Some([2, 79])),
            ("Blender (stable FBX IO) - 2.83.5 - 4.21.3", Some([2, 83])),
            ("Blender (stable FBX IO) - 4.2.1 LTS - 5.12.0", Some([4, 2])),
            ("Blender version 2.69 (sub 11)", Some([2, 69])),
            ("Blender", Some([u32::MAX; 2])),
            ("FBX SDK/FBX Plugins version 2018.1.1", None),
        ] {
            assert_eq!(blender_version(name), version, "{name}");
        }
    }

    #[test]
    fn axes_and_units_by_hand() {
        let at = |axes, signs, unit_m| {
            placed(axes, signs, unit_m).model_from_file.transform_point3(DVec3::new(1.0, 2.0, 3.0))
        };
        // 3ds Max: Z up, Y away from the viewer, centimetres.
        assert!(at([0, 2, 1], [1.0, 1.0, -1.0], 0.01).abs_diff_eq(DVec3::new(0.01, 0.03, -0.02), 1e-15));
        assert_eq!(at([0, 1, 2], [1.0; 3], 1.0), DVec3::new(1.0, 2.0, 3.0));
        assert_eq!(at([1, 0, 2], [-1.0, 1.0, 1.0], 1.0), DVec3::new(-2.0, 1.0, 3.0));
        assert!(placed([0, 1, 2], [1.0, 1.0, -1.0], 1.0).model_from_file.determinant() < 0.0, "left-handed");
    }
}
