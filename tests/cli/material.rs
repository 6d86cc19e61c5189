//! `material`: what a file holds, and a picture of it.

use std::fs;
use std::path::Path;

use stillframe_frames::decode_png;

use super::{err, folder, out, run, status, well};

fn with_tiles(name: &str) -> std::path::PathBuf {
    let here = folder(name);
    let asset = Path::new(env!("CARGO_MANIFEST_DIR")).join("scenes/assets/tiles.mtlx");
    fs::copy(asset, here.join("tiles.mtlx")).unwrap();
    here
}

#[test]
fn a_list_has_every_material() {
    let here = with_tiles("material_list");
    let listed = run(&here, &["material", "tiles.mtlx"]);
    well(&listed);
    assert_eq!(out(&listed), "tiles  gltf  20 nodes\nbrass  gltf\nwood  gltf  14 nodes\n");
    let one = run(&here, &["material", "tiles.mtlx", "--only", "brass", "--json"]);
    let object: serde_json::Value = serde_json::from_str(out(&one).trim()).unwrap();
    assert_eq!((&object["name"], &object["model"]), (&"brass".into(), &"gltf".into()));
    assert_eq!(fs::read_dir(&here).unwrap().count(), 1, "nothing is written");
}

#[test]
fn a_sheet_has_a_cell_for_every_material() {
    let here = with_tiles("material_sheet");
    well(&run(&here, &["material", "tiles.mtlx", "--sheet", "--size", "48x32"]));
    let picture = decode_png(&fs::read(here.join("tiles.png")).unwrap()).unwrap();
    assert_eq!((picture.width_px, picture.height_px), (96, 64));
    // The same scene for all: cells differ by the material alone, and the fourth is empty.
    let again =
        run(&here, &["material", "tiles.mtlx", "--sheet", "--size", "48x32", "--columns", "3", "-o", "row.png"]);
    well(&again);
    let row = decode_png(&fs::read(here.join("row.png")).unwrap()).unwrap();
    assert_eq!((row.width_px, row.height_px), (144, 32));
    well(&run(&here, &["material", "tiles.mtlx", "--sheet", "--size", "48x32", "--only", "brass", "-o", "one.png"]));
    well(&run(&here, &["material", "tiles.mtlx", "--sheet", "--size", "48x32", "--only", "wood", "-o", "other.png"]));
    let [one, other] = ["one.png", "other.png"].map(|name| fs::read(here.join(name)).unwrap());
    assert_ne!(one, other);
}

#[test]
fn materials_of_a_model_are_drawn() {
    let here = folder("material_model");
    let asset = Path::new(env!("CARGO_MANIFEST_DIR")).join("scenes/assets/materials.glb");
    fs::copy(asset, here.join("samples.glb")).unwrap();
    let listed = run(&here, &["material", "samples.glb"]);
    well(&listed);
    assert_eq!(out(&listed).lines().count(), 10, "{}", out(&listed));
    let only = ["--only", "plain_gold", "--size", "48x32"];
    well(&run(&here, &[&["material", "samples.glb", "--sheet", "-o", "gold.png"], &only[..]].concat()));
    let red = ["--set", "material.plain_gold.base_color=[0.5,0.0,0.0]", "-o", "red.png"];
    well(&run(&here, &[&["material", "samples.glb", "--sheet"], &only[..], &red].concat()));
    // The same cell by a scene that begins its material as the model's.
    fs::write(
        here.join("scene.toml"),
        "title = \"x\"\n[camera.main]\n[model.m]\nfile = \"samples.glb\"\n[material.plain_gold]\nfrom = \"plain_gold\"\n\
         from_model = \"m\"\n[[node]]\nshape = \"sphere\"\n",
    )
    .unwrap();
    well(&run(&here, &[&["material", "scene.toml", "--sheet", "-o", "scene.png"], &only[..]].concat()));
    let [gold, red, scene] = ["gold.png", "red.png", "scene.png"].map(|name| fs::read(here.join(name)).unwrap());
    assert_eq!(gold, scene);
    assert_ne!(gold, red);
}

#[test]
fn what_it_cannot_do_it_says() {
    let here = with_tiles("material_wrong");
    fs::write(here.join("model.glb"), b"").unwrap();
    fs::write(here.join("picture.png"), b"").unwrap();
    fs::write(here.join("cut.mtlx"), "<materialx version=\"1.39\">\n").unwrap();
    for (arguments, part) in [
        (vec!["tiles.mtlx", "--only", "oak"], "it has `tiles`, `brass`, `wood`"),
        (vec!["model.glb"], "model.glb"),
        (vec!["picture.png"], "picture.png"),
        (vec!["none.mtlx"], "none.mtlx"),
        (vec!["cut.mtlx"], "cut.mtlx"),
        (vec!["tiles.mtlx", "--sheet", "-o", "x.npy"], "end the name with .png, .jpg or .webp"),
        (vec!["tiles.mtlx", "--columns", "2"], "--sheet"),
    ] {
        let output = run(&here, &[&["material"], &arguments[..]].concat());
        assert_eq!(status(&output), 2, "{arguments:?}: {}", err(&output));
        assert!(err(&output).contains(part), "{arguments:?}: {}", err(&output));
    }
}
