//! Deformers: skins with their clusters, blend shapes with their channels.
//!
//! Source: FBX SDK, `FbxSkin`, `FbxCluster`, `FbxBlendShape`. In the file a cluster's `Transform` is what leads from
//! the mesh's node to the joint as it stood when bound, `TransformLink` the joint's own place then.

use std::borrow::Cow;

use glam::DMat4;

use super::Importer;
use super::document::{Object, short};
use super::layer::single;
use super::reshape::Reshaping;
use crate::import::{Budget, Fault, Influences, Joint, MorphChannel, MorphTarget, Skin, SkinMethod, code};

type Result<T> = std::result::Result<T, Fault>;

/// What bends a mesh.
#[derive(Debug, Default)]
pub struct Bending {
    clusters: Vec<Cluster>,
    /// Control point, position in `clusters`, weight; by control point, then in the order of the clusters.
    pulls: Vec<(u32, u32, f32)>,
    skin_name: String,
    method: SkinMethod,
    /// By control point, of a blend; empty: none.
    dual_shares: Vec<f32>,
    shapes: Vec<Shape>,
    channels: Vec<Channel>,
}

impl Bending {
    pub fn has_skin(&self) -> bool {
        !self.clusters.is_empty()
    }
}

#[derive(Debug)]
struct Cluster {
    /// Id of the model that pulls.
    bone: i64,
    joint_from_node: DMat4,
}

#[derive(Debug)]
struct Shape {
    name: String,
    /// Control points, ascending.
    points: Vec<u32>,
    positions: Vec<[f32; 3]>,
    /// As many, or none.
    normals: Vec<[f32; 3]>,
    /// Where the file gives no normals: what is added to those of corners, ascending.
    turned: Vec<(u32, [f32; 3])>,
}

#[derive(Debug)]
struct Channel {
    id: i64,
    name: String,
    /// 1 is full.
    weight: f64,
    shapes: Vec<(f64, usize)>,
}

impl<'t> Importer<'t, '_> {
    /// Reads what hangs on a mesh. Deformers that are broken or not known are left out with a warning.
    pub fn read_bending(&mut self, geometry: &Object<'t>, point_count: usize) -> Result<Bending> {
        let mut bending = Bending::default();
        let what = format!("the mesh {:?}", short(&geometry.name()));
        let document = self.document;
        let mut skins = 0;
        for deformer in document.parts(geometry.id, "Deformer") {
            match deformer.class {
                b"Skin" => {
                    skins += 1;
                    if skins == 1 {
                        self.read_skin(deformer, point_count, &mut bending, &what)?;
                    }
                }
                b"BlendShape" => self.read_blend(deformer, point_count, &mut bending, &what)?,
                other => {
                    let kind = short(&super::document::text(other));
                    let message = format!("{what}: ignored the deformer {kind:?}");
                    self.warn(Fault::new(code::FBX_DEFORMER, message));
                }
            }
        }
        if skins > 1 {
            let message = format!("{what} has {skins} skins; using the first");
            self.warn(Fault::new(code::FBX_DEFORMER, message));
        }
        Ok(bending)
    }

    fn read_skin(&mut self, skin: &Object<'t>, point_count: usize, out: &mut Bending, what: &str) -> Result<()> {
        out.skin_name = skin.name();
        out.method = match skin.at.child_text("SkinningType") {
            Some(b"DualQuaternion") => SkinMethod::DualQuaternion,
            Some(b"Blend") => SkinMethod::Blend,
            _ => SkinMethod::Linear,
        };
        if out.method == SkinMethod::Blend {
            out.dual_shares = self.dual_shares(skin, point_count, what)?;
        }
        let document = self.document;
        for cluster in document.parts(skin.id, "Deformer").filter(|c| c.class == b"Cluster") {
            let Some(bone) = document.parts(cluster.id, "Model").next() else {
                let message = format!("{what}: ignored the cluster {:?}, which has no joint", short(&cluster.name()));
                self.warn(Fault::new(code::FBX_DEFORMER, message));
                continue;
            };
            if cluster.at.child_text("Mode") == Some(b"Additive") {
                let message = format!("{what}: additive clusters are not supported; their weights are normalised");
                self.warn(Fault::new(code::FBX_DEFORMER, message));
            }
            let Some(joint_from_node) = self.bind_matrix(skin, cluster, bone, what)? else { continue };
            let list = |name: &str| cluster.at.list(name);
            let points = list("Indexes").map_or(Ok(Cow::default()), |l| l.integers(&self.budget, what))?;
            let weights = list("Weights").map_or(Ok(Cow::default()), |l| l.floats(&self.budget, what))?;
            self.budget.spend((points.len() * 12 + size_of::<Cluster>()) as u64, what)?;
            let joint = out.clusters.len() as u32;
            out.clusters.push(Cluster { bone: bone.id, joint_from_node });
            let (mut past, mut broken) = (0, points.len().abs_diff(weights.len()));
            for (point, weight) in points.iter().zip(&weights[..]) {
                let weight = *weight as f32;
                if usize::try_from(*point).is_ok_and(|point| point < point_count) && weight.is_finite() {
                    if weight != 0.0 {
                        out.pulls.push((*point as u32, joint, weight));
                    }
                } else if weight.is_finite() {
                    past += 1;
                } else {
                    broken += 1;
                }
            }
            if past + broken > 0 {
                let name = short(&cluster.name());
                let message = format!(
                    "{what}: the cluster {name:?}: ignored {} of missing control points and {}",
                    crate::source::count(past, "weight", "weights"),
                    crate::source::count(broken, "invalid weight", "invalid weights"),
                );
                self.warn(Fault::new(code::VALUES_REPLACED, message));
            }
        }
        out.pulls.sort_by_key(|(point, ..)| *point);
        Ok(())
    }

    /// How much of each control point goes with dual quaternions in a skin that blends both ways: nothing where the
    /// file does not say.
    fn dual_shares(&mut self, skin: &Object<'t>, point_count: usize, what: &str) -> Result<Vec<f32>> {
        let list = |name: &str| skin.at.list(name);
        let points = list("Indexes").map_or(Ok(Cow::default()), |l| l.integers(&self.budget, what))?;
        let shares = list("BlendWeights").map_or(Ok(Cow::default()), |l| l.floats(&self.budget, what))?;
        self.budget.spend(point_count as u64 * 4, what)?;
        let mut out = vec![0.0; point_count];
        let mut broken = points.len().abs_diff(shares.len());
        for (point, share) in points.iter().zip(&shares[..]) {
            match usize::try_from(*point).ok().and_then(|point| out.get_mut(point)) {
                Some(out) if share.is_finite() => *out = share.clamp(0.0, 1.0) as f32,
                _ => broken += 1,
            }
        }
        if broken > 0 {
            let message = format!(
                "{what}: ignored {} of its skin's blend",
                crate::source::count(broken, "invalid weight", "invalid weights")
            );
            self.warn(Fault::new(code::VALUES_REPLACED, message));
        }
        Ok(out)
    }

    /// From the mesh's node to the joint, when bound. Where the cluster does not say, the bind pose does.
    fn bind_matrix(
        &mut self,
        skin: &Object<'t>,
        cluster: &Object<'t>,
        bone: &Object<'t>,
        what: &str,
    ) -> Result<Option<DMat4>> {
        if let Some(matrix) = self.matrix(cluster, "Transform", what)? {
            return Ok(Some(matrix));
        }
        // The node that shows the mesh which the skin bends.
        let mesh_node = self.document.owners(skin.id, "Geometry").next();
        let mesh_node = mesh_node.and_then(|geometry| self.document.owners(geometry.id, "Model").next());
        let bone_then = match self.matrix(cluster, "TransformLink", what)? {
            Some(matrix) => Some(matrix),
            None => self.bind_pose(bone.id, what)?,
        };
        let mesh_then = mesh_node.map_or(Ok(None), |node| self.bind_pose(node.id, what))?;
        let Some(bone_then) = bone_then else {
            let message = format!("{what}: the cluster {:?} has no bind matrix", short(&cluster.name()));
            self.warn(Fault::new(code::FBX_DEFORMER, message));
            return Ok(None);
        };
        Ok(Some(bone_then.inverse() * mesh_then.unwrap_or(DMat4::IDENTITY)).filter(|m| m.is_finite()))
    }

    /// Where a model stood when the file's bind pose was taken.
    fn bind_pose(&self, model: i64, what: &str) -> Result<Option<DMat4>> {
        for pose in self.document.objects.iter().filter(|o| o.is("Pose") && o.class == b"BindPose") {
            for node in pose.at.children("PoseNode").filter(|n| n.child_integer("Node") == Some(model)) {
                let Some(list) = node.list("Matrix") else { continue };
                return Ok(matrix(&list.floats(&self.budget, what)?));
            }
        }
        Ok(None)
    }

    /// A matrix of 16 finite numbers; `None` where there is none, with a warning where it is broken.
    fn matrix(&mut self, object: &Object<'t>, name: &str, what: &str) -> Result<Option<DMat4>> {
        let Some(list) = object.at.list(name) else { return Ok(None) };
        if list.len() != 16 {
            return Ok(None);
        }
        let read = matrix(&list.floats(&self.budget, what)?);
        if read.is_none() {
            let message = format!("{what}: the matrix {name} of {:?} is not finite", short(&object.name()));
            self.warn(Fault::new(code::VALUES_REPLACED, message));
        }
        Ok(read)
    }

    fn read_blend(&mut self, blend: &Object<'t>, point_count: usize, out: &mut Bending, what: &str) -> Result<()> {
        let document = self.document;
        for channel in document.parts(blend.id, "Deformer").filter(|c| c.class == b"BlendShapeChannel") {
            let full = channel.at.list("FullWeights").map_or(Ok(Cow::default()), |l| l.floats(&self.budget, what))?;
            let mut shapes: Vec<(f64, usize)> = Vec::new();
            for (place, shape) in document.parts(channel.id, "Geometry").enumerate() {
                let full = full.get(place).copied().unwrap_or(100.0) / 100.0;
                if !(full.is_finite() && full != 0.0) {
                    let message = format!(
                        "{what}: ignored the shape {:?}, which has its full weight at {full}",
                        short(&shape.name())
                    );
                    self.warn(Fault::new(code::FBX_DEFORMER, message));
                    continue;
                }
                let read = self.read_shape(shape, point_count, what)?;
                out.shapes.push(read);
                shapes.push((full, out.shapes.len() - 1));
            }
            shapes.sort_by(|a, b| a.0.total_cmp(&b.0));
            shapes.dedup_by(|later, kept| later.0 == kept.0);
            // Blender writes the weight as a record of its own, others as a property.
            let stored = document.properties(channel).float("DeformPercent");
            let stored = stored.or(channel.at.child("DeformPercent").and_then(|at| at.float(0)));
            let weight = stored.filter(|weight| weight.is_finite()).unwrap_or(0.0) / 100.0;
            out.channels.push(Channel { id: channel.id, name: channel.name(), weight, shapes });
        }
        Ok(())
    }

    fn read_shape(&mut self, shape: &Object<'t>, point_count: usize, what: &str) -> Result<Shape> {
        let what = format!("{what}, shape {:?}", short(&shape.name()));
        let floats = |name: &str| shape.at.list(name).map_or(Ok(Cow::default()), |l| l.floats(&self.budget, &what));
        let points = shape.at.list("Indexes").map_or(Ok(Cow::default()), |l| l.integers(&self.budget, &what))?;
        let (positions, normals) = (floats("Vertices")?, floats("Normals")?);
        let (positions, normals) = (positions.as_chunks::<3>().0, normals.as_chunks::<3>().0);
        self.budget.spend(points.len() as u64 * 32, &what)?;
        let mut order: Vec<usize> = (0..points.len().min(positions.len())).collect();
        let wanted = order.len();
        order.retain(|place| {
            usize::try_from(points[*place]).is_ok_and(|point| point < point_count)
                && positions[*place].iter().all(|v| v.abs() <= f64::from(f32::MAX))
        });
        if order.len() != points.len() || wanted != positions.len() {
            let message = format!("{what}: ignored entries without a control point or with invalid numbers");
            self.warn(Fault::new(code::VALUES_REPLACED, message));
        }
        order.sort_by_key(|place| points[*place]);
        order.dedup_by_key(|place| points[*place]);
        let vectors = |list: &[[f64; 3]]| -> Vec<[f32; 3]> {
            if list.len() < positions.len() { Vec::new() } else { order.iter().map(|p| list[*p].map(single)).collect() }
        };
        Ok(Shape {
            name: shape.name(),
            points: order.iter().map(|place| points[*place] as u32).collect(),
            positions: vectors(positions),
            // Programs that know of no normals of shapes write zeros.
            normals: if normals.as_flattened().iter().all(|x| *x == 0.0) { Vec::new() } else { vectors(normals) },
            turned: Vec::new(),
        })
    }

    /// The skin of a node that shows a mesh. Out: position in `Model::skins`.
    ///
    /// `node_from_parts` is the node's geometric transform: `Transform` starts at the node.
    pub fn skin_of(&mut self, bending: &Bending, node_from_parts: DMat4, what: &str) -> Result<Option<usize>> {
        if bending.clusters.is_empty() {
            return Ok(None);
        }
        if bending.clusters.len() > Skin::JOINTS_MAX {
            let message =
                format!("{what}: {} joints, but at most {} are supported", bending.clusters.len(), Skin::JOINTS_MAX);
            return Err(Fault::new(code::SKIN, message).help("split the mesh"));
        }
        self.budget.spend((bending.clusters.len() * size_of::<Joint>() + bending.skin_name.len()) as u64, what)?;
        let mut joints = Vec::with_capacity(bending.clusters.len());
        for cluster in &bending.clusters {
            let Some(node) = self.known.nodes.get(&cluster.bone) else {
                let message = format!("{what}: a joint of its skin is not a node of the file");
                return Err(Fault::new(code::SKIN, message).help("export the model again"));
            };
            let joint_from_mesh = (cluster.joint_from_node * node_from_parts).as_mat4();
            joints.push(Joint { node: *node, joint_from_mesh });
        }
        let skin = Skin { name: bending.skin_name.clone(), joints, method: bending.method };
        if let Some(position) = self.model.skins.iter().position(|other| *other == skin) {
            return Ok(Some(position));
        }
        self.model.skins.push(skin);
        Ok(Some(self.model.skins.len() - 1))
    }
}

/// Column by column, as FBX writes them.
fn matrix(values: &[f64]) -> Option<DMat4> {
    let values: [f64; 16] = values.try_into().ok()?;
    let matrix = DMat4::from_cols_array(&values);
    (matrix.is_finite() && matrix.as_mat4().is_finite()).then_some(matrix)
}

impl Bending {
    /// Ids of blend-shape channels, in the order of [`Bending::morphs`].
    pub fn channel_ids(&self) -> impl Iterator<Item = i64> {
        self.channels.iter().map(|channel| channel.id)
    }

    /// The sliders of a node that shows the mesh.
    pub fn morphs(&self, budget: &mut Budget) -> Result<Vec<MorphChannel>> {
        let size = |c: &Channel| c.name.len() + c.shapes.len() * 16 + size_of::<MorphChannel>();
        budget.spend(self.channels.iter().map(size).sum::<usize>() as u64, "blend shapes")?;
        let of = |c: &Channel| MorphChannel { name: c.name.clone(), weight: c.weight, shapes: c.shapes.clone() };
        Ok(self.channels.iter().map(of).collect())
    }

    /// Joints and weights of vertices that come from these control points.
    pub fn influences(&self, sources: &[u32], budget: &mut Budget) -> Result<Influences> {
        if self.clusters.is_empty() {
            return Ok(Influences::default());
        }
        let of = |point: u32| {
            let first = self.pulls.partition_point(|(other, ..)| *other < point);
            let rest = &self.pulls[first..];
            let list = &rest[..rest.partition_point(|(other, ..)| *other == point)];
            let sum: f32 = list.iter().map(|(.., weight)| weight).sum();
            // Weights that cancel out pull nowhere.
            if sum > 0.0 && sum.is_finite() { list } else { &list[..0] }
        };
        let total: usize = sources.iter().map(|point| of(*point).len()).sum();
        budget.spend((total * 8 + sources.len() * 8) as u64, "skin weights")?;
        let mut out = Influences { starts: vec![0], ..Influences::default() };
        if !self.dual_shares.is_empty() {
            out.dual_shares = sources.iter().map(|point| self.dual_shares[*point as usize]).collect();
        }
        for point in sources {
            for (_, joint, weight) in of(*point) {
                out.joints.push(*joint);
                out.weights.push(*weight);
            }
            out.starts.push(out.joints.len() as u32);
        }
        Ok(out)
    }

    /// How many numbers one part of the mesh costs to look through.
    pub fn weight(&self) -> usize {
        self.pulls.len() + self.shapes.iter().map(|shape| shape.points.len() + shape.turned.len() + 1).sum::<usize>()
    }

    /// Makes normals of shapes that have none. Out: how many corners that has taken.
    pub fn reshape(&mut self, reshaping: &mut Reshaping<'_>, effort_max: u64) -> Option<u64> {
        let mut effort = 0;
        for shape in self.shapes.iter_mut().filter(|shape| shape.normals.is_empty()) {
            let (turned, visited) = reshaping.turned(&shape.points, &shape.positions);
            effort += visited;
            if effort > effort_max {
                return None;
            }
            shape.turned = turned;
        }
        Some(effort)
    }

    /// Whether a shape moves points and has no normals.
    pub fn lacks_normals(&self) -> bool {
        self.shapes.iter().any(|shape| shape.normals.is_empty() && !shape.points.is_empty())
    }

    /// Corners whose normals shapes turn, over all shapes.
    pub fn turned_count(&self) -> usize {
        self.shapes.iter().map(|shape| shape.turned.len()).sum()
    }

    /// Morph targets of vertices that come from these control points, each from one of these corners; one a shape.
    pub fn targets(&self, sources: &[u32], corners: &[u32], budget: &mut Budget) -> Result<Vec<MorphTarget>> {
        if self.shapes.is_empty() {
            return Ok(Vec::new());
        }
        budget.allow(sources.len() as u64 * 16, "blend shapes")?;
        let mut of_corners: Vec<(u32, u32)> = corners.iter().copied().zip(0..).collect();
        of_corners.sort_unstable();
        let mut vertices: Vec<(u32, u32)> = sources.iter().copied().zip(0..).collect();
        vertices.sort_unstable();
        let mut targets = Vec::with_capacity(self.shapes.len());
        for shape in &self.shapes {
            let of = |point: u32| {
                let rest = &vertices[vertices.partition_point(|(other, _)| *other < point)..];
                &rest[..rest.partition_point(|(other, _)| *other == point)]
            };
            let count: usize = shape.points.iter().map(|point| of(*point).len()).sum::<usize>() + shape.turned.len();
            budget.spend((count * 28 + shape.name.len() + size_of::<MorphTarget>()) as u64, "blend shapes")?;
            let mut entries: Vec<(u32, [f32; 3], [f32; 3])> = Vec::with_capacity(count);
            for (place, point) in shape.points.iter().enumerate() {
                let normal = shape.normals.get(place).copied().unwrap_or_default();
                entries.extend(of(*point).iter().map(|(_, vertex)| (*vertex, shape.positions[place], normal)));
            }
            for (corner, normal) in &shape.turned {
                if let Ok(at) = of_corners.binary_search_by_key(corner, |(own, _)| *own) {
                    entries.push((of_corners[at].1, [0.0; 3], *normal));
                }
            }
            // What moves stands before what turns; one entry a vertex has both.
            entries.sort_by_key(|(vertex, ..)| *vertex);
            entries.dedup_by(|later, kept| {
                let same = later.0 == kept.0;
                if same {
                    kept.2 = later.2;
                }
                same
            });
            let has_normals = !shape.normals.is_empty() || !shape.turned.is_empty();
            targets.push(MorphTarget {
                name: shape.name.clone(),
                vertices: entries.iter().map(|(vertex, ..)| *vertex).collect(),
                positions: entries.iter().map(|(_, position, _)| *position).collect(),
                normals: if has_normals { entries.iter().map(|(.., normal)| *normal).collect() } else { Vec::new() },
                tangents: Vec::new(),
            });
        }
        Ok(targets)
    }
}
