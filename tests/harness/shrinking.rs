//! `shrink`: a large scene becomes a small one that still does what is asked.

use std::fmt::Write;
use std::fs;

use super::ground::Ground;

/// 200 nodes, two lights, a sky; names that a fault can mean.
fn crowd(ground: &Ground) {
    let mut text = String::from(
        "title = \"Crowd\"\n[output]\nsize_px = [160, 120]\n[environment]\nsky = { sun_elevation_deg = 30.0 }\n\
         [camera.main]\nposition = [0.0, 14.0, 22.0]\nlook_at = [0.0, 0.0, 0.0]\n[camera.other]\nposition = [0.0, 1.0, 22.0]\n\
         [material.stone]\nbase_color = \"#808890\"\n[material.lamp]\nbase_color = \"#000000\"\nemissive = [1.0, 0.5, 0.2]\n\
         [material.glass]\nbase_color = [0.2, 0.5, 0.9, 0.4]\nalpha_mode = \"blend\"\n\
         [[light]]\nname = \"sun\"\nkind = \"directional\"\nilluminance_lux = 3.0\ndirection = [-0.5, -1.0, -0.3]\n\
         [[light]]\nname = \"bulb\"\nkind = \"point\"\nintensity_cd = 30.0\nposition = [3.0, 4.0, 2.0]\n\
         [[node]]\nname = \"floor\"\nshape = \"plane\"\nsize_m = [40.0, 40.0]\nmaterial = \"stone\"\n",
    );
    for index in 0..199 {
        let (x, z) = (f64::from(index % 20) - 9.5, f64::from(index / 20) * 1.5 - 7.0);
        let material = match index {
            77 => "lamp",
            _ if index % 17 == 3 => "glass",
            _ => "stone",
        };
        let shape = ["sphere", "box", "cone"][index as usize % 3];
        let parent = if index % 10 == 9 { format!("parent = \"n{}\"\n", index - 1) } else { String::new() };
        let _ = write!(
            text,
            "[[node]]\nname = \"n{index}\"\n{parent}shape = \"{shape}\"\nposition = [{x:?}, 0.6, {z:?}]\nscale = 0.7\nmaterial = \"{material}\"\n"
        );
    }
    ground.write("scenes/a/crowd.toml", text);
}

fn count(text: &str, heading: &str) -> usize {
    text.lines().filter(|line| *line == heading).count()
}

#[test]
fn two_hundred_nodes_become_a_few() {
    let ground = Ground::new("shrink");
    crowd(&ground);
    let faults = "[[fault]]\nname = \"moved\"\nnumber = [{ path = \"item.x\", of = \"n120\", add = 0.3 }]\n\
                  [[fault]]\nname = \"shadow\"\nstate = [\"shadow-lost\"]\n\
                  [[fault]]\nname = \"lamp\"\nnumber = [{ path = \"material.emissive\", scale = 0.0 }]\n\
                  [[fault]]\nname = \"blend\"\nstate = [\"blend-off\"]\n\
                  [[fault]]\nname = \"sky\"\ntext = [{ find = \"step_radiance(n, 0u)\", replace = \"step_radiance(n, 4u)\" }]\n";
    ground.write("faults.toml", faults);
    for (fault, needs) in
        [("moved", "n120"), ("shadow", "[[light]]"), ("lamp", "emissive"), ("blend", "blend"), ("sky", "sky")]
    {
        let file = format!("scenes/small/{fault}.toml");
        fs::create_dir_all(ground.path("scenes/small")).unwrap();
        let ran = ground
            .run(&["shrink", "a/crowd", "--fault", fault, "--faults", "faults.toml", "-o", &file])
            .code(0)
            .says(&format!("wrote {file}: "))
            .says("of 200 nodes");
        // Else it took a minute, and something smaller may be left.
        assert!(!ran.err.contains("time was up"), "{fault}: {}", ran.err);
        let text = ground.read(&file);
        assert!(count(&text, "[[node]]") <= 5 && count(&text, "[[light]]") <= 1, "{fault}:\n{text}");
        assert!(text.contains(needs) && !text.contains("camera.other"), "{fault}:\n{text}");
        // It is a case of its own.
        ground.run(&["list", &format!("small/{fault}")]).code(0).says(&format!("small/{fault}"));
    }
    let again =
        ["shrink", "small/blend", "--fault", "blend", "--faults", "faults.toml", "-o", "scenes/small/again.toml"];
    ground.run(&again).code(0);
    let nodes = |file: &str| count(&ground.read(file), "[[node]]");
    assert_eq!(nodes("scenes/small/again.toml"), nodes("scenes/small/blend.toml"), "nothing more is found");
}

#[test]
fn files_of_a_shrunk_scene_are_found_from_its_folder() {
    let ground = Ground::new("shrink-files");
    let picture = stillframe_frames::Picture::new(1, 1, 3, stillframe_frames::Samples::U8(vec![200, 10, 10])).unwrap();
    let png = stillframe_frames::encode_png(&picture, stillframe_frames::PngEffort::Small).unwrap();
    ground.write("scenes/assets/one.png", png);
    ground.ball("a/ball", "#ffffff", "[test]\naov = [\"color\", \"depth\"]\n");
    let scene = ground.read("scenes/a/ball.toml");
    let textured = scene.replace("unlit = true", "unlit = true\nbase_color_texture = \"../assets/one.png\"");
    ground.write("scenes/a/ball.toml", textured);
    let fault = "[[fault]]\nname = \"texel\"\nnumber = [{ path = \"image.texel\", add = 0.2 }]\n";
    ground.write("faults.toml", fault);
    fs::create_dir_all(ground.path("scenes/b/c")).unwrap();
    for (more, file, name) in [
        (&[][..], "scenes/a/ball_shrunk.toml", "../assets/one.png"),
        (&["-o", "scenes/b/c/small.toml"][..], "scenes/b/c/small.toml", "../../assets/one.png"),
    ] {
        let arguments = [&["shrink", "a/ball", "--fault", "texel", "--faults", "faults.toml"], more].concat();
        ground.run(&arguments).code(0);
        assert!(ground.read(file).contains(name), "{}", ground.read(file));
        ground.run(&["check", file]).code(0);
    }
    ground
        .run(&["shrink", "a/ball", "--fault", "texel", "--faults", "faults.toml"])
        .code(2)
        .complains("already exists");
    ground
        .run(&["shrink", "a/ball", "--fault", "texel", "--faults", "faults.toml", "-o", "../x.toml"])
        .code(2)
        .complains("outside");
    // Depth knows no texels.
    ground
        .run(&["shrink", "a/ball#depth", "--fault", "texel", "--faults", "faults.toml", "-o", "scenes/b/x.toml"])
        .code(2)
        .complains("nothing to shrink");
}

#[test]
fn what_does_not_fail_is_not_shrunk() {
    let ground = Ground::new("shrink-not");
    ground.ball("a/ball", "#ffffff", "");
    ground.run(&["shrink", "a/ball"]).code(2).complains("needs something to differ from");
    ground.run(&["shrink", "a/none", "--fault", "depth-reversed"]).code(4);
    ground.run(&["shrink", "a/ball", "--fault", "no-such"]).code(2);
    ground.run(&["shrink", "a/ball", "--while", "nondet"]).code(2).complains("nothing to shrink");
    ground.run(&["shrink", "a/ball", "--while", "panics"]).code(2).complains("nothing to shrink");
    ground.run(&["shrink", "a/ball", "--fault", "directional-dim"]).code(2).complains("nothing to shrink");
    assert!(!ground.path("scenes/a/ball_shrunk.toml").exists());
}

/// Another program answers `hash -`: a shell script that looks at the scene's words before the real one draws.
#[cfg(unix)]
#[test]
fn another_program_is_asked() {
    use std::os::unix::fs::PermissionsExt;
    let ground = Ground::new("shrink-program");
    crowd(&ground);
    let script = |name: &str, text: &str| {
        ground.write(name, format!("#!/bin/sh\nscene=$(cat)\nboth() {{ case $scene in *'\"n12\"'*'\"n150\"'*) true ;; *) false ;; esac; }}\n{text}\n"));
        fs::set_permissions(ground.path(name), fs::Permissions::from_mode(0o755)).unwrap();
    };
    let own = env!("CARGO_BIN_EXE_stillframe");
    script("panics.sh", "if both; then kill -ABRT $$; fi");
    script("differs.sh", &format!("if both; then echo b3:0 1x1; else printf '%s' \"$scene\" | '{own}' \"$@\"; fi"));
    script("nondet.sh", "if both; then echo \"b3:$8\"; else echo b3:1; fi");
    script("never.sh", "if both; then exec sleep 1000; fi");
    for (what, name) in [("panics", "panics.sh"), ("differs", "differs.sh"), ("nondet", "nondet.sh")] {
        let program = ground.path(name);
        let file = format!("scenes/a/{what}.toml");
        let arguments = ["shrink", "a/crowd", "--while", what, "--against", program.to_str().unwrap(), "-o", &file];
        ground.run(&arguments).code(0);
        let text = ground.read(&file);
        assert!(text.contains("\"n12\"") && text.contains("\"n150\""), "{what}:\n{text}");
        assert_eq!(count(&text, "[[node]]"), 2, "{what}:\n{text}");
    }
    let program = ground.path("never.sh");
    let arguments =
        ["shrink", "a/crowd", "--while", "panics", "--against", program.to_str().unwrap(), "--time-limit", "0.5"];
    ground.run(&arguments).code(2).complains("nothing to shrink");
}
