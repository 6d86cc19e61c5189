//! Geometry: vertex and index buffers, one buffer a geometry, its streams one after the other.

use std::collections::BTreeMap;
use std::sync::Arc;

use bytemuck::cast_slice;

use super::bind::filled;
use crate::asset::{Geometry, GeometryId};

/// A geometry on the device.
#[derive(Debug)]
pub struct GeometryBuffer {
    pub buffer: wgpu::Buffer,
    /// By `Stream as usize`, where geometries hold it; empty where this one has none.
    pub streams: [std::ops::Range<u64>; 6],
    pub indices: std::ops::Range<u64>,
    pub index_count: u32,
    /// Behind the indices stand those of the same triangles from the last to the first.
    pub has_reverse: bool,
    /// What was uploaded.
    pub geometry: Arc<Geometry>,
}

/// Geometries on the device, by id.
pub type Geometries = BTreeMap<GeometryId, GeometryBuffer>;

/// Uploads a geometry; with `has_reverse` so that it can be drawn from its last triangle to its first.
pub fn upload(device: &wgpu::Device, geometry: &Arc<Geometry>, has_reverse: bool) -> GeometryBuffer {
    let mut order = geometry.indices.clone();
    if has_reverse {
        order.extend(geometry.indices.rchunks_exact(3).flatten());
    }
    let parts: [&[u8]; 7] = [
        cast_slice(&geometry.positions),
        cast_slice(&geometry.normals),
        cast_slice(&geometry.tangents),
        cast_slice(&geometry.uv0),
        cast_slice(&geometry.uv1),
        cast_slice(&geometry.colors),
        cast_slice(&order),
    ];
    // All streams are made of 4-byte values, so every range starts aligned.
    let bytes = parts.concat();
    let mut ends = 0;
    let ranges = parts.map(|part| {
        let start = ends;
        ends += part.len() as u64;
        start..ends
    });
    // A shader may bend it.
    let usage = wgpu::BufferUsages::VERTEX | wgpu::BufferUsages::INDEX | wgpu::BufferUsages::STORAGE;
    let [p, n, t, u, v, c, indices] = ranges;
    GeometryBuffer {
        buffer: filled(device, "geometry", usage, &bytes),
        streams: [p, n, t, u, v, c],
        indices,
        index_count: geometry.indices.len() as u32,
        has_reverse,
        geometry: geometry.clone(),
    }
}
