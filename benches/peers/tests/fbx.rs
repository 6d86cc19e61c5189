//! What we read of FBX files beside what `ufbx` reads, an independent reader in C.
//!
//! Random files (every rule at once), binary and as text, of version 7 and, with what that version has, of version 6.1;
//! and the FBX files of `scenes/assets`, or of the folder that `STILLFRAME_FBX` names: places of nodes; of every corner
//! its position, normal, texture coordinates, colour and material; colours and embedded pictures of materials; then
//! curves by themselves, and nodes at random times of an animation. A random file that is read differently is made as
//! small as it can be and printed.

use std::cell::Cell;
use std::collections::BTreeMap;
use std::path::Path;

use glam::{DMat4, DVec3, DVec4};
use stillframe_anim::{Property, TrackValues};
use stillframe_asset::asset::Texels;
use stillframe_asset::source::Diagnostic;
use stillframe_base::tick::Tick;
use stillframe_models::import::{self, Model};
use stillframe_testkit::fbx::form::Form;
use stillframe_testkit::fbx::random::{self, Reach};
use stillframe_testkit::fbx::write::{File, Record};
use stillframe_world::pose::{self, Playing};

const TOLERANCE: f64 = 1e-5;

/// What is read differently, in words.
type Compared = Result<(), String>;

/// An early return with a difference, unless something holds.
macro_rules! same {
    ($holds:expr, $($words:tt)*) => {
        if !$holds {
            return Err(format!($($words)*));
        }
    };
}

fn read(path: &Path) -> Result<Vec<u8>, Diagnostic> {
    std::fs::read(path).map_err(|e| Diagnostic::error("E0301", path, e.to_string()))
}

fn both(name: &str, bytes: &[u8]) -> Result<(Model, ufbx::SceneRoot), String> {
    let model = import::fbx(Path::new(name), bytes, &read).map_err(|d| format!("not read by us: {d:#?}"))?;
    let scene = ufbx::load_memory(bytes, ufbx::LoadOpts::default());
    Ok((model, scene.map_err(|e| format!("not read by them: {}", e.description))?))
}

fn matrix(m: &ufbx::Matrix) -> DMat4 {
    let column = |x, y, z, w| DVec4::new(x, y, z, w);
    DMat4::from_cols(
        column(m.m00, m.m10, m.m20, 0.0),
        column(m.m01, m.m11, m.m21, 0.0),
        column(m.m02, m.m12, m.m22, 0.0),
        column(m.m03, m.m13, m.m23, 1.0),
    )
}

/// Numbers of a corner that are compared: position, normal, two rows of texture coordinates, colour.
type Corner = [f64; 14];

fn near(a: &[f64], b: &[f64], reach: f64) -> bool {
    let is_near = a.iter().zip(b).all(|(a, b)| (a - b).abs() <= TOLERANCE * reach);
    if is_near {
        let apart = a.iter().zip(b).fold(0.0_f64, |most, (a, b)| most.max((a - b).abs() / reach));
        WORST.set(WORST.get().max(apart));
    }
    is_near
}

thread_local! {
    /// The largest difference that was near enough.
    static WORST: Cell<f64> = const { Cell::new(0.0) };
}

fn cofactors(m: DMat4) -> glam::DMat3 {
    let m = glam::DMat3::from_mat4(m);
    glam::DMat3::from_cols(m.y_axis.cross(m.z_axis), m.z_axis.cross(m.x_axis), m.x_axis.cross(m.y_axis))
}

fn unit(v: DVec3) -> [f64; 3] {
    if v.length() > 0.0 { (v / v.length()).to_array() } else { [0.0; 3] }
}

/// A node's corners by control point and material's name.
type Corners = BTreeMap<(String, u32, String), Vec<Corner>>;

fn our_corners(model: &Model) -> (Corners, usize) {
    let posed = pose::pose(model, &[]);
    let (mut out, mut triangles) = (Corners::new(), 0);
    for (at, node) in model.nodes.iter().enumerate() {
        for part in &node.parts {
            let geometry = &model.geometries[part.geometry];
            let surface = &geometry.surface;
            triangles += surface.indices.len() / 3;
            let place = (posed.model_from_local[at].as_dmat4()) * node.local_from_parts.as_dmat4();
            for (vertex, source) in geometry.sources.iter().enumerate() {
                let position = DVec3::from(surface.positions[vertex].map(f64::from));
                let position = place.transform_point3(position).to_array();
                let normal = surface.normals.get(vertex).map_or(DVec3::ZERO, |n| DVec3::from(n.map(f64::from)));
                let normal = unit(cofactors(place) * normal);
                let uv = |list: &[[f32; 2]]| list.get(vertex).map_or([0.0; 2], |uv| uv.map(f64::from));
                let (a, b) = (uv(&surface.uv0), uv(&surface.uv1));
                let mut corner = [0.0; 14];
                corner[..3].copy_from_slice(&position);
                corner[3..6].copy_from_slice(&normal);
                corner[6..8].copy_from_slice(&a);
                corner[8..10].copy_from_slice(&b);
                let color = surface.colors.get(vertex).map_or([0.0; 4], |color| color.map(f64::from));
                corner[10..].copy_from_slice(&color);
                let material = model.materials[part.material].name.clone();
                out.entry((node.name.clone(), *source, material)).or_default().push(corner);
            }
        }
    }
    (out, triangles)
}

/// Which sets of coordinates are the first and the second: the one that the texture names comes first.
fn uv_sets(mesh: &ufbx::Mesh, texture: Option<&ufbx::Ref<ufbx::Texture>>) -> [Option<usize>; 2] {
    let count = mesh.uv_sets.len();
    let named = texture.and_then(|texture| mesh.uv_sets.iter().position(|set| *set.name == *texture.uv_set));
    let first = named.or((count > 0).then_some(0));
    [first, (0..count).find(|set| Some(*set) != first)]
}

/// IEC 61966-2-1.
fn linear(value: f64) -> f64 {
    if value <= 0.04045 { value / 12.92 } else { ((value + 0.055) / 1.055).powf(2.4) }
}

fn their_corners(scene: &ufbx::Scene, model_from_file: DMat4) -> (Corners, usize) {
    let (mut out, mut triangles) = (Corners::new(), 0);
    for node in &scene.nodes {
        let Some(mesh) = &node.mesh else { continue };
        let place = model_from_file * matrix(&node.geometry_to_world);
        triangles += mesh.num_triangles;
        for (number, face) in mesh.faces.iter().enumerate().filter(|(_, face)| face.num_indices >= 3) {
            let slot = mesh.face_material.get(number).map_or(0, |slot| *slot as usize);
            // Past the last material counts as the last, as it does with us.
            let slot = slot.min(node.materials.len().saturating_sub(1));
            let material = node.materials.get(slot);
            let sets = uv_sets(mesh, material.and_then(|material| material.fbx.diffuse_color.texture.as_ref()));
            let material = material.map_or(String::new(), |material| material.element.name.to_string());
            for index in face.index_begin as usize..(face.index_begin + face.num_indices) as usize {
                let point = mesh.vertex_indices[index];
                let position = mesh.vertex_position[index];
                let position = place.transform_point3(DVec3::new(position.x, position.y, position.z));
                let normal = if mesh.vertex_normal.exists {
                    let n = mesh.vertex_normal[index];
                    unit(cofactors(place) * DVec3::new(n.x, n.y, n.z))
                } else {
                    [0.0; 3]
                };
                let mut corner = [0.0; 14];
                corner[..3].copy_from_slice(&position.to_array());
                corner[3..6].copy_from_slice(&normal);
                for (set, at) in sets.iter().zip([6, 8]) {
                    let Some(set) = set else { continue };
                    let uv = mesh.uv_sets[*set].vertex_uv[index];
                    corner[at] = uv.x;
                    corner[at + 1] = 1.0 - uv.y;
                }
                if mesh.vertex_color.exists {
                    let color = mesh.vertex_color[index];
                    corner[10..].copy_from_slice(&[linear(color.x), linear(color.y), linear(color.z), color.w]);
                }
                out.entry((node.element.name.to_string(), point, material.clone())).or_default().push(corner);
            }
        }
    }
    (out, triangles)
}

/// Every node stands at one place, every corner of one side has its like on the other, every material its picture.
fn compare_rest(name: &str, bytes: &[u8]) -> Compared {
    let (model, scene) = both(name, bytes)?;
    let posed = pose::pose(&model, &[]);
    for node in scene.nodes.iter().filter(|node| !node.is_root) {
        let at = node_of(&model, node)?;
        let want = model.model_from_file * matrix(&node.node_to_world);
        compare_matrices("at rest", &node.element.name, posed.model_from_local[at].as_dmat4(), want)?;
    }
    let ((ours, our_triangles), (theirs, their_triangles)) =
        (our_corners(&model), their_corners(&scene, model.model_from_file));
    same!(our_triangles == their_triangles, "{our_triangles} triangles and {their_triangles}");
    let keys = |corners: &Corners| corners.keys().cloned().collect::<Vec<_>>();
    same!(keys(&ours) == keys(&theirs), "nodes, control points, materials: {:?} and {:?}", keys(&ours), keys(&theirs));
    for (key, list) in &ours {
        let others = &theirs[key];
        let reach = list.iter().flat_map(|c| &c[..3]).fold(1.0_f64, |most, v| most.max(v.abs()));
        // Where the file has no normals, ours may come from smoothing groups; they make none.
        let like = |own: &Corner, other: &Corner| {
            let normals = other[3..6] == [0.0; 3] || near(&own[3..6], &other[3..6], 1.0);
            near(&own[..3], &other[..3], reach) && normals && near(&own[6..], &other[6..], 1.0)
        };
        for own in list {
            same!(others.iter().any(|other| like(own, other)), "{key:?}: ours {own:?} is not in {others:?}");
        }
        for other in others {
            same!(list.iter().any(|own| like(own, other)), "{key:?}: theirs {other:?} is not in {list:?}");
        }
    }
    compare_materials(&model, &scene)
}

fn node_of(model: &Model, node: &ufbx::Node) -> Result<usize, String> {
    let at = model.nodes.iter().position(|own| own.name == *node.element.name);
    at.ok_or_else(|| format!("no node {:?}", &*node.element.name))
}

/// Colours of materials without a picture, and the texels of embedded bitmaps.
fn compare_materials(model: &Model, scene: &ufbx::Scene) -> Compared {
    for own in &model.materials {
        let Some(other) = scene.materials.iter().find(|material| *material.element.name == own.name) else { continue };
        let color = &other.fbx.diffuse_color;
        let slot = own.base_color_texture.as_ref();
        let Some(texture) = color.texture.as_ref().filter(|texture| texture.content.starts_with(b"BM")) else {
            let own_color = own.base_color.map(f64::from);
            // Blender and physical materials keep their colour elsewhere.
            let elsewhere = slot.is_some() || !color.has_value || scene.metadata.creator.contains("Blender");
            let like = near(&own_color[..3], &[color.value_vec4.x, color.value_vec4.y, color.value_vec4.z], 1.0);
            same!(elsewhere || like, "{}: colour {own_color:?} and {:?}", own.name, color.value_vec4);
            continue;
        };
        let Some(slot) = slot else { return Err(format!("{}: its picture is missing", own.name)) };
        let image = &model.images[slot.image.index()];
        let (width, height, texels) = bitmap(&texture.content);
        same!(
            (image.width_px, image.height_px) == (width, height) && image.texels == Texels::Rgba8(texels),
            "{}: another picture: {image:?}",
            own.name
        );
    }
    Ok(())
}

/// The texels of a bitmap of 24 bits a texel, as `random` writes them, rows from the top.
fn bitmap(bytes: &[u8]) -> (u32, u32, Vec<u8>) {
    let word = |at: usize| u32::from_le_bytes(bytes[at..at + 4].try_into().expect("four bytes"));
    let (first, width, height) = (word(10) as usize, word(18), word(22));
    let row_bytes = (width as usize * 3).next_multiple_of(4);
    let mut texels = Vec::new();
    for row in (0..height as usize).rev() {
        for x in 0..width as usize {
            let at = first + row * row_bytes + x * 3;
            texels.extend([bytes[at + 2], bytes[at + 1], bytes[at], 255]);
        }
    }
    (width, height, texels)
}

fn compare_matrices(when: &str, node: &str, got: DMat4, want: DMat4) -> Compared {
    let reach = want.to_cols_array().iter().fold(1e-3_f64, |most, v| most.max(v.abs()));
    for (got, want) in got.to_cols_array().chunks(4).zip(want.to_cols_array().chunks(4)) {
        same!(near(got, want, reach), "{node} {when}: {got:?} and {want:?}, reach {reach}");
    }
    Ok(())
}

/// What the layers of a clip say of a node at a time.
fn told(clip: &stillframe_anim::RawClip, node: usize, at: Tick) -> String {
    let mut out = String::new();
    for layer in &clip.layers {
        out += &format!(
            "{:?} at {:?}, angles {}, powers {}:",
            layer.blend,
            layer.weight.sample(at),
            layer.rotations_add_by_channel,
            layer.scales_multiply
        );
        for track in layer.tracks.iter().filter(|track| track.node == node) {
            let TrackValues::Components { curves, rest } = &track.values else { continue };
            let now: Vec<_> = curves.iter().map(|curve| curve.as_ref().and_then(|curve| curve.sample(at))).collect();
            out += &format!(" {:?} {now:?} at rest {rest:?}", track.property);
        }
        out += "; ";
    }
    out
}

fn compare_moving(name: &str, bytes: &[u8], times: usize, seed: u64) -> Compared {
    let (model, scene) = both(name, bytes)?;
    let mut dice = random::Dice::new(seed ^ 99);
    same!(model.clips.len() == scene.anim_stacks.len(), "{} clips", model.clips.len());
    for (clip, stack) in scene.anim_stacks.iter().enumerate() {
        let own = &model.clips[clip];
        for _ in 0..times {
            let tick = Tick::from_seconds(dice.between(own.start.seconds(), own.end.seconds()));
            let posed = pose::pose(&model, &[Playing { clip, time: tick - own.start }]);
            let evaluated = ufbx::evaluate_scene(&scene, &stack.anim, tick.seconds(), ufbx::EvaluateOpts::default())
                .map_err(|e| e.description.to_string())?;
            for node in evaluated.nodes.iter().filter(|node| !node.is_root) {
                let at = node_of(&model, node)?;
                let want = model.model_from_file * matrix(&node.node_to_world);
                let when = format!("at {} s", tick.seconds());
                compare_matrices(&when, &node.element.name, posed.model_from_local[at].as_dmat4(), want).map_err(
                    |words| {
                        format!(
                            "{words}; {:?}; {:?}; theirs {:?}",
                            model.nodes[at].local,
                            told(own, at, tick),
                            node.local_transform
                        )
                    },
                )?;
            }
        }
    }
    Ok(())
}

/// Every curve on a place, a rotation or a scale, inside and outside its keys.
fn compare_curves(name: &str, bytes: &[u8], seed: u64) -> Compared {
    let (model, scene) = both(name, bytes)?;
    let mut dice = random::Dice::new(seed ^ 77);
    for (clip, stack) in scene.anim_stacks.iter().enumerate() {
        for (own, layer) in model.clips[clip].layers.iter().zip(&stack.layers) {
            for moved in &layer.anim_props {
                let property = match &*moved.prop_name {
                    "Lcl Translation" => Property::Translation,
                    "Lcl Rotation" => Property::Rotation,
                    "Lcl Scaling" => Property::Scale,
                    _ => continue,
                };
                let node = model.nodes.iter().position(|node| node.name == *moved.element.name);
                let track = own.tracks.iter().find(|track| Some(track.node) == node && track.property == property);
                let Some(TrackValues::Components { curves, .. }) = track.map(|track| &track.values) else {
                    return Err(format!("no track for {property:?} of {:?}", &*moved.element.name));
                };
                for (curve, other) in curves.iter().zip(&moved.anim_value.curves) {
                    same!(curve.is_some() == other.is_some(), "a curve is missing: {property:?}");
                    let (Some(curve), Some(other)) = (curve, other) else { continue };
                    let reach = curve.keys.iter().fold(1.0_f64, |most, key| most.max(key.value.abs()));
                    for _ in 0..20 {
                        let tick = Tick::from_seconds(dice.between(-6.0, 10.0));
                        let want = ufbx::evaluate_curve(other, tick.seconds(), 0.0);
                        let got = curve.sample(tick).expect("keys");
                        // Slopes and weights are 32-bit numbers there.
                        same!(
                            near(&[got], &[want], reach.max(want.abs())),
                            "{property:?} at {}: {got} and {want} of {curve:#?}",
                            tick.seconds()
                        );
                    }
                }
            }
        }
    }
    Ok(())
}

/// The records without the one of that number, counted depth first.
fn without(records: &[Record], count: &mut usize, number: usize) -> Vec<Record> {
    let mut out = Vec::new();
    for record in records {
        *count += 1;
        if *count - 1 != number {
            let inside = without(&record.inside, count, number);
            out.push(Record { inside, ..record.clone() });
        } else {
            // Those inside go with it.
            without(&record.inside, count, usize::MAX);
        }
    }
    out
}

/// The smallest file that is still read differently.
fn reduced(file: &File, compare: &dyn Fn(&File) -> Compared) -> File {
    let mut file = file.clone();
    loop {
        let mut number = 0;
        let mut smaller = false;
        loop {
            let mut count = 0;
            let mut less = file.clone();
            for list in [&mut less.connections, &mut less.objects, &mut less.definitions] {
                *list = without(list, &mut count, number);
            }
            if number >= count {
                break;
            }
            match compare(&less) {
                Err(words) if !words.starts_with("not read") => {
                    file = less;
                    smaller = true;
                }
                _ => number += 1,
            }
        }
        if !smaller {
            return file;
        }
    }
}

fn cases() -> std::ops::Range<u64> {
    let number = |name: &str| std::env::var(name).ok().and_then(|count| count.parse::<u64>().ok());
    match number("STILLFRAME_CASE") {
        Some(one) => one..one + 1,
        None => 0..number("STILLFRAME_CASES").unwrap_or(1000),
    }
}

/// Compares files of random seeds in some form.
fn each_case(form: Form, moving: bool, compare: impl Fn(&str, &[u8], u64) -> Compared) {
    let reach = if form.is_old() { Reach::Old } else { Reach::Modern };
    for seed in cases() {
        let version = if seed % 2 == 0 { 7400 } else { 7500 };
        let bytes = |file: &File| match form {
            Form::Binary => file.bytes(version, seed % 3 != 0),
            form => file.in_form(form),
        };
        let of = |file: &File| compare("random.fbx", &bytes(file), seed);
        let file = random::file_within(seed, moving, reach);
        if let Err(words) = of(&file) {
            let small = reduced(&file, &of);
            let again = of(&small).err();
            let spelled = if form == Form::Binary { Vec::new() } else { small.in_form(form) };
            let spelled = String::from_utf8_lossy(&spelled);
            panic!("case {seed}: {words}\nThe smallest file with a difference: {small:#?}\n{spelled}\n{again:#?}");
        }
    }
    println!("{form:?}, moving: {moving}: {} files, at most {:.1e} apart", cases().count(), WORST.get());
}

fn at_rest(form: Form) {
    each_case(form, false, |name, bytes, _| compare_rest(name, bytes));
}

fn moving(form: Form) {
    each_case(form, true, |name, bytes, seed| {
        compare_curves(name, bytes, seed)?;
        compare_moving(name, bytes, 5, seed)
    });
}

#[test]
fn random_files_at_rest() {
    at_rest(Form::Binary);
}

#[test]
fn random_files_that_move() {
    moving(Form::Binary);
}

#[test]
fn random_text_at_rest() {
    at_rest(Form::Text);
}

#[test]
fn random_text_that_moves() {
    moving(Form::Text);
}

#[test]
fn random_files_of_version_6_at_rest() {
    at_rest(Form::OldBinary);
}

#[test]
fn random_files_of_version_6_that_move() {
    moving(Form::OldBinary);
}

#[test]
fn random_text_of_version_6_at_rest() {
    at_rest(Form::OldText);
}

#[test]
fn random_text_of_version_6_that_moves() {
    moving(Form::OldText);
}

#[test]
fn files_of_programs() {
    let own = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../scenes/assets");
    let folder = std::env::var("STILLFRAME_FBX").map_or(own, Into::into);
    let mut files: Vec<_> =
        std::fs::read_dir(folder).expect("a folder").map(|entry| entry.expect("a file").path()).collect();
    files.retain(|file| file.extension().is_some_and(|ending| ending == "fbx"));
    files.sort();
    assert!(files.len() >= 6, "FBX files are missing: {files:?}");
    for file in files {
        let (name, bytes) = (file.display().to_string(), std::fs::read(&file).expect("readable"));
        let compared = compare_rest(&name, &bytes).and_then(|()| compare_moving(&name, &bytes, 8, 7));
        compared.unwrap_or_else(|words| panic!("{name}: {words}"));
    }
}
