//! Order: nodes after everything that they read.

use super::super::GraphError;
use super::super::def::*;
use super::names::{Names, find};

/// Names of the nodes that a node reads, in order.
pub(super) fn inputs(kind: &NodeKind) -> Vec<&str> {
    match kind {
        NodeKind::Clip(_) | NodeKind::Frame { .. } | NodeKind::SyncSpace(_) => Vec::new(),
        NodeKind::Follow { leader, .. } => vec![leader],
        NodeKind::Space(SpaceNode { inputs, .. })
        | NodeKind::Switch(SwitchNode { inputs, .. })
        | NodeKind::Partial(PartialNode { inputs, .. }) => inputs.iter().map(|input| &**input).collect(),
        NodeKind::Delta { source, reference: ReferenceDef::Rest, space: _ } => vec![source],
        NodeKind::Delta { source, reference: ReferenceDef::Node(reference), space: _ } => vec![source, reference],
        NodeKind::Additive { base, deltas } => {
            [&**base].into_iter().chain(deltas.iter().map(|delta| &*delta.delta)).collect()
        }
        NodeKind::Layers { base, layers } => {
            [&**base].into_iter().chain(layers.iter().map(|layer| &*layer.node)).collect()
        }
        NodeKind::Machine(machine) => machine.states.iter().map(|state| &*state.node).collect(),
        NodeKind::Slot(slot) => vec![&slot.input],
    }
}

/// Nodes, inputs first, in the order in which they are read: those that reach the output, the output, and then the
/// others.
pub(super) fn order(def: &GraphDef, names: &Names<'_>) -> Result<Vec<usize>, GraphError> {
    let read = |node: &NodeDef| {
        inputs(&node.kind)
            .iter()
            .map(|input| find(&names.nodes, "node", &node.name, input))
            .collect::<Result<Vec<_>, _>>()
    };
    let reads = def.nodes.iter().map(read).collect::<Result<Vec<_>, _>>()?;
    let output = find(&names.nodes, "node", "", &def.output)?;
    let mut order = Vec::new();
    let (mut open, mut done) = (vec![false; reads.len()], vec![false; reads.len()]);
    // Depth first without recursion: people's files may be deep.
    for start in [output].into_iter().chain(0..reads.len()) {
        let mut path = vec![(start, 0)];
        while let Some((node, next)) = path.pop() {
            if done[node] {
                continue;
            }
            if next == 0 && std::mem::replace(&mut open[node], true) {
                return Err(GraphError::Cycle { node: def.nodes[node].name.clone() });
            }
            match reads[node].get(next) {
                Some(input) => path.extend([(node, next + 1), (*input, 0)]),
                None => {
                    done[node] = true;
                    order.push(node);
                }
            }
        }
    }
    Ok(order)
}
