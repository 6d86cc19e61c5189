//! Placed: scenes become worlds, worlds become shots.

use std::path::Path;

use glam::{Mat4, Vec3};
use proptest::prelude::*;
use proptest::test_runner::RngSeed;
use stillframe_asset::asset::{AlphaMode, Geometry, Material};
use stillframe_asset::source::{Diagnostic, Vfs};
use stillframe_base::geom::Aabb;
use stillframe_draw::view::{dump as dump_shot, frame_all, look};
use stillframe_scene::scene::{
    self, CameraChoice, CameraWish, EnvironmentSource, Ground, Lighting, Projection, Scene, Style, Wishes, parse_look,
};
use stillframe_testkit::depth::cases;
use stillframe_world::world::{Built, Item, Origin, World, build, dump as dump_world};

use super::assets;

fn bare(name: &str, wishes: &Wishes) -> Scene {
    Scene::for_model(&assets().join(name), wishes).expect("a model").scene
}

fn built(scene: &Scene) -> Result<Built, Vec<Diagnostic>> {
    let vfs = scene.vfs().expect("a root");
    build(scene, &|path: &Path| vfs.read(path))
}

/// A scene text as if it stood beside the assets.
pub fn from_text(text: &str) -> Scene {
    let vfs = Vfs::open(&assets()).expect("a root");
    scene::resolve_text(text, Path::new("test.toml"), &assets(), &vfs, &[]).unwrap_or_else(|d| panic!("{d:#?}")).scene
}

#[test]
fn a_bare_model_gets_a_studio_only_without_lights() {
    let teapot = built(&bare("teapot.glb", &Wishes::default())).expect("good");
    assert_eq!(teapot.world.object_names, ["teapot", "ground"]);
    assert_eq!((teapot.world.lights.len(), teapot.scene.ground), (1, Ground::On));
    assert_eq!(teapot.scene.environment.source, EnvironmentSource::Studio);
    assert_eq!(teapot.scene.effects.iter().map(|effect| &*effect.name).collect::<Vec<_>>(), ["studio.occlusion"]);
    // Pictures in tiles have no effects.
    let tiled = Wishes { size_px: Some([4096, 64]), tile_px: Some(512), ..Wishes::default() };
    assert_eq!(built(&bare("teapot.glb", &tiled)).expect("good").scene.effects, []);
    let plain = Wishes { style: Some(Style::Plain), ..Wishes::default() };
    let of_plain = built(&bare("teapot.glb", &plain)).expect("good");
    assert_eq!((of_plain.world.lights.len(), of_plain.scene.effects.len()), (3, 0));
    let [.., middle, rim] = &teapot.world.items[..] else { panic!("a ground of two parts") };
    for part in [middle, rim] {
        assert!(!part.casts_shadow);
        assert!((part.world_from_local.w_axis.y - teapot.world.subject_bounds.min.y).abs() < 1e-6);
    }
    assert!(teapot.world.bounds.size().x > teapot.world.subject_bounds.size().x * 5.0);

    let spheres = built(&bare("spheres.glb", &Wishes::default())).expect("good");
    assert_eq!((spheres.world.lights.len(), spheres.scene.ground), (2, Ground::Off));
    assert_eq!((&spheres.scene.environment.source, spheres.scene.effects.len()), (&EnvironmentSource::Studio, 0));
    let of_plain = built(&bare("spheres.glb", &plain)).expect("good").scene;
    assert_eq!(of_plain.environment.source, EnvironmentSource::None);
    assert!(spheres.world.lights.iter().all(|l| l.from_model && l.shadow.is_some()));
    assert_eq!(spheres.world.object_names[25], "sphere24");

    let dark = Wishes { lighting: Some(Lighting::None), ..Wishes::default() };
    assert!(built(&bare("spheres.glb", &dark)).expect("good").world.lights.is_empty());
}

#[test]
fn objects_are_numbered_in_tree_order_and_named_by_path() {
    let scene = from_text(
        r#"
title = "Numbers"
[camera.main]
position = [0, 1, 5]
look_at = [0, 0, 0]
[model.kit]
file = "scene.gltf"
node = "crate"
[model.card]
file = "leaf_card.glb"
[[node]]
name = "table"
position = [1, 0, 0]
[[node]]
name = "ball"
shape = "sphere"
[[node]]
name = "cup"
parent = "table"
model = "kit"
position = [0, 2, 0]
[[node]]
name = "leaf"
parent = "table"
model = "card"
"#,
    );
    let built = built(&scene).expect("good");
    assert_eq!(built.world.object_names, ["table/cup/crate", "table/leaf/leaf_card", "ball"]);
    let ids: Vec<u32> = built.world.items.iter().map(|i| i.object_id).collect();
    assert_eq!(ids, [1, 2, 3]);
    // The kit's node keeps the place that its file gives it.
    let at = built.world.items[0].world_from_local.w_axis.truncate();
    assert!((at - Vec3::new(1.0 + 1.15, 2.0 + 0.25, 0.35)).length() < 1e-5, "{at}");
    let text = dump_world(&built.world);
    assert!(text.contains("object 1 \"table/cup/crate\"\n") && text.contains("material 0 \"crate\""), "{text}");
    let shot = look(&built.scene, &built.world);
    assert!(dump_shot(&shot, &built.world.store).contains("casters 3\n"));
}

#[test]
fn parts_of_one_node_share_its_number() {
    let scene = bare("mannequin.glb", &Wishes { ground: Some(Ground::Off), ..Wishes::default() });
    let built = built(&scene).expect("good");
    assert_eq!(built.world.object_names, ["mannequin"]);
    assert_eq!(built.world.items.iter().map(|i| i.object_id).collect::<Vec<_>>(), [1, 1]);
    assert!(built.world.bounds.min.y.abs() < 0.05, "it stands on the ground: {:?}", built.world.bounds);
    assert!((1.4..2.2).contains(&built.world.bounds.size().y), "and is a person: {:?}", built.world.bounds);
}

#[test]
fn models_and_pictures_are_loaded_once() {
    let text = r#"
title = "Twice"
[camera.main]
position = [0, 1, 5]
look_at = [0, 0, 0]
[model.a]
file = "crate.glb"
[model.b]
file = "crate.glb"
[model.b.override.crate]
roughness = 0.125
normal_texture = "crate_normal.png"
[material.brick]
base_color_texture = "crate_base.png"
[material.wall]
base_color_texture = "crate_base.png"
[[node]]
name = "one"
model = "a"
[[node]]
name = "two"
model = "b"
[[node]]
name = "three"
model = "a"
[[node]]
name = "four"
shape = "box"
material = "brick"
[[node]]
name = "five"
shape = "box"
material = "wall"
"#;
    let built = built(&from_text(text)).expect("good");
    let items = &built.world.items;
    assert_eq!((items.len(), built.world.store.geometries.len()), (5, 2));
    assert_eq!((items[0].geometry, items[0].material), (items[2].geometry, items[2].material));
    assert_eq!(items[0].geometry, items[1].geometry);
    assert_eq!(items[3].geometry, items[4].geometry);
    assert_eq!(built.world.store.material(items[1].material).roughness, 0.125);
    // Three in the model, and two files beside it.
    assert_eq!(built.world.store.images.len(), 5);
    assert_eq!(built.world.store.material(items[3].material).base_color, [1.0; 4]);
}

#[test]
fn names_that_models_do_not_have() {
    let scene = |model: &str| {
        from_text(&format!(
            "title = \"Names\"\n[camera.main]\nposition = [0, 1, 5]\nlook_at = [0, 0, 0]\n[model.a]\n{model}\n[[node]]\nname = \"x\"\nmodel = \"a\"\n"
        ))
    };
    for (model, code, help) in [
        ("file = \"scene.gltf\"\nnode = \"teapott\"", "E0502", "did you mean \"teapot\"?"),
        ("file = \"crate.glb\"\n[model.a.override.crat]\nroughness = 0.5", "E0503", "did you mean \"crate\"?"),
    ] {
        let diagnostics = built(&scene(model)).expect_err("a wrong name");
        assert_eq!((diagnostics[0].code, diagnostics[0].help.as_deref()), (code, Some(help)));
    }
    let named = |name: &str| Wishes { camera: Some(CameraWish::Named(name.into())), ..Wishes::default() };
    assert!(built(&bare("spheres.glb", &named("camera"))).is_ok());
    let diagnostics = built(&bare("spheres.glb", &named("camrea"))).expect_err("a wrong camera");
    assert_eq!((diagnostics[0].code, diagnostics[0].help.as_deref()), ("E0504", Some("did you mean \"camera\"?")));
    let number = Wishes { camera: Some(CameraWish::Number(1)), ..Wishes::default() };
    assert_eq!(built(&bare("spheres.glb", &number)).expect_err("one camera")[0].code, "E0504");
}

#[test]
fn framing_shows_all_corners_and_wastes_little() {
    for aspect in [0.5, 1.0, 16.0 / 9.0] {
        for bounds in [
            Aabb::new(Vec3::new(-1.0, 0.0, -2.0), Vec3::new(3.0, 5.0, 1.0)),
            Aabb::new(Vec3::splat(1e-3), Vec3::splat(2e-3)),
            Aabb::new(Vec3::splat(-1e4), Vec3::new(1e4, 10.0, 1e4)),
            Aabb::new(Vec3::ZERO, Vec3::ZERO),
            Aabb::EMPTY,
        ] {
            let camera = frame_all(bounds, aspect);
            let clip = camera.clip_from_view * camera.view_from_world;
            let mut reach = 0.0_f32;
            let shown = if bounds.is_empty() { Aabb::new(Vec3::NEG_ONE, Vec3::ONE) } else { bounds };
            for corner in shown.corners() {
                let p = clip * corner.extend(1.0);
                assert!(p.w > 0.0 && p.z <= p.w && p.z >= 0.0, "{bounds:?} {p}");
                reach = reach.max((p.x / p.w).abs()).max((p.y / p.w).abs());
            }
            assert!(reach <= 0.901, "{bounds:?} at {aspect}: {reach}");
            assert!(reach >= 0.6 || shown.size() == Vec3::ZERO, "{bounds:?} at {aspect}: {reach}");
            assert!(camera.position.z > shown.center().z && camera.position.x > shown.center().x);
        }
    }
}

#[test]
fn cameras_in_models_look_as_their_files_say() {
    let built = built(&bare("spheres.glb", &Wishes { size_px: Some([512, 512]), ..Wishes::default() })).expect("good");
    let camera = look(&built.scene, &built.world).camera;
    assert!((camera.position - Vec3::new(0.0, 5.0, 8.2)).length() < 1e-6);
    assert_eq!((camera.near_m, camera.far_m), (0.1, Some(100.0)));
    // The target of spheres.json is in the middle of the picture; near is 1 and far is 0.
    let clip = camera.clip_from_view * camera.view_from_world;
    let target = clip * Vec3::new(0.0, 0.1, 0.3).extend(1.0);
    assert!((target.x / target.w).abs() < 1e-5 && (target.y / target.w).abs() < 1e-5, "{target}");
    for (distance, depth) in [(0.1, 1.0), (100.0, 0.0)] {
        let p = camera.clip_from_view * Vec3::new(0.0, 0.0, -distance).extend(1.0);
        assert!((p.z / p.w - depth).abs() < 1e-5, "{distance} m: {}", p.z / p.w);
    }
}

/// A world of boxes, made of two materials (opaque, blended) and one unit box.
fn boxes(places: &[(Vec3, f32, bool)]) -> World {
    let mut world = World::default();
    let store = &mut world.store;
    let bounds = Aabb::new(Vec3::splat(-0.5), Vec3::splat(0.5));
    let geometry = store.add_geometry(Geometry { bounds, ..Geometry::default() });
    let opaque = store.add_material(Material::default());
    let glass = store.add_material(Material { alpha_mode: AlphaMode::Blend, ..Material::default() });
    for (index, (center, size, blend)) in places.iter().enumerate() {
        let world_from_local = Mat4::from_scale_rotation_translation(Vec3::splat(*size), glam::Quat::IDENTITY, *center);
        world.object_names.push(format!("box {index}"));
        world.items.push(Item {
            geometry,
            bent: None,
            crowd: None,
            distances_m: [0.0, f32::INFINITY],
            material: if *blend { glass } else { opaque },
            world_from_local,
            object_id: index as u32 + 1,
            origin: Origin::Shape { node: index },
            bounds: bounds.transformed(&world_from_local),
            casts_shadow: true,
        });
    }
    world
}

proptest! {
    #![proptest_config(ProptestConfig { cases: cases(300), failure_persistence: None, rng_seed: RngSeed::Fixed(4), ..ProptestConfig::default() })]

    /// Nothing that has a visible point is culled, and lists are in the order they promise.
    #[test]
    fn shots_keep_what_is_visible_and_are_sorted(
        places in prop::collection::vec(
            ((-20.0..20.0f32, -20.0..20.0f32, -20.0..20.0f32), 0.1..6.0f32, any::<bool>()), 1..40),
        eye in (-15.0..15.0f32, -15.0..15.0f32, -15.0..15.0f32),
        target in (-5.0..5.0f32, -5.0..5.0f32, 6.0..7.0f32),
        fov_y_deg in 10.0..120.0f32,
        orthographic in any::<bool>(),
    ) {
        let places: Vec<(Vec3, f32, bool)> =
            places.into_iter().map(|((x, y, z), size, blend)| (Vec3::new(x, y, z), size, blend)).collect();
        let mut world = boxes(&places);
        let mut scene = bare("leaf_card.glb", &Wishes { size_px: Some([160, 90]), ..Wishes::default() });
        scene.settle(true);
        let view = format!("{},{},{}:{},{},{}:{}", eye.0, eye.1, eye.2, target.0, target.1, target.2 + 20.0, fov_y_deg);
        scene.camera = parse_look(&view).expect("a view");
        if orthographic {
            world.cameras.push(stillframe_world::world::WorldCamera {
                name: "flat".into(),
                world_from_local: Mat4::from_translation(Vec3::new(eye.0, eye.1, eye.2)),
                lens: None,
                projection: Projection::Orthographic { height_m: fov_y_deg * 0.2 },
                near_m: 0.5,
                far_m: Some(12.0),
                from_model: true,
            });
            scene.camera = CameraChoice::ModelNumber(0);
        }
        let shot = look(&scene, &world);
        let clip = shot.camera.clip_from_view * shot.camera.view_from_world;
        let kept = |id: u32| shot.opaque.iter().chain(&shot.blended).any(|d| d.object_id == id);
        for (index, (center, size, blend)) in places.iter().enumerate() {
            let id = index as u32 + 1;
            prop_assert!(!shot.opaque.iter().any(|d| d.object_id == id && *blend));
            let seen = (0..125).any(|k| {
                let step = Vec3::new((k % 5) as f32, (k / 5 % 5) as f32, (k / 25) as f32) / 4.0 - 0.5;
                let p = clip * (*center + step * *size).extend(1.0);
                p.x.abs() < p.w && p.y.abs() < p.w && p.z > 0.0 && p.z < p.w
            });
            prop_assert!(!seen || kept(id), "box {id} has a visible point, but was left out");
        }
        let depth = |d: &stillframe_draw::view::DrawItem| {
            -shot.camera.view_from_world.transform_point3(d.bounds_world.center()).z
        };
        prop_assert!(shot.opaque.windows(2).all(|p| depth(&p[0]) <= depth(&p[1])));
        prop_assert!(shot.blended.windows(2).all(|p| depth(&p[0]) >= depth(&p[1])));
        prop_assert!(shot.casters.windows(2).all(|p| p[0].object_id < p[1].object_id));
        prop_assert_eq!(shot.casters.len(), places.iter().filter(|p| !p.2).count());
    }
}

#[test]
fn mirrored_items_are_told_and_normals_stay_outside() {
    let built = built(&bare("scene.gltf", &Wishes::default())).expect("good");
    let shot = look(&built.scene, &built.world);
    let mirrored: Vec<&str> = shot
        .casters
        .iter()
        .filter(|d| d.mirrored)
        .map(|d| shot.object_names[d.object_id as usize - 1].as_str())
        .collect();
    assert_eq!(mirrored, ["crate_mirrored"]);
    for draw in &shot.casters {
        let geometry = built.world.store.geometry(draw.geometry);
        for triangle in geometry.indices.chunks_exact(3).step_by(37) {
            let [a, b, c] = [0, 1, 2]
                .map(|i| draw.world_from_local.transform_point3(Vec3::from(geometry.positions[triangle[i] as usize])));
            let face = (b - a).cross(c - a) * if draw.mirrored { -1.0 } else { 1.0 };
            let normal = triangle.iter().fold(Vec3::ZERO, |s, i| {
                s + draw.normal_from_local.transform_vector3(Vec3::from(geometry.normals[*i as usize])).normalize()
            });
            assert!(face.dot(normal) > 0.0, "{}", shot.object_names[draw.object_id as usize - 1]);
        }
    }
}
