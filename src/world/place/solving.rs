//! What animators show meets what their solvers reach for.

use glam::{Mat4, Vec3};
use stillframe_base::lanes::Isa;

use super::super::code;
use super::Placing;
use crate::animate::{Played, Player, Solving, solve};
use crate::bake;
use crate::import;
use crate::pose::Pose;
use crate::scene::{Content, Node, SolverDef};
use crate::source::Diagnostic;

/// What an animator shows, before its solvers and after.
pub struct Animated<'a> {
    pub model: &'a import::Model,
    pub player: &'a Player,
    pub shown: Played,
    pub solvers: &'a [SolverDef],
    /// What they came to, once they were solved.
    pub solvings: Vec<Solving>,
}

impl Animated<'_> {
    pub fn pose(&self) -> Pose {
        let rig = &self.player.rig;
        let matrices = rig.matrices(Isa::detect(), &self.shown.locals);
        rig.pose(self.model, matrices, self.shown.morph_weights.clone())
    }
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
    /// Solves what animators ask for, each for the first node that wears it. Out: whether anything was.
    pub(super) fn solve(&mut self, globals: &[Mat4], played: &mut [Animated<'_>]) -> bool {
        let mut solved = false;
        for (at, animated) in played.iter_mut().enumerate() {
            let wears = |node: &Node| node.animator == Some(at);
            let (false, Some(node)) = (animated.solvers.is_empty(), self.scene.nodes.iter().position(wears)) else {
                continue;
            };
            let model = self.scene.animators[at].model;
            let world_from_model = globals[node] * self.node_from_model(model);
            let reached = Reached { placing: self, globals, model_from_world: world_from_model.inverse() };
            let mut warnings = Vec::new();
            for solver in animated.solvers {
                let result = solve(
                    &animated.player.rig,
                    animated.player.graph(),
                    &animated.shown.parameters,
                    solver,
                    &reached,
                    &mut animated.shown.locals,
                );
                match result {
                    Ok(solvings) => animated.solvings.extend(solvings),
                    Err(error) => {
                        let name = &self.scene.animators[at].name;
                        warnings.push(format!("animator {name:?}: a solver leaves the pose as it is: {error}"));
                    }
                }
            }
            for message in warnings {
                self.warnings.push(Diagnostic::warning(code::SOLVER, &self.scene.root, message));
            }
            self.poses[self.models.len() + at] = animated.pose();
            solved = true;
        }
        solved
    }
}
