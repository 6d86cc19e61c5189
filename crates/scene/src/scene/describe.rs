//! The schema for people: the tables of docs/scene.md.

use std::fmt::Write;

use super::noun::output::SHOT_TABLE;
use super::noun::{KINDS, SCENE};
use super::schema::{Default, Kind, NUMBER_MAX, Range, Row, Type};

/// Every kind and key as Markdown tables. `has_picture` says whether there is a picture of that name (`output.samples`,
/// `shape.box`) in docs/scene.
pub fn markdown(has_picture: &dyn Fn(&str) -> bool) -> String {
    let mut out = String::new();
    for kind in KINDS {
        let title = if std::ptr::eq(*kind, &SCENE) { "A scene file".to_string() } else { format!("`{}`", kind.title) };
        let _ = write!(out, "## {title}\n\n{}\n\n", wrapped(kind.doc));
        if std::ptr::eq(*kind, &SHOT_TABLE) {
            continue;
        }
        let name = short_name(kind);
        table(&mut out, kind.keys, &[name], has_picture);
        for group in kind.exclusive {
            let names: Vec<String> = group.iter().map(|n| format!("`{n}`")).collect();
            let how = if kind.needs.contains(group) { "One" } else { "At most one" };
            let _ = write!(out, "{how} of {}.\n\n", names.join(", "));
        }
        for case in kind.variants.map_or(&[][..], |v| v.cases) {
            let selector = kind.variants.map_or("", |v| v.selector);
            let _ = write!(out, "### `{selector} = \"{}\"`\n\n{}\n\n", case.word, wrapped(case.doc));
            let own = format!("{selector}.{}", case.word);
            if has_picture(&own) {
                let _ = write!(out, "{}\n\n", picture(&own));
            }
            table(&mut out, case.keys, &[case.word, name], has_picture);
        }
    }
    out.truncate(out.trim_end().len());
    out.push('\n');
    out
}

/// A paragraph in lines of at most 120 columns.
fn wrapped(text: &str) -> String {
    let (mut out, mut columns) = (String::new(), 0);
    for word in text.split(' ') {
        let width = word.chars().count();
        if columns > 0 && columns + 1 + width > 120 {
            out.push('\n');
            columns = 0;
        } else if columns > 0 {
            out.push(' ');
            columns += 1;
        }
        out.push_str(word);
        columns += width;
    }
    out
}

/// What pictures of a kind's keys begin with: `output`, `camera`, `sky`, `texture`.
fn short_name(kind: &Kind) -> &'static str {
    let word = kind.title.trim_start_matches(['[', '.', '_']);
    let end = word.find(|c: char| c != '_' && !c.is_ascii_alphanumeric()).unwrap_or(word.len());
    &word[..end]
}

fn picture(name: &str) -> String {
    format!("![{name}](scene/{name}.png)")
}

/// Pictures are looked for under each of `names`, the first one that is there counts.
fn table(out: &mut String, keys: &[Row], names: &[&str], has_picture: &dyn Fn(&str) -> bool) {
    let shown: Vec<Option<String>> = keys
        .iter()
        .map(|key| names.iter().map(|name| format!("{name}.{}", key.name)).find(|name| has_picture(name)))
        .collect();
    let any = shown.iter().any(Option::is_some);
    let (head, rule) = if any { (" picture |", " --- |") } else { ("", "") };
    let _ = writeln!(out, "| key | value | default | meaning |{head}\n| --- | --- | --- | --- |{rule}");
    for (key, shown) in keys.iter().zip(shown) {
        let default = match key.default {
            Default::Required => "required".to_string(),
            Default::Words(words) => words.to_string(),
            Default::Value(value) => format!("`{}`", value.text()),
        };
        let moves = if key.moves { "; moves" } else { "" };
        let value = format!("{}{moves}", type_words(&key.ty));
        let picture =
            if any { format!(" {} |", shown.map_or(String::new(), |name| picture(&name))) } else { String::new() };
        let _ = writeln!(out, "| `{}` | {value} | {default} | {} |{picture}", key.name, key.doc);
    }
    out.push('\n');
}

fn type_words(ty: &Type) -> String {
    let ticked = |words: &[&str]| words.iter().map(|w| format!("`\"{w}\"`")).collect::<Vec<_>>().join(", ");
    let any = |range: &Range| range.max >= NUMBER_MAX && range.min <= -NUMBER_MAX;
    match ty {
        Type::Text => "text".into(),
        Type::Bool => "`true`, `false`".into(),
        Type::Number(range) if any(range) => "number".into(),
        Type::Number(range) => format!("number {}", range.words()),
        Type::Whole { min, max } => format!("whole number {min} to {max}"),
        Type::Numbers { count, range } if any(range) => format!("{count} numbers"),
        Type::Numbers { count, range } => format!("{count} numbers {}", range.words()),
        Type::Wholes { count, min, max } => format!("{count} whole numbers {min} to {max}"),
        Type::Rows { rows, columns } => format!("{rows} lists of {columns} numbers"),
        Type::Scale => "number, or 3 numbers; not 0".into(),
        Type::Color { alpha: false, max } if *max <= 1.0 => "colour, at most 1".into(),
        Type::Color { alpha: false, .. } => "colour".into(),
        Type::Color { alpha: true, .. } => "colour, with or without alpha".into(),
        Type::ColorOr(words) => format!("colour, {}", ticked(words)),
        Type::Choice(words) => ticked(words),
        Type::ChoiceOf(numbers) => numbers.iter().map(|n| format!("`{n}`")).collect::<Vec<_>>().join(", "),
        Type::Choices(words) => format!("list of {}", ticked(words)),
        Type::ChoicePair(words) => format!("{}, or a list of two", ticked(words)),
        Type::File => "file".into(),
        Type::Name("animator") => "name of an animator".into(),
        Type::Name(what) => format!("name of a {what}"),
        Type::Look => "text".into(),
        Type::Texture(_) => "texture".into(),
        Type::Table(kind) => format!("table `{}`", kind.title),
        Type::Named(_) => "named tables".into(),
        Type::List(kind) => format!("tables `{}`", kind.title),
        Type::Files => "file, or list of files".into(),
        Type::Texts => "text, or list of texts".into(),
        Type::Rising(_) => "rising numbers".into(),
        Type::RisingWholes { .. } => "rising whole numbers".into(),
        Type::Frames => "text `\"A..B\"`".into(),
        Type::Clip => "text".into(),
        Type::Params => "names and values".into(),
        Type::Matrix => "paths and lists of values".into(),
        Type::FlagOr(kind) => format!("`true`, `false`, {}, or a table `{}`", ticked(&kind.words()), kind.title),
        Type::NumberOr(range, kind) => format!("number {}, or a table `{}`", range.words(), kind.title),
        Type::Identifier => "text".into(),
        Type::Value(range) if any(range) => "number or parameter".into(),
        Type::Value(range) => format!("number {}, or parameter", range.words()),
        Type::Values { count, .. } => format!("{count} numbers or parameters"),
        Type::Names { what, .. } => format!("list of names, each of a {what}"),
        Type::NumbersUpTo { .. } => "list of numbers".into(),
        Type::PairsUpTo { .. } => "list of pairs of numbers".into(),
        Type::RowsUpTo { .. } => "list of lists of numbers".into(),
        Type::ClipSource => "text".into(),
        Type::Condition => "condition".into(),
        Type::Literal => "number, 2 to 4 numbers, or colour".into(),
        Type::Pin => "number, 2 to 4 numbers, colour, or `\"node.output\"`".into(),
        Type::Link => "`\"node.output\"`".into(),
        Type::OrLink(inner) => format!("{}, or `\"node.output\"`", type_words(inner)),
        Type::KeyFrames => "list of `[seconds, value]`".into(),
    }
}
