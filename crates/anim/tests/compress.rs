//! Compressed clips: the bound is held on every clip, in every direction, at every instruction set, and bytes are trusted by nobody.

#[path = "compress/book.rs"]
mod book;
#[path = "compress/bytes.rs"]
mod bytes;
#[path = "compress/clips.rs"]
mod clips;
#[path = "sample/oracle.rs"]
mod oracle;
#[path = "compress/playing.rs"]
mod playing;
#[path = "compress/table.rs"]
mod table;
