//! Names: from what is called to its place in the definition.

use std::collections::BTreeMap;

use super::super::GraphError;

/// As many of anything as numbers of 16 bits name.
pub(super) const COUNT_MAX: usize = u16::MAX as usize;

pub(super) type NameMap<'a> = BTreeMap<&'a str, usize>;

pub(super) struct Names<'a> {
    pub parameters: NameMap<'a>,
    pub clips: NameMap<'a>,
    pub masks: NameMap<'a>,
    pub nodes: NameMap<'a>,
}

pub(super) fn names<'a>(what: &'static str, all: impl Iterator<Item = &'a str>) -> Result<NameMap<'a>, GraphError> {
    let mut map = BTreeMap::new();
    for (index, name) in all.enumerate() {
        if map.insert(name, index).is_some() {
            return Err(GraphError::Twice { what, name: name.to_string() });
        }
        if index >= COUNT_MAX {
            return Err(GraphError::TooMany { node: String::new(), count: index + 1, max: COUNT_MAX });
        }
    }
    Ok(map)
}

pub(super) fn find(map: &NameMap<'_>, what: &'static str, node: &str, name: &str) -> Result<usize, GraphError> {
    let unknown = || GraphError::Unknown { node: node.to_string(), what, name: name.to_string() };
    map.get(name).copied().ok_or_else(unknown)
}
