//! Models become nodes: the tree, each node's transform stack, and what it shows.

use std::borrow::Cow;
use std::collections::BTreeSet;

use glam::{DMat4, DQuat, DVec3, Mat4};

use super::document::{Object, Properties, short};
use super::mesh::{Key, Mesh};
use super::reshape::Reshaping;
use super::{Importer, smoothing};
use crate::import::{EulerOrder, Fault, Inherit, Inherited, Local, ModelNode, Part, TransformStack, Trs, code, euler};

/// Looking through meshes for their parts may cost this much.
const PART_EFFORT_MAX: u64 = 2_000_000_000;

/// What a node takes, with its transform and the room that growing lists keep.
const NODE_BYTES: usize = 1500;

/// A model whose own place in the list is known.
struct Placed<'t> {
    object: Object<'t>,
    node: usize,
    culled: bool,
}

impl<'t> Importer<'t, '_> {
    /// Reads all models, depth first, and then what hangs on them.
    pub fn read_nodes(&mut self) {
        let document = self.document;
        let is_model = |id: i64| document.object(id).is_some_and(|object| object.is("Model"));
        let mut placed: Vec<Placed<'t>> = Vec::new();
        let mut seen = BTreeSet::new();
        let top_place = Inherited::top(self.model.model_from_file);
        let mut places: Vec<Inherited> = Vec::new();
        // Models that hang on no model stand at the top, in the order of the file's connections to the scene (0), then
        // of the file.
        let scene = document.parts(0, "Model").map(|object| object.id);
        let rest = document.objects.iter().filter(|object| object.is("Model")).map(|object| object.id);
        let hangs = |id: i64| document.from(id).any(|c| c.property.is_none() && is_model(c.destination));
        let mut top: Vec<i64> = scene.chain(rest).filter(|id| !hangs(*id)).collect();
        top.reverse();
        let mut ahead: Vec<(i64, Option<usize>, bool)> = top.into_iter().map(|id| (id, None, true)).collect();
        while let Some((id, parent, shown)) = ahead.pop() {
            let Some(object) = document.object(id).copied() else { continue };
            if !seen.insert(id) {
                continue;
            }
            let name = object.name();
            let size = NODE_BYTES + name.len();
            if let Err(fault) = self.budget.spend(size as u64, "the node tree") {
                self.fail(fault);
                return;
            }
            let properties = document.properties(&object);
            let shown = shown && properties.float("Visibility").is_none_or(|value| value > 0.0);
            let node = self.model.nodes.len();
            let name = if name.is_empty() { format!("node {node}") } else { name };
            let stack = stack(&properties);
            let local_from_parts = geometric(&properties).as_mat4();
            let above = parent.map_or(top_place, |parent| places[parent]);
            let here = above.below(&stack.trs(), stack.inherit);
            let placed_parts = here.global * local_from_parts.as_dmat4();
            if !here.global.as_mat4().is_finite() || !placed_parts.as_mat4().is_finite() {
                let message = format!("the place of {:?} is not finite", short(&name));
                self.fail(Fault::new(code::NOT_FINITE, message).help("fix its transform and export the model again"));
                return;
            }
            places.push(here);
            self.known.nodes.insert(id, node);
            self.model.nodes.push(ModelNode {
                name,
                parent,
                local: Local::Stack(Box::new(stack)),
                local_from_parts,
                shown,
                mesh: None,
                parts: Vec::new(),
                skin: None,
                morphs: Vec::new(),
            });
            let culled = matches!(object.at.child_text("Culling"), Some(b"CullingOnCCW" | b"CullingOnCW"));
            placed.push(Placed { object, node, culled });
            let detail = document.parts(id, "NodeAttribute").any(|attribute| attribute.class == b"LodGroup");
            if detail {
                let message = format!("{:?} has levels of detail; using the first", short(&object.name()));
                self.warn(Fault::new(code::FBX_LEFT_OUT, message));
            }
            let children: Vec<i64> = document.parts(id, "Model").map(|child| child.id).collect();
            let below = children.into_iter().enumerate();
            ahead.extend(below.rev().map(|(place, child)| (child, Some(node), shown && !(detail && place > 0))));
        }
        let lost = document.objects.iter().find(|object| object.is("Model") && !seen.contains(&object.id));
        if let Some(object) = lost {
            let message = format!("the parents of {:?} form a cycle", short(&object.name()));
            self.fail(Fault::new(code::NODE_TREE, message).help("export the model again"));
            return;
        }
        for placed in placed {
            if let Err(fault) = self.read_content(&placed) {
                self.fail(fault);
            }
        }
    }

    /// Geometry, camera or light of a node.
    fn read_content(&mut self, placed: &Placed<'t>) -> Result<(), Fault> {
        let document = self.document;
        let mut first = true;
        for geometry in document.parts(placed.object.id, "Geometry") {
            if geometry.class != b"Mesh" {
                let kind = short(&super::document::text(geometry.class));
                let message = format!("ignored {:?}: a {kind:?} is not supported", self.name_of(placed.node));
                self.warn(
                    Fault::new(code::PRIMITIVE_SKIPPED, message).help("convert it to polygons before the export"),
                );
                continue;
            }
            // A node has one skin and one row of sliders: further meshes get nodes of their own.
            let node = if first { placed.node } else { self.twin(placed.node)? };
            first = false;
            self.show(geometry, node, placed)?;
        }
        for attribute in document.parts(placed.object.id, "NodeAttribute") {
            match attribute.class {
                b"Camera" => self.read_camera(attribute, placed.node)?,
                b"Light" => self.read_light(attribute, placed.node)?,
                _ => {}
            }
        }
        Ok(())
    }

    fn name_of(&self, node: usize) -> String {
        short(&self.model.nodes[node].name)
    }

    /// A node at the same place, for what a node can have only once.
    fn twin(&mut self, node: usize) -> Result<usize, Fault> {
        let own = &self.model.nodes[node];
        let twin = ModelNode {
            name: own.name.clone(),
            parent: Some(node),
            local: Local::Trs(Trs::IDENTITY),
            local_from_parts: own.local_from_parts,
            shown: own.shown,
            mesh: None,
            parts: Vec::new(),
            skin: None,
            morphs: Vec::new(),
        };
        self.budget.spend((NODE_BYTES + twin.name.len()) as u64, "the node tree")?;
        self.model.nodes.push(twin);
        Ok(self.model.nodes.len() - 1)
    }

    /// Puts a mesh onto a node.
    fn show(&mut self, geometry: &Object<'t>, node: usize, placed: &Placed<'t>) -> Result<(), Fault> {
        let mut mesh = match self.known.meshes.remove(&geometry.id) {
            Some(mesh) => mesh,
            None => match self.read_mesh(geometry) {
                Ok(Some(mut mesh)) => {
                    mesh.bending = self.read_bending(geometry, mesh.outline.point_count)?;
                    if !mesh.bending.has_skin() {
                        mesh.points.move_near();
                    }
                    self.reshape(geometry, &mut mesh)?;
                    Some(mesh)
                }
                // Said once, however many nodes show the mesh.
                Ok(None) => None,
                Err(fault) => {
                    self.fail(fault);
                    None
                }
            },
        };
        if let Some(mesh) = &mut mesh {
            self.place_mesh(mesh, node, placed)?;
        }
        self.known.meshes.insert(geometry.id, mesh);
        Ok(())
    }

    /// Makes normals of shapes where the file gives them none: corners get one normal with those that they have it with
    /// at rest.
    fn reshape(&mut self, geometry: &Object<'t>, mesh: &mut Mesh) -> Result<(), Fault> {
        if mesh.normals.is_empty() || !mesh.bending.lacks_normals() {
            return Ok(());
        }
        let what = format!("the mesh {:?}", short(&mesh.name));
        // Places, sums and numbers by point, corner and polygon.
        self.budget.allow(mesh.outline.corner_count() as u64 * 160 + mesh.points.places.len() as u64 * 40, &what)?;
        let sets = match self.smoothing(geometry.at, mesh, &what)? {
            Some(smoothing) => {
                mesh.sets = smoothing::sets(&mesh.outline, &smoothing);
                self.budget.spend(mesh.sets.len() as u64 * 4, &what)?;
                Cow::Borrowed(&mesh.sets)
            }
            None => Cow::Owned(smoothing::sets_of_normals(&mesh.outline, &mesh.normals)),
        };
        let mut reshaping = Reshaping::new(&mesh.points.places, &mesh.outline, &sets, &mesh.normals);
        let effort = mesh.bending.reshape(&mut reshaping, PART_EFFORT_MAX - self.part_effort.min(PART_EFFORT_MAX));
        let Some(effort) = effort else {
            return Err(Fault::new(code::TOO_LARGE, format!("{what} has too many shapes for its size")));
        };
        self.part_effort += effort;
        self.budget.spend(mesh.bending.turned_count() as u64 * 16, &what)
    }

    fn place_mesh(&mut self, mesh: &mut Mesh, node: usize, placed: &Placed<'t>) -> Result<(), Fault> {
        let document = self.document;
        let materials: Vec<i64> = document.parts(placed.object.id, "Material").map(|material| material.id).collect();
        let used = mesh.used_materials();
        // Numbers past the last material count as the last.
        let last = materials.len().saturating_sub(1) as u32;
        let most = used.last().copied().unwrap_or(0);
        let mut used: Vec<u32> = used.into_iter().map(|number| number.min(last)).collect();
        used.dedup();
        self.budget.spend((used.len() * size_of::<Part>()) as u64, &mesh.name)?;
        for number in used {
            let material = self.material(materials.get(number as usize).copied(), !placed.culled)?;
            let uv_sets = choose_uv_sets(mesh, &material.uv_names);
            let material = material.position;
            self.part_effort += (mesh.triangles.len() + mesh.bending.weight()) as u64;
            if self.part_effort > PART_EFFORT_MAX {
                let message = format!("the mesh {:?} has too many parts for its size", short(&mesh.name));
                return Err(Fault::new(code::TOO_LARGE, message));
            }
            let key = Key { material: number, and_above: number == last && most > last, uv_sets };
            let geometry = self.part(mesh, key)?;
            self.model.nodes[node].parts.push(Part { geometry, material });
        }
        self.budget.spend(mesh.name.len() as u64, "the node tree")?;
        let unnamed = || format!("mesh {}", self.known.meshes.len());
        self.model.nodes[node].mesh = Some(if mesh.name.is_empty() { unnamed() } else { mesh.name.clone() });
        let what = format!("the mesh {:?}", short(&mesh.name));
        // A twin has the place of the mesh that came first.
        let geometric = geometric(&document.properties(&placed.object));
        let moved = mesh.points.origin != DVec3::ZERO;
        let parts = if moved { geometric * DMat4::from_translation(mesh.points.origin) } else { geometric };
        self.model.nodes[node].local_from_parts = parts.as_mat4();
        let node_from_parts = self.model.nodes[node].local_from_parts.as_dmat4();
        let skin = self.skin_of(&mesh.bending, node_from_parts, &what)?;
        self.model.nodes[node].skin = skin;
        self.model.nodes[node].morphs = mesh.bending.morphs(&mut self.budget)?;
        for (place, channel) in mesh.bending.channel_ids().enumerate() {
            self.known.sliders.entry(channel).or_default().push((node, place));
        }
        Ok(())
    }
}

/// Which sets become `uv0` and `uv1`: those that the material's textures name, else the first two.
fn choose_uv_sets(mesh: &Mesh, names: &[String]) -> [Option<usize>; 2] {
    let count = mesh.uv_sets.len();
    let named = |place: usize| names.get(place).filter(|name| !name.is_empty()).and_then(|name| mesh.uv_set(name));
    let first = named(0).or((count > 0).then_some(0));
    let other = (0..count).find(|set| Some(*set) != first);
    [first, named(1).or(other)]
}

fn vector(properties: &Properties<'_, '_>, name: &str, other: DVec3) -> DVec3 {
    properties.vector(name).map_or(other, DVec3::from_array)
}

/// A node's own transform.
fn stack(properties: &Properties<'_, '_>) -> TransformStack {
    let zero = |name: &str| vector(properties, name, DVec3::ZERO);
    // Without `RotationActive`, order, pre- and post-rotation are not in force.
    let active = properties.bool_or("RotationActive", true) && !properties.bool_or("RotationSpaceForLimitOnly", false);
    let turned = |name: &str| if active { zero(name) } else { DVec3::ZERO };
    let order = match properties.integer("RotationOrder") {
        Some(1) if active => EulerOrder::Xzy,
        Some(2) if active => EulerOrder::Yzx,
        Some(3) if active => EulerOrder::Yxz,
        Some(4) if active => EulerOrder::Zxy,
        Some(5) if active => EulerOrder::Zyx,
        Some(6) if active => EulerOrder::SphericXyz,
        _ => EulerOrder::Xyz,
    };
    let inherit = match properties.integer("InheritType") {
        Some(0) => Inherit::RrSs,
        Some(2) => Inherit::Rrs,
        _ => Inherit::RSrs,
    };
    TransformStack {
        translation: zero("Lcl Translation"),
        rotation_deg: zero("Lcl Rotation"),
        scale: vector(properties, "Lcl Scaling", DVec3::ONE),
        order,
        pre_rotation_deg: turned("PreRotation"),
        post_rotation_deg: turned("PostRotation"),
        rotation_offset: zero("RotationOffset"),
        rotation_pivot: zero("RotationPivot"),
        scaling_offset: zero("ScalingOffset"),
        scaling_pivot: zero("ScalingPivot"),
        inherit,
    }
}

/// What moves a node's geometry and nothing below it.
fn geometric(properties: &Properties<'_, '_>) -> DMat4 {
    let turn: DQuat = euler(vector(properties, "GeometricRotation", DVec3::ZERO), EulerOrder::Xyz);
    let scale = vector(properties, "GeometricScaling", DVec3::ONE);
    let matrix =
        DMat4::from_scale_rotation_translation(scale, turn, vector(properties, "GeometricTranslation", DVec3::ZERO));
    if matrix.as_mat4() == Mat4::IDENTITY { DMat4::IDENTITY } else { matrix }
}
