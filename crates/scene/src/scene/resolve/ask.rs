//! Asking a checked table for values. What is not written, or is wrong (which the check has told), is `None`.

use glam::Vec3;

use super::super::color::parse_hex;
use super::super::syntax::{Kind, Place, Table, Value};

pub(super) fn text<'a>(table: &'a Table, key: &str) -> Option<&'a str> {
    table.value(key)?.kind.text()
}

pub(super) fn placed_text<'a>(table: &'a Table, key: &str) -> Option<(&'a str, Place)> {
    let value = table.value(key)?;
    Some((value.kind.text()?, value.place))
}

pub(super) fn flag(table: &Table, key: &str) -> Option<bool> {
    match table.value(key)?.kind {
        Kind::Bool(flag) => Some(flag),
        _ => None,
    }
}

/// Finite, and within the bounds of every number of a scene.
pub(super) fn number(table: &Table, key: &str) -> Option<f64> {
    sound(table.value(key)?)
}

pub(super) fn float(table: &Table, key: &str) -> Option<f32> {
    number(table, key).map(|n| n as f32)
}

pub(super) fn whole(table: &Table, key: &str) -> Option<u32> {
    match table.value(key)?.kind {
        Kind::Whole(number) => u32::try_from(number).ok(),
        _ => None,
    }
}

pub(super) fn signed(table: &Table, key: &str) -> Option<i32> {
    match table.value(key)?.kind {
        Kind::Whole(number) => i32::try_from(number).ok(),
        _ => None,
    }
}

fn sound(value: &Value) -> Option<f64> {
    value.kind.number().filter(|n| n.abs() <= super::super::schema::NUMBER_MAX)
}

/// A list of exactly `N` numbers.
pub(super) fn numbers<const N: usize>(table: &Table, key: &str) -> Option<[f64; N]> {
    list_of(table.value(key)?)
}

fn list_of<const N: usize>(value: &Value) -> Option<[f64; N]> {
    let Kind::List(values) = &value.kind else { return None };
    let numbers: Vec<f64> = values.iter().map(sound).collect::<Option<_>>()?;
    numbers.try_into().ok()
}

pub(super) fn floats<const N: usize>(table: &Table, key: &str) -> Option<[f32; N]> {
    numbers(table, key).map(|values| values.map(|v| v as f32))
}

pub(super) fn vector(table: &Table, key: &str) -> Option<Vec3> {
    floats(table, key).map(Vec3::from_array)
}

/// One number for all axes, or one an axis.
pub(super) fn scale(table: &Table, key: &str) -> Option<Vec3> {
    float(table, key).map(Vec3::splat).or_else(|| vector(table, key))
}

/// Linear, with alpha 1 where none is written.
pub(super) fn color(table: &Table, key: &str) -> Option<[f32; 4]> {
    color_of(table.value(key)?)
}

pub(super) fn color_of(value: &Value) -> Option<[f32; 4]> {
    if let Some(text) = value.kind.text() {
        return parse_hex(text, true);
    }
    if let Some(with_alpha) = list_of::<4>(value) {
        return Some(with_alpha.map(|v| v as f32));
    }
    let [r, g, b] = list_of::<3>(value)?.map(|v| v as f32);
    Some([r, g, b, 1.0])
}

pub(super) fn rgb(table: &Table, key: &str) -> Option<[f32; 3]> {
    color(table, key).map(|[r, g, b, _]| [r, g, b])
}

/// What the word under `key` means.
pub(super) fn choice<T: Copy>(table: &Table, key: &str, meanings: &[(&str, T)]) -> Option<T> {
    meaning(text(table, key)?, meanings)
}

pub(super) fn meaning<T: Copy>(word: &str, meanings: &[(&str, T)]) -> Option<T> {
    meanings.iter().find(|(known, _)| *known == word).map(|(_, meaning)| *meaning)
}

/// The words of a list.
pub(super) fn words<'a>(table: &'a Table, key: &str) -> Vec<&'a str> {
    match table.value(key).map(|v| &v.kind) {
        Some(Kind::List(values)) => values.iter().filter_map(|v| v.kind.text()).collect(),
        _ => Vec::new(),
    }
}

/// The words of a list with their places.
pub(super) fn placed_words<'a>(table: &'a Table, key: &str) -> Vec<(&'a str, Place)> {
    match table.value(key).map(|v| &v.kind) {
        Some(Kind::List(values)) => values.iter().filter_map(|v| Some((v.kind.text()?, v.place))).collect(),
        _ => Vec::new(),
    }
}

/// One text or a list of them.
pub(super) fn texts(table: &Table, key: &str) -> Vec<String> {
    match text(table, key) {
        Some(text) => vec![text.to_string()],
        None => words(table, key).into_iter().map(str::to_string).collect(),
    }
}

/// How many values a list has, wrong ones counted.
pub(super) fn length(table: &Table, key: &str) -> usize {
    match table.value(key).map(|v| &v.kind) {
        Some(Kind::List(values)) => values.len(),
        _ => 0,
    }
}

/// A list of any number of numbers.
pub(super) fn numbers_of(table: &Table, key: &str) -> Vec<f64> {
    table.value(key).map_or(Vec::new(), all_numbers)
}

fn all_numbers(value: &Value) -> Vec<f64> {
    match &value.kind {
        Kind::List(values) => values.iter().filter_map(sound).collect(),
        _ => Vec::new(),
    }
}

pub(super) fn floats_of(table: &Table, key: &str) -> Vec<f32> {
    numbers_of(table, key).into_iter().map(|n| n as f32).collect()
}

/// A list of any number of pairs of numbers.
pub(super) fn pairs(table: &Table, key: &str) -> Vec<[f32; 2]> {
    match table.value(key).map(|v| &v.kind) {
        Some(Kind::List(values)) => values.iter().filter_map(list_of::<2>).map(|pair| pair.map(|n| n as f32)).collect(),
        _ => Vec::new(),
    }
}

/// A list of lists of numbers.
pub(super) fn number_rows(table: &Table, key: &str) -> Vec<Vec<f64>> {
    match table.value(key).map(|v| &v.kind) {
        Some(Kind::List(rows)) => rows.iter().map(all_numbers).collect(),
        _ => Vec::new(),
    }
}

/// `R` lists of `N` numbers each.
pub(super) fn rows<const R: usize, const N: usize>(table: &Table, key: &str) -> Option<[[f32; N]; R]> {
    let Kind::List(values) = &table.value(key)?.kind else { return None };
    let rows: Vec<[f32; N]> =
        values.iter().map(|v| list_of::<N>(v).map(|row| row.map(|n| n as f32))).collect::<Option<_>>()?;
    rows.try_into().ok()
}
