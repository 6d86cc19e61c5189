//! Prints what a graph plays: a guard that stands, walks off, runs and is told to stop. `cargo run -p stillframe-anim
//! --example graph`.

use stillframe_anim::graph::{
    ClipDef, ClipNode, Compare, Condition, Enter, FadePolicy, Graph, GraphDef, GraphError, MachineNode, NodeDef,
    NodeKind, ParameterDef, SpaceDef, StateDef, SyncSpaceNode, TransitionDef, Value,
};
use stillframe_anim::pose::Trs;
use stillframe_anim::sample::{RawJoint, Skeleton};
use stillframe_anim::time::{Ease, Event, Pace};
use stillframe_base::tick::Tick;

fn guard() -> GraphDef {
    let clip = |name: &str, seconds: f64| {
        let duration = Tick::from_seconds(seconds);
        let events = vec![Event::point(Tick::ZERO), Event::share(1, 2, Tick::ZERO, duration)];
        ClipDef { name: name.to_string(), duration, events, markers: Vec::new() }
    };
    let space = SpaceDef::Line { parameter: Value::parameter("speed"), at: vec![1.5, 6.0] };
    let moving = SyncSpaceNode {
        space,
        clips: vec!["walk".to_string(), "run".to_string()],
        by_markers: false,
        pace: Pace::Blended,
        speed: Value::Number(1.0),
    };
    let rule = |from: &str, to: &str, is, than| TransitionDef {
        from: Some(from.to_string()),
        to: to.to_string(),
        condition: Condition::Compare { parameter: "speed".to_string(), is, than },
        fade: Tick::from_seconds(0.2),
        priority: 0,
        interruptible: true,
        enter: Enter::Restart,
    };
    let state = |name: &str, node: &str| StateDef { name: name.to_string(), node: node.to_string() };
    let machine = MachineNode {
        states: vec![state("Stand", "idle"), state("Move", "moving")],
        initial: "Stand".to_string(),
        transitions: vec![rule("Stand", "Move", Compare::Greater, 0.1), rule("Move", "Stand", Compare::Less, 0.05)],
        policy: FadePolicy::Inertial,
        ease: Ease::Linear,
    };
    let node = |name: &str, kind| NodeDef { name: name.to_string(), kind };
    GraphDef {
        parameters: vec![ParameterDef { name: "speed".to_string(), initial: 0.0 }],
        clips: vec![clip("idle", 2.0), clip("walk", 1.0), clip("run", 0.6)],
        nodes: vec![
            node("idle", NodeKind::Clip(ClipNode::looped("idle"))),
            node("moving", NodeKind::SyncSpace(moving)),
            node("guard", NodeKind::Machine(machine)),
        ],
        output: "guard".to_string(),
        ..GraphDef::default()
    }
}

fn main() -> Result<(), GraphError> {
    let root = RawJoint { node: 0, name: "root".to_string(), parent: None, rest: Trs::IDENTITY };
    let skeleton = Skeleton::new(&[root]).unwrap_or_else(|_| unreachable!("one joint is a skeleton"));
    let graph = Graph::compile(&guard(), &skeleton)?;
    print!("{}", graph.describe());
    let mut state = graph.start(&[0.0]);
    let mut events = Vec::new();
    for (seconds, speed) in [(0.5, 1.5), (0.1, 1.5), (0.9, 6.0), (0.3, 0.0), (0.1, 0.0)] {
        events.clear();
        let step = Tick::from_seconds(seconds);
        graph.update(&mut state, step, &[speed], &mut events).unwrap_or_else(|error| unreachable!("{error}"));
        print!("\n{}", state.describe(&graph));
        for event in &events {
            println!("  {:.4} s {} {:?}", event.at.seconds(), graph.node_name(usize::from(event.node)), event.signal);
        }
    }
    Ok(())
}
