//! Models as tables of numbers: binary STL, PLY.

use std::fmt::Write as _;

use stillframe_base::rng::Stream;

use super::draw::{Bytes, lie, mesh};
use crate::fuzz::Case;
use crate::fuzz::mutate::{self, between, float};

/// Eighty bytes, a count, fifty bytes a triangle.
pub fn stl(stream: &mut Stream) -> Case {
    let mesh = mesh(stream);
    let mut out = Bytes::default();
    let head: &[u8] = if stream.one_in(4) { b"solid, but binary" } else { b"made" };
    out.raw(head).raw(&vec![b' '; 80 - head.len()]);
    out.u32(lie(stream, 8, mesh.faces.len() as u32));
    for face in &mesh.faces {
        for _ in 0..3 {
            out.f32(float(stream));
        }
        for corner in &face[..3] {
            let point = mesh.points[*corner as usize % mesh.points.len()];
            for x in point {
                out.f32(x);
            }
        }
        out.u16(if stream.one_in(4) { stream.next_u32() as u16 } else { 0 });
    }
    Case::new("model.stl", out.bytes)
}

/// Types of numbers by their names, with their sizes.
const TYPES: &[(&str, usize)] = &[
    ("float", 4),
    ("double", 8),
    ("uchar", 1),
    ("short", 2),
    ("ushort", 2),
    ("int", 4),
    ("uint", 4),
    ("char", 1),
    ("float32", 4),
    ("uint8", 1),
    ("int16", 2),
];

/// Elements with properties as a header says, as text or in either order of bytes.
pub fn ply(stream: &mut Stream) -> Case {
    let mesh = mesh(stream);
    let form = *stream.pick(&["ascii", "binary_little_endian", "binary_big_endian"]);
    let mut header = format!("ply\nformat {form} {}\ncomment made\n", if stream.one_in(60) { "2.0" } else { "1.0" });
    let _ = writeln!(header, "element vertex {}", lie(stream, 12, mesh.points.len() as u32));
    let mut properties = vec![("x", "float"), ("y", "float"), ("z", "float")];
    for name in ["nx", "ny", "nz", "red", "green", "blue", "alpha", "s", "t", "u", "v", "quality"] {
        if stream.one_in(3) {
            let (ty, _) =
                if matches!(name, "red" | "green" | "blue" | "alpha") { ("uchar", 1) } else { *stream.pick(TYPES) };
            properties.push((name, ty));
        }
    }
    if stream.one_in(8) {
        properties.rotate_left(1);
    }
    for (name, ty) in &properties {
        let _ = writeln!(header, "property {ty} {name}");
    }
    let (count_type, index_type) =
        (*stream.pick(&["uchar", "int", "ushort"]), *stream.pick(&["int", "uint", "ushort", "uchar"]));
    let _ = writeln!(header, "element face {}", lie(stream, 12, mesh.faces.len() as u32));
    let list = if stream.one_in(2) { "vertex_indices" } else { "vertex_index" };
    let _ = writeln!(header, "property list {count_type} {index_type} {list}");
    let extra = stream.one_in(6);
    if extra {
        header.push_str("element edge 1\nproperty int vertex1\nproperty int vertex2\n");
    }
    header.push_str("end_header\n");
    if stream.one_in(6) {
        let words = &[
            "property list uchar double x\n",
            "element face 1\n",
            "property float x\n",
            "element vertex 4294967295\n",
            "obj_info a\n",
            "end_header\n",
            "\r",
        ];
        mutate::text(stream, &mut header, words);
    }
    let mut out = Bytes { big_endian: form == "binary_big_endian", ..Bytes::default() };
    let ascii = form == "ascii";
    let mut text = String::new();
    for point in &mesh.points {
        for (name, ty) in &properties {
            let number = match *name {
                "x" => point[0],
                "y" => point[1],
                "z" => point[2],
                _ if ty.starts_with("float") || *ty == "double" => float(stream),
                _ => stream.below(200) as f32,
            };
            write_number(ascii, ty, number, &mut out, &mut text);
        }
        text.push('\n');
    }
    for face in &mesh.faces {
        write_number(ascii, count_type, lie(stream, 60, face.len() as u32) as f32, &mut out, &mut text);
        face.iter().for_each(|corner| write_number(ascii, index_type, *corner as f32, &mut out, &mut text));
        text.push('\n');
    }
    if extra {
        (0..2).for_each(|_| write_number(ascii, "int", 1.0, &mut out, &mut text));
    }
    if stream.one_in(20) {
        let cut = between(stream, 0, out.bytes.len());
        out.bytes.truncate(cut);
    }
    let body = if ascii { text.into_bytes() } else { out.bytes };
    Case::new("model.ply", [header.into_bytes(), body].concat())
}

fn write_number(ascii: bool, ty: &str, number: f32, out: &mut Bytes, text: &mut String) {
    if ascii {
        let _ = match ty {
            "float" | "float32" | "double" => write!(text, "{number} "),
            _ => write!(text, "{} ", number as i64),
        };
        return;
    }
    match ty {
        "float" | "float32" => out.f32(number),
        "double" => out.f64(f64::from(number)),
        "short" | "int16" => out.u16(number as i16 as u16),
        "ushort" => out.u16(number as u16),
        "int" => out.u32(number as i32 as u32),
        "uint" => out.u32(number as u32),
        "char" => out.u8(number as i8 as u8),
        _ => out.u8(number as u8),
    };
}
