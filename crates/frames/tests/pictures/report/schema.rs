//! Schema: docs/run.schema.json describes what is written, all of it.

use serde_json::Value;
use stillframe_frames::report::{json, json_lines, line};
use stillframe_frames::run::*;
use stillframe_frames::{Owner, PixelHash};

use super::sample;

fn schema() -> Value {
    let path = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs/run.schema.json");
    serde_json::from_str(&std::fs::read_to_string(path).unwrap()).unwrap()
}

fn check(value: &Value) -> Result<(), String> {
    let validator = jsonschema::validator_for(&schema()).unwrap();
    let errors: Vec<String> = validator.iter_errors(value).map(|e| format!("{}: {e}", e.instance_path())).collect();
    if errors.is_empty() { Ok(()) } else { Err(errors.join("\n")) }
}

/// A record with every field filled.
fn full() -> CaseRecord {
    let hash = Some(PixelHash([7; 32]));
    let place = Some(Place { index: 1, count: 3, name: "scene".into(), pipeline: "pbr".into() });
    let object = ObjectShare { node: "n".into(), material: "m".into(), share: 0.5, color: "#102030".into() };
    let picture = Some("pictures/x.png".to_string());
    let why = Why {
        flip_mean: Some(0.5),
        first_pass: place.clone(),
        first_draw: place,
        objects: vec![object],
        tiles: vec![[0, 1]],
        histogram: vec![1, 0],
        cluster: "c1".into(),
        class: "edge+area".into(),
        sign: "mixed".into(),
        full_scale: 255.0,
        ..Why::default()
    };
    CaseRecord {
        name: "a/b".into(),
        status: Status::Differs,
        message: Some("m".into()),
        tags: vec!["t".into()],
        hash,
        want: hash,
        owner: Owner::Tests,
        passes_root: hash,
        passes_changed: true,
        pass_count: 3,
        input: hash,
        scene_hash: hash,
        inputs_root: hash,
        inputs: Some(InputChanges {
            known: true,
            count: 1,
            changes: vec![InputChange {
                file: "scenes/a/b.toml".into(),
                path: "output.samples".into(),
                old: Some("1".into()),
                new: Some("4".into()),
            }],
        }),
        moved_from: Some("a/c".into()),
        why_differs: Some(why),
        new_picture: picture.clone(),
        old_picture: picture.clone(),
        diff_picture: picture.clone(),
        object_picture: picture.clone(),
        passes: vec![PassRecord {
            name: "p".into(),
            old: hash,
            new: None,
            new_picture: picture.clone(),
            old_picture: picture,
        }],
        other_hashes: vec![("1 thread".into(), PixelHash([1; 32]))],
        slow: true,
        command: "stillframe test a/b".into(),
        ..CaseRecord::default()
    }
}

#[test]
fn what_is_written_is_valid() {
    let run = sample("schema");
    for text in json_lines(&run).lines() {
        check(&serde_json::from_str(text).unwrap()).unwrap_or_else(|e| panic!("{text}: {e}"));
    }
    check(&serde_json::from_str(&json(&run)).unwrap()).unwrap();
    check(&serde_json::from_str(&line("case/1", &full())).unwrap()).unwrap();
    check(&serde_json::from_str(&line("run/1", &RunHeader::default())).unwrap()).unwrap();
    let open =
        RunHeader { is_open: true, references: "references".into(), fault: "dark".into(), ..RunHeader::default() };
    check(&serde_json::from_str(&line("run/1", &open)).unwrap()).unwrap();
}

#[test]
fn what_is_wrong_is_refused() {
    let good: Value = serde_json::from_str(&line("case/1", &full())).unwrap();
    for (key, bad) in [
        ("status", "green".into()),
        ("hash", "b3:12".into()),
        ("schema", "case/9".into()),
        ("pixels", (-1).into()),
        ("size_px", serde_json::json!([1])),
        ("surprise", 1.into()),
    ] {
        let mut value = good.clone();
        value[key] = bad;
        assert!(check(&value).is_err(), "{key}");
    }
}
