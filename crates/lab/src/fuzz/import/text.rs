//! Models as text: OBJ with MTL, STL.

use std::fmt::Write as _;

use stillframe_base::rng::Stream;

use super::draw::mesh;
use super::picture;
use crate::fuzz::Case;
use crate::fuzz::mutate::{self, between, float, number_text};

const OBJ_WORDS: &[&str] = &[
    "f 1 2 3\n",
    "f -1 -2 -3\n",
    "f 1/1/1 2//2 3/3\n",
    "f 4294967296 1 2\n",
    "usemtl \n",
    "mtllib a.mtl\n",
    "l 1 2\n",
    "p 1\n",
    "s off\n",
    "s 99999999999\n",
    "o \u{1F980}\n",
    "g a b c\n",
    "v 1e39 0 0\n",
    "v 0 0\n",
    "vp 1\n",
    "curv 0 1 2\n",
    "\\\n",
    "#",
    "/",
    "//",
    " -0 ",
    "vn nan nan nan\n",
    "f 0 0 0\n",
    "map_Kd ",
    "newmtl a\n",
];

/// A model with normals, coordinates, groups and materials.
pub fn obj(stream: &mut Stream) -> Case {
    let mut out = String::from("# made\n");
    let with_materials = stream.one_in(2);
    if with_materials {
        out.push_str("mtllib a.mtl\n");
    }
    let mut seen = 0;
    for part in 0..between(stream, 1, 3) {
        let mesh = mesh(stream);
        let _ = writeln!(out, "o part{part}");
        let (uv, normals, colors) = (stream.one_in(2), stream.one_in(2), stream.one_in(4));
        for point in &mesh.points {
            let _ = write!(out, "v {} {} {}", point[0], point[1], point[2]);
            if colors {
                let _ = write!(out, " {} 0.5 1", float(stream));
            }
            out.push('\n');
        }
        if uv {
            for p in &mesh.points {
                let _ = writeln!(out, "vt {} {}", p[0], p[1]);
            }
        }
        if normals {
            for p in &mesh.points {
                let _ = writeln!(out, "vn {} {} {}", p[2], p[0], p[1]);
            }
        }
        let back = stream.one_in(4);
        for (index, face) in mesh.faces.iter().enumerate() {
            if with_materials && stream.one_in(2) {
                let _ = writeln!(out, "usemtl {}", stream.pick(&["red", "tex", "none", ""]));
            }
            if stream.one_in(4) {
                let _ = writeln!(out, "s {}", if index % 2 == 0 { "1" } else { "off" });
            }
            out.push('f');
            for corner in face {
                let number = match back {
                    true => i64::from(*corner) - mesh.points.len() as i64,
                    false => i64::from(*corner) + 1 + seen,
                };
                let _ = match (uv, normals) {
                    (true, true) => write!(out, " {number}/{number}/{number}"),
                    (true, false) => write!(out, " {number}/{number}"),
                    // Normals are numbered apart from points; a wrong number is a case too.
                    (false, true) => write!(out, " {number}//{number}"),
                    (false, false) => write!(out, " {number}"),
                };
            }
            out.push('\n');
        }
        if uv && normals || !stream.one_in(3) {
            seen += mesh.points.len() as i64;
        } else {
            break;
        }
        if !(uv && normals) {
            break;
        }
    }
    if stream.one_in(3) {
        mutate::text(stream, &mut out, OBJ_WORDS);
    }
    let mut case = Case::new("model.obj", out.into_bytes());
    if with_materials && !stream.one_in(6) {
        materials(stream, &mut case);
    }
    case
}

fn materials(stream: &mut Stream, case: &mut Case) {
    let mut text = String::from("newmtl red\nKd 1 0 0\nKs 0.5 0.5 0.5\nNs 32\nnewmtl tex\n");
    for key in ["Kd", "Ka", "Ke", "Ks", "Pr", "Pm", "Ni", "d", "Tr", "illum", "aniso"] {
        if stream.one_in(3) {
            let count = if key.starts_with('K') { 3 } else { 1 };
            let numbers: Vec<String> = (0..count)
                .map(|_| if stream.one_in(8) { number_text(stream) } else { stream.unit_f32().to_string() })
                .collect();
            let _ = writeln!(text, "{key} {}", numbers.join(" "));
        }
    }
    if stream.one_in(2) {
        let picture = picture::small(stream);
        let key =
            stream.pick(&["map_Kd", "map_Bump -bm 0.5", "norm", "map_d", "map_Kd -s 2 2 2 -o 0.5", "map_Ke -clamp on"]);
        let _ = writeln!(text, "{key} {}", picture.name);
        if !stream.one_in(5) {
            case.beside.push((picture.name, picture.bytes));
        }
    }
    if stream.one_in(4) {
        mutate::text(stream, &mut text, OBJ_WORDS);
    }
    case.beside.push(("a.mtl".into(), text.into_bytes()));
}

/// A model as text.
pub fn stl(stream: &mut Stream) -> Case {
    let mesh = mesh(stream);
    let mut out = String::from("solid made\n");
    for face in &mesh.faces {
        let _ = writeln!(out, " facet normal {} {} {}\n  outer loop", float(stream), float(stream), float(stream));
        for corner in &face[..3] {
            let point = mesh.points[*corner as usize % mesh.points.len()];
            let _ = writeln!(out, "   vertex {} {} {:e}", point[0], point[1], point[2]);
        }
        out.push_str("  endloop\n endfacet\n");
    }
    out.push_str("endsolid made\n");
    if stream.one_in(3) {
        let words = &[
            "solid ",
            "facet ",
            "vertex 1 2\n",
            "endloop\n",
            "endsolid\n",
            "outer loop\n",
            "vertex 1e40 nan 0\n",
            "\0",
        ];
        mutate::text(stream, &mut out, words);
    }
    Case::new("model.stl", out.into_bytes())
}
