//! Library: the WGSL functions that forms of nodes call, found by name.

use std::collections::BTreeSet;

use crate::node::FAMILIES;

/// The functions that `text` calls, and those that they call, in the order of their files.
pub fn functions(text: &str) -> String {
    let all: Vec<&str> = FAMILIES.iter().flat_map(|family| family.wgsl.split("\n\n")).map(str::trim).collect();
    let mut wanted = BTreeSet::new();
    let mut open: Vec<&str> = names(text).collect();
    while let Some(name) = open.pop() {
        let declaration = format!("fn {name}(");
        let Some(at) = all.iter().position(|function| function.contains(&declaration)) else {
            unreachable!("`{name}` is in no file")
        };
        if wanted.insert(at) {
            open.extend(names(all[at]).filter(|other| *other != name));
        }
    }
    wanted.into_iter().map(|at| format!("{}\n\n", all[at])).collect()
}

/// Words that begin with `graph_` and are called.
fn names(text: &str) -> impl Iterator<Item = &str> {
    text.match_indices("graph_").filter_map(|(at, _)| {
        let rest = &text[at..];
        let end = rest.find(|c: char| !(c.is_ascii_alphanumeric() || c == '_'))?;
        rest[end..].starts_with('(').then_some(&rest[..end])
    })
}
