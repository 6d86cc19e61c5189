//! How long models take to come in, anew and from the cache, and how much memory they hold meanwhile:
//! `cargo bench --bench import [FILTER]`.
//!
//! Files are made in `target/tmp/import`: a million triangles of OBJ, ten million vertices of PLY, 200 MB of GLB, two
//! million triangles of STL, a quarter of a million quads of FBX with its lists packed and not. Each is read from disk
//! and imported five times; the least time counts. Then each comes ready out of the cache five times.

#![expect(clippy::disallowed_methods, reason = "a benchmark reads the clock")]

use std::fmt::Write as _;
use std::fs;
use std::path::{Path, PathBuf};
use std::time::Instant;

use stillframe_asset::source::{Diagnostic, Vfs};
use stillframe_base::par::Pool;
use stillframe_heap::Counting;
use stillframe_models::cache::{Access, Cache, Ready};
use stillframe_models::import;
use stillframe_testkit::fbx::write;

#[global_allocator]
static HEAP: Counting = Counting::new();

fn wave(x: usize, y: usize) -> f32 {
    ((x * 7 + y * 13) % 101) as f32 * 0.001_234
}

/// `side` x `side` quads, two triangles each: f(a, b, c) by vertex numbers.
fn triangles(side: usize, mut f: impl FnMut([usize; 3])) {
    for y in 0..side {
        for x in 0..side {
            let i = y * (side + 1) + x;
            f([i, i + 1, i + side + 2]);
            f([i, i + side + 2, i + side + 1]);
        }
    }
}

fn obj() -> Vec<u8> {
    let side = 708;
    let mut out = String::new();
    for y in 0..=side {
        for x in 0..=side {
            writeln!(out, "v {:.6} {:.6} {:.6}", x as f32 * 0.0137, y as f32 * 0.0091, wave(x, y)).expect("written");
        }
    }
    for y in 0..=side {
        for x in 0..=side {
            writeln!(out, "vt {:.6} {:.6}", x as f32 / side as f32, y as f32 / side as f32).expect("written");
        }
    }
    for y in 0..=side {
        for x in 0..=side {
            let tilt = wave(x, y) - 0.06;
            writeln!(out, "vn {:.6} {:.6} {:.6}", tilt, -tilt, (1.0 - 2.0 * tilt * tilt).sqrt()).expect("written");
        }
    }
    triangles(side, |t| {
        let [a, b, c] = t.map(|i| i + 1);
        writeln!(out, "f {a}/{a}/{a} {b}/{b}/{b} {c}/{c}/{c}").expect("written");
    });
    out.into_bytes()
}

fn ply() -> Vec<u8> {
    let side = 3161;
    let (vertices, faces) = ((side + 1) * (side + 1), side * side * 2);
    let mut out = format!(
        "ply\nformat binary_little_endian 1.0\nelement vertex {vertices}\nproperty float x\nproperty float y\nproperty float z\n\
         element face {faces}\nproperty list uchar int vertex_indices\nend_header\n"
    )
    .into_bytes();
    for y in 0..=side {
        for x in 0..=side {
            for value in [x as f32 * 0.01, y as f32 * 0.01, wave(x, y)] {
                out.extend(value.to_le_bytes());
            }
        }
    }
    triangles(side, |t| {
        out.push(3);
        t.iter().for_each(|i| out.extend((*i as u32).to_le_bytes()));
    });
    out
}

fn stl() -> Vec<u8> {
    let side = 1000;
    let mut out = vec![0; 80];
    out.extend((side as u32 * side as u32 * 2).to_le_bytes());
    triangles(side, |t| {
        out.extend([0; 12]);
        for i in t {
            let (x, y) = (i % (side + 1), i / (side + 1));
            for value in [x as f32 * 0.01, y as f32 * 0.01, wave(x, y)] {
                out.extend(value.to_le_bytes());
            }
        }
        out.extend([0; 2]);
    });
    out
}

fn glb() -> Vec<u8> {
    // 32 bytes a vertex and 24 a quad: 200 MB.
    let side = 1888;
    let (vertices, indices) = ((side + 1) * (side + 1), side * side * 6);
    let mut bin: Vec<u8> = Vec::new();
    for y in 0..=side {
        for x in 0..=side {
            [x as f32 * 0.01, y as f32 * 0.01, wave(x, y)].iter().for_each(|v| bin.extend(v.to_le_bytes()));
        }
    }
    (0..vertices).for_each(|_| [0.0_f32, 0.0, 1.0].iter().for_each(|v| bin.extend(v.to_le_bytes())));
    for y in 0..=side {
        for x in 0..=side {
            [x as f32 / side as f32, y as f32 / side as f32].iter().for_each(|v| bin.extend(v.to_le_bytes()));
        }
    }
    triangles(side, |t| t.iter().for_each(|i| bin.extend((*i as u32).to_le_bytes())));
    let views = [
        (0, vertices * 12),
        (vertices * 12, vertices * 12),
        (vertices * 24, vertices * 8),
        (vertices * 32, indices * 4),
    ];
    let views: Vec<String> = views
        .iter()
        .map(|(at, length)| format!("{{\"buffer\":0,\"byteOffset\":{at},\"byteLength\":{length}}}"))
        .collect();
    let accessor = |view: usize, component: u32, count: usize, kind: &str, more: &str| {
        format!("{{\"bufferView\":{view},\"componentType\":{component},\"count\":{count},\"type\":\"{kind}\"{more}}}")
    };
    let bounds = format!(",\"min\":[0,0,0],\"max\":[{},{},1]", side as f32 * 0.01, side as f32 * 0.01);
    let mut json = format!(
        "{{\"asset\":{{\"version\":\"2.0\"}},\"buffers\":[{{\"byteLength\":{}}}],\"bufferViews\":[{}],\"accessors\":[{},{},{},{}],\
         \"meshes\":[{{\"primitives\":[{{\"attributes\":{{\"POSITION\":0,\"NORMAL\":1,\"TEXCOORD_0\":2}},\"indices\":3}}]}}],\
         \"nodes\":[{{\"mesh\":0}}],\"scenes\":[{{\"nodes\":[0]}}],\"scene\":0}}",
        bin.len(),
        views.join(","),
        accessor(0, 5126, vertices, "VEC3", &bounds),
        accessor(1, 5126, vertices, "VEC3", ""),
        accessor(2, 5126, vertices, "VEC2", ""),
        accessor(3, 5125, indices, "SCALAR", ""),
    )
    .into_bytes();
    json.resize(json.len().next_multiple_of(4), b' ');
    let mut out = b"glTF".to_vec();
    for word in [2, 28 + json.len() + bin.len(), json.len(), 0x4E4F_534A] {
        out.extend((word as u32).to_le_bytes());
    }
    out.extend(json);
    out.extend((bin.len() as u32).to_le_bytes());
    out.extend(b"BIN\0");
    out.extend(bin);
    out
}

/// 80 bytes a quad where nothing is packed: 20 MB.
fn fbx(packed: bool) -> Vec<u8> {
    let side = 500;
    let rows = || (0..=side).flat_map(|y| (0..=side).map(move |x| (x, y)));
    let points = rows().flat_map(|(x, y)| [x as f64 * 0.01, y as f64 * 0.01, f64::from(wave(x, y))]).collect();
    let normals = rows().flat_map(|(x, y)| [f64::from(wave(x, y)), f64::from(wave(y, x)), 1.0]).collect();
    let coordinates = rows().flat_map(|(x, y)| [x as f64 / side as f64, y as f64 / side as f64]).collect();
    let quads = (0..side).flat_map(|y| (0..side).map(move |x| (y * (side + 1) + x) as i32));
    let corners = quads.flat_map(|i| [i, i + 1, i + side as i32 + 2, -1 - (i + side as i32 + 1)]).collect::<Vec<i32>>();
    let modes = ["ByVertice", "Direct"];
    let mesh = write::object("Geometry", 20, "quads", "Mesh").with([
        write::one("Vertices", write::Value::Doubles(points)),
        write::one("PolygonVertexIndex", corners),
        write::layer("LayerElementNormal", 0, modes, ("Normals", normals), None),
        write::layer("LayerElementUV", 0, modes, ("UV", coordinates), None),
    ]);
    let mut file = write::File::new();
    file.add(write::object("Model", 10, "node", "Mesh"));
    file.add(mesh);
    file.connect(10, 0);
    file.connect(20, 10);
    file.bytes(7400, packed)
}

fn file(name: &str, make: fn() -> Vec<u8>) -> PathBuf {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("import");
    fs::create_dir_all(&folder).expect("a folder for the files");
    let path = folder.join(name);
    if !path.exists() {
        fs::write(&path, make()).expect("room for the file");
    }
    path
}

fn main() {
    let filter = std::env::args().skip(1).find(|a| !a.starts_with('-')).unwrap_or_default();
    let read = |path: &Path| fs::read(path).map_err(|e| Diagnostic::error("E0301", path, e.to_string()));
    println!(
        "{:<28} {:>8} {:>10} {:>9} {:>10} {:>9} {:>10} {:>9} {:>9}",
        "file", "MB", "import ms", "x file", "bake ms", "x file", "cached ms", "x file", "x anew"
    );
    let pool = Pool::new(0);
    for (name, make) in [
        ("million.obj", obj as fn() -> Vec<u8>),
        ("ten_million.ply", ply),
        ("large.glb", glb),
        ("two_million.stl", stl),
        ("quads.fbx", || fbx(false)),
        ("quads_packed.fbx", || fbx(true)),
    ] {
        if !name.contains(&filter) {
            continue;
        }
        let path = file(name, make);
        let size = fs::metadata(&path).expect("made").len() as f64;
        let (mut import_ms, mut bake_ms) = (f64::MAX, 0.0);
        let mut peak = 0;
        let model = || import::model(&path, &read).expect("the file is good");
        for _ in 0..5 {
            let start = Instant::now();
            let (_, held) = HEAP.watch(model);
            import_ms = import_ms.min(start.elapsed().as_secs_f64() * 1e3);
            peak = peak.max(held);
        }
        let (_, bake_peak) = HEAP.watch(|| {
            let model = model();
            let start = Instant::now();
            let ready = Ready::baked(model);
            bake_ms = start.elapsed().as_secs_f64() * 1e3;
            assert!(ready.completed.values().all(|completed| !completed.geometry.indices.is_empty()));
        });
        let folder = path.with_extension("cache");
        let cache = Cache::new(&folder);
        let vfs = Vfs::open(path.parent().expect("a folder")).expect("made");
        let content_hash = |path: &Path| vfs.content_hash(path, &pool);
        let access = Access { cache: &cache, content_hash: &content_hash, pool: &pool };
        access.model(&path, &read, import::Wishes::default()).expect("the file is good");
        let (mut found_ms, mut found_peak) = (f64::MAX, 0);
        for _ in 0..5 {
            let start = Instant::now();
            let ((ready, found), held) =
                HEAP.watch(|| access.model(&path, &read, import::Wishes::default()).expect("the file is good"));
            found_ms = found_ms.min(start.elapsed().as_secs_f64() * 1e3);
            found_peak = found_peak.max(held);
            assert!(found && !ready.completed.is_empty());
        }
        fs::remove_dir_all(&folder).expect("made by the cache");
        println!(
            "{name:<28} {:>8.0} {import_ms:>10.0} {:>9.2} {bake_ms:>10.0} {:>9.2} {found_ms:>10.0} {:>9.2} {:>9.2}",
            size / 1e6,
            peak as f64 / size,
            bake_peak as f64 / size,
            found_peak as f64 / size,
            found_ms / (import_ms + bake_ms)
        );
    }
}
