//! What animators show meets what their solvers reach for.

use glam::{Mat4, Vec3};
use stillframe_anim::pose::JointBlock;
use stillframe_base::lanes::Isa;

use super::super::code;
use super::Placing;
use crate::animate::{Played, Player, Solving, solve};
use crate::bake;
use crate::import;
use crate::pose::Pose;
use crate::scene::{Content, Node, SolverDef};
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

/// What solvers reach for, seen from a model.
struct Reached<'a, 'b> {
    placing: &'a Placing<'b>,
    globals: &'a [Mat4],
    model_from_world: Mat4,
}

impl crate::animate::Ground for Reached<'_, '_> {
    fn place(&self, node: usize) -> Vec3 {
        self.model_from_world.transform_point3(self.globals[node].w_axis.truncate())
    }

    fn below(&self, node: usize, from: Vec3, length_m: f32) -> Option<(Vec3, Vec3)> {
        let Content::Shape(shape) = &self.placing.scene.nodes[node].content else { return None };
        let geometry = bake::shape(shape);
        let model_from_local = self.model_from_world * self.globals[node];
        let points: Vec<Vec3> =
            geometry.positions.iter().map(|p| model_from_local.transform_point3(Vec3::from(*p))).collect();
        let triangles = geometry.indices.chunks_exact(3).map(|t| [t[0], t[1], t[2]].map(|i| points[i as usize]));
        let hits = triangles.filter_map(|triangle| hit_below(triangle, from));
        let hits = hits.filter(|(point, _)| point.y >= from.y - length_m);
        hits.max_by(|(a, _), (b, _)| a.y.total_cmp(&b.y))
    }
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
    /// Solves what animators ask for, for each node that wears them: where it stands is what its solvers reach from. The first wearer has
    /// the animator's own pose, the others have theirs behind all of those. Out: whether anything was.
    pub(super) fn solve(&mut self, globals: &[Mat4], played: &[Animated<'_>]) -> bool {
        let mut warnings: Vec<String> = Vec::new();
        let mut poses: Vec<(usize, Pose)> = Vec::new();
        let mut next_pose = self.poses.len();
        for (at, animated) in played.iter().enumerate().filter(|(_, animated)| !animated.solvers.is_empty()) {
            let model_index = self.scene.animators[at].model;
            let wears = |(_, node): &(usize, &Node)| node.animator == Some(at);
            for (number, (node, _)) in self.scene.nodes.iter().enumerate().filter(wears).enumerate() {
                let world_from_model = globals[node] * self.node_from_model(model_index);
                let reached = Reached { placing: self, globals, model_from_world: world_from_model.inverse() };
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
