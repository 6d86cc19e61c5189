//! Typed keys: a row of the table, and the Rust type of its value.
//!
//! In: a table of a scene file. Out: what is written under a key, else the row's default. Never here: checks, which
//! have reported every wrong value before anything is asked.
//!
//! `const NEAR_M: Key<f32> = number("near_m", 0.1, POSITIVE, "...")` is all that a key needs: `table.ask(NEAR_M)` reads
//! it, `out.line(NEAR_M, near_m)` prints it, and `.moves()` allows key frames of it. `fields` does all of them for a
//! field.

use std::marker::PhantomData;

use glam::Vec3;

use super::schema::{Constant, Default, NUMBER_MAX, Range, Row, Type, Variant};
use super::text::color::parse_hex;
use super::text::syntax::{Entry, Kind as Written, Place, Table, Value};
use super::text::toml;
use super::word::Word;

/// A row of the table whose value is a `T`.
#[derive(Debug)]
pub(crate) struct Key<T> {
    pub row: Row,
    value: PhantomData<fn() -> T>,
}

/// The value of a key that holds one table: `sky = { ... }`, `[camera.NAME.control]`.
#[derive(Debug)]
pub(crate) enum Inner {}

/// The value of a key that holds a list of tables: `[[node]]`.
#[derive(Debug)]
pub(crate) enum List {}

/// The value of a key that holds tables by name: `[camera.NAME]`.
#[derive(Debug)]
pub(crate) enum Named {}

impl<T> Clone for Key<T> {
    fn clone(&self) -> Key<T> {
        *self
    }
}

impl<T> Copy for Key<T> {}

impl<T> Key<T> {
    /// The same, and its value may be key-framed.
    pub const fn moves(self) -> Key<T> {
        Key { row: Row { moves: true, ..self.row }, value: PhantomData }
    }

    pub const fn name(self) -> &'static str {
        self.row.name
    }
}

pub(crate) const fn row<T>(name: &'static str, ty: Type, default: Default, doc: &'static str) -> Key<T> {
    Key { row: Row { name, ty, default, doc, moves: false }, value: PhantomData }
}

pub(crate) const fn key<T>(name: &'static str, ty: Type, default: Constant, doc: &'static str) -> Key<T> {
    row(name, ty, Default::Value(default), doc)
}

pub(crate) const fn required<T>(name: &'static str, ty: Type, doc: &'static str) -> Key<T> {
    row(name, ty, Default::Required, doc)
}

/// One that need not be there; `default` says in words what counts then.
pub(crate) const fn optional<T>(name: &'static str, ty: Type, default: &'static str, doc: &'static str) -> Key<T> {
    row(name, ty, Default::Words(default), doc)
}

pub(crate) const fn flag(name: &'static str, default: bool, doc: &'static str) -> Key<bool> {
    key(name, Type::Bool, Constant::Flag(default), doc)
}

pub(crate) const fn number<T>(name: &'static str, default: f64, range: Range, doc: &'static str) -> Key<T> {
    key(name, Type::Number(range), Constant::Number(default), doc)
}

pub(crate) const fn whole<T>(name: &'static str, default: i64, min: i64, max: i64, doc: &'static str) -> Key<T> {
    key(name, Type::Whole { min, max }, Constant::Whole(default), doc)
}

/// As many numbers as the default has.
pub(crate) const fn numbers<T>(name: &'static str, default: &'static [f64], range: Range, doc: &'static str) -> Key<T> {
    key(name, Type::Numbers { count: default.len(), range }, Constant::Numbers(default), doc)
}

/// Red, green and blue, each up to `max`.
pub(crate) const fn color(
    name: &'static str,
    default: &'static [f64; 3],
    max: f64,
    doc: &'static str,
) -> Key<[f32; 3]> {
    key(name, Type::Color { alpha: false, max }, Constant::Numbers(default), doc)
}

/// One of the words of `T`.
pub(crate) const fn choice<T: Word>(name: &'static str, default: &'static str, doc: &'static str) -> Key<T> {
    key(name, Type::Choice(T::NAMES), Constant::Word(default), doc)
}

/// Some of the words of `T`.
pub(crate) const fn choices<T: Word>(
    name: &'static str,
    default: &'static [&'static str],
    doc: &'static str,
) -> Key<Vec<T>> {
    key(name, Type::Choices(T::NAMES), Constant::Words(default), doc)
}

/// The rows of keys, for a table.
macro_rules! rows {
    ($($key:expr),* $(,)?) => {
        &[$($key.row),*]
    };
}
pub(crate) use rows;

/// The words of a table's variants, for the row that selects one.
pub(crate) const fn words_of<const N: usize>(cases: &[Variant]) -> [&'static str; N] {
    let mut out = [""; N];
    let mut at = 0;
    while at < N {
        out[at] = cases[at].word;
        at += 1;
    }
    out
}

/// A value that a key can have: read from what is written, and printed as it is written.
pub(crate) trait Plain: Sized {
    /// `None` for what is no such value, which the check has reported.
    fn read(value: &Value) -> Option<Self>;

    /// `None` where nothing is to be written.
    fn print(&self) -> Option<String>;

    /// What stands in for a key that must be written and is not, which the check has reported.
    fn blank() -> Self;

    /// The value that key frames give; `None` for a type whose values do not move.
    fn of_numbers(_numbers: [f64; 4]) -> Option<Self> {
        None
    }
}

impl<T: Word> Plain for T {
    fn read(value: &Value) -> Option<T> {
        T::of_word(value.kind.text()?)
    }

    fn print(&self) -> Option<String> {
        Some(toml::text(self.word()))
    }

    fn blank() -> T {
        T::WORDS[0].1
    }
}

impl<T: Plain> Plain for Option<T> {
    fn read(value: &Value) -> Option<Option<T>> {
        T::read(value).map(Some)
    }

    fn print(&self) -> Option<String> {
        self.as_ref()?.print()
    }

    fn blank() -> Option<T> {
        None
    }

    fn of_numbers(numbers: [f64; 4]) -> Option<Option<T>> {
        T::of_numbers(numbers).map(Some)
    }
}

/// A list; what is no list is one of one. Wrong entries are left out.
impl<T: Plain> Plain for Vec<T> {
    fn read(value: &Value) -> Option<Vec<T>> {
        match &value.kind {
            Written::List(values) => Some(values.iter().filter_map(T::read).collect()),
            _ => Some(vec![T::read(value)?]),
        }
    }

    fn print(&self) -> Option<String> {
        Some(toml::list(self.iter().filter_map(T::print)))
    }

    fn blank() -> Vec<T> {
        Vec::new()
    }
}

impl Plain for String {
    fn read(value: &Value) -> Option<String> {
        value.kind.text().map(str::to_string)
    }

    fn print(&self) -> Option<String> {
        Some(toml::scene_text(self))
    }

    fn blank() -> String {
        String::new()
    }
}

impl Plain for bool {
    fn read(value: &Value) -> Option<bool> {
        match value.kind {
            Written::Bool(flag) => Some(flag),
            _ => None,
        }
    }

    fn print(&self) -> Option<String> {
        Some(self.to_string())
    }

    fn blank() -> bool {
        false
    }
}

macro_rules! whole_numbers {
    ($($ty:ty),*) => {$(
        impl Plain for $ty {
            fn read(value: &Value) -> Option<$ty> {
                match value.kind {
                    Written::Whole(number) => number.try_into().ok(),
                    _ => None,
                }
            }

            fn print(&self) -> Option<String> {
                Some(self.to_string())
            }

            fn blank() -> $ty {
                0
            }
        }
    )*};
}

whole_numbers!(u16, u32, u64, i32, i64);

/// Finite, and within the bounds of every number of a scene.
impl Plain for f64 {
    fn read(value: &Value) -> Option<f64> {
        value.kind.number().filter(|number| number.abs() <= NUMBER_MAX)
    }

    fn print(&self) -> Option<String> {
        Some(toml::float(*self))
    }

    fn blank() -> f64 {
        0.0
    }

    fn of_numbers(numbers: [f64; 4]) -> Option<f64> {
        Some(numbers[0])
    }
}

impl Plain for f32 {
    fn read(value: &Value) -> Option<f32> {
        f64::read(value).map(|number| number as f32)
    }

    fn print(&self) -> Option<String> {
        Some(toml::float32(*self))
    }

    fn blank() -> f32 {
        0.0
    }

    fn of_numbers(numbers: [f64; 4]) -> Option<f32> {
        Some(numbers[0] as f32)
    }
}

/// Numbers of a list, or of a colour in hexadecimal digits; alpha is 1 where none is written.
impl<T: Plain + Component, const N: usize> Plain for [T; N] {
    fn read(value: &Value) -> Option<[T; N]> {
        if let Some(text) = value.kind.text() {
            let color = parse_hex(text, true)?;
            return (N <= 4).then(|| std::array::from_fn(|n| T::of_float(color[n])));
        }
        let Written::List(values) = &value.kind else { return None };
        let mut numbers: Vec<T> = values.iter().map(T::read).collect::<Option<_>>()?;
        if (N, numbers.len()) == (4, 3) {
            numbers.push(T::of_float(1.0));
        }
        numbers.try_into().ok()
    }

    fn print(&self) -> Option<String> {
        Some(toml::list(self.iter().filter_map(T::print)))
    }

    fn blank() -> [T; N] {
        std::array::from_fn(|_| T::blank())
    }

    fn of_numbers(numbers: [f64; 4]) -> Option<[T; N]> {
        let each: Vec<T> = numbers.iter().take(N).filter_map(|number| T::of_numbers([*number; 4])).collect();
        each.try_into().ok()
    }
}

/// A number of a list.
pub(crate) trait Component {
    fn of_float(number: f32) -> Self;
}

impl Component for f32 {
    fn of_float(number: f32) -> f32 {
        number
    }
}

impl Component for f64 {
    fn of_float(number: f32) -> f64 {
        f64::from(number)
    }
}

impl<const N: usize> Component for [f32; N] {
    fn of_float(number: f32) -> [f32; N] {
        [number; N]
    }
}

impl Component for u32 {
    fn of_float(number: f32) -> u32 {
        number as u32
    }
}

/// Three numbers, or one for all of them.
impl Plain for Vec3 {
    fn read(value: &Value) -> Option<Vec3> {
        f32::read(value).map(Vec3::splat).or_else(|| <[f32; 3]>::read(value).map(Vec3::from_array))
    }

    fn print(&self) -> Option<String> {
        self.to_array().print()
    }

    fn blank() -> Vec3 {
        Vec3::ZERO
    }

    fn of_numbers(numbers: [f64; 4]) -> Option<Vec3> {
        <[f32; 3]>::of_numbers(numbers).map(Vec3::from_array)
    }
}

impl Table {
    /// The value under `key`, else its default.
    pub fn ask<T: Plain>(&self, key: Key<T>) -> T {
        self.written(key).unwrap_or_else(|| key.default())
    }

    /// The value under `key` where one is written. A whole number out of range, which the check has reported, counts as
    /// none.
    pub fn written<T: Plain>(&self, key: Key<T>) -> Option<T> {
        let value = self.value(key.name())?;
        let within = |value: &Value, min: i64, max: i64| match value.kind {
            Written::Whole(number) => (min..=max).contains(&number),
            _ => true,
        };
        let is_sound = match (key.row.ty, &value.kind) {
            (Type::Whole { min, max }, _) => within(value, min, max),
            (Type::Wholes { min, max, .. }, Written::List(values)) => values.iter().all(|v| within(v, min, max)),
            _ => true,
        };
        if is_sound { T::read(value) } else { None }
    }

    pub fn entry_of<T>(&self, key: Key<T>) -> Option<&Entry> {
        self.entry(key.name())
    }

    pub fn has<T>(&self, key: Key<T>) -> bool {
        self.entry(key.name()).is_some()
    }

    /// The text under `key`, and where it is written.
    pub fn placed<T>(&self, key: Key<T>) -> Option<(&str, Place)> {
        let value = self.value(key.name())?;
        Some((value.kind.text()?, value.place))
    }

    /// The texts of a list under `key`, and where each is written.
    pub fn placed_list<T>(&self, key: Key<T>) -> Vec<(&str, Place)> {
        match self.value(key.name()) {
            Some(Value { kind: Written::List(values), .. }) => {
                values.iter().filter_map(|v| Some((v.kind.text()?, v.place))).collect()
            }
            Some(value) => value.kind.text().map(|text| (text, value.place)).into_iter().collect(),
            None => Vec::new(),
        }
    }

    /// How many values the list under `key` has, wrong ones counted.
    pub fn length<T>(&self, key: Key<T>) -> usize {
        match self.value(key.name()).map(|v| &v.kind) {
            Some(Written::List(values)) => values.len(),
            _ => 0,
        }
    }

    pub fn inner(&self, key: Key<Inner>) -> Option<&Table> {
        self.table(key.name())
    }

    pub fn rows(&self, key: Key<List>) -> impl Iterator<Item = (Place, &Table)> {
        self.list(key.name())
    }
}

impl<T: Plain> Key<T> {
    /// What counts where the key is not written.
    pub fn default(self) -> T {
        match self.row.default {
            Default::Value(constant) => T::read(&constant.value())
                .unwrap_or_else(|| unreachable!("the default of `{}` is not one of its values", self.row.name)),
            Default::Required | Default::Words(_) => T::blank(),
        }
    }
}

/// A value at a moment, for the key that it belongs to.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Moved<'a> {
    pub key: &'a str,
    pub numbers: [f64; 4],
}

impl Moved<'_> {
    /// The value, if it is that of `key`.
    pub fn of<T: Plain>(&self, key: Key<T>) -> Option<T> {
        if key.name() == self.key { T::of_numbers(self.numbers) } else { None }
    }

    /// The same value seen from the inline table under `key`, if it is in there.
    pub fn inside(&self, key: Key<Inner>) -> Option<Moved<'_>> {
        let inner = self.key.strip_prefix(key.name())?.strip_prefix('.')?;
        Some(Moved { key: inner, ..*self })
    }
}
