//! `bench`: what is told and written; figures themselves are the machine's.

use std::collections::BTreeSet;
use std::{array, fs};

use serde_json::{Value, json};
use stillframe_testkit::glb::{self, Glb};

use super::anim::asset;
use super::{err, folder, out, run, status, well};

#[test]
fn cases_are_listed_and_chosen() {
    let here = folder("bench_list");
    let names = |arguments: &[&str]| -> Vec<String> {
        let output = run(&here, &[&["bench", "--list"], arguments].concat());
        well(&output);
        out(&output).lines().map(|line| line.split_whitespace().next().unwrap().to_string()).collect()
    };
    let all = names(&[]);
    assert!(all.len() >= 30, "{all:?}");
    for group in ["anim/", "skin/", "machine/", "draw/"] {
        assert!(all.iter().any(|name| name.starts_with(group)), "{group}");
    }
    assert_eq!(names(&["skin"]), all.iter().filter(|name| name.starts_with("skin/")).cloned().collect::<Vec<_>>());
    assert_eq!(
        names(&["anim/blend/*", "=anim/palette"]),
        ["anim/blend/2", "anim/blend/4", "anim/blend/8", "anim/palette"]
    );
    // The beginning of a name, not a part of it.
    let none = run(&here, &["bench", "blend"]);
    assert_eq!(status(&none), 4);
    assert!(err(&none).contains("--list"), "{}", err(&none));
}

/// Pictures are timed by the same table, and are the same at every instruction set.
#[test]
fn pictures_are_timed() {
    let here = folder("bench_draw");
    let output = run(&here, &["bench", "draw/", "--rounds", "1", "--isa", "all", "--json", "-"]);
    well(&output);
    let document: Value = serde_json::from_str(&out(&output)).unwrap();
    let rows = document["rows"].as_array().unwrap();
    assert_eq!(rows.len(), 8 * document["machine"]["isa_levels"].as_array().unwrap().len());
    for row in rows {
        assert!(row["unit"] == "us/picture" && row["median"].as_f64().unwrap() > 0.0, "{row}");
    }
}

#[test]
fn figures_are_kept_and_compared() {
    let here = folder("bench_kept");
    let few = ["bench", "anim/palette", "anim/time/parked", "--rounds", "3", "--isa", "all"];
    let output = run(&here, &[&few[..], &["--save", "before", "--json", "figures.json"]].concat());
    well(&output);
    let document: Value = serde_json::from_slice(&fs::read(here.join("figures.json")).unwrap()).unwrap();
    assert_eq!(document["schema"], "bench/1");
    assert_eq!(
        fs::read(here.join("figures.json")).unwrap(),
        fs::read(here.join("target/stillframe/bench/before.json")).unwrap()
    );
    let levels = document["machine"]["isa_levels"].as_array().unwrap();
    let rows = document["rows"].as_array().unwrap();
    assert_eq!(rows.len(), levels.len() + 1, "each instruction set, and the clock that has none");
    for row in rows {
        let number = |key: &str| row[key].as_f64().unwrap_or_else(|| panic!("{key} of {row}"));
        assert!(number("min") > 0.0 && number("median") >= number("min"), "{row}");
        assert_eq!((&row["samples"], &row["threads"], row["peer"].is_null()), (&3.into(), &1.into(), true));
    }
    let output = run(&here, &[&few[..], &["--against", "before"]].concat());
    well(&output);
    let text = out(&output);
    assert!(text.contains("before") && text.contains("ratio"), "{text}");
    let ratios = text.lines().filter(|line| line.starts_with("anim/"));
    let ratios: Vec<f64> = ratios.map(|line| line.split_whitespace().last().unwrap().parse().unwrap()).collect();
    assert!(ratios.len() == rows.len() && ratios.iter().all(|ratio| *ratio > 0.0), "{text}");
}

/// A character of one's own: the table's rows on a clip of a file, with one result at every instruction set.
#[test]
fn a_character_of_ones_own_is_timed() {
    let here = folder("bench_own");
    fs::copy(asset("mannequin.glb"), here.join("hero.glb")).unwrap();
    let walk = ["--model", "hero.glb", "--clip", "walk", "--rounds", "1"];
    let output = run(&here, &[&["bench", "--isa", "all", "--save", "walk", "--json", "-"], &walk[..]].concat());
    well(&output);
    let document: Value = serde_json::from_str(&out(&output)).unwrap();
    assert_eq!(document["character"], json!({ "model": "hero.glb", "clip": "walk" }));
    let names: BTreeSet<&str> =
        document["rows"].as_array().unwrap().iter().map(|row| row["name"].as_str().unwrap()).collect();
    let all = [
        "anim/blend/2",
        "anim/character",
        "anim/decompress/forward",
        "anim/decompress/random",
        "anim/model/one",
        "anim/palette",
        "anim/sample/forward",
        "anim/sample/random",
        "skin/dual",
        "skin/mesh",
        "skin/sorted",
    ];
    assert_eq!(names.into_iter().collect::<Vec<_>>(), all);
    for row in document["rows"].as_array().unwrap() {
        assert!(row["median"].as_f64().unwrap() > 0.0 && row["spread"].as_f64().is_some(), "{row}");
    }
    let listed = run(&here, &["bench", "skin", "--list", "--model", "hero.glb", "--clip", "walk"]);
    well(&listed);
    assert_eq!(out(&listed).lines().count(), 3, "{}", out(&listed));
    // No machine is a thousand times as slow or as fast from one run to the next.
    let skin = [&["bench", "skin", "--isa", "all", "--against", "walk"], &walk[..]].concat();
    well(&run(&here, &[&skin[..], &["--fail-above", "1000"]].concat()));
    let slower = run(&here, &[&skin[..], &["--fail-above", "0.001"]].concat());
    assert_eq!(status(&slower), 1, "{}", err(&slower));
    assert!(err(&slower).contains("skin/mesh scalar: the ratio") && err(&slower).contains("above 0.001"));
}

/// A triangle whose vertices hang on this many joints each.
fn hung_on(joint_count: usize) -> Glb {
    let mut glb = glb::triangle();
    let joints: Vec<usize> = (0..joint_count).map(|_| glb.push("nodes", json!({}))).collect();
    for set in 0..joint_count.div_ceil(4) {
        let number = |at: usize| 4 * set + at;
        let joints = glb.shorts(&[array::from_fn::<u16, 4, _>(|at| number(at).min(joint_count - 1) as u16); 3]);
        let weight = 1.0 / joint_count as f32;
        let weights = array::from_fn::<f32, 4, _>(|at| if number(at) < joint_count { weight } else { 0.0 });
        let weights = glb.floats(&[weights; 3]);
        let attributes = &mut glb.json["meshes"][0]["primitives"][0]["attributes"];
        attributes[format!("JOINTS_{set}")] = json!(joints);
        attributes[format!("WEIGHTS_{set}")] = json!(weights);
    }
    glb.push("skins", json!({ "joints": joints }));
    glb.json["nodes"][0]["skin"] = json!(0);
    let (input, output) = (glb.floats(&[[0.0], [1.0]]), glb.floats(&[[0.0; 3], [1.0, 0.0, 0.0]]));
    let channel = json!({ "sampler": 0, "target": { "node": joints[0], "path": "translation" } });
    glb.push("animations", json!({ "samplers": [{ "input": input, "output": output }], "channels": [channel] }));
    glb.json["scenes"][0]["nodes"] = json!([&[0], &joints[..]].concat());
    glb
}

/// No row leaves out a mesh because its vertices have many joints.
#[test]
fn vertices_with_many_joints_are_timed() {
    let here = folder("bench_joints");
    for (joint_count, block) in [(4, 4), (6, 8), (12, 8)] {
        fs::write(here.join("own.glb"), hung_on(joint_count).bytes()).unwrap();
        let output = run(&here, &["bench", "skin", "--model", "own.glb", "--rounds", "1", "--json", "-"]);
        well(&output);
        let document: Value = serde_json::from_str(&out(&output)).unwrap();
        let names: BTreeSet<&str> =
            document["rows"].as_array().unwrap().iter().map(|row| row["name"].as_str().unwrap()).collect();
        assert_eq!(names, BTreeSet::from(["skin/dual", "skin/mesh", "skin/sorted"]), "{joint_count} joints");
        let listed = out(&run(&here, &["bench", "skin/sorted", "--list", "--model", "own.glb"]));
        assert!(listed.contains(&format!("share {block} joints")), "{joint_count} joints: {listed}");
    }
}

#[test]
fn figures_of_another_character_are_not_compared() {
    let here = folder("bench_other");
    fs::copy(asset("mannequin.glb"), here.join("hero.glb")).unwrap();
    let palette = ["bench", "anim/palette", "--rounds", "1"];
    well(&run(&here, &[&palette[..], &["--save", "table"]].concat()));
    let own = [&palette[..], &["--model", "hero.glb", "--clip", "idle"]].concat();
    let output = run(&here, &[&own[..], &["--against", "table"]].concat());
    assert_eq!(status(&output), 2, "{}", err(&output));
    assert!(err(&output).contains("of the table, not of hero.glb, clip idle"), "{}", err(&output));
    let none = run(&here, &["bench", "anim/blend/2", "--rounds", "1", "--against", "table", "--fail-above", "9"]);
    assert_eq!(status(&none), 4, "nothing was compared: {}", err(&none));
}

#[test]
fn threads_are_timed_beside_one() {
    let here = folder("bench_threads");
    let output = run(&here, &["bench", "anim/crowd", "--rounds", "1", "--threads", "2", "--json", "-"]);
    well(&output);
    let document: Value = serde_json::from_str(&out(&output)).unwrap();
    let threads: Vec<&Value> = document["rows"].as_array().unwrap().iter().map(|row| &row["threads"]).collect();
    assert_eq!(threads, [1, 2]);
}

#[test]
fn what_cannot_be_timed_is_told() {
    let here = folder("bench_bad");
    for (arguments, code, words) in [
        (vec!["--isa", "mmx"], 2, "mmx"),
        (vec!["--against", "never"], 2, "--save never"),
        (vec!["--save", "../up"], 2, "letters"),
        (vec!["--rounds", "0"], 2, "--rounds"),
        (vec!["--fail-above", "1.05"], 2, "--against"),
        (vec!["--against", "a", "--fail-above", "0"], 2, "above 0"),
        (vec!["--clip", "walk"], 2, "--model"),
        (vec!["--model", "none.glb"], 2, "none.glb"),
        (vec!["re:("], 2, "re:("),
    ] {
        let output = run(&here, &[&["bench", "anim/time/parked"], arguments.as_slice()].concat());
        assert_eq!(status(&output), code, "{arguments:?}: {}", err(&output));
        assert!(err(&output).contains(words), "{arguments:?}: {}", err(&output));
    }
}
