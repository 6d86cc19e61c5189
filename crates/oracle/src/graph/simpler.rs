//! Simpler: making a graph and its script small while it stays a finding: operations, nodes and parts of nodes are left
//! away, then each number goes towards 0.

use super::script::{GraphOp, GraphScript, Mean, Number, Part, Passes, Policy, Space, Test, Weighted};
use super::world::World;

/// The simplest script found that `still` holds for; `script` itself must. `still` is asked at most `tries_max` times.
pub fn shrink(script: &GraphScript, tries_max: usize, mut still: impl FnMut(&GraphScript) -> bool) -> GraphScript {
    let mut best = script.clone();
    let mut tries_left = tries_max;
    loop {
        let mut is_done = true;
        let (mut index, mut candidates) = (0, simpler(&best));
        while let Some(candidate) = candidates.get(index) {
            if tries_left == 0 {
                return best;
            }
            if World::new(candidate).is_ok() {
                tries_left -= 1;
                if still(candidate) {
                    (best, is_done) = (candidate.clone(), false);
                    candidates = simpler(&best);
                }
            }
            index += 1;
        }
        if is_done {
            return best;
        }
    }
}

/// Scripts that are a little simpler, those first that leave most away. Some are no graphs.
fn simpler(script: &GraphScript) -> Vec<GraphScript> {
    let mut out: Vec<GraphScript> = Vec::new();
    let mut add = |change: &mut dyn FnMut(&mut GraphScript)| {
        let mut candidate = script.clone();
        change(&mut candidate);
        if candidate != *script {
            out.push(candidate);
        }
    };
    let mut size = script.steps.len();
    while size > 0 {
        for at in (0..script.steps.len()).step_by(size).rev() {
            let end = (at + size).min(script.steps.len());
            add(&mut |candidate| drop(candidate.steps.drain(at..end)));
        }
        size /= 2;
    }
    // A node below as the output; nodes that are passed by; what nothing reads.
    for output in 0..script.nodes.len().saturating_sub(1) {
        add(&mut |candidate| {
            candidate.nodes.truncate(output + 1);
            candidate.steps.retain(|op| !names_node(op, |node| node > output));
            without_unread(candidate);
        });
    }
    for node in 0..script.nodes.len().saturating_sub(1) {
        for other in script.nodes[node].reads().into_iter().chain([0]).filter(|other| *other < node) {
            add(&mut |candidate| {
                candidate.nodes.iter_mut().skip(node).for_each(|part| {
                    part.each_read(&mut |read| *read = if *read == node { other } else { *read });
                });
                without_unread(candidate);
            });
        }
        // Not for clips, whose parts are made simpler one by one: what goes both ways never ends.
        if !matches!(script.nodes[node], Part::Clip { .. }) {
            add(&mut |candidate| candidate.nodes[node] = Part::plain());
        }
    }
    add(&mut without_unread);
    if script.parents.len() > 1 {
        add(&mut |candidate| candidate.parents.truncate(candidate.parents.len() - 1));
    }
    if !script.cuts.is_empty() {
        add(&mut |candidate| candidate.cuts.clear());
        (0..script.cuts.len()).for_each(|cut| add(&mut |candidate| _ = candidate.cuts.remove(cut)));
    }
    for clip in 0..script.clips.len() {
        add(&mut |candidate| without_clip(candidate, clip));
    }
    if !script.masks.is_empty() {
        add(&mut |candidate| {
            candidate.masks.pop();
            let count = candidate.masks.len();
            candidate.nodes.iter_mut().for_each(|part| without_mask(part, count));
        });
    }
    let last = script.parameters.len().wrapping_sub(1);
    if script.parameters.len() > 1 {
        add(&mut |candidate| {
            candidate.parameters.pop();
            candidate.steps.retain(|op| !matches!(op, GraphOp::Set { parameter, .. } if *parameter == last));
        });
    }
    for (number, value) in script.parameters.iter().enumerate() {
        add(&mut |candidate| candidate.parameters[number] = 0.0);
        add(&mut |candidate| {
            each_number(candidate, &mut |own| {
                if *own == Number::Parameter(number) {
                    *own = Number::Fixed(*value);
                }
            });
        });
    }
    for node in 0..script.nodes.len() {
        simpler_parts(&script.nodes[node]).into_iter().for_each(|part| {
            add(&mut |candidate| candidate.nodes[node] = part.clone());
        });
    }
    for (number, clip) in script.clips.iter().enumerate() {
        (0..clip.events.len()).rev().for_each(|event| {
            add(&mut |candidate| _ = candidate.clips[number].events.remove(event));
        });
        add(&mut |candidate| candidate.clips[number].markers.clear());
        add(&mut |candidate| candidate.clips[number].travel = None);
        for joint in 0..clip.from.len() {
            add(&mut |candidate| candidate.clips[number].from[joint] = [0, 0, 0, 0, 0, 8]);
            add(&mut |candidate| candidate.clips[number].to[joint] = candidate.clips[number].from[joint]);
        }
    }
    simpler_numbers(script, &mut out);
    out
}

/// Numbers nearer to 0, one after the other; numbers that must be the same together.
fn simpler_numbers(script: &GraphScript, out: &mut Vec<GraphScript>) {
    let mut ticks = Vec::new();
    each_tick(&mut script.clone(), &mut |own| ticks.push(*own));
    for (index, tick) in ticks.iter().enumerate() {
        let halves = (1..62).map(|shift| tick - (tick >> shift)).take_while(|other| other != tick);
        for other in [0, 1].into_iter().chain(halves).chain([tick - tick.signum()]) {
            if other.abs() < tick.abs() {
                let mut candidate = script.clone();
                let mut place = 0;
                each_tick(&mut candidate, &mut |own| {
                    *own = if place == index { other } else { *own };
                    place += 1;
                });
                out.push(candidate);
            }
        }
    }
    let mut numbers = Vec::new();
    each_number(&mut script.clone(), &mut |own| numbers.push(*own));
    for (index, number) in numbers.iter().enumerate() {
        for other in [Number::Fixed(0.0), Number::Fixed(1.0)] {
            if other != *number && *number != Number::Fixed(0.0) {
                let mut candidate = script.clone();
                let mut place = 0;
                each_number(&mut candidate, &mut |own| {
                    *own = if place == index { other } else { *own };
                    place += 1;
                });
                out.push(candidate);
            }
        }
    }
    if script.event_weight_min != 0.0 {
        out.push(GraphScript { event_weight_min: 0.0, ..script.clone() });
    }
}

fn names_node(op: &GraphOp, wrong: impl Fn(usize) -> bool) -> bool {
    matches!(op, GraphOp::Play { node, .. } | GraphOp::Stop { node } if wrong(*node))
}

/// Leaves away what does not reach the output, and clips, masks and parameters stay.
fn without_unread(script: &mut GraphScript) {
    let count = script.nodes.len();
    let mut is_read = vec![false; count];
    is_read[count - 1] = true;
    for node in (0..count).rev() {
        if is_read[node] {
            script.nodes[node].reads().into_iter().for_each(|read| is_read[read] = true);
        }
    }
    let place: Vec<usize> = (0..count).map(|node| is_read[..node].iter().filter(|read| **read).count()).collect();
    script.steps.retain(|op| !names_node(op, |node| !is_read[node]));
    let mut node = 0;
    script.nodes.retain(|_| {
        node += 1;
        is_read[node - 1]
    });
    script.nodes.iter_mut().for_each(|part| part.each_read(&mut |read| *read = place[*read]));
    for op in &mut script.steps {
        if let GraphOp::Play { node, .. } | GraphOp::Stop { node } = op {
            *node = place[*node];
        }
    }
}

/// Leaves a clip away; the first one takes its place.
fn without_clip(script: &mut GraphScript, clip: usize) {
    let place = |own: &mut usize| {
        *own = match (*own).cmp(&clip) {
            std::cmp::Ordering::Less => *own,
            std::cmp::Ordering::Equal => 0,
            std::cmp::Ordering::Greater => *own - 1,
        };
    };
    script.clips.remove(clip);
    for part in &mut script.nodes {
        match part {
            Part::Clip { clip, .. } | Part::Frame { clip, .. } | Part::Follow { clip, .. } => place(clip),
            Part::SyncSpace { clips, .. } => clips.iter_mut().for_each(place),
            _ => {}
        }
    }
    for op in &mut script.steps {
        if let GraphOp::Play { clip, .. } = op {
            place(clip);
        }
    }
}

/// Nodes that have a mask which there is not have none.
fn without_mask(part: &mut Part, count: usize) {
    let none = |mask: &mut Option<usize>| *mask = mask.filter(|mask| *mask < count);
    match part {
        Part::Slot { mask, .. } => none(mask),
        Part::Layers { layers: list, .. }
        | Part::Additive { deltas: list, .. }
        | Part::Partial { inputs: list, .. } => {
            list.iter_mut().for_each(|own| none(&mut own.mask));
        }
        _ => {}
    }
}

impl Part {
    fn plain() -> Part {
        Part::Clip {
            clip: 0,
            passes: Passes::Loop(0),
            reverse: false,
            run_on: false,
            window: None,
            phase: None,
            speed: Number::Fixed(1.0),
        }
    }
}

/// A node with a little less to it.
fn simpler_parts(part: &Part) -> Vec<Part> {
    let mut out = Vec::new();
    let mut add = |change: &mut dyn FnMut(&mut Part)| {
        let mut candidate = part.clone();
        change(&mut candidate);
        if candidate != *part {
            out.push(candidate);
        }
    };
    add(&mut |part| match part {
        Part::Clip { window, .. } => *window = None,
        Part::Slot { mask, .. } => *mask = None,
        Part::Delta { reference, .. } => *reference = None,
        Part::SyncSpace { blended, .. } => *blended = false,
        Part::Partial { joints, .. } => joints.clear(),
        Part::Switch { smooth, .. } | Part::Machine { smooth, .. } => *smooth = false,
        _ => {}
    });
    add(&mut |part| match part {
        Part::Clip { phase, .. } => *phase = None,
        Part::SyncSpace { by_markers, .. } => *by_markers = false,
        Part::Partial { mean, .. } => *mean = Mean::Nlerp,
        Part::Delta { mesh, .. } => *mesh = false,
        Part::Switch { policy, .. } | Part::Machine { policy, .. } => *policy = Policy::Book,
        _ => {}
    });
    add(&mut |part| {
        if let Part::Clip { reverse, run_on, .. } = part {
            (*reverse, *run_on) = (false, false);
        }
    });
    add(&mut |part| {
        if let Part::Clip { passes, .. } = part {
            *passes = Passes::Loop(0);
        }
    });
    let items = match part {
        Part::Machine { rules, .. } => rules.len(),
        Part::Layers { layers: list, .. }
        | Part::Additive { deltas: list, .. }
        | Part::Partial { inputs: list, .. } => list.len(),
        Part::Switch { inputs, .. } | Part::Space { inputs, .. } | Part::SyncSpace { clips: inputs, .. } => {
            inputs.len()
        }
        _ => 0,
    };
    if let Part::Machine { states, .. } = part {
        (0..states.len()).rev().for_each(|state| add(&mut |part| without_state(part, state)));
    }
    for item in (0..items).rev() {
        add(&mut |part| without_item(part, item));
        add(&mut |part| match part {
            Part::Layers { layers: list, .. }
            | Part::Additive { deltas: list, .. }
            | Part::Partial { inputs: list, .. } => {
                list[item] = Weighted { mask: None, ..list[item].clone() };
            }
            Part::Machine { rules, .. } => rules[item].when = simpler_test(&rules[item].when),
            _ => {}
        });
        add(&mut |part| {
            if let Part::Machine { rules, .. } = part {
                rules[item].interruptible = true;
                rules[item].priority = 0;
            }
        });
    }
    out
}

/// Leaves a state away, with its rules.
fn without_state(part: &mut Part, state: usize) {
    let Part::Machine { states, initial, rules, .. } = part else { return };
    let place = |own: usize| own - usize::from(own > state);
    states.remove(state);
    *initial = if *initial == state { 0 } else { place(*initial) };
    rules.retain(|rule| rule.to != state && rule.from != Some(state));
    rules.iter_mut().for_each(|rule| (rule.to, rule.from) = (place(rule.to), rule.from.map(place)));
}

fn without_item(part: &mut Part, item: usize) {
    match part {
        Part::Machine { rules, .. } => drop(rules.remove(item)),
        Part::Layers { layers: list, .. } | Part::Additive { deltas: list, .. } => drop(list.remove(item)),
        Part::Partial { inputs, joints, .. } => {
            inputs.remove(item);
            joints.iter_mut().for_each(|(_, weights)| _ = weights.remove(item));
        }
        Part::Switch { inputs, fades, .. } => {
            inputs.remove(item);
            fades.remove(item);
            fades.iter_mut().for_each(|row| _ = row.remove(item));
        }
        Part::Space { space, inputs } | Part::SyncSpace { space, clips: inputs, .. } => {
            match space {
                Space::Line { at, .. } => drop(at.remove(item)),
                Space::Scatter { at, .. } => drop(at.remove(item)),
                Space::Grid { .. } => return,
            }
            inputs.remove(item);
        }
        _ => {}
    }
}

fn simpler_test(test: &Test) -> Test {
    match test {
        Test::Both(tests) | Test::Either(tests) => tests.first().cloned().unwrap_or(Test::Always),
        Test::Not(test) => (**test).clone(),
        other => other.clone(),
    }
}

/// Every number of ticks.
fn each_tick(script: &mut GraphScript, change: &mut dyn FnMut(&mut i64)) {
    for op in &mut script.steps {
        if let GraphOp::Step(ticks) = op {
            change(ticks);
        }
    }
    for part in &mut script.nodes {
        match part {
            Part::Switch { fades, .. } => fades.iter_mut().flatten().for_each(&mut *change),
            Part::Slot { fade_in, fade_out, .. } => [fade_in, fade_out].into_iter().for_each(&mut *change),
            Part::Machine { rules, .. } => {
                for rule in rules {
                    change(&mut rule.fade);
                    each_tick_of_test(&mut rule.when, change);
                }
            }
            Part::Clip { phase, .. } => phase.iter_mut().for_each(&mut *change),
            Part::Frame { at, .. } => change(at),
            _ => {}
        }
    }
    for clip in &mut script.clips {
        change(&mut clip.ticks);
        clip.markers.iter_mut().for_each(|marker| change(&mut marker.0));
        clip.events.iter_mut().flatten().for_each(&mut *change);
    }
}

fn each_tick_of_test(test: &mut Test, change: &mut dyn FnMut(&mut i64)) {
    match test {
        Test::TimeLeft(below) => change(below),
        Test::Both(tests) | Test::Either(tests) => tests.iter_mut().for_each(|test| each_tick_of_test(test, change)),
        Test::Not(test) => each_tick_of_test(test, change),
        Test::Always | Test::Less { .. } | Test::AtLeast { .. } => {}
    }
}

/// Every number that may be a parameter.
fn each_number(script: &mut GraphScript, change: &mut dyn FnMut(&mut Number)) {
    for part in &mut script.nodes {
        match part {
            Part::Clip { speed: number, .. } | Part::Switch { index: number, .. } => change(number),
            Part::Space { space, .. } => each_number_of_space(space, change),
            Part::SyncSpace { space, speed, .. } => {
                each_number_of_space(space, change);
                change(speed);
            }
            Part::Layers { layers: list, .. }
            | Part::Additive { deltas: list, .. }
            | Part::Partial { inputs: list, .. } => {
                list.iter_mut().for_each(|own| change(&mut own.weight));
            }
            _ => {}
        }
    }
}

fn each_number_of_space(space: &mut Space, change: &mut dyn FnMut(&mut Number)) {
    match space {
        Space::Line { by, .. } => change(by),
        Space::Grid { by, .. } | Space::Scatter { by, .. } => by.iter_mut().for_each(change),
    }
}
