//! Weigh: how much of each node is in the output, a pure function of the state and a moment.

use stillframe_base::tick::Tick;

use super::node::Op;
use super::state::{Change, NodeState};
use super::{FadePolicy, Graph, GraphState, LayerMode};
use crate::time::Weight;

impl Graph {
    /// The inputs of a node that are active with it, and how much of each is in its result: of additive inputs how much is added, of
    /// those that count for some joints only what the most a joint has. None for references and leaders.
    pub(super) fn shares(&self, node: usize, state: &GraphState, at: Tick, mut visit: impl FnMut(u16, f32)) {
        let parameters = &*state.parameters;
        let most = |mask: Option<u16>| mask.map_or(1.0, |mask| self.masks[usize::from(mask)].max);
        match &self.nodes[node].op {
            Op::Clip { .. } | Op::Frame { .. } | Op::Sync(_) => {}
            Op::Follow { leader, .. } => visit(*leader, 0.0),
            Op::Space { space, inputs } => {
                space.corners(parameters).iter().for_each(|(point, weight)| visit(inputs[point], weight));
            }
            Op::Switch(switch) => {
                self.shares_of_change(state.change(node), switch.policy, at, |i, share| {
                    visit(switch.inputs[i].node, share)
                });
            }
            Op::Machine(machine) => {
                self.shares_of_change(state.change(node), machine.policy, at, |i, share| {
                    visit(machine.states[i].node, share);
                });
            }
            Op::Delta { source, reference } => {
                visit(*source, 1.0);
                reference.iter().for_each(|reference| visit(*reference, 0.0));
            }
            Op::Additive { base, deltas } => {
                visit(*base, 1.0);
                for delta in deltas {
                    let share = delta.alpha.share(parameters) * most(delta.mask);
                    if share > 0.0 {
                        visit(delta.node, share);
                    }
                }
            }
            Op::Partial { inputs, .. } => {
                for part in inputs {
                    let share = part.weight.value(parameters) * most(part.mask);
                    if share > 0.0 {
                        visit(part.node, share.min(1.0));
                    }
                }
            }
            Op::Layers { base, layers } => {
                let mut left = 1.0;
                for layer in layers.iter().rev() {
                    let weight = layer.weight.share(parameters);
                    let share = weight * most(layer.mask);
                    if share > 0.0 {
                        visit(layer.node, share * left);
                    }
                    if layer.mode == LayerMode::Override && layer.mask.is_none() {
                        left *= 1.0 - weight;
                    }
                }
                visit(*base, left);
            }
            Op::Slot { input, mask, .. } => {
                let playing: f32 = state.slot(node).iter().flatten().map(|playing| playing.weight(at).value()).sum();
                visit(*input, if mask.is_some() { 1.0 } else { (1.0 - playing).max(0.0) });
            }
        }
    }

    fn shares_of_change(&self, change: &Change, policy: FadePolicy, at: Tick, mut visit: impl FnMut(usize, f32)) {
        match change.fade {
            Some(fade) if policy == FadePolicy::Book => {
                let weight = fade.weight(at);
                visit(usize::from(change.last), weight.rest().value());
                visit(usize::from(change.current), weight.value());
            }
            _ => visit(usize::from(change.current), 1.0),
        }
    }

    /// The weights of all nodes at a moment of the present step, under the parameters that hold.
    pub(super) fn weigh(&self, state: &GraphState, at: Tick, weights: &mut [f32]) {
        weights.fill(0.0);
        weights[self.nodes.len() - 1] = 1.0;
        for node in (0..self.nodes.len()).rev() {
            let weight = weights[node];
            if weight > 0.0 {
                self.shares(node, state, at, |input, share| weights[usize::from(input)] += weight * share);
            }
        }
    }

    /// Whether weights depend on the time: something is being faded.
    pub(super) fn is_fading(&self, state: &GraphState) -> bool {
        let fades = |(node, own): (&super::node::Node, &NodeState)| match own {
            NodeState::Change(change) => {
                let policy = match &node.op {
                    Op::Switch(switch) => switch.policy,
                    Op::Machine(machine) => machine.policy,
                    _ => unreachable!("only switches and machines change over"),
                };
                policy == FadePolicy::Book && change.fade.is_some()
            }
            NodeState::Slot(slot) => state.slots[usize::from(*slot)]
                .iter()
                .flatten()
                .any(|playing| playing.fade.weight(state.time) < Weight::ONE),
            _ => false,
        };
        self.nodes.iter().zip(&state.nodes).any(fades)
    }
}
