//! docs/scene.schema.json and docs/scene.md are what the schema says, and the schema says what the program does.

use std::fs;
use std::path::{Path, PathBuf};

use stillframe::scene::schema::{Default, Kind, SCENE, Type};
use stillframe::scene::{json_schema, markdown, read};

const BEGIN: &str = "<!-- made from src/scene/schema.rs: begin -->\n";
const END: &str = "<!-- made from src/scene/schema.rs: end -->\n";

fn doc(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("docs").join(name)
}

/// Compares, or writes anew where the environment asks for it (and still fails, so that it is looked at).
#[expect(clippy::disallowed_methods, reason = "a test that can refresh its documents")]
fn must_be(path: &Path, want: &str) {
    let have = fs::read_to_string(path).unwrap_or_default();
    if have == want {
        return;
    }
    if std::env::var_os("STILLFRAME_UPDATE").is_some_and(|v| v != "no") {
        fs::write(path, want).unwrap();
        panic!("{} was stale and is written anew: look at it and commit it", path.display());
    }
    panic!("{} is stale: STILLFRAME_UPDATE=all cargo test --test scene_schema", path.display());
}

#[test]
fn the_json_schema_is_fresh() {
    must_be(&doc("scene.schema.json"), &json_schema());
}

#[test]
fn the_page_is_fresh() {
    let path = doc("scene.md");
    let have = fs::read_to_string(&path).unwrap();
    let (before, rest) = have.split_once(BEGIN).expect("the page has a mark where the tables begin");
    let (_, after) = rest.split_once(END).expect("the page has a mark where the tables end");
    must_be(&path, &format!("{before}{BEGIN}\n{}\n{END}{after}", markdown()));
}

fn temporary(name: &str) -> PathBuf {
    let folder = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join("schema");
    fs::create_dir_all(&folder).unwrap();
    fs::write(folder.join("a.glb"), b"").unwrap();
    fs::write(folder.join("a.png"), b"").unwrap();
    folder.join(name)
}

/// A scene that says everything at once resolves to the same scene as one that leaves everything at its default.
#[test]
fn defaults_of_the_table_are_the_programs() {
    let shapes =
        ["box", "sphere", "icosphere", "plane", "disk", "cylinder", "cone", "capsule", "torus", "triangle", "quad"];
    let lights = ["directional", "point", "spot"];
    let mut short = "title = 'x'\n[output]\n[environment]\nsky = {}\n[camera.main]\n[model.m]\nfile = 'a.glb'\n\
                     [material.a]\n[material.b]\nbase_color_texture = { file = 'a.png' }\n[test]\n"
        .to_string();
    let mut long = "title = 'x'\n".to_string();
    let all = |kind: &Kind, word: Option<&str>| {
        let mut lines = String::new();
        for key in kind.keys_beside(word) {
            let inner = matches!(key.ty, Type::Table(_) | Type::Named(_) | Type::List(_));
            if let (Default::Toml(value), false) = (key.default, inner) {
                lines.push_str(&format!("{} = {value}\n", key.name));
            }
        }
        lines
    };
    let table = |name: &str| {
        let key = SCENE.keys.iter().find(|k| k.name == name).unwrap();
        match key.ty {
            Type::Table(kind) | Type::Named(kind) | Type::List(kind) => kind,
            _ => panic!("{name}"),
        }
    };
    let sky = stillframe::scene::schema::SKY.keys.iter().map(|k| match k.default {
        Default::Toml(value) => format!("{} = {value}", k.name),
        _ => panic!("{}", k.name),
    });
    let sky = sky.collect::<Vec<_>>().join(", ");
    long.push_str(&format!("[output]\n{}", all(table("output"), None)));
    long.push_str(&format!("[environment]\nsky = {{ {sky} }}\n{}", all(table("environment"), None)));
    long.push_str(&format!("[camera.main]\n{}", all(table("camera"), None)));
    long.push_str(&format!("[model.m]\nfile = 'a.glb'\n{}", all(table("model"), None)));
    let material = all(table("material"), None);
    let opaque: String =
        material.lines().filter(|l| !l.starts_with("alpha_cutoff")).map(|l| format!("{l}\n")).collect();
    long.push_str(&format!("[material.a]\n{opaque}"));
    let texture = all(&stillframe::scene::schema::TEXTURE, None).trim_end().replace('\n', ", ");
    let textured = opaque.replace("base_color = [0.5, 0.5, 0.5, 1.0]", "base_color = [1.0, 1.0, 1.0, 1.0]");
    long.push_str(&format!("[material.b]\nbase_color_texture = {{ file = 'a.png', {texture} }}\n{textured}"));
    long.push_str(&format!("[test]\n{}", all(table("test"), None).replace("[\"color\"]", "[]")));
    for shape in shapes {
        short.push_str(&format!("[[node]]\nshape = '{shape}'\n"));
        long.push_str(&format!("[[node]]\nshape = '{shape}'\n{}", all(table("node"), Some(shape))));
    }
    for kind in lights {
        short.push_str(&format!("[[light]]\nkind = '{kind}'\n"));
        let lines = all(table("light"), Some(kind)).replace("kind = \"directional\"\n", "");
        long.push_str(&format!("[[light]]\nkind = '{kind}'\n{lines}"));
    }
    let (short_file, long_file) = (temporary("short.toml"), temporary("long.toml"));
    fs::write(&short_file, &short).unwrap();
    fs::write(&long_file, &long).unwrap();
    let short = read(&short_file, &[]).unwrap_or_else(|found| panic!("{found:#?}"));
    let long = read(&long_file, &[]).unwrap_or_else(|found| panic!("{found:#?}"));
    assert_eq!(short.scene, long.scene);
    assert_eq!(short.scene.print(), long.scene.print());
}

/// Every choice of the table means something to the program: it comes back in the text form.
#[test]
fn words_of_the_table_are_the_programs() {
    let output = stillframe::scene::schema::OUTPUT.keys.iter();
    for key in output {
        let Type::Choice(words) = key.ty else { continue };
        for word in words {
            let file = temporary(&format!("{}_{word}.toml", key.name));
            fs::write(&file, format!("title = 'x'\n[output]\n{} = '{word}'\n[camera.main]\n[[node]]\n", key.name))
                .unwrap();
            let text = read(&file, &[]).unwrap().scene.print();
            assert!(text.contains(&format!("{} = \"{word}\"", key.name)), "{word}: {text}");
        }
    }
}
