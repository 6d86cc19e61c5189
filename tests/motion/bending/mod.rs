//! What is bent: the same picture whoever bends it, and motion that is where its points were.

mod moments;
mod proportion;
mod shapes;
mod twins;
mod worn;

use std::path::Path;

use glam::{Mat4, Vec2, Vec3};
use stillframe::take::{Settings, Sitting, Skinning};
use stillframe_base::tick::Tick;
use stillframe_frames::{Picture, Samples};
use stillframe_scene::scene::{Aov, Scene, read};
use stillframe_testkit::worse;

fn scene(name: &str) -> Scene {
    let file = Path::new(env!("CARGO_MANIFEST_DIR")).join("scenes").join(name);
    read(&file, &[]).unwrap_or_else(|d| panic!("{d:#?}")).scene
}

fn pictures(scene: &Scene, skinning: Skinning, aovs: &[Aov], time_s: f64) -> Vec<(Aov, Picture)> {
    let settings = Settings { aovs: aovs.to_vec(), skinning, ..Settings::default() };
    let mut sitting = Sitting::begin(scene, &settings, &mut |_| ()).unwrap_or_else(|e| panic!("{e:#?}"));
    sitting.at(time_s, &mut |_| ()).unwrap_or_else(|e| panic!("{e:#?}")).pictures
}

/// Joints, shapes, both, from both formats; colour with its shadows, layers, motion.
#[test]
fn whoever_bends_it_the_picture_is_the_same() {
    let aovs = [Aov::COLOR, Aov::DEPTH, Aov::NORMAL, Aov::MOTION];
    for name in [
        "animation/walk.toml",
        "animation/smile.toml",
        "animation/morph/face.toml",
        "animation/assembly/two_parts.toml",
        "import/fbx_skinned_stored.toml",
    ] {
        let scene = scene(name);
        for time_s in [0.0, 0.31] {
            let [cpu, compute, vertex] = [Skinning::Cpu, Skinning::Compute, Skinning::Vertex]
                .map(|skinning| pictures(&scene, skinning, &aovs, time_s));
            assert!(cpu == compute, "{name} at {time_s}: a compute shader");
            assert!(cpu == vertex, "{name} at {time_s}: vertex shaders");
        }
    }
}

/// Dual quaternions, which turn a limb without making it thin: all ways the same bits, and another picture than
/// matrices give.
#[test]
fn whoever_bends_it_dual_quaternions_are_the_same() {
    let (linear, dual) = (scene("animation/skin/twist_linear.toml"), scene("animation/skin/twist_dual.toml"));
    let aovs = [Aov::COLOR, Aov::DEPTH, Aov::NORMAL, Aov::MOTION];
    let [cpu, compute, vertex] =
        [Skinning::Cpu, Skinning::Compute, Skinning::Vertex].map(|skinning| pictures(&dual, skinning, &aovs, 0.7));
    assert!(cpu == compute, "a compute shader");
    assert!(cpu == vertex, "vertex shaders");
    assert!(cpu != pictures(&linear, Skinning::Cpu, &aovs, 0.7));
}

/// Skins that blend both ways vertex by vertex.
#[test]
fn whoever_bends_it_both_ways_at_once_are_the_same() {
    let both = scene("animation/skin/blend_file.toml");
    let aovs = [Aov::COLOR, Aov::DEPTH, Aov::NORMAL, Aov::MOTION];
    let [cpu, compute, vertex] =
        [Skinning::Cpu, Skinning::Compute, Skinning::Vertex].map(|skinning| pictures(&both, skinning, &aovs, 0.0));
    assert!(cpu == compute, "a compute shader");
    assert!(cpu == vertex, "vertex shaders");
}

/// About centres of rotation.
#[test]
fn whoever_bends_it_centres_are_the_same() {
    let aovs = [Aov::COLOR, Aov::DEPTH, Aov::NORMAL, Aov::MOTION];
    let about = scene("animation/skin/centres.toml");
    for time_s in [0.4, 1.0] {
        let [cpu, compute, vertex] =
            [Skinning::Cpu, Skinning::Compute, Skinning::Vertex].map(|who| pictures(&about, who, &aovs, time_s));
        assert!(cpu == compute, "a compute shader at {time_s}");
        assert!(cpu == vertex, "vertex shaders at {time_s}");
    }
}

/// Bent by 120 degrees, centres of rotation keep an arm thinner on the outside than dual quaternions do; twisted by
/// 175, thicker than matrices.
#[test]
fn centres_neither_pinch_nor_bulge() {
    let scene = scene("animation/skin/centres.toml");
    let vfs = scene.vfs().unwrap();
    let loaded = stillframe_world::world::open(&scene, None, &|path| vfs.read(path)).unwrap();
    let world = loaded.place(Tick::from_seconds(1.0), &|path| vfs.read(path)).unwrap().world;
    let points = |name: &str| {
        let id = world.object_names.iter().position(|own| own.starts_with(name)).unwrap() as u32 + 1;
        let item = world.items.iter().find(|item| item.object_id == id).unwrap();
        let bent = &world.bents[item.bent.unwrap() as usize];
        bent.positions.iter().map(|point| Vec3::from(*point)).collect::<Vec<Vec3>>()
    };
    // The arm stands on the origin along Y and bends at a height of 1; at rest its radius is 0.18.
    let thin = |name: &str| {
        let of_middle = points(name).into_iter().filter(|point| (point.y - 1.0).abs() < 0.02);
        of_middle.map(|point| Vec2::new(point.x, point.z).length()).fold(f32::INFINITY, f32::min)
    };
    let [linear, dual, centres] = ["twist_linear", "twist_dual", "twist_centres"].map(thin);
    // Its elbow is no part of a tube: centres there lie beside the axis.
    assert!(linear < 0.05 && dual > 0.17 && centres > 0.13, "{linear} {dual} {centres}");
    // Bent, its lower half leads from there down the way that a turn of 120 degrees about Z leaves. Away from both axes
    // is the bulge.
    let lower = Vec3::new(-(0.75_f32.sqrt()), -0.5, 0.0);
    let bulge = |name: &str| {
        let off = |point: Vec3, axis: Vec3| (point - Vec3::Y).cross(axis).length();
        let far = points(name).into_iter().map(|point| off(point, Vec3::Y).min(off(point, lower)));
        far.fold(0.0, worse)
    };
    let [dual, centres] = ["bend_dual", "bend_centres"].map(bulge);
    // As it rests its elbow is 0.26 from the axis.
    assert!(dual > 0.29 && centres < 0.28, "{dual} {centres}");
}

/// However many figures there are, they are as many draws as one: their own, and one for each shadow map that sees any.
#[test]
fn a_crowd_is_as_many_draws_as_one_figure() {
    let file = Path::new(env!("CARGO_MANIFEST_DIR")).join("scenes/animation/crowd/few.toml");
    let stats = |count: u32, edits: &[&str]| {
        let own = [format!("crowd.people.count={count}"), "output.size_px=[32, 20]".to_string()];
        let edits: Vec<String> = edits.iter().map(|edit| edit.to_string()).chain(own).collect();
        let scene = read(&file, &edits).unwrap_or_else(|d| panic!("{d:#?}")).scene;
        let settings = Settings { aovs: vec![Aov::COLOR, Aov::MOTION], ..Settings::default() };
        let mut sitting = Sitting::begin(&scene, &settings, &mut |_| ()).unwrap_or_else(|e| panic!("{e:#?}"));
        sitting.at(0.7, &mut |_| ()).unwrap_or_else(|e| panic!("{e:#?}")).stats
    };
    for edits in [&["light.sun.shadow=false"][..], &[], &["crowd.people.baking=\"vertices\""]] {
        let [one, twelve] = [1, 12].map(|count| stats(count, edits));
        assert_eq!(twelve.draws, one.draws, "{edits:?}");
        // The floor is the same: what is more is eleven figures.
        let more = twelve.triangles - one.triangles;
        assert!(more > 0 && more.is_multiple_of(11), "{edits:?}: {more}");
    }
}

/// Points that are seen where they are projected: motion there leads to where they are projected one frame before.
#[test]
fn motion_leads_to_where_points_were() {
    let mut scene = scene("animation/walk.toml");
    (scene.output.width_px, scene.output.height_px) = (256, 384);
    let (time_s, frame_s) = (0.2, 1.0 / 30.0);
    let vfs = scene.vfs().unwrap();
    let loaded = stillframe_world::world::open(&scene, None, &|path| vfs.read(path)).unwrap();
    let place = |time_s: f64| loaded.place(Tick::from_seconds(time_s), &|path| vfs.read(path)).unwrap();
    let (before, now) = (place(time_s - frame_s).world, place(time_s));
    let camera = stillframe_draw::view::shot_camera(&now.scene, &now.world, 0.0);
    let now = now.world;
    let size = [256.0_f32, 384.0];
    let project = |matrix: Mat4, point: [f32; 3]| {
        let eye = camera.view_from_world * matrix * Vec3::from(point).extend(1.0);
        let clip = camera.clip_from_view * eye;
        let at = [clip.x / clip.w * 0.5 + 0.5, 0.5 - clip.y / clip.w * 0.5];
        ([at[0] * size[0], at[1] * size[1]], -eye.z)
    };
    let taken = pictures(&scene, Skinning::Cpu, &[Aov::DEPTH, Aov::MOTION], time_s);
    let [depth, motion] = [0, 1].map(|i| match &taken[i].1.samples {
        Samples::F32(samples) => samples,
        other => panic!("{:?}", other.kind()),
    });
    let (mut seen, mut off, mut far_moved) = (0, 0, 0);
    for (item, was) in now.items.iter().zip(&before.items) {
        let (Some(bent), Some(bent_before)) = (item.bent, was.bent) else { continue };
        let (here, there) = (&now.bents[bent as usize].positions, &before.bents[bent_before as usize].positions);
        for (here, there) in here.iter().zip(there) {
            let ([x, y], depth_m) = project(item.world_from_local, *here);
            let ([was_x, was_y], _) = project(was.world_from_local, *there);
            if !(1.0..255.0).contains(&x) || !(1.0..383.0).contains(&y) {
                continue;
            }
            let pixel = y as usize * 256 + x as usize;
            // Hidden by something else, or at an edge, where the pixel's centre shows something else.
            if (depth[pixel] - depth_m).abs() > 0.004 {
                continue;
            }
            let [dx, dy] = [motion[pixel * 2], motion[pixel * 2 + 1]];
            let (want_x, want_y) = (was_x - x, was_y - y);
            let error = Vec2::new(dx - want_x, dy - want_y).length();
            seen += 1;
            off += usize::from(error >= 0.35);
            far_moved += usize::from(want_x.abs() + want_y.abs() > 2.0);
        }
    }
    // Fingers are about a pixel wide: the pixel's centre may show another one.
    assert!(off * 50 < seen, "{off} of {seen} points came from elsewhere");
    assert!(seen > 1000 && far_moved > 200, "{seen} points seen, {far_moved} of them moved far");
}
