//! Playing: clocks, graphs, solvers, root motion.

use glam::{Quat, Vec3};
use stillframe_anim::graph::{
    ClipDef, ClipNode, ClipSource, Compare, Condition, DeltaInput, DeltaSpace, Enter, FadePolicy, FadeTimes, Graph,
    GraphDef, GraphScratch, LayerDef, LayerMode, MachineNode, MaskDef, NodeDef, NodeKind, ParameterDef, PartialMode,
    PartialNode, PartialWeights, Play, ReferenceDef, SlotNode, SpaceDef, SpaceNode, StateDef, SwitchNode,
    SyncSpaceNode, TransitionDef, Value,
};
use stillframe_anim::ik::{
    Aim, AimJoint, Ccd, CopyRotation, Fabrik, Foot, FootPlant, GroundHit, JacobianTranspose, JointLimit, Limit, Reach,
    Rig, Twist, TwoBone,
};
use stillframe_anim::metric::{foot_slide_m, pop_deg_per_frame2, seam_jump};
use stillframe_anim::pose::{Affine, JointBlock, Trs};
use stillframe_anim::root::{Motion, RootParts, RootTrack, blend_motions, move_actor};
use stillframe_anim::sample::{DTrs, RawPose, Sample};
use stillframe_anim::time::{Controller, Ease, Event, Mode, Pace, Playback, Position, Repeat, Speed, Timeline, Track};
use stillframe_base::lanes::Isa;
use stillframe_base::tick::{TICKS_PER_SECOND, Tick};

use super::world::{BLOCKS, Bits, Numbers, World};
use crate::clips::JOINTS;

/// What controllers tell, step by step.
pub fn time(_: &World, _: Isa, out: &mut Bits) {
    let second = Tick(TICKS_PER_SECOND);
    let events = vec![Event::share(0, 3, Tick::ZERO, second), Event::span(Tick(100), Tick(TICKS_PER_SECOND / 2))];
    let track = Track::new(Tick::ZERO, second, events).expect("in order");
    let mut numbers = Numbers::new("time");
    for mode in [Mode::Loop(Repeat::Forever), Mode::PingPong(Repeat::Times(9)), Mode::Clamp] {
        let timeline = Timeline::new(Playback::new(Tick::ZERO, second, mode), &track).expect("a second long");
        let mut controller = Controller::play(&timeline);
        for _ in 0..200 {
            controller.speed = Speed::nearest(f64::from(numbers.signed()) * 4.0);
            let step = numbers.moments(1, second)[0];
            let mut fired = Vec::new();
            let end = controller.advance(&timeline, step, |event| {
                fired.push(event);
                std::ops::ControlFlow::Continue(())
            });
            out.put_text(&format!("{fired:?} {end:?} {:?}", controller.local(&timeline)));
        }
    }
}

fn strings(names: &[&str]) -> Vec<String> {
    names.iter().map(|name| name.to_string()).collect()
}

/// One node of every kind that mixes poses.
fn graph_def(world: &World) -> GraphDef {
    let parameter = |name: &str| Value::parameter(name);
    let line = |by: &str| SpaceDef::Line { parameter: parameter(by), at: vec![0.0, 1.0] };
    let state = |name: &str, node: &str| StateDef { name: name.into(), node: node.into() };
    let rule = |from: &str, to: &str, is, fade| TransitionDef {
        from: Some(from.into()),
        to: to.into(),
        condition: Condition::Compare { parameter: "go".into(), is, than: 0.5 },
        fade: Tick(fade),
        priority: 0,
        interruptible: true,
        enter: Enter::Sync,
    };
    let switch = |policy| {
        NodeKind::Switch(SwitchNode {
            index: parameter("go"),
            inputs: strings(&["walk", "fast"]),
            fade: FadeTimes::All(Tick(TICKS_PER_SECOND / 4)),
            policy,
            ease: Ease::Linear,
        })
    };
    let layer = |node: &str, mode, mask: Option<&str>| LayerDef {
        node: node.into(),
        weight: parameter("much"),
        mask: mask.map(Into::into),
        mode,
    };
    let partial = |mode| {
        let weights = PartialWeights::Masks(vec![(Value::Number(1.0), None), (parameter("much"), Some("arm".into()))]);
        NodeKind::Partial(PartialNode { inputs: strings(&["line", "steps"]), weights, mode })
    };
    let nodes = vec![
        ("walk", NodeKind::Clip(ClipNode::looped("walk"))),
        ("fast", NodeKind::Clip(ClipNode { reverse: true, ..ClipNode::looped("fast") })),
        ("steps", NodeKind::Follow { clip: "steps".into(), leader: "walk".into() }),
        ("frame", NodeKind::Frame { clip: "fast".into(), at: Tick(TICKS_PER_SECOND / 3) }),
        ("line", NodeKind::Space(SpaceNode { space: line("much"), inputs: strings(&["walk", "fast"]) })),
        (
            "sync",
            NodeKind::SyncSpace(SyncSpaceNode {
                space: line("much"),
                clips: strings(&["walk", "steps"]),
                by_markers: false,
                pace: Pace::Blended,
                speed: Value::Number(1.5),
            }),
        ),
        ("inertial", switch(FadePolicy::Inertial)),
        ("frozen", switch(FadePolicy::Frozen)),
        ("book", switch(FadePolicy::Book)),
        ("nlerp", partial(PartialMode::WeightedNlerp)),
        ("product", partial(PartialMode::PowerProduct)),
        ("sum", partial(PartialMode::MatrixSum)),
        ("delta", NodeKind::Delta { source: "frame".into(), reference: ReferenceDef::Rest, space: DeltaSpace::Local }),
        (
            "machine",
            NodeKind::Machine(MachineNode {
                states: vec![state("a", "sync"), state("b", "inertial")],
                initial: "a".into(),
                transitions: vec![
                    rule("a", "b", Compare::Greater, TICKS_PER_SECOND / 5),
                    rule("b", "a", Compare::Less, TICKS_PER_SECOND / 3),
                ],
                policy: FadePolicy::Inertial,
                ease: Ease::Linear,
            }),
        ),
        (
            "layers",
            NodeKind::Layers {
                base: "machine".into(),
                layers: [
                    layer("frozen", LayerMode::Override, Some("arm")),
                    layer("book", LayerMode::Override, None),
                    layer("nlerp", LayerMode::Override, Some("arm")),
                    layer("product", LayerMode::Override, Some("arm")),
                    layer("sum", LayerMode::Override, None),
                    layer("delta", LayerMode::Additive, Some("arm")),
                ]
                .into(),
            },
        ),
        (
            "added",
            NodeKind::Additive {
                base: "layers".into(),
                deltas: vec![DeltaInput { delta: "delta".into(), alpha: Value::Number(0.4), mask: None }],
            },
        ),
        (
            "slot",
            NodeKind::Slot(SlotNode {
                input: "added".into(),
                mask: None,
                fade_in: Tick(TICKS_PER_SECOND / 10),
                fade_out: Tick(TICKS_PER_SECOND / 5),
            }),
        ),
    ];
    let clip = |name: &str, clip: usize| {
        let duration = world.uniform[clip].duration();
        let events = vec![Event::point(Tick::ZERO), Event::share(1, 2, Tick::ZERO, duration)];
        ClipDef { name: name.into(), duration, events, markers: Vec::new() }
    };
    let branch = |joint: usize, weight| stillframe_anim::graph::BranchDef { joint: format!("joint {joint}"), weight };
    GraphDef {
        parameters: ["go", "much"].map(|name| ParameterDef { name: name.into(), initial: 0.0 }).into(),
        clips: vec![clip("walk", 0), clip("fast", 1), clip("steps", 2)],
        masks: vec![MaskDef { name: "arm".into(), default: 0.1, branches: vec![branch(9, 1.0), branch(13, 0.5)] }],
        nodes: nodes.into_iter().map(|(name, kind)| NodeDef { name: name.into(), kind }).collect(),
        output: "slot".into(),
        ..GraphDef::default()
    }
}

pub fn graph(world: &World, isa: Isa, out: &mut Bits) {
    let graph = Graph::compile(&graph_def(world), &world.skeleton).expect("well formed");
    out.put_text(&graph.describe());
    let sources: Vec<ClipSource<'_>> = world.uniform.iter().map(ClipSource::Uniform).collect();
    let (mut state, mut scratch) = (graph.start(&[0.0, 0.5]), GraphScratch::new(&graph));
    let (mut numbers, mut events) = (Numbers::new("graph"), Vec::new());
    let slot = graph.node("slot").expect("the output");
    let mut pose = vec![JointBlock::IDENTITY; graph.block_count()];
    for frame in 0..120 {
        let go = if frame / 17 % 2 == 0 { 0.0 } else { 1.0 };
        if frame == 40 {
            graph.play(&mut state, slot, &Play { clip: 2, speed: 2.0, repeat: Repeat::Times(1) });
        }
        let step = numbers.moments(1, Tick(TICKS_PER_SECOND / 20))[0];
        events.clear();
        graph.update(&mut state, step, &[go, numbers.signed() * 0.5 + 0.5], &mut events).expect("near");
        graph.evaluate(isa, &mut state, &sources, &mut scratch, &mut pose);
        out.put_text(&format!("{events:?}"));
        (0..graph.node_count()).for_each(|node| out.put(&[state.weight(node)]));
        out.put(&pose);
    }
}

const CONE: Limit = Limit::Cone { axis: Vec3::Y, swing_max_rad: 0.6, twist_min_rad: -0.2, twist_max_rad: 0.4 };

/// Every solver on arms and legs of the walk, with targets that are near, far and in between.
pub fn ik(world: &World, isa: Isa, out: &mut Bits) {
    let mut numbers = Numbers::new("ik");
    let (parents, mut pose) = (world.skeleton.parents(), vec![JointBlock::IDENTITY; BLOCKS]);
    let limits = [JointLimit { rest: Quat::IDENTITY, limit: CONE }; 3];
    let mut note = |locals: &[JointBlock], reach: Reach| {
        out.put(locals);
        out.put(&[reach.distance_m]);
        out.put(&[u32::from(reach.reached), reach.iterations]);
    };
    for at in numbers.moments(20, world.uniform[0].duration()) {
        Sample { isa, clip: &world.uniform[0], at, out: &mut pose }.run();
        let (target, pole, weight) = (Vec3::Y + numbers.vec3(), numbers.vec3(), 0.9);
        let (tolerance_m, iterations_max, locals) = (1e-4, 20, &mut pose);
        let (rig, joints) = (Rig { parents, locals }, [10, 11, 12]);
        let job = TwoBone { rig, joints, target, pole, bend_axis: Vec3::X, soften: 0.95, weight };
        let reach = job.run();
        note(locals, reach);
        let (rig, joints, bends_max_rad) = (Rig { parents, locals }, &[13, 14, 15, 16], &[1.5; 2]);
        let job = Fabrik { rig, joints, bends_max_rad, target, pole, tolerance_m, iterations_max, weight };
        let reach = job.run();
        note(locals, reach);
        let (rig, joints) = (Rig { parents, locals }, &[2, 3, 4, 5]);
        let job = Ccd { rig, joints, limits: &limits, target, pole, tolerance_m, iterations_max, weight };
        let reach = job.run();
        note(locals, reach);
        let joints = &[AimJoint { joint: 6, weight: 0.4 }, AimJoint { joint: 7, weight: 1.0 }];
        let (rig, offset, forward, up) = (Rig { parents, locals }, Vec3::Z * 0.1, Vec3::Z, Vec3::Y);
        let reach = Aim { rig, joints, target, offset, forward, up, pole: Vec3::Y, weight }.run();
        note(locals, reach);
        let mut reaches = [Reach { reached: false, distance_m: 0.0, iterations: 0, blind: false, limited: false }; 2];
        let mut foot = |joints| Foot {
            joints,
            bend_axis: Vec3::X,
            ankle_height_m: 0.08,
            hit: Some(GroundHit { height_m: numbers.signed() * 0.2, normal: Vec3::Y + numbers.vec3() * 0.3 }),
        };
        let feet = &[foot([17, 18, 19]), foot([21, 22, 23])];
        let offset_m = FootPlant {
            rig: Rig { parents, locals },
            pelvis: 1,
            feet,
            ground_m: 0.0,
            plant_m: 0.1,
            lift_m: 0.3,
            tilt_max_rad: 0.5,
            pelvis_before_m: -0.05,
            step_s: 1.0 / 60.0,
            time_constant_s: 0.1,
            weight,
            reaches: &mut reaches,
        }
        .run();
        note(locals, Reach { distance_m: offset_m, ..reaches[0] });
        note(locals, reaches[1]);
    }
}

/// The Jacobian transpose on an arm without limits and on a spine with them, and whether the target was in the blind
/// spot.
pub fn ik_jacobian(world: &World, isa: Isa, out: &mut Bits) {
    let mut numbers = Numbers::new("ik jacobian");
    let (parents, mut pose) = (world.skeleton.parents(), vec![JointBlock::IDENTITY; BLOCKS]);
    let hinge = Limit::Hinge { axis: Vec3::X, min_rad: -0.3, max_rad: 2.0 };
    let limits = [CONE, hinge, Limit::Free].map(|limit| JointLimit { rest: Quat::IDENTITY, limit });
    for at in numbers.moments(20, world.uniform[0].duration()) {
        Sample { isa, clip: &world.uniform[0], at, out: &mut pose }.run();
        for (joints, limits) in [([13, 14, 15, 16], &[][..]), ([2, 3, 4, 5], &limits)] {
            let (rig, target, pole) = (Rig { parents, locals: &mut pose }, Vec3::Y + numbers.vec3(), numbers.vec3());
            let (tolerance_m, iterations_max, weight) = (1e-4, 40, 0.9);
            let joints = &joints;
            let reach =
                JacobianTranspose { rig, joints, limits, target, pole, tolerance_m, iterations_max, weight }.run();
            out.put(&pose);
            out.put(&[reach.distance_m]);
            out.put(&[u32::from(reach.reached), reach.iterations, u32::from(reach.blind)]);
        }
    }
}

/// Twists of an arm that two joints above share.
pub fn ik_twist(world: &World, isa: Isa, out: &mut Bits) {
    let mut numbers = Numbers::new("ik twist");
    let (parents, mut pose) = (world.skeleton.parents(), vec![JointBlock::IDENTITY; BLOCKS]);
    let rest = world.skeleton.rest()[15].rotation;
    for at in numbers.moments(20, world.uniform[0].duration()) {
        Sample { isa, clip: &world.uniform[0], at, out: &mut pose }.run();
        let (rig, shares) = (Rig { parents, locals: &mut pose }, &[0.1, 0.6]);
        let twist_rad = Twist { rig, joints: &[13, 14, 15], shares, rest, weight: 0.9 }.run();
        out.put(&pose);
        out.put(&[twist_rad]);
    }
}

pub fn ik_copy_rotation(world: &World, isa: Isa, out: &mut Bits) {
    let mut numbers = Numbers::new("ik copy rotation");
    let (parents, mut pose) = (world.skeleton.parents(), vec![JointBlock::IDENTITY; BLOCKS]);
    let joints = [(13, 0.2), (14, 0.5), (15, 1.0)].map(|(joint, weight)| AimJoint { joint, weight });
    for at in numbers.moments(20, world.uniform[0].duration()) {
        Sample { isa, clip: &world.uniform[0], at, out: &mut pose }.run();
        let [x, y, z, w] = [(); 4].map(|()| numbers.signed());
        let rotation = Quat::from_xyzw(x, y, z, w + 0.1).normalize();
        let rig = Rig { parents, locals: &mut pose };
        CopyRotation { rig, joints: &joints, rotation, weight: 0.9 }.run();
        out.put(&pose);
    }
}

/// Travel taken out of a clip, stepped, blended and given to an actor.
pub fn root(world: &World, _: Isa, out: &mut Bits) {
    let raw = RawPose::new(&world.raw[0], &world.skeleton).expect("well formed");
    let (duration, frame_ticks) = (raw.duration(), world.uniform[0].frame_ticks());
    let mut pose = |at: Tick, pose: &mut [DTrs]| raw.sample(at, pose);
    let track = RootTrack::extract(&world.skeleton, 0, RootParts::ALL, (duration, frame_ticks), &mut pose);
    let track = track.expect("a root that travels");
    let none = Track::new(Tick::ZERO, duration, Vec::new()).expect("no events");
    let looping = Playback::new(Tick::ZERO, duration, Mode::Loop(Repeat::Forever));
    let timeline = Timeline::new(looping, &none).expect("a window");
    let mut numbers = Numbers::new("root");
    let mut actor = DTrs::from(Trs::IDENTITY);
    for pair in numbers.moments(100, Tick(7 * duration.0)).windows(2) {
        let motion = track.between(&timeline, Position::of_tick(pair[0]), Position::of_tick(pair[1]));
        let other = Motion { translation: numbers.vec3().as_dvec3(), ..motion.inverse() };
        let mean = blend_motions(&[(motion, 0.7), (other, numbers.signed())]).expect("finite");
        move_actor(&mut actor, &mean);
        out.put_pose(&[actor]);
        let mut blocks = world.skeleton.rest_blocks();
        track.reset(pair[0].within(duration), &mut blocks);
        out.put(&blocks);
    }
    out.put_vec(actor.translation);
    out.put_quat(actor.rotation);
}

pub fn metric(world: &World, isa: Isa, out: &mut Bits) {
    let mut pose = vec![JointBlock::IDENTITY; BLOCKS];
    let frame = |frame: i64, pose: &mut Vec<JointBlock>| {
        Sample { isa, clip: &world.uniform[0], at: Tick(frame * TICKS_PER_SECOND / 30), out: pose }.run();
        world.models(isa, pose)
    };
    let frames: Vec<Affine> = (0..60).flat_map(|at| frame(at, &mut pose)).collect();
    let foot = |models: &[Affine]| glam::Affine3A::from(models[19]).translation.as_dvec3();
    let feet: Vec<_> = frames.chunks_exact(JOINTS).map(foot).collect();
    out.put(&[foot_slide_m(&feet, 0.5)]);
    out.put_text(&format!("{:?}", pop_deg_per_frame2(&frames, JOINTS)));
    out.put_text(&format!("{:?}", seam_jump(&frames[59 * JOINTS..], &frames[..JOINTS])));
}
