//! Vertices: fetched, shaded and assembled one by one. Source: `docs/adapter-rules.md`, Geometry.

use naga::{Binding, BuiltIn, TypeInner};
use wgpu_types::{IndexFormat, PrimitiveTopology, VertexFormat, VertexStepMode};

use super::bytes;
use super::group::Group;
use super::io;
use super::texel::f16_to_f32;
use super::value::{Scalar, Value};
use crate::work::{BufferRange, Draw, DrawKind, Fault, IndexRange};

/// A shaded vertex.
#[derive(Clone, Debug)]
pub struct Vertex {
    pub position: [f32; 4],
    /// `(location, parts)` of every output.
    pub values: Vec<(u32, Vec<Scalar>)>,
}

impl Vertex {
    /// The parts at a location.
    pub fn at(&self, location: u32) -> &[Scalar] {
        let (_, parts) = self.values.iter().find(|(l, _)| *l == location).expect("wgpu-core matched the stages");
        parts
    }
}

/// A point, line or triangle of shaded vertices.
#[derive(Clone, Debug)]
pub struct Primitive {
    pub vertices: Vec<Vertex>,
    /// Within its instance.
    pub index: u32,
}

/// What a draw asks for, with indirect arguments read.
struct Counts {
    first: u32,
    count: u32,
    base_vertex: i32,
    first_instance: u32,
    instance_count: u32,
    indexed: bool,
}

fn counts(draw: &Draw) -> Counts {
    match draw.what {
        DrawKind::Direct { first_vertex, vertex_count, first_instance, instance_count } => Counts {
            first: first_vertex,
            count: vertex_count,
            base_vertex: 0,
            first_instance,
            instance_count,
            indexed: false,
        },
        DrawKind::Indexed { first_index, index_count, base_vertex, first_instance, instance_count } => Counts {
            first: first_index,
            count: index_count,
            base_vertex,
            first_instance,
            instance_count,
            indexed: true,
        },
        DrawKind::Indirect { ref arguments, offset_bytes, indexed } => {
            let word = |i: usize| bytes::read_u32(&arguments.memory, offset_bytes as usize + 4 * i);
            Counts {
                count: word(0),
                instance_count: word(1),
                first: word(2),
                base_vertex: if indexed { word(3) as i32 } else { 0 },
                first_instance: word(if indexed { 4 } else { 3 }),
                indexed,
            }
        }
    }
}

/// Bytes of a bound range; none where they do not lie wholly inside.
fn range_bytes(range: &BufferRange, at: u64, count: usize) -> Option<Vec<u8>> {
    let end = at.checked_add(count as u64)?;
    (end <= range.size_bytes).then(|| {
        (0..count).map(|i| bytes::read::<1>(&range.buffer.memory, (range.offset_bytes + at) as usize + i)[0]).collect()
    })
}

fn index_at(index: &IndexRange, i: u64) -> u32 {
    let size = match index.format {
        IndexFormat::Uint16 => 2,
        IndexFormat::Uint32 => 4,
    };
    let bytes = range_bytes(&index.range, i * size, size as usize).unwrap_or(vec![0; size as usize]);
    bytes.iter().rev().fold(0, |all, &byte| all << 8 | byte as u32)
}

/// Every primitive of a draw in order.
pub fn primitives(draw: &Draw, step_budget: u64) -> Result<Vec<Primitive>, Fault> {
    let counts = counts(draw);
    let topology = draw.pipeline.primitive.topology;
    let strip = topology.is_strip();
    let mut all = vec![];
    for instance in 0..counts.instance_count {
        let instance = counts.first_instance.wrapping_add(instance);
        // Runs of vertices without a restart between them.
        let mut runs: Vec<Vec<Vertex>> = vec![vec![]];
        for i in 0..counts.count {
            let index = if counts.indexed {
                let index = draw.index.as_ref().expect("wgpu-core asks for an index buffer");
                let value = index_at(index, counts.first as u64 + i as u64);
                let restart = match index.format {
                    IndexFormat::Uint16 => 0xFFFF,
                    IndexFormat::Uint32 => u32::MAX,
                };
                if strip && value == restart {
                    runs.push(vec![]);
                    continue;
                }
                value.wrapping_add(counts.base_vertex as u32)
            } else {
                counts.first.wrapping_add(i)
            };
            runs.last_mut().expect("one run at least").push(shade(draw, index, instance, step_budget)?);
        }
        let mut index = 0;
        for run in runs {
            for corners in corners(topology, run.len()) {
                all.push(Primitive { vertices: corners.iter().map(|&c| run[c].clone()).collect(), index });
                index += 1;
            }
        }
    }
    Ok(all)
}

/// The corners of every primitive of a run of vertices.
fn corners(topology: PrimitiveTopology, count: usize) -> Vec<Vec<usize>> {
    match topology {
        PrimitiveTopology::PointList => (0..count).map(|i| vec![i]).collect(),
        PrimitiveTopology::LineList => (0..count / 2).map(|i| vec![2 * i, 2 * i + 1]).collect(),
        PrimitiveTopology::LineStrip => (1..count).map(|i| vec![i - 1, i]).collect(),
        PrimitiveTopology::TriangleList => (0..count / 3).map(|i| vec![3 * i, 3 * i + 1, 3 * i + 2]).collect(),
        PrimitiveTopology::TriangleStrip => {
            (2..count).map(|i| if i % 2 == 0 { vec![i - 2, i - 1, i] } else { vec![i - 2, i, i - 1] }).collect()
        }
    }
}

/// Runs the vertex stage once.
fn shade(draw: &Draw, vertex_index: u32, instance_index: u32, step_budget: u64) -> Result<Vertex, Fault> {
    let stage = &draw.pipeline.vertex;
    let module = &stage.shader.module;
    let function = &module.entry_points[stage.entry_index].function;
    let mut group = Group::new(stage, &draw.bindings, 1, step_budget);
    let arguments = io::arguments(module, function, 1, |binding, ty, _| match binding {
        Binding::BuiltIn(BuiltIn::VertexIndex) => Value::u32(vertex_index),
        Binding::BuiltIn(BuiltIn::InstanceIndex) => Value::u32(instance_index),
        Binding::Location { location, .. } => attribute(draw, *location, ty, vertex_index, instance_index),
        other => unreachable!("{other:?} in a vertex stage"),
    });
    let result = group.run(function, arguments, vec![true])?.remove(0);
    let mut vertex = Vertex { position: [0.0; 4], values: vec![] };
    for (binding, value) in io::outputs(module, function, &result) {
        match binding {
            Binding::BuiltIn(BuiltIn::Position { .. }) => vertex.position.copy_from_slice(&value.f32s()),
            Binding::BuiltIn(other) => unreachable!("{other:?} from a vertex stage"),
            Binding::Location { location, .. } => vertex.values.push((location, value.parts())),
        }
    }
    Ok(vertex)
}

/// The attribute of a location as the shader's type, missing parts being (0, 0, 0, 1).
fn attribute(draw: &Draw, location: u32, ty: &TypeInner, vertex_index: u32, instance_index: u32) -> Value {
    let (kind, count) = match *ty {
        TypeInner::Scalar(scalar) => (scalar.kind, 1),
        TypeInner::Vector { size, scalar } => (scalar.kind, size as usize),
        ref other => unreachable!("an attribute of {other:?}"),
    };
    for (slot, layout) in draw.pipeline.vertex_buffers.iter().enumerate() {
        let Some(layout) = layout else { continue };
        let Some(attribute) = layout.attributes.iter().find(|a| a.shader_location == location) else { continue };
        let step = match layout.step_mode {
            VertexStepMode::Vertex => vertex_index,
            VertexStepMode::Instance => instance_index,
        };
        let size = attribute.format.size() as usize;
        let range = draw.vertex_buffers.get(slot).and_then(Option::as_ref);
        let bytes = range
            .and_then(|range| range_bytes(range, layout.stride_bytes * step as u64 + attribute.offset, size))
            .unwrap_or(vec![0; size]);
        let mut parts = decode(attribute.format, &bytes);
        let one = match kind {
            naga::ScalarKind::Float => Scalar::F32(1.0),
            kind => Scalar::from_bits(kind, 1),
        };
        while parts.len() < count {
            parts.push(if parts.len() == 3 { one } else { Scalar::zero(kind) });
        }
        return Value::from_parts(&parts[..count]);
    }
    unreachable!("wgpu-core found a buffer for location {location}")
}

/// The parts of one attribute.
fn decode(format: VertexFormat, bytes: &[u8]) -> Vec<Scalar> {
    let name = format!("{format:?}");
    if format == VertexFormat::Unorm10_10_10_2 {
        let word = u32::from_le_bytes(bytes.try_into().expect("four bytes"));
        let ten = |at: u32| Scalar::F32((word >> at & 1023) as f32 / 1023.0);
        return vec![ten(0), ten(10), ten(20), Scalar::F32((word >> 30) as f32 / 3.0)];
    }
    let bits = match &name {
        n if n.contains("64") => 64,
        n if n.contains("32") => 32,
        n if n.contains("16") => 16,
        _ => 8,
    };
    let part = |part: &[u8]| {
        let word = part.iter().rev().fold(0u64, |all, &byte| all << 8 | byte as u64);
        let signed = (word << (64 - bits)) as i64 >> (64 - bits);
        let (unsigned_one, signed_one) = ((1u64 << (bits - 1) << 1).wrapping_sub(1), (1u64 << (bits - 1)) - 1);
        match &name {
            n if n.starts_with("Uint") => Scalar::U32(word as u32),
            n if n.starts_with("Sint") => Scalar::I32(signed as i32),
            n if n.starts_with("Unorm") => Scalar::F32(word as f32 / unsigned_one as f32),
            n if n.starts_with("Snorm") => Scalar::F32((signed as f32 / signed_one as f32).max(-1.0)),
            _ if bits == 16 => Scalar::F32(f16_to_f32(word as u16)),
            _ if bits == 32 => Scalar::F32(f32::from_bits(word as u32)),
            _ => Scalar::F32(f64::from_bits(word) as f32),
        }
    };
    let mut parts: Vec<Scalar> = bytes.chunks_exact(bits as usize / 8).map(part).collect();
    if format == VertexFormat::Unorm8x4Bgra {
        parts.swap(0, 2);
    }
    parts
}
