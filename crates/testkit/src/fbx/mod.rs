//! FBX: documents written record by record, right or wrong, and random ones that follow every rule
//! at once; each as binary or text of version 7 or 6.

pub mod form;
pub mod old;
pub mod random;
pub mod read;
pub mod text;
pub mod write;
