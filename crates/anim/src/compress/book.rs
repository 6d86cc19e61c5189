//! Book: placeholder.
