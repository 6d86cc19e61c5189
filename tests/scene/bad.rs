//! Files with mistakes: each says in its first lines what is to be complained about and where, and nothing else may be.
//!
//! `# error CODE LINE:COLUMN UNDERLINED TEXT`, or `# error CODE whole file`; the name of an included file stands before
//! its line.

use std::fs;
use std::path::{Path, PathBuf};

use stillframe_asset::source::{Diagnostic, Vfs, line_column};
use stillframe_scene::scene::{read, resolve_text};
use stillframe_world::world::{build, drifting_spaces, open};

fn folder() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/data/bad")
}

fn scene_files() -> Vec<PathBuf> {
    scene_files_in(&folder())
}

fn scene_files_in(folder: &Path) -> Vec<PathBuf> {
    let entries = fs::read_dir(folder).unwrap().map(|e| e.unwrap().path());
    let mut files: Vec<PathBuf> = entries.filter(|p| p.extension().is_some_and(|e| e == "toml")).collect();
    files.sort();
    files
}

/// A complaint in the form of the files' first lines.
fn line(file: &Path, diagnostic: &Diagnostic) -> String {
    let Some(span) = &diagnostic.span else { return format!("# error {} whole file", diagnostic.code) };
    let text = fs::read_to_string(&diagnostic.file).unwrap();
    let at = line_column(&text, span.start);
    let underlined = text[span.clone()].trim_end_matches('\n');
    let other = diagnostic.file.strip_prefix(folder()).ok().filter(|_| diagnostic.file != file);
    let other = other.map_or(String::new(), |name| format!("{} ", name.display()));
    format!("# error {} {other}{}:{} {underlined}", diagnostic.code, at.line, at.column).trim_end().to_string()
}

#[test]
fn every_mistake_is_found_where_it_is() {
    let files = scene_files();
    assert!(files.len() >= 210, "only {} files", files.len());
    let mut wrong = Vec::new();
    for file in &files {
        let text = fs::read_to_string(file).unwrap();
        let mut want: Vec<&str> = text.lines().filter(|l| l.starts_with("# error ")).collect();
        let found = read(file, &[]).err().unwrap_or_default();
        let mut got: Vec<String> = found.iter().map(|d| line(file, d)).collect();
        want.sort();
        got.sort();
        if want != got || want.is_empty() {
            wrong.push(format!("{}\n  want {want:#?}\n  got {got:#?}\n{found:#?}", file.display()));
        }
    }
    assert!(wrong.is_empty(), "{} files:\n{}", wrong.len(), wrong.join("\n"));
}

/// Files without mistakes that say what nothing reads: each says in its first lines what is to be told and where.
#[test]
fn what_nothing_reads_is_told_where_it_is() {
    let files = scene_files_in(&folder().with_file_name("unread"));
    assert!(files.len() >= 4, "only {} files", files.len());
    for file in files {
        let text = fs::read_to_string(&file).unwrap();
        let want: Vec<String> =
            text.lines().filter(|l| l.starts_with("# warning ")).map(|l| l.replacen("warning", "error", 1)).collect();
        let told = read(&file, &[]).unwrap_or_else(|found| panic!("{}: {found:#?}", file.display())).warnings;
        let got: Vec<String> = told.iter().map(|d| line(&file, d)).collect();
        assert_eq!(got, want, "{}: {told:#?}", file.display());
        assert!(!want.is_empty(), "{}", file.display());
        for diagnostic in &told {
            assert!(diagnostic.help.is_some(), "{diagnostic:?}");
            assert!((8..=160).contains(&diagnostic.message.len()), "{diagnostic:?}");
        }
    }
}

/// Clips that drift apart are told where they are mixed; what keeps step, or is of one length, is not.
#[test]
fn clips_that_drift_apart_are_told() {
    let assets = Path::new(env!("CARGO_MANIFEST_DIR")).join("scenes/assets");
    let vfs = Vfs::open(&assets).unwrap();
    let told = |clips: [&str; 2], last: &str| {
        let [first, second] = clips;
        let text = format!(
            "title = 'x'\n[camera.main]\n[model.m]\nfile = 'doll.gltf'\n[[clip]]\nname = 'half walk'\nmodel = 'm'\nsource = 'walk'\nend_s = 0.7\n\
             [[animator]]\nname = 'a'\nmodel = 'm'\nparameter = [{{ name = 'x' }}]\n\
             [[animator.node]]\nname = 'one'\nkind = 'clip'\nclip = '{first}'\n\
             [[animator.node]]\nname = 'two'\nkind = 'clip'\nclip = '{second}'\n\
             [[animator.node]]\nname = 'three'\nkind = 'follow'\nclip = 'run'\nleader = 'one'\n\
             [[animator.node]]\nname = 'line'\nkind = 'line'\nparameter = 'x'\nat = [0, 1, 2]\n{last}\n\
             [[node]]\nmodel = 'm'\nanimator = 'a'\n"
        );
        let resolved =
            resolve_text(&text, Path::new("scene.toml"), &assets, &vfs, &[]).unwrap_or_else(|d| panic!("{d:#?}"));
        let found = drifting_spaces(&resolved.scene, &resolved.free_spaces, &|path| vfs.read(path));
        // Who opens the scene is told the same, without a place.
        let loaded = open(&resolved.scene, None, &|path| vfs.read(path)).unwrap_or_else(|d| panic!("{d:#?}"));
        let opened: Vec<&str> = loaded.warnings.iter().map(|d| d.message.as_str()).collect();
        assert_eq!(opened, found.iter().map(|d| d.message.as_str()).collect::<Vec<_>>());
        found.iter().map(|d| (d.code, d.message.clone(), text[d.span.clone().unwrap()].to_string())).collect::<Vec<_>>()
    };
    let inputs = "inputs = ['one', 'two', 'three']";
    let [(code, message, underlined)] = &told(["walk", "run"], inputs)[..] else { panic!("one warning") };
    assert_eq!((*code, underlined.as_str()), ("W0555", "['one', 'two', 'three']"));
    let words = "animator `a`: node `line` mixes clips that drift apart: `one` 1.000 s, `two` 0.700 s";
    assert_eq!(message, words);
    for (clips, last) in [
        (["walk", "arc"], inputs),
        (["half walk", "run"], inputs),
        (["walk", "run"], "inputs = ['one', 'three', 'one']"),
        (["walk", "run"], "clips = ['walk', 'run', 'idle']"),
    ] {
        let told = told(clips, last);
        assert!(told.is_empty(), "{clips:?} {last}: {told:?}");
    }
}

/// Scenes of this repository say nothing in vain.
#[test]
fn our_scenes_have_no_warnings() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let mut folders = vec![root.join("scenes"), root.join("docs/scene")];
    let mut count = 0;
    while let Some(folder) = folders.pop() {
        folders.extend(fs::read_dir(&folder).unwrap().map(|e| e.unwrap().path()).filter(|path| path.is_dir()));
        for file in scene_files_in(&folder) {
            if !fs::read_to_string(&file).unwrap().lines().any(|line| line.starts_with("title = ")) {
                continue;
            }
            let resolved = read(&file, &[]).unwrap_or_else(|found| panic!("{}: {found:#?}", file.display()));
            let vfs = resolved.scene.vfs().unwrap();
            let drifting = drifting_spaces(&resolved.scene, &resolved.free_spaces, &|path| vfs.read(path));
            assert!(resolved.warnings.is_empty(), "{}: {:#?}", file.display(), resolved.warnings);
            assert!(drifting.is_empty(), "{}: {drifting:#?}", file.display());
            count += 1;
        }
    }
    assert!(count > 200, "only {count} scenes");
}

/// A message says what is wrong in one line, with no words of the implementation.
#[test]
fn messages_are_readable() {
    for file in scene_files() {
        for diagnostic in read(&file, &[]).unwrap_err() {
            let message = &diagnostic.message;
            assert!((8..=160).contains(&message.len()), "{}: {message}", file.display());
            for word in ["Some(", "None", "Vec", "::", "\n", "unwrap", "  "] {
                assert!(!message.contains(word), "{}: {message}", file.display());
            }
            assert!(!message.ends_with('.'), "{}: {message}", file.display());
        }
    }
}

#[test]
fn near_misses_are_named() {
    for (file, help) in [
        ("unknown_key", "did you mean `fov_y_deg`?"),
        ("unknown_table", "did you mean `material`?"),
        ("background_word", "did you mean `transparent`?"),
        ("camera_unknown", "did you mean `main`?"),
        ("material_unknown", "did you mean `brick`?"),
        ("parent_unknown", "did you mean `crate`?"),
        ("key_of_another_shape", "it belongs to `shape = \"sphere\"`"),
        ("one_bracket", "[[node]]"),
        ("include_missing", "did you mean `common.toml`?"),
        ("param_unknown", "did you mean `sun`?"),
        ("param_range", "`$(shine * 2)` is 1.6 here"),
        ("param_below", "before those that use it"),
        ("keys_word", "did you mean `linear`?"),
        ("keys_misspelt", "did you mean `keys`?"),
        ("scatter_misspelt", "did you mean `seed`?"),
        ("shot_camera_unknown", "did you mean `side`?"),
        ("shot_unknown_key", "did you mean `exposure_ev`?"),
        ("shot_without_name", "[shot.main]"),
        ("matrix_unknown", "did you mean `samples`?"),
        ("matrix_path", "did you mean `main`?"),
        ("matrix_no_list", "write `samples = [4]`"),
        ("animator_unknown", "did you mean `walker`?"),
        ("graph_node_unknown", "did you mean `idle`?"),
        ("graph_kind", "did you mean `switch`?"),
        ("graph_key_of_another", "it belongs to `kind = \"line\"`"),
        ("when_parameter", "did you mean `speed`?"),
        ("play_without_slot", "known are `s`, `t`"),
        ("morph_parameter", "did you mean `mood`?"),
        ("solver_limit_falls", "`range_deg = [0.0, 90.0]`"),
        ("solver_limit_long", "`twist_deg = [-180.0, 180.0]` allows every angle"),
        ("solver_limit_word", "one of `hinge`, `cone`"),
        ("solver_one_bracket", "write [[animator.solver]]"),
        ("equals_missing", "did you mean `no_camera.toml`?"),
    ] {
        let found = read(&folder().join(format!("{file}.toml")), &[]).unwrap_err();
        let got: Vec<_> = found.iter().filter_map(|d| d.help.clone()).collect();
        assert!(got.iter().any(|h| h.contains(help)), "{file}: {got:?}");
    }
}

#[test]
fn arguments_complain_about_themselves() {
    let folder = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join("arguments");
    fs::create_dir_all(&folder).unwrap();
    let file = folder.join("good.toml");
    fs::write(
        &file,
        "title = 'x'\n[camera.main]\n[[node]]\nname = 'ball'\nshape = 'sphere'\n\
         [[light]]\nkind = 'spot'\ndirection = [0.0, -1.0, 0.0]\n[[effect]]\nkind = 'grain'\n[[effect]]\nkind = 'grain'\n",
    )
    .unwrap();
    for (argument, code, underlined, help) in [
        ("camera.main.fov_y_deg=1000", "E0112", "1000", ""),
        ("camera.main.fov_deg=30", "E0110", "fov_deg", "fov_y_deg"),
        ("node.ball.rdius_m=2", "E0110", "rdius_m", "radius_m"),
        ("node.bal.radius_m=2", "E0106", "bal", "ball"),
        ("light.spot.inner_deg=-1", "E0112", "-1", ""),
        ("light.spto.inner_deg=2", "E0106", "spto", "spot"),
        ("effect.1.strength=2", "E0112", "2", ""),
        ("effect.grain.strength=2", "E0112", "2", ""),
        ("effect.'grain.2'.strength=2", "E0112", "2", ""),
        ("output.tonemap=agxx", "E0115", "agxx", "agx"),
        ("output.size_px=[0, 5]", "E0112", "0", ""),
        ("fov", "E0105", "fov", "for example"),
        ("title=", "E0121", "", ""),
        ("include=[]", "E0106", "include", ""),
        ("param.sun=1", "E0106", "sun", "there are none"),
        ("output.exposure_ev=$up", "E0132", "$up", "[param]"),
        ("node.ball.casts_shadwo=false", "E0110", "casts_shadwo", "casts_shadow"),
    ] {
        let found = read(&file, &[argument.to_string()]).unwrap_err();
        assert_eq!(found.len(), 1, "{argument}: {found:?}");
        let span = found[0].span.clone().unwrap_or(0..0);
        assert_eq!((found[0].code, &argument[span]), (code, underlined), "{argument}: {found:?}");
        assert_eq!(found[0].file, Path::new("--set"));
        assert!(found[0].help.as_deref().unwrap_or("").contains(help), "{argument}: {found:?}");
    }
    let two = ["output.samples=2".to_string(), "node.0.radius_m=-1".to_string()];
    let names: Vec<_> = read(&file, &two).unwrap_err().into_iter().map(|d| d.file).collect();
    assert_eq!(names, [Path::new("--set (1)"), Path::new("--set (2)")]);
}

#[test]
fn whole_files_that_are_none() {
    let folder = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join("whole");
    fs::create_dir_all(folder.join("folder.toml")).unwrap();
    fs::write(folder.join("latin.toml"), b"title = \"caf\xE9\"\n").unwrap();
    fs::write(folder.join("huge.toml"), vec![b'#'; 3_000_000]).unwrap();
    for (name, code) in
        [("latin.toml", "E0102"), ("huge.toml", "E0304"), ("no.toml", "E0301"), ("folder.toml", "E0303")]
    {
        let found = read(&folder.join(name), &[]).unwrap_err();
        assert_eq!((found.len(), found[0].code), (1, code), "{name}");
    }
}

/// Scenes that are right alone and wrong beside their model: `# error` with the place as elsewhere, `# says MESSAGE`,
/// and `# help WORDS` where there is some.
#[test]
fn what_models_lack_is_told() {
    let mut files: Vec<PathBuf> = fs::read_dir(folder().join("world")).unwrap().map(|e| e.unwrap().path()).collect();
    files.retain(|path| path.extension().is_some_and(|e| e == "toml"));
    files.sort();
    assert!(files.len() >= 12, "only {} files", files.len());
    let mut wrong = Vec::new();
    for file in &files {
        let text = fs::read_to_string(file).unwrap();
        let told = |line: &&str| ["# error ", "# says ", "# help "].iter().any(|start| line.starts_with(start));
        let want: Vec<&str> = text.lines().filter(told).collect();
        let scene = read(file, &[]).unwrap_or_else(|d| panic!("{}: {d:#?}", file.display())).scene;
        let vfs = scene.vfs().unwrap();
        let found = build(&scene, &|path| vfs.read(path)).err().unwrap_or_default();
        let lines = |d: &Diagnostic| {
            let help = d.help.iter().map(|help| format!("# help {help}"));
            [line(file, d), format!("# says {}", d.message)].into_iter().chain(help).collect::<Vec<_>>()
        };
        let got: Vec<String> = found.iter().flat_map(lines).collect();
        if want != got || want.is_empty() {
            wrong.push(format!("{}\n  want {want:#?}\n  got {got:#?}", file.display()));
        }
    }
    assert!(wrong.is_empty(), "{} files:\n{}", wrong.len(), wrong.join("\n"));
}
