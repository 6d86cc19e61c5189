//! Doctor: a set of small scenes whose pictures this program knows by heart. Whatever machine draws them, they must be
//! those.
//!
//! 64 scenes without files: shapes, materials, lights, shadows, skies, tone maps, samples, layers, each in several
//! forms. Their hashes are compiled into the program; a change of any is a change of the pixel contract, or a mistake.

use stillframe_base::lanes::Isa;
use stillframe_frames::PixelHash;

use crate::scene::{Aov, resolve_text};
use crate::source::Vfs;
use crate::take::{Equipment, Settings, Sitting};

/// `NAME HASH` a line.
const EXPECTED: &str = include_str!("doctor.txt");

/// One scene of the set.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Specimen {
    pub name: String,
    pub text: String,
    pub aov: Aov,
}

/// The set, always the same.
pub fn specimens() -> Vec<Specimen> {
    let mut out = Vec::new();
    for (index, shape) in SHAPES.iter().enumerate() {
        for (number, light) in LIGHTS.iter().enumerate() {
            let at = index * LIGHTS.len() + number;
            let material = MATERIALS[at % MATERIALS.len()];
            let output = OUTPUTS[at % OUTPUTS.len()];
            let aov =
                [Aov::COLOR, Aov::COLOR, Aov::COLOR, Aov::DEPTH, Aov::NORMAL, Aov::COLOR, Aov::ID][at % 7].clone();
            let (shape_name, light_name) = (shape.0, light.0);
            out.push(Specimen {
                name: format!("{shape_name}-{light_name}"),
                text: format!(
                    "title = \"{shape_name} {light_name}\"\n[output]\nsize_px = [48, 40]\n{output}\n\
                     [camera.main]\nposition = [0.9, 0.8, 2.4]\nlook_at = [0.0, 0.1, 0.0]\nfov_y_deg = 40.0\n{}\n\
                     [material.main]\n{material}\n[material.floor]\nbase_color = \"#6f747c\"\nroughness = 0.6\n\
                     [[node]]\nname = \"thing\"\nmaterial = \"main\"\nrotation_deg = [10.0, 35.0, 5.0]\nposition = [0.0, 0.1, 0.0]\n{}\n\
                     [[node]]\nname = \"floor\"\nshape = \"plane\"\nsize_m = [4.0, 4.0]\nposition = [0.0, -0.5, 0.0]\nmaterial = \"floor\"\n",
                    light.1, shape.1
                ),
                aov,
            });
        }
    }
    out
}

const SHAPES: [(&str, &str); 8] = [
    ("sphere", "shape = \"sphere\"\nradius_m = 0.5"),
    ("box", "shape = \"box\"\nsize_m = [0.8, 0.6, 0.7]"),
    ("cylinder", "shape = \"cylinder\"\nradius_m = 0.35\nheight_m = 0.9"),
    ("cone", "shape = \"cone\"\nradius_m = 0.45\nheight_m = 0.9"),
    ("torus", "shape = \"torus\"\nmajor_radius_m = 0.4\nminor_radius_m = 0.15"),
    ("plane", "shape = \"plane\"\nsize_m = [0.9, 0.9]"),
    ("disk", "shape = \"disk\"\nradius_m = 0.5"),
    ("capsule", "shape = \"capsule\"\nradius_m = 0.25\nheight_m = 0.9"),
];

const LIGHTS: [(&str, &str); 8] = [
    ("sun", "[[light]]\nname = \"a\"\nkind = \"directional\"\nilluminance_lux = 3.0\ndirection = [-0.5, -1.0, -0.4]"),
    ("bulb", "[[light]]\nname = \"a\"\nkind = \"point\"\nintensity_cd = 4.0\nposition = [0.9, 1.1, 0.8]"),
    (
        "spot",
        "[[light]]\nname = \"a\"\nkind = \"spot\"\nintensity_cd = 9.0\nposition = [0.8, 1.6, 1.0]\nlook_at = [0.0, 0.0, 0.0]\ninner_deg = 12.0\nouter_deg = 24.0",
    ),
    ("sky", "[environment]\nsky = { sun_elevation_deg = 35.0 }"),
    ("even", "[environment]\ncolor = [0.6, 0.7, 0.8]"),
    (
        "two",
        "[[light]]\nname = \"a\"\nkind = \"directional\"\nilluminance_lux = 2.0\ndirection = [0.6, -1.0, -0.2]\nshadow = false\n\
         [[light]]\nname = \"b\"\nkind = \"point\"\nintensity_cd = 2.0\nrange_m = 2.5\ncolor = \"#ff8040\"\nposition = [-0.8, 0.9, 0.9]",
    ),
    (
        "sun-and-sky",
        "[environment]\nsky = { sun_elevation_deg = 60.0 }\nintensity = 0.4\n\
         [[light]]\nname = \"a\"\nkind = \"directional\"\nilluminance_lux = 2.0\ndirection = [-0.3, -1.0, -0.8]",
    ),
    ("dark", "[[light]]\nname = \"a\"\nkind = \"point\"\nintensity_cd = 0.05\nposition = [0.0, 1.0, 1.0]"),
];

const MATERIALS: [&str; 9] = [
    "base_color = \"#b03a2e\"\nroughness = 0.4",
    "base_color = \"#d4af37\"\nmetallic = 1.0\nroughness = 0.25",
    "base_color = \"#3b6ea5\"\nroughness = 0.9",
    "base_color = \"#c0c0c0\"\nmetallic = 1.0\nroughness = 0.05",
    "base_color = \"#2e8b57\"\nroughness = 0.15",
    "base_color = \"#ffffff\"\nroughness = 1.0",
    "base_color = \"#604080\"\nmetallic = 0.5\nroughness = 0.5",
    "base_color = \"#8fd0ff80\"\nalpha_mode = \"blend\"\ndouble_sided = true",
    "base_color = \"#40c0a0\"\nunlit = true",
];

const OUTPUTS: [&str; 5] = [
    "samples = 4\nbackground = \"#20242c\"",
    "samples = 1\ntonemap = \"aces\"\nbackground = \"#000000\"",
    "samples = 4\ntonemap = \"neutral\"\nbackground = \"transparent\"",
    "samples = 1\ntonemap = \"none\"\nexposure_ev = -0.5\nbackground = \"#102030\"",
    "samples = 4\nexposure_ev = 0.75\nbackground = \"#101010\"",
];

/// One way of drawing the set.
#[derive(Clone, Debug, PartialEq)]
pub struct Examined {
    pub isa: Isa,
    pub threads: usize,
    /// Specimens whose picture is another one, or that could not be drawn.
    pub wrong: Vec<String>,
    pub count: usize,
}

/// Draws the set in one way.
///
/// Errors: a machine that cannot draw at all, in words.
pub fn examine(isa: Isa, threads: usize) -> Result<Examined, String> {
    let mut wrong = Vec::new();
    let made = draw(&Settings { isa: Some(isa), threads, ..Settings::default() })?;
    for (name, hash) in &made {
        let expected = EXPECTED.lines().find_map(|line| line.strip_prefix(name.as_str())?.strip_prefix(' '));
        if expected != Some(hash.to_string().as_str()) {
            wrong.push(name.clone());
        }
    }
    Ok(Examined { isa, threads, wrong, count: made.len() })
}

/// The pictures of the set.
fn draw(settings: &Settings) -> Result<Vec<(String, PixelHash)>, String> {
    let folder = std::env::temp_dir();
    let vfs = Vfs::open(&folder).map_err(|complaint| complaint.message)?;
    let mut kept: Option<Equipment> = None;
    let mut out = Vec::new();
    for specimen in specimens() {
        let name = std::path::Path::new("specimen.toml");
        let scene = resolve_text(&specimen.text, name, &folder, &vfs, &[])
            .map_err(|found| format!("{}: {}", specimen.name, found[0].message))?
            .scene;
        let settings = Settings { aovs: vec![specimen.aov.clone()], ..settings.clone() };
        let words = |error: crate::take::TakeError| format!("{}: {error}", specimen.name);
        let mut sitting = Sitting::begin_with(&mut kept, &scene, &settings, &mut |_| ()).map_err(words)?;
        let take = sitting.at(0.0, &mut |_| ()).map_err(words)?;
        kept = Some(sitting.end());
        out.push((specimen.name, take.pictures[0].1.hash()));
    }
    Ok(out)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_set_is_known_by_heart() {
        let names: std::collections::BTreeSet<String> = specimens().into_iter().map(|s| s.name).collect();
        assert_eq!(names.len(), 64);
        let made = draw(&Settings::default()).unwrap();
        let text: String = made.iter().map(|(name, hash)| format!("{name} {hash}\n")).collect();
        assert!(text == EXPECTED, "src/harness/doctor.txt should hold\n{text}");
        let distinct: std::collections::BTreeSet<_> = made.iter().map(|(_, hash)| hash.to_string()).collect();
        assert!(
            distinct.len() >= 60,
            "specimens look alike: light reaches no layer of numbers, but everything else differs"
        );
    }
}
