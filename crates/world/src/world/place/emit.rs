//! Emit: what the nodes of a scene show becomes items, lights and cameras of a world.
//!
//! In: a [`Standing`] of a scene at a moment. Out: a [`World`], with the store it points into. Never here: what
//! families show, which they add themselves.

use std::collections::BTreeMap;

use glam::{DMat4, DQuat, Mat4};
use stillframe_base::geom::{Aabb, Reach};

use super::{Materials, Part, PoseId, Problems, SceneAt, Standing, Surfaces, ground};
use crate::asset::{GeometryId, MaterialId, displacement_max_m};
use crate::bake;
use crate::import::{Model, ModelCamera, ModelLight, ModelLightKind, ModelProjection};
use crate::scene::{Content, LightFunction, LightKind, Owner, Projection, Shadow, Shape};
use crate::source::Diagnostic;
use crate::world::framing::{framing, reach};
use crate::world::tree::{join, local_transform, paths, shown_nodes};
use crate::world::{Item, Origin, World, WorldCamera, WorldFunction, WorldLight, code};

/// Farther from the origin than this nothing is placed: f32 could not tell neighbouring points apart, nor square them.
const FAR_MAX_M: f32 = 1e15;

/// What functions of lights are drawn on.
const FUNCTION_SQUARE: Shape = Shape::Quad { size_m: [2.0; 2], uv_scale: 1.0 };

/// A world in the making.
pub struct Emitter<'a> {
    pub at: SceneAt<'a>,
    pub standing: &'a Standing,
    pub surfaces: Surfaces<'a>,
    pub materials: Materials,
    pub problems: &'a mut Problems,
    pub world: World,
    /// By scene node: its name, below those above it.
    pub paths: Vec<String>,
    /// What poses bend, in the world.
    pub bents: BTreeMap<BentKey, u32>,
    /// By light of the world: its name, below those above it.
    light_paths: Vec<String>,
}

/// What is drawn of a part.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Drawn {
    pub geometry: GeometryId,
    /// Place in `World::bents`, where something bends it.
    pub bent: Option<u32>,
}

impl Drawn {
    /// Nothing bends it.
    pub const fn rigid(geometry: GeometryId) -> Drawn {
        Drawn { geometry, bent: None }
    }
}

/// A geometry of the world as a pose bends it for a node: every node of the scene that shows it shares it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct BentKey {
    pub pose: PoseId,
    pub node: usize,
    pub geometry: GeometryId,
}

/// An item before it is measured.
pub struct NewItem {
    pub drawn: Drawn,
    pub material: MaterialId,
    pub world_from_local: Mat4,
    pub object_id: u32,
    pub origin: Origin,
    pub casts_shadow: bool,
}

impl<'a> Emitter<'a> {
    /// An empty world.
    pub fn new(
        at: SceneAt<'a>,
        standing: &'a Standing,
        surfaces: Surfaces<'a>,
        materials: Materials,
        problems: &'a mut Problems,
    ) -> Emitter<'a> {
        let paths = paths(&at.scene.nodes);
        let (world, bents, light_paths) = (World::default(), BTreeMap::new(), Vec::new());
        Emitter { at, standing, surfaces, materials, problems, world, paths, bents, light_paths }
    }

    /// Cameras of the scene file.
    pub fn cameras(&mut self) {
        let cameras = self.at.scene.cameras.iter().map(|camera| WorldCamera {
            name: camera.name.clone(),
            world_from_local: Mat4::from_rotation_translation(camera.rotation, camera.position),
            projection: camera.projection,
            lens: camera.lens,
            near_m: camera.near_m,
            far_m: camera.far_m,
            from_model: false,
        });
        self.world.cameras.extend(cameras);
    }

    /// Lights of the scene file.
    pub fn lights(&mut self) {
        for light in &self.at.scene.lights {
            let function = light.function.map(|LightFunction { material, size_m }| WorldFunction {
                geometry: self.surfaces.shape(&FUNCTION_SQUARE, self.problems),
                material: self.materials.of_shape(Some(material), &mut self.surfaces),
                size_m,
            });
            let parent = light.parent.map_or(Mat4::IDENTITY, |p| self.standing.globals[p]);
            self.light_paths.push(join(light.parent.map_or("", |p| &self.paths[p]), &light.name));
            self.world.lights.push(WorldLight {
                name: light.name.clone(),
                kind: light.kind.clone(),
                color: light.color,
                world_from_local: parent * local_transform(&light.placement),
                shadow: light.shadow,
                file: None,
                function,
                from_model: false,
            });
        }
    }

    /// What a node of the scene shows.
    pub fn node(&mut self, number: usize) {
        match &self.at.scene.nodes[number].content {
            Content::Empty => {}
            Content::Shape(shape) => self.shape(number, shape),
            Content::Model(model) => self.model(number, *model),
        }
    }

    /// How far everything so far reaches along the sides of a camera that frames it; nothing if none does.
    pub fn reach(&self) -> Reach {
        let Emitter { world, surfaces, .. } = self;
        framing(self.at.scene, world).map_or(Reach::EMPTY, |framing| reach(world, &surfaces.store, &framing))
    }

    /// The floor below everything.
    pub fn ground(&mut self) {
        let (parts, world_from_local) = ground::under(self.world.subject_bounds);
        let object_id = self.name_object("ground".to_string());
        for (part, (geometry, material)) in (0..).zip(parts) {
            let drawn = Drawn::rigid(self.surfaces.store.add_geometry(geometry));
            let material = self.surfaces.store.add_material(material);
            let origin = Origin::Ground { part };
            self.item(NewItem { drawn, material, world_from_local, object_id, origin, casts_shadow: false });
        }
    }

    /// The world, with its store and its lights in order.
    pub fn finish(self) -> World {
        let mut lights: Vec<(WorldLight, String)> = self.world.lights.into_iter().zip(self.light_paths).collect();
        lights.sort_by(|(a, a_path), (b, b_path)| (a.from_model, a_path).cmp(&(b.from_model, b_path)));
        let lights = lights.into_iter().map(|(light, _)| light).collect();
        World { store: self.surfaces.store, lights, ..self.world }
    }

    fn shape(&mut self, number: usize, shape: &Shape) {
        let node = &self.at.scene.nodes[number];
        let material = self.materials.of_shape(node.material, &mut self.surfaces);
        let drawn = Drawn::rigid(self.surfaces.shape(shape, self.problems));
        let object_id = self.name_object(self.paths[number].clone());
        let (world_from_local, casts_shadow) = (self.standing.globals[number], node.casts_shadow);
        let origin = Origin::Shape { node: number };
        self.item(NewItem { drawn, material, world_from_local, object_id, origin, casts_shadow });
    }

    fn model(&mut self, number: usize, model_number: usize) {
        let at = self.at;
        let (node, model, scene_model) =
            (&at.scene.nodes[number], at.model(model_number), &at.scene.models[model_number]);
        let world_from_model = self.world_from_model(number, model_number);
        let (pose_id, _) = self.standing.shown(at, number).expect("it shows a model");
        let pose = &self.standing.poses[pose_id];
        let shown = shown_nodes(model, scene_model);
        let names = self.object_names(number, model);
        for (index, model_node) in model.nodes.iter().enumerate() {
            if !shown[index] || !pose.seen[index] || model_node.parts.is_empty() {
                continue;
            }
            let object_id = self.name_object(names[index].clone());
            for part in 0..model_node.parts.len() {
                let part = Part { model: model_number, node: index, part };
                let material = self.material(part, node.material);
                let drawn = self.part(part, pose_id, material);
                let world_from_local = world_from_model * pose.model_from_parts[index];
                let origin = Origin::Part { node: number, model_node: index, part: part.part };
                let casts_shadow = node.casts_shadow;
                self.item(NewItem { drawn, material, world_from_local, object_id, origin, casts_shadow });
            }
        }
        for camera in model.cameras.iter().filter(|c| shown[c.node] && model.nodes[c.node].shown) {
            let world_from_node = world_from_model * pose.model_from_local[camera.node];
            self.world.cameras.push(model_camera(camera, world_from_node));
        }
        for light in model.lights.iter().filter(|l| at.scene.model_lights && shown[l.node] && pose.seen[l.node]) {
            let world_from_node = world_from_model * pose.model_from_local[light.node];
            self.light_paths.push(join(&path_within(&self.paths[number], model, light.node), &light.name));
            self.world.lights.push(model_light(light, world_from_node));
        }
    }

    /// Where the space of the model is that a node of the scene shows.
    pub fn world_from_model(&self, node: usize, model: usize) -> Mat4 {
        let world_from_node = self.standing.globals[node];
        match self.at.origin(model) {
            // What brings it back from far away is not rounded before it has done so.
            Some(origin) => {
                let turn = self.at.turned(model).unwrap_or(Mat4::IDENTITY).as_dmat4();
                (world_from_node.as_dmat4() * turn * DMat4::from_translation(origin)).as_mat4()
            }
            // Nothing is multiplied where nothing turns: zeros keep their signs.
            None => self.at.turned(model).map_or(world_from_node, |turn| world_from_node * turn),
        }
    }

    /// Names of the objects of a model. Those of a bare model have their own alone; in a scene they have the whole way
    /// to them.
    fn object_names(&self, number: usize, model: &Model) -> Vec<String> {
        let mut out: Vec<String> = Vec::with_capacity(model.nodes.len());
        for node in &model.nodes {
            out.push(match self.at.scene.bare_model {
                true => node.name.clone(),
                false => join(node.parent.map_or(&self.paths[number], |p| &out[p]), &node.name),
            });
        }
        out
    }

    /// The material of a part: one of the scene by its position, else the model's own.
    pub fn material(&mut self, part: Part, of_scene: Option<usize>) -> MaterialId {
        self.materials.of_model(self.at, part, of_scene, &mut self.surfaces, self.problems)
    }

    /// The next object's id.
    pub fn name_object(&mut self, name: String) -> u32 {
        self.world.object_names.push(name);
        self.world.object_names.len() as u32
    }

    /// Adds an item, unless it is empty or too far away.
    pub fn item(&mut self, new: NewItem) {
        let NewItem { drawn: Drawn { geometry, bent }, material, world_from_local, object_id, origin, casts_shadow } =
            new;
        let local = match bent {
            Some(bent) => bake::bounds(&self.world.bents[bent as usize].positions),
            None => self.surfaces.store.geometry(geometry).bounds,
        };
        if local.is_empty() {
            return;
        }
        let moved = displacement_max_m(self.surfaces.store.material(material));
        let local = Aabb::new(local.min - moved, local.max + moved);
        let bounds = local.transformed(&world_from_local);
        if !(bounds.min.abs().max_element() < FAR_MAX_M && bounds.max.abs().max_element() < FAR_MAX_M) {
            let name = &self.world.object_names[object_id as usize - 1];
            let message = format!("{name:?} is farther than {FAR_MAX_M:e} m from the origin");
            let error = Diagnostic::error(code::TOO_FAR, &self.at.scene.root, message);
            let error = error.help("check its scale and those of its parents");
            let node = origin.node().map_or("", |node| &self.at.scene.nodes[node].name);
            let owner = Owner { kind: "node", name: node };
            self.problems.errors.push(self.at.scene.written.at(owner, &["name"], node, error));
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
}

fn model_camera(camera: &ModelCamera, world_from_node: Mat4) -> WorldCamera {
    WorldCamera {
        name: camera.name.clone(),
        world_from_local: looking(world_from_node, camera.local_from_camera),
        projection: match camera.projection {
            ModelProjection::Perspective { fov_y_rad } => Projection::Perspective { fov_y_rad },
            ModelProjection::Orthographic { height_m } => Projection::Orthographic { height_m },
        },
        lens: None,
        near_m: camera.near_m,
        far_m: camera.far_m,
        from_model: true,
    }
}

/// The name of a model's node, below those above it and below `path`.
fn path_within(path: &str, model: &Model, node: usize) -> String {
    let ways = std::iter::successors(Some(node), |&node| model.nodes[node].parent);
    let names: Vec<&str> = ways.map(|node| &*model.nodes[node].name).collect();
    names.iter().rev().fold(path.to_string(), |path, name| join(&path, name))
}

fn model_light(light: &ModelLight, world_from_node: Mat4) -> WorldLight {
    WorldLight {
        name: light.name.clone(),
        kind: match light.kind {
            ModelLightKind::Directional { illuminance_lux } => {
                LightKind::Directional { illuminance_lux, angular_diameter_rad: 0.0 }
            }
            ModelLightKind::Point { intensity_cd, range_m } => LightKind::point(intensity_cd, range_m),
            ModelLightKind::Spot { intensity_cd, range_m, inner_rad, outer_rad } => {
                LightKind::spot(intensity_cd, range_m, [inner_rad, outer_rad])
            }
        },
        color: light.color,
        world_from_local: looking(world_from_node, light.local_from_light),
        shadow: light.shadow.then(Shadow::default),
        file: None,
        function: None,
        from_model: true,
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
