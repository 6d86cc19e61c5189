//! Names: which joint of one skeleton is which of another.

use std::collections::BTreeMap;

use super::FigureError;
use crate::sample::Skeleton;

/// How names of two skeletons meet. Pairs come first; of what is left, names that are equal once prefixes are cut and,
/// if `loose`, case and the signs ` `, `_`, `-`, `.` and `:` are left out.
#[derive(Clone, Copy, Debug, Default)]
pub struct NameRules<'a> {
    /// (source, target).
    pub pairs: &'a [(&'a str, &'a str)],
    /// Cut from the start of names of both, the first that fits.
    pub prefixes: &'a [&'a str],
    pub loose: bool,
}

impl NameRules<'_> {
    /// What is left of a name: names of which the same is left are one.
    pub fn key(&self, name: &str) -> String {
        let name = self.prefixes.iter().find_map(|prefix| name.strip_prefix(prefix)).unwrap_or(name);
        if !self.loose {
            return name.to_owned();
        }
        name.chars().filter(|c| !" _-.:".contains(*c)).flat_map(char::to_lowercase).collect()
    }
}

/// The source's joint for each joint of the target.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NameMap {
    source_of: Vec<Option<u16>>,
    unused: Vec<u16>,
}

impl NameMap {
    /// Finds a joint of the source for each of the target that has one.
    ///
    /// Errors: [`FigureError::Rule`] for a name of a pair that no joint has, or more than one, or that stands in two
    ///         pairs;
    /// [`FigureError::SameName`] where two joints that no pair names have one name by the rules, and the other skeleton
    /// has it too.
    pub fn new(source: &Skeleton, target: &Skeleton, rules: &NameRules<'_>) -> Result<NameMap, FigureError> {
        let mut source_of = vec![None; target.joint_count()];
        let mut used = vec![false; source.joint_count()];
        for (from, to) in rules.pairs {
            let [from, to] = [(source, from), (target, to)].map(|(skeleton, name)| the_only(skeleton, name));
            let (from, to) = (from?, to?);
            for (taken, name) in [
                (used[usize::from(from)], &source.names()[usize::from(from)]),
                (source_of[usize::from(to)].is_some(), &target.names()[usize::from(to)]),
            ] {
                if taken {
                    return Err(FigureError::Rule { name: name.clone(), count: 2 });
                }
            }
            source_of[usize::from(to)] = Some(from);
            used[usize::from(from)] = true;
        }
        let sources = by_key(source, rules, |joint| used[joint]);
        let targets = by_key(target, rules, |joint| source_of[joint].is_some());
        for (key, to) in targets {
            let Some(from) = sources.get(&key) else { continue };
            for (skeleton, joints) in [(source, from), (target, &to)] {
                if let [first, second, ..] = joints[..] {
                    let [first, second] = [first, second].map(|joint| skeleton.names()[usize::from(joint)].clone());
                    return Err(FigureError::SameName { first, second });
                }
            }
            source_of[usize::from(to[0])] = Some(from[0]);
            used[usize::from(from[0])] = true;
        }
        let unused = (0..).zip(used).filter(|(_, used)| !used).map(|(joint, _)| joint).collect();
        Ok(NameMap { source_of, unused })
    }

    /// One entry a joint of the target.
    pub fn source_of(&self) -> &[Option<u16>] {
        &self.source_of
    }
    /// Joints of the target that stay as they rest.
    pub fn unmatched(&self) -> impl Iterator<Item = u16> + '_ {
        (0..).zip(&self.source_of).filter(|(_, source)| source.is_none()).map(|(joint, _)| joint)
    }
    /// Joints of the source that nothing follows.
    pub fn unused(&self) -> &[u16] {
        &self.unused
    }
}

fn the_only(skeleton: &Skeleton, name: &str) -> Result<u16, FigureError> {
    let count = skeleton.names().iter().filter(|own| *own == name).count();
    let found = skeleton.joint_named(name).filter(|_| count == 1);
    found.ok_or_else(|| FigureError::Rule { name: name.to_owned(), count })
}

/// Joints by name as the rules have it, none of them empty.
fn by_key(skeleton: &Skeleton, rules: &NameRules<'_>, is_taken: impl Fn(usize) -> bool) -> BTreeMap<String, Vec<u16>> {
    let mut keys: BTreeMap<String, Vec<u16>> = BTreeMap::new();
    for (joint, name) in skeleton.names().iter().enumerate().filter(|(joint, _)| !is_taken(*joint)) {
        keys.entry(rules.key(name)).or_default().push(joint as u16);
    }
    keys
}
