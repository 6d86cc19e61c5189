//! Merge: spaces of spaces as one blend.

use super::super::node::{Node, Op};
use super::super::space::Corners;
use crate::pose::LAYERS_MAX;

/// Marks spaces whose inputs a space above takes for its own. A mean of means is one mean of all with the weights
/// multiplied, but for rotations, which are then brought to length one once instead of at every node; the difference is
/// second order in their angles.
pub(super) fn merge(nodes: &mut [Node]) {
    let mut readers = vec![0; nodes.len()];
    for node in nodes.iter() {
        each_read(&node.op, |input| readers[usize::from(input)] += 1);
    }
    // The most inputs that have weight at once.
    let mut fans = vec![1; nodes.len()];
    for at in 0..nodes.len() {
        let Op::Space { inputs, .. } = nodes[at].op.clone() else { continue };
        let space = |input: &u16| matches!(nodes[usize::from(*input)].op, Op::Space { .. });
        let own: Vec<u16> =
            inputs.iter().copied().filter(|input| space(input) && readers[usize::from(*input)] == 1).collect();
        let widest = own.iter().map(|input| fans[usize::from(*input)]).max().unwrap_or(1);
        fans[at] = Corners::MAX;
        if Corners::MAX * widest <= LAYERS_MAX {
            fans[at] = Corners::MAX * widest;
            own.iter().for_each(|input| nodes[usize::from(*input)].is_merged = true);
        }
    }
}

fn each_read(op: &Op, mut visit: impl FnMut(u16)) {
    match op {
        Op::Clip { .. } | Op::Frame { .. } | Op::Sync(_) => {}
        Op::Follow { leader, .. } => visit(*leader),
        Op::Space { inputs, .. } => inputs.iter().for_each(|input| visit(*input)),
        Op::Switch(switch) => switch.inputs.iter().for_each(|input| visit(input.node)),
        Op::Machine(machine) => machine.states.iter().for_each(|state| visit(state.node)),
        Op::Delta { source, reference, space: _ } => [*source].into_iter().chain(*reference).for_each(visit),
        Op::Additive { base, deltas } => {
            [*base].into_iter().chain(deltas.iter().map(|delta| delta.node)).for_each(visit);
        }
        Op::Partial { inputs, .. } => inputs.iter().for_each(|input| visit(input.node)),
        Op::Layers { base, layers } => {
            [*base].into_iter().chain(layers.iter().map(|layer| layer.node)).for_each(visit);
        }
        Op::Slot { input, .. } => visit(*input),
    }
}
