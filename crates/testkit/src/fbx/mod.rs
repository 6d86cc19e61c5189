//! FBX: documents written record by record, right or wrong, and random ones that follow every rule at once.

pub mod random;
pub mod write;
