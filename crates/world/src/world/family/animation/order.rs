//! Order: which solver of which figure works after which, so that each reaches for what others have moved by then.
//!
//! In: nodes of a scene without patterns, the skeletons of its animators. Out: every solver of every node that wears
//! one, in an order. Never here: solving.
//!
//! Solvers of one node keep the order of the file: what hangs on a joint of the node itself is where those before have
//! left it. What hangs on a joint of another node is reached for where the picture shows it, so it waits for the last
//! solver there that moves that joint. Of those that wait for nothing any more the first one of the file is next, so
//! that there is one order.
//!
//! Source: topological order after Kahn (1962).

use std::collections::{BTreeMap, BTreeSet};

use stillframe_anim::sample::Skeleton;

use crate::animate::moves;
use crate::scene::{Node, Owner, Scene};
use crate::source::Diagnostic;
use crate::world::code;
use crate::world::tree::paths;

/// A solver of a node.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Step {
    /// Of the scene: it wears the solver's animator.
    pub node: usize,
    /// Of the animator.
    pub solver: usize,
}

/// All solvers in order, and which nodes they move.
#[derive(Clone, Debug, Default)]
pub struct Order {
    pub steps: Vec<Step>,
    /// By node of the scene: whether it hangs on a joint that solvers may move, or below what does.
    pub follows: Vec<bool>,
    /// Nodes that others reach for or stand on by their joints, each with what is worn on it.
    pub watched: BTreeMap<usize, Vec<usize>>,
}

/// Where a step waits for another node's solver.
struct Wait {
    step: usize,
    /// What is reached for, or stood on.
    by: usize,
}

/// `skeletons`: by animator.
///
/// Errors: solvers that wait for each other.
pub fn order(scene: &Scene, skeletons: &[&Skeleton]) -> Result<Order, Diagnostic> {
    let nodes = &scene.nodes;
    let mut follows = vec![false; nodes.len()];
    for (at, node) in nodes.iter().enumerate() {
        let Some(parent) = node.parent else { continue };
        let hangs = node.joint.is_some() && solver_count(scene, body(nodes, parent)) > 0;
        follows[at] = hangs || follows[parent];
    }
    let mut steps: Vec<Step> = Vec::new();
    let mut first_of: BTreeMap<usize, usize> = BTreeMap::new();
    for node in (0..nodes.len()).filter(|node| solver_count(scene, *node) > 0) {
        first_of.insert(node, steps.len());
        steps.extend((0..solver_count(scene, node)).map(|solver| Step { node, solver }));
    }
    let mut movers = Movers { scene, skeletons, known: BTreeMap::new() };
    let mut waits: Vec<Vec<Wait>> = Vec::with_capacity(steps.len());
    let mut watched: BTreeMap<usize, Vec<usize>> = BTreeMap::new();
    for step in &steps {
        let animator = nodes[step.node].animator.expect("it has solvers");
        let mut own = Vec::new();
        let reached = scene.animators[animator].solvers[step.solver].reached_nodes();
        for by in reached.chain([step.node]).filter(|by| follows[*by]) {
            let mut at = by;
            while let Some(parent) = nodes[at].parent {
                let figure = body(nodes, parent);
                if let (Some(joint), Some(first)) = (&nodes[at].joint, first_of.get(&figure)) {
                    watched.entry(figure).or_default();
                    if figure != step.node {
                        let last = movers.last(figure, joint);
                        own.extend(last.map(|solver| Wait { step: first + solver, by }));
                    }
                }
                at = parent;
            }
        }
        waits.push(own);
    }
    for (at, _) in nodes.iter().enumerate().filter(|(_, node)| node.worn) {
        if let Some(parts) = watched.get_mut(&body(nodes, at)) {
            parts.push(at);
        }
    }
    let sorted = sort(&steps, &waits);
    if sorted.len() < steps.len() {
        return Err(complaint(scene, &steps, &waits, &sorted));
    }
    Ok(Order { steps: sorted.into_iter().map(|step| steps[step]).collect(), follows, watched })
}

fn solver_count(scene: &Scene, node: usize) -> usize {
    scene.nodes[node].animator.map_or(0, |animator| scene.animators[animator].solvers.len())
}

/// The node whose pose a node's is: what is worn has its body's, which may be worn itself.
fn body(nodes: &[Node], node: usize) -> usize {
    let mut at = node;
    while let (true, Some(parent)) = (nodes[at].worn, nodes[at].parent) {
        at = parent;
    }
    at
}

/// Which solvers move which joints.
struct Movers<'a> {
    scene: &'a Scene,
    skeletons: &'a [&'a Skeleton],
    /// By animator and joint.
    known: BTreeMap<(usize, &'a str), Option<usize>>,
}

impl<'a> Movers<'a> {
    /// The last solver of a node that moves a joint. A joint that the body has not is one of a part, which may hang on
    /// any other.
    fn last(&mut self, node: usize, joint: &'a str) -> Option<usize> {
        let animator = self.scene.nodes[node].animator?;
        let (solvers, skeleton) = (&self.scene.animators[animator].solvers, self.skeletons[animator]);
        *self.known.entry((animator, joint)).or_insert_with(|| match skeleton.joint_named(joint) {
            Some(joint) => solvers.iter().rposition(|solver| moves(skeleton, solver, joint)),
            None => solvers.len().checked_sub(1),
        })
    }
}

/// Whether the step before in the list is one of the same node, which comes before.
fn has_before(steps: &[Step], step: usize) -> bool {
    steps[step].solver > 0
}

/// Places of steps in an order; those in circles, and what waits for them, are left out.
fn sort(steps: &[Step], waits: &[Vec<Wait>]) -> Vec<usize> {
    let mut open: Vec<usize> = Vec::with_capacity(steps.len());
    let mut waiting: Vec<Vec<usize>> = vec![Vec::new(); steps.len()];
    for (step, waits) in waits.iter().enumerate() {
        let before = has_before(steps, step).then(|| step - 1);
        waits.iter().map(|wait| wait.step).chain(before).for_each(|on| waiting[on].push(step));
        open.push(waits.len() + usize::from(before.is_some()));
    }
    let mut ready: BTreeSet<usize> = (0..steps.len()).filter(|step| open[*step] == 0).collect();
    let mut out = Vec::with_capacity(steps.len());
    while let Some(step) = ready.pop_first() {
        out.push(step);
        for next in &waiting[step] {
            open[*next] -= 1;
            if open[*next] == 0 {
                ready.insert(*next);
            }
        }
    }
    out
}

/// Names a circle.
fn complaint(scene: &Scene, steps: &[Step], waits: &[Vec<Wait>], sorted: &[usize]) -> Diagnostic {
    let mut done = vec![false; steps.len()];
    sorted.iter().for_each(|step| done[*step] = true);
    // What is not done waits for something that is not done either: such a walk comes back to where it has been.
    let mut at = (0..steps.len()).find(|step| !done[*step]).expect("a step is left");
    let mut walk: Vec<(usize, Option<&Wait>)> = Vec::new();
    let mut place = vec![None; steps.len()];
    while place[at].is_none() {
        place[at] = Some(walk.len());
        let before = has_before(steps, at).then(|| at - 1).filter(|before| !done[*before]);
        let wait = waits[at].iter().find(|wait| !done[wait.step]);
        walk.push((at, wait));
        at = wait.map(|wait| wait.step).or(before).expect("it waits for something");
    }
    let circle = &walk[place[at].expect("it has been there")..];
    let paths = paths(&scene.nodes);
    let name = |node: usize| format!("{:?}", paths[node]);
    let words = circle.iter().filter_map(|(step, wait)| {
        let wait = (*wait)?;
        let on = steps[wait.step].node;
        Some(match wait.by == steps[*step].node {
            true => format!("{} stands on {}", name(wait.by), name(on)),
            false => format!("{} reaches for {} on {}", name(steps[*step].node), name(wait.by), name(on)),
        })
    });
    let message = format!("cycle of solvers: {}", words.collect::<Vec<_>>().join(", "));
    let help = "put a target on a joint that no solver moves or on the node itself, or put one solver later";
    let error = Diagnostic::error(code::SOLVER_CIRCLE, &scene.root, message).help(help.to_string());
    let name =
        circle.iter().find(|(_, wait)| wait.is_some()).map_or("", |(step, _)| &scene.nodes[steps[*step].node].name);
    scene.written.at(Owner { kind: "node", name }, &["animator"], "", error)
}
