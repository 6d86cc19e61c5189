//! Drawing as a user of the library sees it: what is told along with a dump, what statistics count, switches of memory.

use std::fs;
use std::path::PathBuf;

use stillframe::take::{Capture, Dump, Settings, Take, take};
use stillframe_scene::scene::{PlanOptions, Scene, read};

/// An empty folder of this test's own.
fn folder(name: &str) -> PathBuf {
    let folder = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join("drawing").join(name);
    _ = fs::remove_dir_all(&folder);
    fs::create_dir_all(&folder).unwrap();
    folder
}

fn scene(name: &str, text: &str) -> Scene {
    let file = folder(name).join("scene.toml");
    fs::write(&file, text).unwrap();
    read(&file, &[]).unwrap_or_else(|found| panic!("{found:#?}")).scene
}

fn taken(scene: &Scene, settings: &Settings) -> Take {
    take(scene, settings, &mut |_| ()).unwrap_or_else(|error| panic!("{error:#?}"))
}

fn codes(take: &Take) -> Vec<&'static str> {
    take.warnings.iter().map(|warning| warning.code).collect()
}

/// A model that is tolerated: one of its triangles has no area.
#[test]
fn warnings_come_along_with_every_dump() {
    let text = "title = 'x'\n[output]\nsize_px = [8, 8]\n[camera.main]\nposition = [0, 0, 3]\nlook_at = [0, 0, 0]\n\
                [[light]]\n[model.flat]\nfile = 'flat.obj'\n[[node]]\nmodel = 'flat'\n";
    let here = folder("warnings");
    fs::write(here.join("flat.obj"), "v 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 3\nf 1 1 2\n").unwrap();
    fs::write(here.join("scene.toml"), text).unwrap();
    let scene = read(&here.join("scene.toml"), &[]).unwrap_or_else(|found| panic!("{found:#?}")).scene;
    let want = codes(&taken(&scene, &Settings::default()));
    assert!(want.contains(&"W0551"), "{want:?}");
    for dump in [Dump::World, Dump::Shot, Dump::Plan, Dump::Keys, Dump::Wgsl, Dump::Program, Dump::Animation] {
        let take = taken(&scene, &Settings { dump: Some(dump), ..Settings::default() });
        assert!(take.dump.is_some() && codes(&take) == want, "{dump:?}: {:?}", take.warnings);
    }
}

/// Point lights need six maps each, and an array has 256 layers: then several share one.
#[test]
fn no_light_lacks_its_shadow() {
    // Inside of what it lights: all six sides are needed.
    let lights = "[[light]]\nkind = 'point'\nposition = [0, 0, 0]\nintensity_cd = 1.0\n";
    let stage = "title = 'x'\n[output]\nsize_px = [8, 8]\nsamples = 1\n[camera.main]\nposition = [0, 1, 3]\nlook_at = [0, 0, 0]\n\
                 [[node]]\nshape = 'sphere'\n";
    for count in [2, 44, 60] {
        let scene = scene("room", &format!("{stage}{}", lights.repeat(count)));
        let take = taken(&scene, &Settings::default());
        assert_eq!(take.stats.shadow_maps, 6 * count as u32);
        assert_eq!(codes(&take), Vec::<&str>::new());
    }
}

/// Whoever shares memory, or fills it with NaN, draws the same, pass by pass.
#[test]
fn switches_of_memory_change_no_pass() {
    let stage = "title = 'x'\n[output]\nsize_px = [48, 32]\nsamples = 1\nbackground = 'environment'\n[camera.main]\nposition = [0, 1, 3]\n\
                 look_at = [0, 0, 0]\n[environment]\nsky = {}\n[[node]]\nshape = 'sphere'\n[[light]]\nkind = 'spot'\nposition = [1, 3, 1]\n\
                 look_at = [0, 0, 0]\nintensity_cd = 20.0\n";
    let plain = scene("memory", stage);
    assert!(!plain.print().contains("[plan]"), "what changes nothing is not printed");
    let aovs = "color,linear,depth,motion,shadow.0,radiance.1".split(',');
    let aovs: Vec<_> = aovs.map(|word| stillframe_scene::scene::Aov::parse(word).unwrap()).collect();
    let settings = Settings { capture: Capture::Passes, aovs, ..Settings::default() };
    let want = taken(&plain, &settings);
    for (lines, options) in [
        ("alias = 'off'", PlanOptions { alias: false, poison: false }),
        ("poison = true", PlanOptions { alias: true, poison: true }),
        ("alias = 'off'\npoison = true", PlanOptions { alias: false, poison: true }),
    ] {
        let scene = scene("memory", &format!("{stage}[plan]\n{lines}\n"));
        assert_eq!(scene.plan, options);
        let printed = scene.print();
        assert!(printed.contains(&format!("[plan]\n{}", lines.replace('\'', "\""))), "{printed}");
        let take = taken(&scene, &settings);
        assert!(take.pictures == want.pictures && take.captures == want.captures, "{lines}");
        assert_eq!(take.stats.target_bytes > want.stats.target_bytes, !options.alias, "{lines}");
    }
}
