//! Pictures: their files, how they are compared, the store of references, and what becomes of a run.

mod compare;
mod files;
mod report;
mod store;
mod testing;
