//! What animators show meets what their solvers reach for.

use std::collections::BTreeMap;

use glam::{Mat4, Quat, Vec3};
use stillframe_anim::pose::JointBlock;

use super::super::code;
use super::super::figure::{Figure, Solved};
use super::super::order::{Order, Step};
use super::{Placing, paths, shown_nodes};
use crate::animate::{Played, Player, Solving, solve};
use crate::asset::Geometry;
use crate::bake;
use crate::import;
use crate::pose::Pose;
use crate::scene::{Content, Ground, SolverDef, SolverKind};
use crate::source::Diagnostic;

/// What an animator shows, before its solvers.
pub struct Animated<'a> {
    pub model: &'a import::Model,
    pub player: &'a Player,
    pub shown: Played,
    pub solvers: &'a [SolverDef],
}

impl Animated<'_> {
    pub fn pose(&self) -> Pose {
        self.pose_of(&self.shown.locals)
    }

    fn pose_of(&self, locals: &[JointBlock]) -> Pose {
        let rig = &self.player.rig;
        rig.pose(self.model, rig.matrices(locals), self.shown.morph_weights.clone(), self.shown.seen.clone())
    }
}

/// What the solvers of an animator came to for one node that wears it.
#[derive(Clone, Debug)]
pub struct Wearer {
    /// In the list of poses.
    pub pose: usize,
    /// Each with the number of its solver.
    pub solvings: Vec<(usize, Solving)>,
}

/// What is stood on, in the world.
type Surface = Vec<[Vec3; 3]>;

/// What solvers reach for, seen from a model.
struct Reached<'a> {
    globals: &'a [Mat4],
    /// By node that is the ground of feet; `None`: all are.
    grounds: &'a BTreeMap<Option<usize>, Surface>,
    model_from_world: Mat4,
}

impl crate::animate::Ground for Reached<'_> {
    fn place(&self, node: usize) -> Vec3 {
        self.model_from_world.transform_point3(self.globals[node].w_axis.truncate())
    }

    fn turn(&self, node: usize) -> Quat {
        let (_, turn, _) = (self.model_from_world * self.globals[node]).to_scale_rotation_translation();
        if turn.is_finite() { turn } else { Quat::IDENTITY }
    }

    fn below(&self, node: Option<usize>, from: Vec3, length_m: f32) -> Option<(Vec3, Vec3)> {
        let local = |triangle: &[Vec3; 3]| triangle.map(|point| self.model_from_world.transform_point3(point));
        let hits = self.grounds[&node].iter().filter_map(|triangle| hit_below(local(triangle), from));
        let hits = hits.filter(|(point, _)| point.y >= from.y - length_m);
        hits.max_by(|(a, _), (b, _)| a.y.total_cmp(&b.y))
    }
}

fn extend(surface: &mut Surface, geometry: &Geometry, world_from_local: Mat4) {
    let point = |index: u32| world_from_local.transform_point3(Vec3::from(geometry.positions[index as usize]));
    surface.extend(geometry.indices.chunks_exact(3).map(|corners| [corners[0], corners[1], corners[2]].map(point)));
}

/// Where a ray straight down meets a triangle, and which way that faces: up.
fn hit_below([a, b, c]: [Vec3; 3], from: Vec3) -> Option<(Vec3, Vec3)> {
    let normal = (b - a).cross(c - a);
    if normal.y == 0.0 {
        return None;
    }
    let side = |p: Vec3, q: Vec3| (q.x - p.x) * (from.z - p.z) - (q.z - p.z) * (from.x - p.x);
    let sides = [side(a, b), side(b, c), side(c, a)];
    let inside = sides.iter().all(|side| *side >= 0.0) || sides.iter().all(|side| *side <= 0.0);
    let y = a.y - (normal.x * (from.x - a.x) + normal.z * (from.z - a.z)) / normal.y;
    let normal = if normal.y < 0.0 { -normal } else { normal };
    (inside && y <= from.y).then(|| (Vec3::new(from.x, y, from.z), normal))
}

impl Placing<'_> {
    /// What feet stand on, by node that is their ground: its surface and those of all nodes below it, but for what animators move, what
    /// hangs on that and what skins bend. `None`: all nodes.
    fn grounds(&mut self, globals: &[Mat4], played: &[Animated<'_>]) -> BTreeMap<Option<usize>, Surface> {
        let ground = |solver: &SolverDef| match solver.kind {
            SolverKind::Feet { ground, .. } => Some((ground, Surface::new())),
            _ => None,
        };
        let mut out: BTreeMap<_, _> = played.iter().flat_map(|one| one.solvers).filter_map(ground).collect();
        let scene = self.scene;
        for (ground, surface) in &mut out {
            let mut below = vec![false; scene.nodes.len()];
            let mut moved = vec![false; scene.nodes.len()];
            for (at, node) in scene.nodes.iter().enumerate() {
                below[at] = ground.is_none_or(|ground| at == ground) || node.parent.is_some_and(|parent| below[parent]);
                moved[at] = node.animator.is_some() || node.parent.is_some_and(|parent| moved[parent]);
                if below[at] && !moved[at] {
                    match node.content {
                        Content::Empty => {}
                        Content::Shape(shape) => extend(surface, &bake::shape(&shape), globals[at]),
                        Content::Model(model) => self.extend(surface, model, globals[at]),
                    }
                }
            }
            if surface.is_empty() {
                let what = ground.map_or("the scene".to_string(), |ground| {
                    format!("node {:?}, with those below it,", scene.nodes[ground].name)
                });
                let message = format!("no ground for the feet: {what} has no surface");
                let warning = Diagnostic::warning(code::SOLVER, &scene.root, message);
                self.warnings.push(match ground.is_none() && scene.ground == Ground::On {
                    true => {
                        warning.help("the floor of `ground` is below everything; use a node with `shape` as ground")
                    }
                    false => warning,
                });
            }
        }
        out
    }

    /// The surface of a model, where nothing bends it.
    fn extend(&mut self, surface: &mut Surface, model_index: usize, world_from_node: Mat4) {
        let (model, scene_model) = (self.models[model_index], &self.scene.models[model_index]);
        let world_from_model = world_from_node * self.node_from_model(model_index);
        let (shown, pose) = (shown_nodes(model, scene_model), &self.poses[model_index]);
        for (at, node) in model.nodes.iter().enumerate() {
            if !shown[at] || !pose.seen[at] || node.skin.is_some() {
                continue;
            }
            for part in &node.parts {
                match self.made.surface(model, &scene_model.file, part.geometry, self.read) {
                    Ok(geometry) => extend(surface, &geometry, world_from_model * pose.model_from_parts[at]),
                    Err(errors) => self.errors.extend(errors),
                }
            }
        }
    }

    /// Solves what animators ask for, for each node that wears them: where it stands is what its solvers reach from. The first wearer has
    /// the animator's own pose, the others have theirs behind all of those. `globals`: where nodes stand before. Out: whether anything was.
    pub(super) fn solve(&mut self, mut globals: Vec<Mat4>, played: &[Animated<'_>], order: &Order) -> bool {
        let scene = self.scene;
        let grounds = self.grounds(&globals, played);
        let mut locals: BTreeMap<usize, Vec<JointBlock>> = BTreeMap::new();
        let mut worn_before = vec![false; played.len()];
        for (node, of) in scene.nodes.iter().enumerate() {
            let Some(at) = of.animator.filter(|at| !played[*at].solvers.is_empty()) else { continue };
            let mut pose = self.models.len() + at;
            if std::mem::replace(&mut worn_before[at], true) {
                pose = self.poses.len();
                self.poses.push(played[at].pose());
            }
            self.wearers.insert(node, Wearer { pose, solvings: Vec::new() });
            locals.insert(node, played[at].shown.locals.clone());
        }
        let mut warnings: Vec<(Step, String)> = Vec::new();
        for step in &order.steps {
            let at = scene.nodes[step.node].animator.expect("it has solvers");
            let (animated, solver) = (&played[at], &played[at].solvers[step.solver]);
            for node in solver.reached_nodes().chain([step.node]).filter(|node| order.follows[*node]) {
                globals[node] = self.global(node, &globals, &order.follows);
            }
            let world_from_model = globals[step.node] * self.node_from_model(scene.animators[at].model);
            let reached =
                Reached { globals: &globals, grounds: &grounds, model_from_world: world_from_model.inverse() };
            let (rig, graph) = (&animated.player.rig, animated.player.graph());
            let locals = locals.get_mut(&step.node).expect("every node with solvers has a pose");
            let wearer = self.wearers.get_mut(&step.node).expect("every node with solvers is a wearer");
            match solve(rig, graph, &animated.shown.parameters, solver, &reached, locals) {
                Ok(solved) => wearer.solvings.extend(solved.into_iter().map(|solving| (step.solver, solving))),
                Err(error) => {
                    let name = &scene.animators[at].name;
                    warnings.push((*step, format!("animator {name:?}: a solver has no effect: {error}")));
                }
            }
            if let Some(parts) = order.watched.get(&step.node) {
                self.poses[wearer.pose].model_from_local = rig.matrices(locals);
                // A copy with weights of shapes of its own is what others hang on.
                if self.own.contains_key(&step.node) {
                    self.dress_node(step.node);
                }
                parts.iter().for_each(|part| self.dress_node(*part));
            }
        }
        // In the order of the file, and what many wearers say is said once.
        warnings.sort_by_key(|(Step { node, solver }, _)| (scene.nodes[*node].animator, *node, *solver));
        warnings.dedup_by(|a, b| a.1 == b.1);
        for (_, message) in warnings {
            self.warnings.push(Diagnostic::warning(code::SOLVER, &scene.root, message));
        }
        for (node, locals) in &locals {
            let at = scene.nodes[*node].animator.expect("it has solvers");
            self.poses[self.wearers[node].pose] = played[at].pose_of(locals);
        }
        !locals.is_empty()
    }

    /// What animators move.
    pub fn figures(&mut self, played: (&[Animated<'_>], &Order)) -> Vec<Figure> {
        let globals = self.stand(played);
        let (scene, paths) = (self.scene, paths(&self.scene.nodes));
        let mut out = Vec::new();
        for (at, node) in scene.nodes.iter().enumerate() {
            let (Some(animator), Some((pose, model))) = (node.animator, self.shown_pose(at)) else { continue };
            let world_from_model = globals[at] * self.node_from_model(model);
            let solvers = &scene.animators[animator].solvers;
            let solved = |(number, solving): &(usize, Solving)| Solved {
                number: *number,
                kind: solvers[*number].kind.word(),
                joint: self.models[model].nodes[usize::from(solving.joint)].name.clone(),
                target: world_from_model.transform_point3(solving.target),
                reach: solving.reach,
            };
            let solvings = self.wearers.get(&at).map_or(&[][..], |wearer| &wearer.solvings);
            let (name, pose) = (paths[at].clone(), self.poses[pose].clone());
            out.push(Figure { name, animator, world_from_model, pose, solved: solvings.iter().map(solved).collect() });
        }
        out
    }

    /// Where a node stands in the poses as they are by now; `globals` counts for nodes that follow none of them.
    fn global(&self, node: usize, globals: &[Mat4], follows: &[bool]) -> Mat4 {
        let mut below: Vec<usize> = Vec::new();
        let mut at = Some(node);
        while let Some(node) = at.filter(|node| follows[*node]) {
            below.push(node);
            at = self.scene.nodes[node].parent;
        }
        let above = at.map_or(Mat4::IDENTITY, |node| globals[node]);
        below.into_iter().rev().fold(above, |parent, node| self.below(node, parent))
    }
}
