//! How well scenes move, as numbers: a change of motion shows here before it shows in pictures.
//!
//! Each is looked at sixty times a second. Pops are the largest change of a joint's angular velocity; slides are what
//! feet go along the floor while they are on it; ways are what the root goes in the world.

use std::fmt::Write;
use std::path::Path;

use glam::{Affine3A, DVec3, Mat4};
use stillframe_anim::metric::{Peak, foot_slide_m, pop_deg_per_frame2};
use stillframe_anim::pose::Affine;
use stillframe_base::tick::{FrameRate, Tick};
use stillframe_scene::scene::{Content, read};
use stillframe_world::world::World;

/// Scenes of the mannequin, and how many frames of them.
const SCENES: &[(&str, i64)] = &[
    ("root/walk", 150),
    ("root/walk_in_place", 150),
    ("root/gait", 120),
    ("root/ping_pong", 80),
    ("root/upper_body", 90),
    ("blend/line_sweep", 120),
    ("blend/switch_book", 60),
    ("blend/switch_frozen", 60),
    ("blend/switch_inertial", 60),
    ("machine/gait", 330),
    ("machine/slot", 120),
    ("layer/additive", 60),
    ("ik/feet", 60),
];

/// Feet count as on the floor below this height, of the toes' joints.
const FLOOR_MAX_M: f64 = 0.03;

struct Motion {
    pop: Peak,
    slide_m: f64,
    way_m: f64,
    names: Vec<String>,
}

/// Matrices of the first skin's joints in the world: what takes them there from where they rest.
fn palette(world: &World) -> Vec<Mat4> {
    let skinned = |item: &&stillframe_world::world::Item| {
        item.bent.is_some_and(|bent| !world.bents[bent as usize].posture.joints.is_empty())
    };
    let item = world.items.iter().find(skinned).expect("a skinned figure");
    let joints = &world.bents[item.bent.expect("found above") as usize].posture.joints;
    let matrix = |[x, y, z]: &[[f32; 4]; 3]| Mat4::from_cols_array_2d(&[*x, *y, *z, [0.0, 0.0, 0.0, 1.0]]).transpose();
    // The first one is the node's own.
    joints[1..].iter().map(|rows| item.world_from_local * matrix(rows)).collect()
}

fn motion(name: &str, frame_count: i64) -> Motion {
    let file = Path::new(env!("CARGO_MANIFEST_DIR")).join(format!("scenes/animation/{name}.toml"));
    let scene = read(&file, &[]).unwrap_or_else(|d| panic!("{d:#?}")).scene;
    let vfs = scene.vfs().unwrap();
    let model = scene.nodes.iter().find_map(|node| match node.content {
        Content::Model(model) => Some(&scene.models[model]),
        _ => None,
    });
    let model = stillframe_models::import::model(&model.expect("a model").file, &|path| vfs.read(path)).unwrap();
    let joints = &model.skins[0].joints;
    let names: Vec<String> = joints.iter().map(|joint| model.nodes[joint.node].name.clone()).collect();
    let loaded = stillframe_world::world::open(&scene, None, &|path| vfs.read(path)).unwrap();
    let (mut frames, mut places): (Vec<Affine>, Vec<Vec<DVec3>>) = (Vec::new(), vec![Vec::new(); joints.len()]);
    for frame in 0..=frame_count {
        let time = Tick::of_frame(frame, FrameRate::whole(60));
        let world = loaded.place(time, &|path| vfs.read(path)).unwrap().world;
        let palette = palette(&world);
        frames.extend(palette.iter().map(|matrix| Affine::from(Affine3A::from_mat4(*matrix))));
        for ((place, joint), matrix) in places.iter_mut().zip(joints).zip(&palette) {
            let rest = joint.joint_from_mesh.inverse().w_axis.truncate();
            place.push(matrix.transform_point3(rest).as_dvec3());
        }
    }
    let named = |word: &str| (0..names.len()).filter(|i| names[*i].to_lowercase().contains(word)).collect::<Vec<_>>();
    let toes = named("toe");
    assert!(toes.len() >= 2, "{names:?}");
    Motion {
        pop: pop_deg_per_frame2(&frames, joints.len()).unwrap(),
        slide_m: toes.iter().map(|toe| foot_slide_m(&places[*toe], FLOOR_MAX_M)).sum(),
        way_m: (places[0].last().unwrap() - places[0][0]).length(),
        names,
    }
}

#[test]
fn scenes_move_as_they_did() {
    let motions: Vec<Motion> = SCENES.iter().map(|(name, frames)| motion(name, *frames)).collect();
    let mut table = String::new();
    for ((name, _), Motion { pop, slide_m, way_m, names }) in SCENES.iter().zip(&motions) {
        let _ = writeln!(
            table,
            "{name:22} pop {:6.2} deg/frame2 ({} at frame {})  slide {:6.3} m  way {way_m:6.3} m",
            pop.value,
            names[pop.joint],
            pop.frame,
            // A sum of nothing is -0.
            slide_m + 0.0
        );
    }
    insta::assert_snapshot!("motion_metrics", table);
    let of = |name: &str| &motions[SCENES.iter().position(|(own, _)| *own == name).expect("listed")];
    assert!(of("root/walk").way_m > 3.0 * of("root/walk_in_place").way_m, "the root goes on over the loop's end");
    assert!(of("root/ping_pong").way_m < 1e-3, "there and back is nowhere");
    let pops = ["inertial", "frozen", "book"].map(|policy| of(&format!("blend/switch_{policy}")).pop.value);
    assert!(pops[0] <= pops[1] + 0.01, "inertialised changes are the smoothest: {pops:?}");
}
