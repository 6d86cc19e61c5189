//! Meshes: primitives become indexed triangle lists.

use std::ops::Range;

use glam::Vec3;

use super::accessor::Accessor;
use super::json::At;
use super::packed::{self, Packed};
use super::{Importer, Stop, skin};
use crate::asset::Geometry;
use crate::import::stroke::{self, Strokes};
use crate::import::{Fault, ModelGeometry, MorphChannel, MorphTarget, Part, code};
use stillframe_base::geom::Aabb;

type Result<T> = std::result::Result<T, Fault>;

/// Attributes that are read, in the order of [`Key::attributes`].
pub const ATTRIBUTES: [&str; 6] = ["POSITION", "NORMAL", "TANGENT", "TEXCOORD_0", "TEXCOORD_1", "COLOR_0"];

/// Attributes of morph targets that the format knows and that are not read.
const LEFT_OUT_OF_TARGETS: [&str; 4] = ["TEXCOORD_0", "TEXCOORD_1", "COLOR_0", "COLOR_1"];

/// What makes the triangles of two primitives the same: equal accessors.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord)]
pub struct Key {
    attributes: [Option<u32>; ATTRIBUTES.len()],
    joints: [Option<u32>; skin::ATTRIBUTES.len()],
    /// Accessors of positions, normals and tangents of each morph target.
    targets: Vec<[Option<u32>; 3]>,
    indices: Option<u32>,
    mode: u64,
    /// The buffer view that holds it all, packed by Draco.
    packed: Option<u32>,
}

/// What a morph channel takes, with its name.
pub const CHANNEL_BYTES: u64 = 160;

/// What a vertex with every attribute takes.
pub const VERTEX_BYTES: u64 = 72;

impl<'a> Importer<'a> {
    /// Reads the primitives of a mesh as parts of model node `position`, which is `node` in the file.
    pub fn mesh(&mut self, mesh: u32, node: At<'a>, position: usize) -> std::result::Result<(), Stop> {
        let at = self.root.key("meshes").entry(mesh, node.key("mesh"))?;
        let channels = channels(node.key("weights"), at)?;
        self.budget.spend(channels.len() as u64 * CHANNEL_BYTES, "morph channels")?;
        self.model.nodes[position].morphs = channels;
        let skin = node.key("skin").opt_index()?;
        let joint_count = match skin {
            Some(skin) => Some(self.root.key("skins").entry(skin, node.key("skin"))?.key("joints").len()),
            None => None,
        };
        if let Some(skin) = skin {
            self.skin_users.entry(skin).or_default().push(position);
        }
        if !at.key("primitives").exists() {
            return Err(at.key("primitives").wrong("a list").into());
        }
        for primitive in at.key("primitives").items()? {
            let Some(part) = self.primitive(primitive)? else { continue };
            let geometry = &self.model.geometries[part.geometry];
            if let Some(joint_count) = joint_count {
                skin::check(primitive, &geometry.influences, joint_count)?;
            }
            if joint_count.is_some() || !geometry.targets.is_empty() {
                // Every node that bends it holds its own copy when it is shown.
                let surface = &geometry.surface;
                let bytes = surface.positions.len() as u64 * VERTEX_BYTES + surface.indices.len() as u64 * 4;
                self.budget.spend(bytes, &primitive.to_string())?;
            }
            self.note_mappings(primitive, position, self.model.nodes[position].parts.len())?;
            self.model.nodes[position].parts.push(part);
        }
        Ok(())
    }

    /// `None` for what is not drawn: nothing.
    fn primitive(&mut self, at: At<'a>) -> std::result::Result<Option<Part>, Stop> {
        let mode = at.key("mode").u64_or(4)?;
        if mode > 6 {
            return Err(at.key("mode").wrong("0 to 6").into());
        }
        let key = key(at, mode)?;
        if key.attributes[0].is_none() {
            self.warn(at.fault(code::PRIMITIVE_SKIPPED, "is ignored: it has no POSITION"));
            return Ok(None);
        }
        let geometry = match self.known.geometries.get(&key) {
            Some(geometry) => *geometry,
            None => {
                let geometry = self.whole_geometry(at, &key)?;
                self.model.geometries.push(geometry);
                let position = self.model.geometries.len() - 1;
                self.known.geometries.insert(key, position);
                position
            }
        };
        let is_stroked = self.strokes.iter().any(|strokes| strokes.geometry == geometry && !strokes.ends.is_empty());
        let surface = &self.model.geometries[geometry].surface;
        if surface.indices.is_empty() && !is_stroked {
            self.warn(at.fault(code::PRIMITIVE_SKIPPED, "has no triangles, lines or points"));
            return Ok(None);
        }
        let is_shaded = !is_stroked || !surface.normals.is_empty();
        let material = self.material(at.key("material"))?;
        let material = if is_shaded { material } else { self.unlit_material(material) };
        Ok(Some(Part { geometry, material }))
    }

    /// The same material, unlit: strokes without normals are not shaded.
    fn unlit_material(&mut self, material: usize) -> usize {
        if let Some(known) = self.known.unlit.get(&material) {
            return *known;
        }
        self.model.materials.push(stroke::unlit(&self.model.materials[material]));
        let position = self.model.materials.len() - 1;
        self.known.unlit.insert(material, position);
        position
    }

    /// Triangles, joints, morph targets and the points that vertices come from.
    fn whole_geometry(&mut self, at: At<'a>, key: &Key) -> Result<ModelGeometry> {
        let packed = self.packed(at)?;
        let mut surface = self.geometry(at, key, packed.as_ref())?;
        if let Some(index) = surface.positions.iter().position(|p| !p.iter().all(|x| x.is_finite())) {
            return Err(at.fault(code::NOT_FINITE, format!("the position of vertex {index} is not finite")));
        }
        surface.bounds = Aabb::of_points(surface.positions.iter().map(|p| Vec3::from(*p)));
        let count = surface.positions.len();
        let influences = self.influences(at, count, packed.as_ref())?;
        self.tell_left_out(at.key("targets"))?;
        let mut targets = Vec::with_capacity(key.targets.len());
        for target in at.key("targets").items()? {
            targets.push(self.target(target, count)?);
        }
        let points = at.key("attributes").key("_VID");
        let sources = match self.named(points, "_VID", packed.as_ref())? {
            Some(accessor) => self.points(&accessor, count)?,
            None => Vec::new(),
        };
        Ok(ModelGeometry { surface, influences, targets, sources })
    }

    /// `_VID`: by vertex, the number of the point in the program that made the file. Anything but whole numbers is left
    /// out.
    fn points(&mut self, accessor: &Accessor<'a>, count: usize) -> Result<Vec<u32>> {
        if accessor.count != count || accessor.rows() != 1 {
            return Ok(Vec::new());
        }
        let values = accessor.floats::<1>(&mut self.budget)?.into_flattened();
        let whole = values.iter().all(|v| (0.0..16_777_216.0).contains(v) && v.trunc() == *v);
        Ok(if whole { values.into_iter().map(|v| v as u32).collect() } else { Vec::new() })
    }

    /// What an attribute names: its part of the packed primitive, else its accessor.
    pub fn named(&mut self, at: At<'a>, name: &str, packed: Option<&Packed<'a>>) -> Result<Option<Accessor<'a>>> {
        if let Some(accessor) = packed.and_then(|p| p.attribute(name)) {
            return Ok(Some(accessor));
        }
        at.opt_index()?.map(|index| self.accessor(index, at)).transpose()
    }

    /// Attributes and indices as they are stored.
    fn geometry(&mut self, at: At<'a>, key: &Key, packed: Option<&Packed<'a>>) -> Result<Geometry> {
        let attributes = at.key("attributes");
        let [position, normal, tangent, uv0, uv1, color] = ATTRIBUTES;
        let mut geometry = Geometry::default();
        let positions = self.named(attributes.key(position), position, packed)?.expect("checked");
        let count = positions.count;
        geometry.positions = positions.floats(&mut self.budget)?;
        geometry.normals = self.attribute::<3>(attributes.key(normal), normal, count, packed)?;
        geometry.tangents = self.attribute::<4>(attributes.key(tangent), tangent, count, packed)?;
        geometry.uv0 = self.attribute::<2>(attributes.key(uv0), uv0, count, packed)?;
        geometry.uv1 = self.attribute::<2>(attributes.key(uv1), uv1, count, packed)?;
        let at_color = attributes.key(color);
        geometry.colors = match self.named(at_color, color, packed)?.map_or(0, |c| c.rows()) {
            3 => {
                let rgb = self.attribute::<3>(at_color, color, count, packed)?;
                self.budget.spend(count as u64 * 4, "colours")?;
                rgb.into_iter().map(|[r, g, b]| [r, g, b, 1.0]).collect()
            }
            _ => self.attribute::<4>(at_color, color, count, packed)?,
        };
        if key.mode < 4 && packed.is_none() {
            let ends = self.lines(at, key, count)?;
            self.strokes.push(Strokes { geometry: self.model.geometries.len(), ends });
        } else {
            geometry.indices = self.triangles(at, key, count, packed)?;
        }
        Ok(geometry)
    }

    /// One attribute, as long as the positions; values that are not finite become 0.
    fn attribute<const N: usize>(
        &mut self,
        at: At<'a>,
        name: &str,
        count: usize,
        packed: Option<&Packed<'a>>,
    ) -> Result<Vec<[f32; N]>> {
        let Some(accessor) = self.named(at, name, packed)? else { return Ok(Vec::new()) };
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
            let message = format!(
                "replaced {} by 0",
                crate::source::count(replaced_count, "non-finite element", "non-finite elements")
            );
            self.warn(at.fault(code::VALUES_REPLACED, message));
        }
        Ok(values)
    }

    /// The vertices of each triangle, whatever the mode.
    fn triangles(
        &mut self,
        at: At<'a>,
        key: &Key,
        vertex_count: usize,
        packed: Option<&Packed<'a>>,
    ) -> Result<Vec<u32>> {
        let is_flat = key.attributes[1].is_none();
        if let Some(packed) = packed {
            // Draco holds triangles, whatever the primitive says.
            self.hold_triangles(packed.indices.len() / 3, is_flat, at)?;
            return Ok(packed.indices.clone());
        }
        let (order, pieces) = self.order(at, key, vertex_count)?;
        let in_piece = |piece: &Range<usize>| match key.mode {
            4 => piece.len() / 3,
            _ => piece.len().saturating_sub(2),
        };
        let triangle_count: usize = pieces.iter().map(in_piece).sum();
        if key.mode == 4 && pieces.iter().any(|piece| !piece.len().is_multiple_of(3)) {
            let corner_count: usize = pieces.iter().map(|piece| piece.len()).sum();
            let message =
                format!("the number of corners, {corner_count}, is not a multiple of three; ignored the last");
            self.warn(at.fault(code::PRIMITIVE_SKIPPED, message));
        }
        self.hold_triangles(triangle_count, is_flat, at)?;
        let vertex = |place: usize| order.as_ref().map_or(place as u32, |o| o[place]);
        let mut out = Vec::with_capacity(triangle_count * 3);
        for piece in &pieces {
            for i in 0..in_piece(piece) {
                // A strip keeps its facing by swapping two corners of every second triangle.
                let corners = match key.mode {
                    4 => [3 * i, 3 * i + 1, 3 * i + 2],
                    5 => [i, i + 1 + i % 2, i + 2 - i % 2],
                    _ => [i + 1, i + 2, 0],
                };
                out.extend(corners.map(|corner| vertex(piece.start + corner)));
            }
        }
        Ok(out)
    }

    /// Corners in order, cut where a strip or fan begins anew; `None`: one after the other.
    fn order(&mut self, at: At<'a>, key: &Key, vertex_count: usize) -> Result<(Option<Vec<u32>>, Vec<Range<usize>>)> {
        let mut pieces: Vec<Range<usize>> = Vec::new();
        let order: Option<Vec<u32>> = match key.indices {
            None => None,
            Some(index) => {
                let accessor = self.accessor(index, at.key("indices"))?;
                let order = accessor.wholes::<1>(&mut self.budget)?.into_flattened();
                let restart = accessor.largest();
                let mut start = 0;
                for (place, vertex) in order.iter().enumerate().filter(|(_, v)| **v as usize >= vertex_count) {
                    // The largest number of its type begins anew, as it does in graphics interfaces.
                    if *vertex != restart {
                        let message = format!("element {place} is vertex {vertex}, but there are only {vertex_count}");
                        return Err(accessor.at().fault(code::VERTEX_INDEX, message));
                    }
                    self.budget.spend(size_of::<Range<usize>>() as u64, &at.to_string())?;
                    pieces.push(start..place);
                    start = place + 1;
                }
                pieces.push(start..order.len());
                Some(order)
            }
        };
        if pieces.is_empty() {
            pieces.push(0..order.as_ref().map_or(vertex_count, Vec::len));
        }
        Ok((order, pieces))
    }

    /// The ends of lines; those of a point are one vertex.
    fn lines(&mut self, at: At<'a>, key: &Key, vertex_count: usize) -> Result<Vec<[u32; 2]>> {
        let (order, pieces) = self.order(at, key, vertex_count)?;
        let in_piece = |piece: &Range<usize>| match (key.mode, piece.len()) {
            (0, count) => count,
            (1, count) => count / 2,
            // A loop of two corners is one line.
            (2, count) if count > 2 => count,
            (_, count) => count.saturating_sub(1),
        };
        stroke::hold(pieces.iter().map(in_piece).sum(), &at.to_string(), &mut self.budget)?;
        let mut out = Vec::new();
        for piece in &pieces {
            let vertex = |place: usize| {
                let place = piece.start + place % piece.len();
                order.as_ref().map_or(place as u32, |o| o[place])
            };
            out.extend((0..in_piece(piece)).map(|i| match key.mode {
                0 => [vertex(i); 2],
                1 => [vertex(2 * i), vertex(2 * i + 1)],
                _ => [vertex(i), vertex(i + 1)],
            }));
        }
        Ok(out)
    }

    /// Makes sure that triangles can be held, and baked later; flat ones get vertices of their own then.
    fn hold_triangles(&mut self, count: usize, is_flat: bool, at: At<'a>) -> Result<()> {
        let triangle_bytes = if is_flat { 12 + 3 * VERTEX_BYTES } else { 12 };
        self.budget.spend(count as u64 * triangle_bytes, &at.to_string())?;
        self.budget.reserve_baking(count as u64, &at.to_string())
    }

    /// Warns of what targets of a primitive do to colours and texture coordinates: vertices keep those.
    fn tell_left_out(&mut self, targets: At<'a>) -> Result<()> {
        for name in LEFT_OUT_OF_TARGETS {
            let Some(target) = targets.items()?.find(|target| target.key(name).exists()) else { continue };
            let message = format!("ignored what morph targets do to {name}");
            let fault = target.fault(code::MORPH_LEFT_OUT, message);
            self.warn(fault.help("use positions and normals instead, or a second mesh"));
        }
        Ok(())
    }

    /// One morph target: of the vertices that it moves.
    fn target(&mut self, at: At<'a>, count: usize) -> Result<MorphTarget> {
        let mut read = |name| self.attribute::<3>(at.key(name), name, count, None);
        let (positions, normals, tangents) = (read("POSITION")?, read("NORMAL")?, read("TANGENT")?);
        let moves = |values: &[[f32; 3]], vertex: usize| values.get(vertex).is_some_and(|v| *v != [0.0; 3]);
        let moved = |v: &usize| moves(&positions, *v) || moves(&normals, *v) || moves(&tangents, *v);
        let vertices: Vec<u32> = (0..count).filter(moved).map(|v| v as u32).collect();
        self.budget.spend(vertices.len() as u64 * 40, &at.to_string())?;
        let some = |values: &[[f32; 3]]| -> Vec<[f32; 3]> {
            if values.is_empty() { Vec::new() } else { vertices.iter().map(|v| values[*v as usize]).collect() }
        };
        let positions = if positions.is_empty() { vec![[0.0; 3]; vertices.len()] } else { some(&positions) };
        let (normals, tangents) = (some(&normals), some(&tangents));
        Ok(MorphTarget { name: String::new(), vertices, positions, normals, tangents })
    }
}

fn key(at: At<'_>, mode: u64) -> Result<Key> {
    let attributes = at.key("attributes");
    let mut key = Key {
        attributes: [None; ATTRIBUTES.len()],
        joints: [None; skin::ATTRIBUTES.len()],
        targets: Vec::new(),
        indices: at.key("indices").opt_index()?,
        mode,
        packed: packed::extension(at).key("bufferView").opt_index()?,
    };
    for (slot, name) in key.attributes.iter_mut().zip(ATTRIBUTES) {
        *slot = attributes.key(name).opt_index()?;
    }
    for (slot, name) in key.joints.iter_mut().zip(skin::ATTRIBUTES) {
        *slot = attributes.key(name).opt_index()?;
    }
    for target in at.key("targets").items()? {
        let index = |name| target.key(name).opt_index();
        key.targets.push([index("POSITION")?, index("NORMAL")?, index("TANGENT")?]);
    }
    Ok(key)
}

/// One channel a morph target: weights of the node, else of the mesh; names where exporters put them.
fn channels(node: At<'_>, mesh: At<'_>) -> Result<Vec<MorphChannel>> {
    let mut count = 0;
    for primitive in mesh.key("primitives").items()? {
        count = count.max(primitive.key("targets").len());
    }
    let weights = if node.exists() { node } else { mesh.key("weights") };
    let weights: Vec<f32> = weights.items()?.map(At::f32).collect::<Result<_>>()?;
    let names = mesh.key("extras").key("targetNames");
    let names: Vec<Option<&str>> = names.items().into_iter().flatten().map(|n| n.str().ok()).collect();
    let channel = |i: usize| MorphChannel {
        name: names.get(i).copied().flatten().map_or_else(|| format!("target {i}"), str::to_string),
        weight: weights.get(i).copied().map_or(0.0, f64::from),
        shapes: vec![(1.0, i)],
    };
    Ok((0..count).map(channel).collect())
}
