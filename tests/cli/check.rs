//! `check` says what `render` would: mistakes that only the files of a scene show, each with its place.

use std::collections::BTreeSet;
use std::fs;
use std::path::Path;

use super::{err, folder, out, run, status};

/// A scene with a lit figure, and more of it.
fn scene(here: &Path, text: &str) {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    fs::copy(root.join("scenes/assets/mannequin.glb"), here.join("mannequin.glb")).unwrap();
    let start = "title = 'x'\n[output]\nsize_px = [16, 16]\ncamera = 'auto'\n[environment]\ncolor = '#ffffff'\n\
                 [model.m]\nfile = 'mannequin.glb'\n[[node]]\nname = 'figure'\nmodel = 'm'\n";
    fs::write(here.join("scene.toml"), format!("{start}{text}")).unwrap();
}

/// What `check` and `render` say of it is the same, with status 2, and `--no-models` leaves it alone.
fn told(here: &Path, arguments: &[&str]) -> String {
    let with = |command: &[&'static str]| run(here, &[command, &["scene.toml"], arguments].concat());
    let told = with(&["check"]);
    assert_eq!(status(&told), 2, "{}", err(&told));
    let rendered = with(&["render", "-o", "a.png"]);
    let lines = |text: String| text.lines().map(str::to_string).collect::<BTreeSet<_>>();
    assert_eq!((status(&rendered), lines(err(&rendered))), (2, lines(err(&told))));
    let alone = with(&["check", "--no-models"]);
    assert_eq!((status(&alone), err(&alone)), (0, String::new()));
    err(&told)
}

#[test]
fn a_clip_that_the_file_lacks_is_underlined() {
    let here = folder("check_clip");
    scene(&here, "[[animator]]\nname = 'a'\nmodel = 'm'\nclip = 'wlak'\n[[node]]\nmodel = 'm'\nanimator = 'a'\n");
    let words = told(&here, &[]);
    for part in ["E0506", "scene.toml:15:8", "mannequin.glb: animator \"a\"", "did you mean \"walk\"?"] {
        assert!(words.contains(part), "{part}: {words}");
    }
}

#[test]
fn an_argument_that_names_no_clip_is_underlined() {
    let here = folder("check_set");
    scene(&here, "");
    let words = told(&here, &["--set", "model.m.clip=wlak"]);
    assert!(words.contains("E0506") && words.contains("--set:1:14"), "{words}");
}

#[test]
fn a_joint_on_the_other_side_is_not_proposed() {
    let here = folder("check_joint");
    scene(&here, "[[node]]\nparent = 'figure'\njoint = 'hand_r'\nshape = 'sphere'\n");
    let words = told(&here, &[]);
    for part in ["E0502", "scene.toml:14:9", "did you mean \"Hand.R\"?"] {
        assert!(words.contains(part), "{part}: {words}");
    }
}

#[test]
fn a_texture_that_is_a_model_is_underlined() {
    let here = folder("check_texture");
    fs::write(here.join("x.glb"), "nothing").unwrap();
    scene(&here, "[material.p]\nbase_color_texture = 'x.glb'\n[[node]]\nshape = 'box'\nmaterial = 'p'\n");
    let words = told(&here, &[]);
    assert!(words.contains("E0415") && words.contains("scene.toml:13:22"), "{words}");
}

#[test]
fn one_bad_file_hides_no_other() {
    let here = folder("check_several");
    for name in ["bad.glb", "bad.png", "bad.clip", "bad.hdr"] {
        fs::write(here.join(name), "nothing").unwrap();
    }
    let more = "[model.b]\nfile = 'bad.glb'\n[model.o.override.\"*\"]\nbase_color_texture = 'bad.hdr'\n[model.o]\n\
                file = 'mannequin.glb'\n[material.p]\nbase_color_texture = 'bad.png'\n\
                [[node]]\nshape = 'box'\nmaterial = 'p'\n[[node]]\nmodel = 'o'\n[[node]]\nmodel = 'b'\n\
                [[clip]]\nname = 'c'\nfile = 'bad.clip'\n\
                [[animator]]\nname = 'a'\nmodel = 'm'\nclip = 'wlak'\n[[node]]\nmodel = 'm'\nanimator = 'a'\n\
                [[animator]]\nname = 'b'\nmodel = 'b'\nclip = 'walk'\n[[node]]\nmodel = 'b'\nanimator = 'b'\n\
                [[animator]]\nname = 'c'\nmodel = 'm'\nclip = 'c'\n[[node]]\nmodel = 'm'\nanimator = 'c'\n\
                [[crowd]]\nmodel = 'b'\nclips = ['walk']\ncount = 2\n\
                [[node]]\nparent = 'figure'\njoint = 'hand_r'\nshape = 'sphere'\n";
    scene(&here, more);
    let words = told(&here, &[]);
    for part in ["'bad.glb'", "'bad.png'", "'bad.hdr'", "'bad.clip'", "'wlak'", "'hand_r'", "6 errors"] {
        assert!(words.contains(part), "{part}: {words}");
    }
}

#[test]
fn a_picture_without_anything_is_a_warning() {
    let here = folder("check_empty");
    let ball = "title = 'x'\n[output]\nsize_px = [16, 16]\n[camera.main]\nposition = [0, 0, 4]\nlook_at = [0, 0, AT]\n\
                [[node]]\nshape = 'sphere'\nmaterial = 'm'\n[material.m]\n";
    let sun = "[[light]]\ndirection = [0, -1, -1]\n";
    for (at, more, code) in [
        ("0", sun.to_string(), ""),
        ("0", String::new(), "W0605"),
        ("0", "unlit = true\n".to_string(), ""),
        ("0", "emissive = [1, 1, 1]\n".to_string(), ""),
        ("0", "[environment]\ncolor = '#ffffff'\n".to_string(), ""),
        ("0", "[test]\naov = ['depth', 'normal']\n".to_string(), ""),
        ("8", sun.to_string(), "W0604"),
        ("8", "[environment]\ncolor = '#ffffff'\n".to_string(), "W0604"),
    ] {
        fs::write(here.join("a.toml"), format!("{}{more}", ball.replace("AT", at))).unwrap();
        for command in [&["check", "a.toml"][..], &["render", "a.toml", "-o", "a.png"]] {
            let output = run(&here, command);
            let words = err(&output);
            let is_aovs = more.starts_with("[test]") && command[0] == "render";
            assert_eq!(status(&output), 0, "{words}");
            assert!(
                is_aovs || words.contains(code) && words.is_empty() == code.is_empty(),
                "{more} {command:?}: {words}"
            );
        }
        let strict = run(&here, &["check", "a.toml", "--strict"]);
        assert_eq!(status(&strict), if code.is_empty() { 0 } else { 2 }, "{more}");
    }
    let depth = run(&here, &["render", "a.toml", "--look", "0,0,4:0,0,0", "--aov", "depth", "-o", "a.exr"]);
    assert_eq!((status(&depth), err(&depth)), (0, String::new()));
}

/// Clips of a finer figure on a coarser one are told, as that warning says; nothing else is.
#[test]
fn our_scenes_are_lit_and_seen() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let output = run(root, &["check", "scenes", "docs/scene", "--json"]);
    assert_eq!(status(&output), 0, "{}", err(&output));
    let told = format!("{}{}", out(&output), err(&output));
    let known = |line: &&str| line.contains("\"W0556\"");
    let others: Vec<&str> = told.lines().filter(|line| !known(line)).collect();
    assert!(others.is_empty(), "{others:#?}");
}

#[test]
fn words_of_other_programs_are_understood() {
    let here = folder("check_words");
    let start = "title = 'x'\n[output]\ncamera = 'auto'\n";
    let light = "[[node]]\nshape = 'box'\n[[light]]\n";
    let machine = |when: &str| {
        format!(
            "[model.m]\nfile = 'm.glb'\n[[animator]]\nname = 'a'\nmodel = 'm'\nparameter = [{{ name = 'p' }}]\n\
             [[animator.node]]\nname = 'one'\nkind = 'clip'\nclip = 'x'\n\
             [[animator.node]]\nname = 's'\nkind = 'machine'\nstate = [{{ name = 'u', node = 'one' }}, {{ name = 'v', node = 'one' }}]\n\
             transition = [{{ from = 'u', to = 'v', when = '{when}' }}]\n[[node]]\nmodel = 'm'\nanimator = 'a'\n"
        )
    };
    fs::write(here.join("m.glb"), "nothing").unwrap();
    for (text, help) in [
        ("[[node]]\nshape = 'cube'\n".to_string(), "did you mean `box`?"),
        (format!("{light}kind = 'area'\n"), "one of `directional`, `point`, `spot`"),
        (format!("{light}kind = 'sun'\n"), "did you mean `directional`?"),
        (format!("{light}direction = [0, -1, 0]\nintensity = 3\n"), "did you mean `illuminance_lux`?"),
        (format!("{light}kind = 'spot'\nintensity = 3\n"), "did you mean `intensity_cd`?"),
        ("[[node]]\nshape = 'box'\n[material.m]\nbase_color = [255, 0, 0]\n".to_string(), "did you mean \"#ff0000\"?"),
        (machine("p > 1 && p < 2"), "write `and`"),
        (machine("p > 1 || p < 2"), "write `or`"),
        (machine("p == 1"), "write `=`"),
        (machine("!p > 1"), "write `not`"),
    ] {
        fs::write(here.join("a.toml"), format!("{start}{text}")).unwrap();
        let output = run(&here, &["check", "a.toml", "--no-models"]);
        assert_eq!(status(&output), 2, "{text}");
        assert!(err(&output).contains(help), "{text}: {}", err(&output));
    }
}
