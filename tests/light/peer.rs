//! Peer: OpenPBR's lobes against MaterialX's own GLSL, whose values `ci/openpbr-peer.py` writes.
//!
//! The twin in f64 stands for our WGSL, which `models` holds to it.

use std::fmt::Write as _;
use std::path::Path;

use stillframe_asset::asset::{Lighting, ModelId};
use stillframe_testkit::models::{Given, twin};

/// Of each lobe: how far the mean over the ball may be off, as a share, and why where that is much.
const LOBES: [(&str, f64, &str); 15] = [
    ("diffuse", 0.005, ""),
    ("rough diffuse", 0.005, ""),
    ("dielectric", 0.005, ""),
    ("dense dielectric", 0.005, ""),
    ("rough dielectric", 0.005, ""),
    ("metal", 0.005, ""),
    ("rough metal", 0.005, ""),
    ("metal with an edge", 0.005, ""),
    ("brushed metal", 0.04, "theirs has the masking of a round lobe"),
    ("film", 0.005, ""),
    ("coat", 0.005, ""),
    ("darkening coat", 0.005, ""),
    ("coloured coat", 0.045, "theirs absorbs the same at every angle"),
    ("fuzz", 0.005, ""),
    ("subsurface", 0.005, ""),
];

/// A lobe of the file: a surface, and for pairs of light and eye what leaves.
struct Lobe {
    name: String,
    given: Given,
    points: Vec<[f64; 9]>,
}

fn lobes() -> Vec<Lobe> {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/data/materialx/openpbr.csv");
    let model = ModelId::of_name("openpbr").expect("a model");
    let mut out: Vec<Lobe> = Vec::new();
    for line in std::fs::read_to_string(path).expect("a file").lines().filter(|line| !line.starts_with('#')) {
        let mut words = line.split(',');
        let (kind, rest): (_, Vec<&str>) = (words.next().expect("a word"), words.collect());
        let number = |word: &&str| word.parse::<f64>().expect("a number");
        match kind {
            "lobe" => {
                let lighting = Lighting::new(model);
                let params = model.row().params.iter().zip(&lighting.values);
                let mut values: std::collections::BTreeMap<_, _> =
                    params.map(|(param, value)| (param.name, value.map(f64::from))).collect();
                values.insert("subsurface_radius_m", [0.0; 3]);
                let zero = [0.0, 0.0, 1.0];
                let given = Given { base: [0.8; 3], roughness: 0.3, metallic: 0.0, values, l: zero, v: zero };
                out.push(Lobe { name: rest[0].to_string(), given, points: Vec::new() });
            }
            "set" => {
                let given = &mut out.last_mut().expect("a lobe").given;
                let value: Vec<f64> = rest[1..].iter().map(number).collect();
                let value = [value[0], *value.get(1).unwrap_or(&0.0), *value.get(2).unwrap_or(&0.0)];
                match rest[0] {
                    "base_color" => given.base = value,
                    "base_metalness" => given.metallic = value[0],
                    "specular_roughness" => given.roughness = value[0],
                    // Micrometres; metres.
                    "thin_film_thickness" => {
                        given.values.insert("thin_film_thickness_nm", [1000.0 * value[0], 0.0, 0.0]);
                    }
                    "subsurface_radius" => {}
                    name => *given.values.get_mut(name).unwrap_or_else(|| panic!("no `{name}`")) = value,
                }
            }
            _ => {
                let numbers: Vec<f64> = rest.iter().map(number).collect();
                out.last_mut().expect("a lobe").points.push(numbers.try_into().expect("nine numbers"));
            }
        }
    }
    out
}

/// The share by which our mean over the ball differs, and the mean difference of its points.
fn off(lobe: &Lobe) -> [f64; 2] {
    let ours = twin("openpbr").expect("a twin");
    let [mut sum, mut wanted, mut apart] = [0.0; 3];
    for [lx, ly, lz, vx, vy, vz, colors @ ..] in &lobe.points {
        let found = ours(&Given { l: [*lx, *ly, *lz], v: [*vx, *vy, *vz], ..lobe.given.clone() });
        for (found, other) in found.iter().zip(colors) {
            sum += found;
            wanted += other;
            apart += (found - other).abs();
        }
    }
    [sum / wanted - 1.0, apart / wanted]
}

#[test]
fn lobes_are_materialx() {
    let page = std::fs::read_to_string(Path::new(env!("CARGO_MANIFEST_DIR")).join("docs/lighting.md")).expect("a page");
    let found = lobes();
    assert_eq!(found.len(), LOBES.len());
    let (mut rows, mut wrong) = (String::new(), String::new());
    for (lobe, (name, bound, why)) in found.iter().zip(LOBES) {
        assert_eq!(lobe.name, name);
        let [mean, apart] = off(lobe);
        _ = writeln!(rows, "| {name} | {:+.2} % | {:.2} % | {why} |", 100.0 * mean, 100.0 * apart);
        if mean.abs() > bound {
            _ = writeln!(wrong, "{name}: {mean:+.4}");
        }
    }
    assert!(wrong.is_empty(), "{wrong}\n{rows}");
    assert!(page.contains(&rows), "docs/lighting.md is to hold\n{rows}");
}
