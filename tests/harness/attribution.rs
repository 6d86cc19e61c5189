//! Proof by fault: each of the program's own faults is planted in a case of this repository, and the report must name
//! the pass that it strikes first, and the object where there is one.

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;
use std::process::Command;

use rayon::prelude::*;
use serde_json::Value;
use stillframe_testkit::depth::sample;

struct Fault {
    name: String,
    case: String,
    pass: String,
    object: String,
}

fn faults() -> Vec<Fault> {
    let file = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/data/faults.toml");
    let text = std::fs::read_to_string(file).unwrap();
    let document: toml_edit::DocumentMut = text.parse().unwrap();
    let word = |table: &toml_edit::Table, key: &str| table.get(key).and_then(|i| i.as_str()).unwrap_or("").to_string();
    let tables = document["fault"].as_array_of_tables().unwrap();
    let fault = |table: &toml_edit::Table| Fault {
        name: word(table, "name"),
        case: word(table, "case"),
        pass: word(table, "pass"),
        object: word(table, "object"),
    };
    tables.iter().map(fault).collect()
}

/// The record of a fault's case, rendered with it.
fn record(fault: &Fault, folder: &Path) -> Option<Value> {
    let report = folder.join(format!("{}.jsonl", fault.name));
    let output = Command::new(env!("CARGO_BIN_EXE_stillframe"))
        .args(["test", "--no-cache", "--fault", &fault.name, &format!("={}", fault.case)])
        .arg(format!("--report=json={}", report.display()))
        .current_dir(env!("CARGO_MANIFEST_DIR"))
        .env("XDG_CACHE_HOME", folder.join("cache"))
        .env_remove("GITHUB_ACTIONS")
        .output()
        .unwrap();
    assert_ne!(output.status.code(), Some(101), "{}: {}", fault.name, String::from_utf8_lossy(&output.stderr));
    let lines = std::fs::read_to_string(report).unwrap_or_default();
    let records = lines.lines().map(|line| serde_json::from_str::<Value>(line).unwrap());
    records.into_iter().find(|record| record["name"] == fault.case.as_str())
}

/// What is wrong with what the report says of a fault.
fn misjudged(fault: &Fault, folder: &Path) -> Option<String> {
    let Fault { name, case, pass: want_pass, object: want_object } = fault;
    assert!(!case.is_empty() && !want_pass.is_empty(), "{name}: says what must notice it");
    let Some(record) = record(fault, folder) else { return Some(format!("{name}: there is no case {case}")) };
    let pass = record["first_pass"]["name"].as_str().unwrap_or_default();
    let object = record["objects"][0]["node"].as_str().unwrap_or_default();
    let is_right =
        record["status"] == "differs" && pass == want_pass && (want_object.is_empty() || object == want_object);
    (!is_right).then(|| {
        format!(
            "{name}: {}, pass {pass:?} (must be {want_pass:?}), object {object:?} (must be {want_object:?})",
            record["status"]
        )
    })
}

#[test]
fn every_fault_is_blamed_on_its_pass_and_object() {
    let faults = faults();
    assert!(faults.len() >= 50, "{}", faults.len());
    let faults = sample(faults, 3);
    let folder = std::env::temp_dir().join(format!("stillframe-attribution-{}", std::process::id()));
    std::fs::create_dir_all(&folder).unwrap();
    // Most of a program's start is on one thread.
    let wrong: Vec<String> = faults.par_iter().filter_map(|fault| misjudged(fault, &folder)).collect();
    let _ = std::fs::remove_dir_all(&folder);
    assert!(wrong.is_empty(), "{} of {} faults:\n{}", wrong.len(), faults.len(), wrong.join("\n"));
}

/// A reference with stale passes would have any fault blamed on the pass that is stale.
#[test]
fn references_of_faulty_cases_have_the_passes_of_today() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let cases: BTreeSet<String> = faults().into_iter().map(|fault| fault.case).collect();
    let report = std::env::temp_dir().join(format!("stillframe-passes-{}.jsonl", std::process::id()));
    let output = Command::new(env!("CARGO_BIN_EXE_stillframe"))
        .args(["test", "--no-cache"])
        .args(cases.iter().map(|case| format!("={case}")))
        .arg(format!("--report=json={}", report.display()))
        .current_dir(root)
        .env_remove("GITHUB_ACTIONS")
        .output()
        .unwrap();
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    let lines = std::fs::read_to_string(&report).unwrap();
    let _ = std::fs::remove_file(&report);
    let records = lines.lines().map(|line| serde_json::from_str::<Value>(line).unwrap());
    let mut roots: BTreeMap<String, String> = BTreeMap::new();
    for record in records {
        if let (Some(name), Some(root)) = (record["name"].as_str(), record["passes_root"].as_str()) {
            roots.insert(name.to_string(), root.to_string());
        }
    }
    let is_stale = |case: &&String| {
        let (family, name) = case.split_once('/').unwrap();
        let lock = std::fs::read_to_string(root.join("references").join(family).join("frames.lock")).unwrap();
        let line = lock.lines().find(|line| line.split(' ').next() == Some(name)).unwrap();
        let word = format!("passes={}", roots[*case]);
        !line.split(' ').any(|part| part == word)
    };
    let stale: Vec<&String> = cases.iter().filter(is_stale).collect();
    assert!(stale.is_empty(), "`stillframe test`, then `stillframe accept --passes` for {stale:?}");
}

/// Every part of the chain is asked about at least twice.
#[test]
fn every_stage_and_pass_has_two_faults() {
    let text = std::fs::read_to_string(Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/data/faults.toml")).unwrap();
    let stages = [
        "scene",
        "import",
        "bake",
        "transform",
        "vertex",
        "light",
        "shadow",
        "brdf",
        "texture",
        "blend",
        "raster",
        "environment",
        "tonemap",
        "encode",
        "aov",
    ];
    for stage in stages {
        let count = text.matches(&format!("stage = \"{stage}\"")).count();
        assert!(count >= 2, "{stage}: {count}");
    }
    for kind in ["directional-", "point-", "spot-"] {
        assert!(text.matches(&format!("name = \"{kind}")).count() >= 2, "{kind}");
    }
    for pass in
        ["radiance", "sources", "blur", "prefilter", "sun map 0", "local map 0", "scene", "aov", "motion", "encode"]
    {
        let count = text.matches(&format!("pass = \"{pass}\"")).count();
        assert!(count >= 2, "{pass}: {count}");
    }
}
