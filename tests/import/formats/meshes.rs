//! OBJ, STL and PLY: what they hold comes out, the same mesh in each is the same shape, nonsense has a code.

use std::fmt::Write as _;
use std::path::Path;

use glam::{DMat4, DVec3, Vec3};
use proptest::prelude::*;
use proptest::test_runner::{Config, RngSeed, TestRunner};
use stillframe_asset::asset::{AlphaMode, Slot, Texels, Wrap};
use stillframe_asset::source::Diagnostic;
use stillframe_models::bake::{TangentWish, complete};
use stillframe_models::import::{self, Local, Model};
use stillframe_testkit::depth::cases;

use super::{data, read};
use crate::laws::{check, cut_off};

fn asset(name: &str) -> Model {
    let file = Path::new(env!("CARGO_MANIFEST_DIR")).join("scenes/assets").join(name);
    import::model(&file, &read).unwrap_or_else(|d| panic!("{name}: {d:#?}"))
}

/// Imports bytes under a name; pictures and libraries come from `tests/data/images`.
fn import_as(name: &str, bytes: &[u8]) -> Result<Model, Vec<Diagnostic>> {
    let file = data("images").join(name);
    let read_here = |path: &Path| if path == file { Ok(bytes.to_vec()) } else { read(path) };
    import::model(&file, &read_here)
}

/// Imports an OBJ file with the library `test.mtl`.
fn obj(text: &str, library: &str) -> Model {
    let file = data("images").join("test.obj");
    let read_here = |path: &Path| match path.file_name().and_then(|n| n.to_str()) {
        Some("test.obj") => Ok(text.as_bytes().to_vec()),
        Some("test.mtl") => Ok(library.as_bytes().to_vec()),
        _ => read(path),
    };
    import::model(&file, &read_here).unwrap_or_else(|d| panic!("{d:#?}"))
}

/// Corners of all triangles in metres, +Y up.
fn triangles(model: &Model, z_up: bool) -> Vec<[DVec3; 3]> {
    let mut placed: Vec<DMat4> = Vec::new();
    let mut out = Vec::new();
    for node in &model.nodes {
        let Local::Trs(local) = &node.local else { panic!("no matrix is expected") };
        let parent = node.parent.map_or(model.model_from_file, |p| placed[p]);
        let here = parent * local.matrix();
        placed.push(here);
        for part in &node.parts {
            let surface = &model.geometries[part.geometry].surface;
            out.extend(surface.indices.chunks_exact(3).map(|t| {
                [0, 1, 2].map(|i| {
                    let p = here.transform_point3(DVec3::from(surface.positions[t[i] as usize].map(f64::from)));
                    if z_up { DVec3::new(p.x, p.z, -p.y) } else { p }
                })
            }));
        }
    }
    out
}

/// Whether some turn of the corners brings two triangles within 1e-5 m.
fn alike(a: &[DVec3; 3], b: &[DVec3; 3]) -> bool {
    (0..3).any(|turn| (0..3).all(|i| (a[i] - b[(i + turn) % 3]).abs().max_element() < 1e-5))
}

#[test]
fn the_same_mesh_in_every_format_is_the_same_shape() {
    let wanted = triangles(&asset("suzanne.glb"), false);
    let middle = |t: &[DVec3; 3]| (t[0] + t[1] + t[2]).x;
    for (name, z_up) in
        [("suzanne.obj", false), ("suzanne.stl", true), ("suzanne.ply", true), ("suzanne_ascii.ply", true)]
    {
        let model = asset(name);
        assert_eq!(model.warnings, [], "{name}");
        assert_eq!(model.format.up, if z_up { None } else { Some(import::Axis::Y) }, "{name}");
        let found = triangles(&model, z_up);
        assert_eq!(found.len(), wanted.len(), "{name}");
        let mut left = found.clone();
        left.sort_by(|a, b| middle(a).total_cmp(&middle(b)));
        let mut used = vec![false; left.len()];
        let mut lost = Vec::new();
        for triangle in &wanted {
            let start = left.partition_point(|t| middle(t) < middle(triangle) - 1e-4);
            let near = (start..left.len()).take_while(|i| middle(&left[*i]) < middle(triangle) + 1e-4);
            match near.into_iter().find(|i| !used[*i] && alike(&left[*i], triangle)) {
                Some(index) => used[index] = true,
                None => lost.push(*triangle),
            }
        }
        // Quads may be cut along their other diagonal: then their corners are the same, and so is their area.
        let rest: Vec<_> = left.iter().zip(&used).filter(|(_, used)| !**used).map(|(t, _)| *t).collect();
        println!("{name}: {} of {} triangles are cut otherwise", lost.len(), wanted.len());
        let area = |list: &[[DVec3; 3]]| list.iter().map(|t| (t[1] - t[0]).cross(t[2] - t[0]).length()).sum::<f64>();
        assert!((area(&lost) - area(&rest)).abs() < 1e-3 * area(&wanted), "{name}");
        let has = |list: &[[DVec3; 3]], p: DVec3| list.iter().flatten().any(|q| (*q - p).abs().max_element() < 1e-5);
        assert!(
            lost.iter().flatten().all(|p| has(&rest, *p)) && rest.iter().flatten().all(|p| has(&lost, *p)),
            "{name}"
        );
        assert!(lost.len() * 50 < wanted.len(), "{name}: {} triangles are elsewhere", lost.len());
    }
}

#[test]
fn suzanne_brings_her_material_and_coordinates() {
    let glb = asset("suzanne.glb");
    let model = asset("suzanne.obj");
    assert_eq!(model.nodes.len(), 1);
    assert_eq!((model.nodes[0].name.as_str(), model.materials[0].name.as_str()), ("suzanne", "suzanne"));
    assert_eq!(model.format.generator.as_deref(), Some("Blender 4.5.15 LTS"));
    let material = &model.materials[0];
    assert_eq!((material.roughness, material.metallic, material.normal_scale), (0.5, 0.0, 1.0));
    assert_eq!(material.base_color, [1.0; 4], "no Kd beside a picture");
    assert_eq!(model.images.len(), 2);
    // Each vertex of the GLB is there with its coordinates and nearly its normal.
    let (a, b) = (&glb.geometries[0].surface, &model.geometries[0].surface);
    assert_eq!(a.positions.len(), b.positions.len(), "seams part the same vertices");
    let mut worst = [0.0_f32; 2];
    for index in 0..a.positions.len() {
        let near = (0..b.positions.len()).filter(|i| {
            (Vec3::from(a.positions[index]) - Vec3::from(b.positions[*i])).length() < 2e-6
                && (a.uv0[index][0] - b.uv0[*i][0]).abs() + (a.uv0[index][1] - b.uv0[*i][1]).abs() < 1e-5
        });
        let best = near
            .map(|i| (Vec3::from(a.normals[index]) - Vec3::from(b.normals[i]).normalize()).length())
            .fold(f32::MAX, f32::min);
        worst[0] = worst[0].max(best);
    }
    assert!(worst[0] < 1e-3, "{worst:?}");
}

fn faces_of(model: &Model) -> Vec<(String, String, usize)> {
    let mut out = Vec::new();
    for node in &model.nodes {
        for part in &node.parts {
            let count = model.geometries[part.geometry].surface.indices.len() / 3;
            out.push((node.name.clone(), model.materials[part.material].name.clone(), count));
        }
    }
    out
}

#[test]
fn objects_groups_and_materials() {
    let text = "mtllib test.mtl\nv 0 0 0\nv 1 0 0\nv 1 1 0\nv 0 1 0\nf 1 2 3\no body\nusemtl red\nf 1 2 3 4\ng lid top\n\
                f -4 -3 -2\nusemtl blue\nf 1// 2// 3//\no body\nusemtl red\nf 1 3 4\nusemtl no_such\nf 1 2 4\nl 1 2\nf 1 2\n";
    let model = obj(text, "newmtl red\nKd 1 0 0\nnewmtl blue\nKd 0 0 1\nd 0.5\nNs 0\nKe 2 1 0.5\nPc 1\n");
    let name = |a: &str, b: &str, c| (a.to_string(), b.to_string(), c);
    let wanted = [
        name("test", "", 1),
        name("body", "red", 3),
        name("body", "no_such", 1),
        // The line is a rod of eight triangles.
        name("body", "no_such", 8),
        name("lid top", "red", 1),
        name("lid top", "blue", 1),
    ];
    assert_eq!(faces_of(&model), wanted);
    assert_eq!(model.nodes[2].parent, Some(1));
    let blue = model.materials.iter().find(|m| m.name == "blue").expect("blue");
    assert_eq!((blue.base_color, blue.alpha_mode, blue.roughness), ([0.0, 0.0, 1.0, 0.5], AlphaMode::Blend, 1.0));
    assert_eq!((blue.emissive, blue.double_sided), ([2.0, 1.0, 0.5], true));
    let codes: Vec<&str> = model.warnings.iter().map(|w| w.code).collect();
    assert_eq!(codes, ["W0451", "W0471", "W0452"], "{:#?}", model.warnings);
    let missing = obj("mtllib not_there.mtl\nusemtl x\nv 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 3", "");
    assert_eq!(missing.warnings.len(), 2, "{:#?}", missing.warnings);
}

/// Lines run through their vertices, whatever way they are counted; points are one vertex each.
#[test]
fn lines_and_points() {
    let text = "v 0 0 0\nv 4 0 0\nv 4 3 0 1 0 0\nl 1/1 2 -1\np 2 3\n";
    let model = obj(text, "");
    let surface = &model.geometries[0].surface;
    // Two rods and two octahedra.
    assert_eq!((surface.positions.len(), surface.indices.len(), model.warnings.len()), (24, 96, 0));
    assert!(model.materials[model.nodes[0].parts[0].material].unlit);
    assert_eq!((surface.colors[0], surface.colors[9]), ([1.0; 4], [1.0, 0.0, 0.0, 1.0]));
    // The outline of a rod is on average as wide as a part in 256 of the diagonal.
    let radius = 5.0 / 256.0 * 0.6046;
    for (vertex, at) in surface.positions.iter().enumerate().take(6) {
        let off = (at[1] * at[1] + at[2] * at[2]).sqrt();
        assert!((off - radius).abs() < 1e-6 && at[0] == [0.0, 4.0][vertex / 3], "{at:?}");
    }
    let file = data("images").join("test.obj");
    for wrong in ["l 1 9", "p 0", "l one", "p -4"] {
        let text = format!("{text}{wrong}\n");
        let read_here = |_: &Path| Ok(text.as_bytes().to_vec());
        assert!(import::model(&file, &read_here).is_err(), "{wrong}");
    }
}

#[test]
fn maps_of_every_kind() {
    let text = "mtllib test.mtl\nv 0 0 0\nv 1 0 0\nv 0 1 0\nvt 0 0\nvt 1 0\nvt 0 1\n\
                usemtl a\nf 1/1 2/2 3/3\nusemtl b\nf 1/1 2/2 3/3\nusemtl c\nf 1/1 2/2 3/3\n";
    let library = "newmtl a\nKd 0.5 0.25 1\nmap_Kd -s 2 2 -o 0.5 0 -clamp on source.png\nmap_d source.png\nPr 0.25\n\
                   map_Pr grey.tga\nmap_Pm -imfchan g plain24.tga\nmap_Bump -bm 0.5 plain24.bmp\nmap_Ke C:\\pictures\\palette.png\n\
                   newmtl b\nKd 0 0 0\nmap_Kd etc1s.ktx2\nbump grey.tga\nmap_Pr plain24.tga\nmap_Pm plain24.tga\n\
                   newmtl c\nmap_Kd nowhere.png\nKd 0 1 0\n";
    let model = obj(text, library);
    assert_eq!(model.geometries[0].surface.uv0, [[0.0, 1.0], [1.0, 1.0], [0.0, 0.0]], "v points down here");
    let [a, b, c] = &model.materials[..] else { panic!("three materials") };
    let base = a.textures.get(&Slot::BaseColor).expect("base");
    assert_eq!((a.base_color, a.alpha_mode), ([0.5, 0.25, 1.0, 1.0], AlphaMode::Mask { cutoff: 0.5 }));
    assert_eq!((base.wrap, base.transform.x, base.transform.offset), ([Wrap::Clamp; 2], [2.0, 0.0], [0.5, -1.0]));
    let image = |slot: Option<&stillframe_asset::asset::TextureSlot>| &model.images[slot.expect("a map").image.index()];
    assert_eq!(
        image(a.textures.get(&Slot::BaseColor)).texels,
        import::picture(&data("images/source.png"), &read(&data("images/source.png")).unwrap()).unwrap().texels
    );
    let packed = image(a.textures.get(&Slot::MetallicRoughness));
    let (grey, plain) = ("grey.tga", "plain24.tga");
    let texels =
        |name: &str| match import::picture(&data("images").join(name), &read(&data("images").join(name)).unwrap())
            .unwrap()
            .texels
        {
            Texels::Rgba8(texels) => texels,
            other => panic!("{other:?}"),
        };
    let Texels::Rgba8(found) = &packed.texels else { panic!("8 bits") };
    for (index, texel) in found.chunks_exact(4).enumerate() {
        assert_eq!(texel, [255, texels(grey)[index * 4], texels(plain)[index * 4 + 1], 255]);
    }
    assert_eq!((a.roughness, a.metallic, a.normal_scale), (0.25, 1.0, 0.5));
    assert_eq!((image(a.textures.get(&Slot::Emissive)).name.as_str(), a.emissive), ("palette.png", [1.0; 3]));
    assert_eq!(
        (b.base_color, image(b.textures.get(&Slot::BaseColor)).levels.len()),
        ([1.0; 4], 4),
        "black beside a picture"
    );
    assert!(!b.textures.contains_key(&Slot::Normal), "a grey picture is no normal map");
    let Texels::Rgba8(found) = &image(b.textures.get(&Slot::MetallicRoughness)).texels else { panic!("8 bits") };
    assert_eq!(found[40..43], [255, texels(plain)[41], texels(plain)[42]], "one picture for both is packed as in glTF");
    assert_eq!(c.base_color, [0.0, 1.0, 0.0, 1.0]);
    assert_eq!(image(c.textures.get(&Slot::BaseColor)).name, "missing picture");
    let codes: Vec<&str> = model.warnings.iter().map(|w| w.code).collect();
    assert_eq!(codes, ["W0454", "W0459"], "{:#?}", model.warnings);
}

/// A cube of quads: 8 shared normals in one group, 24 flat ones in none, and what groups by face make of it.
#[test]
fn smoothing_groups_join_and_part() {
    let corners = "v 0 0 0\nv 1 0 0\nv 1 1 0\nv 0 1 0\nv 0 0 1\nv 1 0 1\nv 1 1 1\nv 0 1 1\n";
    let sides = ["4 3 2 1", "5 6 7 8", "1 2 6 5", "3 4 8 7", "2 3 7 6", "4 1 5 8"];
    let cube = |groups: [&str; 6]| {
        let faces: String = groups.iter().zip(sides).map(|(s, f)| format!("s {s}\nf {f}\n")).collect();
        obj(&format!("{corners}{faces}"), "")
    };
    let baked = |model: &Model| {
        let mut normals: Vec<[i32; 3]> = Vec::new();
        let mut vertices = 0;
        for geometry in &model.geometries {
            let done = complete(geometry.surface.clone(), TangentWish::Any).geometry;
            vertices += done.positions.len();
            normals.extend(done.normals.iter().map(|n| n.map(|v| (v * 1000.0).round() as i32)));
        }
        normals.sort_unstable();
        normals.dedup();
        (vertices, normals.len())
    };
    assert_eq!(baked(&cube(["1"; 6])), (8, 8));
    assert_eq!(baked(&cube(["off"; 6])), (24, 6));
    assert_eq!(baked(&cube(["0"; 6])), (24, 6));
    // Around the axis one group, the caps another: each corner is parted in two.
    assert_eq!(baked(&cube(["2", "2", "1", "1", "1", "1"])), (16, 6));
    let smooth = cube(["1"; 6]);
    let surface = &smooth.geometries[0].surface;
    assert_eq!(surface.positions.len(), surface.normals.len());
    for (position, normal) in surface.positions.iter().zip(&surface.normals) {
        let wanted = (Vec3::from(*position) - Vec3::splat(0.5)).normalize();
        assert!((Vec3::from(*normal) - wanted).length() < 1e-6, "{position:?}: {normal:?}, by angle, not by triangle");
    }
    // Materials do not part what a group joins.
    let two = format!(
        "{corners}s 1\nusemtl a\nf {}\nf {}\nf {}\nusemtl b\nf {}\nf {}\nf {}\n",
        sides[0], sides[1], sides[2], sides[3], sides[4], sides[5]
    );
    let model = obj(&two, "");
    assert_eq!(model.geometries.len(), 2);
    assert_eq!(baked(&model).1, 8);
}

#[test]
fn polygons_colours_and_odd_text() {
    // An L of six corners, a line that goes on, a byte order of blanks, colours behind positions.
    let text = "# by hand\r\nv 0 0 0 1 0 0\r\nv 2 0 0 0 1 0\r\nv 2 1 0 0 0 1\r\nv 1 1 0 1 1 1\r\nv 1 2 0\r\nv\t0 2 0 0.5 0.5 0.5\r\n\
                f 1 2 3 \\\r\n 4 5 6\r\nvn 0 0 nan\r\n";
    let model = obj(text, "");
    let surface = &model.geometries[0].surface;
    assert_eq!(surface.indices.len(), 12);
    let area: f32 = surface
        .indices
        .chunks_exact(3)
        .map(|t| {
            let [a, b, c] = [0, 1, 2].map(|i| Vec3::from(surface.positions[t[i] as usize]));
            (b - a).cross(c - a).z / 2.0
        })
        .inspect(|area| assert!(*area > 0.0, "no triangle is turned over"))
        .sum();
    assert_eq!(area, 3.0);
    let color = |at: [f32; 3]| surface.colors[surface.positions.iter().position(|p| *p == at).expect("there")];
    assert_eq!(color([2.0, 1.0, 0.0]), [0.0, 0.0, 1.0, 1.0]);
    assert_eq!(color([1.0, 2.0, 0.0]), [1.0; 4], "without a colour: white");
    assert!((color([0.0, 2.0, 0.0])[0] - 0.21404).abs() < 1e-4, "sRGB");
    assert_eq!(model.materials[0].base_color, [1.0; 4]);
}

/// A file longer than a chunk gives the same as its parts would: relative indices, statements and colours cross chunks.
#[test]
fn long_files_are_parsed_side_by_side() {
    let mut text = String::new();
    let mut wanted = 0;
    while text.len() < 9_000_000 {
        let i = wanted as f32;
        write!(text, "v {i} 0 0\nv {i} 1.5 0\nv {i} 0 1.25\nvn 0 0 1\nvn 0 1 0\nf -3//-1 -2//-2 -1//-1\n")
            .expect("written");
        if wanted % 1000 == 999 {
            text.push_str("g more\n");
        }
        wanted += 1;
    }
    let model = obj(&text, "");
    let counts: Vec<usize> = model.nodes.iter().map(|n| n.parts.len()).collect();
    assert_eq!((model.nodes.len(), counts), (2, vec![1, 1]));
    let second = &model.geometries[1].surface;
    assert_eq!(model.geometries[0].surface.indices.len() / 3, 1000);
    assert_eq!(second.indices.len() / 3, wanted - 1000);
    for (number, t) in second.indices.chunks_exact(3).enumerate() {
        let i = (number + 1000) as f32;
        let corners = [0, 1, 2].map(|c| second.positions[t[c] as usize]);
        assert_eq!(corners, [[i, 0.0, 0.0], [i, 1.5, 0.0], [i, 0.0, 1.25]]);
        assert_eq!(second.normals[t[1] as usize], [0.0, 0.0, 1.0]);
    }
}

fn binary_stl(header: &[u8], triangles: &[([[f32; 3]; 3], u16)]) -> Vec<u8> {
    let mut out = header.to_vec();
    out.resize(80, 0);
    out.extend((triangles.len() as u32).to_le_bytes());
    for (corners, word) in triangles {
        out.extend([0; 12]);
        corners.iter().flatten().for_each(|v| out.extend(v.to_le_bytes()));
        out.extend(word.to_le_bytes());
    }
    out
}

const CORNERS: [[f32; 3]; 3] = [[0.0, 0.0, 0.0], [1.0, 0.0, 0.0], [0.0, 1.0, 0.5]];

#[test]
fn stl_of_both_kinds() {
    let plain = import_as("part.stl", &binary_stl(b"solid but binary", &[(CORNERS, 0)])).expect("reads");
    let surface = &plain.geometries[0].surface;
    assert_eq!((surface.positions.as_slice(), surface.colors.len()), (&CORNERS[..], 0));
    assert_eq!((plain.nodes[0].name.as_str(), plain.format.up, plain.materials[0].double_sided), ("part", None, true));
    // VisCAM: red in the high bits, bit 15 set. Magics: red in the low bits, bit 15 clear; else the header's colour.
    let viscam = import_as("c.stl", &binary_stl(b"", &[(CORNERS, 0x8000 | 31 << 10), (CORNERS, 0)])).expect("reads");
    assert_eq!(viscam.geometries[0].surface.colors[0], [1.0, 0.0, 0.0, 1.0]);
    assert_eq!(viscam.geometries[0].surface.colors[3], [1.0; 4]);
    let magics =
        import_as("c.stl", &binary_stl(b"COLOR=\x00\xFF\x00\xFF", &[(CORNERS, 31), (CORNERS, 0x8000)])).expect("reads");
    assert_eq!(magics.geometries[0].surface.colors[0], [1.0, 0.0, 0.0, 1.0]);
    assert_eq!(magics.geometries[0].surface.colors[3], [0.0, 1.0, 0.0, 1.0]);
    let facet = "facet normal 0 0 nan\n outer loop\n vertex 0 0 0\n vertex 1 0 0\n vertex 0 1 .5\n endloop\nendfacet\n";
    let text = format!("solid left arm\n{facet}endsolid left arm\nsolid\n{facet}{facet}endsolid\n");
    let model = import_as("arms.stl", text.as_bytes()).expect("reads");
    let names: Vec<&str> = model.nodes.iter().map(|n| n.name.as_str()).collect();
    assert_eq!(names, ["left arm", "arms"]);
    assert_eq!(model.geometries[1].surface.indices.len(), 6);
    assert_eq!(model.geometries[0].surface.positions, CORNERS);
    let baked = complete(model.geometries[0].surface.clone(), TangentWish::Any);
    assert!(baked.geometry.normals.iter().all(|n| (n[1] + 0.4472136).abs() < 1e-6), "flat, from the corners");
}

/// The same PLY in each encoding: two triangles and a quad, normals, coordinates, colours, and things to pass over.
fn ply(encoding: &str) -> Vec<u8> {
    let mut out = format!(
        "ply\nformat {encoding} 1.0\ncomment made by hand\nelement camera 1\nproperty list uchar double matrix\nelement vertex 5\n\
         property double x\nproperty float y\nproperty float z\nproperty short nx\nproperty char ny\nproperty float nz\nproperty float s\n\
         property float t\nproperty uchar red\nproperty ushort green\nproperty float blue\nproperty list int uchar more\nelement face 3\n\
         property uchar flags\nproperty list uint ushort vertex_index\nelement edge 1\nproperty int vertex1\nend_header\n"
    )
    .into_bytes();
    let ascii = encoding == "ascii";
    let big = encoding == "binary_big_endian";
    let mut put = |value: f64, kind: &str| {
        if ascii {
            out.extend(format!("{value} ").into_bytes());
            return;
        }
        let mut bytes = match kind {
            "u8" => vec![value as u8],
            "i8" => vec![value as i8 as u8],
            "u16" => (value as u16).to_le_bytes().to_vec(),
            "i16" => (value as i16).to_le_bytes().to_vec(),
            "i32" => (value as i32).to_le_bytes().to_vec(),
            "u32" => (value as u32).to_le_bytes().to_vec(),
            "f32" => (value as f32).to_le_bytes().to_vec(),
            _ => value.to_le_bytes().to_vec(),
        };
        if big {
            bytes.reverse();
        }
        out.extend(bytes);
    };
    put(2.0, "u8");
    put(1.5, "f64");
    put(2.5, "f64");
    for i in 0..5 {
        let (x, y) = ([0.0, 1.0, 1.0, 0.0, 0.5][i], [0.0, 0.0, 1.0, 1.0, 2.0][i]);
        for (value, kind) in
            [(x, "f64"), (y, "f32"), (0.25, "f32"), (0.0, "i16"), (-1.0, "i8"), (0.5, "f32"), (x, "f32"), (y, "f32")]
        {
            put(value, kind);
        }
        for (value, kind) in [(255.0, "u8"), (0.0, "u16"), (0.5, "f32"), (1.0, "i32"), (7.0, "u8")] {
            put(value, kind);
        }
    }
    for face in [&[0, 1, 2, 3][..], &[3, 2, 4], &[0, 1, 4]] {
        put(9.0, "u8");
        put(face.len() as f64, "u32");
        face.iter().for_each(|v| put(f64::from(*v), "u16"));
    }
    put(3.0, "i32");
    out
}

#[test]
fn ply_in_every_encoding() {
    let models = ["ascii", "binary_little_endian", "binary_big_endian"].map(|e| import_as("x.ply", &ply(e)).expect(e));
    for model in &models {
        let surface = &model.geometries[0].surface;
        assert_eq!(surface.indices, [0, 1, 2, 0, 2, 3, 3, 2, 4, 0, 1, 4]);
        assert_eq!(
            (surface.positions[4], surface.normals[4], surface.uv0[4]),
            ([0.5, 2.0, 0.25], [0.0, -1.0, 0.5], [0.5, -1.0])
        );
        assert_eq!(surface.colors[0], [1.0, 0.0, 0.5, 1.0]);
        assert_eq!(model.format.generator.as_deref(), Some("made by hand"));
        assert_eq!(surface, &models[0].geometries[0].surface);
    }
    // Shared vertices have shared normals; strips run on and turn; points are told.
    let head = "ply\nformat ascii 1.0\nelement vertex 4\nproperty float x\nproperty float y\nproperty float z\n";
    let points = "end_header\n0 0 0\n1 0 0\n0 1 0\n1 1 1\n";
    let roof = format!("{head}element face 2\nproperty list uchar int vertex_indices\n{points}3 0 1 2\n3 2 1 3\n");
    let model = import_as("x.ply", roof.as_bytes()).expect("reads");
    let surface = &model.geometries[0].surface;
    assert_eq!(surface.normals[0], [0.0, 0.0, 1.0]);
    let between = Vec3::new(-1.0, -1.0, 2.0).normalize();
    assert!((Vec3::from(surface.normals[1]) - between).length() < 1e-6, "{:?}", surface.normals[1]);
    let strip =
        format!("{head}element tristrips 1\nproperty list int int vertex_indices\n{points}8 0 1 2 3 -1 0 1 3\n");
    let model = import_as("x.ply", strip.as_bytes()).expect("reads");
    assert_eq!(model.geometries[0].surface.indices, [0, 1, 2, 2, 1, 3, 0, 1, 3]);
    let cloud = import_as("x.ply", format!("{head}{points}").as_bytes()).expect("reads");
    // Four octahedra that cover as much as disks, as wide as a part in 256 of the diagonal.
    assert_eq!(cloud.materials[0].base_color, [1.0; 4]);
    let surface = &cloud.geometries[0].surface;
    let (counts, reach) = ((surface.positions.len(), surface.indices.len()), surface.bounds.max.x - 1.0);
    assert_eq!((counts, cloud.materials[0].unlit, cloud.warnings.len()), ((24, 96), true, 0));
    assert!((reach - 3.0_f32.sqrt() / 256.0 * 0.67339).abs() < 1e-6, "{reach}");
    let edges = format!("{head}element edge 2\nproperty int vertex1\nproperty int vertex2\n{points}0 1\n2 3\n");
    let wires = import_as("x.ply", edges.as_bytes()).expect("reads");
    assert_eq!(wires.geometries[0].surface.positions.len(), 12);
    let lost = import_as("x.ply", edges.replace("2 3\n", "2 4\n").as_bytes()).unwrap_err();
    assert_eq!(lost[0].code, "E0411");
    let textured = roof
        .replace("element vertex", "comment TextureFile source.png\nelement vertex")
        .replace("property float z\n", "property float z\nproperty float u\nproperty float v\n");
    let textured = textured.replace("0 0 0\n1 0 0\n0 1 0\n1 1 1\n", "0 0 0 0 0\n1 0 0 1 0\n0 1 0 0 1\n1 1 1 1 1\n");
    let model = import_as("x.ply", textured.as_bytes()).expect("reads");
    assert!(model.materials[0].textures.contains_key(&Slot::BaseColor) && model.images.len() == 1);
}

#[test]
fn broken_files_are_told_with_their_place() {
    let stl = binary_stl(b"", &[(CORNERS, 0); 2]);
    let nan = binary_stl(b"", &[([[f32::NAN; 3]; 3], 0)]);
    let head = "ply\nformat ascii 1.0\nelement vertex 3\nproperty float x\nproperty float y\nproperty float z\n\
                element face 1\nproperty list uchar int vertex_indices\nend_header\n";
    let rows: Vec<(&str, Vec<u8>, &str, Option<&str>)> = vec![
        ("a.obj", b"v 0 0 0\nv 1 0\n".to_vec(), "E0405", Some("v 1 0")),
        ("a.obj", b"v 0 0 0\nv 1 0 inf\n".to_vec(), "E0405", Some("v 1 0 inf")),
        ("a.obj", b"v 0 0 0\nvt x\n".to_vec(), "E0405", Some("vt x")),
        ("a.obj", b"v 0 0 0\nf 1 1 2\nf 1 1 1\n".to_vec(), "E0411", Some("f 1 1 2")),
        ("a.obj", b"v 0 0 0\nf 1 1 1\nf 1 1 -2\n".to_vec(), "E0411", Some("f 1 1 -2")),
        ("a.obj", b"v 0 0 0\nf 1 1 0\n".to_vec(), "E0405", Some("f 1 1 0")),
        ("a.obj", b"v 0 0 0\nf a b c\n".to_vec(), "E0405", Some("f a b c")),
        ("a.stl", stl[..150].to_vec(), "E0431", None),
        ("a.stl", b"not a model at all".to_vec(), "E0401", None),
        ("a.stl", nan, "E0410", None),
        ("a.stl", b"solid x\nfacet\nvertex 1 2\n".to_vec(), "E0405", Some("vertex 1 2")),
        ("a.stl", b"solid x\nfacet\nvertex 1 2 3\n".to_vec(), "E0431", None),
        ("a.stl", b"solid x\nvertex 1 2 3\nendloop\nendsolid".to_vec(), "E0405", Some("endloop")),
        ("a.stl", b"solid x\nbox 1 2 3\nendsolid".to_vec(), "E0405", Some("box")),
        ("a.ply", b"plx\n".to_vec(), "E0401", None),
        ("a.ply", b"ply\nformat ascii 1.0\n".to_vec(), "E0431", None),
        ("a.ply", b"ply\nformat ascii 2.0\nend_header\n".to_vec(), "E0405", None),
        ("a.ply", b"ply\nend_header\n".to_vec(), "E0405", None),
        ("a.ply", b"ply\nformat ascii 1.0\nproperty float x\nend_header\n".to_vec(), "E0405", None),
        ("a.ply", b"ply\nformat ascii 1.0\nelement vertex 1\nproperty real x\nend_header\n".to_vec(), "E0405", None),
        (
            "a.ply",
            b"ply\nformat ascii 1.0\nelement vertex 9999999999\nproperty float x\nend_header\n".to_vec(),
            "E0431",
            None,
        ),
        ("a.ply", format!("{head}0 0 0\n1 0 0\n0 1 0\n3 0 1 3\n").into_bytes(), "E0411", None),
        ("a.ply", format!("{head}0 0 0\n1 0 0\n0 1 0\n3 0 1 -1\n").into_bytes(), "E0411", None),
        ("a.ply", format!("{head}0 0 0\n1 0 nan\n0 1 0\n3 0 1 2\n").into_bytes(), "E0410", None),
        ("a.ply", format!("{head}0 0 0\n1 0 zero\n0 1 0\n3 0 1 2\n").into_bytes(), "E0405", None),
        ("a.ply", format!("{head}0 0 0\n1 0 0\n0 1 0\n3 0 1\n").into_bytes(), "E0431", None),
        ("a.ply", format!("{head}0 0 0\n1 0 0\n0 1 0\n4000000000 0 1\n").into_bytes(), "E0431", None),
    ];
    for (name, bytes, code, place) in rows {
        let shown = String::from_utf8_lossy(&bytes).into_owned();
        let found = import_as(name, &bytes).expect_err(&shown);
        assert_eq!(found[0].code, code, "{shown}: {found:?}");
        let span = found[0].span.clone().map(|span| shown[span].to_string());
        assert_eq!(span.as_deref(), place, "{shown}: {found:?}");
    }
}

#[test]
fn mutated_models_never_panic() {
    let text = "mtllib test.mtl\no a\nv 0 0 0 1 0 0\nv 1 0 0\nv 1 1 0\nv 0 1 0\nv .5 .5 1e0\nvt 0 0\nvt 1 1\nvn 0 0 1\nusemtl red\n\
                s 1\nf 1/1/1 2/2/1 3/1/1 4//1\ng b c\nf -1 -2 -3\ns off\nusemtl x\nf 1 2 \\\n 3 4 5\nl 1 2\n";
    let facet = "facet normal 0 0 1\n outer loop\n vertex 0 0 0\n vertex 1 0 0\n vertex 0 1 .5\n endloop\nendfacet\n";
    let sources: Vec<(&str, Vec<u8>)> = vec![
        ("x.obj", text.into()),
        ("x.stl", binary_stl(b"COLOR=abcd", &[(CORNERS, 31), (CORNERS, 0x8000)])),
        ("x.stl", format!("solid a\n{facet}{facet}endsolid a\n").into_bytes()),
        ("x.ply", ply("ascii")),
        ("x.ply", ply("binary_little_endian")),
        ("x.ply", ply("binary_big_endian")),
    ];
    for (name, bytes) in &sources {
        check(&import_as(name, bytes).expect("the sources themselves are good"));
    }
    let byte = prop_oneof![any::<u8>(), Just(0), Just(255), prop::sample::select(&b" \n-/.0123456789e\\#vfgs"[..])];
    let change = (any::<prop::sample::Index>(), byte, 0..3_u8);
    let strategy = (
        0..sources.len(),
        prop::collection::vec(change, 1..10),
        prop::option::weighted(0.2, any::<prop::sample::Index>()),
    );
    let config =
        Config { cases: cases(8000), failure_persistence: None, rng_seed: RngSeed::Fixed(23), ..Config::default() };
    TestRunner::new(config)
        .run(&strategy, |(source, changes, cut)| {
            let (name, mut bytes) = sources[source].clone();
            for (place, byte, how) in changes {
                let at = place.index(bytes.len());
                match how {
                    0 => bytes[at] = byte,
                    1 => bytes.insert(at, byte),
                    _ => drop(bytes.remove(at)),
                }
            }
            cut_off(&mut bytes, cut);
            match import_as(name, &bytes) {
                Ok(model) => check(&model),
                Err(diagnostics) => prop_assert!(diagnostics.iter().all(|d| d.code.starts_with("E0"))),
            }
            Ok(())
        })
        .expect("no panic");
}
