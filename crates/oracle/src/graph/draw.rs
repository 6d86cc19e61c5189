//! Draw: graphs with a bias to what goes wrong: fades and loops that end inside of steps, rules that wait for each
//! other, nodes that fall asleep and wake, points that are hit exactly, numbers that are simple.

use stillframe_base::tick::TICKS_PER_SECOND;

use super::script::{
    Clip, Entry, GraphOp, GraphScript, JointKey, Kind, Mask, Mean, Number, Part, Passes, Policy, Rule, Space, Test,
    Travel, Weighted,
};
use super::space::delaunay;
use crate::{Choices, draw};

const MS: i64 = TICKS_PER_SECOND / 1000;

/// What has been drawn so far.
struct Drawing<'c, 'b> {
    choices: &'c mut Choices<'b>,
    script: GraphScript,
    /// Of each node what it gives, and whether something reads it.
    kinds: Vec<Kind>,
    is_read: Vec<bool>,
    /// Clips have a few ticks instead of some milliseconds.
    tiny: bool,
}

/// A graph and what is done to a character of it.
pub fn script(choices: &mut Choices<'_>) -> GraphScript {
    let tiny = choices.one_in(8);
    let joint_count = choices.between(1, 4);
    let parents = (0..joint_count).map(|joint: i64| (joint - 1 - choices.between(0, 1)).max(0) as usize).collect();
    let parameters = (0..choices.between(1, 3)).map(|_| eighths(choices).clamp(-1e9, 1e9)).collect();
    let event_weight_min = *choices.pick(&[0.0, 0.4375, 0.125, 1.0]);
    let script = GraphScript { parents, parameters, event_weight_min, ..GraphScript::default() };
    let mut drawing = Drawing { choices, script, kinds: Vec::new(), is_read: Vec::new(), tiny };
    drawing.clips();
    drawing.masks();
    drawing.nodes();
    drawing.steps();
    drawing.script.cuts = draw::shares(drawing.choices);
    drawing.script
}

/// Simple numbers around 0 to 2; now and then one far away or none at all.
fn eighths(choices: &mut Choices<'_>) -> f32 {
    match choices.weighted(&[10, 8, 1]) {
        0 => *choices.pick(&[0.0, 1.0, 0.5, 2.0]),
        1 => choices.between(-8, 24) as f32 / 8.0,
        _ => *choices.pick(&[3.0, -1.0, 100.0, 1e9, -1e9, f32::INFINITY]),
    }
}

impl Drawing<'_, '_> {
    /// A length of time: quarters of milliseconds, or few ticks.
    fn time(&mut self) -> i64 {
        if self.tiny {
            return self.choices.between(0, 12);
        }
        match self.choices.weighted(&[8, 2, 1, 1]) {
            0 => self.choices.between(1, 24) * MS / 4,
            1 => *self.choices.pick(&[0, 1, 2, 7]),
            2 => self.choices.between(1, 24) * MS / 4 + self.choices.between(-1, 1),
            _ => self.choices.between(1, 20 * MS),
        }
    }

    fn clips(&mut self) {
        let joint_count = self.script.parents.len();
        let travels = !self.choices.one_in(3);
        for _ in 0..self.choices.between(1, 3) {
            let ticks = match self.choices.weighted(&[16, 2, 1]) {
                0 if self.tiny => self.choices.between(1, 30),
                0 => {
                    // Short ones begin again often.
                    let most = *self.choices.pick(&[8, 40]);
                    self.choices.between(1, most) * MS / 4 + i64::from(self.choices.one_in(4))
                }
                1 => *self.choices.pick(&[0, 1, TICKS_PER_SECOND, 3]),
                _ => 1 << 40,
            };
            let mut events: Vec<[i64; 2]> = (0..self.choices.below(4))
                .map(|_| {
                    let mut at = || *self.choices.pick(&[0, ticks, ticks / 2, ticks / 3, ticks - ticks / 4]);
                    let (a, b) = (at(), at());
                    match self.choices.weighted(&[3, 3, 1]) {
                        0 => [a, a],
                        1 => [a.min(b), a.max(b)],
                        // A clock stands in it wherever it does.
                        _ => [0, ticks],
                    }
                })
                .collect();
            events.sort_by_key(|event| event[0]);
            let markers = match ticks {
                2.. => {
                    let first = self.choices.between(0, ticks / 2 - 1);
                    let second = self.choices.between(ticks / 2, ticks - 1);
                    let turn = u32::from(self.choices.one_in(2));
                    vec![(first, turn), (second, 1 - turn)]
                }
                _ => Vec::new(),
            };
            // Turns about different axes, whose order matters.
            let axis = self.script.clips.len() as i16;
            let mut keys = || (0..joint_count).map(|_| key(self.choices, axis)).collect::<Vec<_>>();
            let (from, to) = (keys(), keys());
            let travel = match travels {
                true => *self.choices.pick(&[Some(Travel::Shift), Some(Travel::Walk), Some(Travel::Shift), None]),
                false => None,
            };
            self.script.clips.push(Clip { ticks, events, markers, from, to, travel });
        }
    }

    fn masks(&mut self) {
        let joint_count = self.script.parents.len() as u64;
        for _ in 0..self.choices.between(0, 2) {
            let weight = |choices: &mut Choices<'_>| *choices.pick(&[0.0, 1.0, 0.5, 0.25]);
            let default = weight(self.choices);
            // Rather not all joints.
            let first = if self.choices.one_in(3) { 0 } else { joint_count - 1 };
            let joint = self.choices.between(first as i64, joint_count as i64 - 1) as usize;
            let branches = vec![(joint, weight(self.choices))];
            self.script.masks.push(Mask { default, branches });
        }
    }

    fn number(&mut self) -> Number {
        if self.choices.one_in(3) {
            return Number::Fixed(*self.choices.pick(&[1.0, 0.5, 0.25, 2.0, 0.0]));
        }
        Number::Parameter(self.choices.below(self.script.parameters.len() as u64) as usize)
    }

    fn speed(&mut self) -> Number {
        match self.choices.weighted(&[6, 2, 2]) {
            0 => Number::Fixed(1.0),
            1 => Number::Fixed(*self.choices.pick(&[0.5, -1.0, 2.0, 0.0, 1.0 / 3.0, -0.5])),
            _ => self.number(),
        }
    }

    fn mask(&mut self) -> Option<usize> {
        let count = self.script.masks.len() as u64;
        if count == 0 || self.choices.one_in(2) { None } else { Some(self.choices.below(count) as usize) }
    }

    fn clip(&mut self) -> usize {
        self.choices.below(self.script.clips.len() as u64) as usize
    }

    /// A node that gives what is wanted; rather one that nothing reads yet.
    fn input(&mut self, is_wanted: impl Fn(Kind) -> bool) -> Option<usize> {
        self.input_beside(is_wanted, &[])
    }

    /// As [`input`](Drawing::input), and rather none of those that are `taken`.
    fn input_beside(&mut self, is_wanted: impl Fn(Kind) -> bool, taken: &[usize]) -> Option<usize> {
        let all: Vec<usize> = (0..self.kinds.len()).filter(|node| is_wanted(self.kinds[*node])).collect();
        let others: Vec<usize> = all.iter().copied().filter(|node| !taken.contains(node)).collect();
        let all = if !others.is_empty() && !self.choices.one_in(6) { others } else { all };
        let unread: Vec<usize> = all.iter().copied().filter(|node| !self.is_read[*node]).collect();
        let from = if !unread.is_empty() && !self.choices.one_in(3) { unread } else { all };
        if from.is_empty() {
            return None;
        }
        let node = *self.choices.pick(&from);
        self.is_read[node] = true;
        Some(node)
    }

    fn pose(&mut self) -> usize {
        self.input(|kind| kind == Kind::Pose).unwrap_or_else(|| unreachable!("the first node is a clip"))
    }

    /// Of either space.
    fn delta(&mut self) -> Option<usize> {
        self.input(|kind| kind != Kind::Pose)
    }

    /// Some nodes that are all poses, or all deltas of one space.
    fn inputs(&mut self, count: usize) -> Vec<usize> {
        let wants_delta = self.choices.one_in(8);
        let first = if wants_delta { self.delta() } else { None };
        let first = first.unwrap_or_else(|| self.pose());
        let kind = self.kinds[first];
        let mut out = vec![first];
        for _ in 1..count {
            let next = self.input_beside(|own| own == kind, &out).unwrap_or(first);
            out.push(next);
        }
        out
    }

    fn push(&mut self, part: Part) {
        self.kinds.push(part.kind(&self.kinds));
        self.is_read.push(false);
        self.script.nodes.push(part);
    }

    fn nodes(&mut self) {
        for leaf in 0..self.choices.between(2, 4) {
            let part = match self.choices.weighted(&[10, 5, 3]) {
                1 if leaf > 0 => self.sync(),
                2 if leaf > 0 => {
                    let clip = self.clip();
                    Part::Frame { clip, at: self.script.clips[clip].ticks / self.choices.between(1, 3) }
                }
                _ => self.clip_node(),
            };
            self.push(part);
        }
        let count = self.choices.between(1, 6);
        for number in 1..=count {
            let part = self.inner(number == count);
            self.push(part);
        }
        let last = self.kinds.len() - 1;
        if self.kinds[last] != Kind::Pose {
            let (base, weight) = (self.pose(), self.number());
            self.push(Part::Additive { base, deltas: vec![Weighted { node: last, weight, mask: None, add: false }] });
        }
    }

    /// A node that reads others, as the last one does, or one more to be read.
    fn inner(&mut self, is_last: bool) -> Part {
        let more = |weight: u64| if is_last { 0 } else { weight };
        match self.choices.weighted(&[4, 5, 10, 4, more(1), more(5), 3, 6, more(2), 8, 6]) {
            0 => {
                let space = self.space();
                let inputs = self.inputs(space.point_count());
                Part::Space { space, inputs }
            }
            1 => self.switch(),
            2 => self.machine(),
            3 => self.sync(),
            4 => self.clip_node(),
            5 => self.new_delta(),
            6 => {
                let base = self.pose();
                let layers = (0..self.choices.between(1, 3)).map(|_| self.layer()).collect();
                Part::Layers { base, layers }
            }
            7 => {
                let base = self.pose();
                let node = match self.delta() {
                    Some(node) => node,
                    None if self.choices.one_in(2) => return self.slot(base),
                    None => {
                        let delta = self.new_delta();
                        self.push(delta);
                        *self.is_read.last_mut().expect("one was pushed") = true;
                        self.kinds.len() - 1
                    }
                };
                let mut deltas = vec![self.weighted(node)];
                if self.choices.one_in(2) {
                    let node = self.delta().unwrap_or(node);
                    deltas.push(self.weighted(node));
                }
                Part::Additive { base, deltas }
            }
            8 => {
                let leads = |part: &Part, script: &GraphScript| match part {
                    Part::Clip { clip, window, .. } => {
                        window.map_or(script.clips[*clip].ticks, |[min, max]| max - min) > 0
                    }
                    Part::SyncSpace { .. } => true,
                    _ => false,
                };
                let all: Vec<usize> =
                    (0..self.kinds.len()).filter(|node| leads(&self.script.nodes[*node], &self.script)).collect();
                if all.is_empty() {
                    return self.clip_node();
                }
                Part::Follow { clip: self.clip(), leader: *self.choices.pick(&all) }
            }
            9 => {
                let count = *self.choices.pick(&[1, 2, 3, 2, 3]);
                let inputs = self.inputs(count);
                let inputs: Vec<Weighted> = inputs.into_iter().map(|node| self.part(node)).collect();
                let joints = if self.choices.one_in(3) { Vec::new() } else { self.joints(count) };
                let mean = *self.choices.pick(&[Mean::Nlerp, Mean::Powers, Mean::Matrices, Mean::Powers]);
                Part::Partial { inputs, joints, mean }
            }
            _ => {
                let input = self.pose();
                self.slot(input)
            }
        }
    }

    fn new_delta(&mut self) -> Part {
        let source = self.pose();
        let reference = if self.choices.one_in(2) { Some(self.pose()) } else { None };
        Part::Delta { source, reference, mesh: self.choices.one_in(2) }
    }

    /// Some joints, each with a weight for every input, which are not all 0.
    fn joints(&mut self, input_count: usize) -> Vec<(usize, Vec<f32>)> {
        let mut out = Vec::new();
        for joint in 0..self.script.parents.len() {
            // Rather not those below.
            if self.choices.one_in(if joint == 0 { 2 } else { 3 }) {
                let mut weights: Vec<f32> =
                    (0..input_count).map(|_| *self.choices.pick(&[0.0, 1.0, 3.0, 0.5])).collect();
                if weights.iter().all(|weight| *weight == 0.0) {
                    weights[self.choices.below(input_count as u64) as usize] = 1.0;
                }
                out.push((joint, weights));
            }
        }
        out
    }

    fn clip_node(&mut self) -> Part {
        let clip = self.clip();
        let ticks = self.script.clips[clip].ticks;
        let passes = match self.choices.weighted(&[10, 3, 1, 1, 1]) {
            0 => Passes::Loop(0),
            1 => Passes::Clamp,
            2 => Passes::Once,
            3 => Passes::Loop(self.choices.between(1, 3) as u32),
            _ => Passes::PingPong(self.choices.below(3) as u32),
        };
        let window = if self.choices.one_in(6) { Some([ticks / 4, ticks - ticks / 4]) } else { None };
        let phase = if self.choices.one_in(6) { Some(self.choices.between(0, ticks)) } else { None };
        let (reverse, run_on) = (self.choices.one_in(8), self.choices.one_in(6));
        Part::Clip { clip, passes, reverse, run_on, window, phase, speed: self.speed() }
    }

    fn slot(&mut self, input: usize) -> Part {
        Part::Slot { input, mask: self.mask(), fade_in: self.time(), fade_out: self.time() }
    }

    fn weighted(&mut self, node: usize) -> Weighted {
        Weighted { node, weight: self.number(), mask: self.mask(), add: false }
    }

    /// Rather with some weight.
    fn part(&mut self, node: usize) -> Weighted {
        let own = self.weighted(node);
        let weight =
            if self.choices.one_in(2) { Number::Fixed(*self.choices.pick(&[1.0, 0.5, 3.0])) } else { own.weight };
        Weighted { weight, ..own }
    }

    fn layer(&mut self) -> Weighted {
        let wants_delta = self.choices.one_in(3);
        let node = if wants_delta { self.delta() } else { None };
        let node = node.unwrap_or_else(|| self.pose());
        Weighted { add: self.kinds[node] != Kind::Pose, ..self.weighted(node) }
    }

    /// Rising places.
    fn places(&mut self) -> Vec<f32> {
        let mut at = *self.choices.pick(&[0.0, -1.0, 0.5]);
        (0..*self.choices.pick(&[1, 2, 3, 2]))
            .map(|_| {
                let place = at;
                at += *self.choices.pick(&[1.0, 0.5, 1.5]);
                place
            })
            .collect()
    }

    fn space(&mut self) -> Space {
        match self.choices.weighted(&[5, 2, 3]) {
            0 => {
                let (by, mut at) = (self.number(), self.places());
                if self.choices.one_in(3) {
                    at.reverse();
                }
                Space::Line { by, at }
            }
            1 => Space::Grid { by: [self.number(), self.number()], columns: self.places(), rows: self.places() },
            _ => {
                let mut at: Vec<[f32; 2]> = Vec::new();
                for _ in 0..self.choices.between(1, 6) {
                    let mut axis = || self.choices.between(-2, 4) as f32 / 2.0;
                    let mut more = at.clone();
                    more.push([axis(), axis()]);
                    let points: Vec<[f64; 2]> = more.iter().map(|point| point.map(f64::from)).collect();
                    let is_new = !at.contains(&more[at.len()]);
                    // Points of one circle have triangles in more than one way.
                    if is_new && !delaunay(&points).1 {
                        at = more;
                    }
                }
                Space::Scatter { by: [self.number(), self.number()], at }
            }
        }
    }

    fn sync(&mut self) -> Part {
        let all: Vec<usize> = (0..self.script.clips.len()).filter(|clip| self.script.clips[*clip].ticks > 0).collect();
        let mut space = self.space();
        if let Space::Scatter { by, .. } = space {
            // What leads is open too often there.
            space = Space::Line { by: by[0], at: self.places() };
        }
        if all.is_empty() {
            return self.clip_node();
        }
        // Rather different ones side by side.
        let first = self.choices.below(all.len() as u64) as usize;
        let clip = |choices: &mut Choices<'_>, point: usize| {
            if choices.one_in(3) { *choices.pick(&all) } else { all[(first + point) % all.len()] }
        };
        let clips: Vec<usize> = (0..space.point_count()).map(|point| clip(self.choices, point)).collect();
        let lengths = clips.iter().map(|clip| self.script.clips[*clip].ticks);
        let (shortest, longest) = (lengths.clone().min().unwrap_or(1), lengths.max().unwrap_or(1));
        if longest / shortest > 64 {
            return self.clip_node();
        }
        let has_markers = clips.iter().all(|clip| self.script.clips[*clip].markers.len() == 2);
        let by_markers = has_markers && self.choices.one_in(2);
        Part::SyncSpace { space, clips, by_markers, blended: self.choices.one_in(2), speed: self.speed() }
    }

    fn policy(&mut self) -> Policy {
        *self.choices.pick(&[Policy::Book, Policy::Inertial, Policy::Frozen, Policy::Book])
    }

    fn switch(&mut self) -> Part {
        let count = self.choices.between(1, 3) as usize;
        let inputs = self.inputs(count);
        let fades = (0..count).map(|_| (0..count).map(|_| self.time()).collect()).collect();
        let index = Number::Parameter(self.choices.below(self.script.parameters.len() as u64) as usize);
        Part::Switch { index, inputs, fades, policy: self.policy(), smooth: self.choices.one_in(2) }
    }

    fn machine(&mut self) -> Part {
        let count = self.choices.between(2, 4) as usize;
        let states = self.inputs(count);
        let state = |choices: &mut Choices<'_>| choices.below(count as u64) as usize;
        let rules = (0..self.choices.between(2, 6))
            .map(|_| Rule {
                from: if self.choices.one_in(3) { None } else { Some(state(self.choices)) },
                to: state(self.choices),
                when: self.test(2),
                fade: self.time(),
                priority: self.choices.between(0, 2) as i32,
                interruptible: !self.choices.one_in(3),
                enter: *self.choices.pick(&[Entry::Restart, Entry::Resume, Entry::Sync]),
            })
            .collect();
        let initial = state(self.choices);
        Part::Machine { states, initial, rules, policy: self.policy(), smooth: self.choices.one_in(2) }
    }

    fn test(&mut self, depth: u32) -> Test {
        let parameter = self.choices.below(self.script.parameters.len() as u64) as usize;
        let than = |choices: &mut Choices<'_>| choices.between(-1, 4) as f32 / 2.0;
        match self.choices.weighted(&[1, 4, 4, 12, if depth > 0 { 4 } else { 0 }]) {
            0 => Test::Always,
            1 => Test::Less { parameter, than: than(self.choices) },
            2 => Test::AtLeast { parameter, than: than(self.choices) },
            // A number that is set later lets loops pass by.
            3 if !self.choices.one_in(3) => {
                Test::Both(vec![Test::TimeLeft(self.time()), Test::AtLeast { parameter, than: than(self.choices) }])
            }
            3 => Test::TimeLeft(self.time()),
            _ => match self.choices.below(3) {
                0 => Test::Both(vec![self.test(depth - 1), self.test(depth - 1)]),
                1 => Test::Either(vec![self.test(depth - 1), self.test(depth - 1)]),
                _ => Test::Not(Box::new(self.test(depth - 1))),
            },
        }
    }

    fn steps(&mut self) {
        let slots: Vec<usize> =
            (0..self.kinds.len()).filter(|node| matches!(self.script.nodes[*node], Part::Slot { .. })).collect();
        let asks = if slots.is_empty() { 0 } else { 1 };
        let led: Vec<(usize, Vec<f32>)> = self.script.nodes.iter().filter_map(led_by).collect();
        let leads = if led.is_empty() { 0 } else { 1 };
        for _ in 0..self.choices.between(3, 13) {
            let op = match self.choices.weighted(&[10, 4, 2, 2 * asks, asks, 1, 2, 3, 2 * asks, 8 * asks, 6 * leads]) {
                0 => {
                    let step = self.step();
                    GraphOp::Step(step)
                }
                1 => self.set(),
                2 => GraphOp::Pose,
                3 => GraphOp::Play {
                    node: *self.choices.pick(&slots),
                    clip: self.clip(),
                    speed: *self.choices.pick(&[1.0, 0.5, 2.0, 0.0]),
                    times: *self.choices.pick(&[1, 2, 0]),
                },
                4 => GraphOp::Stop { node: *self.choices.pick(&slots) },
                5 => GraphOp::Start,
                6 => GraphOp::Store,
                7 => {
                    self.change_of_mind();
                    continue;
                }
                8 => {
                    self.play_to_end(&slots);
                    continue;
                }
                9 => {
                    self.relay(&slots);
                    continue;
                }
                _ => {
                    self.change_of_leader(&led);
                    continue;
                }
            };
            self.script.steps.push(op);
        }
        self.script.steps.push(GraphOp::Pose);
    }

    fn set(&mut self) -> GraphOp {
        let parameter = self.choices.below(self.script.parameters.len() as u64) as usize;
        GraphOp::Set { parameter, to: eighths(self.choices) }
    }

    /// A number is changed, and again while what it began is under way; poses before and between.
    fn change_of_mind(&mut self) {
        let parameter = self.choices.below(self.script.parameters.len() as u64) as usize;
        self.script.steps.push(GraphOp::Pose);
        for _ in 0..2 {
            let set = GraphOp::Set { parameter, to: eighths(self.choices) };
            let step = GraphOp::Step(self.time());
            self.script.steps.extend([set, GraphOp::Step(0), step]);
        }
        self.script.steps.push(GraphOp::Pose);
    }

    /// A clip is played in a slot, to about its end.
    fn play_to_end(&mut self, slots: &[usize]) {
        let (node, clip) = (*self.choices.pick(slots), self.clip());
        let times = self.choices.between(1, 2) as u32;
        let ticks = self.script.clips[clip].ticks;
        self.script.steps.push(GraphOp::Play { node, clip, speed: 1.0, times });
        let way = if ticks < 1 << 30 { ticks * i64::from(times) } else { self.time() };
        let after = self.time() / 4;
        self.script.steps.extend([GraphOp::Step(way), GraphOp::Step(after), GraphOp::Pose]);
    }

    /// Clips take over from each other in a slot before the ones before are faded out.
    fn relay(&mut self, slots: &[usize]) {
        let node = *self.choices.pick(slots);
        let Part::Slot { fade_in, .. } = self.script.nodes[node] else { unreachable!("slots are drawn from") };
        let any = self.time();
        let step = *self.choices.pick(&[fade_in / 8, fade_in / 6, fade_in / 5, any]);
        let stops = self.choices.one_in(2);
        for _ in 0..self.choices.between(2, 7) {
            if stops && self.choices.one_in(2) {
                self.script.steps.push(GraphOp::Stop { node });
            }
            let (clip, times) = (self.clip(), *self.choices.pick(&[0, 1]));
            self.script.steps.extend([GraphOp::Play { node, clip, speed: 1.0, times }, GraphOp::Step(step)]);
        }
    }

    /// A number goes from one of the points of a sync space to another one while its clips play.
    fn change_of_leader(&mut self, led: &[(usize, Vec<f32>)]) {
        let (parameter, at) = self.choices.pick(led).clone();
        let first = self.choices.below(at.len() as u64) as usize;
        for turn in 0..4 {
            let to = at[(first + turn) % at.len()];
            let step = GraphOp::Step(self.time() / 2);
            self.script.steps.extend([GraphOp::Set { parameter, to }, GraphOp::Step(0), step]);
        }
    }

    fn step(&mut self) -> i64 {
        match self.choices.weighted(&[10, 1, 4, 2, 1]) {
            0 => self.time(),
            1 => 0,
            2 => {
                let clip = self.clip();
                let ticks = self.script.clips[clip].ticks;
                if ticks < 1 << 30 { ticks * self.choices.between(1, 2) } else { self.time() }
            }
            3 if self.tiny => self.choices.between(1, 60),
            3 => self.choices.between(1, 20) * MS,
            _ => *self.choices.pick(&[1 << 40, -1, i64::MAX, 1 << 59]),
        }
    }
}

/// The parameter of a sync space on a line, and its points.
fn led_by(part: &Part) -> Option<(usize, Vec<f32>)> {
    match part {
        Part::SyncSpace { space: Space::Line { by: Number::Parameter(parameter), at }, .. } if at.len() > 1 => {
            Some((*parameter, at.clone()))
        }
        _ => None,
    }
}

/// A joint: mostly turned a little.
fn key(choices: &mut Choices<'_>, axis: i16) -> JointKey {
    let mut place = || choices.between(-8, 8) as i16;
    let [x, y, z] = [place(), place(), place()];
    let axis = (axis + if choices.one_in(2) { choices.between(0, 2) as i16 } else { 1 }) % 3;
    let turn = if choices.one_in(8) { choices.between(-180, 180) } else { choices.between(-12, 12) * 5 };
    [x, y, z, axis, turn as i16, *choices.pick(&[8, 4, 16, 12])]
}
