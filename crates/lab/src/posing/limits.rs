//! Limits: the file that says what a program can do with poses, as [`Limits`].

use std::path::Path;

use stillframe_oracle::pose::{Limits, Mean, Scales, TaskKind};

use crate::scene::code;
use crate::script::keys::{Found, Table};
use crate::script::profile::{some, words};
use crate::script::read::document;
use crate::source::{Diagnostic, sort};

const KINDS: [(&str, TaskKind); 5] = [
    ("blend", TaskKind::Blend),
    ("add", TaskKind::Add),
    ("model", TaskKind::Model),
    ("skin", TaskKind::Skin),
    ("skin_dual", TaskKind::SkinDual),
];

/// Reads limits.
///
/// Errors: all mistakes of the text at once, in its order.
pub fn read_limits(text: &str, file: &Path) -> Result<Limits, Vec<Diagnostic>> {
    let document = document(text, file, "profile")?;
    let mut found = Found { file, text, list: Vec::new() };
    let whole = Table { table: document.as_table(), place: 0..text.len().min(1) };
    let limits = limits(&whole, &mut found);
    let mut list = found.list;
    sort(&mut list);
    if list.is_empty() { Ok(limits) } else { Err(list) }
}

fn limits<'a>(whole: &Table<'a>, found: &mut Found<'a>) -> Limits {
    whole.only(&["title", "draw", "compare"], found);
    if let Some(title) = whole.value("title", found) {
        found.text_of(&title);
    }
    let mut limits = Limits::default();
    if let Some(table) = whole.child("compare", found) {
        table.only(&["tolerance"], found);
        if let Some(at) = table.value("tolerance", found) {
            let number = at.value.as_float().or(at.value.as_integer().map(|number| number as f64));
            match number.filter(|number| (0.0..=1.0).contains(number)) {
                Some(number) => limits.tolerance = number,
                None => drop(found.tell(code::OUT_OF_RANGE, at.place, "expected a tolerance of 0 to 1")),
            }
        }
    }
    if let Some(table) = whole.child("draw", found) {
        draw(&table, &mut limits, found);
    }
    limits
}

fn draw<'a>(table: &Table<'a>, limits: &mut Limits, found: &mut Found<'a>) {
    let counts = ["layers_max", "joints_max", "influences_max"];
    let flags = ["masks", "signs"];
    table.only(&[&["operations", "rotations", "scales", "weights"], &counts[..], &flags].concat(), found);
    let kinds = words(table, "operations", &KINDS, found);
    limits.kinds = some(kinds, table, "operations", found).unwrap_or(limits.kinds.clone());
    let fields =
        [(&mut limits.layers_max, 2..=16), (&mut limits.joints_max, 1..=1000), (&mut limits.influences_max, 1..=8)];
    for (key, (field, range)) in counts.into_iter().zip(fields) {
        if let Some(at) = table.value(key, found)
            && let Some(count) = found.whole(&at, range)
        {
            *field = count as usize;
        }
    }
    for (key, flag) in flags.into_iter().zip([&mut limits.masks, &mut limits.signs]) {
        if let Some(at) = table.value(key, found) {
            *flag = found.flag(&at).unwrap_or(*flag);
        }
    }
    if let Some(at) = table.value("rotations", found) {
        let means = [("nlerp", Mean::Nlerp), ("slerp", Mean::Slerp)];
        limits.mean = found.word(&at, &means).unwrap_or_default();
    }
    if let Some(at) = table.value("scales", found) {
        let scales = [("uneven", Scales::Uneven), ("even", Scales::Even), ("none", Scales::None)];
        limits.scales = found.word(&at, &scales).unwrap_or_default();
    }
    if let Some(at) = table.value("weights", found) {
        limits.any_weights = found.word(&at, &[("any", true), ("sum-1", false)]).unwrap_or(true);
    }
}
