//! Primitives that Draco packed.
//!
//! Source: KHR_draco_mesh_compression; the decoder is the `draco-core` crate. The packed data is what counts, even
//! where accessors hold the same unpacked: that is for readers without the extension. Attributes are found by the ids
//! that the primitive states; those it does not list come from their accessors. What the stream says about its size is
//! believed up to the budget.

use std::rc::Rc;

use draco_core::{DataType, DecodeLimits, DecoderBuffer, FaceIndex, Mesh, MeshDecoder, PointAttribute, PointIndex};

use super::accessor::{Accessor, Component};
use super::bytes::Bytes;
use super::json::At;
use super::packed::{Packed, extension};
use super::{Importer, mesh, skin};
use crate::import::{Fault, code, foreign};

type Result<T> = std::result::Result<T, Fault>;

impl<'a> Importer<'a> {
    /// Unpacks a primitive; `None` where it is not packed.
    pub fn packed(&mut self, primitive: At<'a>) -> Result<Option<Packed<'a>>> {
        let Some(at) = extension(primitive).some() else { return Ok(None) };
        let view_at = at.key("bufferView");
        let (bytes, _) = self.view(view_at.index()?, view_at)?;
        let left_bytes = self.budget.left_bytes();
        let limits = DecodeLimits::default()
            .with_max_faces(self.budget.left_triangles())
            .with_max_points(left_bytes / mesh::VERTEX_BYTES)
            .with_max_decoded_bytes(left_bytes / 8);
        let unpacked = foreign::call(|| {
            let mut mesh = Mesh::new();
            let mut buffer = DecoderBuffer::new(bytes.get()).with_limits(limits);
            MeshDecoder::new().decode(&mut buffer, &mut mesh).map(|()| mesh)
        });
        let mesh = match unpacked {
            Some(Ok(mesh)) => mesh,
            Some(Err(error)) if error.kind() == draco_core::ErrorKind::LimitExceeded => {
                return Err(at.fault(code::TOO_LARGE, format!("unpacks to more than the limit for this file: {error}")));
            }
            Some(Err(error)) => return Err(at.fault(code::PACKED, format!("cannot be unpacked: {error}"))),
            None => return Err(at.fault(code::PACKED, "cannot be unpacked: its data is broken")),
        };
        let count = mesh.num_points();
        self.budget.spend(mesh.num_faces() as u64 * 12, &at.to_string())?;
        let mut indices = Vec::with_capacity(mesh.num_faces() * 3);
        for face in 0..mesh.num_faces() {
            indices.extend(mesh.face(FaceIndex(face as u32)).map(|point| point.0));
        }
        if indices.iter().any(|vertex| *vertex as usize >= count) {
            return Err(at.fault(code::PACKED, "its triangles use missing points"));
        }
        let mut attributes = Vec::new();
        for name in mesh::ATTRIBUTES.into_iter().chain(skin::ATTRIBUTES).chain(["_VID"]) {
            let id_at = at.key("attributes").key(name);
            let Some(id) = id_at.opt_index()? else { continue };
            let Some(stored) = mesh.attribute_by_unique_id(id) else {
                return Err(id_at.fault(code::PACKED, format!("the packed data has no attribute {id}")));
            };
            let index_at = primitive.key("attributes").key(name);
            let normalized = match index_at.opt_index()? {
                Some(index) => self.root.key("accessors").entry(index, index_at)?.key("normalized").bool_or(false)?,
                None => stored.normalized(),
            };
            attributes.push((name, self.values(id_at, stored, count, normalized)?));
        }
        Ok(Some(Packed { indices, attributes }))
    }

    /// An attribute's values point by point.
    fn values(&mut self, at: At<'a>, stored: &PointAttribute, count: usize, normalized: bool) -> Result<Accessor<'a>> {
        let component = match stored.data_type() {
            DataType::Int8 => Component::I8,
            DataType::Uint8 | DataType::Bool => Component::U8,
            DataType::Int16 => Component::I16,
            DataType::Uint16 => Component::U16,
            DataType::Uint32 => Component::U32,
            DataType::Float32 => Component::F32,
            other => {
                return Err(at.fault(code::ACCESSOR_KIND, format!("is packed as {other:?}, which glTF does not have")));
            }
        };
        let rows = usize::from(stored.num_components());
        let size = rows * component.size_bytes() as usize;
        self.budget.spend(count as u64 * size as u64, &at.to_string())?;
        let stride = stored.byte_stride() as usize;
        let data = stored.buffer().data();
        let mut bytes = Vec::with_capacity(count * size);
        for point in 0..count {
            let value = stored.mapped_index(PointIndex(point as u32)).0 as usize;
            let start = value.checked_mul(stride);
            let Some(value) = start.and_then(|start| data.get(start..start.checked_add(size)?)) else {
                return Err(at.fault(code::PACKED, format!("point {point} has no value in the packed data")));
            };
            bytes.extend_from_slice(value);
        }
        Ok(Accessor::tight(at, Bytes::Own(Rc::new(bytes)), count, component, rows, normalized))
    }
}
