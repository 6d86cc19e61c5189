//! docs/scene.schema.json and docs/scene.md are what the schema says, and the schema says what the program does.

use std::fs;
use std::path::{Path, PathBuf};

use stillframe::take::{Settings, for_looking, take};
use stillframe_frames::{PngEffort, decode_png, encode_png};
use stillframe_scene::scene::schema::{Kind, Type};
use stillframe_scene::scene::{Aov, SCENE, json_schema, markdown, read};

const BEGIN: &str = "<!-- made from crates/scene/src/scene/schema.rs: begin -->\n";
const END: &str = "<!-- made from crates/scene/src/scene/schema.rs: end -->\n";

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
    panic!("{} is stale: STILLFRAME_UPDATE=all cargo test --test scene schema", path.display());
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
    let has_picture = |name: &str| doc("scene").join(format!("{name}.png")).is_file();
    must_be(&path, &format!("{before}{BEGIN}\n{}\n{END}{after}", markdown(&has_picture)));
}

#[test]
fn the_page_of_materials_is_fresh() {
    let path = doc("materials.md");
    let have = fs::read_to_string(&path).unwrap();
    let [begin, end] = ["begin", "end"].map(|word| format!("<!-- made from crates/graph/src/node: {word} -->\n"));
    let (before, rest) = have.split_once(&begin).expect("the page has a mark where the tables begin");
    let (_, after) = rest.split_once(&end).expect("the page has a mark where the tables end");
    must_be(&path, &format!("{before}{begin}\n{}\n{end}{after}", stillframe_graph::markdown()));
}

#[test]
fn the_page_of_layers_is_fresh() {
    let path = doc("layers.md");
    let have = fs::read_to_string(&path).unwrap();
    let [begin, end] =
        ["begin", "end"].map(|word| format!("<!-- made from crates/scene/src/scene/noun/aov.rs: {word} -->\n"));
    let (before, rest) = have.split_once(&begin).expect("the page has a mark where the table begins");
    let (_, after) = rest.split_once(&end).expect("the page has a mark where the table ends");
    must_be(&path, &format!("{before}{begin}\n{}\n{end}{after}", stillframe_scene::scene::layers_markdown()));
}

/// The scenes of docs/scene, without what they share.
fn picture_scenes() -> Vec<PathBuf> {
    let mut files = Vec::new();
    scenes_under(&doc("scene"), &mut files);
    files.retain(|file| file.file_stem().is_some_and(|name| name != "stage"));
    files
}

/// The pictures of the page are what the program draws of the scenes beside them, bit for bit.
#[test]
#[expect(clippy::disallowed_methods, reason = "a test that can refresh its documents")]
fn the_pictures_are_fresh() {
    let files = picture_scenes();
    let mut stale = Vec::new();
    for file in &files {
        let scene = read(file, &[]).unwrap_or_else(|found| panic!("{}: {found:#?}", file.display())).scene;
        let settings = Settings { aovs: scene.output.aov.clone(), ..Settings::default() };
        let taken = take(&scene, &settings, &mut |_| ()).unwrap();
        let (aov, picture) = &taken.pictures[0];
        let picture = if *aov == Aov::COLOR { picture.clone() } else { for_looking(aov, picture) };
        let path = file.with_extension("png");
        let have = fs::read(&path).ok().and_then(|bytes| decode_png(&bytes).ok());
        if have.is_some_and(|have| have.hash() == picture.hash()) {
            continue;
        }
        let png = encode_png(&picture, PngEffort::Small).unwrap();
        assert!(png.len() < 16_000, "{}: {} bytes", path.display(), png.len());
        if std::env::var_os("STILLFRAME_UPDATE").is_some_and(|v| v != "no") {
            fs::write(&path, png).unwrap();
        }
        stale.push(path.display().to_string());
    }
    let how = "STILLFRAME_UPDATE=all cargo test --test scene schema writes them";
    assert!(stale.is_empty(), "stale pictures ({how}; look at them and commit them):\n{}", stale.join("\n"));
    let mut pictures: Vec<PathBuf> = fs::read_dir(doc("scene")).unwrap().map(|e| e.unwrap().path()).collect();
    pictures.retain(|path| path.extension().is_some_and(|e| e == "png"));
    pictures.retain(|path| !path.with_extension("toml").is_file());
    assert!(pictures.is_empty(), "pictures without a scene: {pictures:?}");
}

/// Keys that show nothing of their own: names, switches for runs and files, what another key's picture shows already.
const SHOW_NOTHING: &[&str] = &[
    "output.model_lights",
    "output.display",
    "output.fps",
    "output.frames",
    "render.tile_px",
    "environment.auto",
    "camera.kind",
    "camera.speed_m_s",
    "camera.turn_deg_per_px",
    "camera.input",
    "camera.at_s",
    "camera.look_px",
    "camera.keys",
    "gradient.zenith",
    "gradient.horizon",
    "gradient.ground",
    "model.file",
    "model.clip",
    "model.joint",
    "model.clip_time_s",
    "model.clip_speed",
    "texture.file",
    "texture.uv_set",
    "node.name",
    "node.shape",
    "node.inherits",
    "effect.name",
    "effect.kind",
    "effect.input",
    "effect.with",
    "effect.amount",
    "effect.force",
    "light.name",
    "light.parent",
    "light_probe.name",
    "texture.view",
    "view.name",
    "view.kind",
    "view.hide",
    "view.look",
    "view.size_px",
    "view.samples",
    "view.tonemap",
    "view.exposure_ev",
    "view.background",
    "view.look_at",
    "view.rotation_deg",
    "view.rotation_quat",
    "view.near_m",
    "view.far_m",
    "line.count",
    "grid.count",
    "ring.count",
    "scatter.count",
];

/// Every key that shows something has a picture, and every picture is one of a key.
#[test]
fn every_key_that_shows_has_a_picture() {
    let page = fs::read_to_string(doc("scene.md")).unwrap();
    let mut without = Vec::new();
    let mut kind = String::new();
    let mut word = String::new();
    for line in page.split(BEGIN).nth(1).unwrap().lines() {
        if let Some(title) = line.strip_prefix("## ") {
            let title = title.trim_start_matches(['`', '[', '.', '_']);
            kind = title.split(|c: char| c != '_' && !c.is_ascii_alphanumeric()).next().unwrap().to_string();
            // The scenes of scenes/graph show what nodes do.
            if title.starts_with("material.NAME.node") {
                kind = "graph".to_string();
            }
            word.clear();
        } else if let Some(title) = line.strip_prefix("### ") {
            word = title.split('"').nth(1).unwrap().to_string();
        } else if let Some(rest) = line.strip_prefix("| `") {
            let key = rest.split('`').next().unwrap();
            let name = format!("{kind}.{key}");
            // A shape's own picture shows its sizes, a lighting model's and an effect's its parameters.
            let own = ["shape", "model", "kind"].map(|kind| doc("scene").join(format!("{kind}.{word}.png")));
            let shape = own.iter().any(|path| path.is_file());
            let shown = line.contains("](scene/") || shape;
            // What moves is more than one picture shows.
            if !["A", "", "test", "plan", "render", "tolerance", "clip", "animator", "crowd", "graph"]
                .contains(&kind.as_str())
                && !shown
                && !SHOW_NOTHING.contains(&name.as_str())
            {
                without.push(name);
            }
        }
    }
    assert_eq!(without, Vec::<String>::new(), "keys without a picture in docs/scene");
    let unused: Vec<_> = picture_scenes()
        .iter()
        .map(|file| file.file_stem().unwrap().to_string_lossy().into_owned())
        .filter(|name| !page.contains(&format!("(scene/{name}.png)")))
        .collect();
    assert_eq!(unused, Vec::<String>::new(), "pictures that the page does not show");
}

fn temporary(name: &str) -> PathBuf {
    let folder = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join("schema");
    fs::create_dir_all(&folder).unwrap();
    fs::write(folder.join("a.glb"), b"").unwrap();
    fs::write(folder.join("a.png"), b"").unwrap();
    folder.join(name)
}

/// Every kind of everything, with nothing but what must be written.
const SHORTEST: &str = r#"
title = "x"
[output]
[shot.a]
[environment]
sky = {}
[camera.main]
control = {}
[model.m]
file = "a.glb"
proportion = [{ joint = "j" }]
override.wood = {}
[model.n]
file = "a.glb"
clip = "all"
[material.a]
[material.b]
base_color_texture = { file = "a.png" }
[test]
[[node]]
line = { count = 3 }
[[node]]
grid = { count = [1, 2, 3] }
[[node]]
ring = { count = 3 }
[[node]]
scatter = { count = 3 }
[[node]]
name = "shown"
model = "m"
morph = [{ name = "smile" }]
[[node]]
parent = "shown"
joint = "j"
[[light]]
[[light_probe]]
[[clip]]
name = "c"
model = "m"
event = [{ name = "e", at = 0.5 }]
marker = [{ name = "e", at_s = 0.5 }]
rename = [{ from = "a", to = "b" }]
[[animator]]
name = "short"
model = "m"
clip = "c"
[[animator]]
name = "graph"
model = "m"
output = "n.clip"
parameter = [{ name = "p" }]
mask = [{ name = "u", branch = [{ joint = "j" }], shape = [{ name = "s" }] }]
morph = [{ name = "smile" }]
play = [{ at_s = 1, clip = "c" }]
[[crowd]]
model = "m"
clips = ["c"]
count = 1
lod = [{ from_m = 1 }]
"#;

/// What a graph's node or a solver must say beside its kind.
fn must(word: &str) -> &'static str {
    match word {
        "clip" | "frame" => "clip = 'c'",
        "follow" => "clip = 'c'\nleader = 'n.clip'",
        "line" => "parameter = 0\nat = [0]\nclips = ['c']",
        "grid" => "parameters = [0, 0]\ncolumns = [0]\nrows = [0]\nclips = ['c']",
        "scatter" => "parameters = [0, 0]\nat = [[0, 0]]\nclips = ['c']",
        "switch" => "index = 0\ninputs = ['n.clip']",
        "delta" => "source = 'n.clip'",
        "additive" => "base = 'n.clip'\nadd = [{ delta = 'n.delta' }]",
        "partial" => "input = [{ node = 'n.clip' }]",
        "layers" => "base = 'n.clip'\nlayer = [{ node = 'n.clip' }]",
        "machine" => "state = [{ name = 's', node = 'n.clip' }]\ntransition = [{ to = 's' }]",
        "slot" => "input = 'n.clip'",
        "two_bone" | "aim" | "copy_rotation" => "joint = 'j'\ntarget = 'shown'",
        "ccd" | "jacobian" => {
            "root = 'r'\ntip = 't'\ntarget = 'shown'\n\
                               limit = [{ joint = 'j', kind = 'cone', axis = [0, 0, 1], swing_max_deg = 9 }]"
        }
        "fabrik" => "root = 'r'\ntip = 't'\ntargets = [{ node = 'shown' }]",
        "feet" => "hip = 'h'\nankles = 'a'",
        "twist" => "joint = 'j'\nshare = [{ joint = 'k', weight = 0.5 }]",
        "sh9" => "coefficients = [[1,1,1],[0,0,0],[0,0,0],[0,0,0],[0,0,0],[0,0,0],[0,0,0],[0,0,0],[0,0,0]]",
        _ => panic!("{word}"),
    }
}

/// Every default of the table is a value of its key: a scene that leaves all of them out is read, and what it prints is
/// read as the same scene.
#[test]
fn defaults_are_values() {
    let inner = |kind: &'static Kind, name: &str| match kind.keys.iter().find(|row| row.name == name).unwrap().ty {
        Type::List(inner) => inner,
        _ => panic!("{name}"),
    };
    let mut text = SHORTEST.to_string();
    let animator = inner(&SCENE, "animator");
    for name in ["node", "solver"] {
        for case in inner(animator, name).variants.unwrap().cases {
            let own = if name == "node" { format!("name = 'n.{}'\n", case.word) } else { String::new() };
            let head = text.split("[[crowd]]").next().unwrap().len();
            text.insert_str(head, &format!("[[animator.{name}]]\n{own}kind = '{}'\n{}\n", case.word, must(case.word)));
        }
    }
    for (name, selector) in [("node", "shape"), ("light", "kind")] {
        for case in inner(&SCENE, name).variants.unwrap().cases {
            let own = if case.word == "sh9" { must(case.word) } else { "" };
            text.push_str(&format!("[[{name}]]\n{selector} = '{}'\n{own}\n", case.word));
        }
    }
    for case in inner(&SCENE, "view").variants.unwrap().cases {
        text.push_str(&format!("[[view]]\nname = 'v.{0}'\nkind = '{0}'\n", case.word));
    }
    text.push_str("[material.shows]\nbase_color_texture = { view = 'v.mirror' }\n");
    let (short, printed) = (temporary("short.toml"), temporary("whole.toml"));
    fs::write(&short, &text).unwrap();
    let scene = read(&short, &[]).unwrap_or_else(|found| panic!("{found:#?}\n{text}")).scene;
    let text = scene.print_in(printed.parent().expect("a folder"));
    fs::write(&printed, &text).unwrap();
    let again = read(&printed, &[]).unwrap_or_else(|found| panic!("{found:#?}\n{text}")).scene;
    assert_eq!(again, scene);
    let validator = validator();
    for file in [short, printed] {
        let json = json_of(&file).unwrap();
        let errors: Vec<String> = validator.iter_errors(&json).map(|e| e.to_string()).collect();
        assert_eq!(errors, Vec::<String>::new(), "{}", file.display());
    }
}

/// A scene file as the JSON that its schema speaks of; `None` where TOML says what JSON cannot, or it is no TOML.
fn json_of(file: &Path) -> Option<serde_json::Value> {
    use serde_json::Value as Json;
    use toml_edit::{DocumentMut, Item, Value};
    fn value(from: &Value) -> Option<Json> {
        Some(match from {
            Value::String(text) => Json::String(text.value().clone()),
            Value::Integer(number) => Json::from(*number.value()),
            Value::Float(number) => Json::Number(serde_json::Number::from_f64(*number.value())?),
            Value::Boolean(flag) => Json::Bool(*flag.value()),
            Value::Datetime(_) => return None,
            Value::Array(values) => Json::Array(values.iter().map(value).collect::<Option<_>>()?),
            Value::InlineTable(table) => {
                let pairs = table.iter().map(|(key, inner)| Some((key.to_string(), value(inner)?)));
                Json::Object(pairs.collect::<Option<_>>()?)
            }
        })
    }
    fn table(from: &toml_edit::Table) -> Option<Json> {
        let pairs = from.iter().map(|(key, inner)| Some((key.to_string(), item(inner)?)));
        Some(Json::Object(pairs.collect::<Option<_>>()?))
    }
    fn item(from: &Item) -> Option<Json> {
        match from {
            Item::None => None,
            Item::Value(inner) => value(inner),
            Item::Table(inner) => table(inner),
            Item::ArrayOfTables(list) => Some(Json::Array(list.iter().map(table).collect::<Option<_>>()?)),
        }
    }
    let text = fs::read_to_string(file).unwrap();
    table(text.parse::<DocumentMut>().ok()?.as_table())
}

fn scenes_under(folder: &Path, out: &mut Vec<PathBuf>) {
    for entry in fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() {
            scenes_under(&path, out);
        } else if path.extension().is_some_and(|e| e == "toml")
            && path.file_name().is_some_and(|n| n != "stillframe.toml")
        {
            out.push(path);
        }
    }
    out.sort();
}

fn validator() -> jsonschema::Validator {
    let schema = serde_json::from_str(&json_schema()).unwrap();
    jsonschema::draft202012::meta::validate(&schema).unwrap_or_else(|e| panic!("the schema is none: {e}"));
    jsonschema::draft202012::new(&schema).unwrap()
}

#[test]
fn the_schema_accepts_every_scene_and_its_normal_form() {
    let validator = validator();
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let mut files = Vec::new();
    scenes_under(&root.join("scenes"), &mut files);
    assert!(files.len() >= 30, "only {}", files.len());
    for file in files {
        let errors = |json: &serde_json::Value| validator.iter_errors(json).map(|e| e.to_string()).collect::<Vec<_>>();
        let json = json_of(&file).unwrap();
        // Fragments, which others include, need not be whole.
        if json.get("title").is_some() {
            assert_eq!(errors(&json), Vec::<String>::new(), "{}", file.display());
            let printed = temporary("printed.toml");
            fs::write(&printed, read(&file, &[]).unwrap().scene.print()).unwrap();
            assert_eq!(
                errors(&json_of(&printed).unwrap()),
                Vec::<String>::new(),
                "the normal form of {}",
                file.display()
            );
        }
    }
}

/// Codes of mistakes that a schema can see; others are about what several values or files mean together.
const SEEN: &[&str] = &[
    "E0110", "E0111", "E0112", "E0114", "E0115", "E0116", "E0117", "E0118", "E0119", "E0121", "E0123", "E0207",
    "E0214", "E0216",
];

/// Bad files of those codes that it cannot see all the same, and why.
const UNSEEN: &[(&str, &str)] = &[
    ("date.toml", "JSON has no dates"),
    ("include_table.toml", "a file with `include` may leave things to others; that this one is a table is seen"),
    ("included_mistake.toml", "the mistake stands in another file"),
    ("param_type.toml", "what a parameter is, only its use shows"),
    ("param_range.toml", "formulas are not computed"),
    ("matrix_value.toml", "paths are not followed"),
    ("matrix_no_list.toml", "a table would lead deeper"),
    ("frames_backwards.toml", "numbers in texts are not compared"),
    ("clip_event_outside.toml", "numbers are not compared"),
    ("partial_weights_zero.toml", "numbers are not added up"),
    ("line_count.toml", "lengths of lists are not compared"),
    ("switch_fades.toml", "lengths of lists are not compared"),
    ("switch_fade_rows.toml", "lengths of lists are not compared"),
    ("partial_empty.toml", "a list of tables may be laid over another one"),
    ("solver_targets_empty.toml", "a list of tables may be laid over another one"),
    ("control_and_keys.toml", "what moves is not looked at"),
    ("partial_without_joint.toml", "the list of `joint`s may stand in another file"),
    ("solver_limit_long.toml", "angles are not added up"),
    ("play_without_slot.toml", "slots are not counted"),
    ("proportion_moving_crowd.toml", "a crowd's model moves elsewhere"),
    ("view_cube_oblong.toml", "numbers are not compared"),
    ("view_named_all.toml", "names are not looked at"),
];

#[test]
fn the_schema_rejects_what_a_schema_can() {
    let validator = validator();
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/data/bad");
    let mut wrong = Vec::new();
    let mut rejected = 0;
    for entry in fs::read_dir(&folder).unwrap() {
        let file = entry.unwrap().path();
        if file.extension().is_none_or(|e| e != "toml") {
            continue;
        }
        let name = file.file_name().unwrap().to_string_lossy().into_owned();
        let Some(json) = json_of(&file) else { continue };
        let codes: Vec<&str> = read(&file, &[]).unwrap_err().iter().map(|d| d.code).collect();
        // Mistakes of a MaterialX file stand in that file.
        let elsewhere = name.starts_with("materialx_") || UNSEEN.iter().any(|(unseen, _)| *unseen == name);
        let seen = codes.iter().any(|code| SEEN.contains(code)) && !elsewhere;
        rejected += usize::from(!validator.is_valid(&json));
        if seen && validator.is_valid(&json) {
            wrong.push(format!("{name}: {codes:?}"));
        }
    }
    assert!(wrong.is_empty(), "accepted:\n{}", wrong.join("\n"));
    assert!(rejected >= 60, "only {rejected} rejected");
}
