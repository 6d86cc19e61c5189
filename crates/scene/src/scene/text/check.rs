//! A syntax tree against the schema: unknown keys, wrong types, numbers out of range, all of them at once.
//!
//! After a check without complaints every value has the type and range of its row, so that `resolve` only asks for it.

use crate::scene::code;
use crate::scene::noun::SCENE;
use crate::scene::noun::camera::parse_look;
use crate::scene::noun::light::refused_shadow;
use crate::scene::noun::material::refused;
use crate::scene::noun::model::{parse_clip, parse_source};
use crate::scene::noun::output::parse_frames;
use crate::scene::schema::{ANY, CASES_MAX, Default, Kind, NUMBER_MAX, Range, Row, Type, is_link};
use crate::scene::text::color::parse_hex;
use crate::scene::text::complain::Complaints;
use crate::scene::text::keyed::{TABLE as KEYED, is_keyed};
use crate::scene::text::meant::meant;
use crate::scene::text::syntax::{Entry, Kind as Written, Place, Table, Value};
use stillframe_base::tick::Tick;

/// Checks a whole scene file.
pub(crate) fn check(scene: &Table, found: &mut Complaints) {
    let top = Place { source: 0, start: 0, end: 0 };
    check_table(scene, top, &SCENE, "the scene file", found);
}

/// Checks `table`, which stands at `place` and is called `title` in messages.
fn check_table(table: &Table, place: Place, kind: &'static Kind, title: &str, found: &mut Complaints) {
    let selector = kind.variants.map(|v| v.selector);
    let word = selector.and_then(|s| table.value(s)).and_then(|v| v.kind.text());
    let known: Vec<&Row> = kind.keys_beside(word).collect();
    for entry in &table.entries {
        match known.iter().find(|k| k.name == entry.key) {
            Some(key) => check_value(&entry.value, key, title, found),
            None => unknown_key(entry, &known, kind, word, title, found),
        }
    }
    for key in &known {
        if key.default == Default::Required && table.entry(key.name).is_none() {
            let help = Some(format!("{}: {}", key.name, key.doc));
            found.add(code::MISSING_KEY, place, format!("`{}` is missing in {title}", key.name), help);
        }
    }
    for group in kind.needs {
        let may = |name: &&str| known.iter().any(|k| k.name == *name);
        if group.iter().all(may) && group.iter().all(|name| table.entry(name).is_none()) {
            let words: Vec<String> = group.iter().map(|name| format!("`{name}`")).collect();
            let message = format!("{} is missing in {title}", words.join(" or "));
            found.add(code::MISSING_KEY, place, message, None);
        }
    }
    for group in kind.exclusive {
        let mut written = table.entries.iter().filter(|e| group.contains(&e.key.as_str()));
        if let Some(first) = written.next() {
            for other in written {
                let message = format!("`{}` and `{}` in {title} exclude each other", other.key, first.key);
                found.add(code::EXCLUSIVE_KEYS, other.key_place, message, Some("remove one of them".into()));
            }
        }
    }
}

fn unknown_key(
    entry: &Entry,
    known: &[&Row],
    kind: &'static Kind,
    word: Option<&str>,
    title: &str,
    found: &mut Complaints,
) {
    let name = &entry.key;
    if found.is_full() {
        return;
    }
    let owners: Vec<String> = kind.variants.map_or(Vec::new(), |v| {
        let cases = v.cases.iter().filter(|c| c.keys.iter().any(|k| k.name == *name));
        cases.map(|c| format!("`{} = \"{}\"`", v.selector, c.word)).collect()
    });
    if owners.is_empty() {
        let help = match meant(name, known.iter().map(|k| k.name)) {
            Some(near) => format!("did you mean `{near}`?"),
            None => format!("known keys are {}", list(known.iter().map(|k| k.name))),
        };
        found.add(code::UNKNOWN_KEY, entry.key_place, format!("unknown key `{name}` in {title}"), Some(help));
    } else if kind.variants.is_some_and(|v| word.is_none_or(|word| v.cases.iter().any(|c| c.word == word))) {
        // Of an unknown word nobody can say which keys it has: the word is the mistake.
        let case = match (kind.variants, word.or(kind.variants.and_then(|v| v.default))) {
            (Some(v), Some(word)) => format!("with `{} = \"{word}\"`", v.selector),
            (Some(v), None) => format!("without a `{}`", v.selector),
            (None, _) => unreachable!("only variants have owners"),
        };
        let help = format!("it belongs to {}", owners.join(", "));
        let message = format!("`{name}` has no effect {case}");
        found.add(code::KEY_OF_ANOTHER, entry.key_place, message, Some(help));
    }
}

fn list<'a>(words: impl Iterator<Item = &'a str>) -> String {
    words.map(|w| format!("`{w}`")).collect::<Vec<_>>().join(", ")
}

/// A value, or its key frames where it may have them.
pub(crate) fn check_value(value: &Value, key: &'static Row, title: &str, found: &mut Complaints) {
    let inner = matches!(key.ty, Type::Table(_) | Type::Named(_) | Type::Texture(_) | Type::Params | Type::Matrix);
    match &value.kind {
        Written::Table(table) if key.moves => check_keyed(table, value.place, key, title, found),
        _ if is_keyed(value) && !inner => {
            let message = format!("`{}` cannot have key frames", key.name);
            let help = Some("docs/scene.md marks the keys that can; `--set` or a shot can change its value".into());
            found.add(code::NOT_MOVING, value.place, message, help);
        }
        _ => check_plain(value, key, title, found),
    }
}

/// Most keys of one value.
const KEYS_MAX: usize = 4096;

fn check_keyed(table: &Table, place: Place, key: &'static Row, title: &str, found: &mut Complaints) {
    let name = key.name;
    check_table(table, place, &KEYED, &format!("`{name}` of {title}"), found);
    let Some(Written::List(pairs)) = table.value("keys").map(|v| &v.kind) else { return };
    let mut last: Option<f64> = None;
    for pair in pairs {
        let Written::List(parts) = &pair.kind else {
            let message = format!("a key frame of `{name}` is {}; expected [seconds, value]", pair.kind.name());
            found.add(code::WRONG_TYPE, pair.place, message, None);
            continue;
        };
        let [time, value] = parts.as_slice() else {
            let message = format!("a key frame of `{name}` is a list of {}; expected [seconds, value]", parts.len());
            found.add(code::WRONG_COUNT, pair.place, message, None);
            continue;
        };
        let before = found.list.len();
        check_number(time, "seconds", Range { min: -1e6, max: 1e6, open: false }, found);
        if is_keyed(value) {
            let message = format!("a key frame of `{name}` contains key frames");
            found.add(code::WRONG_TYPE, value.place, message, None);
        } else if matches!(key.ty, Type::OrLink(_)) && value.kind.text().is_some_and(is_link) {
            let message = format!("a key frame of `{name}` names a node; expected a value");
            let help = Some("link the key itself, and let a parameter move".to_string());
            found.add(code::WRONG_TYPE, value.place, message, help);
        } else {
            check_plain(value, key, title, found);
        }
        if found.list.len() > before {
            continue;
        }
        let seconds = time.kind.number().unwrap_or(0.0);
        if let Some(last) = last.filter(|last| Tick::from_seconds(*last) >= Tick::from_seconds(seconds)) {
            let message = format!("a key frame at {seconds} s follows one at {last} s; times must rise");
            found.add(code::KEYS_ORDER, time.place, message, None);
        }
        last = Some(seconds);
    }
}

fn check_plain(value: &Value, key: &'static Row, title: &str, found: &mut Complaints) {
    let name = key.name;
    let wrong = |found: &mut Complaints, want: &str| {
        let message = format!("`{name}` is {}; expected {want}", value.kind.name());
        found.add(code::WRONG_TYPE, value.place, message, None);
    };
    match &key.ty {
        Type::Text | Type::Name(_) => match value.kind.text() {
            Some("") => found.add(code::EMPTY_NAME, value.place, format!("`{name}` is empty"), None),
            Some(_) => {}
            None => wrong(found, "a text"),
        },
        Type::Bool => {
            if !matches!(value.kind, Written::Bool(_)) {
                wrong(found, "true or false");
            }
        }
        Type::Number(range) => check_number(value, name, *range, found),
        Type::Whole { min, max } => check_whole(value, name, *min, *max, found),
        Type::Numbers { count, range } => {
            each(value, name, *count, "numbers", found, &mut |v, f| check_number(v, name, *range, f));
        }
        Type::Wholes { count, min, max } => {
            each(value, name, *count, "whole numbers", found, &mut |v, f| check_whole(v, name, *min, *max, f));
        }
        Type::Rows { rows, columns } => each(value, name, *rows, "rows", found, &mut |v, f| {
            let range = Range { min: -NUMBER_MAX, max: NUMBER_MAX, open: false };
            each(v, name, *columns, "numbers", f, &mut |v, f| check_number(v, name, range, f));
        }),
        Type::Scale => check_scale(value, name, found),
        Type::Color { alpha, max } => check_color(value, name, *alpha, *max, found),
        Type::ColorOr(words) => match value.kind.text() {
            Some(text) if !text.starts_with('#') => check_word(text, value.place, name, words, found),
            _ => check_color(value, name, false, NUMBER_MAX, found),
        },
        Type::Choice(words) => match value.kind.text() {
            Some(text) => check_word(text, value.place, name, words, found),
            None => wrong(found, &format!("one of {}", list(words.iter().copied()))),
        },
        Type::ChoiceOf(numbers) => match value.kind {
            Written::Whole(number) if numbers.contains(&number) => {}
            Written::Whole(number) => {
                let known: Vec<String> = numbers.iter().map(i64::to_string).collect();
                let message = format!("`{name}` is {number}; expected {}", known.join(" or "));
                found.add(code::OUT_OF_RANGE, value.place, message, None);
            }
            _ => wrong(found, "a whole number"),
        },
        Type::Choices(words) => check_choices(value, name, words, found),
        Type::ChoicePair(words) => match &value.kind {
            Written::Text(text) => check_word(text, value.place, name, words, found),
            _ => each(value, name, 2, "words", found, &mut |v, f| match v.kind.text() {
                Some(text) => check_word(text, v.place, name, words, f),
                None => f.add(code::WRONG_TYPE, v.place, format!("expected a word in `{name}`"), None),
            }),
        },
        Type::File => {
            if value.kind.text().is_none() {
                wrong(found, "a file's name");
            }
        }
        Type::Look => match value.kind.text().map(parse_look) {
            Some(Ok(_)) => {}
            Some(Err(message)) => found.add(code::BAD_LOOK, value.place, message, None),
            None => wrong(found, "a text `EYE:TARGET[:FOV]`"),
        },
        Type::Texture(inner) => match &value.kind {
            Written::Text(_) => {}
            Written::Table(table) => {
                let title = format!("`{name}` of {title}");
                check_table(table, value.place, inner, &title, found);
            }
            _ => wrong(found, "a file's name, or a table"),
        },
        Type::Table(inner) => match &value.kind {
            Written::Table(table) if inner.title.starts_with('[') => {
                check_table(table, value.place, inner, inner.title, found);
            }
            Written::Table(table) => {
                check_table(table, value.place, inner, &format!("`{name}` of {title}"), found);
            }
            _ => wrong(found, &format!("a table {}", inner.title)),
        },
        Type::Named(inner) => match &value.kind {
            Written::Table(names) => {
                for entry in &names.entries {
                    check_named(entry, name, inner, title, found);
                }
            }
            _ => wrong(found, &format!("tables [{name}.NAME]")),
        },
        Type::List(inner) => match &value.kind {
            Written::List(values) => {
                for (index, value) in values.iter().enumerate() {
                    check_listed(value, index, inner, name, found);
                }
            }
            Written::Table(_) => {
                let help = Some(format!("write {}, with double brackets", inner.title));
                let message = format!("`{name}` is a table; expected a list of tables");
                found.add(code::WRONG_TYPE, value.place, message, help);
            }
            _ => wrong(found, inner.title),
        },
        Type::Files => check_texts(value, name, "files' names", false, found),
        Type::Texts => check_texts(value, name, "names", true, found),
        Type::Rising(range) => {
            check_rising(value, name, found, &mut |v, f| check_number(v, name, *range, f));
        }
        Type::RisingWholes { min, max } => {
            check_rising(value, name, found, &mut |v, f| check_whole(v, name, *min, *max, f));
        }
        Type::Frames => match value.kind.text().map(parse_frames) {
            Some(Ok(_)) => {}
            Some(Err(message)) => found.add(code::OUT_OF_RANGE, value.place, message, None),
            None => wrong(found, "a text like \"0..47\""),
        },
        Type::Clip => match value.kind.text() {
            Some("") => found.add(code::EMPTY_NAME, value.place, format!("`{name}` is empty"), None),
            Some(text) => {
                if let Err(message) = parse_clip(text) {
                    found.add(code::UNKNOWN_WORD, value.place, message, None);
                }
            }
            None => wrong(found, "a clip's name, \"#N\", \"all\" or \"none\""),
        },
        Type::Params => wrong(found, "a table [param] of names and values"),
        Type::Matrix => {
            if !matches!(value.kind, Written::Table(_)) {
                wrong(found, "a table of paths and lists of values");
            }
        }
        Type::FlagOr(inner) => match &value.kind {
            Written::Bool(_) => {}
            Written::Text(text) => check_word(text, value.place, name, &inner.words(), found),
            Written::Table(table) => check_table(table, value.place, inner, &format!("`{name}` of {title}"), found),
            _ => wrong(found, "true, false, a word or a table"),
        },
        Type::NumberOr(range, inner) => match &value.kind {
            Written::Table(table) => check_table(table, value.place, inner, inner.title, found),
            _ => check_number(value, name, *range, found),
        },
        Type::Identifier => match value.kind.text() {
            Some(text) if is_identifier(text) && !crate::scene::noun::animator::condition::WORDS.contains(&text) => {}
            Some(_) => {
                let words = crate::scene::noun::animator::condition::WORDS.map(|word| format!("`{word}`")).join(", ");
                let message = format!("`{name}` must be a letter, then letters, digits and `_`, and none of {words}");
                found.add(code::EMPTY_NAME, value.place, message, None);
            }
            None => wrong(found, "a text"),
        },
        Type::Value(range) => check_number_or_name(value, name, *range, found),
        Type::Values { count, range } => each(value, name, *count, "numbers or parameters", found, &mut |v, f| {
            check_number_or_name(v, name, *range, f);
        }),
        Type::Names { what, max } => up_to(value, name, *max, "names", found, &mut |v, f| match v.kind.text() {
            Some("") => f.add(code::EMPTY_NAME, v.place, format!("`{name}` contains an empty name"), None),
            Some(_) => {}
            None => {
                let message = format!("`{name}` contains {}; expected the name of a {what}", v.kind.name());
                f.add(code::WRONG_TYPE, v.place, message, None);
            }
        }),
        Type::NumbersUpTo { max, range } => {
            up_to(value, name, *max, "numbers", found, &mut |v, f| check_number(v, name, *range, f));
        }
        Type::PairsUpTo { max, range } => up_to(value, name, *max, "pairs of numbers", found, &mut |v, f| {
            each(v, name, 2, "numbers", f, &mut |v, f| check_number(v, name, *range, f));
        }),
        Type::RowsUpTo { max, range } => up_to(value, name, *max, "lists of numbers", found, &mut |v, f| {
            up_to(v, name, *max, "numbers", f, &mut |v, f| check_number(v, name, *range, f));
        }),
        Type::ClipSource => match value.kind.text() {
            Some("") => found.add(code::EMPTY_NAME, value.place, format!("`{name}` is empty"), None),
            Some(text) => {
                if let Err(message) = parse_source(text) {
                    found.add(code::UNKNOWN_WORD, value.place, message, None);
                }
            }
            None => wrong(found, "a clip's name, or \"#N\""),
        },
        Type::Condition => {
            if value.kind.text().is_none() {
                wrong(found, "a condition in quotes");
            }
        }
        Type::Literal => check_literal(value, name, found),
        Type::Pin => match value.kind.text().filter(|text| is_link(text)) {
            Some(_) => {}
            None => check_literal(value, name, found),
        },
        Type::Link => {
            if !value.kind.text().is_some_and(is_link) {
                wrong(found, "an output of a node: \"node.output\"");
            }
        }
        Type::OrLink(inner) => match (value.kind.text().filter(|text| is_link(text)), inner) {
            (Some(_), _) => {}
            (None, Type::Number(range)) => check_number(value, name, *range, found),
            (None, Type::Color { alpha, max }) => check_color(value, name, *alpha, *max, found),
            _ => unreachable!("only numbers and colours can be linked"),
        },
        Type::KeyFrames => match &value.kind {
            Written::List(pairs) if pairs.is_empty() => {
                found.add(code::WRONG_COUNT, value.place, "`keys` is empty; expected at least one key frame", None);
            }
            Written::List(pairs) if pairs.len() > KEYS_MAX => {
                found.add(code::TOO_MANY, value.place, format!("more than {KEYS_MAX} keys"), None);
            }
            Written::List(_) => {}
            _ => wrong(found, "a list of [seconds, value]"),
        },
    }
}

/// A number, two to four of them, or a colour.
fn check_literal(value: &Value, name: &str, found: &mut Complaints) {
    match &value.kind {
        Written::List(values) if (2..=4).contains(&values.len()) => {
            values.iter().for_each(|value| check_number(value, name, ANY, found));
        }
        Written::List(values) => {
            let message = format!("`{name}` has {} values; expected a number, or 2 to 4 of them", values.len());
            found.add(code::WRONG_COUNT, value.place, message, None);
        }
        Written::Text(_) => check_color(value, name, true, NUMBER_MAX, found),
        _ => check_number(value, name, ANY, found),
    }
}

/// A letter, then letters, digits and `_`.
pub(crate) fn is_identifier(text: &str) -> bool {
    text.starts_with(|c: char| c.is_ascii_alphabetic()) && text.chars().all(|c| c.is_ascii_alphanumeric() || c == '_')
}

/// A list of one to `max` values.
fn up_to(
    value: &Value,
    name: &str,
    max: usize,
    what: &str,
    found: &mut Complaints,
    check: &mut dyn FnMut(&Value, &mut Complaints),
) {
    match &value.kind {
        Written::List(values) if (1..=max).contains(&values.len()) => values.iter().for_each(|v| check(v, found)),
        Written::List(values) => {
            let message = format!("`{name}` has {} values; expected 1 to {max} {what}", values.len());
            found.add(code::WRONG_COUNT, value.place, message, None);
        }
        other => {
            let message = format!("`{name}` is {}; expected a list of {what}", other.name());
            found.add(code::WRONG_TYPE, value.place, message, None);
        }
    }
}

/// A number, or a text that names a parameter.
fn check_number_or_name(value: &Value, name: &str, range: Range, found: &mut Complaints) {
    match &value.kind {
        Written::Text(text) if text.is_empty() => {
            found.add(code::EMPTY_NAME, value.place, format!("`{name}` is empty"), None);
        }
        Written::Text(_) => {}
        Written::Whole(_) | Written::Float(_) => check_number(value, name, range, found),
        other => {
            let message = format!("`{name}` is {}; expected a number or a parameter's name", other.name());
            found.add(code::WRONG_TYPE, value.place, message, None);
        }
    }
}

fn check_named(entry: &Entry, name: &str, kind: &'static Kind, title: &str, found: &mut Complaints) {
    if entry.key.is_empty() {
        found.add(code::EMPTY_NAME, entry.key_place, format!("a name in [{name}.NAME] is empty"), None);
    }
    match &entry.value.kind {
        Written::Table(table) => {
            let title = match name {
                "override" => format!("override.{} of {title}", entry.key),
                _ => format!("[{name}.{}]", entry.key),
            };
            check_table(table, entry.value.place, kind, &title, found);
        }
        // `[camera]` with a camera's keys: the name was forgotten.
        other if kind.key_anywhere(&entry.key).is_some() => {
            let message = format!("`{}` is in [{name}], which contains {} by name", entry.key, other.name());
            let message = message.replace(other.name(), "tables");
            let help = Some(format!("give it a name: [{name}.main]"));
            found.add(code::WRONG_TYPE, entry.key_place, message, help);
        }
        other => {
            let message = format!("`{}` is {}; expected a table [{name}.{}]", entry.key, other.name(), entry.key);
            found.add(code::WRONG_TYPE, entry.value.place, message, None);
        }
    }
}

fn check_listed(value: &Value, index: usize, kind: &'static Kind, name: &str, found: &mut Complaints) {
    match &value.kind {
        Written::Table(table) => {
            let title = match table.value("name").and_then(|v| v.kind.text()) {
                Some(own) => format!("{name} \"{own}\""),
                None => format!("{} number {}", kind.title, index + 1),
            };
            check_table(table, value.place, kind, &title, found);
        }
        other => {
            let message = format!("`{name}` contains {}; expected tables", other.name());
            found.add(code::WRONG_TYPE, value.place, message, Some(format!("write {}", kind.title)));
        }
    }
}

/// A text or a list of them; `once`: each may stand only once.
fn check_texts(value: &Value, name: &str, what: &str, once: bool, found: &mut Complaints) {
    let one = std::slice::from_ref(value);
    let values = match &value.kind {
        Written::List(values) if values.is_empty() && once => {
            found.add(code::WRONG_COUNT, value.place, format!("`{name}` is empty; expected {what}"), None);
            return;
        }
        Written::List(values) => values.as_slice(),
        _ => one,
    };
    let mut seen = std::collections::BTreeSet::new();
    for value in values {
        match value.kind.text() {
            Some("") => found.add(code::EMPTY_NAME, value.place, format!("`{name}` contains an empty name"), None),
            Some(text) if !seen.insert(text) && once => {
                found.add(code::NAME_TWICE, value.place, format!("`{text}` appears twice in `{name}`"), None);
            }
            Some(_) => {}
            None => {
                let message = format!("`{name}` contains {}; expected {what}", value.kind.name());
                found.add(code::WRONG_TYPE, value.place, message, None);
            }
        }
    }
}

/// A list of numbers, each more than the one before.
fn check_rising(value: &Value, name: &str, found: &mut Complaints, check: &mut dyn FnMut(&Value, &mut Complaints)) {
    let Written::List(values) = &value.kind else {
        let message = format!("`{name}` is {}; expected a list of numbers", value.kind.name());
        found.add(code::WRONG_TYPE, value.place, message, None);
        return;
    };
    if values.is_empty() || values.len() > CASES_MAX {
        let message = format!("`{name}` has {} values; expected 1 to {}", values.len(), CASES_MAX);
        found.add(code::WRONG_COUNT, value.place, message, None);
        return;
    }
    let mut last: Option<f64> = None;
    for value in values {
        let before = found.list.len();
        check(value, found);
        if found.list.len() > before {
            continue;
        }
        let number = value.kind.number().unwrap_or(0.0);
        if let Some(last) = last.filter(|last| *last >= number) {
            let message = format!("`{name}` has {number} after {last}; values must rise");
            found.add(code::KEYS_ORDER, value.place, message, None);
        }
        last = Some(number);
    }
}

fn check_number(value: &Value, name: &str, range: Range, found: &mut Complaints) {
    let Some(number) = value.kind.number() else {
        let message = format!("`{name}` is {}; expected a number", value.kind.name());
        found.add(code::WRONG_TYPE, value.place, message, None);
        return;
    };
    if !number.is_finite() {
        found.add(code::NOT_FINITE, value.place, format!("`{name}` is {number}; numbers must be finite"), None);
    } else if !range.holds(number) || (range.open && number as f32 <= range.min as f32) {
        let written = if number.abs() < 1e16 { format!("{number}") } else { format!("{number:e}") };
        let message = format!("`{name}` is {written}, but must be {}", range.words());
        found.add(code::OUT_OF_RANGE, value.place, message, None);
    }
}

fn check_whole(value: &Value, name: &str, min: i64, max: i64, found: &mut Complaints) {
    match value.kind {
        Written::Whole(number) if (min..=max).contains(&number) => {}
        Written::Whole(number) => {
            let message = format!("`{name}` is {number}, but must be from {min} to {max}");
            found.add(code::OUT_OF_RANGE, value.place, message, None);
        }
        _ => {
            let message = format!("`{name}` is {}; expected an integer", value.kind.name());
            found.add(code::WRONG_TYPE, value.place, message, None);
        }
    }
}

/// A list of exactly `count` values.
fn each(
    value: &Value,
    name: &str,
    count: usize,
    what: &str,
    found: &mut Complaints,
    check: &mut dyn FnMut(&Value, &mut Complaints),
) {
    match &value.kind {
        Written::List(values) if values.len() == count => values.iter().for_each(|v| check(v, found)),
        Written::List(values) => {
            let message = format!("`{name}` has {} values; expected {count} {what}", values.len());
            found.add(code::WRONG_COUNT, value.place, message, None);
        }
        other => {
            let message = format!("`{name}` is {}; expected a list of {count} {what}", other.name());
            found.add(code::WRONG_TYPE, value.place, message, None);
        }
    }
}

fn check_scale(value: &Value, name: &str, found: &mut Complaints) {
    let range = Range { min: -NUMBER_MAX, max: NUMBER_MAX, open: false };
    let mut one = |value: &Value, found: &mut Complaints| {
        let before = found.list.len();
        check_number(value, name, range, found);
        // Smaller ones cannot be inverted in single precision.
        if found.list.len() == before && value.kind.number().is_some_and(|n| n.abs() < 1e-6) {
            let message = format!("`{name}` is too small: nothing would be left");
            found.add(code::NO_SIZE, value.place, message, None);
        }
    };
    match &value.kind {
        Written::List(_) => each(value, name, 3, "numbers", found, &mut one),
        _ => one(value, found),
    }
}

fn check_color(value: &Value, name: &str, alpha: bool, max: f64, found: &mut Complaints) {
    let forms =
        if alpha { "\"#rrggbb\", \"#rrggbbaa\", [r, g, b] or [r, g, b, a]" } else { "\"#rrggbb\" or [r, g, b]" };
    match &value.kind {
        Written::Text(text) => {
            if parse_hex(text, alpha).is_none() {
                let message = format!("`{text}` is not a colour");
                found.add(code::BAD_COLOR, value.place, message, Some(format!("`{name}` is {forms}")));
            }
        }
        Written::List(values) => {
            if values.len() != 3 && !(alpha && values.len() == 4) {
                let message = format!("`{name}` has {} values; a colour is {forms}", values.len());
                found.add(code::WRONG_COUNT, value.place, message, None);
                return;
            }
            let told = found.list.len();
            for (index, value) in values.iter().enumerate() {
                let max = if index == 3 { 1.0 } else { max };
                check_number(value, name, Range { min: 0.0, max, open: false }, found);
            }
            if let Some(hex) = hex_of_bytes(values) {
                let wrong = found.list.iter_mut().skip(told);
                wrong.for_each(|complaint| complaint.help = Some(format!("did you mean \"{hex}\"?")));
            }
        }
        other => {
            let message = format!("`{name}` is {}; expected a colour: {forms}", other.name());
            found.add(code::WRONG_TYPE, value.place, message, None);
        }
    }
}

/// A colour whose parts are written as bytes, 0 to 255.
fn hex_of_bytes(values: &[Value]) -> Option<String> {
    let byte = |value: &Value| match value.kind {
        Written::Whole(number) => u8::try_from(number).ok(),
        _ => None,
    };
    let bytes: Vec<u8> = values.iter().map(byte).collect::<Option<_>>()?;
    Some(bytes.iter().fold("#".to_string(), |hex, byte| format!("{hex}{byte:02x}")))
}

fn check_word(text: &str, place: Place, name: &str, words: &[&str], found: &mut Complaints) {
    let is_layer = || crate::scene::noun::aov::spelt(text).is_some_and(|spelt| words.contains(&spelt));
    if words.contains(&text) && !text.ends_with(".N") && !text.ends_with(".NAME") || is_layer() {
        return;
    }
    let one_of = || format!("one of {}", list(words.iter().copied()));
    if let Some(why) = refused_shadow(words, text) {
        found.add(code::NOT_HERE, place, format!("{name} `{text}` {why}"), Some(one_of()));
        return;
    }
    if let Some(refused) = refused(words, text) {
        let message = format!("{name} `{text}` {}", refused.why);
        found.add(code::NOT_HERE, place, message, Some(refused.instead.to_string()));
        return;
    }
    let help = match meant(text, words.iter().copied()) {
        Some(near) => format!("did you mean `{near}`?"),
        None => one_of(),
    };
    found.add(code::UNKNOWN_WORD, place, format!("unknown {name} `{text}`"), Some(help));
}

fn check_choices(value: &Value, name: &str, words: &[&str], found: &mut Complaints) {
    let Written::List(values) = &value.kind else {
        let message = format!("`{name}` is {}; expected a list of words", value.kind.name());
        found.add(code::WRONG_TYPE, value.place, message, None);
        return;
    };
    for (index, value) in values.iter().enumerate() {
        match value.kind.text() {
            Some(text) if values[..index].iter().any(|v| v.kind.text() == Some(text)) => {
                found.add(code::NAME_TWICE, value.place, format!("`{text}` appears twice in `{name}`"), None);
            }
            Some(text) => check_word(text, value.place, name, words, found),
            None => {
                let message = format!("`{name}` contains {}; expected words", value.kind.name());
                found.add(code::WRONG_TYPE, value.place, message, None);
            }
        }
    }
}
