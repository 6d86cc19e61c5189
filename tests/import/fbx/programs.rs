//! Files that programs wrote: the same as their glTF twins.

use std::path::Path;

use glam::{DMat3, DVec3, Vec3};
use stillframe_anim::Property;
use stillframe_asset::asset::Geometry;
use stillframe_base::tick::Tick;
use stillframe_models::import::{self, Model};
use stillframe_world::pose::{self, Playing};

use super::{asset, assets, read};

/// A corner: position, normal, texture coordinates.
type Corner = [f64; 8];

/// Triangles as they stand at rest, each from its smallest corner on, sorted.
fn triangles(model: &Model) -> Vec<[Corner; 3]> {
    let posed = pose::pose(model, &[]);
    let mut out = Vec::new();
    for (at, node) in model.nodes.iter().enumerate() {
        for part in &node.parts {
            let surface: &Geometry = &model.geometries[part.geometry].surface;
            let place = posed.model_from_parts[at].as_dmat4();
            let turn = DMat3::from_mat4(place).inverse().transpose();
            let corner = |vertex: &u32| {
                let vertex = *vertex as usize;
                let position = place.transform_point3(DVec3::from(surface.positions[vertex].map(f64::from)));
                let normal = (turn * DVec3::from(surface.normals[vertex].map(f64::from))).normalize();
                let [u, v] = surface.uv0[vertex].map(f64::from);
                let [x, y, z] = position.to_array();
                [x, y, z, normal.x, normal.y, normal.z, u, v]
            };
            out.extend(surface.indices.as_chunks::<3>().0.iter().map(|triangle| triangle.each_ref().map(corner)));
        }
    }
    out
}

/// How far apart two triangles are at most, whichever corner comes first: in metres, of normals, of coordinates.
fn apart(a: &[Corner; 3], b: &[Corner; 3]) -> [f64; 3] {
    let turned = |turn: usize| {
        let mut worst = [0.0_f64; 3];
        for corner in 0..3 {
            for (i, (a, b)) in a[corner].iter().zip(&b[(corner + turn) % 3]).enumerate() {
                let kind = [0, 0, 0, 1, 1, 1, 2, 2][i];
                worst[kind] = worst[kind].max((a - b).abs());
            }
        }
        worst
    };
    [turned(0), turned(1), turned(2)].into_iter().min_by(|a, b| a[0].total_cmp(&b[0])).expect("three")
}

#[test]
fn suzanne_is_the_same_in_both_settings_and_as_glb() {
    let want = {
        let file = assets().join("suzanne.glb");
        triangles(&import::model(&file, &read).expect("readable"))
    };
    for name in ["suzanne_yup_cm.fbx", "suzanne_zup_m.fbx"] {
        let model = asset(name);
        assert!(model.warnings.is_empty(), "{name}: {:?}", model.warnings);
        let found = triangles(&model);
        assert_eq!(found.len(), want.len(), "{name}");
        // By a place on a grid: the middle of each triangle.
        let cell = |t: &[Corner; 3]| {
            [0, 1, 2].map(|axis| ((t[0][axis] + t[1][axis] + t[2][axis]) / 3.0 * 2000.0).floor() as i64)
        };
        let mut places: std::collections::BTreeMap<[i64; 3], Vec<usize>> = std::collections::BTreeMap::new();
        found.iter().enumerate().for_each(|(i, t)| places.entry(cell(t)).or_default().push(i));
        for triangle in &want {
            let [x, y, z] = cell(triangle);
            let near = (0..27)
                .flat_map(|i| places.get(&[x + i % 3 - 1, y + i / 3 % 3 - 1, z + i / 9 - 1]).into_iter().flatten());
            let best = near.map(|i| apart(triangle, &found[*i])).min_by(|a, b| a[0].total_cmp(&b[0]));
            let best = best.unwrap_or_else(|| panic!("{name}: no triangle at {triangle:?}"));
            assert!(best[0] < 1e-5 && best[1] < 2e-3 && best[2] < 1e-5, "{name}: {best:?} at {triangle:?}");
        }
    }
}

#[test]
fn crate_of_many_cornered_faces() {
    let model = asset("crate_ngon.fbx");
    let found = triangles(&model);
    assert_eq!(found.len(), 108);
    // A closed surface whose normals point outwards: flat faces, and edges cut off at 45 degrees.
    let volume: f64 = found
        .iter()
        .map(|t| {
            let [a, b, c] = t.map(|corner| DVec3::new(corner[0], corner[1], corner[2]));
            a.dot(b.cross(c)) / 6.0
        })
        .sum();
    let twin = import::model(&assets().join("crate.glb"), &read).expect("readable");
    let want: f64 = triangles(&twin)
        .iter()
        .map(|t| {
            let [a, b, c] = t.map(|corner| DVec3::new(corner[0], corner[1], corner[2]));
            a.dot(b.cross(c)) / 6.0
        })
        .sum();
    assert!((volume - want).abs() < 1e-6, "{volume} {want}");
    for triangle in &found {
        let [a, b, c] = triangle.map(|corner| DVec3::new(corner[0], corner[1], corner[2]));
        let normal = (b - a).cross(c - a).normalize();
        assert!(triangle.iter().all(|c| DVec3::new(c[3], c[4], c[5]).dot(normal) > 0.99), "{triangle:?}");
        assert!(triangle.iter().flat_map(|c| &c[..3]).all(|v| v.abs() <= 0.25 + 1e-6));
    }
}

#[test]
fn the_mannequin_loads_whole() {
    let model = asset("mannequin.fbx");
    assert!(model.warnings.is_empty(), "{:?}", model.warnings);
    assert_eq!(model.format.name, "FBX 7.4");
    assert!(model.format.generator.as_deref().is_some_and(|name| name.contains("Blender")));
    let body = model.nodes.iter().find(|node| node.skin.is_some()).expect("a skinned node");
    assert_eq!(model.skins[body.skin.expect("found by it")].joints.len(), 46);
    let morphs: Vec<&str> = body.morphs.iter().map(|morph| morph.name.as_str()).collect();
    assert_eq!(morphs, ["blink_L", "blink_R", "smile", "mouth_open", "breathe"]);
    let mut clips: Vec<&str> = model.clips.iter().map(|clip| clip.name.rsplit('|').next().expect("a name")).collect();
    clips.sort_unstable();
    assert_eq!(clips, ["idle", "run", "walk", "wave"]);
    for clip in &model.clips {
        assert!(clip.layers[0].tracks.iter().any(|track| track.property == Property::Rotation), "{}", clip.name);
    }
    let points = model.geometries.iter().flat_map(|g| &g.sources).max().expect("points") + 1;
    assert_eq!(points, 6706);
}

/// The same joints at the same moments as in the GLB: two files, two formats, one animation.
#[test]
fn the_mannequin_walks_as_its_twin_does() {
    let fbx = asset("mannequin.fbx");
    let glb = import::model(&assets().join("mannequin.glb"), &read).expect("readable");
    let clip = |model: &Model, name: &str| {
        model.clips.iter().position(|clip| clip.name.ends_with(name)).unwrap_or_else(|| panic!("no {name}"))
    };
    for name in ["walk", "wave"] {
        let (ours, twin) = (clip(&fbx, name), clip(&glb, name));
        for frame in [0, 7, 15, 29] {
            let time = Tick(i64::from(frame) * 23_520_000);
            let a = pose::pose(&fbx, &[Playing { clip: ours, time }]);
            let b = pose::pose(&glb, &[Playing { clip: twin, time }]);
            let mut compared = 0;
            for (index, node) in fbx.nodes.iter().enumerate() {
                let Some(other) = glb.nodes.iter().position(|n| n.name == node.name) else { continue };
                if !fbx.skins[0].joints.iter().any(|joint| joint.node == index) {
                    continue;
                }
                let (a, b) = (a.model_from_local[index], b.model_from_local[other]);
                let off = (a.transform_point3(Vec3::ZERO) - b.transform_point3(Vec3::ZERO)).length();
                assert!(off < 2e-4, "{name}, frame {frame}, {}: {off} m", node.name);
                compared += 1;
            }
            assert_eq!(compared, fbx.skins[0].joints.len(), "{name}, frame {frame}");
        }
    }
}

#[test]
fn other_versions_are_named() {
    let fault = |bytes: &[u8]| import::fbx(Path::new("a.fbx"), bytes, &read).expect_err("not supported").remove(0);
    let text = fault(b"; FBX 5.8.0 project file\n; ----\n\nFBXHeaderExtension:  {\n");
    assert!(text.code == "E0421" && text.message.contains("FBX 5.8") && text.help.is_some(), "{}", text.message);
    let silent = fault(b"FBXHeaderExtension:  {\n}\n");
    assert!(silent.code == "E0421" && silent.message.contains("does not say its version"), "{}", silent.message);
    let locked = fault(b"; FBX 7.4.0 project file\nFBXHeaderExtension:  {\n\tEncryptionType: 1\n}\n");
    assert!(locked.code == "E0421" && locked.message.contains("encrypted"), "{}", locked.message);
    let head = |version: u32| [b"Kaydara FBX Binary  \0\x1a\0".as_slice(), &version.to_le_bytes(), &[0; 200]].concat();
    let old = fault(&head(5800));
    assert!(old.code == "E0421" && old.message.contains("FBX 5.8"), "{}", old.message);
    assert_eq!(fault(&head(8000)).code, "E0421");
    assert_eq!(fault(b"glTF").code, "E0401");
    assert_eq!(fault(b"Kaydara FBX Binary  \0\x1a\0\xe8").code, "E0403");
}
