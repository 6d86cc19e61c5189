//! Meshes: primitives become indexed triangle lists.

use glam::{Mat4, Vec3};

use super::json::At;
use super::{Importer, Stop};
use crate::asset::Geometry;
use crate::import::{Fault, Part, code};
use stillframe_base::geom::Aabb;

type Result<T> = std::result::Result<T, Fault>;

/// Attributes that are read, in the order of [`Key::attributes`].
const ATTRIBUTES: [&str; 6] = ["POSITION", "NORMAL", "TANGENT", "TEXCOORD_0", "TEXCOORD_1", "COLOR_0"];

/// What makes the triangles of two primitives the same: equal accessors.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord)]
pub struct Key {
    attributes: [Option<u32>; ATTRIBUTES.len()],
    indices: Option<u32>,
    mode: u64,
}

/// Memory that baking a triangle may need for a moment: the tangent space generator's corners, edges and groups.
const BAKE_BYTES_PER_TRIANGLE: u64 = 900;

/// What a vertex with every attribute takes.
const VERTEX_BYTES: u64 = 72;

impl<'a> Importer<'a> {
    /// Reads the primitives of a mesh as parts of model node `position`, which is `node` in the file.
    pub fn mesh(&mut self, mesh: u32, node: At<'a>, position: usize) -> std::result::Result<(), Stop> {
        let at = self.root.key("meshes").entry(mesh, node.key("mesh"))?;
        let weights = morph_weights(node.key("weights"), at.key("weights"))?;
        let skin = match node.key("skin").opt_index()? {
            Some(skin) => Some(self.skin(skin, node.key("skin"))?),
            None => None,
        };
        if skin.is_some() {
            self.model.nodes[position].model_from_parts = Mat4::IDENTITY;
        }
        if !at.key("primitives").exists() {
            return Err(at.key("primitives").wrong("a list").into());
        }
        for primitive in at.key("primitives").items()? {
            if let Some(part) = self.primitive(primitive, &weights, skin.as_deref())? {
                self.model.nodes[position].parts.push(part);
            }
        }
        Ok(())
    }

    /// `None` for what is not drawn: lines, points, nothing.
    fn primitive(
        &mut self,
        at: At<'a>,
        weights: &[f32],
        skin: Option<&[Mat4]>,
    ) -> std::result::Result<Option<Part>, Stop> {
        let mode = at.key("mode").u64_or(4)?;
        match mode {
            4..=6 => {}
            0..=3 => {
                let what = if mode == 0 { "points are" } else { "lines are" };
                self.warnings.push(at.fault(code::PRIMITIVE_SKIPPED, format!("{what} not drawn")));
                return Ok(None);
            }
            _ => return Err(at.key("mode").wrong("0 to 6").into()),
        }
        let mut key = Key { attributes: [None; ATTRIBUTES.len()], indices: at.key("indices").opt_index()?, mode };
        for (slot, name) in key.attributes.iter_mut().zip(ATTRIBUTES) {
            *slot = at.key("attributes").key(name).opt_index()?;
        }
        if key.attributes[0].is_none() {
            self.warnings.push(at.fault(code::PRIMITIVE_SKIPPED, "has no POSITION and is not drawn"));
            return Ok(None);
        }
        let morphed = weights.iter().any(|w| *w != 0.0) && at.key("targets").exists();
        let plain = !morphed && skin.is_none();
        let found = if plain { self.geometries.get(&key).copied() } else { None };
        let geometry = match found {
            Some(geometry) => geometry,
            None => {
                let mut geometry = self.geometry(at, &key)?;
                if morphed {
                    self.morph(at.key("targets"), weights, &mut geometry)?;
                }
                if let Some(joints) = skin {
                    self.bend(at, joints, &mut geometry)?;
                }
                if let Some(index) = geometry.positions.iter().position(|p| !p.iter().all(|x| x.is_finite())) {
                    return Err(at
                        .fault(code::NOT_FINITE, format!("the position of vertex {index} is not finite"))
                        .into());
                }
                geometry.bounds = Aabb::of_points(geometry.positions.iter().map(|p| Vec3::from(*p)));
                self.model.geometries.push(geometry);
                let position = self.model.geometries.len() - 1;
                if plain {
                    self.geometries.insert(key, position);
                }
                position
            }
        };
        if self.model.geometries[geometry].indices.is_empty() {
            self.warnings.push(at.fault(code::PRIMITIVE_SKIPPED, "holds no triangle"));
            return Ok(None);
        }
        let material = self.material(at.key("material"))?;
        Ok(Some(Part { geometry, material }))
    }

    /// Attributes and indices as they are stored.
    fn geometry(&mut self, at: At<'a>, key: &Key) -> Result<Geometry> {
        let attributes = at.key("attributes");
        let mut geometry = Geometry::default();
        let count;
        {
            let accessor = self.accessor(key.attributes[0].expect("checked"), attributes.key("POSITION"))?;
            count = accessor.count;
            geometry.positions = accessor.floats(&mut self.budget)?;
        }
        geometry.normals = self.attribute::<3>(key.attributes[1], attributes.key("NORMAL"), count)?;
        geometry.tangents = self.attribute::<4>(key.attributes[2], attributes.key("TANGENT"), count)?;
        geometry.uv0 = self.attribute::<2>(key.attributes[3], attributes.key("TEXCOORD_0"), count)?;
        geometry.uv1 = self.attribute::<2>(key.attributes[4], attributes.key("TEXCOORD_1"), count)?;
        if let Some(color) = key.attributes[5] {
            let at = attributes.key("COLOR_0");
            geometry.colors = if self.accessor(color, at)?.rows() == 3 {
                let rgb = self.attribute::<3>(Some(color), at, count)?;
                self.budget.spend(count as u64 * 4, "colours")?;
                rgb.into_iter().map(|[r, g, b]| [r, g, b, 1.0]).collect()
            } else {
                self.attribute::<4>(Some(color), at, count)?
            };
        }
        geometry.indices = self.triangles(at, key, count)?;
        Ok(geometry)
    }

    /// One attribute, as long as the positions; values that are not finite become 0.
    fn attribute<const N: usize>(&mut self, index: Option<u32>, at: At<'a>, count: usize) -> Result<Vec<[f32; N]>> {
        let Some(index) = index else { return Ok(Vec::new()) };
        let accessor = self.accessor(index, at)?;
        if accessor.count != count {
            let message = format!("has {} elements, but POSITION has {count}", accessor.count);
            return Err(at.fault(code::VERTEX_COUNT, message));
        }
        let mut values: Vec<[f32; N]> = accessor.floats(&mut self.budget)?;
        let mut replaced_count = 0;
        for value in values.iter_mut().filter(|v| !v.iter().all(|x| x.is_finite())) {
            *value = [0.0; N];
            replaced_count += 1;
        }
        if replaced_count > 0 {
            let message = format!("{replaced_count} elements are not finite and count as 0");
            self.warnings.push(at.fault(code::VALUES_REPLACED, message));
        }
        Ok(values)
    }

    /// The vertices of each triangle, whatever the mode.
    fn triangles(&mut self, at: At<'a>, key: &Key, vertex_count: usize) -> Result<Vec<u32>> {
        let order: Option<Vec<u32>> = match key.indices {
            None => None,
            Some(index) => {
                let accessor = self.accessor(index, at.key("indices"))?;
                let order = accessor.wholes::<1>(&mut self.budget)?.into_flattened();
                if let Some(place) = order.iter().position(|i| *i as usize >= vertex_count) {
                    let message = format!("element {place} is vertex {}, but there are {vertex_count}", order[place]);
                    return Err(accessor.at().fault(code::VERTEX_INDEX, message));
                }
                Some(order)
            }
        };
        let order_count = order.as_ref().map_or(vertex_count, Vec::len);
        let triangle_count = match key.mode {
            4 => order_count / 3,
            _ => order_count.saturating_sub(2),
        };
        if key.mode == 4 && !order_count.is_multiple_of(3) {
            let message = format!("{order_count} corners are no whole number of triangles; the last are left out");
            self.warnings.push(at.fault(code::PRIMITIVE_SKIPPED, message));
        }
        let triangle_bytes = if key.attributes[1].is_none() { 12 + 3 * VERTEX_BYTES } else { 12 };
        self.budget.spend(triangle_count as u64 * triangle_bytes, &at.to_string())?;
        self.budget.reserve(triangle_count as u64 * BAKE_BYTES_PER_TRIANGLE, &at.to_string())?;
        let vertex = |place: usize| order.as_ref().map_or(place as u32, |o| o[place]);
        let mut out = Vec::with_capacity(triangle_count * 3);
        for i in 0..triangle_count {
            // A strip keeps its facing by swapping two corners of every second triangle.
            let corners = match key.mode {
                4 => [3 * i, 3 * i + 1, 3 * i + 2],
                5 => [i, i + 1 + i % 2, i + 2 - i % 2],
                _ => [i + 1, i + 2, 0],
            };
            out.extend(corners.map(vertex));
        }
        Ok(out)
    }

    /// Adds weighted morph targets.
    fn morph(&mut self, targets: At<'a>, weights: &[f32], geometry: &mut Geometry) -> Result<()> {
        let count = geometry.positions.len();
        for (target, weight) in targets.items()?.zip(weights) {
            if *weight == 0.0 {
                continue;
            }
            let delta = |importer: &mut Self, name| {
                let at = target.key(name);
                let index = at.opt_index()?;
                importer.attribute::<3>(index, at, count)
            };
            add(&mut geometry.positions, &delta(self, "POSITION")?, *weight);
            add(&mut geometry.normals, &delta(self, "NORMAL")?, *weight);
            add(&mut geometry.tangents, &delta(self, "TANGENT")?, *weight);
        }
        Ok(())
    }
}

/// `to += from * weight` in the first three components; shorter lists end it.
fn add<const N: usize>(to: &mut [[f32; N]], from: &[[f32; 3]], weight: f32) {
    for (to, from) in to.iter_mut().zip(from) {
        for axis in 0..3 {
            to[axis] += from[axis] * weight;
        }
    }
}

/// The node's weights, else the mesh's.
fn morph_weights(node: At<'_>, mesh: At<'_>) -> Result<Vec<f32>> {
    let at = if node.exists() { node } else { mesh };
    at.items()?.map(At::f32).collect()
}
