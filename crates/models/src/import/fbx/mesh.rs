//! Meshes: control points, polygons and what is laid over them.
//!
//! In: a `Geometry` of class `Mesh`. Out: triangles with a value of every attribute at each corner.

use glam::DVec3;

use super::Importer;
use super::document::{Object, short, text};
use super::layer::{Layer, Outline, single};
use super::smoothing::{self, Smoothing};
use super::tree::At;
use crate::import::polygon::{self, Effort};
use crate::import::{Fault, code, far};
use stillframe_base::math::colour::linear_from_srgb;

/// A mesh before it is split by material.
#[derive(Debug, Default)]
pub struct Mesh {
    pub name: String,
    pub points: Points,
    pub outline: Outline,
    /// Three corners each.
    pub triangles: Vec<[u32; 3]>,
    /// By corner, or empty.
    pub normals: Vec<[f32; 3]>,
    /// By corner, the first of those that shapes give one normal with it; empty where that makes no difference.
    pub sets: Vec<u32>,
    /// By corner, or empty; the sign of the bitangent last.
    pub tangents: Vec<[f32; 4]>,
    pub uv_sets: Vec<UvSet>,
    /// By corner, or empty; linear.
    pub colors: Vec<[f32; 4]>,
    /// By polygon: which of the model's materials; empty is the first everywhere.
    pub materials: Vec<u32>,
    /// Positions in `Model::geometries` of what was made of it, by material and choice of texture coordinates.
    pub made: std::collections::BTreeMap<Key, usize>,
    pub bending: super::deform::Bending,
}

/// Control points.
#[derive(Debug, Default)]
pub struct Points {
    pub places: Vec<[f64; 3]>,
    /// What was taken off the places; exact in an f32.
    pub origin: DVec3,
}

impl Points {
    /// Moves points that are far from the node to where an f32 tells them apart.
    pub fn move_near(&mut self) {
        let middle = far::far_middle(self.places.iter().map(|place| DVec3::from(*place)));
        let Some(middle) = middle.map(|middle| middle.as_vec3().as_dvec3()) else { return };
        self.places.iter_mut().for_each(|place| *place = (DVec3::from(*place) - middle).to_array());
        self.origin = middle;
    }
}

/// Which part of a mesh a geometry is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Key {
    /// Which of the model's materials.
    pub material: u32,
    /// Also triangles of larger numbers: the model has no material for them.
    pub and_above: bool,
    /// Positions in the mesh's sets of texture coordinates, for `uv0` and `uv1`.
    pub uv_sets: [Option<usize>; 2],
}

#[derive(Debug)]
pub struct UvSet {
    pub name: String,
    /// By corner, from the top left.
    pub values: Vec<[f32; 2]>,
}

/// Texture coordinates a mesh may have; more are left out.
const UV_SETS_MAX: usize = 32;

type Result<T> = std::result::Result<T, Fault>;

impl<'t> Importer<'t, '_> {
    /// Reads a mesh. `None` where nothing of it can be shown.
    pub fn read_mesh(&mut self, object: &Object<'t>) -> Result<Option<Mesh>> {
        let name = object.name();
        let what = format!("the mesh {:?}", short(&name));
        let (Some(vertices), Some(polygons)) = (object.at.list("Vertices"), object.at.list("PolygonVertexIndex"))
        else {
            self.warn(Fault::new(code::PRIMITIVE_SKIPPED, format!("ignored {what}: it has no polygons")));
            return Ok(None);
        };
        let positions = vertices.floats(&self.budget, &what)?;
        if let Some(place) = positions.iter().position(|value| !(value.abs() <= f64::from(f32::MAX))) {
            let message = format!("{what}: control point {} is not finite: {}", place / 3, positions[place]);
            return Err(Fault::new(code::NOT_FINITE, message));
        }
        self.budget.spend(positions.len() as u64 * 8, &what)?;
        let positions: Vec<[f64; 3]> = positions.as_chunks().0.to_vec();
        let outline = self.read_outline(object.at, &polygons.integers(&self.budget, &what)?, positions.len(), &what)?;
        if outline.polygon_count() == 0 {
            self.warn(Fault::new(code::PRIMITIVE_SKIPPED, format!("ignored {what}: it has no polygons")));
            return Ok(None);
        }
        let points = Points { places: positions, origin: DVec3::ZERO };
        let mut mesh = Mesh { name, points, outline, ..Mesh::default() };
        self.triangulate(&mut mesh, &what)?;
        self.read_layers(object.at, &mut mesh, &what)?;
        Ok(Some(mesh))
    }

    /// Polygons as the file lists them: the last corner of each is stored as `-1 - point`.
    fn read_outline(&mut self, at: At<'t>, indices: &[i32], point_count: usize, what: &str) -> Result<Outline> {
        // A corner: its point, its polygon, and its place in lists.
        self.budget.spend(indices.len() as u64 * 16, what)?;
        let mut outline = Outline { point_count, starts: vec![0], ..Outline::default() };
        let last = indices.len().wrapping_sub(1);
        for (corner, index) in indices.iter().enumerate() {
            let point = if *index < 0 { !*index } else { *index } as u32;
            if point as usize >= point_count {
                let message =
                    format!("{what}: corner {corner} uses control point {point}, but there are only {point_count}");
                return Err(Fault::new(code::VERTEX_INDEX, message).help("export the model again"));
            }
            outline.points.push(point);
            outline.polygons.push(outline.starts.len() as u32 - 1);
            if *index < 0 || corner == last {
                outline.starts.push(corner as u32 + 1);
            }
        }
        if let Some(list) = at.list("Edges") {
            let edges = list.integers(&self.budget, what)?;
            let known = |edge: &i32| usize::try_from(*edge).is_ok_and(|corner| corner < indices.len());
            if edges.iter().all(known) {
                outline.edges = edges.iter().map(|edge| *edge as u32).collect();
            } else {
                let message = format!("{what}: ignored the list of edges, which exceeds the corners");
                self.warn(Fault::new(code::FBX_LAYER, message));
            }
        }
        Ok(outline)
    }

    fn triangulate(&mut self, mesh: &mut Mesh, what: &str) -> Result<()> {
        let mut effort = Effort::default();
        let (mut thin, mut fanned) = (0_u32, 0_u32);
        let (mut points, mut made) = (Vec::new(), Vec::new());
        for polygon in 0..mesh.outline.polygon_count() {
            let (start, end) = (mesh.outline.starts[polygon], mesh.outline.starts[polygon + 1]);
            if end - start < 3 {
                thin += 1;
                continue;
            }
            points.clear();
            points.extend((start..end).map(|c| mesh.points.places[mesh.outline.points[c as usize] as usize]));
            made.clear();
            fanned += u32::from(!polygon::triangulate(&points, &mut effort, &mut made));
            mesh.triangles.extend(made.iter().map(|triangle| triangle.map(|corner| start + corner)));
        }
        self.budget.spend(mesh.triangles.len() as u64 * 12, what)?;
        if thin > 0 {
            let message = format!(
                "{what}: ignored {} with fewer than three corners",
                crate::source::count(thin as usize, "polygon", "polygons")
            );
            self.warn(Fault::new(code::PRIMITIVE_SKIPPED, message));
        }
        if fanned > 0 {
            let message = format!(
                "{what}: cut {} into fans: too tangled",
                crate::source::count(fanned as usize, "polygon", "polygons")
            );
            self.warn(Fault::new(code::PRIMITIVE_SKIPPED, message));
        }
        Ok(())
    }

    fn read_layers(&mut self, at: At<'t>, mesh: &mut Mesh, what: &str) -> Result<()> {
        let normals = self.vectors::<3>(at, ["LayerElementNormal", "Normals", "NormalsIndex"], mesh, what)?;
        mesh.normals = normals.unwrap_or_default();
        if mesh.normals.is_empty()
            && let Some(smoothing) = self.smoothing(at, mesh, what)?
        {
            self.budget.spend(mesh.outline.corner_count() as u64 * 12, what)?;
            let sets = smoothing::sets(&mesh.outline, &smoothing);
            mesh.normals = smoothing::normals(&mesh.points.places, &mesh.outline, &sets);
        }
        self.read_tangents(at, mesh, what)?;
        let mut sets: Vec<At<'t>> = at.children("LayerElementUV").collect();
        sets.sort_by_key(|set| set.integer(0));
        if sets.len() > UV_SETS_MAX {
            let message =
                format!("{what} has {} sets of texture coordinates; using the first {UV_SETS_MAX}", sets.len());
            self.warn(Fault::new(code::FBX_LAYER, message));
            sets.truncate(UV_SETS_MAX);
        }
        for set in sets {
            let name = set.child_text("Name").map(text).unwrap_or_default();
            let Some(values) = self.values::<2>(set, ["UV", "UVIndex"], mesh, what, [0.0, 0.0])? else { continue };
            let values = values.into_iter().map(|[u, v]| [single(u), single(1.0 - v)]).collect();
            mesh.uv_sets.push(UvSet { name, values });
        }
        if let Some(layer) = at.child("LayerElementColor") {
            let colors = self.values::<4>(layer, ["Colors", "ColorIndex"], mesh, what, [1.0; 4])?;
            mesh.colors = colors.unwrap_or_default().into_iter().map(linear).collect();
        }
        self.read_material_layer(at, mesh, what)
    }

    /// Normals, tangents and binormals share their form.
    fn vectors<const N: usize>(
        &mut self,
        at: At<'t>,
        [layer, list, index]: [&str; 3],
        mesh: &Mesh,
        what: &str,
    ) -> Result<Option<Vec<[f32; N]>>> {
        let Some(layer) = at.child(layer) else { return Ok(None) };
        let values = self.values::<N>(layer, [list, index], mesh, what, [0.0; N])?;
        Ok(values.map(|values| values.into_iter().map(|value| value.map(single)).collect()))
    }

    /// A value for each corner; `other` where the file gives none. `None` where the layer cannot be used.
    fn values<const N: usize>(
        &mut self,
        layer: At<'t>,
        [list, index]: [&str; 2],
        mesh: &Mesh,
        what: &str,
        other: [f64; N],
    ) -> Result<Option<Vec<[f64; N]>>> {
        let what = format!("{what}, {list}");
        let Some(list) = layer.list(list) else { return Ok(None) };
        let values = list.floats(&self.budget, &what)?;
        let (values, rest) = values.as_chunks::<N>();
        let read = Layer::read(layer, index, values.len(), &mesh.outline, &self.budget, &what);
        let read = match read {
            Err(fault) if fault.code == code::FBX_LAYER => {
                self.warn(fault);
                return Ok(None);
            }
            read => read?,
        };
        let Some(read) = read else { return Ok(None) };
        let count = mesh.outline.corner_count();
        self.budget.spend((count * size_of::<[f32; N]>()) as u64, &what)?;
        let mut replaced = usize::from(!rest.is_empty());
        let mut out = Vec::with_capacity(count);
        for corner in 0..count as u32 {
            let value = read.value(&mesh.outline, corner).map(|value| values[value]);
            let value = value.filter(|value| value.iter().all(|v| v.abs() <= f64::from(f32::MAX)));
            replaced += usize::from(value.is_none());
            out.push(value.unwrap_or(other));
        }
        if replaced == count {
            let message = format!("{what}: ignored values that do not match the mesh");
            self.warn(Fault::new(code::FBX_LAYER, message));
            return Ok(None);
        }
        if replaced > 0 {
            let message =
                format!("{what}: replaced the values of {}", crate::source::count(replaced, "corner", "corners"));
            self.warn(Fault::new(code::VALUES_REPLACED, message));
        }
        Ok(Some(out))
    }

    /// Which corners belong together, where the file says it.
    pub fn smoothing(&mut self, at: At<'t>, mesh: &Mesh, what: &str) -> Result<Option<Smoothing>> {
        let Some(layer) = at.child("LayerElementSmoothing") else { return Ok(None) };
        let Some(list) = layer.list("Smoothing") else { return Ok(None) };
        let values = list.integers(&self.budget, what)?;
        let read = Layer::read(layer, "SmoothingIndex", values.len(), &mesh.outline, &self.budget, what);
        let read = match read {
            Err(fault) if fault.code == code::FBX_LAYER => {
                self.warn(fault);
                return Ok(None);
            }
            read => read?,
        };
        // Sets, sums and normals by corner.
        self.budget.allow(mesh.outline.corner_count() as u64 * 60, what)?;
        Ok(read.map(|read| Smoothing::of(&read, &values, &mesh.outline)))
    }

    /// Tangents, with the side on which the binormal lies. Both point along the file's axes of texture coordinates,
    /// whose v points up as glTF's bitangents do.
    fn read_tangents(&mut self, at: At<'t>, mesh: &mut Mesh, what: &str) -> Result<()> {
        if mesh.normals.is_empty() {
            return Ok(());
        }
        let tangents = self.vectors::<3>(at, ["LayerElementTangent", "Tangents", "TangentsIndex"], mesh, what)?;
        let Some(tangents) = tangents else { return Ok(()) };
        let binormals = self.vectors::<3>(at, ["LayerElementBinormal", "Binormals", "BinormalsIndex"], mesh, what)?;
        let side = |corner: usize| {
            let Some(binormals) = &binormals else { return 1.0 };
            let [n, t, b] = [mesh.normals[corner], tangents[corner], binormals[corner]].map(glam::Vec3::from);
            if n.cross(t).dot(b) < 0.0 { -1.0 } else { 1.0 }
        };
        let made = tangents.iter().enumerate().map(|(corner, [x, y, z])| [*x, *y, *z, side(corner)]).collect();
        mesh.tangents = made;
        Ok(())
    }

    fn read_material_layer(&mut self, at: At<'t>, mesh: &mut Mesh, what: &str) -> Result<()> {
        let Some(layer) = at.child("LayerElementMaterial") else { return Ok(()) };
        let Some(list) = layer.list("Materials") else { return Ok(()) };
        let values = list.integers(&self.budget, what)?;
        // "IndexToDirect" here: the list itself names the model's materials.
        let read = match Layer::read(layer, "", values.len(), &mesh.outline, &self.budget, what) {
            Err(fault) if fault.code == code::FBX_LAYER => {
                self.warn(fault);
                return Ok(());
            }
            read => read?,
        };
        let Some(read) = read else { return Ok(()) };
        let of = |polygon: usize| {
            let value = read.value(&mesh.outline, mesh.outline.starts[polygon]);
            value.and_then(|value| u32::try_from(values[value]).ok()).unwrap_or(0)
        };
        mesh.materials = (0..mesh.outline.polygon_count()).map(of).collect();
        Ok(())
    }
}

/// Vertex colours are written as shown on a screen (sRGB), as modelling tools do by default.
fn linear(color: [f64; 4]) -> [f32; 4] {
    let channel = |value: f64| single(f64::from(linear_from_srgb(value as f32)));
    [channel(color[0]), channel(color[1]), channel(color[2]), single(color[3])]
}
