//! Tidy: the house rules that a program can check, a file for each family.
//!
//! A rule is a function from text to complaints, with a test that it can complain and one that runs it over the tree. A
//! rule that the tree does not keep yet is a ratchet (`ratchet.rs`).

mod features;
mod imports;
mod laws;
mod loops;
mod pages;
mod passes;
mod prose;
mod ratchet;
mod scenes;
mod shape;
mod tree;
mod words;
