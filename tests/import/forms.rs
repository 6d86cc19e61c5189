//! Forms that programs write and that a reader of the specification alone would refuse or misread. Each test is named
//! as its file in `tests/data/models`.

use std::path::{Path, PathBuf};

use serde_json::{Value, json};
use stillframe_asset::source::Diagnostic;
use stillframe_models::import::{self, Model};
use stillframe_testkit::glb::triangle;

fn models() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/data/models")
}

fn read(path: &Path) -> Result<Vec<u8>, Diagnostic> {
    std::fs::read(path).map_err(|e| Diagnostic::error("E0301", path, e.to_string()))
}

fn model(name: &str) -> Model {
    import::model(&models().join(name), &read).unwrap_or_else(|d| panic!("{name}: {d:#?}"))
}

fn triangle_count(model: &Model) -> usize {
    let parts = model.nodes.iter().flat_map(|node| &node.parts);
    parts.map(|part| model.geometries[part.geometry].surface.indices.len() / 3).sum()
}

/// A square, and an audio object with a value of one byte (`Z`), which no picture needs.
#[test]
fn fbx_byte_property() {
    let model = model("fbx_byte_property.fbx");
    assert_eq!(triangle_count(&model), 2);
    assert_eq!(model.warnings, []);
}

/// The scene lists a child, as UniGLTF wrote it: a root, without what its parent says.
#[test]
fn gltf_scene_names_child() {
    let model = model("gltf_scene_names_child.gltf");
    assert_eq!(triangle_count(&model), 2);
    let [ship] = &model.nodes[..] else { panic!("{:?}", model.nodes) };
    assert_eq!((ship.name.as_str(), ship.parent, ship.shown), ("ship", None, true));
    let codes: Vec<_> = model.warnings.iter().map(|w| w.code).collect();
    assert_eq!(codes, ["W0458"], "{:#?}", model.warnings);
}

/// Whatever a scene lists, each node is shown once.
#[test]
fn gltf_scenes_show_each_node_once() {
    // 0 is the parent of 1 and 3, 1 of 2.
    let children = [json!([1, 3]), json!([2]), json!([]), json!([])];
    for (listed, want, warned) in [
        (json!([0]), vec![("0", None), ("1", Some(0)), ("2", Some(1)), ("3", Some(0))], 0),
        (json!([0, 0]), vec![("0", None), ("1", Some(0)), ("2", Some(1)), ("3", Some(0))], 1),
        (json!([0, 2]), vec![("0", None), ("1", Some(0)), ("2", Some(1)), ("3", Some(0))], 1),
        (json!([2, 1]), vec![("1", None), ("2", Some(0))], 2),
        (json!([1]), vec![("1", None), ("2", Some(0))], 1),
    ] {
        let mut glb = triangle();
        let node = |(number, children): (usize, &Value)| match children.as_array().map_or(0, Vec::len) {
            0 => json!({ "name": number.to_string() }),
            _ => json!({ "name": number.to_string(), "children": children }),
        };
        glb.json["nodes"] = children.iter().enumerate().map(node).collect();
        glb.json["scenes"][0]["nodes"] = listed.clone();
        let model =
            import::gltf(Path::new("a.glb"), &glb.bytes(), &read).unwrap_or_else(|d| panic!("{listed}: {d:#?}"));
        let found: Vec<_> = model.nodes.iter().map(|node| (node.name.as_str(), node.parent)).collect();
        assert_eq!(found, want, "{listed}");
        assert_eq!(model.warnings.len(), warned, "{listed}: {:#?}", model.warnings);
    }
    // A joint outside the scene, above and beside what is shown.
    let mut glb = triangle();
    glb.json["nodes"] = json!([{ "children": [1, 2] }, { "mesh": 0, "skin": 0 }, { "name": "joint" }]);
    glb.json["scenes"][0]["nodes"] = json!([1]);
    glb.json["skins"] = json!([{ "joints": [2] }]);
    let (joints, weights) = (glb.shorts(&[[0_u16; 4]; 3]), glb.floats(&[[1.0, 0.0, 0.0, 0.0]; 3]));
    glb.json["meshes"][0]["primitives"][0]["attributes"]["JOINTS_0"] = json!(joints);
    glb.json["meshes"][0]["primitives"][0]["attributes"]["WEIGHTS_0"] = json!(weights);
    let model = import::gltf(Path::new("a.glb"), &glb.bytes(), &read).expect("a figure");
    assert_eq!(model.nodes.iter().map(|node| node.shown).collect::<Vec<_>>(), [true, false, false]);
}
