//! Solving: what animators show meets what their solvers reach for.
//!
//! In: poses before solvers, and where everything is by them. Out: the poses behind solvers, and what each solver came
//! to. Never here: the solvers themselves.

use std::collections::BTreeMap;

use glam::{Mat4, Quat, Vec3};
use stillframe_anim::pose::JointBlock;

use super::moving::{Animated, Moving};
use super::order::Step;
use crate::animate::solve;
use crate::asset::Geometry;
use crate::bake;
use crate::import;
use crate::scene::{Content, Ground, Scene, SolverDef, SolverKind};
use crate::source::Diagnostic;
use crate::world::code;
use crate::world::place::{Part, Poser, Problems, SceneAt, SolverResult, Standing, SurfaceCache};
use crate::world::tree::shown_nodes;

/// What is stood on, in the world.
type Triangles = Vec<[Vec3; 3]>;

/// What solvers reach for, seen from a model.
struct Reached<'a> {
    globals: &'a [Mat4],
    /// By node that is the ground of feet; `None`: all are.
    grounds: &'a BTreeMap<Option<usize>, Triangles>,
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

fn extend(surface: &mut Triangles, geometry: &Geometry, world_from_local: Mat4) {
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

/// Where surfaces of models are found.
pub struct Surroundings<'a> {
    pub cache: &'a SurfaceCache,
    pub read: &'a import::Read<'a>,
}

/// Finds what feet stand on.
struct GroundSearch<'a> {
    at: SceneAt<'a>,
    standing: &'a Standing,
    around: &'a Surroundings<'a>,
    problems: &'a mut Problems,
}

impl GroundSearch<'_> {
    /// By node that is the ground of feet: its surface and those of all nodes below it, but for what animators move,
    /// what hangs on that and what skins bend. `None`: all nodes.
    fn grounds(&mut self, played: &[Animated<'_>]) -> BTreeMap<Option<usize>, Triangles> {
        let ground = |solver: &SolverDef| match solver.kind {
            SolverKind::Feet { ground, .. } => Some((ground, Triangles::new())),
            _ => None,
        };
        let mut out: BTreeMap<_, _> = played.iter().flat_map(|one| one.solvers).filter_map(ground).collect();
        for (ground, surface) in &mut out {
            self.find(*ground, surface);
            if surface.is_empty() {
                self.problems.warnings.push(no_ground(self.at.scene, *ground));
            }
        }
        out
    }

    fn find(&mut self, ground: Option<usize>, surface: &mut Triangles) {
        let scene = self.at.scene;
        let mut below = vec![false; scene.nodes.len()];
        let mut moved = vec![false; scene.nodes.len()];
        for (number, node) in scene.nodes.iter().enumerate() {
            below[number] =
                ground.is_none_or(|ground| number == ground) || node.parent.is_some_and(|parent| below[parent]);
            moved[number] = node.animator.is_some() || node.parent.is_some_and(|parent| moved[parent]);
            if below[number] && !moved[number] {
                let world_from_node = self.standing.globals[number];
                match node.content {
                    Content::Empty => {}
                    Content::Shape(shape) => extend(surface, &bake::shape(&shape), world_from_node),
                    Content::Model(model) => self.find_in_model(model, world_from_node, surface),
                }
            }
        }
    }

    /// The surface of a model, where nothing bends it.
    fn find_in_model(&mut self, number: usize, world_from_node: Mat4, surface: &mut Triangles) {
        let (at, poses) = (self.at, &self.standing.poses);
        let world_from_model = world_from_node * at.node_from_model(number);
        let (model, pose) = (at.model(number), &poses[poses.of_model(number)]);
        let shown = shown_nodes(model, &at.scene.models[number]);
        for (node, of) in model.nodes.iter().enumerate() {
            if !shown[node] || !pose.seen[node] || of.skin.is_some() {
                continue;
            }
            for part in 0..of.parts.len() {
                let stored = at.stored(Part { model: number, node, part });
                match self.around.cache.stored(&stored, self.around.read) {
                    Ok(geometry) => extend(surface, &geometry, world_from_model * pose.model_from_parts[node]),
                    Err(errors) => self.problems.errors.extend(errors),
                }
            }
        }
    }
}

fn no_ground(scene: &Scene, ground: Option<usize>) -> Diagnostic {
    let what = ground
        .map_or("the scene".to_string(), |ground| format!("node {:?}, with those below it,", scene.nodes[ground].name));
    let message = format!("no ground for the feet: {what} has no surface");
    let warning = Diagnostic::warning(code::SOLVER, &scene.root, message);
    match ground.is_none() && scene.ground == Ground::On {
        true => warning.help("the floor of `ground` is below everything; use a node with `shape` as ground"),
        false => warning,
    }
}

/// Solves what animators ask for, for each node that wears them. Solvers reach from where the node is.
pub fn stand(
    at: SceneAt<'_>,
    moving: &Moving<'_>,
    standing: &mut Standing,
    around: &Surroundings<'_>,
    problems: &mut Problems,
) {
    let Moving { played, order, .. } = moving;
    if order.steps.is_empty() {
        return;
    }
    let scene = at.scene;
    let grounds = GroundSearch { at, standing, around, problems }.grounds(played);
    let mut globals = standing.globals.clone();
    let mut locals: BTreeMap<usize, Vec<JointBlock>> = BTreeMap::new();
    for (node, of) in scene.nodes.iter().enumerate() {
        let Some(animator) = of.animator.filter(|animator| !played[*animator].solvers.is_empty()) else { continue };
        standing.poses.put(Poser::Reaching(node), played[animator].pose());
        standing.solved.insert(node, Vec::new());
        locals.insert(node, played[animator].shown.locals.clone());
    }
    let mut warnings: Vec<(Step, String)> = Vec::new();
    for step in &order.steps {
        let animator = scene.nodes[step.node].animator.expect("it has solvers");
        let (animated, solver) = (&played[animator], &played[animator].solvers[step.solver]);
        for node in solver.reached_nodes().chain([step.node]).filter(|node| order.follows[*node]) {
            globals[node] = global(at, standing, node, &globals, &order.follows);
        }
        let world_from_model = globals[step.node] * at.node_from_model(scene.animators[animator].model);
        let reached = Reached { globals: &globals, grounds: &grounds, model_from_world: world_from_model.inverse() };
        let (rig, graph) = (&animated.player.rig, animated.player.graph());
        let locals = locals.get_mut(&step.node).expect("every node with solvers has a pose");
        match solve(rig, graph, &animated.shown.parameters, solver, &reached, locals) {
            Ok(solved) => {
                let results = standing.solved.get_mut(&step.node).expect("every node with solvers has results");
                results.extend(solved.into_iter().map(|solving| SolverResult { solver: step.solver, solving }));
            }
            Err(error) => {
                let name = &scene.animators[animator].name;
                warnings.push((*step, format!("animator {name:?}: a solver has no effect: {error}")));
            }
        }
        if let Some(parts) = order.watched.get(&step.node) {
            let pose = standing.poses.pose_mut(Poser::Reaching(step.node)).expect("it was put there above");
            pose.model_from_local = rig.matrices(locals);
            // A copy with weights of shapes of its own is what others hang on.
            if standing.poses.get(Poser::Node(step.node)).is_some() {
                standing.dress(at, step.node);
            }
            parts.iter().for_each(|part| standing.dress(at, *part));
        }
    }
    // In the order of the file, and what many wearers say is said once.
    warnings.sort_by_key(|(Step { node, solver }, _)| (scene.nodes[*node].animator, *node, *solver));
    warnings.dedup_by(|a, b| a.1 == b.1);
    let warnings = warnings.into_iter().map(|(_, message)| Diagnostic::warning(code::SOLVER, &scene.root, message));
    problems.warnings.extend(warnings);
    for (node, locals) in &locals {
        let animator = scene.nodes[*node].animator.expect("it has solvers");
        standing.poses.put(Poser::Reaching(*node), played[animator].pose_of(locals));
    }
    if !locals.is_empty() {
        standing.settle(at);
    }
}

/// The transform of a node in the poses as they are by now; `globals` counts for nodes that follow none of them.
fn global(at: SceneAt<'_>, standing: &Standing, node: usize, globals: &[Mat4], follows: &[bool]) -> Mat4 {
    let mut below: Vec<usize> = Vec::new();
    let mut up = Some(node);
    while let Some(node) = up.filter(|node| follows[*node]) {
        below.push(node);
        up = at.scene.nodes[node].parent;
    }
    let above = up.map_or(Mat4::IDENTITY, |node| globals[node]);
    below.into_iter().rev().fold(above, |parent, node| standing.below(at, node, parent))
}
