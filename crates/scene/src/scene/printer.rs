//! What the text form of every noun needs: headings, lines, inline tables, key frames, names of files.
//!
//! In: keys and values. Out: TOML text that reads back as the same values. Never here: what a kind or a key means.

use std::fmt::Write;
use std::path::Path;

use super::Scene;
use super::curve::{Curve, Extend, Form, Interpolation};
use super::key::{Inner, Key, List, Plain};
use super::text::toml::{self, list, scene_text as text};
use super::track::{Thing, Track};
use super::word::Word;

/// A scene's text under way.
pub(crate) struct Printer<'a> {
    pub text: String,
    pub scene: &'a Scene,
    /// Whose keys are printed.
    pub thing: Thing,
    /// Where the text shall lie.
    pub folder: &'a Path,
}

/// An inline table under way.
pub(crate) struct Inline<'a> {
    scene: &'a Scene,
    thing: Thing,
    /// What tracks of its keys begin with: `sky.`.
    prefix: String,
    parts: Vec<String>,
}

impl<'a> Printer<'a> {
    pub fn heading(&mut self, heading: &str) {
        let _ = write!(self.text, "\n{heading}\n");
    }

    pub fn begin(&mut self, thing: Thing, heading: &str) {
        self.thing = thing;
        self.heading(heading);
    }

    /// A value, or its key frames where it moves; nothing where there is none.
    pub fn line<T: Plain>(&mut self, key: Key<T>, value: T) {
        if let Some(value) = value.print() {
            let value = moved(self.scene, self.thing, key, key.name(), value);
            self.write(key.name(), &value);
        }
    }

    /// A text, or nothing.
    pub fn name<T>(&mut self, key: Key<T>, name: Option<&str>) {
        if let Some(name) = name {
            self.write(key.name(), &text(name));
        }
    }

    /// Nothing, a text, or a list of them.
    pub fn names(&mut self, key: Key<Vec<String>>, names: &[String]) {
        match names {
            [] => {}
            [one] => self.write(key.name(), &text(one)),
            several => self.line(key, several.to_vec()),
        }
    }

    /// A value as it stands.
    pub fn write(&mut self, key: &str, value: &str) {
        let _ = writeln!(self.text, "{key} = {value}");
    }

    /// An inline table of the present thing.
    pub fn inline(&self) -> Inline<'a> {
        Inline { scene: self.scene, thing: self.thing, prefix: String::new(), parts: Vec::new() }
    }

    /// The inline table under `key`, whose values may move.
    pub fn inline_of(&self, key: Key<Inner>) -> Inline<'a> {
        Inline { prefix: format!("{}.", key.name()), ..self.inline() }
    }

    pub fn table(&mut self, key: Key<Inner>, table: Inline<'_>) {
        self.write(key.name(), &table.text());
    }

    /// A list of tables, one on each line; nothing where there are none.
    pub fn rows<'b>(&mut self, key: Key<List>, rows: impl IntoIterator<Item = Inline<'b>>) {
        let rows: Vec<Inline<'_>> = rows.into_iter().collect();
        if !rows.is_empty() {
            self.all_rows(key, rows);
        }
    }

    /// The same, also where there are none.
    pub fn all_rows<'b>(&mut self, key: Key<List>, rows: impl IntoIterator<Item = Inline<'b>>) {
        let lines: String = rows.into_iter().map(|row| format!("\n    {},", row.text())).collect();
        let end = if lines.is_empty() { "" } else { "\n" };
        self.write(key.name(), &format!("[{lines}{end}]"));
    }

    pub fn file<T>(&mut self, key: Key<T>, path: &Path) {
        let name = self.name_of(path);
        self.write(key.name(), &name);
    }

    /// A file's name as it is written in the text's folder.
    pub fn name_of(&self, path: &Path) -> String {
        // A file from the command line may lie elsewhere; its folder is nobody's business.
        let is_inside = path.starts_with(&self.scene.root);
        let path = if is_inside { path } else { path.file_name().map_or(path, Path::new) };
        let shared = self.folder.components().zip(path.components()).take_while(|(a, b)| a == b).count();
        let up = if is_inside { self.folder.components().count() - shared } else { 0 };
        let down = path.components().skip(shared).map(|c| c.as_os_str().to_string_lossy());
        let parts: Vec<_> = std::iter::repeat_n("..".into(), up).chain(down).collect();
        text(&parts.join("/"))
    }
}

impl<'a> Inline<'a> {
    /// The same for another thing.
    pub fn of(self, thing: Thing) -> Inline<'a> {
        Inline { thing, ..self }
    }

    /// A value, or its key frames where it moves; nothing where there is none.
    pub fn add<T: Plain>(&mut self, key: Key<T>, value: T) {
        if let Some(value) = value.print() {
            let name = format!("{}{}", self.prefix, key.name());
            let value = moved(self.scene, self.thing, key, &name, value);
            self.parts.push(format!("{} = {value}", key.name()));
        }
    }

    /// The same table with it.
    pub fn with<T: Plain>(mut self, key: Key<T>, value: T) -> Inline<'a> {
        self.add(key, value);
        self
    }

    /// A text.
    pub fn named<T>(self, key: Key<T>, name: &str) -> Inline<'a> {
        self.written(key, &text(name))
    }

    /// A value as it stands.
    pub fn written<T>(mut self, key: Key<T>, value: &str) -> Inline<'a> {
        self.parts.push(format!("{} = {value}", key.name()));
        self
    }

    pub fn text(&self) -> String {
        format!("{{ {} }}", self.parts.join(", "))
    }
}

/// The key frames of a value where it has some, else the value.
fn moved<T>(scene: &Scene, thing: Thing, key: Key<T>, name: &str, value: String) -> String {
    let track: Option<&Track> = if key.row.moves { scene.track(thing, name) } else { None };
    track.map_or(value, |track| curve(&track.curve))
}

fn curve(curve: &Curve) -> String {
    let numbers = |value: &[f64; 4]| match curve.form {
        Form::Number => toml::float(value[0]),
        form => list(value[..form.count()].iter().map(|x| toml::float(*x))),
    };
    let keys =
        list(curve.keys.iter().map(|(tick, value)| format!("[{}, {}]", toml::float(tick.seconds()), numbers(value))));
    let mut out = format!("{{ keys = {keys}");
    if curve.interpolation != Interpolation::default() {
        let _ = write!(out, ", interpolation = {}", text(curve.interpolation.word()));
    }
    if curve.extend != Extend::default() {
        let _ = write!(out, ", extend = {}", text(curve.extend.word()));
    }
    out.push_str(" }");
    out
}
