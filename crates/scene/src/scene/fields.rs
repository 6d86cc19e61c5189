//! What is done to the fields of a noun: they are read, printed, or moved to another time.
//!
//! A noun with plain fields lists them once, in the order of its text: `on.field(INTENSITY_CD, intensity_cd)`. In: a
//! key and the field. Out: the field with its value, or the text with the field. Never here: names of other things and
//! checks, which are a noun's own.

use super::angle::{degrees, radians};
use super::key::{Key, Moved, Plain};
use super::printer::{Inline, Printer};
use super::schema::Variant;
use super::text::syntax::Table;

pub(crate) enum Fields<'a, 'b> {
    Read(&'a Table),
    Print(&'a mut Printer<'b>),
    /// The same into an inline table.
    Inline(&'a mut Inline<'b>),
    Move(Moved<'a>),
}

impl Fields<'_, '_> {
    pub fn field<T: Plain + Clone>(&mut self, key: Key<T>, field: &mut T) {
        match self {
            Fields::Read(table) => *field = table.ask(key),
            Fields::Print(out) => out.line(key, field.clone()),
            Fields::Inline(out) => out.add(key, field.clone()),
            Fields::Move(moved) => {
                if let Some(value) = moved.of(key) {
                    *field = value;
                }
            }
        }
    }

    /// A field that holds only what is written.
    pub fn written<T: Plain + Clone>(&mut self, key: Key<T>, field: &mut Option<T>) {
        match self {
            Fields::Read(table) => *field = table.written(key),
            Fields::Print(_) | Fields::Inline(_) => {
                if let Some(value) = field {
                    self.field(key, value);
                }
            }
            Fields::Move(moved) => {
                if let Some(value) = moved.of(key) {
                    *field = Some(value);
                }
            }
        }
    }

    /// A field in radians whose key is in degrees.
    pub fn angle(&mut self, key: Key<f64>, field_rad: &mut f32) {
        let mut angle_deg = match self {
            Fields::Print(_) | Fields::Inline(_) => degrees(*field_rad),
            Fields::Read(_) => 0.0,
            Fields::Move(moved) => match moved.of(key) {
                Some(angle_deg) => angle_deg,
                None => return,
            },
        };
        self.field(key, &mut angle_deg);
        *field_rad = radians(angle_deg);
    }
}

/// One word of a noun that comes in kinds: the keys that exist beside it, and the fields they fill.
pub(crate) struct Case<T> {
    pub variant: Variant,
    /// A value of this kind, for its fields to be read into.
    pub blank: fn() -> T,
    /// Whether the value is of this kind; only then is anything done.
    pub fields: fn(&mut Fields<'_, '_>, &mut T) -> bool,
}

/// A case all of whose fields are plain: `case!(Shape::Disk, "disk", "...", { radius_m: RADIUS_M, segments: SEGMENTS
/// })`.
macro_rules! case {
    ($family:ident :: $kind:ident, $word:literal, $doc:literal, { $($field:ident: $key:expr),* }) => {
        $crate::scene::fields::Case {
            variant: $crate::scene::schema::Variant { word: $word, doc: $doc, keys: &[$($key.row),*] },
            blank: || $family::$kind { $($field: $crate::scene::key::Plain::blank()),* },
            fields: |on, value| {
                let $family::$kind { $($field),* } = value else { return false };
                $(on.field($key, $field);)*
                true
            },
        }
    };
}
pub(crate) use case;

/// The variants of the table, in the order of `cases`.
pub(crate) const fn variants_of<T, const N: usize>(cases: &[Case<T>; N]) -> [Variant; N] {
    let mut out = [Variant { word: "", doc: "", keys: &[] }; N];
    let mut at = 0;
    while at < N {
        out[at] = cases[at].variant;
        at += 1;
    }
    out
}

/// The value that `table` describes by its kind `word`; `None` for a word that the check has reported.
pub(crate) fn read_case<T>(cases: &[Case<T>], table: &Table, word: &str) -> Option<T> {
    let case = cases.iter().find(|case| case.variant.word == word)?;
    let mut value = (case.blank)();
    (case.fields)(&mut Fields::Read(table), &mut value);
    Some(value)
}

/// Does something to the fields of a value of any kind.
pub(crate) fn case_fields<T>(cases: &[Case<T>], on: &mut Fields<'_, '_>, value: &mut T) {
    let found = cases.iter().any(|case| (case.fields)(on, value));
    assert!(found, "every kind has its case");
}

/// The word of a value's kind.
pub(crate) fn word_of<T>(cases: &[Case<T>], value: &mut T) -> &'static str {
    let nothing = Moved { key: "", numbers: [0.0; 4] };
    let case = cases.iter().find(|case| (case.fields)(&mut Fields::Move(nothing), value));
    case.map_or("", |case| case.variant.word)
}
