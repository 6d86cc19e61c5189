//! Faults that can be planted, to see whether the fuzzer sees.

use std::hint::black_box;

use stillframe_oracle::clip::{CLIP_MISTAKES, ClipMistake};
use stillframe_oracle::graph::{GRAPH_MISTAKES, GraphMistake};
use stillframe_oracle::pose::{POSE_MISTAKES, PoseMistake};
use stillframe_oracle::{MISTAKES, Mistake};

use super::Case;

/// A known fault of a target's checks. About one input in four meets it, by its bytes, so that shrinking has something
/// to keep; mistakes of the clock are met by what a script does.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Mutant {
    Panic,
    Memory,
    Hang,
    Crash,
    /// Scene and effect: the printer loses a line.
    LostLine,
    /// Scene: a complaint points behind the text.
    Span,
    /// Import: a triangle names a vertex that is not there.
    Index,
    /// Import: a position is not a number.
    NotFinite,
    /// Effect: a texel of a stage is not a number.
    Nan,
    /// Time: the controller is another, with a mistake.
    Mistake(Mistake),
    /// Clip: what is sampled is another thing.
    ClipMistake(ClipMistake),
    /// Graph: the player is another, with a mistake.
    GraphMistake(GraphMistake),
    /// Pose: the answer is another program's, with a mistake.
    PoseMistake(PoseMistake),
}

impl Mutant {
    /// What every target can be given.
    pub const OF_ALL: &[Mutant] = &[Mutant::Panic, Mutant::Memory, Mutant::Hang, Mutant::Crash];

    /// All that the clock can get wrong.
    pub const MISTAKES: [Mutant; MISTAKES.len()] = {
        let mut out = [Mutant::Panic; MISTAKES.len()];
        let mut index = 0;
        while index < out.len() {
            out[index] = Mutant::Mistake(MISTAKES[index].0);
            index += 1;
        }
        out
    };

    /// And samplers of clips.
    pub const CLIP_MISTAKES: [Mutant; CLIP_MISTAKES.len()] = {
        let mut out = [Mutant::Panic; CLIP_MISTAKES.len()];
        let mut index = 0;
        while index < out.len() {
            out[index] = Mutant::ClipMistake(CLIP_MISTAKES[index].0);
            index += 1;
        }
        out
    };

    /// And players of graphs.
    pub const GRAPH_MISTAKES: [Mutant; GRAPH_MISTAKES.len()] = {
        let mut out = [Mutant::Panic; GRAPH_MISTAKES.len()];
        let mut index = 0;
        while index < out.len() {
            out[index] = Mutant::GraphMistake(GRAPH_MISTAKES[index].0);
            index += 1;
        }
        out
    };

    /// And blending and skinning.
    pub const POSE_MISTAKES: [Mutant; POSE_MISTAKES.len()] = {
        let mut out = [Mutant::Panic; POSE_MISTAKES.len()];
        let mut index = 0;
        while index < out.len() {
            out[index] = Mutant::PoseMistake(POSE_MISTAKES[index].0);
            index += 1;
        }
        out
    };

    /// Name, and what is wrong, in one line.
    pub fn row(self) -> (&'static str, &'static str) {
        match self {
            Mutant::Panic => ("panic", "an input causes a panic"),
            Mutant::Memory => ("memory", "a small input allocates 300 MB"),
            Mutant::Hang => ("hang", "an input runs forever"),
            Mutant::Crash => ("crash", "an input overflows the stack"),
            Mutant::LostLine => ("lost-line", "the printed scene lacks a line"),
            Mutant::Span => ("span", "a diagnostic points past the end of the text"),
            Mutant::Index => ("index", "a triangle uses a missing vertex"),
            Mutant::NotFinite => ("not-finite", "a position is not a number"),
            Mutant::Nan => ("nan", "a stage leaves texels that are not numbers"),
            Mutant::Mistake(mistake) => {
                let row = MISTAKES.iter().find(|(known, _, _)| *known == mistake);
                row.map_or(("nothing", "no mistake"), |(_, name, what)| (name, what))
            }
            Mutant::ClipMistake(mistake) => {
                let row = CLIP_MISTAKES.iter().find(|(known, _, _)| *known == mistake);
                row.map_or(("nothing", "no mistake"), |(_, name, what)| (name, what))
            }
            Mutant::GraphMistake(mistake) => {
                let row = GRAPH_MISTAKES.iter().find(|(known, _, _)| *known == mistake);
                row.map_or(("nothing", "no mistake"), |(_, name, what)| (name, what))
            }
            Mutant::PoseMistake(mistake) => {
                let row = POSE_MISTAKES.iter().find(|(known, _, _)| *known == mistake);
                row.map_or(("nothing", "no mistake"), |(_, name, what)| (name, what))
            }
        }
    }

    /// Whether an input meets the fault.
    pub fn meets(self, case: &Case) -> bool {
        case.bytes.contains(&b'7')
    }

    /// Does what the faults of all targets do; nothing for those that stand in a target's own checks.
    pub fn strike(self, case: &Case) {
        if !self.meets(case) {
            return;
        }
        match self {
            Mutant::Panic => panic!("a planted fault"),
            Mutant::Memory => drop(black_box(vec![1_u8; 300_000_000])),
            Mutant::Hang => loop {
                black_box(());
            },
            Mutant::Crash => {
                black_box(deeper(1));
            }
            Mutant::LostLine
            | Mutant::Span
            | Mutant::Index
            | Mutant::NotFinite
            | Mutant::Nan
            | Mutant::Mistake(_)
            | Mutant::ClipMistake(_)
            | Mutant::GraphMistake(_)
            | Mutant::PoseMistake(_) => {}
        }
    }
}

/// Calls itself without end.
#[expect(unconditional_recursion, reason = "a planted fault")]
fn deeper(depth: u64) -> u64 {
    let room = black_box([depth; 64]);
    deeper(depth + 1) + room[0]
}
