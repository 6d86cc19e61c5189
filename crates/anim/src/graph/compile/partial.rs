//! Partial: weights joint by joint as masks.

use super::super::GraphError;
use super::super::def::{NodeKind, PartialNode, PartialWeights};
use super::super::node::{Kind, Mask, Op, Part};
use super::super::source::Source;
use super::Compiler;
use super::check::{count, few};
use super::mask::{branch_mask, joint};
use super::names::COUNT_MAX;
use super::order::inputs;

impl Compiler<'_> {
    pub(super) fn partial_op(&mut self, name: &str, node: &PartialNode) -> Result<(Op, Kind), GraphError> {
        let (inputs, kind) = self.alike(name, "inputs", node.inputs.iter())?;
        few(name, inputs.len())?;
        let mut parts = Vec::new();
        match &node.weights {
            PartialWeights::Masks(weights) => {
                count(name, "weights", weights.len(), inputs.len())?;
                for (&node, (weight, mask)) in inputs.iter().zip(weights) {
                    let weight = self.source(name, "weight", weight)?;
                    parts.push(Part { node, weight, mask: self.mask(name, mask)? });
                }
            }
            PartialWeights::Joints(joints) => {
                let owner = format!("node \"{name}\"");
                let mut shares = Vec::new();
                for (joint_name, weights) in joints {
                    count(name, "weights of a joint", weights.len(), inputs.len())?;
                    let sum: f32 = weights.iter().sum();
                    let bad = weights.iter().copied().find(|weight| !(*weight >= 0.0));
                    if let Some(value) = bad.or((!(sum > 0.0 && sum.is_finite())).then_some(sum)) {
                        return Err(GraphError::Range { node: name.to_string(), what: "weight", value });
                    }
                    shares.push((joint(&owner, self.skeleton, joint_name)?, sum, weights));
                }
                for (input, &node) in inputs.iter().enumerate() {
                    let branches: Vec<(u16, f32)> =
                        shares.iter().map(|(joint, sum, weights)| (*joint, weights[input] / sum)).collect();
                    let default = if input == 0 { 1.0 } else { 0.0 };
                    let own = format!("{name}/{}", self.def.nodes[self.names.nodes[name]].kind.input_name(input));
                    let mask = branch_mask(&own, &owner, self.skeleton, default, &branches)?;
                    let mask = Some(self.push_mask(name, mask)?);
                    parts.push(Part { node, weight: Source::Number(1.0), mask });
                }
            }
        }
        Ok((Op::Partial { inputs: parts.into(), mode: node.mode }, kind))
    }
}

impl Compiler<'_> {
    /// A mask of the node's own, behind those of the definition.
    fn push_mask(&mut self, node: &str, mask: Mask) -> Result<u16, GraphError> {
        let at = self.masks.len();
        if at >= COUNT_MAX {
            return Err(GraphError::TooManyMasks { node: node.to_string(), max: COUNT_MAX });
        }
        self.masks.push(mask);
        Ok(at as u16)
    }
}

impl NodeKind {
    fn input_name(&self, input: usize) -> &str {
        inputs(self)[input]
    }
}
