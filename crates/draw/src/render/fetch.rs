//! Fetch: what shaders read that fetch corners: a geometry's streams as arrays, and the pixels that items may cover.

use std::collections::BTreeMap;

use bytemuck::cast_slice;

use super::bend::Bending;
use super::bind::{
    DEPTH, Entry, FRAGMENT, Layouts, STORAGE_READ, TEXTURE_UINT, UNIFORM, UNIFORM_AT, VERTEX, VERTEX_FRAGMENT, filled,
    group,
};
use super::geometry::Geometries;
use super::object::{BentId, Objects};
use crate::asset::GeometryId;
use crate::material::Variant;

/// Group 0: numbers of triangles and their depth.
pub const VIEW_ENTRIES: &[Entry] =
    &[(0, VERTEX_FRAGMENT, UNIFORM_AT), (1, FRAGMENT, TEXTURE_UINT), (2, FRAGMENT, DEPTH)];

/// Group 3: objects, a geometry as it is bent and at rest, where its streams begin, rectangles of objects.
pub const OBJECT_ENTRIES: &[Entry] = &[
    (0, FRAGMENT, STORAGE_READ),
    (1, FRAGMENT, STORAGE_READ),
    (2, FRAGMENT, STORAGE_READ),
    (3, FRAGMENT, UNIFORM),
    (4, VERTEX, STORAGE_READ),
];

/// A geometry as it is bent, if it is.
type Shape = (GeometryId, Option<u32>);

/// Group 3 of all that is fetched.
#[derive(Debug, Default)]
pub struct Fetching {
    groups: BTreeMap<Shape, wgpu::BindGroup>,
    pub bytes: u64,
}

impl Fetching {
    /// For every batch whose corners are fetched. `array`: objects.
    pub fn new(
        device: &wgpu::Device,
        objects: &Objects,
        (geometries, bending): (&Geometries, &Bending),
        layouts: &mut Layouts,
        array: &wgpu::Buffer,
    ) -> Fetching {
        let mut out = Fetching::default();
        let mut rectangles = None;
        for batch in objects.lists.iter().flatten().filter(|batch| batch.key.variant == Variant::Fetched) {
            let shape = shape(batch.geometry, batch.bent);
            if out.groups.contains_key(&shape) {
                continue;
            }
            let usage = wgpu::BufferUsages::STORAGE;
            let rectangles = rectangles.get_or_insert_with(|| {
                out.bytes += size_of_val(&objects.rectangles[..]) as u64;
                filled(device, "rectangles", usage, cast_slice(&objects.rectangles))
            });
            let geometry = &geometries[&batch.geometry];
            let bent = shape.1.and_then(|bent| bending.shape(&BentId::from((batch.geometry, bent))));
            let (shaped, shape_starts) =
                bent.unwrap_or((&geometry.buffer, [0, 1, 2].map(|at| geometry.streams[at].start)));
            let rest = geometry.streams[3..].iter().chain([&geometry.indices]).map(|range| range.start);
            let mut starts: Vec<u32> = shape_starts.into_iter().chain(rest).map(|start| (start / 4) as u32).collect();
            starts.resize(8, 0);
            let starts = filled(device, "starts", wgpu::BufferUsages::UNIFORM, cast_slice(&starts));
            out.bytes += starts.size();
            let resources = [
                (0, array.as_entire_binding()),
                (1, shaped.as_entire_binding()),
                (2, geometry.buffer.as_entire_binding()),
                (3, starts.as_entire_binding()),
                (4, rectangles.as_entire_binding()),
            ];
            let layout = layouts.layout(device, "corners", OBJECT_ENTRIES);
            out.groups.insert(shape, group(device, "corners", &layout, &resources));
        }
        out
    }

    pub fn group(&self, geometry: GeometryId, bent: Option<[u32; 2]>) -> &wgpu::BindGroup {
        &self.groups[&shape(geometry, bent)]
    }
}

fn shape(geometry: GeometryId, bent: Option<[u32; 2]>) -> Shape {
    (geometry, bent.map(|[now, _]| now))
}
