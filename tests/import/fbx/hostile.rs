//! Hostile files: each has its code, none panics, none takes for ever.

use proptest::prelude::*;
use stillframe_lab::fuzz::law::MOMENTS;
use stillframe_models::import::Model;
use stillframe_testkit::fbx::form::Form;
use stillframe_testkit::fbx::random::{self, Reach};
use stillframe_testkit::fbx::write::{File, Record, Value, bytes_of, object, one, record};
use stillframe_testkit::fbx::{old, text};
use stillframe_world::pose::{Playing, bend, pose};

use super::{import_bytes, showing, square};
use crate::laws::{self, cut_off, overwrite, runner};

fn code_of(bytes: &[u8]) -> (&'static str, String) {
    match import_bytes(bytes) {
        Ok(model) => {
            check(&model);
            ("none", String::new())
        }
        Err(diagnostics) => (diagnostics[0].code, diagnostics[0].message.clone()),
    }
}

fn mesh(points: Vec<f64>, corners: Vec<i32>) -> Vec<u8> {
    let mesh = object("Geometry", 20, "m", "Mesh").with([one("Vertices", points), one("PolygonVertexIndex", corners)]);
    showing(mesh).bytes(7400, true)
}

fn models(count: i64, parent: impl Fn(i64) -> i64) -> Vec<u8> {
    let mut file = File::new();
    for id in 1..=count {
        file.add(object("Model", id, "m", "Null"));
        file.connect(id, parent(id));
    }
    file.bytes(7400, true)
}

#[test]
fn each_fault_has_its_code() {
    let triangle = || vec![0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 1.0, 0.0];
    let good = showing(square(20)).bytes(7400, true);
    let long = "n".repeat(1 << 20);
    let deep = (0..150).fold(record("Objects", []), |inside, _| record("a", []).with([inside]));
    let mut twice = showing(square(20));
    twice.add(square(20));
    let mut named = showing(square(20));
    named.objects[0] = object("Model", 10, &long, "Mesh").number("Lcl Scaling", [f64::NAN; 3]);
    let mut huge = showing(square(20));
    huge.objects[0] = object("Model", 10, "m", "Mesh").number("Lcl Scaling", [1e300; 3]);
    let mut crowded = showing(square(20));
    crowded.add(object("Model", 11, "bone", "LimbNode"));
    crowded.add(object("Deformer", 40, "skin", "Skin"));
    [(11, 0), (40, 20)].into_iter().for_each(|(of, to)| crowded.connect(of, to));
    let unit: Vec<f64> = (0..16).map(|i| if i % 5 == 0 { 1.0 } else { 0.0 }).collect();
    for id in 100..100 + 65_536 {
        crowded.add(object("Deformer", id, "cluster", "Cluster").with([one("Transform", unit.clone())]));
        crowded.connect(id, 40);
        crowded.connect(11, id);
    }
    // A list that says a billion numbers, and one that unpacks to a hundred million zeros.
    let mut lying = showing(square(20)).bytes(7400, false);
    let at = lying.windows(8).position(|w| w == b"Vertices").expect("there") + 9;
    lying[at..at + 4].copy_from_slice(&1_000_000_000_u32.to_le_bytes());
    let bomb = mesh(vec![0.0; 30_000_000], vec![0, 1, -3]);
    assert!(bomb.len() < 1 << 20, "{}", bomb.len());
    let rows: Vec<(&str, Vec<u8>, &str)> = vec![
        ("good", good.clone(), "none"),
        ("empty", Vec::new(), "E0401"),
        ("head alone", good[..27].to_vec(), "E0403"),
        ("half", good[..good.len() / 2].to_vec(), "E0403"),
        ("no objects", bytes_of(&[record("Other", [])], 7400, false), "E0403"),
        ("nested deep", bytes_of(&[deep], 7400, false), "E0403"),
        ("two of one number", twice.bytes(7400, true), "E0406"),
        ("point past the end", mesh(triangle(), vec![0, 1, -4]), "E0411"),
        ("point far past the end", mesh(triangle(), vec![0, i32::MAX, -3]), "E0411"),
        ("smallest number", mesh(triangle(), vec![0, 1, i32::MIN]), "E0411"),
        ("not a place", mesh(vec![0.0, f64::NAN, 0.0, 1.0, 0.0, 0.0, 0.0, 1.0, 0.0], vec![0, 1, -3]), "E0410"),
        ("too far", mesh(vec![0.0, 1e300, 0.0, 1.0, 0.0, 0.0, 0.0, 1.0, 0.0], vec![0, 1, -3]), "E0410"),
        ("polygon without an end", mesh(triangle(), vec![0, 1, 2]), "none"),
        ("no polygons", mesh(triangle(), Vec::new()), "none"),
        ("polygons of one and two", mesh(triangle(), vec![-1, 0, -2]), "none"),
        ("places of half a point", mesh(vec![0.0; 10], vec![0, 1, -3]), "none"),
        ("a list longer than the file", lying, "E0403"),
        ("zip bomb", bomb, "E0414"),
        ("parent of itself", models(1, |_| 1), "E0413"),
        ("circle", models(3, |id| id % 3 + 1), "E0413"),
        ("deep tree", models(5000, |id| id - 1), "none"),
        ("parent that is not there", models(3, |_| 99), "none"),
        ("name of 1 MB and scale of nothing", named.bytes(7400, true), "none"),
        ("place out of reach", huge.bytes(7400, true), "E0410"),
        ("joints past 16 bits", crowded.bytes(7400, true), "E0416"),
    ];
    for (what, bytes, code) in rows {
        let (found, message) = code_of(&bytes);
        assert_eq!(found, code, "{what}: {message}");
    }
}

/// Things that are named again and again.
#[test]
fn many_names_for_one_thing_end_soon() {
    let mut file = showing(square(20));
    // A mesh with many sliders on many nodes.
    file.add(object("Deformer", 40, "face", "BlendShape"));
    file.connect(40, 20);
    for id in 1000..3000 {
        file.add(object("Deformer", id, &"name".repeat(20), "BlendShapeChannel"));
        file.connect(id, 40);
    }
    for id in 3000..7000 {
        file.add(object("Model", id, "m", "Mesh"));
        file.connect(20, id);
    }
    assert_eq!(code_of(&file.bytes(7400, true)).0, "E0414");
    // One list of a large polygon, tangled, on a hundred meshes.
    let mut file = File::new();
    let points: Vec<f64> = (0..6000).map(|i| f64::from(i * 7919 % 6007)).collect();
    for id in 0..40 {
        let corners = (0..2000).map(|i| if i == 1999 { -2000 } else { i }).collect::<Vec<i32>>();
        file.add(
            object("Geometry", 100 + id, "m", "Mesh")
                .with([one("Vertices", points.clone()), one("PolygonVertexIndex", corners)]),
        );
        file.add(object("Model", 1000 + id, "m", "Mesh"));
        file.connect(100 + id, 1000 + id);
    }
    assert_eq!(code_of(&file.bytes(7400, true)).0, "none");
}

/// What everything after the import relies on, and what this importer promises beyond it.
pub fn check(model: &Model) {
    laws::check(model);
    for geometry in &model.geometries {
        assert_eq!(geometry.sources.len(), geometry.surface.positions.len());
    }
    for node in &model.nodes {
        let joint_count = node.skin.map_or(0, |skin| model.skins[skin].joints.len());
        for part in &node.parts {
            let influences = &model.geometries[part.geometry].influences;
            assert!(influences.joints.iter().all(|joint| (*joint as usize) < joint_count));
        }
    }
    let rest = pose(model, &[]);
    assert!(rest.model_from_local.iter().all(|place| place.is_finite()));
    for clip in 0..model.clips.len() {
        for time in MOMENTS {
            let posed = pose(model, &[Playing { clip, time }]);
            for (index, node) in model.nodes.iter().enumerate() {
                node.parts.iter().for_each(|part| drop(bend(model, index, part.geometry, &posed)));
            }
        }
    }
}

/// A file with some of everything: random meshes that move, a skin, a shape, a texture, a camera, a light.
pub fn everything(seed: u64, reach: Reach) -> File {
    let mut file = random::file_within(seed, true, reach);
    for (id, name, class) in [(100, "eye", "Camera"), (101, "lamp", "Light")] {
        file.add(object("Model", id, name, class));
        file.add(object("NodeAttribute", id + 10, "", class).whole("LightType", 2).number("FieldOfView", [50.0]));
        file.connect(id + 10, id);
    }
    let matrix: Vec<f64> = (0..16).map(|i| f64::from(u8::from(i % 5 == 0))).collect();
    file.add(object("Deformer", 200, "skin", "Skin"));
    let cluster = object("Deformer", 201, "cluster", "Cluster").with([
        one("Indexes", vec![0, 1, 2]),
        one("Weights", vec![1.0, 0.5, 0.25]),
        one("Transform", matrix.clone()),
        one("TransformLink", matrix),
    ]);
    file.add(cluster);
    file.add(object("Deformer", 202, "shape", "BlendShape"));
    file.add(
        object("Deformer", 203, "slider", "BlendShapeChannel")
            .with([one("FullWeights", vec![100.0])])
            .number("DeformPercent", [50.0]),
    );
    file.add(
        object("Geometry", 204, "slider", "Shape").with([one("Indexes", vec![0, 2]), one("Vertices", vec![1.0; 6])]),
    );
    for (source, destination) in [(200, 2000), (201, 200), (1000, 201), (202, 2000), (203, 202), (204, 203)] {
        file.connect(source, destination);
    }
    file.add(object("Texture", 300, "t", "").with([one("RelativeFilename", "crate_base.png")]).word("UVSet", "set1"));
    file.connect_property(300, 3000, "DiffuseColor");
    file
}

#[test]
fn mutated_bytes_never_panic() {
    let modern = |seed: u64| everything(seed, Reach::Modern);
    let mut sources: Vec<Vec<u8>> =
        (0..4).map(|seed| modern(seed).bytes(if seed < 2 { 7400 } else { 7500 }, seed % 2 == 0)).collect();
    sources.extend([modern(4).in_form(Form::Text), modern(5).in_form(Form::Text)]);
    for form in [Form::OldBinary, Form::OldText] {
        sources.extend([6, 7].map(|seed| everything(seed, Reach::Old).in_form(form)));
    }
    sources.iter().for_each(|bytes| assert_eq!(code_of(bytes), ("none", String::new())));
    let change = (any::<prop::sample::Index>(), prop_oneof![any::<u8>(), Just(0), Just(255), Just(127)]);
    let strategy = (
        0..sources.len(),
        prop::collection::vec(change, 1..12),
        prop::option::weighted(0.2, any::<prop::sample::Index>()),
    );
    runner(1200)
        .run(&strategy, |(source, changes, cut)| {
            let mut bytes = sources[source].clone();
            overwrite(&mut bytes, changes);
            cut_off(&mut bytes, cut);
            match import_bytes(&bytes) {
                Ok(model) => check(&model),
                Err(diagnostics) => prop_assert!(diagnostics.iter().all(|d| d.code.starts_with("E0"))),
            }
            Ok(())
        })
        .expect("no panic");
}

/// Numbers, words and connections of the document, not only its bytes.
#[test]
fn mutated_documents_never_panic() {
    let strategy = (
        (0..4_u64, prop::sample::select(&Form::ALL)),
        prop::collection::vec((any::<prop::sample::Index>(), 0..12_usize, any::<prop::sample::Index>()), 1..6),
    );
    runner(1600)
        .run(&strategy, |((seed, form), changes)| {
            let mut top = if form.is_old() {
                old::records(&everything(seed, Reach::Old))
            } else {
                everything(seed, Reach::Modern).top(7400)
            };
            for (place, kind, other) in changes {
                let mut values: Vec<&mut Value> = Vec::new();
                top.iter_mut().skip(1).for_each(|record| collect(record, &mut values));
                let at = place.index(values.len());
                change(values[at], kind, other);
            }
            let bytes = match form {
                Form::Binary => bytes_of(&top, 7400, false),
                Form::Text => text::text_of(&top, 7400),
                Form::OldBinary => old::bytes_of(&top),
                Form::OldText => text::text_of(&top, 6100),
            };
            if let Ok(model) = import_bytes(&bytes) {
                check(&model);
            }
            Ok(())
        })
        .expect("no panic");
}

fn collect<'a>(record: &'a mut Record, out: &mut Vec<&'a mut Value>) {
    out.extend(record.values.iter_mut());
    record.inside.iter_mut().for_each(|inside| collect(inside, out));
}

fn change(value: &mut Value, kind: usize, place: prop::sample::Index) {
    let numbers =
        [0.0, -1.0, f64::NAN, f64::INFINITY, 1e300, -1e300, 1e-300, 1_099_511_627_776.0, 65535.0, 3.0, 1e38, -0.0];
    let wholes = [0, -1, 1, i32::MIN, i32::MAX, 2, 3, 7, 1000, 2000, 3000, 255];
    match value {
        Value::Int(v) => *v = wholes[kind],
        Value::Long(v) => *v = [0, -1, 1, i64::MIN, i64::MAX, 1000, 1001, 2000, 200, 201, 203, 3000][kind],
        Value::Double(v) => *v = numbers[kind],
        Value::Letter(v) => *v = b"ULCsnabrlzT8"[kind],
        Value::Text(v) => {
            *v = [
                "",
                "\0\x01",
                "ByVertice",
                "ByEdge",
                "AllSame",
                "IndexToDirect",
                "OO",
                "OP",
                "DeformPercent",
                "x",
                "Lcl Scaling",
                "../../x",
            ][kind]
                .to_string();
        }
        Value::Bytes(v) => v.clear(),
        Value::Ints(v) => alter(v, wholes[kind], kind, place),
        Value::Longs(v) => alter(v, [0, -1, i64::MIN, i64::MAX, 5][kind % 5], kind, place),
        Value::Floats(v) => alter(v, numbers[kind] as f32, kind, place),
        Value::Doubles(v) => alter(v, numbers[kind], kind, place),
    }
}

/// One entry becomes another; or the list loses its end, or all.
fn alter<T: Copy>(list: &mut Vec<T>, value: T, kind: usize, place: prop::sample::Index) {
    match (list.len(), kind) {
        (0, _) => list.push(value),
        (length, 10) => list.truncate(place.index(length)),
        (length, 11) => {
            let again = list[place.index(length)];
            list.push(again);
        }
        (length, _) => list[place.index(length)] = value,
    }
}
