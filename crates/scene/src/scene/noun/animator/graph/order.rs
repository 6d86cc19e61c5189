//! Which node of a graph reads which: circles, and poses and deltas where the other belongs.

use stillframe_anim::graph::{DeltaSpace, NodeDef, NodeKind};

use crate::scene::code;
use crate::scene::resolver::Resolver;
use crate::scene::text::syntax::Place;

/// That a node reads another one.
pub(super) struct Feed {
    pub input: usize,
    pub place: Place,
    pub want: Want,
}

/// What a node that is read must be.
#[derive(Clone, Copy, PartialEq)]
pub(super) enum Want {
    Pose,
    Delta,
    /// As the first input is.
    Alike,
    /// A clip with a phase.
    Clock,
}

/// Circles; then poses and deltas where the other belongs. `output`: which node, and where that is said.
pub(super) fn check(
    resolver: &mut Resolver<'_>,
    nodes: &[NodeDef],
    feeds: &[Vec<Feed>],
    output: Option<(usize, Place)>,
) {
    let Some(order) = order(resolver, nodes, feeds) else { return };
    // Of deltas their space.
    let mut deltas: Vec<Option<DeltaSpace>> = vec![None; nodes.len()];
    for at in order {
        let first = feeds[at].first().map(|feed| (feed.input, deltas[feed.input]));
        for feed in &feeds[at] {
            let (input, delta) = (&nodes[feed.input], deltas[feed.input]);
            let name = &input.name;
            // Two deltas are reported apart by their spaces.
            let mut is = what(delta, false);
            let (wrong, want, help) = match (feed.want, first) {
                (Want::Pose, _) => (delta.is_some(), "a pose".to_string(), "an `additive` node adds deltas to a pose"),
                (Want::Delta, _) => (delta.is_none(), "a delta".to_string(), "a `delta` node makes one of a pose"),
                (Want::Alike, Some((other, own))) => {
                    let both = delta.is_some() && own.is_some();
                    is = what(delta, both);
                    let want = format!("{} like `{}` next to it", what(own, both), nodes[other].name);
                    let help = if both { "give their `delta` nodes the same `space`" } else { "mix poses with poses" };
                    (delta != own, want, help)
                }
                (Want::Alike, None) => unreachable!("this feed is one"),
                (Want::Clock, _) => {
                    let has = matches!(input.kind, NodeKind::Clip(_) | NodeKind::SyncSpace(_));
                    (!has, "a `clip` or a space of `clips`".to_string(), "only those have a place in a loop")
                }
            };
            if wrong {
                let message = match feed.want {
                    Want::Clock => format!("`{name}` has no phase; expected {want}"),
                    _ => format!("`{name}` is {is}; expected {want}"),
                };
                resolver.complain_with(code::WRONG_PART, feed.place, message, Some(help.to_string()));
            }
        }
        deltas[at] = match &nodes[at].kind {
            NodeKind::Delta { space, .. } => Some(*space),
            NodeKind::Space(_) | NodeKind::Switch(_) | NodeKind::Partial(_) | NodeKind::Machine(_) => {
                first.and_then(|(_, delta)| delta)
            }
            _ => None,
        };
    }
    if let Some((at, place)) = output.filter(|(at, _)| deltas[*at].is_some()) {
        let message = format!("the output `{}` is a delta; expected a pose", nodes[at].name);
        let help = Some("an `additive` node adds deltas to a pose".to_string());
        resolver.complain_with(code::WRONG_PART, place, message, help);
    }
}

/// What a node is: a delta with or without its space, or a pose.
fn what(delta: Option<DeltaSpace>, with_space: bool) -> &'static str {
    match delta {
        None => "a pose",
        Some(_) if !with_space => "a delta",
        Some(DeltaSpace::Local) => "a delta in local space",
        Some(DeltaSpace::Mesh) => "a delta in mesh space",
    }
}

/// Nodes, each behind those that it reads; `None` where some run in a circle, which is reported.
fn order(resolver: &mut Resolver<'_>, nodes: &[NodeDef], feeds: &[Vec<Feed>]) -> Option<Vec<usize>> {
    let mut order = Vec::with_capacity(nodes.len());
    // 0 unseen, 1 on the present path, 2 done.
    let mut state = vec![0u8; nodes.len()];
    for start in 0..nodes.len() {
        let mut path: Vec<(usize, usize)> = if state[start] == 0 { vec![(start, 0)] } else { Vec::new() };
        while let Some((node, next)) = path.last_mut() {
            state[*node] = 1;
            let Some(feed) = feeds[*node].get(*next) else {
                state[*node] = 2;
                order.push(*node);
                path.pop();
                continue;
            };
            *next += 1;
            match state[feed.input] {
                0 => path.push((feed.input, 0)),
                1 => {
                    let first = path.iter().position(|(node, _)| *node == feed.input).unwrap_or(0);
                    let mut names: Vec<String> =
                        path[first..].iter().take(8).map(|(node, _)| format!("`{}`", nodes[*node].name)).collect();
                    if path.len() - first > 8 {
                        names.push("...".into());
                    }
                    names.push(format!("`{}`", nodes[feed.input].name));
                    let message = format!("cycle of nodes: {}", names.join(" reads "));
                    resolver.complain(code::GRAPH_CIRCLE, feed.place, message);
                    return None;
                }
                _ => {}
            }
        }
    }
    Some(order)
}
