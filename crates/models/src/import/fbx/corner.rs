//! Corners become vertices: a mesh is split by material, and corners equal in everything are one vertex.

use super::Importer;
use super::mesh::{Key, Mesh};
use crate::asset::Geometry;
use crate::import::{Fault, ModelGeometry};

/// Everything that tells vertices apart, as bits.
type Record = [u32; 18];

impl Mesh {
    fn material(&self, triangle: &[u32; 3]) -> u32 {
        self.materials.get(self.outline.polygons[triangle[0] as usize] as usize).copied().unwrap_or(0)
    }

    /// Materials of triangles, ascending; those past the last as they stand.
    pub fn used_materials(&self) -> Vec<u32> {
        let mut used: Vec<u32> = self.triangles.iter().map(|triangle| self.material(triangle)).collect();
        used.sort_unstable();
        used.dedup();
        used
    }

    /// The place of a set of texture coordinates.
    pub fn uv_set(&self, name: &str) -> Option<usize> {
        self.uv_sets.iter().position(|set| set.name == name)
    }

    fn record(&self, corner: u32, key: Key) -> Record {
        let c = corner as usize;
        let mut out = [0; 18];
        out[0] = self.outline.points[c];
        let mut put = |at: usize, values: &[f32]| {
            // -0 and 0 are one number.
            values.iter().enumerate().for_each(|(i, value)| out[at + i] = (value + 0.0).to_bits());
        };
        put(1, self.normals.get(c).map_or(&[][..], |n| n));
        put(4, self.tangents.get(c).map_or(&[][..], |t| t));
        for (place, set) in key.uv_sets.iter().enumerate() {
            put(8 + 2 * place, set.map_or(&[][..], |set| &self.uv_sets[set].values[c]));
        }
        put(12, self.colors.get(c).map_or(&[][..], |color| color));
        out[17] = self.sets.get(c).copied().unwrap_or(0);
        out
    }
}

impl Importer<'_, '_> {
    /// The triangles of one material as vertices and indices. Out: position in `Model::geometries`.
    pub fn part(&mut self, mesh: &mut Mesh, key: Key) -> Result<usize, Fault> {
        if let Some(position) = mesh.made.get(&key) {
            return Ok(*position);
        }
        let what = &mesh.name;
        let of = |triangle: &&[u32; 3]| {
            let material = mesh.material(triangle);
            material == key.material || key.and_above && material > key.material
        };
        let corners: Vec<u32> = mesh.triangles.iter().filter(of).flatten().copied().collect();
        self.budget.reserve_baking(corners.len() as u64 / 3, what)?;
        // Records while vertices are found, at worst all of one point; then the vertices.
        self.budget.allow(corners.len() as u64 * 84, what)?;
        let first = firsts(mesh, &corners, key);
        // Vertices in the order in which triangles name them.
        let mut numbers = vec![u32::MAX; corners.len()];
        let mut kept = Vec::new();
        let mut indices = Vec::with_capacity(corners.len());
        for (place, twin) in first.iter().enumerate() {
            if *twin as usize == place {
                numbers[place] = kept.len() as u32;
                kept.push(corners[place]);
            }
            indices.push(numbers[*twin as usize]);
        }
        // Without normals `bake` gives every corner a vertex.
        let vertex_count = if mesh.normals.is_empty() { corners.len() } else { kept.len() };
        self.budget.spend((vertex_count * 80 + indices.len() * 4) as u64, what)?;
        let pick = |set: Option<usize>| match set {
            None => Vec::new(),
            Some(set) => kept.iter().map(|corner| mesh.uv_sets[set].values[*corner as usize]).collect(),
        };
        let sources: Vec<u32> = kept.iter().map(|corner| mesh.outline.points[*corner as usize]).collect();
        let surface = Geometry {
            positions: sources.iter().map(|point| mesh.points.places[*point as usize].map(|v| v as f32)).collect(),
            normals: values(&mesh.normals, &kept),
            tangents: values(&mesh.tangents, &kept),
            uv0: pick(key.uv_sets[0]),
            uv1: pick(key.uv_sets[1]),
            colors: values(&mesh.colors, &kept),
            indices,
            ..Geometry::default()
        };
        let influences = mesh.bending.influences(&sources, &mut self.budget)?;
        let targets = mesh.bending.targets(&sources, &kept, &mut self.budget)?;
        self.model.geometries.push(ModelGeometry { surface, influences, targets, sources });
        let position = self.model.geometries.len() - 1;
        mesh.made.insert(key, position);
        Ok(position)
    }
}

fn values<T: Copy>(of_corners: &[T], kept: &[u32]) -> Vec<T> {
    if of_corners.is_empty() { Vec::new() } else { kept.iter().map(|corner| of_corners[*corner as usize]).collect() }
}

/// For each place in `corners` the first one whose corner equals its own.
fn firsts(mesh: &Mesh, corners: &[u32], key: Key) -> Vec<u32> {
    let point = |place: u32| mesh.outline.points[corners[place as usize] as usize];
    let mut first: Vec<u32> = (0..corners.len() as u32).collect();
    let mut order = first.clone();
    order.sort_unstable_by_key(|place| (point(*place), *place));
    // Only corners of one point can be equal.
    let mut records: Vec<(Record, u32)> = Vec::new();
    for group in order.chunk_by(|a, b| point(*a) == point(*b)) {
        records.clear();
        records.extend(group.iter().map(|place| (mesh.record(corners[*place as usize], key), *place)));
        records.sort_unstable();
        for pair in records.windows(2).filter(|pair| pair[0].0 == pair[1].0) {
            let [(_, before), (_, place)] = [pair[0], pair[1]];
            first[place as usize] = first[before as usize];
        }
    }
    first
}
