//! Bodies of other proportions: what binds do, whatever moves the joints.

use std::path::Path;

use glam::Vec3;
use stillframe_asset::source::Vfs;
use stillframe_base::tick::Tick;
use stillframe_scene::scene::resolve_text;
use stillframe_testkit::worse;
use stillframe_world::world::{World, open};

const SCENE: &str = r#"
title = "x"
[camera.main]
[model.figure]
file = "mannequin.glb"
[model.body]
file = "mannequin.glb"
proportion = [PROPORTIONS]
[[animator]]
name = "figure"
model = "figure"
CLIP
[[animator]]
name = "body"
model = "body"
CLIP
[[node]]
name = "figure"
model = "figure"
animator = "figure"
[[node]]
name = "body"
model = "body"
animator = "body"
[[node]]
name = "twin"
parent = "body"
model = "figure"
worn = true
[[node]]
name = "ball"
parent = "body"
joint = "Head"
shape = "sphere"
radius_m = 0.1
"#;

/// Where all points of the figure, the body and its twin are, and the ball.
fn placed(proportions: &str, time_s: f64) -> ([Vec<Vec3>; 3], Vec3) {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("scenes/assets");
    let vfs = Vfs::open(&folder).unwrap();
    let text = SCENE.replace("PROPORTIONS", proportions).replace("CLIP", "clip = \"walk\"");
    let scene = resolve_text(&text, Path::new("scene.toml"), &folder, &vfs, &[]).unwrap_or_else(|d| panic!("{d:#?}"));
    let read = |path: &Path| vfs.read(path);
    let loaded = open(&scene.scene, None, &read).unwrap_or_else(|d| panic!("{d:#?}"));
    let world = loaded.place(Tick::from_seconds(time_s), &read).unwrap_or_else(|d| panic!("{d:#?}")).world;
    let ball = world
        .items
        .iter()
        .find(|item| item.origin.node() == Some(3))
        .expect("a ball")
        .world_from_local
        .w_axis
        .truncate();
    ([0, 1, 2].map(|node| points(&world, node)), ball)
}

fn points(world: &World, node: usize) -> Vec<Vec3> {
    let items = world.items.iter().filter(|item| item.origin.node() == Some(node));
    let bents = items.map(|item| &world.bents[item.bent.expect("it has a skin") as usize].positions);
    bents.flatten().copied().map(Vec3::from).collect()
}

fn farthest(a: &[Vec3], b: &[Vec3]) -> f32 {
    assert_eq!(a.len(), b.len());
    assert!(!a.is_empty());
    a.iter().zip(b).map(|(a, b)| a.distance(*b)).fold(0.0, worse)
}

#[test]
fn equal_proportions_leave_the_body_as_it_is() {
    let ([figure, body, twin], _) = placed(r#"{ joint = "Spine" }, { joint = "Neck", branch = true }"#, 0.3);
    assert!(farthest(&figure, &body) < 1e-6);
    assert!(farthest(&figure, &twin) < 1e-6);
}

/// All of a body grows as it would if its node did.
#[test]
fn a_branch_from_the_root_is_the_whole_body() {
    let ([figure, body, _], ball) = placed(r#"{ joint = "Root", scale = 1.5, branch = true }"#, 0.0);
    let (_, plain) = placed("", 0.0);
    // Clips move joints as far as ever: at rest alone are both the same. Of a walk's first moment the height is what is
    // left.
    let height = |points: &[Vec3]| points.iter().map(|point| point.y).fold(0.0, f32::max);
    let ratio = height(&body) / height(&figure);
    assert!((ratio - 1.5).abs() < 0.02, "{ratio}");
    assert!((ball.y / plain.y - 1.5).abs() < 0.02, "{ball} {plain}");
}

/// Only what the joint pulls at moves, by as much as it grows; joints below stay.
#[test]
fn a_joint_alone_grows_alone() {
    let (grown, ball) = placed(r#"{ joint = "Head", scale = [2.0, 1.0, 2.0] }"#, 0.3);
    let (_, plain) = placed("", 0.3);
    let [figure, body, twin] = grown;
    let below = |points: &[Vec3]| points.iter().copied().filter(|point| point.y < 1.2).collect::<Vec<_>>();
    assert!(farthest(&below(&figure), &below(&body)) < 1e-6, "legs are as they were");
    let widest = farthest(&figure, &body);
    assert!((0.05..0.3).contains(&widest), "the head is wider by about its width, not by {widest} m");
    assert!(farthest(&body, &twin) < 1e-5, "what is worn grows along: {}", farthest(&body, &twin));
    assert!(ball.distance(plain) < 1e-6, "a joint stays");
}

/// A weight mixes two bodies as the animation crate's job does.
#[test]
fn weights_lie_between_two_bodies() {
    let stout = |weight: &str| {
        format!(r#"{{ joint = "Spine", scale = [1.5, 1.0, 1.75], position = [0.0, 0.1, 0.0]{weight} }}"#)
    };
    let long = |weight: &str| {
        format!(r#"{{ joint = "Neck", scale = 1.25, position = [0.0, 0.2, 0.0], branch = true{weight} }}"#)
    };
    for of in [&stout as &dyn Fn(&str) -> String, &long] {
        let [plain, whole] = ["", ", weight = 1.0"].map(|weight| placed(&of(weight), 0.3).0);
        assert!(plain == whole, "the default is all of it");
        let [figure, none, _] = placed(&of(", weight = 0.0"), 0.3).0;
        assert!(figure == none, "nothing of it is the file's body");
        for weight in [0.25, 0.5, 0.75, -0.5, 1.5] {
            let [_, body, twin] = placed(&of(&format!(", weight = {weight:?}")), 0.3).0;
            let between: Vec<Vec3> = figure.iter().zip(&whole[1]).map(|(a, b)| *a + (*b - *a) * weight).collect();
            let apart = farthest(&body, &between);
            assert!(apart < 1e-5, "{weight}: {apart} m from the line between both");
            assert!(farthest(&body, &twin) < 1e-5, "{weight}: what is worn grows along");
            assert!(farthest(&body, &figure) > 1e-3, "{weight}: it does something");
        }
    }
    // Each has its own: a stout body with half of a long neck.
    let (stout_alone, half) = (placed(&stout(""), 0.3).0, placed(&long(", weight = 0.5"), 0.3).0);
    let both = placed(&format!("{}, {}", stout(""), long(", weight = 0.5")), 0.3).0;
    let low = |points: &[Vec3]| points.iter().copied().filter(|point| point.y < 1.1).collect::<Vec<_>>();
    let high = |points: &[Vec3]| points.iter().copied().filter(|point| point.y > 1.75).collect::<Vec<_>>();
    assert!(farthest(&low(&both[1]), &low(&stout_alone[1])) < 1e-5);
    assert!(farthest(&high(&both[1]), &high(&half[1])) < 1e-5);
}

/// The same matrices from the job of the animation crate.
#[test]
fn weights_are_those_of_blended_binds() {
    use glam::{Affine3A, Mat4};
    use stillframe_anim::figure::BlendBinds;
    use stillframe_anim::pose::Affine;
    use stillframe_base::lanes::Isa;
    let whole = Mat4::from_scale_rotation_translation(Vec3::new(1.5, 1.0, 1.75), glam::Quat::IDENTITY, Vec3::Y * 0.1);
    let (base, changed) = ([Affine::IDENTITY], [Affine::from(Affine3A::from_mat4(whole))]);
    let mut out = [Affine::IDENTITY];
    BlendBinds { isa: Isa::detect(), base: &base, changed: &changed, weight: 0.25, out: &mut out }.run();
    let by_job = Mat4::from(Affine3A::from(out[0]));
    let text = r#"{ joint = "Spine", scale = [1.5, 1.0, 1.75], position = [0.0, 0.1, 0.0], weight = 0.25 }"#;
    let equal = r#"{ joint = "Spine", scale = [1.125, 1.0, 1.1875], position = [0.0, 0.025, 0.0] }"#;
    assert_eq!(
        by_job,
        Mat4::from_scale_rotation_translation(Vec3::new(1.125, 1.0, 1.1875), glam::Quat::IDENTITY, Vec3::Y * 0.025)
    );
    assert!(farthest(&placed(text, 0.3).0[1], &placed(equal, 0.3).0[1]) < 1e-6);
}

/// Weights by key frames: at each moment the body of that weight, whichever moment was asked for before.
#[test]
fn weights_move() {
    let text = |weight: &str| format!(r#"{{ joint = "Spine", scale = 2.0, weight = {weight} }}"#);
    let keyed = text("{ keys = [[0.0, 0.0], [1.0, 1.0]] }");
    for time_s in [0.25, 0.75] {
        let [_, body, twin] = placed(&keyed, time_s).0;
        let [_, want, _] = placed(&text(&format!("{time_s:?}")), time_s).0;
        assert!(body == want, "{time_s} s");
        assert!(farthest(&body, &twin) < 1e-5, "{time_s} s");
    }
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("scenes/assets");
    let vfs = Vfs::open(&folder).unwrap();
    let text = SCENE.replace("PROPORTIONS", &keyed).replace("CLIP", "clip = \"walk\"");
    let scene = resolve_text(&text, Path::new("scene.toml"), &folder, &vfs, &[]).unwrap_or_else(|d| panic!("{d:#?}"));
    let read = |path: &Path| vfs.read(path);
    let loaded = open(&scene.scene, None, &read).unwrap_or_else(|d| panic!("{d:#?}"));
    let at = |time_s: f64| points(&loaded.place(Tick::from_seconds(time_s), &read).unwrap().world, 1);
    let (first, _, again) = (at(0.25), at(0.75), at(0.25));
    assert!(first == again);
    assert!(first == placed(&keyed, 0.25).0[1]);
}
