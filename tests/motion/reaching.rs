//! Solvers of scenes: what they reach, the limits that they keep, what is drawn of them, what they cannot do.

use std::collections::BTreeMap;
use std::path::Path;

use glam::{Mat4, Vec2, Vec3};
use stillframe_asset::source::Diagnostic;
use stillframe_base::tick::{FrameRate, Tick};
use stillframe_scene::scene::{Content, PlantingDef, Scene, Shape, SolverKind, read};
use stillframe_testkit::worse;
use stillframe_world::world::{Figure, World, open};

fn scene(name: &str) -> Scene {
    let file = Path::new(env!("CARGO_MANIFEST_DIR")).join(format!("scenes/animation/{name}.toml"));
    read(&file, &[]).unwrap_or_else(|found| panic!("{found:#?}")).scene
}

fn world(scene: &Scene) -> Result<World, Vec<Diagnostic>> {
    let vfs = scene.vfs().unwrap();
    Ok(open(scene, None, &|path| vfs.read(path))?.place(Tick::ZERO, &|path| vfs.read(path))?.world)
}

/// Matrices of the figure's joints in the world.
fn joints(scene: &Scene) -> BTreeMap<String, Mat4> {
    let world = world(scene).unwrap();
    let item = world
        .items
        .iter()
        .find(|item| item.bent.is_some_and(|bent| !world.bents[bent as usize].posture.joints.is_empty()));
    let item = item.expect("a skinned figure");
    let rows = &world.bents[item.bent.unwrap() as usize].posture.joints[1..];
    let model = scene.nodes.iter().find_map(|node| match node.content {
        Content::Model(model) if node.animator.is_some() => Some(&scene.models[model]),
        _ => None,
    });
    let vfs = scene.vfs().unwrap();
    let model = stillframe_models::import::model(&model.unwrap().file, &|path| vfs.read(path)).unwrap();
    let named = |(joint, [x, y, z]): (&stillframe_models::import::Joint, &[[f32; 4]; 3])| {
        let world_from_mesh = Mat4::from_cols_array_2d(&[*x, *y, *z, [0.0, 0.0, 0.0, 1.0]]).transpose();
        let world_from_joint = item.world_from_local * world_from_mesh * joint.joint_from_mesh.inverse();
        (model.nodes[joint.node].name.clone(), world_from_joint)
    };
    model.skins[0].joints.iter().zip(rows).map(named).collect()
}

fn node(scene: &Scene, name: &str) -> Vec3 {
    let node = scene.nodes.iter().find(|node| node.name == name).expect("a node");
    node.placement.position
}

fn place(joints: &BTreeMap<String, Mat4>, name: &str) -> Vec3 {
    joints[name].w_axis.truncate()
}

/// In degrees, between the bone that begins at a joint and the one before.
fn bend_deg(joints: &BTreeMap<String, Mat4>, [before, joint, after]: [&str; 3]) -> f32 {
    let (first, second) = (place(joints, joint) - place(joints, before), place(joints, after) - place(joints, joint));
    first.angle_between(second).to_degrees()
}

#[test]
fn chains_reach_and_keep_their_limits() {
    for (name, tolerance_m) in
        [("ik/ccd", 1e-4), ("ik/fabrik", 1e-4), ("ik/fabrik_bends", 1e-4), ("ik/limits", 1e-3), ("ik/jacobian", 1e-3)]
    {
        let scene = scene(name);
        let left_m = place(&joints(&scene), "Index2.R").distance(node(&scene, "ball"));
        assert!(left_m < tolerance_m + 2e-5, "{name}: {left_m} m");
    }
    let bent = joints(&scene("ik/fabrik_bends"));
    for chain in [["LowerArm.R", "Hand.R", "Index1.R"], ["Hand.R", "Index1.R", "Index2.R"]] {
        assert!(bend_deg(&bent, chain) < 25.01, "{chain:?}: {}", bend_deg(&bent, chain));
    }
    // A hinge turns about the axis that it shares with the bone above; without limits the forearm leaves it.
    let off_deg = |scene: &Scene| {
        let joints = joints(scene);
        let axis = |name: &str| joints[name].transform_vector3(Vec3::X).normalize();
        axis("UpperArm.R").angle_between(axis("LowerArm.R")).to_degrees()
    };
    let limited = scene("ik/limits");
    let mut free = limited.clone();
    let SolverKind::Ccd { limits, .. } = &mut free.animators[0].solvers[0].kind else { panic!("CCD") };
    // The axis of the cone, which lies along both bones at rest, to a degree.
    let arm = joints(&limited);
    let along = |name: &str| arm[name].transform_vector3(Vec3::Y).normalize();
    let hand = along("LowerArm.R").angle_between(along("Hand.R")).to_degrees();
    limits.clear();
    let (kept, left) = (off_deg(&limited), off_deg(&free));
    assert!(kept < 1.5 && left > 5.0, "{kept} and {left} degrees");
    assert!(hand < 26.5, "the hand leans by {hand} degrees");
}

/// How high over the ground ankles are: as high as the clip has them over the floor, where the figure knows of the
/// ground.
#[test]
fn feet_stand_on_what_there_is() {
    let ankles_m = |scene: &Scene| {
        let joints = joints(scene);
        ["Foot.L", "Foot.R"].map(|name| place(&joints, name).y)
    };
    let stairs = scene("ik/feet_stairs");
    let knows = stairs.nodes.iter().position(|node| node.name == "knows").expect("a node");
    let mut flat = stairs.clone();
    flat.animators[0].solvers.clear();
    flat.nodes[knows].placement.position = Vec3::ZERO;
    let clip_m = ankles_m(&flat);
    // Up to what the sole tilts on hills and what two bones leave.
    for (stood, at) in ankles_m(&stairs).iter().zip([0.18, 0.0]).zip(clip_m).map(|((m, step), clip)| (m - clip, step)) {
        assert!((stood - at).abs() < 1e-4, "a sole {stood} m high on a step of {at} m");
    }
    flat.nodes[knows].placement.position = stairs.nodes[knows].placement.position;
    assert!(ankles_m(&flat)[1] - clip_m[1] > 0.17, "without a solver a foot hangs in the air");
    // The floor is no part of what the step is.
    let mut step = stairs.clone();
    let SolverKind::Feet { ground, .. } = &mut step.animators[0].solvers[0].kind else { panic!("feet") };
    *ground = step.nodes.iter().position(|node| node.name == "first");
    let on_step = ankles_m(&step);
    assert!((on_step[0] - clip_m[0] - 0.18).abs() < 1e-4 && on_step[1] > 0.1, "{on_step:?}");
}

/// A model is ground as shapes are.
#[test]
fn feet_stand_on_a_model() {
    let hills = scene("ik/feet_terrain");
    let vfs = hills.vfs().unwrap();
    let terrain = hills.models.iter().find(|model| model.file.ends_with("terrain.glb")).expect("a model");
    let terrain = stillframe_models::import::model(&terrain.file, &|path| vfs.read(path)).unwrap();
    let points = &terrain.geometries[0].surface.positions;
    let joints = joints(&hills);
    let lift = node(&hills, "hills");
    for name in ["Foot.L", "Foot.R"] {
        let ankle = place(&joints, name) - lift;
        let flat = |p: &&[f32; 3]| Vec2::new(p[0] - ankle.x, p[2] - ankle.z).length() < 0.25;
        let near = points.iter().filter(flat).map(|p| p[1]);
        let (low, high) = near.fold((f32::MAX, f32::MIN), |(low, high), y| (low.min(y), high.max(y)));
        let over = ankle.y - 0.08;
        assert!(low < over + 0.03 && over < high + 0.05, "{name}: {ankle}, and hills from {low} to {high}");
    }
    let mut scene = hills.clone();
    let SolverKind::Feet { ground, .. } = &mut scene.animators[0].solvers[0].kind else { panic!("feet") };
    *ground = scene.nodes.iter().position(|node| node.name == "figure");
    let warnings = stillframe_world::world::build(&scene, &|path| vfs.read(path)).unwrap().warnings;
    assert!(warnings.iter().any(|d| d.message.contains("no ground for the feet: node \"figure\"")), "{warnings:#?}");
}

/// The line of sight ends at the ball, and every joint of the chain has turned.
#[test]
fn a_chain_aims() {
    let scene = scene("ik/aim_chain");
    let aimed = joints(&scene);
    let mut idle = scene.clone();
    idle.animators[0].solvers.clear();
    let idle = joints(&idle);
    let to_ball = node(&scene, "ball") - place(&aimed, "Head");
    let off = aimed["Head"].transform_vector3(Vec3::Z).angle_between(to_ball).to_degrees();
    assert!(off < 0.05, "{off} degrees");
    let turned = |name: &str| {
        let [before, after] = [&idle, &aimed].map(|joints| joints[name].to_scale_rotation_translation().1);
        before.angle_between(after).to_degrees()
    };
    let turns = ["Spine", "Spine1", "Spine2", "Neck", "Head"].map(turned);
    assert!(turns[0] < 0.01 && turns.windows(2).all(|pair| pair[1] > pair[0] + 5.0), "{turns:?}");
}

/// The tip is where the pulls hold each other: by weight on the line between the targets.
#[test]
fn several_targets_pull_at_a_hand() {
    let scene = scene("ik/weighted");
    let [red, blue] = ["red", "blue"].map(|name| node(&scene, name));
    for weight in [0.25, 1.0, 3.0] {
        let mut scene = scene.clone();
        let SolverKind::Ccd { chain, .. } = &mut scene.animators[0].solvers[0].kind else { panic!("CCD") };
        chain.targets[0].weight = weight;
        let hand = place(&joints(&scene), "Hand.R");
        let want = blue.lerp(red, weight / (weight + 1.0));
        assert!(hand.distance(want) < 2e-4, "{weight}: {hand}, not {want}");
    }
}

/// Forearms turn about themselves alone: nothing but their skin moves.
#[test]
fn forearms_follow_hands_that_twist() {
    let scene = scene("ik/body");
    for (hand, ball) in [("Hand.L", "left"), ("Hand.R", "right")] {
        let off = place(&joints(&scene), hand).distance(node(&scene, ball));
        assert!(off < 2e-4, "{hand} is {off} m off");
    }
    let mut without = scene.clone();
    without.animators[0].solvers.retain(|solver| !matches!(solver.kind, SolverKind::Twist { .. }));
    let (twisted, without) = (joints(&scene), joints(&without));
    assert_eq!(twisted.keys().filter(|name| name.starts_with("LowerArm")).count(), 2);
    for (name, matrix) in &twisted {
        let off = place(&twisted, name).distance(place(&without, name));
        assert!(off < 1e-4, "{name} moved by {off} m");
        let turned = Mat4::to_scale_rotation_translation(matrix).1;
        let turned = turned.angle_between(without[name].to_scale_rotation_translation().1).to_degrees();
        let follows = name.starts_with("LowerArm") || name.starts_with("UpperArm");
        assert!(follows || turned < 0.05, "{name} turned by {turned}");
        assert!(!name.starts_with("LowerArm") || turned > 1.0, "{name} turned by {turned} alone");
    }
}

/// Figures of a scene at its start, by name.
fn figures(scene: &Scene) -> BTreeMap<String, Figure> {
    let vfs = scene.vfs().unwrap();
    let loaded = open(scene, None, &|path| vfs.read(path)).unwrap_or_else(|found| panic!("{found:#?}"));
    let (all, _) = loaded.figures(Tick::ZERO, &|path| vfs.read(path)).unwrap();
    all.into_iter().map(|figure| (figure.name.clone(), figure)).collect()
}

/// Metres that are left by solvers on a node.
fn left_m(figure: &Figure) -> Vec<f32> {
    figure.solved.iter().map(|solved| solved.reach.distance_m).collect()
}

/// Where the middle of what a node shows is.
fn shown(scene: &Scene, name: &str) -> Vec3 {
    let world = world(scene).unwrap();
    let item = world.items.iter().find(|item| world.object_names[item.object_id as usize - 1].ends_with(name));
    item.expect("it is shown").world_from_local.w_axis.truncate()
}

/// A stick in one hand, and the other hand on its end: of two solvers of one figure the second one sees what the first
/// one did.
#[test]
fn what_hangs_on_a_solved_joint_is_reached_for_where_it_is() {
    let scene = scene("ik/both_hands");
    let hands = joints(&scene);
    assert!(place(&hands, "Hand.R").distance(node(&scene, "ball")) < 1e-4);
    let off_m = place(&hands, "Hand.L").distance(shown(&scene, "grip"));
    assert!(off_m < 1e-4, "the left hand is {off_m} m off");
    // The other way round the second hand takes the stick away from the first one, which is what the order of the file
    // says.
    let mut turned = scene.clone();
    turned.animators[0].solvers.reverse();
    let off_m = place(&joints(&turned), "Hand.L").distance(shown(&turned, "grip"));
    assert!(off_m > 0.2, "{off_m}");
    // A target on the chain's own tip is where the tip was.
    let mut own = scene.clone();
    let SolverKind::TwoBone { targets, .. } = &mut own.animators[0].solvers[0].kind else { panic!("two bones") };
    targets[0].node = own.nodes.iter().position(|node| node.name == "stick").expect("a node");
    assert!(world(&own).is_ok());
}

/// Who reaches comes after whose joint it is that is reached for, in any order of the file, also over three figures and
/// for who is carried.
#[test]
fn figures_wait_for_those_they_reach_for() {
    let scene = scene("ik/handed_over");
    let off_m = |scene: &Scene| {
        let taker = &figures(scene)["taker"];
        let [head, hand] = [&taker.solved[0], &taker.solved[1]];
        assert_eq!((head.joint.as_str(), hand.joint.as_str()), ("Head", "Hand.L"));
        assert!(hand.target.distance(shown(scene, "cup")) < 1e-5, "{} is not where the cup is", hand.target);
        hand.reach.distance_m
    };
    assert!(off_m(&scene) < 1e-4, "{}", off_m(&scene));
    let mut other = scene.clone();
    other.animators.swap(0, 1);
    for node in &mut other.nodes {
        node.animator = node.animator.map(|animator| 1 - animator);
    }
    assert_eq!(off_m(&other), off_m(&scene), "the order of animators is no matter");
    // The giver hangs on the taker's hips, which no solver moves: nobody waits for anybody in a circle.
    let mut carried = scene.clone();
    let [taker, giver] =
        ["taker", "giver"].map(|name| carried.nodes.iter().position(|node| node.name == name).expect("a node"));
    assert!(taker < giver);
    carried.nodes[giver].parent = Some(taker);
    carried.nodes[giver].joint = Some("Hips".into());
    assert!(world(&carried).is_ok());
    // On the hand that reaches for what it holds itself it is a circle.
    carried.nodes[giver].joint = Some("Hand.L".into());
    let found = world(&carried).expect_err("a circle");
    let words = format!("{found:?}");
    assert!(words.contains("E0512") && words.contains("stands on \\\"taker"), "{words}");
}

/// Of two hands that reach for each other by turns no figure comes before the other one, but each solver has its place.
#[test]
fn solvers_of_two_figures_may_take_turns() {
    let mut scene = scene("ik/handed_over");
    let at = |scene: &Scene, name: &str| scene.nodes.iter().position(|node| node.name == name).expect("a node");
    // The giver's left hand takes hold of the taker's left hand, which reaches for the cup in the giver's right hand.
    let (taker, cup) = (at(&scene, "taker"), at(&scene, "cup"));
    let mut wrist = scene.nodes[cup].clone();
    wrist.name = "wrist".into();
    (wrist.parent, wrist.joint, wrist.placement.position) = (Some(taker), Some("Hand.L".into()), Vec3::ZERO);
    scene.nodes.push(wrist);
    let mut solver = scene.animators[1].solvers[0].clone();
    let SolverKind::TwoBone { joint, targets, .. } = &mut solver.kind else { panic!("two bones") };
    (*joint, targets[0].node) = ("Hand.L".into(), scene.nodes.len() - 1);
    scene.animators[1].solvers.push(solver);
    let figures = figures(&scene);
    let [taker, giver] = ["taker", "giver"].map(|name| &figures[name]);
    let left_m = [left_m(taker)[0], left_m(taker)[1], left_m(giver)[0]];
    assert!(left_m.iter().all(|left_m| *left_m < 1e-4), "{left_m:?}");
    // Out of its reach, but known.
    let hand = &figures["giver"].solved[1];
    assert!(hand.target.distance(taker.solved[1].target) < 1e-4, "{hand:?} and {:?}", taker.solved[1]);
    // The hand comes before what it hangs on has got there: a circle.
    scene.animators[1].solvers.reverse();
    let found = world(&scene).expect_err("a circle");
    assert!(format!("{found:?}").contains("cycle of solvers"), "{found:?}");
}

/// How high the highest box of a scene without turns is over a place, 0 where there is none.
fn steps_m(scene: &Scene, at: Vec3) -> f32 {
    let top = |node: &stillframe_scene::scene::Node| {
        let Content::Shape(Shape::Box { size_m }) = node.content else { return None };
        let (from, half) = (at - node.placement.position, size_m * 0.5);
        (from.x.abs() <= half.x && from.z.abs() <= half.z).then_some(node.placement.position.y + half.y)
    };
    scene.nodes.iter().filter_map(top).fold(0.0, f32::max)
}

/// Places of both ankles, in the world, at frames of 30 a second; and in the model.
fn ankles(scene: &Scene, frames: std::ops::Range<i64>) -> Vec<[(Vec3, Vec3); 2]> {
    let vfs = scene.vfs().unwrap();
    let loaded = open(scene, None, &|path| vfs.read(path)).unwrap_or_else(|found| panic!("{found:#?}"));
    let nodes = &loaded.model_of(0).nodes;
    let at = ["Foot.L", "Foot.R"].map(|name| nodes.iter().position(|node| node.name == name).expect("a joint"));
    let moment = |frame| {
        let time = Tick::of_frame(frame, FrameRate::whole(30));
        let figure = loaded.figures(time, &|path| vfs.read(path)).unwrap().0.remove(0);
        at.map(|joint| {
            let in_model = figure.pose.model_from_local[joint].w_axis.truncate();
            (figure.world_from_model.transform_point3(in_model), in_model)
        })
    };
    frames.map(moment).collect()
}

/// Ankles over the floor in the pose in which nothing moves the figure.
fn rest_m(scene: &Scene) -> f32 {
    let vfs = scene.vfs().unwrap();
    let model = stillframe_models::import::model(&scene.models[0].file, &|path| vfs.read(path)).unwrap();
    let foot = model.nodes.iter().position(|node| node.name == "Foot.L").expect("a joint");
    stillframe_world::pose::pose(&model, &[]).model_from_local[foot].w_axis.y
}

/// Every foot that the clip has on the floor is on the step under it, to a millimetre, at every frame of a walk up
/// stairs and down from them.
#[test]
fn feet_of_who_walks_up_stairs_are_on_the_steps() {
    let scene = scene("ik/feet_walk");
    let mut blind = scene.clone();
    blind.animators[0].solvers.clear();
    let (stood, clip) = (ankles(&scene, 0..90), ankles(&blind, 0..90));
    let rest_m = rest_m(&scene);
    let (mut levels_mm, mut most_m, mut blind_m) = (std::collections::BTreeSet::new(), 0.0f32, 0.0f32);
    for (stood, clip) in stood.iter().zip(&clip) {
        for ((at, _), (blind_at, in_clip)) in stood.iter().zip(clip) {
            if in_clip.y - rest_m > 0.02 {
                continue;
            }
            let step_m = steps_m(&scene, *at);
            levels_mm.insert((step_m * 1e3).round() as i64);
            most_m = worse(most_m, (at.y - step_m - in_clip.y).abs());
            blind_m = blind_m.max((blind_at.y - step_m - in_clip.y).abs());
            assert!(Vec2::new(at.x - blind_at.x, at.z - blind_at.z).length() < 1e-3, "{at} and {blind_at}");
        }
    }
    assert_eq!(levels_mm.into_iter().collect::<Vec<_>>(), [0, 120, 240, 360]);
    assert!(most_m < 1e-3, "a sole is {most_m} m off");
    assert!(blind_m > 0.05, "without a solver {blind_m} m");
}

/// On a floor the solver does nothing to a walk, to the bit.
#[test]
fn feet_on_a_floor_stay_as_they_are() {
    let mut floor = scene("ik/feet_walk");
    floor.nodes.retain(|node| node.parent.is_none() && node.name != "stairs");
    floor.tracks.clear();
    let mut blind = floor.clone();
    blind.animators[0].solvers.clear();
    assert_eq!(ankles(&floor, 0..60), ankles(&blind, 0..60));
}

/// Heights of the planting are what its keys say.
#[test]
fn keys_of_feet_say_when_they_stand() {
    let stairs = scene("ik/feet_stairs");
    let ankles_m = |change: &dyn Fn(&mut PlantingDef)| {
        let mut scene = stairs.clone();
        let SolverKind::Feet { planting, .. } = &mut scene.animators[0].solvers[0].kind else { panic!("feet") };
        change(planting);
        ankles(&scene, 0..1)[0].map(|(at, _)| at.y)
    };
    let usual = ankles_m(&|_| {});
    // Nothing is so near over an ankle that a step could be found, nor so far under it.
    let low = ankles_m(&|planting| (planting.reach_up_m, planting.reach_down_m) = (0.5, 0.01));
    assert!((low[0] - low[1]).abs() < 0.05 && (usual[0] - usual[1]).abs() > 0.15, "{low:?} and {usual:?}");
    let slope = scene("ik/feet");
    let tilts = |max_deg: f64| {
        let mut scene = slope.clone();
        let SolverKind::Feet { planting, .. } = &mut scene.animators[0].solvers[0].kind else { panic!("feet") };
        planting.tilt_max_deg = max_deg;
        let foot = |scene: &Scene| joints(scene)["Foot.L"].to_scale_rotation_translation().1;
        let mut still = scene.clone();
        still.animators[0].solvers.clear();
        foot(&scene).angle_between(foot(&still)).to_degrees()
    };
    let [none, some, all] = [0.0, 5.0, 29.8].map(tilts);
    assert!(none < 0.05 && (some - 5.0).abs() < 0.1 && (all - 12.0).abs() < 0.1, "{none}, {some}, {all}");
    // A clip that lifts a sole by 10 cm has it in the air for who says so.
    let walk = scene("ik/feet_walk");
    let off = |plant_m: f32, lift_m: f32| {
        let mut scene = walk.clone();
        let SolverKind::Feet { planting, .. } = &mut scene.animators[0].solvers[0].kind else { panic!("feet") };
        (planting.plant_m, planting.lift_m) = (plant_m, lift_m);
        let steps = |[left, right]: &[(Vec3, Vec3); 2]| [left, right].map(|(at, _)| at.y - steps_m(&scene, *at));
        ankles(&scene, 20..60).iter().flat_map(steps).collect::<Vec<f32>>()
    };
    assert_ne!(off(0.02, 0.15), off(0.0, 0.05));
    let all = off(1.0, 1.0);
    let clip = ankles(&walk, 20..60);
    assert_eq!(all.len(), 2 * clip.len());
}

/// What limbs are told beside their target: an axis that bends a straight one, a share from which on they lag behind,
/// an eye beside the head, what is up.
#[test]
fn limbs_and_eyes_do_as_their_keys_say() {
    let far = scene("ik/two_bone_far");
    let left = |soften: f32| {
        let mut scene = far.clone();
        let SolverKind::TwoBone { soften: of, .. } = &mut scene.animators[0].solvers[0].kind else {
            panic!("two bones")
        };
        *of = soften;
        let joints = joints(&scene);
        (bend_deg(&joints, ["UpperArm.R", "LowerArm.R", "Hand.R"]), left_m(&figures(&scene)["figure"])[0])
    };
    let (straight, soft) = (left(1.0), left(0.8));
    assert!(straight.0 < 0.5 && soft.0 > 3.0 && soft.1 > straight.1, "{straight:?} and {soft:?}");
    let mut aim = scene("ik/aim");
    aim.animators[0].solvers[0].weight = stillframe_anim::graph::Value::Number(1.0);
    let mut above = aim.nodes[0].clone();
    (above.name, above.placement.position) = ("above".into(), Vec3::Y * 6.0);
    aim.nodes.push(above);
    let looks = |offset_m: [f32; 3], up: Option<[f32; 3]>, pole: Option<&str>| {
        let mut scene = aim.clone();
        let of = pole.map(|name| scene.nodes.iter().position(|node| node.name == name).expect("a node"));
        let SolverKind::Aim { eye, .. } = &mut scene.animators[0].solvers[0].kind else { panic!("aim") };
        (eye.offset_m, eye.up, eye.pole) = (offset_m, up, of);
        let target = node(&scene, "ball");
        let head = joints(&scene)["Head"];
        let to_ball = target - head.transform_point3(Vec3::from(offset_m));
        (head.transform_vector3(Vec3::Z).angle_between(to_ball).to_degrees(), head)
    };
    let (off_deg, head) = looks([0.0; 3], None, None);
    let (beside_deg, beside) = looks([0.06, 0.1, 0.08], None, None);
    assert!(off_deg < 0.05 && beside_deg < 0.05, "{off_deg} and {beside_deg}");
    assert!(head.transform_vector3(Vec3::Z).angle_between(beside.transform_vector3(Vec3::Z)).to_degrees() > 1.0);
    // The side of the head is up, which leans by a right angle.
    let (off_deg, leaning) = looks([0.0; 3], Some([1.0, 0.0, 0.0]), Some("above"));
    let up = leaning.transform_vector3(Vec3::X).normalize();
    assert!(off_deg < 0.05 && up.y > 0.7, "{up}");
}

/// A head and the back below it turn as a node is turned, whatever the figure's own turn.
#[test]
fn joints_turn_as_nodes_are_turned() {
    let scene = scene("ik/copy_rotation");
    let mut rest = scene.clone();
    rest.animators[0].solvers.clear();
    let turn = |joints: &BTreeMap<String, Mat4>, name: &str| joints[name].to_scale_rotation_translation().1;
    let (turned, still) = (joints(&scene), joints(&rest));
    let wanted = scene.nodes.iter().find(|node| node.name == "tracker").expect("a node").placement.rotation;
    // The idle clip holds the head within some degrees of its rest.
    let by = |name: &str| (turn(&turned, name) * turn(&still, name).conjugate()).to_axis_angle().1.to_degrees();
    let whole_deg = wanted.to_axis_angle().1.to_degrees();
    let turns = ["Spine1", "Spine2", "Neck", "Head"].map(by);
    assert!((turns[3] - whole_deg).abs() < 6.0, "{turns:?} of {whole_deg}");
    assert!(turns.windows(2).all(|pair| pair[1] > pair[0] + 3.0), "{turns:?}");
    assert!(figures(&scene)["figure"].solved[0].reach.reached);
    // Seen from the figure: one that is turned itself has the same pose.
    let mut round = scene.clone();
    let about = glam::Quat::from_rotation_y(1.0);
    for name in ["figure", "tracker"] {
        let node = round.nodes.iter_mut().find(|node| node.name == name).expect("a node");
        node.placement.rotation = about * node.placement.rotation;
    }
    let (one, other) = (figures(&scene), figures(&round));
    for (a, b) in one["figure"].pose.model_from_local.iter().zip(&other["figure"].pose.model_from_local) {
        assert!(a.abs_diff_eq(*b, 1e-4), "{a} and {b}");
    }
}

/// Sleeves go along, also where something hangs on them that is reached for.
#[test]
fn what_hangs_on_what_is_worn_is_reached_for_where_it_is() {
    let mut scene = scene("assembly/solved");
    let at = |scene: &Scene, name: &str| scene.nodes.iter().position(|node| node.name == name).expect("a node");
    let mut button = scene.nodes[at(&scene, "ball")].clone();
    button.name = "button".into();
    let coat = at(&scene, "coat");
    (button.parent, button.joint, button.placement.position) = (Some(coat), Some("LowerArm.R".into()), Vec3::ZERO);
    scene.nodes.push(button);
    let mut solver = scene.animators[0].solvers[0].clone();
    let SolverKind::TwoBone { joint, targets, pole, .. } = &mut solver.kind else { panic!("two bones") };
    (*joint, targets[0].node, *pole) = ("Hand.L".into(), scene.nodes.len() - 1, None);
    scene.animators[0].solvers.push(solver);
    let target = figures(&scene)["figure"].solved[1].target;
    let shown = shown(&scene, "button");
    assert!(target.distance(shown) < 1e-5, "{target}, not {shown}");
    let elbow = place(&joints(&scene), "LowerArm.R");
    assert!(elbow.distance(shown) < 1e-4, "{elbow}, not {shown}");
}

#[test]
fn limits_of_joints_that_are_not_the_chain_s_are_told() {
    let faulty = |name: &str, joint: &str, words: &str| {
        let mut scene = scene(name);
        match &mut scene.animators[0].solvers[0].kind {
            SolverKind::Ccd { limits, .. } => limits[0].joint = joint.into(),
            SolverKind::Fabrik { bends, .. } => bends[0].joint = joint.into(),
            SolverKind::Aim { shares, .. } | SolverKind::Twist { shares, .. } => shares[0].joint = joint.into(),
            other => panic!("{other:?}"),
        }
        let found = world(&scene).expect_err("a fault");
        assert!(found.iter().any(|d| format!("{d:?}").contains(words)), "{name}, {joint}: {found:#?}");
    };
    faulty("ik/limits", "LowerArm.Q", "did you mean");
    faulty("ik/limits", "Head", "which it does not move; it can limit UpperArm.R, LowerArm.R, Hand.R, Index1.R");
    faulty("ik/limits", "Index2.R", "which it does not move");
    faulty("ik/fabrik_bends", "Shoulder.R", "it can limit UpperArm.R");
    faulty("ik/aim_chain", "Hand.R", "is not below");
    faulty("ik/twist", "uper", "did you mean");
    faulty("ik/twist", "lower", "is not below");
}
