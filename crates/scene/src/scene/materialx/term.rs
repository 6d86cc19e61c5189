//! Term: a value of a graph that is being made.

use crate::scene::text::syntax::{Kind, Place, Value};

/// Numbers, or an output of a node that has been made.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum Term {
    /// One to four.
    Numbers(Vec<f32>),
    Link {
        /// `node.output`.
        text: String,
        width: usize,
        /// What it is combined of, where that is known.
        parts: Vec<Term>,
        /// Whether it is the node's first output, whose numbers have names of their own.
        is_first: bool,
    },
}

/// Why there is no value.
#[derive(Clone, Debug)]
pub(super) enum Trouble {
    /// A mistake of the file, which has been reported.
    Told,
    /// Something that is right and is not read, in words that end a sentence; and where it is.
    NotRead(String, Place),
}

pub(super) type Made = Result<Term, Trouble>;

impl Term {
    pub fn number(number: f32) -> Term {
        Term::Numbers(vec![number])
    }

    pub fn width(&self) -> usize {
        match self {
            Term::Numbers(numbers) => numbers.len(),
            Term::Link { width, .. } => *width,
        }
    }

    pub fn numbers(&self) -> Option<&[f32]> {
        match self {
            Term::Numbers(numbers) => Some(numbers),
            Term::Link { .. } => None,
        }
    }

    /// One number for all of `width`, which everything that takes several numbers takes, too.
    pub fn is_wide(&self, width: usize) -> bool {
        self.width() == 1 || self.width() == width
    }

    pub fn value(&self, place: Place) -> Value {
        let kind = match self {
            Term::Link { text, .. } => Kind::Text(text.clone()),
            Term::Numbers(numbers) if numbers.len() == 1 => Kind::Float(f64::from(numbers[0])),
            Term::Numbers(numbers) => {
                Kind::List(numbers.iter().map(|x| Value { kind: Kind::Float(f64::from(*x)), place }).collect())
            }
        };
        Value { kind, place }
    }
}
