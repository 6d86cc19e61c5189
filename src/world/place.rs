//! Placing: nodes get their transforms, objects their ids, geometry is baked for the materials it meets.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use glam::{Affine3A, DQuat, Mat4, Quat, Vec3};
use stillframe_anim::root::Motion;
use stillframe_base::geom::Aabb;
use stillframe_base::lanes::Isa;
use stillframe_base::tick::Tick;

use super::crowd::{self, BakedModel};
use super::load::Pictures;
use super::show::{self, Drawing};
use super::{Item, World, WorldCamera, WorldLight, code, ground, material};
use crate::animate::{Played, Player, Solving, solve};
use crate::asset::{CrowdPart, Geometry, GeometryId, ImageId, Material, MaterialId, Store, TextureSlot};
use crate::bake::{self, Completed, TangentWish};
use crate::cache::Ready;
use crate::import::{self, ModelLightKind, ModelProjection, SkinMethod};
use crate::pose::{self, Pose};
use crate::scene::{
    Content, Crowd, Ground, LightKind, Node, Placement, Projection, Scene, Shape, Show, SkinBlend, SolverDef, Up,
};
use crate::source::Diagnostic;

/// Farther from the origin than this nothing is placed: f32 could not tell neighbouring points apart, nor square them.
const FAR_MAX_M: f32 = 1e15;

/// First number of the origins of crowds' items, counting down: no scene has so many nodes.
const CROWD_ORIGIN: u32 = u32::MAX - 1;

/// What has been made of models and shapes so far. It outlives a moment: only what moves is made again.
#[derive(Clone, Debug, Default)]
pub struct Made {
    pub pictures: Pictures,
    /// (file's place among distinct models, its image) -> the store's.
    model_images: BTreeMap<(usize, usize), ImageId>,
    /// (file's place among distinct models, its geometry, tangents) -> the store's.
    model_geometries: BTreeMap<(usize, usize, TangentWish), GeometryId>,
    /// (file's place among distinct models, its geometry, tangents, whether it is skinned) -> the store's: geometry that is bent, at rest.
    bending_geometries: BTreeMap<(usize, usize, TangentWish, bool), GeometryId>,
    /// (file's place among distinct models, node, geometry, tangents) -> the store's: what figures of crowds wear, at rest.
    figure_geometries: BTreeMap<(usize, usize, usize, TangentWish), GeometryId>,
    /// (pose, node of its model, part, tangents) -> the store's: what is bent and has no normals of its own, anew for every moment.
    flat_geometries: BTreeMap<(usize, usize, usize, TangentWish), GeometryId>,
    /// Geometry of model files that was baked ahead of time and is not in the store yet.
    baked: BTreeMap<(PathBuf, usize, TangentWish), Completed>,
    /// Model files whose models lack surfaces that `baked` stands for; the whole ones, once one of them was needed after all.
    lean: BTreeMap<PathBuf, Option<import::Model>>,
    shapes: Vec<(Shape, GeometryId)>,
    /// (scene node, which of its drawings) -> the store's, anew for every moment.
    shown: BTreeMap<(usize, usize), GeometryId>,
    ground: Vec<GeometryId>,
}

impl Made {
    /// Keeps what was baked of the model in `file`; out: the model.
    pub fn take_in(&mut self, file: &Path, ready: Ready) -> import::Model {
        if ready.lean {
            self.lean.insert(file.to_path_buf(), None);
        }
        let baked = ready.completed.into_iter();
        self.baked.extend(baked.map(|((number, wish), completed)| ((file.to_path_buf(), number, wish), completed)));
        ready.model
    }

    /// The surface of a geometry as it is stored, from the file itself where the model at hand lacks it.
    ///
    /// Errors: the file has changed since it was read.
    fn surface(
        &mut self,
        model: &import::Model,
        file: &Path,
        number: usize,
        read: &import::Read<'_>,
    ) -> Result<Geometry, Vec<Diagnostic>> {
        let Some(whole) = self.lean.get_mut(file) else { return Ok(model.geometries[number].surface.clone()) };
        let whole = match whole {
            Some(whole) => whole,
            none => none.insert(import::model(file, read)?),
        };
        let changed = || {
            let message = "the file has changed while it was in use";
            vec![Diagnostic::error(import::code::REFERENCE, file, message)]
        };
        whole.geometries.get(number).map(|geometry| geometry.surface.clone()).ok_or_else(changed)
    }
}

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

/// A motion of an actor.
pub fn matrix(motion: Motion) -> Mat4 {
    Mat4::from(Affine3A::from(motion.to_affine()))
}

/// A world in the making.
pub struct Placing<'a> {
    scene: &'a Scene,
    models: &'a [&'a import::Model],
    store: &'a mut Store,
    made: &'a mut Made,
    read: &'a import::Read<'a>,
    /// One a model of the scene, then one an animator.
    poses: Vec<Pose>,
    /// By pose, where one is shown.
    trails: &'a BTreeMap<usize, Vec<Vec<Vec3>>>,
    /// By animator: how far its root has gone.
    travels: Vec<Mat4>,
    /// By animator.
    solvings: Vec<Vec<Solving>>,
    pub world: World,
    pub errors: Vec<Diagnostic>,
    pub warnings: Vec<Diagnostic>,
    scene_materials: Vec<MaterialId>,
    default_material: Option<MaterialId>,
    /// (model, its material) -> the store's.
    model_materials: BTreeMap<(usize, usize), MaterialId>,
    /// (pose, node of its model, geometry of the store) -> the world's: every node of the scene that shows it shares it.
    bents: BTreeMap<(usize, usize, GeometryId), u32>,
}

impl<'a> Placing<'a> {
    /// `materials`: those of the scene. The store's are replaced.
    pub fn new(
        scene: &'a Scene,
        models: &'a [&'a import::Model],
        (poses, trails): (Vec<Pose>, &'a BTreeMap<usize, Vec<Vec<Vec3>>>),
        materials: Vec<Material>,
        store: &'a mut Store,
        made: &'a mut Made,
        read: &'a import::Read<'a>,
    ) -> Placing<'a> {
        store.materials.clear();
        let scene_materials = materials.into_iter().map(|m| store.add_material(m)).collect();
        Placing {
            scene,
            models,
            store,
            made,
            read,
            poses,
            trails,
            travels: Vec::new(),
            solvings: Vec::new(),
            world: World::default(),
            errors: Vec::new(),
            warnings: Vec::new(),
            scene_materials,
            default_material: None,
            model_materials: BTreeMap::new(),
            bents: BTreeMap::new(),
        }
    }

    /// `played`: what animators show, in the scene's order; solvers change it.
    pub fn run(&mut self, played: &mut [Animated<'_>], (crowds, time): (&[Vec<BakedModel>], Tick)) {
        let scene = self.scene;
        self.travels = played.iter().map(|animated| matrix(animated.shown.travel)).collect();
        let mut globals = self.globals();
        if self.solve(&globals, played) {
            globals = self.globals();
        }
        self.solvings = played.iter_mut().map(|animated| std::mem::take(&mut animated.solvings)).collect();
        let mut paths: Vec<String> = Vec::with_capacity(scene.nodes.len());
        for node in &scene.nodes {
            let path = node.parent.map_or("", |parent| &paths[parent]);
            paths.push(join(path, &node.name));
        }
        for camera in &scene.cameras {
            self.world.cameras.push(WorldCamera {
                name: camera.name.clone(),
                world_from_local: Mat4::from_rotation_translation(camera.rotation, camera.position),
                projection: camera.projection,
                near_m: camera.near_m,
                far_m: camera.far_m,
                from_model: false,
            });
        }
        for light in &scene.lights {
            let parent = light.parent.map_or(Mat4::IDENTITY, |p| globals[p]);
            self.world.lights.push(WorldLight {
                name: light.name.clone(),
                kind: light.kind,
                color: light.color,
                world_from_local: parent * local_transform(&light.placement),
                shadow: light.shadow,
                from_model: false,
            });
        }
        for index in tree_order(&scene.nodes) {
            let node = &scene.nodes[index];
            match &node.content {
                Content::Empty => {}
                Content::Shape(shape) => self.shape(index, shape, globals[index], &paths[index]),
                Content::Model(model) => self.model(index, *model, globals[index], &paths[index]),
            }
        }
        for (crowd, baked) in scene.crowds.iter().zip(crowds) {
            self.crowd(crowd, baked, time);
        }
        self.world.subject_bounds = self.world.bounds;
        if scene.ground == Ground::On {
            self.ground();
        }
    }

    /// Where the scene's nodes stand.
    fn globals(&self) -> Vec<Mat4> {
        let mut out: Vec<Mat4> = Vec::with_capacity(self.scene.nodes.len());
        for node in &self.scene.nodes {
            let parent = match (node.parent, &node.joint) {
                (None, _) => Mat4::IDENTITY,
                (Some(parent), None) => out[parent],
                (Some(parent), Some(joint)) => out[parent] * self.joint(parent, joint, node.inherits),
            };
            out.push(parent * local_transform(&node.placement) * self.travel(node));
        }
        out
    }

    /// From where a node's animator has taken it, in the node's space.
    fn travel(&self, node: &Node) -> Mat4 {
        let (Some(animator), Content::Model(model)) = (node.animator, &node.content) else { return Mat4::IDENTITY };
        let travel = self.travels[animator];
        if travel == Mat4::IDENTITY {
            return travel;
        }
        let node_from_model = self.node_from_model(*model);
        node_from_model * travel * node_from_model.inverse()
    }

    /// A joint of the model that a scene node shows, in that node's space; what is not inherited is the model's own.
    fn joint(&self, scene_node: usize, joint: &str, inherits: [bool; 3]) -> Mat4 {
        let Some((pose, model)) = self.shown_pose(scene_node) else { return Mat4::IDENTITY };
        let Some(node) = self.models[model].nodes.iter().position(|node| node.name == joint) else {
            return Mat4::IDENTITY;
        };
        inherited(self.node_from_model(model) * self.poses[pose].model_from_local[node], inherits)
    }

    /// Numbers of the pose and the model that a scene node shows.
    fn shown_pose(&self, scene_node: usize) -> Option<(usize, usize)> {
        let node = &self.scene.nodes[scene_node];
        let Content::Model(model) = node.content else { return None };
        Some((node.animator.map_or(model, |animator| self.models.len() + animator), model))
    }

    fn node_from_model(&self, model: usize) -> Mat4 {
        turn(self.scene.models[model].up, self.models[model].format.up).map_or(Mat4::IDENTITY, Mat4::from_quat)
    }

    /// Solves what animators ask for, each for the first node that wears it. Out: whether anything was.
    fn solve(&mut self, globals: &[Mat4], played: &mut [Animated<'_>]) -> bool {
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

    fn shape(&mut self, scene_node: usize, shape: &Shape, world_from_local: Mat4, path: &str) {
        let node = &self.scene.nodes[scene_node];
        let material = match node.material {
            Some(material) => self.scene_materials[material],
            None => *self.default_material.get_or_insert_with(|| self.store.add_material(Material::default())),
        };
        let found = self.made.shapes.iter().find(|(s, _)| s == shape).map(|(_, id)| *id);
        let geometry = found.unwrap_or_else(|| {
            let id = self.store.add_geometry(bake::shape(shape));
            self.made.shapes.push((*shape, id));
            id
        });
        let object_id = self.name_object(path.to_string());
        let origin = [scene_node as u32, 0, 0];
        self.item((geometry, None), material, world_from_local, (object_id, origin), node.casts_shadow);
    }

    fn model(&mut self, scene_node: usize, model_index: usize, world_from_node: Mat4, path: &str) {
        let node = &self.scene.nodes[scene_node];
        let model = self.models[model_index];
        let scene_model = &self.scene.models[model_index];
        let world_from_model = match turn(scene_model.up, model.format.up) {
            Some(turn) => world_from_node * Mat4::from_quat(turn),
            None => world_from_node,
        };
        let (pose_index, _) = self.shown_pose(scene_node).expect("it shows a model");
        // The pose is put back below: items are added meanwhile.
        let pose = std::mem::take(&mut self.poses[pose_index]);
        let shown = shown_nodes(model, scene_model);
        let mut paths: Vec<String> = Vec::with_capacity(model.nodes.len());
        for (index, model_node) in model.nodes.iter().enumerate() {
            // A bare model's objects bear their own names alone; in a scene they bear the whole way to them.
            let name = if self.scene.bare_model {
                model_node.name.clone()
            } else {
                join(model_node.parent.map_or(path, |p| &paths[p]), &model_node.name)
            };
            paths.push(name.clone());
            if !shown[index] || !pose.seen[index] || model_node.parts.is_empty() {
                continue;
            }
            let object_id = self.name_object(name);
            for (number, part) in model_node.parts.iter().enumerate() {
                let material = match node.material {
                    Some(material) => self.scene_materials[material],
                    None => self.model_material(model_index, part.material),
                };
                let drawn = self.part((model_index, index, number), (pose_index, &pose), material);
                let world_from_local = world_from_model * pose.model_from_parts[index];
                let origin = [scene_node, index, number].map(|n| n as u32);
                self.item(drawn, material, world_from_local, (object_id, origin), node.casts_shadow);
            }
        }
        if !node.show.is_empty() {
            self.show(scene_node, (pose_index, &pose), world_from_model, path);
        }
        for camera in model.cameras.iter().filter(|c| shown[c.node] && model.nodes[c.node].shown) {
            self.world.cameras.push(WorldCamera {
                name: camera.name.clone(),
                world_from_local: looking(
                    world_from_model * pose.model_from_local[camera.node],
                    camera.local_from_camera,
                ),
                projection: match camera.projection {
                    ModelProjection::Perspective { fov_y_rad } => Projection::Perspective { fov_y_rad },
                    ModelProjection::Orthographic { height_m } => Projection::Orthographic { height_m },
                },
                near_m: camera.near_m,
                far_m: camera.far_m,
                from_model: true,
            });
        }
        for light in model.lights.iter().filter(|l| self.scene.model_lights && shown[l.node] && pose.seen[l.node]) {
            self.world.lights.push(WorldLight {
                name: light.name.clone(),
                kind: match light.kind {
                    ModelLightKind::Directional { illuminance_lux } => LightKind::Directional { illuminance_lux },
                    ModelLightKind::Point { intensity_cd, range_m } => LightKind::Point { intensity_cd, range_m },
                    ModelLightKind::Spot { intensity_cd, range_m, inner_rad, outer_rad } => {
                        LightKind::Spot { intensity_cd, range_m, inner_rad, outer_rad }
                    }
                },
                color: light.color,
                world_from_local: looking(world_from_model * pose.model_from_local[light.node], light.local_from_light),
                shadow: light.shadow,
                from_model: true,
            });
        }
        self.poses[pose_index] = pose;
    }

    /// Figures of a crowd: each level of detail at its distances.
    fn crowd(&mut self, crowd: &Crowd, baked: &[BakedModel], time: Tick) {
        let looks = std::iter::once((0.0, Some(crowd.model)));
        let looks: Vec<(f64, Option<usize>)> =
            looks.chain(crowd.lods.iter().map(|lod| (lod.from_m, lod.model))).collect();
        let placed = local_transform(&crowd.placement);
        let first_id = self.world.object_names.len() as u32 + 1;
        for number in 0..crowd.count {
            self.name_object(format!("{}/{number}", crowd.name));
        }
        let mut baked = baked.iter();
        for (at, (from_m, model)) in looks.iter().enumerate() {
            let Some(model_index) = *model else { continue };
            let to_m = looks.get(at + 1).map_or(f32::INFINITY, |(next_m, _)| *next_m as f32);
            let baked = baked.next().expect("baked as listed");
            let place = self.world.crowds.len() as u32;
            self.world.crowds.push(Arc::new(crowd::figures(crowd, baked.frames.clone(), time)));
            let model = self.models[model_index];
            let shown = shown_nodes(model, &self.scene.models[model_index]);
            let seen = self.poses[model_index].seen.clone();
            let parts: Vec<(usize, usize, GeometryId, MaterialId)> = model
                .nodes
                .iter()
                .enumerate()
                .filter(|(node, _)| shown[*node] && seen[*node])
                .flat_map(|(node, of)| (0..of.parts.len()).map(move |part| (node, part)))
                .map(|(node, part)| {
                    let material = match crowd.material {
                        Some(material) => self.scene_materials[material],
                        None => self.model_material(model_index, model.nodes[node].parts[part].material),
                    };
                    (node, part, self.figure_geometry(model_index, node, part, material), material)
                })
                .collect();
            let node_from_model = self.node_from_model(model_index);
            for number in 0..crowd.count {
                let world_from_local = placed * crowd::place(crowd, number) * node_from_model;
                let bounds = baked.bounds.transformed(&world_from_local);
                self.world.bounds = self.world.bounds.union(bounds);
                for (node, part, geometry, material) in &parts {
                    let first_joint = baked.first_joints[*node].expect("it shows something");
                    self.world.items.push(Item {
                        geometry: *geometry,
                        bent: None,
                        crowd: Some(CrowdPart { crowd: place, figure: number, first_joint }),
                        distances_m: [*from_m as f32, to_m],
                        material: *material,
                        world_from_local,
                        object_id: first_id + number,
                        origin: [CROWD_ORIGIN - place, number, (*node * 64 + *part) as u32],
                        bounds,
                        casts_shadow: crowd.casts_shadow,
                    });
                }
            }
        }
    }

    /// A part of a model as figures of crowds wear it, at rest.
    fn figure_geometry(&mut self, model_index: usize, node: usize, part: usize, material: MaterialId) -> GeometryId {
        let model = self.models[model_index];
        let number = model.nodes[node].parts[part].geometry;
        let wish = TangentWish::of(self.store.material(material));
        let key = (self.file_number(model_index), node, number, wish);
        if let Some(id) = self.made.figure_geometries.get(&key) {
            return *id;
        }
        let file = &self.scene.models[model_index].file;
        let surface = match self.made.surface(model, file, number, self.read) {
            Ok(surface) => surface,
            Err(errors) => {
                self.errors.extend(errors);
                return self.store.add_geometry(Geometry::default());
            }
        };
        let (completed, bend) = bake::complete_bending(surface, &crowd::bend_of(model, node, number), wish);
        self.tell(model_index, &completed);
        let id = self.store.add_bending(completed.geometry, bend);
        self.made.figure_geometries.insert(key, id);
        id
    }

    /// What is drawn beside a model's surface.
    fn show(&mut self, scene_node: usize, (pose_index, pose): (usize, &Pose), world_from_model: Mat4, path: &str) {
        let scene = self.scene;
        let node = &scene.nodes[scene_node];
        let Content::Model(model_index) = node.content else { return };
        let model = self.models[model_index];
        let place = |node: usize| pose.model_from_local[node];
        let joints = pose::joints(model);
        let reach = Aabb::of_points(joints.iter().map(|joint| place(*joint).w_axis.truncate()));
        let size_m = reach.size().length().max(1e-3);
        let (thin_m, axis_m) = (size_m * 0.003, size_m * 0.04);
        let mut drawings: Vec<(&str, [f32; 3], Drawing)> = Vec::new();
        let add_axes = |drawings: &mut Vec<(&str, [f32; 3], Drawing)>, places: &[Mat4]| {
            let mut axes: [Drawing; 3] = Default::default();
            places.iter().for_each(|place| show::axes(&mut axes, place, axis_m, thin_m));
            let colors = [show::X_AXIS, show::Y_AXIS, show::Z_AXIS];
            drawings.extend(axes.into_iter().zip(colors).map(|(drawing, color)| ("axes", color, drawing)));
        };
        for what in &node.show {
            match what {
                Show::Skeleton => {
                    let mut bones = Drawing::default();
                    for joint in &joints {
                        if let Some(parent) = model.nodes[*joint].parent.filter(|parent| joints.contains(parent)) {
                            bones.bone(place(parent).w_axis.truncate(), place(*joint).w_axis.truncate());
                        }
                    }
                    drawings.push(("skeleton", show::BONE, bones));
                    add_axes(&mut drawings, &joints.iter().map(|joint| place(*joint)).collect::<Vec<_>>());
                }
                Show::Sockets => {
                    let hangs = |other: &&Node| other.parent == Some(scene_node) && other.joint.is_some();
                    let node_from_model = self.node_from_model(model_index);
                    let socket = |other: &Node| {
                        let joint = other.joint.as_deref().unwrap_or_default();
                        let at = model.nodes.iter().position(|node| node.name == joint);
                        let place =
                            at.map_or(Mat4::IDENTITY, |at| inherited(node_from_model * place(at), other.inherits));
                        node_from_model.inverse() * place * local_transform(&other.placement)
                    };
                    let places: Vec<Mat4> = scene.nodes.iter().filter(hangs).map(socket).collect();
                    add_axes(&mut drawings, &places);
                }
                Show::Targets => {
                    let mut targets = Drawing::default();
                    let mut misses = Drawing::default();
                    let solvings = node.animator.map_or(&[][..], |animator| &self.solvings[animator]);
                    for Solving { reach, target } in solvings {
                        let drawing = if reach.reached { &mut targets } else { &mut misses };
                        drawing.cross(*target, axis_m, thin_m * 1.5);
                    }
                    drawings.extend([("targets", show::TARGET, targets), ("misses", show::MISS, misses)]);
                }
                Show::Trails => {
                    let mut trails = Drawing::default();
                    for trail in self.trails.get(&pose_index).into_iter().flatten() {
                        trail.windows(2).for_each(|pair| trails.line(pair[0], pair[1], thin_m));
                    }
                    drawings.push(("trails", show::TRAIL, trails));
                }
                Show::Bounds => {
                    let mut boxes = Drawing::default();
                    let bents = self.bents.iter().filter(|((of, _, _), _)| *of == pose_index);
                    for (_, bent) in bents {
                        boxes.edges(bake::bounds(&self.world.bents[*bent as usize].positions), thin_m);
                    }
                    drawings.push(("bounds", show::BOX, boxes));
                }
            }
        }
        for (number, (name, color, drawing)) in drawings.into_iter().enumerate() {
            if drawing.is_empty() {
                continue;
            }
            let object_id = self.name_object(join(path, name));
            let material = self.store.add_material(show::material(name, color));
            let geometry = bake::complete(drawing.geometry(), TangentWish::Any).geometry;
            let key = (scene_node, number);
            let geometry = match self.made.shown.get(&key) {
                Some(id) => {
                    self.store.replace_geometry(*id, geometry);
                    *id
                }
                None => {
                    let id = self.store.add_geometry(geometry);
                    self.made.shown.insert(key, id);
                    id
                }
            };
            let origin = [scene_node as u32, u32::MAX, number as u32];
            self.item((geometry, None), material, world_from_model, (object_id, origin), false);
        }
    }

    /// A model's material with the scene's overrides: first those for every material, then those for this one.
    fn model_material(&mut self, model_index: usize, number: usize) -> MaterialId {
        if let Some(id) = self.model_materials.get(&(model_index, number)) {
            return *id;
        }
        let model = self.models[model_index];
        let scene_model = &self.scene.models[model_index];
        let mut material = model.materials[number].clone();
        // Their pictures are the model's, and the renderer has no use for them yet.
        material.layers = None;
        let file = self.file_number(model_index);
        for slot in texture_slots(&mut material) {
            let number = slot.image.0 as usize;
            slot.image = *self
                .made
                .model_images
                .entry((file, number))
                .or_insert_with(|| self.store.add_image(model.images[number].clone()));
        }
        let applies = |name: &str| name == "*" || name == material_name(model, number);
        let (every, this): (Vec<_>, Vec<_>) =
            scene_model.overrides.iter().filter(|(name, _)| applies(name)).partition(|(name, _)| name == "*");
        for (_, values) in every.into_iter().chain(this) {
            let laid = material::lay_over(&mut material, values, &mut self.made.pictures, self.store, self.read);
            self.errors.extend(laid.err().into_iter().flatten());
        }
        let id = self.store.add_material(material);
        self.model_materials.insert((model_index, number), id);
        id
    }

    /// A model's geometry as it is stored, baked for a material: with tangents for its normal map, if it has one.
    fn model_geometry(&mut self, model_index: usize, number: usize, material: MaterialId) -> GeometryId {
        let wish = TangentWish::of(self.store.material(material));
        let key = (self.file_number(model_index), number, wish);
        if let Some(id) = self.made.model_geometries.get(&key) {
            return *id;
        }
        let file = &self.scene.models[model_index].file;
        let completed = match self.made.baked.remove(&(file.clone(), number, wish)) {
            Some(completed) => completed,
            None => match self.made.surface(self.models[model_index], file, number, self.read) {
                Ok(surface) => bake::complete(surface, wish),
                Err(errors) => {
                    self.errors.extend(errors);
                    Completed::default()
                }
            },
        };
        self.tell(model_index, &completed);
        let id = self.store.add_geometry(completed.geometry);
        self.made.model_geometries.insert(key, id);
        id
    }

    /// One part of a model's node: the store's geometry, and where it is bent the world's.
    fn part(
        &mut self,
        (model_index, node, part): (usize, usize, usize),
        (pose_index, pose): (usize, &Pose),
        material: MaterialId,
    ) -> (GeometryId, Option<u32>) {
        let model = self.models[model_index];
        let number = model.nodes[node].parts[part].geometry;
        let is_skinned = model.nodes[node].skin.is_some();
        let stored = &model.geometries[number];
        if !is_skinned && stored.targets.is_empty() {
            return (self.model_geometry(model_index, number, material), None);
        }
        if stored.surface.normals.is_empty() {
            return (self.flat_geometry((model_index, node, part), (pose_index, pose), material), None);
        }
        let wish = TangentWish::of(self.store.material(material));
        let key = (self.file_number(model_index), number, wish, is_skinned);
        let geometry = match self.made.bending_geometries.get(&key) {
            Some(id) => *id,
            None => {
                let bend = pose::bend_of(model, node, number).expect("it is skinned or has targets");
                let (completed, bend) = bake::complete_bending(stored.surface.clone(), &bend, wish);
                self.tell(model_index, &completed);
                let id = self.store.add_bending(completed.geometry, bend);
                self.made.bending_geometries.insert(key, id);
                id
            }
        };
        if let Some(bent) = self.bents.get(&(pose_index, node, geometry)) {
            return (geometry, Some(*bent));
        }
        let method = match self.scene.models[model_index].skinning {
            SkinBlend::File => None,
            SkinBlend::Linear => Some(SkinMethod::Linear),
            SkinBlend::DualQuaternion => Some(SkinMethod::DualQuaternion),
        };
        let posture = pose::posture(model, node, number, pose, method);
        let bent = self.store.bend(geometry).bent(self.store.geometry(geometry), posture);
        if !self.is_finite(&bent.positions, model_index, node) {
            return (geometry, None);
        }
        let place = self.world.bents.len() as u32;
        self.world.bents.push(Arc::new(bent));
        self.bents.insert((pose_index, node, geometry), place);
        (geometry, Some(place))
    }

    /// Whether all is in some finite place; complains where it is not.
    fn is_finite(&mut self, positions: &[[f32; 3]], model_index: usize, node: usize) -> bool {
        let Some(index) = positions.iter().position(|p| !p.iter().all(|x| x.is_finite())) else { return true };
        let name = &self.models[model_index].nodes[node].name;
        let message = format!("{name:?}: its joints or morph targets move vertex {index} to no finite place");
        let file = &self.scene.models[model_index].file;
        self.errors.push(Diagnostic::error(import::code::NOT_FINITE, file, message));
        false
    }

    /// Geometry without normals: what is bent gets flat ones, in the place of the geometry of the moment before.
    fn flat_geometry(
        &mut self,
        (model_index, node, part): (usize, usize, usize),
        (pose_index, pose): (usize, &Pose),
        material: MaterialId,
    ) -> GeometryId {
        let model = self.models[model_index];
        let number = model.nodes[node].parts[part].geometry;
        let mut bent = pose::bend(model, node, number, pose).expect("it is skinned or has targets");
        if !self.is_finite(&bent.positions, model_index, node) {
            bent = Geometry::default();
        }
        let wish = TangentWish::of(self.store.material(material));
        let key = (pose_index, node, part, wish);
        let completed = bake::complete(bent, wish);
        match self.made.flat_geometries.get(&key).copied() {
            Some(id) => {
                self.store.replace_geometry(id, completed.geometry);
                id
            }
            None => {
                self.tell(model_index, &completed);
                let id = self.store.add_geometry(completed.geometry);
                self.made.flat_geometries.insert(key, id);
                id
            }
        }
    }

    /// Warns of what was mended.
    fn tell(&mut self, model_index: usize, completed: &Completed) {
        let mut warn = |code, message: String| {
            self.warnings.push(Diagnostic::warning(code, &self.scene.models[model_index].file, message));
        };
        if completed.degenerate_count > 0 {
            warn(code::DEGENERATE, format!("{} triangles without an area are left out", completed.degenerate_count));
        }
        if completed.mended_count > 0 {
            warn(code::NORMALS, format!("{} normals without a length are made anew", completed.mended_count));
        }
        if completed.crowded {
            let message = "a normal map cannot be lit right: too many triangles meet in one point";
            warn(code::CROWDED, message.to_string());
        }
    }

    /// The first model with the same file: geometry and images are shared between them.
    fn file_number(&self, model_index: usize) -> usize {
        let file = &self.scene.models[model_index].file;
        self.scene.models.iter().position(|m| m.file == *file).expect("it is in the list itself")
    }

    fn name_object(&mut self, name: String) -> u32 {
        self.world.object_names.push(name);
        self.world.object_names.len() as u32
    }

    fn item(
        &mut self,
        (geometry, bent): (GeometryId, Option<u32>),
        material: MaterialId,
        world_from_local: Mat4,
        (object_id, origin): (u32, [u32; 3]),
        casts_shadow: bool,
    ) {
        let local = match bent {
            Some(bent) => bake::bounds(&self.world.bents[bent as usize].positions),
            None => self.store.geometry(geometry).bounds,
        };
        if local.is_empty() {
            return;
        }
        let bounds = local.transformed(&world_from_local);
        if !(bounds.min.abs().max_element() < FAR_MAX_M && bounds.max.abs().max_element() < FAR_MAX_M) {
            let name = &self.world.object_names[object_id as usize - 1];
            let message = format!("{name:?} reaches farther than {FAR_MAX_M:e} m from the origin");
            let error = Diagnostic::error(code::TOO_FAR, &self.scene.root, message);
            self.errors.push(Diagnostic { help: Some("look at its scale and at its parents'".to_string()), ..error });
            return;
        }
        self.world.bounds = self.world.bounds.union(bounds);
        self.world.items.push(Item {
            geometry,
            bent,
            crowd: None,
            distances_m: [0.0, f32::INFINITY],
            material,
            world_from_local,
            object_id,
            origin,
            bounds,
            casts_shadow,
        });
    }

    fn ground(&mut self) {
        let (parts, world_from_local) = ground::under(self.world.subject_bounds);
        let object_id = self.name_object("ground".to_string());
        for (number, (geometry, material)) in parts.into_iter().enumerate() {
            let geometry = match self.made.ground.get(number) {
                Some(id) => {
                    self.store.replace_geometry(*id, geometry);
                    *id
                }
                None => {
                    let id = self.store.add_geometry(geometry);
                    self.made.ground.push(id);
                    id
                }
            };
            let material = self.store.add_material(material);
            let origin = [u32::MAX, 0, number as u32];
            self.item((geometry, None), material, world_from_local, (object_id, origin), false);
        }
    }
}

/// What a node that hangs on a joint follows of it: translation, rotation, scale.
fn inherited(joint: Mat4, [translation, rotation, scale]: [bool; 3]) -> Mat4 {
    if translation && rotation && scale {
        return joint;
    }
    let (s, r, t) = joint.to_scale_rotation_translation();
    Mat4::from_scale_rotation_translation(
        if scale { s } else { Vec3::ONE },
        if rotation && r.is_finite() { r } else { Quat::IDENTITY },
        if translation { t } else { Vec3::ZERO },
    )
}

fn local_transform(placement: &Placement) -> Mat4 {
    Mat4::from_scale_rotation_translation(placement.scale, placement.rotation, placement.position)
}

/// How a model is turned so that the wished axis is up. What its format says is already up stays so.
fn turn(wish: Up, file: Option<import::Axis>) -> Option<Quat> {
    // -90 degrees about +X: +Z becomes +Y.
    let z_to_y = Quat::from_xyzw(-std::f32::consts::FRAC_1_SQRT_2, 0.0, 0.0, std::f32::consts::FRAC_1_SQRT_2);
    match (wish, file) {
        (Up::Auto, Some(_)) | (Up::Y, Some(import::Axis::Y) | None) | (Up::Z, Some(import::Axis::Z)) => None,
        (Up::Auto | Up::Z, None) | (Up::Z, Some(_)) => Some(z_to_y),
        (Up::Y, Some(_)) => Some(z_to_y.inverse()),
    }
}

/// A camera or light whose own axes are not its node's.
fn looking(world_from_node: Mat4, local_from_own: DQuat) -> Mat4 {
    if local_from_own == DQuat::IDENTITY {
        world_from_node
    } else {
        world_from_node * Mat4::from_quat(local_from_own.as_quat())
    }
}

fn join(path: &str, name: &str) -> String {
    match (path.is_empty(), name.is_empty()) {
        (true, _) => name.to_string(),
        (_, true) => path.to_string(),
        _ => format!("{path}/{name}"),
    }
}

/// Positions of nodes depth first: each node, then its children in file order.
fn tree_order(nodes: &[Node]) -> Vec<usize> {
    let mut children: Vec<Vec<usize>> = vec![Vec::new(); nodes.len()];
    let mut roots = Vec::new();
    for (index, node) in nodes.iter().enumerate() {
        match node.parent {
            Some(parent) => children[parent].push(index),
            None => roots.push(index),
        }
    }
    let mut out = Vec::with_capacity(nodes.len());
    let mut stack: Vec<usize> = roots.into_iter().rev().collect();
    while let Some(index) = stack.pop() {
        out.push(index);
        stack.extend(children[index].iter().rev());
    }
    out
}

/// Which nodes of a model are shown: all, or those under nodes of the given names; of these only nodes with the given meshes, where
/// meshes are named. They stay where the file has them.
fn shown_nodes(model: &import::Model, choice: &crate::scene::Model) -> Vec<bool> {
    let mut shown = vec![choice.nodes.is_empty(); model.nodes.len()];
    for (index, node) in model.nodes.iter().enumerate() {
        let chosen = choice.nodes.contains(&node.name);
        shown[index] = shown[index] || chosen || node.parent.is_some_and(|p| shown[p]);
    }
    if !choice.meshes.is_empty() {
        for (node, shown) in model.nodes.iter().zip(&mut shown) {
            *shown &= node.mesh.as_ref().is_some_and(|mesh| choice.meshes.contains(mesh));
        }
    }
    shown
}

fn material_name(model: &import::Model, number: usize) -> &str {
    &model.materials[number].name
}

fn texture_slots(material: &mut Material) -> impl Iterator<Item = &mut TextureSlot> {
    [
        &mut material.base_color_texture,
        &mut material.metallic_roughness_texture,
        &mut material.normal_texture,
        &mut material.occlusion_texture,
        &mut material.emissive_texture,
    ]
    .into_iter()
    .flatten()
}
