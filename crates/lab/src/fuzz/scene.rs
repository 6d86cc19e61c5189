//! Target `scene`: texts from the table of kinds and keys, and the same damaged.

use std::fmt::Write as _;
use std::fs;
use std::path::Path;

use stillframe_base::rng::Stream;

use super::mutate::{self, between, number_text};
use super::{Case, Mutant};
use super::{law, materialx};
use crate::scene::SCENE;
use crate::scene::schema::{Default as Absent, Kind, Range, Row, Type};
use crate::scene::{Resolved, resolve_text};
use crate::source::{Diagnostic, Vfs};
use crate::world;

/// What scenes may name. Models and pictures are the business of target `import`: here they are small and good.
const FILES: &[(&str, &[u8])] = &[
    ("a.glb", include_bytes!("../../../../tests/data/packed/edgebreaker.glb")),
    ("b.obj", b"v 0 0 0\nv 1 0 0\nv 0 1 0\no a\nf 1 2 3\n"),
    ("a.png", include_bytes!("../../../../tests/data/images/source.png")),
    ("b.jpg", include_bytes!("../../../../tests/data/images/baseline.jpg")),
    ("a.cube", b"LUT_1D_SIZE 2\n0 0 0\n1 0.5 1\n"),
    ("sky.hdr", b"#?RADIANCE\nFORMAT=32-bit_rle_rgbe\n\n-Y 1 +X 2\n\x40\x40\x40\x80\x40\x20\x10\x81"),
];
/// Scene files and MaterialX files that may lie beside.
const PARTS: &[&str] = &["part.toml", "part.mtlx", "other.toml", "third.toml"];
const NAMES: &[&str] = &["a", "b", "main", "top", "\u{fc} b", "n0", "n1", "n2", "n3", "*", "#1", "auto", ""];
/// Tables and keys that name so much that random ones are seldom sound: scenes that are wrong at once try nothing
/// behind that.
const RARE: &[&str] = &[
    "clip",
    "animator",
    "crowd",
    "joint",
    "inherits",
    "worn",
    "show",
    "root_joint",
    "proportion",
    "morph",
    // Without effect beside most of the others.
    "clip_time_s",
    "clip_speed",
    "alpha_cutoff",
    "reason",
    "matrix",
];
/// Of [`NAMES`], those that every table may have; tables take them in order, and what refers to one mostly means the
/// first.
const GOOD_NAME_COUNT: u32 = 9;
const WRONG: &[&str] = &[
    "nan",
    "-inf",
    "-1",
    "0",
    "1e308",
    "9223372036854775807",
    "[]",
    "{}",
    "\"\"",
    "true",
    "1979-05-27",
    "[[1], [2]]",
    "'x'",
    "{ a = 1 }",
    "[1, 'a']",
    "\"\u{1F980}\"",
];
const WORDS: &[&str] = &[
    "nan",
    "[[",
    "]]",
    "=",
    "\n",
    "'",
    "\"\"\"",
    ".",
    "#",
    "[node]\n",
    "parent = \"n0\"\n",
    "a.b.c = 1\n",
    "{",
    "}",
    ",",
    "include = [\"part.toml\"]\n",
    "[param]\n",
    "count = 3\n",
    "\u{1F980}",
    "\r",
    "\0",
    "[[node]]\nshape = 'box'\n",
];

/// A scene, mostly a good one.
pub fn make(stream: &mut Stream) -> Case {
    if stream.one_in(8) {
        return with_materialx(stream);
    }
    let mut text = scene(stream);
    if stream.one_in(2) {
        mutate::text(stream, &mut text, WORDS);
    }
    let mut case = Case::new("scene.toml", text.into_bytes());
    if stream.one_in(12) {
        mutate::bytes(stream, &mut case.bytes);
    }
    if stream.one_in(100) {
        mutate::swell(stream, &mut case.bytes);
    }
    if stream.one_in(3) {
        for part in &PARTS[..between(stream, 1, PARTS.len())] {
            let text = match part.ends_with(".mtlx") {
                true => materialx::mtlx(stream),
                false => part_text(stream),
            };
            case.beside.push(((*part).to_string(), text.into_bytes()));
        }
    }
    if stream.one_in(3) {
        for _ in 0..between(stream, 1, 3) {
            case.edits.push(edit(stream));
        }
    }
    case
}

/// A ball with the first material of a MaterialX file.
fn with_materialx(stream: &mut Stream) -> Case {
    let text = "title = \"a\"\ninclude = [\"part.mtlx\"]\n[camera.main]\nlook_at = [0, 0, 0]\n[[node]]\nshape = \"sphere\"\n\
                material = \"m0\"\n";
    let mut case = Case::new("scene.toml", text.as_bytes().to_vec());
    case.beside.push(("part.mtlx".to_string(), materialx::mtlx(stream).into_bytes()));
    case
}

fn part_text(stream: &mut Stream) -> String {
    let mut text = if stream.one_in(2) { scene(stream) } else { some_tables(stream) };
    if stream.one_in(3) {
        mutate::text(stream, &mut text, WORDS);
    }
    text
}

fn scene(stream: &mut Stream) -> String {
    let mut out = String::new();
    for key in SCENE.keys {
        let wanted = key.default == Absent::Required
            || matches!(key.name, "camera" | "node")
            || stream.one_in(if key.name == "include" { 9 } else { 3 });
        if wanted && !stream.one_in(60) && !is_table(&key.ty) {
            let _ = writeln!(out, "{} = {}", key.name, value(stream, key, 0));
        }
    }
    out + &tables(stream, 3)
}

fn some_tables(stream: &mut Stream) -> String {
    tables(stream, 5)
}

fn is_table(ty: &Type) -> bool {
    matches!(ty, Type::Table(_) | Type::Named(_) | Type::List(_))
}

/// Tables of the top level, the optional ones once in `rare` times.
fn tables(stream: &mut Stream, rare: u32) -> String {
    let mut out = String::new();
    for key in SCENE.keys {
        let needed = rare == 3 && matches!(key.name, "camera" | "node");
        let rare = if RARE.contains(&key.name) { rare * 6 } else { rare };
        if !needed && !stream.one_in(rare) {
            continue;
        }
        match &key.ty {
            Type::Table(kind) => {
                let _ = writeln!(out, "[{}]", key.name);
                lines(stream, kind, None, &mut out);
            }
            Type::Named(kind) => {
                for number in 0..between(stream, 1, 3) {
                    let name = if stream.one_in(12) { stream.pick(NAMES) } else { &NAMES[number] };
                    let _ = writeln!(out, "[{}.{name:?}]", key.name);
                    lines(stream, kind, None, &mut out);
                }
            }
            Type::List(kind) => {
                for index in 0..between(stream, 1, 5) {
                    let _ = writeln!(out, "[[{}]]", key.name);
                    lines(stream, kind, Some(index), &mut out);
                }
            }
            _ => {}
        }
    }
    out
}

/// Keys of a table, one a line; `index` is the place in a list.
fn lines(stream: &mut Stream, kind: &Kind, index: Option<usize>, out: &mut String) {
    for (name, value) in entries(stream, kind, index, 0) {
        let _ = writeln!(out, "{name} = {value}");
    }
}

fn entries(stream: &mut Stream, kind: &Kind, index: Option<usize>, depth: usize) -> Vec<(String, String)> {
    let word = kind.variants.and_then(|variants| {
        let cases = variants.cases;
        (!stream.one_in(4)).then(|| cases[stream.below(cases.len() as u32) as usize].word)
    });
    // Mostly at most one key of each group.
    let lenient = stream.one_in(30);
    let mut out: Vec<(String, String)> = Vec::new();
    let keys: Vec<&Row> = kind.keys_beside(word).collect();
    for key in keys {
        let selector = kind.variants.is_some_and(|v| v.selector == key.name);
        if selector {
            out.extend(word.map(|word| (key.name.to_string(), format!("{word:?}"))));
            continue;
        }
        let selected = |name: &str| word.is_some() && kind.variants.is_some_and(|v| v.selector == name);
        let taken = |name: &str| selected(name) || out.iter().any(|(known, _)| known == name);
        let group = kind.exclusive.iter().any(|group| group.contains(&key.name) && group.iter().any(|n| taken(n)));
        if group && !lenient {
            continue;
        }
        if index.is_some() && key.name == "name" && !stream.one_in(4) {
            out.push(("name".into(), format!("\"n{}\"", index.unwrap_or(0))));
        } else if (key.default == Absent::Required && !stream.one_in(60)) || stream.one_in(rarity(key)) {
            out.push((key.name.to_string(), value(stream, key, depth)));
        }
    }
    if stream.one_in(60) {
        out.push(((*stream.pick(NAMES)).to_string(), "1".into()));
    }
    out
}

/// A key that need not be there is, once in so many tables.
fn rarity(key: &Row) -> u32 {
    match key.ty {
        _ if RARE.contains(&key.name) => 60,
        Type::Name(_) => 10,
        _ => 4,
    }
}

fn inline(stream: &mut Stream, kind: &Kind, depth: usize) -> String {
    let parts: Vec<String> =
        entries(stream, kind, None, depth).into_iter().map(|(k, v)| format!("{k} = {v}")).collect();
    format!("{{ {} }}", parts.join(", "))
}

/// A value for a key, mostly a good one.
fn value(stream: &mut Stream, key: &Row, depth: usize) -> String {
    if stream.one_in(80) || depth > 4 {
        return (*stream.pick(WRONG)).to_string();
    }
    // Keys of key frames do not move, but once in a while.
    if key.moves && stream.one_in(if depth < 3 { 8 } else { 200 }) {
        return moving(stream, key, depth);
    }
    // What is expected of several numbers is expected of each.
    let list = |stream: &mut Stream, count: usize, range: Range| {
        let parts: Vec<String> = (0..count).map(|_| number(stream, range)).collect();
        format!("[{}]", parts.join(", "))
    };
    let any = Range { min: -10.0, max: 10.0, open: false };
    match &key.ty {
        Type::Text => text(stream),
        Type::Bool => stream.one_in(2).to_string(),
        Type::Number(range) => number(stream, *range),
        Type::Whole { min, max } => whole(stream, *min, *max),
        Type::Numbers { count, range } => list(stream, *count, *range),
        Type::Wholes { count, min, max } => {
            let parts: Vec<String> = (0..*count).map(|_| whole(stream, *min, *max)).collect();
            format!("[{}]", parts.join(", "))
        }
        Type::Scale if stream.one_in(2) => number(stream, Range { min: 0.0, max: 5.0, open: true }),
        Type::Scale => list(stream, 3, Range { min: 0.0, max: 5.0, open: true }),
        Type::Color { alpha, max } => color(stream, *alpha, *max),
        Type::OrLink(_) | Type::Pin if stream.one_in(3) => link(stream),
        Type::Link => link(stream),
        Type::OrLink(Type::Number(range)) => number(stream, *range),
        Type::OrLink(_) => color(stream, true, 1.0),
        Type::Literal | Type::Pin if stream.one_in(3) => color(stream, true, 1.0),
        Type::Literal | Type::Pin if stream.one_in(2) => list(stream, 2, any),
        Type::Literal | Type::Pin => number(stream, any),
        Type::ColorOr(words) if stream.one_in(2) => format!("{:?}", stream.pick(words)),
        Type::ColorOr(_) => color(stream, false, 1.0),
        Type::Choice(words) => format!("{:?}", stream.pick(words)),
        Type::ChoiceOf(numbers) => stream.pick(numbers).to_string(),
        Type::Choices(words) => {
            let from = stream.below(words.len() as u32) as usize;
            let words: Vec<String> = words[from..].iter().map(|word| word.replace(".N", ".0")).collect();
            format!("{words:?}")
        }
        Type::ChoicePair(words) => format!("[{:?}, {:?}]", stream.pick(words), stream.pick(words)),
        Type::File => file(stream, key.doc),
        Type::Files => format!("[{}]", file(stream, key.doc)),
        Type::Texts => format!("[{}]", text(stream)),
        Type::Rising(_) => "[0.0, 0.5, 2.0]".into(),
        Type::RisingWholes { .. } => "[0, 1, 30]".into(),
        Type::Frames => format!("\"{}..{}\"", stream.below(20), 20 + stream.below(20)),
        Type::Clip => format!("{:?}", stream.pick(&["all", "none", "#0", "walk"])),
        Type::Params => format!("{{ a = {}, b = \"#102030\" }}", number(stream, any)),
        Type::Matrix => format!("{{ {:?} = [1, 4] }}", stream.pick(&["output.samples", "param.a", "output.tonemap"])),
        Type::FlagOr(kind) if stream.one_in(2) => format!("{:?}", stream.pick(&kind.words())),
        Type::FlagOr(kind) => inline(stream, kind, depth + 1),
        Type::NumberOr(range, _) => number(stream, *range),
        Type::Name("node") if !stream.one_in(8) => "\"n0\"".to_string(),
        Type::Name(_) if !stream.one_in(8) => format!("{:?}", NAMES[0]),
        Type::Name(_) => format!("{:?}", NAMES[stream.below(GOOD_NAME_COUNT) as usize]),
        Type::Rows { rows, columns } => {
            let rows: Vec<String> = (0..*rows).map(|_| list(stream, *columns, any)).collect();
            format!("[{}]", rows.join(", "))
        }
        Type::Look => format!("\"{},0,5:0,{},0:40\"", number(stream, any), number(stream, any)),
        Type::Texture(_) if stream.one_in(2) => "\"a.png\"".into(),
        Type::Texture(kind) => inline(stream, kind, depth + 1),
        Type::Table(kind) => inline(stream, kind, depth + 1),
        Type::Named(kind) => format!("{{ {:?} = {} }}", stream.pick(NAMES), inline(stream, kind, depth + 1)),
        Type::List(kind) => format!("[{}]", inline(stream, kind, depth + 1)),
        _ => (*stream.pick(WRONG)).to_string(),
    }
}

/// An output of a node of a material.
fn link(stream: &mut Stream) -> String {
    let outputs = ["", ".value", ".color", ".x", ".a", ".world", ".nothing"];
    format!("\"n{}{}\"", stream.below(2), stream.pick(&outputs))
}

/// `{ keys = [[seconds, value], ...] }`.
fn moving(stream: &mut Stream, key: &Row, depth: usize) -> String {
    let mut time_s = 0.0;
    let keys: Vec<String> = (0..between(stream, 1, 4))
        .map(|_| {
            time_s += f64::from(stream.unit_f32());
            // A key's value is no moving one itself.
            format!("[{time_s:?}, {}]", value(stream, key, depth + 3))
        })
        .collect();
    format!("{{ keys = [{}] }}", keys.join(", "))
}

fn file(stream: &mut Stream, doc: &str) -> String {
    let name = if stream.one_in(30) {
        stream.pick(&["missing.glb", "../a.glb", "/etc/passwd", "", "a.glb/", "\u{0}", "part.toml"])
    } else if doc.contains(".glb") {
        "a.glb"
    } else if doc.contains(".cube") {
        "a.cube"
    } else if doc.contains("equirectangular") {
        "sky.hdr"
    } else if doc.contains(".toml") || doc.starts_with("Scene files") {
        stream.pick(PARTS)
    } else {
        &stream.pick(FILES).0
    };
    format!("{name:?}")
}

fn text(stream: &mut Stream) -> String {
    let texts = [
        "a",
        "a title",
        "n0",
        "n1",
        "\u{e9}\u{1F980}",
        "with \\\"quotes\\\"",
        "back\\\\slash",
        "tab\\tnew\\nline",
        "\\u007f",
    ];
    format!("\"{}\"", if stream.one_in(60) { &"" } else { stream.pick(&texts) })
}

fn number(stream: &mut Stream, range: Range) -> String {
    let (min, max) = (range.min.max(-100.0), range.max.min(100.0));
    let inside = min + (max - min) * f64::from(stream.unit_f32());
    match stream.below(40) {
        0 => number_text(stream),
        1 => format!("{:?}", range.min),
        2 => format!("{:?}", range.max),
        3..=12 => format!("{}", inside.ceil()),
        _ => format!("{inside:?}"),
    }
}

fn whole(stream: &mut Stream, min: i64, max: i64) -> String {
    match stream.below(40) {
        0 => number_text(stream),
        1 => min.to_string(),
        2 => max.to_string(),
        _ => {
            let reach = max.saturating_sub(min).clamp(0, if stream.one_in(4) { 60 } else { 6 }) as u32;
            (min + i64::from(stream.below(reach + 1))).to_string()
        }
    }
}

fn color(stream: &mut Stream, alpha: bool, max: f64) -> String {
    match stream.below(4) {
        0 => format!("\"#{:06x}\"", stream.below(1 << 24)),
        1 if alpha => format!("\"#{:08x}\"", stream.next_u32()),
        _ => {
            let range = Range { min: 0.0, max: max.min(2.0), open: false };
            let count = 3 + usize::from(alpha && stream.one_in(2));
            let parts: Vec<String> = (0..count).map(|_| number(stream, range)).collect();
            format!("[{}]", parts.join(", "))
        }
    }
}

/// An argument of `--set`.
fn edit(stream: &mut Stream) -> String {
    let tables: Vec<&Row> = SCENE.keys.iter().collect();
    let table = *stream.pick(&tables);
    let path = |key: &str, middle: &str| format!("{}{middle}.{key}", table.name);
    let mut out = match &table.ty {
        Type::Table(kind) | Type::Named(kind) | Type::List(kind) => {
            let keys: Vec<&Row> = kind.keys_beside(None).collect();
            let key = *stream.pick(&keys);
            let middle = match table.ty {
                Type::Table(_) => String::new(),
                _ => format!(".{}", stream.pick(NAMES)),
            };
            format!("{}={}", path(key.name, &middle), value(stream, key, 0))
        }
        _ => format!("{}={}", table.name, value(stream, table, 0)),
    };
    if stream.one_in(4) {
        mutate::text(stream, &mut out, WORDS);
    }
    // Cases are kept one argument a line.
    out.replace(['\n', '\r'], " ")
}

/// A scene's text.
pub fn of_bytes(bytes: &[u8]) -> Case {
    Case::new("scene.toml", bytes.to_vec())
}

/// Resolves a scene twice and what it prints once, and builds its world.
pub fn check(case: &Case, scratch: &Path, mutant: Option<Mutant>) -> Result<(), String> {
    lay_out(case, scratch).map_err(|error| format!("the folder for trying cannot be written: {error}"))?;
    let mutant = mutant.filter(|mutant| mutant.meets(case));
    let text = String::from_utf8_lossy(&case.bytes).into_owned();
    let vfs = Vfs::open(scratch).map_err(|d| d.message)?;
    let file = Path::new("scene.toml");
    let resolve = |text: &str, edits: &[String]| resolve_text(text, file, scratch, &vfs, edits);
    let first = resolve(&text, &case.edits);
    if first != resolve(&text, &case.edits) {
        return Err("the same text, another scene or other complaints".into());
    }
    match first {
        Ok(resolved) => {
            if !resolved.warnings.is_empty() {
                law::complaints(&resolved.warnings, |file| text_of(case, &text, file))?;
            }
            printed(&resolved, mutant == Some(Mutant::LostLine), |text| resolve(text, &[]))?;
            let read = |path: &Path| vfs.read(path);
            match world::build(&resolved.scene, &read) {
                Ok(_) => Ok(()),
                Err(found) => law::complaints(&found, |file| text_of(case, &text, file)),
            }
        }
        Err(mut found) => {
            if mutant == Some(Mutant::Span) {
                found[0].span = Some(text.len()..text.len() + 1);
            }
            law::complaints(&found, |file| text_of(case, &text, file))
        }
    }
}

/// What a scene prints reads back as the same scene.
fn printed(
    resolved: &Resolved,
    lose_a_line: bool,
    resolve: impl Fn(&str) -> Result<Resolved, Vec<Diagnostic>>,
) -> Result<(), String> {
    let mut text = resolved.scene.print();
    if lose_a_line {
        // Any of them: the last one often says what holds without it too.
        let lost = text.len() % text.lines().count().max(1);
        text = text.lines().enumerate().filter(|(at, _)| *at != lost).map(|(_, line)| format!("{line}\n")).collect();
    }
    let again = resolve(&text).map_err(|found| {
        let first = found.first().map_or(String::new(), |d| format!("{}: {}", d.code, d.message));
        format!("what is printed is not a scene: {first}")
    })?;
    if again.scene != resolved.scene {
        return Err("what is printed is another scene".into());
    }
    match again.scene.print() == text {
        true => Ok(()),
        false => Err("what is printed prints differently".into()),
    }
}

/// The text that a complaint about `file` points into.
fn text_of(case: &Case, text: &str, file: &Path) -> Option<String> {
    let name = file.file_name()?.to_string_lossy().into_owned();
    if name == "scene.toml" {
        return Some(text.to_string());
    }
    if let Some(rest) = name.strip_prefix("--set") {
        let number = rest.trim_matches([' ', '(', ')']).parse::<usize>().unwrap_or(1);
        return case.edits.get(number.checked_sub(1)?).cloned();
    }
    let (_, bytes) = case.beside.iter().find(|(beside, _)| *beside == name)?;
    String::from_utf8(bytes.clone()).ok()
}

/// Puts the files of a case where the scene looks for them, and takes those of the case before away.
fn lay_out(case: &Case, scratch: &Path) -> std::io::Result<()> {
    for (name, bytes) in FILES {
        let path = scratch.join(name);
        if !path.exists() {
            fs::write(path, bytes)?;
        }
    }
    for name in PARTS {
        let path = scratch.join(name);
        if path.exists() {
            fs::remove_file(path)?;
        }
    }
    for (name, bytes) in case.beside.iter().filter(|(name, _)| !name.contains(['/', '\\', '\0'])) {
        fs::write(scratch.join(name), bytes)?;
    }
    Ok(())
}
