//! Our importers beside those that people would take: `ufbx` (OBJ, FBX), the `gltf` crate, and `meshoptimizer` for what
//! comes after (joining equal vertices, ordering for vertex caches and overdraw). `cargo bench --bench import` in this
//! folder, after the bench of that name in the workspace, whose files are read. Each pair takes turns, five times; the
//! least time counts.
//!
//! Like work: every side ends with positions, normals, texture coordinates and triangles in memory. `ufbx` keeps
//! polygons; they are cut as its documentation shows. The `gltf` crate's accessors are read into lists. We check every
//! index and number, and keep what cannot be drawn yet; they do not.

use std::fs;
use std::hint::black_box;
use std::path::{Path, PathBuf};
use std::time::Instant;

use stillframe_asset::asset::Geometry;
use stillframe_asset::source::Diagnostic;
use stillframe_models::{bake, import};

fn main() {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("import");
    println!("{:<34} {:>10} {:>10} {:>7}", "work", "ours, ms", "theirs, ms", "ratio");
    for (name, peer) in [
        ("million.obj", ufbx_load as fn(&Path) -> usize),
        ("quads.fbx", ufbx_load),
        ("quads_packed.fbx", ufbx_load),
        ("large.glb", gltf_load),
    ] {
        let path = made(&folder, name);
        let corners = (ours(&path), peer(&path));
        assert_eq!(corners.0, corners.1, "{name}: the same triangles");
        row(name, || ours(&path), || peer(&path));
    }
    let path = made(&folder, "million.obj");
    let model = import::model(&path, &read).expect("the file is good");
    let surface = &model.geometries[0].surface;
    // As a reader without an index would leave it: three vertices a triangle.
    let corners = spread(surface);
    row("joining 3 M vertices", || welded(corners.clone()).positions.len(), || meshopt_weld(&corners));
    let joined = welded(corners.clone());
    row("ordering 1 M triangles", || ordered(joined.clone()).indices.len(), || meshopt_order(joined.clone()));
}

fn read(path: &Path) -> Result<Vec<u8>, Diagnostic> {
    fs::read(path).map_err(|error| Diagnostic::error("E0301", path, error.to_string()))
}

fn made(folder: &Path, name: &str) -> PathBuf {
    let path = folder.join(name);
    assert!(path.exists(), "{} is made by `cargo bench --bench import` in the workspace", path.display());
    path
}

/// Times two ways of doing one thing.
fn row(name: &str, mut ours: impl FnMut() -> usize, mut theirs: impl FnMut() -> usize) {
    let mut least = [f64::MAX; 2];
    let mut time = |side: usize, work: &mut dyn FnMut() -> usize| {
        let start = Instant::now();
        black_box(work());
        least[side] = least[side].min(start.elapsed().as_secs_f64() * 1e3);
    };
    for _ in 0..5 {
        time(0, &mut ours);
        time(1, &mut theirs);
    }
    println!("{name:<34} {:>10.0} {:>10.0} {:>7.2}", least[0], least[1], least[0] / least[1]);
}

/// Corners of triangles.
fn ours(path: &Path) -> usize {
    let model = import::model(path, &read).expect("the file is good");
    model.geometries.iter().map(|geometry| geometry.surface.indices.len()).sum()
}

fn ufbx_load(path: &Path) -> usize {
    let scene =
        ufbx::load_file(path.to_str().expect("a name in UTF-8"), ufbx::LoadOpts::default()).expect("the file is good");
    let mut corners = 0;
    for mesh in &scene.meshes {
        let mut triangles = vec![0_u32; mesh.max_face_triangles * 3];
        let mut vertices: Vec<[f32; 8]> = Vec::with_capacity(mesh.num_triangles * 3);
        for face in &mesh.faces {
            let count = ufbx::triangulate_face(&mut triangles, mesh, *face) as usize * 3;
            for corner in &triangles[..count] {
                let at = *corner as usize;
                let position = mesh.vertex_position[at];
                let normal = if mesh.vertex_normal.exists { mesh.vertex_normal[at] } else { position };
                let uv = if mesh.vertex_uv.exists { mesh.vertex_uv[at] } else { ufbx::Vec2::default() };
                let [px, py, pz] = [position.x, position.y, position.z].map(|v| v as f32);
                let [nx, ny, nz] = [normal.x, normal.y, normal.z].map(|v| v as f32);
                vertices.push([px, py, pz, nx, ny, nz, uv.x as f32, uv.y as f32]);
            }
        }
        let mut indices = vec![0_u32; vertices.len()];
        let mut streams = [ufbx::VertexStream::new(&mut vertices)];
        ufbx::generate_indices(&mut streams, &mut indices, ufbx::AllocatorOpts::default()).expect("memory");
        corners += indices.len();
    }
    corners
}

fn gltf_load(path: &Path) -> usize {
    let (document, buffers, _) = gltf::import(path).expect("the file is good");
    let mut corners = 0;
    for primitive in document.meshes().flat_map(|mesh| mesh.primitives().collect::<Vec<_>>()) {
        let reader = primitive.reader(|buffer| buffers.get(buffer.index()).map(|data| &data[..]));
        let positions: Vec<[f32; 3]> = reader.read_positions().expect("positions").collect();
        let normals: Vec<[f32; 3]> = reader.read_normals().expect("normals").collect();
        let uvs: Vec<[f32; 2]> = reader.read_tex_coords(0).expect("coordinates").into_f32().collect();
        let indices: Vec<u32> = reader.read_indices().expect("indices").into_u32().collect();
        black_box((positions, normals, uvs));
        corners += indices.len();
    }
    corners
}

fn spread(surface: &Geometry) -> Geometry {
    let at = |i: &u32| *i as usize;
    Geometry {
        positions: surface.indices.iter().map(|i| surface.positions[at(i)]).collect(),
        normals: surface.indices.iter().map(|i| surface.normals[at(i)]).collect(),
        uv0: surface.indices.iter().map(|i| surface.uv0[at(i)]).collect(),
        indices: (0..surface.indices.len() as u32).collect(),
        ..Geometry::default()
    }
}

fn welded(mut geometry: Geometry) -> Geometry {
    bake::weld(&mut geometry);
    geometry
}

fn ordered(mut geometry: Geometry) -> Geometry {
    bake::order(&mut geometry);
    geometry
}

fn vertices(geometry: &Geometry) -> Vec<[f32; 8]> {
    let Geometry { positions, normals, uv0, .. } = geometry;
    let lists = positions.iter().zip(normals).zip(uv0);
    lists.map(|((p, n), t)| [p[0], p[1], p[2], n[0], n[1], n[2], t[0], t[1]]).collect()
}

fn meshopt_weld(corners: &Geometry) -> usize {
    let vertices = vertices(corners);
    let (count, remap) = meshopt::generate_vertex_remap(&vertices, None);
    let indices = meshopt::remap_index_buffer(None, vertices.len(), &remap);
    black_box(indices);
    meshopt::remap_vertex_buffer(&vertices, count, &remap).len()
}

fn meshopt_order(geometry: Geometry) -> usize {
    let mut indices = meshopt::optimize_vertex_cache(&geometry.indices, geometry.positions.len());
    let bytes: &[u8] = bytemuck::cast_slice(&geometry.positions);
    let adapter = meshopt::VertexDataAdapter::new(bytes, 12, 0).expect("positions");
    meshopt::optimize_overdraw_in_place(&mut indices, &adapter, 1.05);
    let vertices = vertices(&geometry);
    black_box(meshopt::optimize_vertex_fetch(&mut indices, &vertices));
    indices.len()
}
