//! What animators show meets what their solvers reach for.

use std::collections::BTreeMap;

use glam::{Mat4, Vec3};
use stillframe_anim::pose::JointBlock;
use stillframe_base::lanes::Isa;

use super::super::code;
use super::{Placing, shown_nodes};
use crate::animate::{Played, Player, Solving, solve};
use crate::asset::Geometry;
use crate::bake;
use crate::import;
use crate::pose::Pose;
use crate::scene::{Content, Ground, Node, SolverDef, SolverKind};
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
        rig.pose(
            self.model,
            rig.matrices(Isa::detect(), locals),
            self.shown.morph_weights.clone(),
            self.shown.seen.clone(),
        )
    }
}

/// What the solvers of an animator came to for one node that wears it.
#[derive(Clone, Debug)]
pub struct Wearer {
    /// In the list of poses.
    pub pose: usize,
    pub solvings: Vec<Solving>,
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
                let message = format!("feet have no ground: {what} has no surface");
                let warning = Diagnostic::warning(code::SOLVER, &scene.root, message);
                self.warnings.push(match ground.is_none() && scene.ground == Ground::On {
                    true => {
                        warning.help("the floor of `ground` lies under whatever there is; stand on a node with `shape`")
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
    /// the animator's own pose, the others have theirs behind all of those. Out: whether anything was.
    pub(super) fn solve(&mut self, globals: &[Mat4], played: &[Animated<'_>]) -> bool {
        let grounds = self.grounds(globals, played);
        let mut warnings: Vec<String> = Vec::new();
        let mut poses: Vec<(usize, Pose)> = Vec::new();
        let mut next_pose = self.poses.len();
        for (at, animated) in played.iter().enumerate().filter(|(_, animated)| !animated.solvers.is_empty()) {
            let model_index = self.scene.animators[at].model;
            let wears = |(_, node): &(usize, &Node)| node.animator == Some(at);
            for (number, (node, _)) in self.scene.nodes.iter().enumerate().filter(wears).enumerate() {
                let world_from_model = globals[node] * self.node_from_model(model_index);
                let reached = Reached { globals, grounds: &grounds, model_from_world: world_from_model.inverse() };
                let mut locals = animated.shown.locals.clone();
                let mut solvings = Vec::new();
                for solver in animated.solvers {
                    let (rig, graph) = (&animated.player.rig, animated.player.graph());
                    match solve(rig, graph, &animated.shown.parameters, solver, &reached, &mut locals) {
                        Ok(solved) => solvings.extend(solved),
                        Err(error) => {
                            let name = &self.scene.animators[at].name;
                            warnings.push(format!("animator {name:?}: a solver leaves the pose as it is: {error}"));
                        }
                    }
                }
                let pose = match number {
                    0 => self.models.len() + at,
                    _ => {
                        next_pose += 1;
                        next_pose - 1
                    }
                };
                poses.push((pose, animated.pose_of(&locals)));
                self.wearers.insert(node, Wearer { pose, solvings });
            }
        }
        // What many wearers say is said once.
        warnings.dedup();
        for message in warnings {
            self.warnings.push(Diagnostic::warning(code::SOLVER, &self.scene.root, message));
        }
        let solved = !poses.is_empty();
        for (at, pose) in poses {
            self.poses.resize_with(self.poses.len().max(at + 1), Pose::default);
            self.poses[at] = pose;
        }
        solved
    }
}
