//! What passes leave for each other, as cases of their own.

use stillframe_frames::run::Status;

use super::ground::Ground;

/// The project's own scene, without the light from around.
fn stage() -> String {
    let text = include_str!("../../scenes/aov/between.toml");
    let (before, after) = text.split_once("[environment]").unwrap();
    let (_, after) = after.split_once("[[light]]").unwrap();
    let (scene, _) = after.split_once("aov = ").unwrap();
    format!("{before}[[light]]{scene}aov = [\"linear\", \"shadow.0\"]\n")
}

#[test]
fn each_stage_is_a_case_that_fails_for_what_it_depends_on() {
    let ground = Ground::new("between");
    ground.write("scenes/a/stage.toml", stage());
    ground.settle();
    let lock = ground.read("references/a/frames.lock");
    assert!(lock.contains("stage#linear") && lock.contains("stage#shadow.0"), "{lock}");
    let statuses = |was: &str, is: &str, code: i32| {
        let text = stage();
        assert!(text.contains(was));
        ground.write("scenes/a/stage.toml", text.replace(was, is));
        ground.run(&["test"]).code(code);
        let status = |name: &str| ground.record(name).status;
        (status("a/stage#linear"), status("a/stage#shadow.0"))
    };
    // After both of them.
    assert_eq!(statuses("samples = 4", "samples = 4\ntonemap = \"aces\"", 0), (Status::Pass, Status::Pass));
    // In the scene pass.
    assert_eq!(statuses("#b8452f", "#b8452e", 1), (Status::Differs, Status::Pass));
    assert_eq!(statuses("[-0.4, 0.25, 0.2]", "[-0.4, 0.3, 0.2]", 1), (Status::Differs, Status::Differs));
    for name in ["a/stage#linear", "a/stage#shadow.0"] {
        let record = ground.record(name);
        let why = record.why_differs.as_ref().unwrap();
        assert_eq!(why.first_pass.as_ref().unwrap().name, "local map 0", "{name}");
        assert!(record.old_picture.is_some() && record.new_picture.is_some(), "{name}");
        // Its pixels are the lamp's, not the camera's: no object lies under them.
        assert_eq!(why.objects.is_empty(), name.ends_with("shadow.0"), "{name}");
    }
    ground.run(&["accept", "--all"]).code(0);
    ground.run(&["test", "--no-cache", "--via", "all"]).code(0);
}

#[test]
fn what_no_pass_leaves_is_a_mistake() {
    let ground = Ground::new("between-none");
    for (layer, help) in [
        ("shadow.1", "available is `shadow.0`"),
        ("radiance.0", "no environment lights a surface"),
        ("shadow.01", "did you mean `shadow.N`"),
        ("shadow", "did you mean"),
    ] {
        ground.write("scenes/a/stage.toml", stage().replace("\"shadow.0\"", &format!("\"{layer}\"")));
        let run = ground.run(&["test"]).code(2);
        let told = run.out + &run.err;
        assert!(told.contains(help), "{layer}: {told}");
    }
}

#[test]
fn render_writes_them() {
    let ground = Ground::new("between-render");
    ground.write("scenes/a/stage.toml", stage());
    ground.run(&["render", "scenes/a/stage.toml", "--aov", "shadow.0", "-o", "map.exr"]).code(0);
    ground.run(&["render", "scenes/a/stage.toml", "--aov", "color,linear,depth", "-o", "seen.exr"]).code(0);
    let both = ground.run(&["render", "scenes/a/stage.toml", "--aov", "color,shadow.0", "-o", "both.exr"]).code(2);
    assert!(both.err.contains("256x256") && both.err.contains("a separate file"), "{}", both.err);
    ground.run(&["render", "scenes/a/stage.toml", "--aov", "shadow.0", "-o", "map.png"]).code(0);
    let map = image::open(ground.path("map.png")).unwrap().to_rgb8();
    assert_eq!(map.dimensions(), (256, 256));
    let lit = map.pixels().filter(|texel| texel.0 != [0; 3]).count();
    assert!((1000..100_000).contains(&lit), "{lit}");
}
