//! MaterialX files: nodes compute what MaterialX's own shaders compute, surfaces become the keys that they should be.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};

use stillframe_asset::source::Vfs;
use stillframe_graph::{Around, Geometry, Output, Program, Source, expected};
use stillframe_scene::scene::{Resolved, materialx, resolve_text};

fn folder() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/data/materialx")
}

fn scene(include: &str) -> String {
    format!(
        "include = \"{include}\"\ntitle = \"t\"\n[camera.c]\nlook_at = [0.0, 0.0, 0.0]\nposition = [0.0, 0.0, 3.0]\n[[node]]\nname = \"n\"\nshape = \"sphere\"\n"
    )
}

fn read(include: &str) -> Resolved {
    let vfs = Vfs::open(Path::new(env!("CARGO_MANIFEST_DIR"))).unwrap();
    let text = scene(include);
    resolve_text(&text, &folder().join("scene.toml"), &folder(), &vfs, &[])
        .unwrap_or_else(|found| panic!("{include}: {found:#?}"))
}

/// The points at which `ci/materialx-peer.py` asks MaterialX: position, coordinates of the texture (v upwards), normal,
/// colour. The camera stands at `EYE`.
const POINTS: [([f64; 3], [f64; 2], [f64; 3], [f64; 4]); 4] = [
    ([0.5, 0.25, -1.5], [0.3, 0.8], [0.0, 0.0, 1.0], [0.2, 0.4, 0.6, 1.0]),
    ([-1.25, 2.0, 0.75], [0.85, 0.15], [0.6, 0.0, 0.8], [1.0, 0.5, 0.25, 1.0]),
    ([1.75, 0.125, 0.1], [0.05, 0.55], [0.0, 0.8, 0.6], [0.0, 0.75, 0.1, 1.0]),
    ([2.5, 1.5, -0.4], [0.6, 0.4], [0.36, 0.48, 0.8], [0.9, 0.3, 0.7, 1.0]),
];
const EYE: [f64; 3] = [0.5, 1.0, 6.0];

fn around(point: usize) -> Around {
    let (place, [u, v], normal, color) = POINTS[point];
    let to_eye: [f64; 3] = std::array::from_fn(|n| EYE[n] - place[n]);
    let length = to_eye.iter().map(|x| x * x).sum::<f64>().sqrt();
    let four = |v: [f64; 3]| [v[0], v[1], v[2], 0.0];
    let geometry = BTreeMap::from([
        (Geometry::Position, four(place)),
        (Geometry::ObjectPosition, four(place)),
        (Geometry::Normal, four(normal)),
        (Geometry::MeshNormal, four(normal)),
        (Geometry::View, four(to_eye.map(|x| x / length))),
        (Geometry::Uv0, [u, 1.0 - v, 0.0, 0.0]),
        (Geometry::Color, color),
    ]);
    Around { parameters: Vec::new(), geometry }
}

/// The base colour of a program.
fn base_color(program: &Program, around: &Around) -> [f64; 4] {
    let mut values: BTreeMap<(u32, u8), [f64; 4]> = BTreeMap::new();
    for (step, own) in (0..).zip(&program.steps) {
        for out in (0..8).filter(|out| own.outs >> out & 1 == 1) {
            let found = expected(program, step, out, &|step, out| values[&(step, out)], around).expect("no texels");
            values.insert((step, out), found.value);
        }
    }
    let (_, source) = program.outputs.iter().find(|(output, _)| *output == Output::BaseColor).unwrap();
    let value = match *source {
        Source::Numbers { bits, .. } => bits.map(|bits| f64::from(f32::from_bits(bits))),
        Source::Geometry(geometry) => around.geometry[&geometry],
        Source::Pin { step, out, component: None } => values[&(step, out)],
        Source::Pin { step, out, component: Some(at) } => [values[&(step, out)][usize::from(at)]; 4],
    };
    if program.width(*source) == 1 { [value[0]; 4] } else { value }
}

/// Materials of `nodes.mtlx` whose base colour is not, at some point, what MaterialX 1.39.5's GLSL says.
fn wrong(resolved: &Resolved, mistake: &dyn Fn([f64; 4]) -> [f64; 4]) -> Vec<String> {
    let mut out = Vec::new();
    let csv = fs::read_to_string(folder().join("nodes.csv")).unwrap();
    for line in csv.lines().filter(|line| !line.starts_with('#')) {
        let parts: Vec<&str> = line.split(',').collect();
        let want: Vec<f64> = parts[2..].iter().map(|x| x.parse().unwrap()).collect();
        let material = resolved.scene.materials.iter().find(|m| m.name == parts[0]).unwrap();
        let graph = &material.values.graph.as_ref().unwrap_or_else(|| panic!("`{}` has no graph", parts[0])).graph;
        let bound = graph.program(&|_| true);
        let got = mistake(base_color(&bound.program, &around(parts[1].parse().unwrap())));
        // Mesa's arcs are short polynomials.
        let within = if matches!(parts[0], "asin" | "acos") { 5e-4 } else { 4e-6 };
        let is_near = |n: usize| (got[n] - want[n]).abs() <= within * want[n].abs().max(1.0);
        if !(0..3).all(is_near) {
            out.push(format!("{} at point {}: want {want:?}, got {:?}", parts[0], parts[1], &got[..3]));
        }
    }
    out
}

#[test]
fn nodes_compute_what_materialx_computes() {
    let resolved = read("nodes.mtlx");
    assert_eq!(resolved.scene.materials.len(), 96);
    assert_eq!(resolved.warnings, []);
    let wrong = wrong(&resolved, &|value| value);
    assert!(wrong.is_empty(), "{wrong:#?}");
}

#[test]
fn a_node_that_computes_something_else_is_noticed() {
    let resolved = read("nodes.mtlx");
    assert_eq!(wrong(&resolved, &|value| value.map(|x| x * 1.001 + 1.7e-3)).len(), 384);
}

/// Of each kind that is read, `nodes.mtlx` or `patterns.mtlx` or `pictures.mtlx` has one.
#[test]
fn every_kind_of_node_is_tried() {
    let texts: Vec<String> = ["nodes.mtlx", "patterns.mtlx", "pictures.mtlx"]
        .map(|file| fs::read_to_string(folder().join(file)).unwrap())
        .into();
    let is_tried = |kind: &str| texts.iter().any(|text| text.contains(&format!("<{kind} ")));
    let untried: Vec<&str> = materialx::nodes().into_iter().filter(|kind| !is_tried(kind)).collect();
    assert_eq!(untried, Vec::<&str>::new());
}

/// What is printed of each surface shader's materials.
#[test]
fn surfaces_become_keys() {
    for file in ["surfaces.mtlx", "patterns.mtlx", "pictures.mtlx"] {
        let resolved = read(file);
        let text = resolved.scene.print();
        let start = text.find("[material.").unwrap();
        let end = text.find("[[node]]").unwrap_or(text.len());
        let warnings: Vec<String> = resolved.warnings.iter().map(|w| format!("{} {}", w.code, w.message)).collect();
        let told = format!("{}\n{}", text[start..end].trim_end(), warnings.join("\n"));
        insta::assert_snapshot!(file, told.trim_end());
    }
}

/// A scene that is printed has the same materials without MaterialX.
#[test]
fn printed_materials_are_the_same() {
    let resolved = read("surfaces.mtlx");
    let vfs = Vfs::open(&folder()).unwrap();
    let text = resolved.scene.print();
    let again = resolve_text(&text, &folder().join("scene.toml"), &folder(), &vfs, &[]).unwrap();
    assert_eq!(again.scene.materials, resolved.scene.materials);
}
