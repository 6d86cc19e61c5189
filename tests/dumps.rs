//! The text forms of the chain's links, as `--dump` prints them: a change of any link shows here as text before it shows in pixels.

use std::path::{Path, PathBuf};

use stillframe::scene::read;
use stillframe::take::{Dump, Settings, take};

fn dump(scene: &str, dump: Dump) -> String {
    let file: PathBuf = Path::new(env!("CARGO_MANIFEST_DIR")).join("scenes").join(scene);
    let scene = read(&file, &[]).unwrap_or_else(|d| panic!("{d:#?}")).scene;
    let settings = Settings { dump: Some(dump), ..Settings::default() };
    take(&scene, &settings, &mut |_| ()).unwrap_or_else(|e| panic!("{e:#?}")).dump.expect("a dump was asked for")
}

/// Every link of one scene that has blended panes, a sky and a shadow.
#[test]
fn links_of_a_scene() {
    for (name, link) in [
        ("scene", Dump::Scene),
        ("world", Dump::World),
        ("shot", Dump::Shot),
        ("keys", Dump::Keys),
        ("plan", Dump::Plan),
    ] {
        insta::assert_snapshot!(format!("alpha_blend_{name}"), dump("material/alpha_blend.toml", link));
    }
}

/// The plan where lights of every kind cast shadows and the environment is a file.
#[test]
fn plans_of_larger_scenes() {
    insta::assert_snapshot!("hero_plan", dump("showcase/hero.toml", Dump::Plan));
    insta::assert_snapshot!("three_colours_plan", dump("light/three_colours.toml", Dump::Plan));
    insta::assert_snapshot!("gltf_scene_world", dump("import/gltf_scene.toml", Dump::World));
}

/// The adapter's instructions for one of our shaders: each line is a step that 256 lanes take.
#[test]
fn instructions_of_a_pass() {
    let listing = stillframe_soft::listing(
        "@group(0) @binding(0) var<uniform> lamp: vec4f;
        @fragment fn fragment(@location(0) normal: vec3f, @location(1) tint: vec4f) -> @location(0) vec4f {
            let facing = max(dot(normalize(normal), lamp.xyz), 0.0);
            if tint.w < 0.5 { discard; }
            return vec4f(tint.rgb * facing * lamp.w, 1.0);
        }",
    );
    insta::assert_snapshot!("lambert_program", listing.expect("a valid text"));
}
