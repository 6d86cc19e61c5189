//! Solvers of scenes: what they reach, the limits that they keep, what is drawn of them, what they cannot do.

use std::collections::BTreeMap;
use std::path::Path;

use glam::{Mat4, Vec2, Vec3};
use stillframe::scene::{Content, Scene, SolverKind, read};
use stillframe::source::Diagnostic;
use stillframe::world::{Figure, World, open};
use stillframe_base::tick::Tick;

fn scene(name: &str) -> Scene {
    let file = Path::new(env!("CARGO_MANIFEST_DIR")).join(format!("scenes/animation/{name}.toml"));
    read(&file, &[]).unwrap_or_else(|found| panic!("{found:#?}")).scene
}

fn world(scene: &Scene) -> Result<World, Vec<Diagnostic>> {
    let vfs = scene.vfs().unwrap();
    open(scene, None, &|path| vfs.read(path))?.place(Tick::ZERO, &|path| vfs.read(path))
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
    let model = stillframe::import::model(&model.unwrap().file, &|path| vfs.read(path)).unwrap();
    let named = |(joint, [x, y, z]): (&stillframe::import::Joint, &[[f32; 4]; 3])| {
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

/// How high over the ground ankles are: as high as the clip has them over the floor, where the figure knows of the ground.
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
    let terrain = stillframe::import::model(&terrain.file, &|path| vfs.read(path)).unwrap();
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
    let warnings = stillframe::world::build(&scene, &|path| vfs.read(path)).unwrap().warnings;
    assert!(warnings.iter().any(|d| d.message.contains("feet have no ground: node \"figure\"")), "{warnings:#?}");
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
    let mut loaded = open(scene, None, &|path| vfs.read(path)).unwrap_or_else(|found| panic!("{found:#?}"));
    let all = loaded.figures(Tick::ZERO, &|path| vfs.read(path)).unwrap();
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

/// A stick in one hand, and the other hand on its end: of two solvers of one figure the second one sees what the first one did.
#[test]
fn what_hangs_on_a_solved_joint_is_reached_for_where_it_is() {
    let scene = scene("ik/both_hands");
    let hands = joints(&scene);
    assert!(place(&hands, "Hand.R").distance(node(&scene, "ball")) < 1e-4);
    let off_m = place(&hands, "Hand.L").distance(shown(&scene, "grip"));
    assert!(off_m < 1e-4, "the left hand is {off_m} m off");
    // The other way round the second hand takes the stick away from the first one, which is what the order of the file says.
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

/// Who reaches comes after whose joint it is that is reached for, in any order of the file, also over three figures and for who is carried.
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
    assert!(format!("{found:?}").contains("wait for each other"), "{found:?}");
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
    faulty("ik/limits", "Head", "none of what it can: UpperArm.R, LowerArm.R, Hand.R, Index1.R");
    faulty("ik/limits", "Index2.R", "none of what it can");
    faulty("ik/fabrik_bends", "Shoulder.R", "none of what it can: UpperArm.R");
    faulty("ik/aim_chain", "Hand.R", "is not below");
    faulty("ik/twist", "uper", "did you mean");
    faulty("ik/twist", "lower", "is not below");
}
