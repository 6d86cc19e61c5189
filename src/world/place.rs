//! Placing: nodes get their transforms, objects their ids, geometry is baked for the materials it meets.

mod drawings;
mod figures;
mod solving;

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use glam::{Affine3A, DQuat, Mat4, Quat, Vec3};
use stillframe_anim::root::Motion;
use stillframe_base::tick::Tick;

use super::crowd::BakedModel;
use super::load::Pictures;
use super::order::Order;
use super::worn::Worn;
use super::{Item, World, WorldCamera, WorldLight, code, ground, material};
use crate::asset::{BendBlocks, Geometry, GeometryId, ImageId, Material, MaterialId, Store, Tail, TextureSlot};
use crate::bake::{self, Completed, TangentWish};
use crate::cache::Ready;
use crate::import::{self, ModelLightKind, ModelProjection};
use crate::pose::{self, Method, Pose};
use crate::scene::{Content, Ground, LightKind, Node, NodeMorph, Placement, Projection, Scene, Shape, SkinBlend, Up};
use crate::source::Diagnostic;

pub use solving::Animated;
use solving::Wearer;

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
    /// (file's place among distinct models, its geometry, tangents, whether it is skinned and what its vertices need beside joints) -> the
    /// store's: geometry that is bent, at rest.
    bending_geometries: BTreeMap<(usize, usize, TangentWish, (bool, Tail)), GeometryId>,
    /// The same of what has no normals of its own, before it is baked.
    flat_bends: BTreeMap<(usize, usize, (bool, Tail)), BendBlocks>,
    /// (file's place among distinct models, node, geometry, tangents, whether vertices are baked and which shapes move) -> the store's: what
    /// figures of crowds wear, at rest.
    figure_geometries: BTreeMap<(usize, usize, usize, TangentWish, (bool, Vec<bool>)), GeometryId>,
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
    /// By models of the scene, a body and a part.
    worn: BTreeMap<(usize, usize), Worn>,
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
            let message = "the file changed while in use";
            vec![Diagnostic::error(import::code::REFERENCE, file, message)]
        };
        whole.geometries.get(number).map(|geometry| geometry.surface.clone()).ok_or_else(changed)
    }
}

/// A motion of an actor.
pub fn matrix(motion: Motion) -> Mat4 {
    Mat4::from(Affine3A::from(motion.to_affine()))
}

/// A world in the making.
pub struct Placing<'a> {
    scene: &'a Scene,
    models: &'a [&'a import::Model],
    /// By model, and by its node: the joint from what it moves; none where that is the joint.
    joints: &'a [&'a [Mat4]],
    store: &'a mut Store,
    made: &'a mut Made,
    read: &'a import::Read<'a>,
    /// One a model of the scene, then one an animator, then those of nodes beyond the first that wear an animator with solvers.
    poses: Vec<Pose>,
    /// By pose, where one is shown.
    trails: &'a BTreeMap<usize, Vec<Vec<Vec3>>>,
    /// By animator: how far its root has gone.
    travels: Vec<Mat4>,
    /// By scene node: those whose animators have solvers.
    wearers: BTreeMap<usize, Wearer>,
    /// By scene node that is worn or weighs shapes itself: its place in the list of poses.
    own: BTreeMap<usize, usize>,
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
        (models, joints): (&'a [&'a import::Model], &'a [&'a [Mat4]]),
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
            joints,
            store,
            made,
            read,
            poses,
            trails,
            travels: Vec::new(),
            wearers: BTreeMap::new(),
            own: BTreeMap::new(),
            world: World::default(),
            errors: Vec::new(),
            warnings: Vec::new(),
            scene_materials,
            default_material: None,
            model_materials: BTreeMap::new(),
            bents: BTreeMap::new(),
        }
    }

    /// Poses everything and says where nodes stand. `played`: what animators show, in the scene's order.
    pub fn stand(&mut self, (played, order): (&[Animated<'_>], &Order)) -> Vec<Mat4> {
        self.travels = played.iter().map(|animated| matrix(animated.shown.travel)).collect();
        self.dress();
        let globals = self.globals();
        if order.steps.is_empty() || !self.solve(globals.clone(), played, order) {
            return globals;
        }
        self.dress();
        self.globals()
    }

    /// `played`: what animators show, in the scene's order.
    pub fn run(&mut self, played: (&[Animated<'_>], &Order), (crowds, time): (&[Vec<BakedModel>], Tick)) {
        let scene = self.scene;
        let globals = self.stand(played);
        let paths = paths(&scene.nodes);
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

    /// Poses that nodes have for themselves: joints of what is worn move to where those of the bodies are, then shapes get the weights that
    /// nodes say. A part may be the body of another.
    fn dress(&mut self) {
        let own = |node: &Node| node.worn || !node.morphs.is_empty();
        for at in (0..self.scene.nodes.len()).filter(|at| own(&self.scene.nodes[*at])) {
            self.dress_node(at);
        }
    }

    /// The pose that a node has for itself.
    fn dress_node(&mut self, at: usize) {
        let node = &self.scene.nodes[at];
        let Content::Model(model) = node.content else { return };
        let pose = match node.parent.filter(|_| node.worn) {
            Some(parent) => self.worn_pose(model, parent),
            None => Some(self.poses[self.common_pose(at, model)].clone()),
        };
        let Some(mut pose) = pose else { return };
        for NodeMorph { name, weight } in &node.morphs {
            for (of, weights) in self.models[model].nodes.iter().zip(&mut pose.morph_weights) {
                let channels = of.morphs.iter().zip(weights).filter(|(channel, _)| channel.name == *name);
                channels.for_each(|(_, own)| *own = *weight);
            }
        }
        match self.own.get(&at) {
            Some(place) => self.poses[*place] = pose,
            None => {
                self.own.insert(at, self.poses.len());
                self.poses.push(pose);
            }
        }
    }

    /// The pose of a part that the body which node `parent` shows wears.
    fn worn_pose(&mut self, part: usize, parent: usize) -> Option<Pose> {
        let (body_pose, body) = self.shown_pose(parent)?;
        let (part_model, body_model) = (self.models[part], self.models[body]);
        let fits = || Worn::new(body_model, part_model).expect("parts that do not fit are refused when they are read");
        let part_from_body = self.node_from_model(part).inverse() * self.node_from_model(body);
        let worn = self.made.worn.entry((body, part)).or_insert_with(fits);
        let of_body = (&self.poses[body_pose], self.joints[body]);
        Some(worn.pose(part_model, &self.poses[part], of_body, part_from_body))
    }

    /// Where the scene's nodes stand.
    fn globals(&self) -> Vec<Mat4> {
        let mut out: Vec<Mat4> = Vec::with_capacity(self.scene.nodes.len());
        for (at, node) in self.scene.nodes.iter().enumerate() {
            out.push(self.below(at, node.parent.map_or(Mat4::IDENTITY, |parent| out[parent])));
        }
        out
    }

    /// Where a node stands whose parent stands at `parent`.
    fn below(&self, node: usize, parent: Mat4) -> Mat4 {
        let node = &self.scene.nodes[node];
        let hangs = match (node.parent, &node.joint) {
            (Some(at), Some(joint)) => parent * self.joint(at, joint, node.inherits),
            _ => parent,
        };
        hangs * local_transform(&node.placement) * self.travel(node)
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
        let model_from_joint = self.poses[pose].model_from_local[node];
        let model_from_body = self.joints[model].get(node).map_or(model_from_joint, |joint| model_from_joint * *joint);
        inherited(self.node_from_model(model) * model_from_body, inherits)
    }

    /// Numbers of the pose and the model that a scene node shows.
    fn shown_pose(&self, scene_node: usize) -> Option<(usize, usize)> {
        let Content::Model(model) = self.scene.nodes[scene_node].content else { return None };
        Some((self.own.get(&scene_node).copied().unwrap_or_else(|| self.common_pose(scene_node, model)), model))
    }

    /// The pose that a node would have without one of its own: its solvers', its animator's, its model's.
    fn common_pose(&self, scene_node: usize, model: usize) -> usize {
        match (self.wearers.get(&scene_node), self.scene.nodes[scene_node].animator) {
            (Some(wearer), _) => wearer.pose,
            (None, Some(animator)) => self.models.len() + animator,
            (None, None) => model,
        }
    }

    fn node_from_model(&self, model: usize) -> Mat4 {
        turn(self.scene.models[model].up, self.models[model].format.up).map_or(Mat4::IDENTITY, Mat4::from_quat)
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
        let method = match self.scene.models[model_index].skinning {
            SkinBlend::File => None,
            SkinBlend::Linear => Some(Method::Linear),
            SkinBlend::DualQuaternion => Some(Method::DualQuaternion),
            SkinBlend::CentresOfRotation => Some(Method::CentresOfRotation),
        };
        let bends_by = (is_skinned, pose::tail_of(model, node, method));
        if stored.surface.normals.is_empty() {
            let part = (model_index, node, part);
            return (self.flat_geometry(part, (pose_index, pose), (method, bends_by), material), None);
        }
        let wish = TangentWish::of(self.store.material(material));
        let key = (self.file_number(model_index), number, wish, bends_by);
        let geometry = match self.made.bending_geometries.get(&key) {
            Some(id) => *id,
            None => {
                let bend = pose::bend_of(model, node, number, method).expect("it is skinned or has targets");
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
        let posture = pose::posture(model, node, number, pose, method);
        let bent = self.store.bent(geometry, posture);
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
        let message =
            format!("{name:?}: its joints or morph targets move vertex {index} to a place that is not finite");
        let file = &self.scene.models[model_index].file;
        self.errors.push(Diagnostic::error(import::code::NOT_FINITE, file, message));
        false
    }

    /// Geometry without normals: what is bent gets flat ones, in the place of the geometry of the moment before.
    fn flat_geometry(
        &mut self,
        (model_index, node, part): (usize, usize, usize),
        (pose_index, pose): (usize, &Pose),
        (method, bends_by): (Option<Method>, (bool, Tail)),
        material: MaterialId,
    ) -> GeometryId {
        let model = self.models[model_index];
        let number = model.nodes[node].parts[part].geometry;
        let rest = &model.geometries[number].surface;
        let key = (self.file_number(model_index), number, bends_by);
        let blocks = self.made.flat_bends.entry(key).or_insert_with(|| {
            let bend = pose::bend_of(model, node, number, method).expect("it is skinned or has targets");
            BendBlocks::new(rest, &bend)
        });
        let posture = pose::posture(model, node, number, pose, method);
        let mut bent = pose::geometry_of(rest, blocks.bent(self.store.isa(), rest, posture));
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
            warn(
                code::DEGENERATE,
                format!(
                    "ignored {}",
                    crate::source::count(completed.degenerate_count, "zero-area triangle", "zero-area triangles")
                ),
            );
        }
        if completed.mended_count > 0 {
            warn(
                code::NORMALS,
                format!(
                    "replaced {}",
                    crate::source::count(completed.mended_count, "zero-length normal", "zero-length normals")
                ),
            );
        }
        if completed.crowded {
            let message = "a normal map cannot be lit correctly: too many triangles meet at a point";
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
            let message = format!("{name:?} is farther than {FAR_MAX_M:e} m from the origin");
            let error = Diagnostic::error(code::TOO_FAR, &self.scene.root, message);
            self.errors
                .push(Diagnostic { help: Some("check its scale and those of its parents".to_string()), ..error });
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

/// Nodes' names, below those of their parents.
fn paths(nodes: &[Node]) -> Vec<String> {
    let mut out: Vec<String> = Vec::with_capacity(nodes.len());
    for node in nodes {
        out.push(join(node.parent.map_or("", |parent| &out[parent]), &node.name));
    }
    out
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
