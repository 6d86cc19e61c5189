//! Every kind of accessor: component type, normalized, stride, sparse, no view.

use serde_json::json;
use stillframe_testkit::glb::Glb;

use super::import_bytes;

#[derive(Clone, Copy, Debug, PartialEq)]
enum Component {
    I8,
    U8,
    I16,
    U16,
    U32,
    F32,
}

use Component::*;

const COMPONENTS: [(Component, u32); 6] = [(I8, 5120), (U8, 5121), (I16, 5122), (U16, 5123), (U32, 5125), (F32, 5126)];

/// Bytes of one stored number, and what it means: the specification's formulas in f64.
fn stored(component: Component, normalized: bool, seed: i64) -> (Vec<u8>, f32) {
    let scaled = |value: i64, max: f64, signed: bool| {
        if !normalized {
            return value as f32;
        }
        let unit = value as f64 / max;
        (if signed { unit.max(-1.0) } else { unit }) as f32
    };
    match component {
        I8 => (vec![seed as i8 as u8], scaled(i64::from(seed as i8), 127.0, true)),
        U8 => (vec![seed as u8], scaled(i64::from(seed as u8), 255.0, false)),
        I16 => ((seed as i16).to_le_bytes().to_vec(), scaled(i64::from(seed as i16), 32767.0, true)),
        U16 => ((seed as u16).to_le_bytes().to_vec(), scaled(i64::from(seed as u16), 65535.0, false)),
        U32 => ((seed as u32).to_le_bytes().to_vec(), scaled(i64::from(seed as u32), 4294967295.0, false)),
        F32 => ((seed as f32 * 0.37).to_le_bytes().to_vec(), seed as f32 * 0.37),
    }
}

/// A spread of values that reaches both ends of each type.
fn seed(index: usize, width: usize, channel: usize) -> i64 {
    let at = (index * width + channel) as i64;
    [0, -128, 127, 255, -32768, 32767, 65535, 1 << 31, (1 << 32) - 1][(at % 9) as usize] + at * 7919
}

#[derive(Clone, Copy, Debug, PartialEq)]
enum Sparse {
    No,
    /// Over stored values, with places of this type.
    Over(Component),
    /// Over zeros: no buffer view.
    OverNothing,
    /// No buffer view, no places: zeros.
    Zeros,
}

#[derive(Clone, Copy, Debug)]
struct Case {
    component: Component,
    gl: u32,
    normalized: bool,
    /// Bytes between elements beyond their own, and before the first.
    padding: usize,
    sparse: Sparse,
}

/// Adds an accessor of `count` elements of `N` numbers; what must be read.
fn add<const N: usize>(glb: &mut Glb, case: Case, count: usize) -> (usize, Vec<[f32; N]>) {
    let size = stored(case.component, false, 0).0.len();
    let stride = (size * N + case.padding).next_multiple_of(4);
    let strided = case.padding > 0;
    let mut bytes = vec![0xEE; case.padding];
    let mut wanted = Vec::new();
    for index in 0..count {
        let mut row = [0.0; N];
        let start = bytes.len();
        for (channel, number) in row.iter_mut().enumerate() {
            let (stored, value) = stored(case.component, case.normalized, seed(index, N, channel));
            bytes.extend(stored);
            *number = value;
        }
        // The last element needs no padding behind it: it must not be asked for.
        if strided && index + 1 < count {
            bytes.resize(start + stride, 0xEE);
        }
        wanted.push(row);
    }
    let kind = ["SCALAR", "VEC2", "VEC3", "VEC4"][N - 1];
    let mut accessor = json!({ "componentType": case.gl, "normalized": case.normalized, "count": count, "type": kind });
    if matches!(case.sparse, Sparse::OverNothing | Sparse::Zeros) {
        wanted = vec![[0.0; N]; count];
    } else {
        accessor["bufferView"] = json!(glb.view(&bytes, strided.then_some(stride)));
        accessor["byteOffset"] = json!(case.padding);
    }
    if matches!(case.sparse, Sparse::Over(_) | Sparse::OverNothing) {
        let (place_gl, place_size) = match case.sparse {
            Sparse::Over(U8) => (5121, 1),
            Sparse::Over(U16) => (5123, 2),
            _ => (5125, 4),
        };
        let places = [1_u32, count as u32 - 1];
        let place_bytes: Vec<u8> = places.iter().flat_map(|p| p.to_le_bytes()[..place_size].to_vec()).collect();
        let mut value_bytes = Vec::new();
        for place in places {
            for (channel, number) in wanted[place as usize].iter_mut().enumerate() {
                let (stored, value) = stored(case.component, case.normalized, seed(place as usize + 40, N, channel));
                value_bytes.extend(stored);
                *number = value;
            }
        }
        let place_view = glb.view(&place_bytes, None);
        let value_view = glb.view(&value_bytes, None);
        accessor["sparse"] = json!({
            "count": places.len(),
            "indices": { "bufferView": place_view, "componentType": place_gl },
            "values": { "bufferView": value_view },
        });
    }
    (glb.push("accessors", accessor), wanted)
}

fn cases() -> Vec<Case> {
    let mut out = Vec::new();
    for (component, gl) in COMPONENTS {
        for normalized in [false, true] {
            for padding in [0, 4, 12] {
                for sparse in [
                    Sparse::No,
                    Sparse::Over(U8),
                    Sparse::Over(U16),
                    Sparse::Over(U32),
                    Sparse::OverNothing,
                    Sparse::Zeros,
                ] {
                    out.push(Case { component, gl, normalized, padding, sparse });
                }
            }
        }
    }
    out
}

#[test]
fn every_accessor_reads_as_the_specification_says() {
    for case in cases() {
        let count = 6;
        let mut glb = Glb::new();
        let (position, positions) = add::<3>(&mut glb, case, count);
        let (normal, normals) = add::<3>(&mut glb, case, count);
        let (tangent, tangents) = add::<4>(&mut glb, case, count);
        let (uv0, uvs) = add::<2>(&mut glb, case, count);
        let (color, colors) = add::<4>(&mut glb, case, count);
        glb.mesh(json!({ "attributes": {
            "POSITION": position, "NORMAL": normal, "TANGENT": tangent, "TEXCOORD_0": uv0, "TEXCOORD_1": uv0,
            "COLOR_0": color,
        } }));
        let model = import_bytes(&glb.bytes()).unwrap_or_else(|d| panic!("{case:?}: {d:#?}"));
        let geometry = &model.geometries[0].surface;
        assert_eq!(geometry.positions, positions, "{case:?}");
        assert_eq!(geometry.normals, normals, "{case:?}");
        assert_eq!(geometry.tangents, tangents, "{case:?}");
        assert_eq!(geometry.uv0, uvs, "{case:?}");
        assert_eq!(geometry.uv1, uvs, "{case:?}");
        assert_eq!(geometry.colors, colors, "{case:?}");
        assert_eq!(geometry.indices, [0, 1, 2, 3, 4, 5], "{case:?}");
    }
}

#[test]
fn three_channel_colours_are_opaque() {
    for case in cases() {
        let mut glb = Glb::new();
        let position = glb.floats(&stillframe_testkit::glb::TRIANGLE);
        let (color, colors) = add::<3>(&mut glb, case, 3);
        glb.mesh(json!({ "attributes": { "POSITION": position, "COLOR_0": color } }));
        let model = import_bytes(&glb.bytes()).unwrap_or_else(|d| panic!("{case:?}: {d:#?}"));
        let wanted: Vec<[f32; 4]> = colors.iter().map(|[r, g, b]| [*r, *g, *b, 1.0]).collect();
        assert_eq!(model.geometries[0].surface.colors, wanted, "{case:?}");
    }
}

#[test]
fn indices_of_every_width() {
    for (gl, size) in [(5121, 1), (5123, 2), (5125, 4)] {
        for sparse in [false, true] {
            let mut glb = Glb::new();
            let positions: Vec<[f32; 3]> = (0..9).map(|i| [i as f32, (i * i) as f32, 0.0]).collect();
            let position = glb.floats(&positions);
            let mut order = vec![8_u32, 1, 2, 2, 1, 7];
            let bytes =
                |order: &[u32]| -> Vec<u8> { order.iter().flat_map(|i| i.to_le_bytes()[..size].to_vec()).collect() };
            let view = glb.view(&bytes(&order), None);
            let mut accessor = json!({ "bufferView": view, "componentType": gl, "count": 6, "type": "SCALAR" });
            if sparse {
                let places = glb.view(&[0, 5], None);
                let values = glb.view(&bytes(&[3, 4]), None);
                (order[0], order[5]) = (3, 4);
                accessor["sparse"] = json!({
                    "count": 2,
                    "indices": { "bufferView": places, "componentType": 5121 },
                    "values": { "bufferView": values },
                });
            }
            let indices = glb.push("accessors", accessor);
            glb.mesh(json!({ "attributes": { "POSITION": position }, "indices": indices }));
            let model = import_bytes(&glb.bytes()).expect("good");
            assert_eq!(model.geometries[0].surface.indices, order, "{gl} sparse {sparse}");
        }
    }
}
