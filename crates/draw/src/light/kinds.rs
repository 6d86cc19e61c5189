//! Kinds: which kinds of light a text has, besides those of glTF.

use super::row::{Arrival, Row};
use super::{ROWS, VALUES};

/// A set of rows by their places in [`ROWS`]. Those of glTF are in every text and never in the set.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub struct Kinds {
    rows: u32,
    /// Some light shines through a function.
    functions: bool,
}

/// Directional, point, spot.
const USUAL: usize = 3;

impl Kinds {
    /// Of the rows with these places.
    pub fn of(places: impl IntoIterator<Item = u32>) -> Kinds {
        let usual = (1 << USUAL) - 1;
        let rows = places.into_iter().fold(0, |set, place| set | 1 << place) & !usual;
        Kinds { rows, functions: false }
    }

    /// The same, with functions or without.
    pub fn with_functions(self, functions: bool) -> Kinds {
        Kinds { functions, ..self }
    }

    pub fn has_functions(self) -> bool {
        self.functions
    }

    /// The places that can be in a set.
    pub fn unusual() -> std::ops::Range<u32> {
        USUAL as u32..ROWS.len() as u32
    }

    /// Rows of the text with their numbers.
    pub fn rows(self) -> impl Iterator<Item = (usize, &'static Row)> {
        ROWS.iter().enumerate().filter(move |(place, _)| *place < USUAL || self.rows >> place & 1 == 1)
    }

    /// Those in the set.
    pub fn own(self) -> impl Iterator<Item = &'static Row> {
        self.rows().skip(USUAL).map(|(_, row)| row)
    }

    /// Whether light of one of them arrives from many directions.
    pub fn has_many(self) -> bool {
        self.own().any(|row| row.arrival == Arrival::Many)
    }

    /// Whether one of them reads the table of lobes.
    pub fn reads_lobes(self) -> bool {
        self.own().any(|row| row.lobes)
    }

    /// Whether one of them reads `values`.
    pub fn reads_values(self) -> bool {
        self.own().any(|row| row.needs.contains(&VALUES))
    }

    /// Whether occlusion keeps one of them away.
    pub fn reads_occlusion(self) -> bool {
        self.own().any(|row| row.occluded)
    }
}
