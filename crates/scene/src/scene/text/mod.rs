//! The language of scene files: what was written, and whether the table of kinds and keys allows it.
//!
//! In: TOML text, included files, `--set` arguments. Out: one checked syntax tree of plain values, its key frames,
//! complaints. Never here: what a kind or key means.
//!
//! `weigh` and `parse` make a tree, `include` and `overlay` lay trees over each other, `edit` writes arguments into
//! one, `param` and `formula` put parameters in, `check` compares it with the table, `keyed` takes key frames out.

pub(crate) mod check;
pub(crate) mod color;
pub(crate) mod complain;
pub(crate) mod edit;
pub(crate) mod formula;
pub(crate) mod include;
pub(crate) mod keyed;
pub(crate) mod meant;
pub(crate) mod overlay;
pub(crate) mod param;
pub(crate) mod parse;
pub(crate) mod syntax;
pub(crate) mod toml;
pub(crate) mod weigh;
