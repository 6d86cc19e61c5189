//! Skins of 1.0 name joints by `jointName`, which nodes bear; where several do, those below the node's `skeletons`
//! count. So a skin becomes one for each set of skeletons that it is used with.

use std::collections::BTreeMap;

use serde_json::{Value, json};

use super::names::{Names, named};
use super::{Object, Result, copy};
use crate::import::{Budget, Fault, code};

/// What a joint takes in a document.
const JOINT_BYTES: u64 = 80;

pub struct Skins<'d> {
    skins: Vec<(String, String, &'d Object)>,
    /// By `jointName`, then by key, the nodes' positions.
    bearers: [BTreeMap<&'d str, Vec<usize>>; 2],
    /// By node.
    children: Vec<Vec<usize>>,
    /// By position of the skin in the file, and skeletons.
    made: BTreeMap<(usize, Vec<usize>), usize>,
    pub list: Vec<Value>,
}

impl<'d> Skins<'d> {
    /// `nodes`: name, path and members of each.
    pub fn new(old: &'d Object, nodes: &'d [(String, String, &'d Object)], names: &Names) -> Result<Skins<'d>> {
        let mut bearers = [BTreeMap::<&str, Vec<usize>>::new(), BTreeMap::new()];
        let mut children = Vec::with_capacity(nodes.len());
        for (position, (key, _, node)) in nodes.iter().enumerate() {
            if let Some(joint) = node.get("jointName").and_then(Value::as_str) {
                bearers[0].entry(joint).or_default().push(position);
            }
            bearers[1].entry(key).or_default().push(position);
            children.push(positions(names, node.get("children")));
        }
        let skins = names.each(old, "skins")?;
        Ok(Skins { skins, bearers, children, made: BTreeMap::new(), list: Vec::new() })
    }

    /// The skin of a node, given by members and path, in the new list.
    pub fn position(&mut self, names: &mut Names, node: (&Object, &str), budget: &mut Budget) -> Result<usize> {
        let (node, path) = node;
        let link = names.link("skins", &node["skin"], &format!("{path}.skin"))?;
        let number = link.as_u64().map(|number| number as usize).filter(|number| *number < self.skins.len());
        let Some(number) = number else {
            return Err(Fault::new(code::VALUE, format!("`{path}.skin` must be the name of a skin")));
        };
        let skeletons = positions(names, node.get("skeletons"));
        if let Some(made) = self.made.get(&(number, skeletons.clone())) {
            return Ok(*made);
        }
        let (key, skin_path, from) = &self.skins[number];
        let joints = from.get("jointNames").and_then(Value::as_array).map_or(&[][..], Vec::as_slice);
        let bytes = joints.len() as u64 * JOINT_BYTES + self.children.len() as u64;
        budget.spend(bytes, "the skins")?;
        let below = self.below(&skeletons);
        let mut numbers = Vec::with_capacity(joints.len());
        for (index, joint) in joints.iter().enumerate() {
            let found = joint.as_str().and_then(|joint| self.bearer(joint, &below));
            let Some(found) = found else {
                let message = format!("`{skin_path}.jointNames[{index}]` names the joint {joint}, which no node is");
                return Err(Fault::new(code::REFERENCE, message));
            };
            numbers.push(found);
        }
        let mut to = Object::new();
        copy(from, &mut to, &["name", "bindShapeMatrix"]);
        let mut to = named(&to, key);
        names.link_member("accessors", (from, &mut to), "inverseBindMatrices", skin_path)?;
        to.insert("joints".into(), json!(numbers));
        self.list.push(Value::Object(to));
        self.made.insert((number, skeletons), self.list.len() - 1);
        Ok(self.list.len() - 1)
    }

    /// Which nodes are in the trees under some.
    fn below(&self, roots: &[usize]) -> Vec<bool> {
        let mut out = vec![false; self.children.len()];
        let mut stack = roots.to_vec();
        while let Some(node) = stack.pop() {
            if node < out.len() && !out[node] {
                out[node] = true;
                stack.extend(&self.children[node]);
            }
        }
        out
    }

    /// The node that is a joint: below the skeletons, if one of several is.
    fn bearer(&self, joint: &str, below: &[bool]) -> Option<usize> {
        let nodes = self.bearers.iter().find_map(|bearers| bearers.get(joint))?;
        nodes.iter().find(|node| below[**node]).or(nodes.first()).copied()
    }
}

/// Positions of the nodes that a list names; what it names in vain is told where children are read.
fn positions(names: &Names, list: Option<&Value>) -> Vec<usize> {
    let names_of = list.and_then(Value::as_array).into_iter().flatten().filter_map(Value::as_str);
    names_of.filter_map(|name| names.position("nodes", name)).collect()
}
