//! Clips, animators with their graphs, and crowds.

use std::fmt::Write;

use stillframe_anim::graph::{
    ClipNode, Condition, FadeTimes, MachineNode, MaskDef, NodeDef, NodeKind, PartialNode, PartialWeights, ReferenceDef,
    SpaceDef, SwitchNode, SyncSpaceNode, Value,
};
use stillframe_base::tick::Tick;

use super::super::words::{
    CLIP_ENDS, DELTA_SPACES, EASES, ENTERS, FADE_POLICIES, LAYER_MODES, PACES, PARTIAL_MODES, mode_word,
};
use super::super::{
    Animator, AnimatorMorph, Area, BendDef, ChainDef, ClipHome, ClipNaming, Crowd, CrowdBaking, EyeDef, JointShare,
    LimitDef, LimitKind, Moment, PlantingDef, PlayDef, RootMotion, Scene, SceneClip, SolverDef, SolverKind, TargetDef,
    Thing, condition, toml,
};
use super::{Printer, float, floats, list, quat, text, vector, word};

pub(super) fn clips(out: &mut Printer<'_>) {
    for clip in &out.scene.clips {
        let SceneClip { name, home, part_s, events, markers, naming } = clip;
        out.heading("[[clip]]");
        out.line("name", text(name));
        match home {
            ClipHome::Model(model, source) => {
                out.line("model", text(&out.scene.models[*model].name));
                out.line("source", text(&source.words()));
            }
            ClipHome::File(file) => out.file("file", file),
        }
        out.option("start_s", part_s[0].map(toml::float));
        out.option("end_s", part_s[1].map(toml::float));
        let events = events.iter().map(|event| {
            let until = event.until.map_or(String::new(), |until| format!(", {}", moment("until", until)));
            format!("{{ name = {}, {}{until} }}", text(&event.name), moment("at", event.at))
        });
        out.rows("event", events.collect());
        let markers = markers.iter().map(|m| format!("{{ name = {}, {} }}", text(&m.name), moment("at", m.at)));
        out.rows("marker", markers.collect());
        let ClipNaming { renames, strip, loose, retarget } = naming;
        let renames = renames.iter().map(|(from, to)| format!("{{ from = {}, to = {} }}", text(from), text(to)));
        out.rows("rename", renames.collect());
        out.option("strip", (!strip.is_empty()).then(|| names(strip)));
        out.option("loose_names", loose.then(|| loose.to_string()));
        out.option("retarget", retarget.then(|| retarget.to_string()));
    }
}

fn moment(key: &str, at: Moment) -> String {
    match at {
        Moment::Seconds(seconds) => format!("{key}_s = {}", toml::float(seconds)),
        Moment::Share(share) => format!("{key} = {}", toml::float(share)),
    }
}

pub(super) fn animators(out: &mut Printer<'_>) {
    for (at, of) in out.scene.animators.iter().enumerate() {
        animator(out, at, of);
    }
}

fn animator(out: &mut Printer<'_>, at: usize, animator: &Animator) {
    let Animator { name, model, graph, mask_shapes, morphs, plays, solvers, rate_hz, root_motion } = animator;
    out.heading("[[animator]]");
    out.line("name", text(name));
    out.line("model", text(&out.scene.models[*model].name));
    out.line("output", text(&graph.output));
    out.line("rate_hz", toml::float(*rate_hz));
    traveling(out, root_motion.as_ref());
    out.line("event_weight_min", float(graph.event_weight_min));
    for (number, parameter) in graph.parameters.iter().enumerate() {
        out.begin(Thing::Parameter(at, number), "[[animator.parameter]]");
        out.line("name", text(&parameter.name));
        out.moving("value", float(parameter.initial));
    }
    for (MaskDef { name, default, branches }, shapes) in graph.masks.iter().zip(mask_shapes) {
        out.heading("[[animator.mask]]");
        out.line("name", text(name));
        out.line("default", float(*default));
        let branches =
            branches.iter().map(|b| format!("{{ joint = {}, weight = {} }}", text(&b.joint), float(b.weight)));
        out.rows("branch", branches.collect());
        let shapes = shapes.iter().map(|s| format!("{{ name = {}, weight = {} }}", text(&s.name), float(s.weight)));
        out.rows("shape", shapes.collect());
    }
    for AnimatorMorph { name, weight, over_clips } in morphs {
        out.heading("[[animator.morph]]");
        out.line("name", text(name));
        out.line("weight", value(weight));
        out.line("over_clips", over_clips.to_string());
    }
    for of in &graph.nodes {
        out.heading("[[animator.node]]");
        node(out, of);
    }
    for PlayDef { at_s, slot, clip, speed, passes } in plays {
        out.heading("[[animator.play]]");
        out.line("at_s", toml::float(*at_s));
        out.line("slot", text(slot));
        if let Some(clip) = clip {
            out.line("clip", text(clip));
            out.line("speed", toml::float(*speed));
            out.line("passes", passes.unwrap_or(0).to_string());
        }
    }
    for of in solvers {
        out.heading("[[animator.solver]]");
        solver(out, of);
    }
}

fn value(of: &Value) -> String {
    match of {
        Value::Number(number) => float(*number),
        Value::Parameter(name) => text(name),
    }
}

fn seconds(tick: Tick) -> String {
    toml::float(tick.seconds())
}

fn names(all: &[String]) -> String {
    list(all.iter().map(|name| text(name)))
}

/// `, mask = "upper"`.
fn masked(mask: &Option<String>) -> String {
    mask.as_ref().map_or(String::new(), |mask| format!(", mask = {}", text(mask)))
}

fn node(out: &mut Printer<'_>, node: &NodeDef) {
    out.line("name", text(&node.name));
    let mut kind = |word: &str| out.line("kind", text(word));
    match &node.kind {
        NodeKind::Clip(of) => {
            kind("clip");
            clip_node(out, of);
        }
        NodeKind::Frame { clip, at } => {
            kind("frame");
            out.line("clip", text(clip));
            out.line("at_s", seconds(*at));
        }
        NodeKind::Follow { clip, leader } => {
            kind("follow");
            out.line("clip", text(clip));
            out.line("leader", text(leader));
        }
        NodeKind::Space(of) => {
            space(out, &of.space);
            out.line("inputs", names(&of.inputs));
        }
        NodeKind::SyncSpace(SyncSpaceNode { space: of, clips, by_markers, pace, speed }) => {
            space(out, of);
            out.line("clips", names(clips));
            out.line("by_markers", by_markers.to_string());
            out.line("pace", word(PACES, *pace));
            out.line("speed", value(speed));
        }
        NodeKind::Switch(of) => {
            kind("switch");
            switch(out, of);
        }
        NodeKind::Delta { source, reference, space } => {
            kind("delta");
            out.line("source", text(source));
            match reference {
                ReferenceDef::Rest => {}
                ReferenceDef::Node(reference) => out.line("reference", text(reference)),
            }
            out.line("space", word(DELTA_SPACES, *space));
        }
        NodeKind::Additive { base, deltas } => {
            kind("additive");
            out.line("base", text(base));
            let add = |d: &stillframe_anim::graph::DeltaInput| {
                format!("{{ delta = {}, alpha = {}{} }}", text(&d.delta), value(&d.alpha), masked(&d.mask))
            };
            out.all_rows("add", deltas.iter().map(add).collect());
        }
        NodeKind::Partial(of) => {
            kind("partial");
            partial(out, of);
        }
        NodeKind::Layers { base, layers } => {
            kind("layers");
            out.line("base", text(base));
            let layer = |l: &stillframe_anim::graph::LayerDef| {
                let (weight, mode) = (value(&l.weight), word(LAYER_MODES, l.mode));
                format!("{{ node = {}, weight = {weight}{}, mode = {mode} }}", text(&l.node), masked(&l.mask))
            };
            out.all_rows("layer", layers.iter().map(layer).collect());
        }
        NodeKind::Machine(of) => {
            kind("machine");
            machine(out, of);
        }
        NodeKind::Slot(of) => {
            kind("slot");
            out.line("input", text(&of.input));
            out.option("mask", of.mask.as_deref().map(text));
            out.line("fade_in_s", seconds(of.fade_in));
            out.line("fade_out_s", seconds(of.fade_out));
        }
    }
}

fn clip_node(out: &mut Printer<'_>, node: &ClipNode) {
    let ClipNode { clip, mode, reverse, at_end, window, phase, speed } = node;
    out.line("clip", text(clip));
    let (word_of_mode, passes) = mode_word(*mode);
    out.line("mode", text(word_of_mode));
    out.option("passes", passes.map(|passes| passes.to_string()));
    out.line("reverse", reverse.to_string());
    out.line("at_end", word(CLIP_ENDS, *at_end));
    out.option("window_s", window.map(|(start, end)| list([seconds(start), seconds(end)])));
    out.option("phase_s", phase.map(seconds));
    out.line("speed", value(speed));
}

fn space(out: &mut Printer<'_>, space: &SpaceDef) {
    let line = |values: &[f32]| list(values.iter().map(|x| float(*x)));
    match space {
        SpaceDef::Line { parameter, at } => {
            out.line("kind", text("line"));
            out.line("parameter", value(parameter));
            out.line("at", line(at));
        }
        SpaceDef::Grid { parameters, columns, rows } => {
            out.line("kind", text("grid"));
            out.line("parameters", list(parameters.iter().map(value)));
            out.line("columns", line(columns));
            out.line("rows", line(rows));
        }
        SpaceDef::Scatter { parameters, at } => {
            out.line("kind", text("scatter"));
            out.line("parameters", list(parameters.iter().map(value)));
            out.line("at", list(at.iter().map(|place| floats(*place))));
        }
    }
}

fn switch(out: &mut Printer<'_>, node: &SwitchNode) {
    let SwitchNode { index, inputs, fade, policy, ease } = node;
    out.line("index", value(index));
    out.line("inputs", names(inputs));
    let times = |times: &[Tick]| list(times.iter().map(|tick| seconds(*tick)));
    match fade {
        FadeTimes::All(tick) => out.line("fade_s", seconds(*tick)),
        FadeTimes::To(to) => out.line("fade_to_s", times(to)),
        FadeTimes::FromTo(rows) => out.line("fade_from_to_s", list(rows.iter().map(|row| times(row)))),
    }
    out.line("policy", word(FADE_POLICIES, *policy));
    out.line("ease", word(EASES, *ease));
}

fn partial(out: &mut Printer<'_>, node: &PartialNode) {
    let PartialNode { inputs, weights, mode } = node;
    match weights {
        PartialWeights::Masks(weights) => {
            let part = |(input, (weight, mask)): (&String, &(Value, Option<String>))| {
                format!("{{ node = {}, weight = {}{} }}", text(input), value(weight), masked(mask))
            };
            out.all_rows("input", inputs.iter().zip(weights).map(part).collect());
        }
        PartialWeights::Joints(joints) => {
            out.line("inputs", names(inputs));
            let joint = |(name, weights): &(String, Vec<f32>)| {
                let weights = list(weights.iter().map(|x| float(*x)));
                format!("{{ name = {}, weights = {weights} }}", text(name))
            };
            out.all_rows("joint", joints.iter().map(joint).collect());
        }
    }
    out.line("mode", word(PARTIAL_MODES, *mode));
}

fn machine(out: &mut Printer<'_>, node: &MachineNode) {
    let MachineNode { states, initial, transitions, policy, ease } = node;
    out.line("initial", text(initial));
    out.line("policy", word(FADE_POLICIES, *policy));
    out.line("ease", word(EASES, *ease));
    let states = states.iter().map(|s| format!("{{ name = {}, node = {} }}", text(&s.name), text(&s.node)));
    out.all_rows("state", states.collect());
    let mut rows = Vec::new();
    for rule in transitions {
        let mut row = String::from("{ ");
        if let Some(from) = &rule.from {
            let _ = write!(row, "from = {}, ", text(from));
        }
        let _ = write!(row, "to = {}", text(&rule.to));
        if rule.condition != Condition::Always {
            let _ = write!(row, ", when = {}", text(&condition::print(&rule.condition)));
        }
        let _ = write!(row, ", fade_s = {}, priority = {}", seconds(rule.fade), rule.priority);
        let _ = write!(row, ", interruptible = {}, enter = {} }}", rule.interruptible, word(ENTERS, rule.enter));
        rows.push(row);
    }
    out.rows("transition", rows);
}

fn solver(out: &mut Printer<'_>, solver: &SolverDef) {
    let scene: &Scene = out.scene;
    let node = |at: usize| text(&scene.nodes[at].name);
    let target = |targets: &[TargetDef]| match targets {
        [TargetDef { node: at, weight: 1.0 }] => ("target", node(*at)),
        _ => {
            let row = |TargetDef { node: at, weight }: &TargetDef| {
                format!("{{ node = {}, weight = {} }}", node(*at), float(*weight))
            };
            ("targets", list(targets.iter().map(row)))
        }
    };
    let chain = |chain: &ChainDef| {
        let ChainDef { root, tip, targets, tolerance_m, iterations_max } = chain;
        let ends = [("root", text(root)), ("tip", text(tip)), target(targets)];
        let goal = [("tolerance_m", float(*tolerance_m)), ("iterations", iterations_max.to_string())];
        ends.into_iter().chain(goal).collect()
    };
    let lines: Vec<(&str, String)> = match &solver.kind {
        SolverKind::TwoBone { joint, targets, pole, bend_axis, soften } => {
            let pole = pole.map(|pole| ("pole", node(pole)));
            let bend_axis = bend_axis.map(|axis| ("bend_axis", floats(axis)));
            let lines = [("joint", text(joint)), target(targets), ("soften", float(*soften))];
            lines.into_iter().chain(pole).chain(bend_axis).collect()
        }
        SolverKind::Aim { joint, axis, eye: EyeDef { offset_m, up, pole }, targets, .. } => {
            let lines = [("joint", text(joint)), ("axis", floats(*axis)), ("offset_m", floats(*offset_m))];
            let up = up.map(|up| ("up", floats(up)));
            let pole = pole.map(|pole| ("pole", node(pole)));
            lines.into_iter().chain([target(targets)]).chain(up).chain(pole).collect()
        }
        SolverKind::CopyRotation { joint, targets, .. } => vec![("joint", text(joint)), target(targets)],
        SolverKind::Ccd { chain: of, .. }
        | SolverKind::Jacobian { chain: of, .. }
        | SolverKind::Fabrik { chain: of, .. } => chain(of),
        SolverKind::Feet { hip, ankles, ground, planting } => {
            let ground = ground.map(|ground| ("ground", node(ground)));
            let PlantingDef { plant_m, lift_m, tilt_max_deg, reach_up_m, reach_down_m } = planting;
            let lines = [
                ("hip", text(hip)),
                ("ankles", names(ankles)),
                ("plant_m", float(*plant_m)),
                ("lift_m", float(*lift_m)),
                ("tilt_max_deg", toml::float(*tilt_max_deg)),
                ("reach_up_m", float(*reach_up_m)),
                ("reach_down_m", float(*reach_down_m)),
            ];
            lines.into_iter().chain(ground).collect()
        }
        SolverKind::Twist { joint, .. } => vec![("joint", text(joint))],
    };
    out.line("kind", text(solver.kind.word()));
    lines.into_iter().for_each(|(key, value)| out.line(key, value));
    out.line("weight", value(&solver.weight));
    match &solver.kind {
        SolverKind::Aim { shares, .. } | SolverKind::CopyRotation { shares, .. } | SolverKind::Twist { shares, .. } => {
            let row =
                |share: &JointShare| format!("{{ joint = {}, weight = {} }}", text(&share.joint), float(share.weight));
            out.rows("share", shares.iter().map(row).collect());
        }
        SolverKind::Ccd { limits, .. } | SolverKind::Jacobian { limits, .. } => {
            out.rows("limit", limits.iter().map(limit).collect());
        }
        SolverKind::Fabrik { bends, .. } => {
            let row = |bend: &BendDef| {
                format!("{{ joint = {}, max_deg = {} }}", text(&bend.joint), toml::float(bend.max_deg))
            };
            out.rows("bend", bends.iter().map(row).collect());
        }
        SolverKind::TwoBone { .. } | SolverKind::Feet { .. } => {}
    }
}

fn traveling(out: &mut Printer<'_>, root_motion: Option<&RootMotion>) {
    if let Some(RootMotion { joint, parts }) = root_motion {
        out.line("root_motion", list(RootMotion::words(*parts).map(text)));
        joint.iter().for_each(|joint| out.line("root_joint", text(joint)));
    }
}

fn limit(limit: &LimitDef) -> String {
    let arc = |range: [f64; 2]| list(range.map(toml::float));
    let how = match limit.kind {
        LimitKind::Hinge { range_deg } => format!("kind = \"hinge\", range_deg = {}", arc(range_deg)),
        LimitKind::Cone { swing_max_deg, twist_deg } => {
            let swing = toml::float(swing_max_deg);
            format!("kind = \"cone\", swing_max_deg = {swing}, twist_deg = {}", arc(twist_deg))
        }
    };
    format!("{{ joint = {}, {how}, axis = {} }}", text(&limit.joint), floats(limit.axis))
}

pub(super) fn crowds(out: &mut Printer<'_>) {
    for of in &out.scene.crowds {
        out.heading("[[crowd]]");
        crowd(out, of);
    }
}

fn crowd(out: &mut Printer<'_>, crowd: &Crowd) {
    let Crowd {
        name,
        model,
        clips,
        count,
        area,
        turn_deg,
        scale,
        speed,
        change_s,
        fade_s,
        root_motion,
        seed,
        baking,
        error_mm,
        lods,
        placement,
        material,
        casts_shadow,
    } = crowd;
    let scene = out.scene;
    let numbers = |values: &[f64]| list(values.iter().map(|x| toml::float(*x)));
    out.line("name", text(name));
    out.line("model", text(&scene.models[*model].name));
    out.line("clips", names(clips));
    out.line("count", count.to_string());
    match area {
        Area::Box { size_m } => out.line("size_m", numbers(size_m)),
        Area::Disk { radius_m } => out.line("radius_m", toml::float(*radius_m)),
    }
    out.line("turn_deg", numbers(turn_deg));
    out.line("scale", numbers(scale));
    out.line("speed", numbers(speed));
    if let Some(change) = change_s {
        out.line("change_s", toml::float(*change));
        out.line("fade_s", toml::float(*fade_s));
    }
    traveling(out, root_motion.as_ref());
    out.line("seed", seed.to_string());
    out.line("baking", word(CrowdBaking::WORDS, *baking));
    out.line("error_mm", toml::float(*error_mm));
    let lods = lods.iter().map(|lod| {
        let model = lod.model.map_or(String::new(), |model| format!(", model = {}", text(&scene.models[model].name)));
        format!("{{ from_m = {}{model} }}", toml::float(lod.from_m))
    });
    out.rows("lod", lods.collect());
    out.line("position", vector(placement.position));
    out.line("rotation_quat", quat(placement.rotation));
    out.option("material", material.map(|material| text(&scene.materials[material].name)));
    out.line("casts_shadow", casts_shadow.to_string());
}
