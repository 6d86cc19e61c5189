//! Travel: what moves the actor is what the root's pose is made of.

use glam::DVec3;
use stillframe_anim::graph::{
    Compare, DeltaInput, DeltaSpace, Enter, FadePolicy, GraphDef, LayerDef, LayerMode, NodeKind, PartialMode,
    PartialNode, PartialWeights, Play, ReferenceDef, SlotNode, Value,
};
use stillframe_anim::root::{Motion, RootParts, RootTrack};
use stillframe_anim::sample::DTrs;
use stillframe_anim::time::Repeat;
use stillframe_base::tick::Tick;

use super::biped::{CLIPS, MS, Player, clips, def, line, looped, once, skeleton};
use super::machine::{is, machine, transition};
use super::slot::upper;

/// Metres a second, and turns about the vertical in radians a second.
fn pace(clip: &str) -> (f64, f64) {
    match clip {
        "walk" => (1.5, 0.0),
        "run" => (4.0, 0.0),
        "left" => (1.2, 0.7),
        "attack" => (0.5, -0.4),
        _ => (0.0, 0.0),
    }
}

/// Where a clip of constant pace is after some seconds.
fn arc((speed, turn): (f64, f64), seconds: f64) -> Motion {
    crate::crowd::travel::arc(speed, turn, seconds)
}

fn tracks() -> Vec<Option<RootTrack>> {
    let track = |(name, duration): (String, Tick)| {
        CLIPS.iter().find(|clip| clip.0 == name)?;
        let pose = &mut |at: Tick, pose: &mut [DTrs]| {
            let motion = arc(pace(&name), at.seconds());
            (pose[0].translation, pose[0].rotation) = (DVec3::Y + motion.translation, motion.rotation);
        };
        let track = RootTrack::extract(&skeleton(), 0, RootParts::default(), (duration, MS), pose);
        Some(track.expect("the root is the first joint"))
    };
    clips().into_iter().map(track).collect()
}

struct Actor {
    player: Player,
    tracks: Vec<Option<RootTrack>>,
    way: Motion,
}

impl Actor {
    fn new(def: &GraphDef) -> Actor {
        let mut player = Player::new(def);
        player.graph = player.graph.with_root(0);
        player.state = player.graph.start(&player.parameters);
        Actor { player, tracks: tracks(), way: Motion::IDENTITY }
    }

    fn step_ms(&mut self, ms: i64) {
        self.player.step_ms(ms);
        let tracks: Vec<Option<&RootTrack>> = self.tracks.iter().map(Option::as_ref).collect();
        let step = self.player.graph.travel(&self.player.state, &tracks, &mut Vec::new());
        self.way = self.way.then(step);
    }

    #[track_caller]
    fn is_at(&self, want: Motion) {
        let apart = (self.way.translation - want.translation).length();
        let turned = 1.0 - self.way.rotation.dot(want.rotation).abs();
        assert!(apart < 1e-6 && turned < 1e-12, "{:?} instead of {want:?}", self.way);
    }
}

#[test]
fn one_clip_is_its_track_however_steps_are_cut() {
    for clip in ["walk", "run", "left"] {
        let def = def(&[], vec![("clip", looped(clip))], "clip");
        for steps in [vec![3217], vec![17; 189], vec![1, 999, 1000, 1217]] {
            let mut actor = Actor::new(&def);
            let ms: i64 = steps.iter().sum();
            steps.into_iter().for_each(|step| actor.step_ms(step));
            actor.is_at(arc(pace(clip), ms as f64 / 1000.0));
        }
    }
}

#[test]
fn blends_go_at_the_mean_pace() {
    let nodes =
        vec![("walk", looped("walk")), ("run", looped("run")), ("both", line("w", &[(0.0, "walk"), (1.0, "run")]))];
    let mut actor = Actor::new(&def(&[("w", 0.25)], nodes, "both"));
    (0..20).for_each(|_| actor.step_ms(50));
    actor.is_at(arc((0.75 * 1.5 + 0.25 * 4.0, 0.0), 1.0));
}

/// Found by `stillframe fuzz graph`: what stands still had no part in the mean, so that half a walk went as far as a
/// whole one.
#[test]
fn poses_without_a_clock_stay_where_they_are() {
    let still = [
        NodeKind::Frame { clip: "run".to_string(), at: Tick(200 * MS) },
        NodeKind::Follow { clip: "run".to_string(), leader: "walk".to_string() },
    ];
    for still in still {
        let nodes =
            vec![("walk", looped("walk")), ("still", still), ("both", line("w", &[(0.0, "walk"), (1.0, "still")]))];
        for (share, speed) in [(0.0, 1.5), (0.25, 0.75 * 1.5), (1.0, 0.0)] {
            let mut actor = Actor::new(&def(&[("w", share)], nodes.clone(), "both"));
            (0..20).for_each(|_| actor.step_ms(50));
            actor.is_at(arc((speed, 0.0), 1.0));
        }
    }
}

#[test]
fn layers_count_by_their_masks_at_the_root_and_additions_not_at_all() {
    let layers = |mask: Option<&str>, mode: LayerMode| {
        let layer = LayerDef {
            node: if mode == LayerMode::Override { "run" } else { "delta" }.to_string(),
            mode,
            mask: mask.map(str::to_string),
            weight: Value::Number(0.5),
        };
        let nodes = vec![
            ("walk", looped("walk")),
            ("run", looped("run")),
            (
                "delta",
                NodeKind::Delta { source: "run".to_string(), reference: ReferenceDef::Rest, space: DeltaSpace::Local },
            ),
            ("all", NodeKind::Layers { base: "walk".to_string(), layers: vec![layer] }),
        ];
        let mut def = def(&[], nodes, "all");
        def.masks.push(upper());
        def
    };
    for (mask, mode, speed) in [
        (None, LayerMode::Override, 0.5 * 1.5 + 0.5 * 4.0),
        (Some("upper"), LayerMode::Override, 1.5),
        (None, LayerMode::Additive, 1.5),
    ] {
        let mut actor = Actor::new(&layers(mask, mode));
        actor.step_ms(700);
        actor.is_at(arc((speed, 0.0), 0.7));
    }
    let nodes = vec![
        ("walk", looped("walk")),
        ("run", looped("run")),
        (
            "delta",
            NodeKind::Delta { source: "run".to_string(), reference: ReferenceDef::Rest, space: DeltaSpace::Local },
        ),
        (
            "all",
            NodeKind::Additive {
                base: "walk".to_string(),
                deltas: vec![DeltaInput { delta: "delta".to_string(), alpha: Value::Number(1.0), mask: None }],
            },
        ),
    ];
    let mut actor = Actor::new(&def(&[], nodes, "all"));
    actor.step_ms(700);
    actor.is_at(arc((1.5, 0.0), 0.7));
}

#[test]
fn partial_weights_of_the_root_are_divided_by_their_sum() {
    let entries = vec![("Bip01".to_string(), vec![1.0, 3.0]), ("Bip01 Neck".to_string(), vec![1.0, 0.0])];
    let node = PartialNode {
        inputs: vec!["walk".to_string(), "run".to_string()],
        weights: PartialWeights::Joints(entries),
        mode: PartialMode::WeightedNlerp,
    };
    let nodes = vec![("walk", looped("walk")), ("run", looped("run")), ("all", NodeKind::Partial(node))];
    let mut actor = Actor::new(&def(&[], nodes, "all"));
    actor.step_ms(300);
    actor.is_at(arc((0.25 * 1.5 + 0.75 * 4.0, 0.0), 0.3));
}

/// The change comes in the middle of the step: what is gone before it and after it is added, not averaged.
#[test]
fn a_change_within_a_step_cuts_the_way() {
    for policy in [FadePolicy::Inertial, FadePolicy::Frozen] {
        let mut over =
            transition(Some("Attack"), "Move", stillframe_anim::graph::Condition::TimeLeft { below: Tick(200 * MS) });
        over.enter = Enter::Restart;
        let attack = is("attack", Compare::GreaterOrEqual, 1.0);
        let states = [("Attack", "attack"), ("Move", "left")];
        let nodes = vec![
            ("attack", once("attack")),
            ("left", looped("left")),
            ("machine", machine(&states, policy, vec![over, transition(Some("Move"), "Attack", attack)])),
        ];
        let def = def(&[("attack", 0.0)], nodes, "machine");
        let (mut whole, mut parts) = (Actor::new(&def), Actor::new(&def));
        whole.step_ms(2500);
        (0..500).for_each(|_| parts.step_ms(5));
        whole.is_at(arc(pace("attack"), 1.0).then(arc(pace("left"), 1.5)));
        parts.is_at(whole.way);
    }
}

#[test]
fn a_slot_takes_the_root_unless_its_mask_does_not() {
    for (mask, speed) in [(None, 0.5), (Some("upper"), 1.5)] {
        let node =
            SlotNode { input: "walk".to_string(), mask: mask.map(str::to_string), fade_in: Tick(0), fade_out: Tick(0) };
        let mut def = def(&[], vec![("walk", looped("walk")), ("slot", NodeKind::Slot(node))], "slot");
        def.masks.push(upper());
        let mut actor = Actor::new(&def);
        let slot = actor.player.graph.node("slot").expect("a node");
        let play =
            Play { clip: actor.player.graph.clip("attack").expect("a clip"), speed: 1.0, repeat: Repeat::Forever };
        actor.player.graph.play(&mut actor.player.state, slot, &play);
        actor.step_ms(400);
        let turn = if mask.is_none() { -0.4 } else { 0.0 };
        actor.is_at(arc((speed, turn), 0.4));
    }
}
