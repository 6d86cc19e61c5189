//! Form: the text of a row's output in pieces, read once for all programs.

use std::sync::LazyLock;

use crate::node::Kind;
use crate::row::{Form, Geometry, Row};

/// A part of a form.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Piece {
    Text(&'static str),
    /// `{NAME}`: an input, by its position.
    Pin(usize),
    Geometry(Geometry),
    /// `uv{setting}`: coordinates of the set that the setting names.
    UvSet,
    /// `{n}`
    Width,
    Setting,
    Parameter,
    Texture,
    Sampler,
}

/// The pieces of an output's form; none where a choice stands for it.
#[derive(Clone, Debug)]
pub(crate) struct Pieces(Vec<Piece>);

/// Of every output of every row.
static ALL: LazyLock<Vec<Vec<Pieces>>> = LazyLock::new(|| {
    let of = |row: &'static Row| row.outputs.iter().map(|out| Pieces::read(out.form, row)).collect();
    Kind::all().map(|kind| of(kind.row())).collect()
});

impl Pieces {
    /// Of an output of a kind.
    pub fn of(kind: Kind, out: usize) -> &'static Pieces {
        &ALL[kind.number()][out]
    }

    fn read(form: Form, row: &'static Row) -> Pieces {
        let mut rest = match form {
            Form::Whole(text) | Form::Each(text) => text,
            Form::Chosen => "",
        };
        let mut out = Vec::new();
        while let Some((before, behind)) = rest.split_once('{') {
            let (name, behind) = behind.split_once('}').expect("braces are closed");
            let set_of = before.strip_suffix("uv").filter(|_| name == "setting");
            words(set_of.unwrap_or(before), &mut out);
            // A row's own names come first: the normal of `reflect` is called `n`.
            let pin = row.inputs.iter().position(|own| own.name == name);
            out.push(match (pin, name) {
                (Some(at), _) => Piece::Pin(at),
                (None, "setting") if set_of.is_some() => Piece::UvSet,
                (None, "setting") => Piece::Setting,
                (None, "n") => Piece::Width,
                (None, "parameter") => Piece::Parameter,
                (None, "texture") => Piece::Texture,
                (None, "sampler") => Piece::Sampler,
                (None, name) => unreachable!("`{}` has no pin `{name}`", row.word),
            });
            rest = behind;
        }
        words(rest, &mut out);
        Pieces(out)
    }

    pub fn iter(&self) -> impl Iterator<Item = Piece> {
        self.0.iter().copied()
    }

    pub fn reads_pin(&self, at: usize) -> bool {
        self.0.contains(&Piece::Pin(at))
    }

    /// What its text reads of the point itself; `set`: a setting's whole number.
    pub fn geometry(&self, set: u32) -> impl Iterator<Item = Geometry> {
        self.iter().filter_map(move |piece| match piece {
            Piece::Geometry(geometry) => Some(geometry),
            Piece::UvSet => Some(uv_set(set)),
            _ => None,
        })
    }
}

pub(crate) fn uv_set(set: u32) -> Geometry {
    if set == 0 { Geometry::Uv0 } else { Geometry::Uv1 }
}

/// A text without braces: its words that are geometry apart.
fn words(text: &'static str, out: &mut Vec<Piece>) {
    let is_of_word = |c: char| c.is_ascii_alphanumeric() || c == '_';
    let mut begin = 0;
    let mut at = 0;
    while at < text.len() {
        let end = at + text[at..].find(|c| !is_of_word(c)).unwrap_or(text.len() - at);
        if let Some(geometry) = Geometry::ALL.into_iter().find(|geometry| geometry.word() == &text[at..end]) {
            if begin < at {
                out.push(Piece::Text(&text[begin..at]));
            }
            out.push(Piece::Geometry(geometry));
            begin = end;
        }
        at = end + text[end..].find(is_of_word).unwrap_or(text.len() - end);
    }
    if begin < text.len() {
        out.push(Piece::Text(&text[begin..]));
    }
}
