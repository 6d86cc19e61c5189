//! Light from around is neither made nor lost on the way to reflections: the dump of its levels.

use stillframe::take::{Dump, Settings, take};

use crate::truth::scene_of;

/// Names of the levels, and how far each is off the first, in percent.
fn levels(environment: &str) -> Vec<(String, f64)> {
    let scene = scene_of(&format!(
        "title = 'x'\n[output]\nsize_px = [16, 16]\n[camera.main]\nposition = [0.0, 0.0, 3.0]\n\
         look_at = [0.0, 0.0, 0.0]\n[material.m]\nroughness = 0.0\n[[node]]\nshape = 'sphere'\nmaterial = 'm'\n\
         [environment]\n{environment}\n"
    ));
    let settings = Settings { dump: Some(Dump::Environment), ..Settings::default() };
    let text = take(&scene, &settings, &mut |_| ()).expect("a dump").dump.expect("it was asked for");
    print!("{text}");
    let line = |line: &str| {
        let (name, rest) = line.split_once(' ').expect("a name");
        let (_, off) = rest.rsplit_once(", ").expect("a share");
        (name.to_string(), off.trim_end_matches(" %").parse().expect("a number"))
    };
    text.lines().map(line).collect()
}

#[test]
fn every_level_has_the_same_mean() {
    for (environment, bound) in [
        ("color = [0.5, 0.6, 0.7]", 0.01),
        ("gradient = { zenith = [0.2, 0.4, 1.0], horizon = [1.0, 0.8, 0.5], ground = [0.2, 0.1, 0.05] }", 0.1),
        ("file = 'assets/env_axes.exr'", 0.1),
        ("file = 'assets/env_studio.exr'", 0.5),
        ("file = 'assets/env_studio.exr'\nquality = 256", 2.1),
    ] {
        println!("{environment}");
        let levels = levels(environment);
        let has = |kind: &str| levels.iter().any(|(name, _)| name == kind);
        assert!(has("radiance.0") && has("specular.0"), "{levels:?}");
        // Small levels of the cube are means of texels, whatever their solid angle, and nothing reads them.
        for (name, off) in levels.iter().filter(|(name, _)| name.starts_with("specular")) {
            assert!(off.abs() <= bound, "{environment}: {name} is {off} % off");
        }
    }
}
