//! Weigh: how much of each node is in the output, a pure function of the state and a moment.

use stillframe_base::lanes::ROW;
use stillframe_base::tick::Tick;

use super::node::{Op, Part};
use super::state::{Change, NodeState};
use super::{FadePolicy, Graph, GraphState, LayerMode};
use crate::time::Weight;

/// Whose weights are asked for.
#[derive(Clone, Copy)]
pub(super) enum Of<'a> {
    /// The most that any joint has.
    Any,
    /// Those of one joint, as far as it goes with a node through the model: what is added on top takes it nowhere.
    Travel(u16),
    /// Those of a number that is mixed as joints are: its weight in each mask. What is added on top counts, and what it
    /// is the difference to counts against it.
    Number(&'a [f32]),
    /// Those of such a number as far as nodes cover what is below them: what is added on top covers nothing.
    Cover(&'a [f32]),
}

impl Graph {
    /// The weight of a mask, 1 without one.
    pub(super) fn mask_weight(&self, mask: Option<u16>, of: Of<'_>) -> f32 {
        let Some(mask) = mask.map(usize::from) else { return 1.0 };
        match of {
            Of::Any => self.masks[mask].max,
            Of::Travel(joint) => self.mask_of_joint(mask, joint),
            Of::Number(masks) | Of::Cover(masks) => masks[mask],
        }
    }

    /// The weight that a mask gives a joint.
    pub(super) fn mask_of_joint(&self, mask: usize, joint: u16) -> f32 {
        self.masks[mask].rows[usize::from(joint) / ROW].0[usize::from(joint) % ROW]
    }

    /// The inputs of a node that are active with it, and how much of each is in its result: of additive inputs how much
    /// is added, of those that count for some joints only what the most a joint has. None for references and leaders,
    /// but of numbers what a reference takes away.
    pub(super) fn shares(
        &self,
        node: usize,
        state: &GraphState,
        at: Tick,
        of: Of<'_>,
        mut visit: impl FnMut(u16, f32),
    ) {
        let parameters = &*state.parameters;
        let most = |mask: Option<u16>| self.mask_weight(mask, of);
        let covers_alone = matches!(of, Of::Travel(_) | Of::Cover(_));
        // Shares of one thing add up to 1; those of the most that any joint has may be more.
        let exact = !matches!(of, Of::Any);
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
            Op::Delta { .. } if covers_alone => {}
            Op::Delta { source, reference, space: _ } => {
                visit(*source, 1.0);
                let against = if exact { -1.0 } else { 0.0 };
                reference.iter().for_each(|reference| visit(*reference, against));
            }
            Op::Additive { base, deltas } => {
                visit(*base, 1.0);
                for delta in deltas.iter().filter(|_| !covers_alone) {
                    let share = delta.alpha.share(parameters) * most(delta.mask);
                    if share > 0.0 {
                        visit(delta.node, share);
                    }
                }
            }
            Op::Partial { inputs, .. } => {
                let weight = |part: &Part| part.weight.value(parameters).max(0.0) * most(part.mask);
                let sum: f32 = if exact { inputs.iter().map(weight).sum() } else { 1.0 };
                for part in inputs {
                    let share = weight(part) / sum;
                    if share > 0.0 {
                        visit(part.node, share.min(1.0));
                    }
                }
            }
            Op::Layers { base, layers } => {
                let mut left = 1.0;
                for layer in layers.iter().rev() {
                    let share = layer.weight.share(parameters) * most(layer.mask);
                    let covers = layer.mode == LayerMode::Override;
                    if share > 0.0 && (covers || !covers_alone) {
                        visit(layer.node, share * left);
                    }
                    // Other joints show what is below a mask.
                    if covers && (exact || layer.mask.is_none()) {
                        left *= 1.0 - share;
                    }
                }
                visit(*base, left);
            }
            Op::Slot { input, mask, .. } => {
                let playing: f32 = state.slot(node).iter().flatten().map(|playing| playing.weight(at).value()).sum();
                let covered = if mask.is_some() && !exact { 0.0 } else { playing * most(*mask) };
                visit(*input, (1.0 - covered).max(0.0));
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
    pub(super) fn weigh(&self, state: &GraphState, at: Tick, of: Of<'_>, weights: &mut [f32]) {
        weights.fill(0.0);
        weights[self.nodes.len() - 1] = 1.0;
        for node in (0..self.nodes.len()).rev() {
            let weight = weights[node];
            if weight != 0.0 {
                self.shares(node, state, at, of, |input, share| weights[usize::from(input)] += weight * share);
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
