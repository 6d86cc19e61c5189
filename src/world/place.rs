//! Placing: nodes get their transforms, objects their ids, geometry is baked for the materials it meets.

use std::collections::BTreeMap;

use glam::{Mat4, Quat};

use super::load::Pictures;
use super::{Item, World, WorldCamera, WorldLight, code, ground, material};
use crate::asset::{GeometryId, ImageId, Material, MaterialId, Store, TextureSlot};
use crate::bake::{self, TangentWish};
use crate::import::{self, ModelLightKind, ModelProjection};
use crate::scene::{Content, Ground, LightKind, Node, Placement, Projection, Scene, Shape, Up};
use crate::source::{Diagnostic, Severity};

/// Farther from the origin than this nothing is placed: f32 could not tell neighbouring points apart, nor square them.
const FAR_MAX_M: f32 = 1e15;

/// A world in the making.
pub struct Placing<'a> {
    scene: &'a Scene,
    models: &'a [Option<&'a import::Model>],
    pub world: World,
    pub store: Store,
    pub errors: Vec<Diagnostic>,
    pub warnings: Vec<Diagnostic>,
    scene_materials: Vec<MaterialId>,
    default_material: Option<MaterialId>,
    pictures: Pictures,
    read: &'a import::Read<'a>,
    /// (model, its material) -> the store's.
    model_materials: BTreeMap<(usize, usize), MaterialId>,
    /// (file's place among distinct models, its image) -> the store's.
    model_images: BTreeMap<(usize, usize), ImageId>,
    /// (file's place among distinct models, its geometry, tangents) -> the store's.
    model_geometries: BTreeMap<(usize, usize, u32), GeometryId>,
    shapes: Vec<(Shape, GeometryId)>,
}

impl<'a> Placing<'a> {
    pub fn new(
        scene: &'a Scene,
        models: &'a [Option<&'a import::Model>],
        materials: Vec<Material>,
        mut store: Store,
        pictures: Pictures,
        read: &'a import::Read<'a>,
    ) -> Placing<'a> {
        let scene_materials = materials.into_iter().map(|m| store.add_material(m)).collect();
        Placing {
            scene,
            models,
            world: World::default(),
            store,
            errors: Vec::new(),
            warnings: Vec::new(),
            scene_materials,
            default_material: None,
            pictures,
            read,
            model_materials: BTreeMap::new(),
            model_images: BTreeMap::new(),
            model_geometries: BTreeMap::new(),
            shapes: Vec::new(),
        }
    }

    pub fn run(&mut self) {
        let scene = self.scene;
        let mut globals: Vec<Mat4> = Vec::with_capacity(scene.nodes.len());
        let mut paths: Vec<String> = Vec::with_capacity(scene.nodes.len());
        for node in &scene.nodes {
            let (parent, path) = match node.parent {
                None => (Mat4::IDENTITY, String::new()),
                Some(parent) => (globals[parent], paths[parent].clone()),
            };
            globals.push(parent * local_transform(&node.placement));
            paths.push(join(&path, &node.name));
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
                Content::Shape(shape) => self.shape(node, shape, globals[index], &paths[index]),
                Content::Model(model) => self.model(node, *model, globals[index], &paths[index]),
            }
        }
        self.world.subject_bounds = self.world.bounds;
        if scene.ground == Ground::On {
            self.ground();
        }
    }

    fn shape(&mut self, node: &Node, shape: &Shape, world_from_local: Mat4, path: &str) {
        let material = match node.material {
            Some(material) => self.scene_materials[material],
            None => *self.default_material.get_or_insert_with(|| self.store.add_material(Material::default())),
        };
        let found = self.shapes.iter().find(|(s, _)| s == shape).map(|(_, id)| *id);
        let geometry = found.unwrap_or_else(|| {
            let id = self.store.add_geometry(bake::shape(shape));
            self.shapes.push((*shape, id));
            id
        });
        let object_id = self.name_object(path.to_string());
        self.item(geometry, material, world_from_local, object_id, node.casts_shadow);
    }

    fn model(&mut self, node: &Node, model_index: usize, world_from_node: Mat4, path: &str) {
        let model = self.models[model_index].expect("models that did not load are errors");
        let scene_model = &self.scene.models[model_index];
        let world_from_model = match scene_model.up {
            Up::Z => world_from_node * Mat4::from_quat(turned_up()),
            Up::Auto | Up::Y => world_from_node,
        };
        let shown = shown_nodes(model, scene_model.node.as_deref());
        let mut paths: Vec<String> = Vec::with_capacity(model.nodes.len());
        for (index, model_node) in model.nodes.iter().enumerate() {
            // A bare model's objects bear their own names alone; in a scene they bear the whole way to them.
            let name = if self.scene.bare_model {
                model_node.name.clone()
            } else {
                join(model_node.parent.map_or(path, |p| &paths[p]), &model_node.name)
            };
            paths.push(name.clone());
            if !shown[index] || model_node.parts.is_empty() {
                continue;
            }
            let object_id = self.name_object(name);
            for part in &model_node.parts {
                let material = match node.material {
                    Some(material) => self.scene_materials[material],
                    None => self.model_material(model_index, part.material),
                };
                let geometry = self.model_geometry(model_index, part.geometry, material);
                let world_from_local = world_from_model * model_node.model_from_parts;
                self.item(geometry, material, world_from_local, object_id, node.casts_shadow);
            }
        }
        for camera in model.cameras.iter().filter(|c| shown[c.node]) {
            self.world.cameras.push(WorldCamera {
                name: camera.name.clone(),
                world_from_local: world_from_model * model.nodes[camera.node].model_from_local,
                projection: match camera.projection {
                    ModelProjection::Perspective { fov_y_rad } => Projection::Perspective { fov_y_rad },
                    ModelProjection::Orthographic { height_m } => Projection::Orthographic { height_m },
                },
                near_m: camera.near_m,
                far_m: camera.far_m,
                from_model: true,
            });
        }
        if !self.scene.model_lights {
            return;
        }
        for light in model.lights.iter().filter(|l| shown[l.node]) {
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
                world_from_local: world_from_model * model.nodes[light.node].model_from_local,
                shadow: true,
                from_model: true,
            });
        }
    }

    /// A model's material with the scene's overrides: first those for every material, then those for this one.
    fn model_material(&mut self, model_index: usize, number: usize) -> MaterialId {
        if let Some(id) = self.model_materials.get(&(model_index, number)) {
            return *id;
        }
        let model = self.models[model_index].expect("models that did not load are errors");
        let scene_model = &self.scene.models[model_index];
        let mut material = model.materials[number].clone();
        let file = self.file_number(model_index);
        for slot in texture_slots(&mut material) {
            let number = slot.image.0 as usize;
            slot.image = *self
                .model_images
                .entry((file, number))
                .or_insert_with(|| self.store.add_image(model.images[number].clone()));
        }
        let applies = |name: &str| name == "*" || name == material_name(model, number);
        let (every, this): (Vec<_>, Vec<_>) =
            scene_model.overrides.iter().filter(|(name, _)| applies(name)).partition(|(name, _)| name == "*");
        for (_, values) in every.into_iter().chain(this) {
            let laid = material::lay_over(&mut material, values, &mut self.pictures, &mut self.store, self.read);
            self.errors.extend(laid.err().into_iter().flatten());
        }
        let id = self.store.add_material(material);
        self.model_materials.insert((model_index, number), id);
        id
    }

    /// A model's geometry, baked for a material: with tangents for its normal map, if it has one.
    fn model_geometry(&mut self, model_index: usize, number: usize, material: MaterialId) -> GeometryId {
        let wish = match &self.store.material(material).normal_texture {
            Some(slot) => TangentWish::Uv(slot.uv_set),
            None => TangentWish::Any,
        };
        let file = self.file_number(model_index);
        let key = match wish {
            TangentWish::Any => 0,
            TangentWish::Uv(set) => 1 + set,
        };
        if let Some(id) = self.model_geometries.get(&(file, number, key)) {
            return *id;
        }
        let model = self.models[model_index].expect("models that did not load are errors");
        let completed = bake::complete(model.geometries[number].clone(), wish);
        let mut warn = |code, message: String| {
            self.warnings.push(Diagnostic {
                code,
                severity: Severity::Warning,
                file: self.scene.models[model_index].file.clone(),
                span: None,
                message,
                help: None,
            });
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
        let id = self.store.add_geometry(completed.geometry);
        self.model_geometries.insert((file, number, key), id);
        id
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
        geometry: GeometryId,
        material: MaterialId,
        world_from_local: Mat4,
        object_id: u32,
        casts_shadow: bool,
    ) {
        let local = self.store.geometry(geometry).bounds;
        if local.is_empty() {
            return;
        }
        let bounds = local.transformed(&world_from_local);
        if !(bounds.min.abs().max_element() < FAR_MAX_M && bounds.max.abs().max_element() < FAR_MAX_M) {
            let name = &self.world.object_names[object_id as usize - 1];
            self.errors.push(Diagnostic {
                code: code::TOO_FAR,
                severity: Severity::Error,
                file: self.scene.root.clone(),
                span: None,
                message: format!("{name:?} reaches farther than {FAR_MAX_M:e} m from the origin"),
                help: Some("look at its scale and at its parents'".to_string()),
            });
            return;
        }
        self.world.bounds = self.world.bounds.union(bounds);
        self.world.items.push(Item { geometry, material, world_from_local, object_id, bounds, casts_shadow });
    }

    fn ground(&mut self) {
        let (parts, world_from_local) = ground::under(self.world.subject_bounds);
        let object_id = self.name_object("ground".to_string());
        for (geometry, material) in parts {
            let geometry = self.store.add_geometry(geometry);
            let material = self.store.add_material(material);
            self.item(geometry, material, world_from_local, object_id, false);
        }
    }
}

fn local_transform(placement: &Placement) -> Mat4 {
    Mat4::from_scale_rotation_translation(placement.scale, placement.rotation, placement.position)
}

/// -90 degrees about +X: a file's +Z becomes +Y.
fn turned_up() -> Quat {
    Quat::from_xyzw(-std::f32::consts::FRAC_1_SQRT_2, 0.0, 0.0, std::f32::consts::FRAC_1_SQRT_2)
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

/// Which nodes of a model are shown: all, or those under the first of the given name. They stay where the file has them.
fn shown_nodes(model: &import::Model, name: Option<&str>) -> Vec<bool> {
    let Some(name) = name else { return vec![true; model.nodes.len()] };
    let chosen = model.nodes.iter().position(|n| n.name == name);
    let mut shown = vec![false; model.nodes.len()];
    for (index, node) in model.nodes.iter().enumerate() {
        shown[index] = Some(index) == chosen || node.parent.is_some_and(|p| shown[p]);
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
