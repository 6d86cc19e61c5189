//! Compressed clips: the bound is held on every clip, in every direction, at every instruction set, and bytes are trusted by nobody.

#[path = "compress/clips.rs"]
mod clips;
#[path = "compress/table.rs"]
mod table;
