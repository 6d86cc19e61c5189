//! Library: the WGSL functions that forms of nodes call, found by name.

use std::collections::BTreeMap;
use std::sync::LazyLock;

use crate::node::FAMILIES;

/// A function of the nodes' files.
struct Function {
    text: &'static str,
    /// Those that it calls, by their positions.
    calls: Vec<usize>,
}

/// Every function in the order of its file, and the positions of their names.
static ALL: LazyLock<(Vec<Function>, BTreeMap<&'static str, usize>)> = LazyLock::new(|| {
    let files = FAMILIES.iter().flat_map(|family| family.wgsl.split("\n\n"));
    let texts: Vec<&'static str> = files.map(str::trim).filter(|text| !text.is_empty()).collect();
    let declared = texts.iter().enumerate().filter_map(|(at, text)| {
        let (_, rest) = text.split_once("fn ")?;
        Some((rest.split_once('(')?.0, at))
    });
    let places: BTreeMap<&'static str, usize> = declared.collect();
    let calls = |text: &'static str| called(text).map(|name| places[name]);
    let functions = texts.iter().map(|text| Function { text, calls: calls(text).collect() }).collect();
    (functions, places)
});

/// The functions that `text` calls, and those that they call, in the order of their files.
pub fn functions(text: &str) -> String {
    let (functions, places) = &*ALL;
    let mut wanted = vec![false; functions.len()];
    let mut open: Vec<usize> = called(text).map(|name| places[name]).collect();
    while let Some(at) = open.pop() {
        if !std::mem::replace(&mut wanted[at], true) {
            open.extend(&functions[at].calls);
        }
    }
    let mut out = String::new();
    for (function, _) in functions.iter().zip(wanted).filter(|(_, wanted)| *wanted) {
        out.push_str(function.text);
        out.push_str("\n\n");
    }
    out
}

/// Words that begin with `graph_` and are called.
fn called(text: &str) -> impl Iterator<Item = &str> {
    text.match_indices("graph_").filter_map(|(at, _)| {
        let rest = &text[at..];
        let end = rest.find(|c: char| !(c.is_ascii_alphanumeric() || c == '_'))?;
        rest[end..].starts_with('(').then_some(&rest[..end])
    })
}
