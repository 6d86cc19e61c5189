//! Clips, animators, their graphs and crowds in scene files: what they say is what is there, and what is printed is
//! read back.

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};

use proptest::prelude::*;
use stillframe_anim::graph::*;
use stillframe_anim::pose::Trs;
use stillframe_anim::root::RootParts;
use stillframe_anim::sample::{RawJoint, Skeleton};
use stillframe_anim::time::{AtEnd, Mode, Pace, Repeat};
use stillframe_asset::source::{Diagnostic, Vfs};
use stillframe_base::tick::Tick;
use stillframe_scene::scene::{
    AnimatorMorph, ClipChoice, ClipHome, ClipNaming, Moment, Resolved, RootMotion, Scene, Show, SolverKind, TargetDef,
    Thing, resolve_text,
};
use stillframe_testkit::depth::cases;
use stillframe_testkit::worse;

mod maker;

fn one_target(node: usize) -> Vec<TargetDef> {
    vec![TargetDef { node, weight: 1.0 }]
}

fn folder() -> PathBuf {
    let folder = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join("scene_animation");
    fs::create_dir_all(&folder).unwrap();
    let empty = ["figure.glb", "coat.glb", "walk.clip", "body.glb", "walking.fbx", "wave.clip"].map(|name| (name, ""));
    for (name, text) in empty.into_iter().chain([("below.toml", BELOW)]) {
        // Other tests read the same files at the same time: they must never see half of one.
        if fs::read_to_string(folder.join(name)).is_ok_and(|have| have == text) {
            continue;
        }
        let own = folder.join(format!("{name}.{}.{:?}", std::process::id(), std::thread::current().id()));
        fs::write(&own, text).unwrap();
        fs::rename(&own, folder.join(name)).unwrap();
    }
    folder
}

fn resolve(text: &str, edits: &[&str]) -> Result<Resolved, Vec<Diagnostic>> {
    let folder = folder();
    let edits: Vec<String> = edits.iter().map(|edit| edit.to_string()).collect();
    resolve_text(text, Path::new("scene.toml"), &folder, &Vfs::open(&folder).unwrap(), &edits)
}

fn scene(text: &str, edits: &[&str]) -> Scene {
    resolve(text, edits).unwrap_or_else(|found| panic!("{found:#?}\n{text}")).scene
}

const BELOW: &str = r#"
[[animator]]
name = "walker"
rate_hz = 30.0
parameter = [{ name = "speed", value = 9.0 }, { name = "heading", value = 0.5 }]
solver = [{ kind = "ccd", root = "r", tip = "t", target = "ball" }]
[[animator.node]]
name = "idle"
kind = "clip"
clip = "sleep"
"#;

/// Every kind of everything.
const RICH: &str = r##"
title = "Everything that moves"
include = "below.toml"
[output]
time_s = 1.0
[param]
threshold = "speed > 0.1 and not (time_left < 0.2)"
[camera.main]
[model.figure]
file = "figure.glb"
[model.coarse]
file = "figure.glb"
proportion = [{ joint = "spine \"2\"", scale = [1.5, 1.0, 0.25], position = [0.1, 0.0, -2.0] }, { joint = "head", scale = -1.0, branch = true, weight = 0.5 }]
[model.growing]
file = "figure.glb"
proportion = [{ joint = "spine", scale = 2.0, weight = { keys = [[0, 0.0], [2, 1.0]] } }]
[material.cloth]

[[clip]]
name = "walk"
model = "figure"
source = "#2"
start_s = 0.5
end_s = 1.5
event = [{ name = "left", at = 0.25 }, { name = "swing", at_s = 0.1, until_s = 0.4 }, { name = "all", at = 0, until_s = 1 }]
marker = [{ name = "left", at = 0.0 }, { name = "right", at_s = 0.5 }]
[[clip]]
name = "run"
model = "figure"
[[clip]]
name = "wade"
file = "walk.clip"
start_s = 0.25
rename = [{ from = "mixamorig:Hips", to = "pelvis" }, { from = "a \"b\"", to = "b" }]
strip = ["mixamorig:", "b_"]
loose_names = true
retarget = true

[[animator]]
name = "simple"
model = "figure"
clip = "run"
mode = "ping_pong"
passes = 3
reverse = true
at_end = "run_on"
window_s = [0.25, 0.75]
phase_s = 0.5
speed = "pace"
parameter = [{ name = "pace", value = { keys = [[0, 0.0], [2, 3.0]] } }]
morph = [{ name = "smile", weight = "pace" }, { name = "frown", over_clips = true }]

[[animator]]
name = "walker"
model = "figure"
root_motion = ["yaw", "horizontal"]
root_joint = "hips"
event_weight_min = 0.25
parameter = [{ name = "speed", value = { keys = [[0, 0.0], [2, 3.0]] } }, { name = "side" }]
mask = [{ name = "upper", branch = [{ joint = "spine" }, { joint = "head", weight = 0.5 }] }, { name = "all", default = 1.0 }]
output = "body"
[[animator.node]]
name = "idle"
kind = "clip"
clip = "rest"
[[animator.node]]
name = "gait"
kind = "line"
parameter = "speed"
at = [0.0, 1.4, 3.5]
clips = ["walk", "walk", "run"]
pace = "blended"
[[animator.node]]
name = "tilt"
kind = "grid"
parameters = ["side", 0.25]
columns = [-1, 0, 1]
rows = [0]
inputs = ["idle", "start", "idle"]
[[animator.node]]
name = "around"
kind = "scatter"
parameters = ["side", "heading"]
at = [[0, 0], [1, 0], [0, 1]]
inputs = ["idle", "gait", "echo"]
[[animator.node]]
name = "start"
kind = "frame"
clip = "walk"
at_s = 0.125
[[animator.node]]
name = "echo"
kind = "follow"
clip = "run"
leader = "gait"
[[animator.node]]
kind = "switch"
index = "side"
inputs = ["idle", "gait"]
fade_from_to_s = [[0, 0.5], [0.25, 0]]
policy = "book"
ease = "smooth"
[[animator.node]]
name = "to"
kind = "switch"
index = 1
inputs = ["idle", "switch"]
fade_to_s = [0.5, 1]
[[animator.node]]
name = "lean"
kind = "delta"
source = "idle"
reference = "start"
[[animator.node]]
name = "more"
kind = "delta"
source = "gait"
space = "mesh"
[[animator.node]]
name = "leaning"
kind = "additive"
base = "around"
add = [{ delta = "lean", alpha = "side", mask = "upper" }, { delta = "more" }]
[[animator.node]]
name = "halves"
kind = "partial"
input = [{ node = "leaning" }, { node = "to", weight = "side", mask = "upper" }]
mode = "power"
[[animator.node]]
name = "joints"
kind = "partial"
inputs = ["halves", "tilt"]
joint = [{ name = "spine", weights = [0, 1] }, { name = "head", weights = [1, 3] }]
[[animator.node]]
name = "layered"
kind = "layers"
base = "joints"
layer = [{ node = "idle", weight = "side", mask = "upper" }, { node = "more", mode = "additive", mask = "all" }]
[[animator.node]]
name = "steps"
kind = "machine"
initial = "walking"
state = [{ name = "idle" }, { name = "walking", node = "layered" }]
[[animator.node.transition]]
from = "idle"
to = "walking"
when = "$threshold"
fade_s = 0.3
priority = -2
interruptible = true
enter = "sync"
[[animator.node.transition]]
to = "idle"
when = "speed <= 0.1 or always"
[[animator.node]]
name = "body"
kind = "slot"
input = "steps"
mask = "upper"
fade_in_s = 0.1
[[animator.play]]
at_s = 2.0
[[animator.play]]
at_s = 1.0
slot = "body"
clip = "wade"
speed = 1.5
passes = 0
[[animator.solver]]
kind = "two_bone"
joint = "hand"
target = "ball"
pole = "figure"
weight = "side"
[[animator.solver]]
kind = "aim"
joint = "head"
target = "ball"
weight = 0.5
[[animator.solver]]
kind = "fabrik"
root = "tail.0"
tip = "tail.9"
target = "ball"
[[animator.solver]]
kind = "feet"
hip = "hips"
ankles = ["ankle.l", "ankle.r"]
ground = "floor"

[[node]]
name = "ball"
parent = "figure"
joint = "hand_r"
inherits = ["translation"]
shape = "sphere"
[[node]]
name = "figure"
model = "figure"
animator = "walker"
show = ["skeleton", "bounds"]
morph = [{ name = "smile", weight = { keys = [[0, 0.0], [2, 0.5]], interpolation = "smooth" } }, { name = "a \"b\"", weight = -0.25 }]
line = { count = 2 }
[[node]]
name = "coat"
parent = "figure"
model = "coarse"
worn = true
[[node]]
name = "floor"
shape = "plane"
[[node]]
name = "runner"
model = "figure"
animator = "simple"

[[crowd]]
model = "figure"
clips = ["walk", "run", "walk"]
count = 1000
radius_m = 20.0
turn_deg = [-10, 10]
scale = [0.5, 1.5]
speed = [0.9, 1.1]
change_s = 4
fade_s = 0.5
seed = 7
baking = "vertices"
error_mm = 0.5
lod = [{ from_m = 20, model = "coarse" }, { from_m = 200 }]
position = [1, 0, 2]
rotation_deg = [0, 30, 0]
material = "cloth"
casts_shadow = false
[[crowd]]
model = "figure"
clips = ["run"]
count = 3
"##;

#[test]
fn what_a_file_says() {
    let resolved = resolve(RICH, &[]).unwrap_or_else(|found| panic!("{found:#?}"));
    assert!(resolved.warnings.is_empty(), "{:?}", resolved.warnings);
    let scene = resolved.scene;
    let walk = &scene.clips[0];
    assert_eq!(walk.home, ClipHome::Model(0, ClipChoice::Number(2)));
    assert_eq!(walk.part_s, [Some(0.5), Some(1.5)]);
    assert_eq!((walk.events[1].at, walk.events[1].until), (Moment::Seconds(0.1), Some(Moment::Seconds(0.4))));
    assert_eq!(walk.markers[0].at, Moment::Share(0.0));
    assert_eq!(scene.clips[1].home, ClipHome::Model(0, ClipChoice::Named("run".into())));
    assert_eq!(scene.clips[1].naming, ClipNaming::default());
    assert_eq!(scene.clips[2].home, ClipHome::File(scene.root.join("walk.clip")));
    let naming = &scene.clips[2].naming;
    assert_eq!((naming.renames[1].0.as_str(), naming.strip.len()), ("a \"b\"", 2));
    assert!(naming.loose && naming.retarget);
    let names: Vec<_> = scene.animators.iter().map(|a| a.name.as_str()).collect();
    assert_eq!(names, ["walker", "simple"], "the included file's comes first");
    let [walker, simple] = &scene.animators[..] else { panic!() };
    assert_eq!((walker.rate_hz, walker.graph.event_weight_min), (30.0, 0.25));
    let motion = RootMotion { joint: Some("hips".into()), parts: RootParts::default() };
    assert_eq!((&walker.root_motion, &simple.root_motion), (&Some(motion), &None));
    let parameters: Vec<_> = walker.graph.parameters.iter().map(|p| (p.name.as_str(), p.initial)).collect();
    assert_eq!(parameters, [("speed", 1.5), ("heading", 0.5), ("side", 0.0)], "by name, at 1 s");
    assert_eq!(walker.graph.nodes[0].kind, NodeKind::Clip(ClipNode::looped("rest")), "laid over the included one");
    assert_eq!(walker.graph.output, "body");
    let of = |name: &str| &walker.graph.nodes.iter().find(|n| n.name == name).unwrap().kind;
    let NodeKind::SyncSpace(gait) = of("gait") else { panic!() };
    assert_eq!((gait.pace, gait.by_markers), (Pace::Blended, true));
    let NodeKind::Machine(steps) = of("steps") else { panic!() };
    assert_eq!(steps.states[0], StateDef { name: "idle".into(), node: "idle".into() });
    let rule = &steps.transitions[0];
    let Condition::And(parts) = &rule.condition else { panic!("{rule:?}") };
    assert_eq!(parts[0], Condition::Compare { parameter: "speed".into(), is: Compare::Greater, than: 0.1 });
    assert_eq!(parts[1], Condition::Not(Box::new(Condition::TimeLeft { below: Tick::from_seconds(0.2) })));
    assert_eq!((rule.fade, rule.priority, rule.enter), (Tick::from_seconds(0.3), -2, Enter::Sync));
    let NodeKind::Switch(switch) = of("switch") else { panic!() };
    assert_eq!(
        switch.fade,
        FadeTimes::FromTo([[0.0, 0.5], [0.25, 0.0]].map(|r| r.map(Tick::from_seconds).into()).into())
    );
    let plays: Vec<_> = walker.plays.iter().map(|p| (p.at_s, &*p.slot, p.clip.as_deref(), p.passes)).collect();
    assert_eq!(plays, [(1.0, "body", Some("wade"), None), (2.0, "body", None, Some(1))], "by time; the only slot");
    assert_eq!(walker.solvers.len(), 4, "the upper file's list holds");
    let NodeKind::Clip(clip) = &simple.graph.nodes[0].kind else { panic!() };
    assert_eq!((clip.mode, clip.at_end), (Mode::PingPong(Repeat::Times(3)), AtEnd::RunOn));
    assert_eq!((&clip.speed, simple.graph.parameters[0].initial), (&Value::parameter("pace"), 1.5));
    let smile = AnimatorMorph { name: "smile".into(), weight: Value::parameter("pace"), over_clips: false };
    let frown = AnimatorMorph { name: "frown".into(), weight: Value::Number(1.0), over_clips: true };
    assert_eq!((&walker.morphs[..], &simple.morphs[..]), (&[][..], &[smile, frown][..]));
    let weights = scene.models.iter().flat_map(|model| &model.proportions).map(|proportion| proportion.weight);
    assert_eq!(weights.collect::<Vec<_>>(), [1.0, 0.5, 0.5], "the last one at 1 s");
    let [figure, ball, ..] = &scene.nodes[..] else { panic!() };
    let morphs: Vec<_> = figure.morphs.iter().map(|morph| (morph.name.as_str(), morph.weight)).collect();
    assert_eq!(morphs, [("smile", 0.25), ("a \"b\"", -0.25)], "at 1 s");
    assert_eq!((figure.animator, &figure.show[..]), (Some(0), &[Show::Skeleton, Show::Bounds][..]));
    assert_eq!((ball.joint.as_deref(), ball.inherits), (Some("hand_r"), [true, false, false]));
    assert_eq!(
        walker.solvers[0].kind,
        SolverKind::TwoBone {
            joint: "hand".into(),
            targets: one_target(1),
            pole: Some(0),
            bend_axis: None,
            soften: 1.0
        }
    );
    let [crowd, second] = &scene.crowds[..] else { panic!() };
    assert_eq!((&*crowd.name, &*second.name), ("figure", "figure.2"));
    assert_eq!((crowd.lods[0].model, crowd.lods[1].model), (Some(1), None));
}

#[test]
fn values_written_anew() {
    let edits = [
        "animator.walker.parameter.side.value=2",
        "animator.walker.node.idle.clip=stand",
        "animator.simple.mode=once",
        "crowd.0.count=5",
        "clip.walk.end_s=2",
        "node.figure.show=[]",
        "node.figure.morph.1.weight=0.5",
        "animator.simple.morph.smile.weight=0.75",
    ];
    // `passes` belongs to modes that repeat.
    let found = resolve(RICH, &edits).unwrap_err();
    assert_eq!(found.iter().map(|d| d.code).collect::<Vec<_>>(), ["E0212"], "{found:#?}");
    let text = RICH.replace("passes = 3\n", "");
    let scene = scene(&text, &edits);
    assert_eq!(scene.animators[0].graph.parameters[2].initial, 2.0);
    assert_eq!(scene.animators[0].graph.nodes[0].kind, NodeKind::Clip(ClipNode::looped("stand")));
    assert_eq!((scene.crowds[0].count, scene.clips[0].part_s[1]), (5, Some(2.0)));
    assert!(scene.nodes[0].show.is_empty());
    assert_eq!(scene.nodes[0].morphs[1].weight, 0.5);
    assert_eq!(scene.animators[1].morphs[0].weight, Value::Number(0.75));
}

#[test]
fn parameters_move_with_the_scene() {
    let own = scene(RICH, &[]);
    assert!(own.track(Thing::Parameter(0, 0), "value").is_some());
    for time_s in [0.0, 0.5, 2.0, 77.0] {
        let turned = own.at(Tick::from_seconds(time_s));
        let read = scene(RICH, &[&format!("output.time_s={time_s:?}")]);
        assert_eq!(turned.animators, read.animators, "{time_s}");
        assert_eq!(turned.nodes, read.nodes, "{time_s}");
        assert_eq!(turned.models, read.models, "{time_s}");
    }
    // Nodes are numbered as they stand in the scene, wherever they are written.
    assert!(own.track(Thing::Morph(0, 0), "weight").is_some());
}

/// Copies of a node that hangs on a joint hang there once, all together, and each copy wears the animator.
#[test]
fn copies_wear_animators() {
    let text = RICH.replace("shape = \"sphere\"", "shape = \"sphere\"\nline = { count = 3 }");
    let expanded = scene(&text, &[]).expanded();
    let wearing: Vec<_> = expanded.nodes.iter().filter(|n| n.animator.is_some()).map(|n| &*n.name).collect();
    assert_eq!(wearing, ["0", "1", "runner"]);
    let hanging: Vec<_> = expanded.nodes.iter().filter(|n| n.joint.is_some()).map(|n| &*n.name).collect();
    assert_eq!(hanging, ["ball", "ball"], "the group of the three, under each figure");
    let worn: Vec<_> = expanded.nodes.iter().filter(|n| n.worn).map(|n| &*n.name).collect();
    assert_eq!(worn, ["coat", "coat"], "one for each figure");
    for node in expanded.nodes.iter().filter(|n| n.joint.is_some() || n.worn) {
        let parent = &expanded.nodes[node.parent.unwrap()];
        assert!(matches!(parent.content, stillframe_scene::scene::Content::Model(_)), "{parent:?}");
    }
}

fn made(seed: u64) -> Scene {
    maker::made_anew(scene(RICH, &[]), seed)
}

fn stable(scene: &Scene) -> Result<(), TestCaseError> {
    let text = scene.print();
    let again = resolve(&text, &[]).map_err(|found| TestCaseError::fail(format!("{found:#?}\n{text}")))?;
    prop_assert_eq!(again.scene.print(), text);
    prop_assert_eq!(&again.scene, scene);
    Ok(())
}

/// The examples of docs/scene.md and docs/animation.md are scenes, but for what every scene has.
#[test]
fn the_page_says_what_works() {
    let page = |name: &str| fs::read_to_string(Path::new(env!("CARGO_MANIFEST_DIR")).join("docs").join(name)).unwrap();
    let (scene_page, guide) = (page("scene.md"), page("animation.md"));
    let section = scene_page.split("\n## Animation\n").nth(1).unwrap().split("\n## ").next().unwrap();
    let blocks = section.split("```toml\n").skip(1).chain(guide.split("```toml\n").skip(1));
    let blocks: Vec<&str> = blocks.map(|block| block.split("```").next().unwrap()).collect();
    assert_eq!(blocks.len(), 12);
    for block in blocks {
        let model = if block.contains("[model.figure]") { "" } else { "[model.figure]\nfile = 'figure.glb'\n" };
        let text = format!("title = 'x'\n[camera.main]\n{model}{block}");
        let scene = scene(&text, &[]);
        stable(&scene).unwrap();
        compiles(&scene).unwrap();
    }
}

#[test]
fn everything_prints_itself() {
    let scene = scene(RICH, &[]);
    stable(&scene).unwrap();
    compiles(&scene).unwrap();
}

/// What only files tell is as good as it can be: every clip is there and long, every joint is there.
fn compiles(scene: &Scene) -> Result<(), TestCaseError> {
    for animator in &scene.animators {
        let mut graph = animator.graph.clone();
        let mut clips = BTreeSet::new();
        let mut joints: BTreeSet<&str> =
            graph.masks.iter().flat_map(|mask| &mask.branches).map(|branch| &*branch.joint).collect();
        for node in &animator.graph.nodes {
            match &node.kind {
                NodeKind::Clip(ClipNode { clip, .. })
                | NodeKind::Frame { clip, .. }
                | NodeKind::Follow { clip, .. } => drop(clips.insert(clip)),
                NodeKind::SyncSpace(space) => clips.extend(&space.clips),
                NodeKind::Partial(PartialNode { weights: PartialWeights::Joints(all), .. }) => {
                    joints.extend(all.iter().map(|(joint, _)| &**joint));
                }
                _ => {}
            }
        }
        let clip = |name: &String| ClipDef {
            name: name.clone(),
            duration: Tick::from_seconds(90_000.0),
            ..ClipDef::default()
        };
        graph.clips = clips.into_iter().map(clip).collect();
        let joint =
            |(node, name): (usize, &str)| RawJoint { node, name: name.into(), parent: None, rest: Trs::IDENTITY };
        let skeleton = Skeleton::new(&joints.into_iter().enumerate().map(joint).collect::<Vec<_>>()).unwrap();
        if let Err(error) = Graph::compile(&graph, &skeleton) {
            return Err(TestCaseError::fail(format!("{error}\n{}", scene.print())));
        }
    }
    Ok(())
}

proptest! {
    #![proptest_config(ProptestConfig { cases: cases(400), failure_persistence: None, ..ProptestConfig::default() })]

    /// Any graph, clip and crowd can be written, is read back as it was, and is one that compiles.
    #[test]
    fn whatever_moves_prints_itself(seed in any::<u64>()) {
        let scene = made(seed);
        stable(&scene)?;
        compiles(&scene)?;
    }

    /// Cut, doubled and exchanged lines: told about, with places in the text, or a scene that prints itself and whose
    /// graphs compile: what can be told with a place is told with it.
    #[test]
    fn mutated_scenes_are_told_about_or_stable(
        changes in prop::collection::vec((any::<prop::sample::Index>(), any::<prop::sample::Index>(), 0u8..4), 1..6),
    ) {
        let mut lines: Vec<String> = RICH.lines().map(str::to_string).collect();
        for (from, to, how) in changes {
            let (from, to) = (from.index(lines.len()), to.index(lines.len()));
            match how {
                0 => { lines.remove(from); }
                1 => { let line = lines[from].clone(); lines.insert(to, line); }
                2 => lines.swap(from, to),
                // A key with the value of another one.
                _ => if let (Some((key, _)), Some((_, value))) = (lines[from].split_once(" = "), lines[to].split_once(" = ")) {
                    lines[from] = format!("{key} = {value}");
                },
            }
        }
        let text = lines.join("\n");
        match resolve(&text, &[]) {
            Ok(resolved) => {
                stable(&resolved.scene)?;
                compiles(&resolved.scene)?;
                let _ = resolved.scene.at(Tick::from_seconds(0.5)).expanded();
            }
            Err(found) => for diagnostic in found {
                let text = if diagnostic.file.ends_with("below.toml") { BELOW } else { &text };
                prop_assert!(text.get(diagnostic.span.clone().unwrap_or(0..0)).is_some(), "{diagnostic:?}");
            },
        }
    }
}

/// Sizes at which something quadratic would be noticed.
#[test]
fn large_graphs_are_quick() {
    let head = "title = 'x'\n[camera.main]\n[model.m]\nfile = 'figure.glb'\n[[animator]]\nname = 'a'\nmodel = 'm'\n";
    let many = |count: usize, part: &dyn Fn(usize) -> String| {
        let mut text = head.to_string();
        (0..count).for_each(|n| text.push_str(&part(n)));
        text
    };
    let node = |n: usize, rest: &str| format!("[[animator.node]]\nname='n{n}'\n{rest}\n");
    for text in [
        many(30_000, &|n| node(n, "kind='clip'\nclip='c'")),
        many(1024, &|n| node(n, &format!("kind='slot'\ninput='n{}'", n + 1))) + &node(1024, "kind='clip'\nclip='c'"),
        many(1024, &|n| node(n, &format!("kind='slot'\ninput='n{}'", (n + 1) % 1024))),
        many(1024, &|n| node(n, &format!("kind='slot'\ninput='m{n}'"))),
        many(40_000, &|n| format!("[[animator.parameter]]\nname='p{n}'\n")),
        many(1, &|_| node(0, &format!("kind='line'\nparameter=0\nat=[{}]", "1,".repeat(500_000)))),
        many(1, &|_| node(0, &format!("kind='switch'\nindex=0\ninputs=[{}]", "'n0',".repeat(200_000)))),
        many(1, &|_| node(0, "kind='machine'\nstate=[{name='n0'}]"))
            + &"[[animator.node.transition]]\nto='x'\nwhen='a<1'\n".repeat(30_000),
        many(1, &|_| node(0, "kind='machine'\nstate=[{name='s',node='n0'}]"))
            + &format!("transition=[{{to='s',when='{}'}}]\n", "not (".repeat(300_000)),
        many(50_000, &|_| "[[animator.play]]\nat_s=1\n".into()),
        many(50_000, &|_| "[[crowd]]\nmodel='m'\nclips=['a']\ncount=1000000\n".into()),
        many(50_000, &|n| format!("[[clip]]\nname='c{n}'\nmodel='m'\n")),
    ] {
        let _ = resolve(&text, &[]);
    }
}

/// An animator plays what the file says at any moment: steps, tangents and all, as the model's own `clip` does.
#[test]
fn animators_play_clips_as_the_file_has_them() {
    let scenes = Path::new(env!("CARGO_MANIFEST_DIR")).join("scenes");
    for (model, clip, length_s) in [("modes.gltf", "slide", 1.0), ("mannequin.glb", "run", 0.66666)] {
        let text = |clip: &str, rest: &str, animator: &str| {
            format!(
                "title = \"Clips\"\n[camera.main]\nposition = [0.0, 0.0, 9.0]\nlook_at = [0.0, 0.0, 0.0]\n\
                 [model.figure]\nfile = \"assets/{model}\"\n{clip}{rest}[[node]]\nname = \"figure\"\nmodel = \"figure\"\n{animator}"
            )
        };
        let own = text(&format!("clip = \"{clip}\"\n"), "", "");
        let animator =
            format!("[[animator]]\nname = \"figure\"\nmodel = \"figure\"\nclip = \"{clip}\"\nmode = \"clamp\"\n");
        let played = text("", &animator, "animator = \"figure\"\n");
        let vfs = Vfs::open(&scenes).unwrap();
        let open = [own, played].map(|text| {
            let scene = resolve_text(&text, Path::new("scene.toml"), &scenes, &vfs, &[]);
            let scene = scene.unwrap_or_else(|found| panic!("{found:#?}\n{text}")).scene;
            stillframe_world::world::open(&scene, None, &|path| vfs.read(path)).unwrap_or_else(|e| panic!("{e:#?}"))
        });
        for step in [0.0, 0.25, 0.333, 0.5, 0.74999, 0.75, 0.995, 0.9999, 1.0] {
            let at = Tick::from_seconds(step * length_s);
            let [want, got] = open
                .each_ref()
                .map(|loaded| loaded.place(at, &|path| vfs.read(path)).unwrap_or_else(|e| panic!("{e:#?}")).world);
            assert_eq!(want.items.len(), got.items.len());
            assert!(!want.items.is_empty());
            for (want, got) in want.items.iter().zip(&got.items) {
                assert!(
                    want.world_from_local.abs_diff_eq(got.world_from_local, 2e-6),
                    "{clip} at {step}: {want:?} {got:?}"
                );
            }
            assert_eq!(want.bents.len(), got.bents.len());
            for (want, got) in want.bents.iter().zip(&got.bents) {
                assert_eq!(want.positions.len(), got.positions.len());
                let off = want.positions.iter().zip(&got.positions);
                let off = off.map(|(a, b)| glam::Vec3::from(*a).distance(glam::Vec3::from(*b))).fold(0.0, worse);
                assert!(off < 5e-6, "{clip} at {step}: {off} m");
            }
        }
    }
}
