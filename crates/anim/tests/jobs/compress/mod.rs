//! Compressed clips: the bound is held on every clip, in every direction, at every instruction set, and bytes are
//! trusted by nobody.

mod book;
mod bytes;
mod playing;
mod table;
