//! Clock: how long it is until something happens that a decision waits for, in whole ticks.

use stillframe_base::tick::Tick;

use super::node::{Machine, Op, Test};
use super::state::{NodeState, Playing};
use super::{Compare, Graph, GraphState, STATE_TIME_MIN};
use crate::time::{Controller, Mode, Position, Repeat, SUB_TICKS_PER_TICK, Timeline, Weight};

/// Of two times, the sooner one that is not now.
fn sooner(sum: &mut Option<Tick>, wait: Tick) {
    let wait = wait.max(Tick(1));
    *sum = Some(sum.map_or(wait, |sum| sum.min(wait)));
}

/// How far a clock is on its line.
#[derive(Clone, Copy)]
pub(super) struct Phase {
    /// Sub-ticks from the start of the line, at most its length.
    way: i128,
    /// That of the line, in sub-ticks, above 0.
    length: i128,
}

impl Phase {
    /// The same share of another length, rounded down.
    pub fn of(self, length: i128) -> i128 {
        // Both below 2^63: clips are no longer than 2^46 ticks.
        length * self.way / self.length
    }
}

impl Graph {
    /// Ticks to the next moment at which a decision may come out differently, parameters apart: at least 1.
    pub(super) fn wait(&self, state: &GraphState) -> Option<Tick> {
        let mut wait = None;
        for (node, own) in state.nodes.iter().enumerate().filter(|(node, _)| state.active[*node]) {
            match own {
                NodeState::Plain | NodeState::Clip(_) | NodeState::Sync(_) => {}
                NodeState::Change(change) => {
                    if let Some(fade) = change.fade {
                        sooner(&mut wait, Tick(fade.start.0 + fade.length().0 - state.time.0));
                    }
                    if let Op::Machine(machine) = &self.nodes[node].op
                        && (change.fade.is_none() || change.interruptible)
                    {
                        if let Some(chosen_at) = change.chosen_at.filter(|at| state.time < *at + STATE_TIME_MIN) {
                            sooner(&mut wait, chosen_at + STATE_TIME_MIN - state.time);
                        }
                        self.wait_of_machine(state, machine, change.current, &mut wait);
                    }
                }
                NodeState::Slot(_) => {
                    for playing in state.slot(node).iter().flatten() {
                        if playing.fade.weight(state.time) < Weight::ONE {
                            sooner(&mut wait, Tick(playing.fade.start.0 + playing.fade.length().0 - state.time.0));
                        }
                        if let Some(left) = playing.left().filter(|_| !playing.leaves) {
                            sooner(&mut wait, left);
                        }
                    }
                }
            }
        }
        wait
    }

    fn wait_of_machine(&self, state: &GraphState, machine: &Machine, current: u16, wait: &mut Option<Tick>) {
        let mut left = None;
        for transition in &machine.transitions {
            if transition.to == current || transition.from.is_some_and(|from| from != current) {
                continue;
            }
            transition.condition.each_time_left(&mut |below| {
                let node = usize::from(machine.states[usize::from(current)].node);
                let Some(left) = *left.get_or_insert_with(|| self.left(state, node)) else { return };
                // An end that holds stays as it is.
                if left == Tick::ZERO {
                    return;
                }
                // It becomes true one tick after as much is left, and false where a loop begins again.
                if left >= below {
                    sooner(wait, Tick(left.0 - below.0 + 1));
                } else {
                    sooner(wait, left);
                }
            });
        }
    }

    /// Whether a condition holds, for a state that shows `node`.
    pub(super) fn holds(&self, test: &Test, state: &GraphState, node: usize) -> bool {
        match test {
            Test::Always => true,
            Test::Compare { parameter, is, than } => is.holds(state.parameters[usize::from(*parameter)], *than),
            Test::TimeLeft { below } => self.left(state, node).is_some_and(|left| left < *below),
            Test::And(tests) => tests.iter().all(|test| self.holds(test, state, node)),
            Test::Or(tests) => tests.iter().any(|test| self.holds(test, state, node)),
            Test::Not(test) => !self.holds(test, state, node),
        }
    }

    /// Ticks until the clip of a node ends or its loop begins again, rounded up. None for what does not move.
    fn left(&self, state: &GraphState, node: usize) -> Option<Tick> {
        let node = self.main_clock(state, node)?;
        // At the speed that the parameters give: the clock itself may be asked before it has taken that in.
        match (&self.nodes[node].op, &state.nodes[node]) {
            (Op::Clip { timeline, speed, .. }, NodeState::Clip(controller)) => {
                let speed = speed.speed(&state.parameters);
                left(timeline, controller.position, i128::from(speed.sub_ticks_per_tick))
            }
            (Op::Sync(sync), NodeState::Sync(clock)) => {
                let mut led = *clock;
                led.controller.speed = sync.speed.speed(&state.parameters);
                let speed = self.lead(sync, &mut led, state);
                let pace = i128::from(speed.sub_ticks_per_tick);
                left(sync.group.timeline(led.leader), led.controller.position, pace)
            }
            _ => unreachable!("clips and sync spaces have clocks"),
        }
    }

    /// How far the loop or the clip of a node is. None for what has no length.
    pub(super) fn phase(&self, state: &GraphState, node: usize) -> Option<Phase> {
        let node = self.main_clock(state, node)?;
        let (timeline, position) = match (&self.nodes[node].op, &state.nodes[node]) {
            (Op::Clip { timeline, .. }, NodeState::Clip(controller)) => (&**timeline, controller.position),
            (Op::Sync(sync), NodeState::Sync(clock)) => (sync.group.timeline(clock.leader), clock.controller.position),
            _ => unreachable!("clips and sync spaces have clocks"),
        };
        let length = i128::from(timeline.length().0) * SUB_TICKS_PER_TICK;
        let way = timeline.local(position).sub_ticks() - Position::of_tick(timeline.playback().min).sub_ticks();
        (length > 0).then_some(Phase { way: way.clamp(0, length), length })
    }

    /// The clock that stands for a node: of spaces that of the input with the most weight, else of the first or the one
    /// shown.
    fn main_clock(&self, state: &GraphState, mut node: usize) -> Option<usize> {
        loop {
            let next = match &self.nodes[node].op {
                Op::Clip { .. } | Op::Sync(_) => return Some(node),
                Op::Frame { .. } => return None,
                Op::Follow { leader, .. } => *leader,
                Op::Space { space, inputs } => {
                    let corners = space.corners(&state.parameters);
                    let heaviest =
                        corners.iter().fold((0, 0.0), |best, corner| if corner.1 > best.1 { corner } else { best });
                    inputs[heaviest.0]
                }
                Op::Switch(switch) => switch.inputs[usize::from(state.change(node).current)].node,
                Op::Machine(machine) => machine.states[usize::from(state.change(node).current)].node,
                Op::Delta { source, .. } => *source,
                Op::Additive { base, .. } | Op::Layers { base, .. } => *base,
                Op::Partial { inputs, .. } => inputs[0].node,
                Op::Slot { input, .. } => *input,
            };
            node = usize::from(next);
        }
    }
}

impl Playing {
    /// Ticks until its last loop ends.
    pub fn left(&self) -> Option<Tick> {
        let pace = i128::from(self.controller.speed.sub_ticks_per_tick);
        self.end.map(|end| ticks_for(end.sub_ticks() - self.controller.position.sub_ticks(), pace))
    }

    pub fn is_at_end(&self) -> bool {
        self.end.is_some_and(|end| self.controller.position >= end)
    }
}

impl Test {
    fn each_time_left(&self, visit: &mut dyn FnMut(Tick)) {
        match self {
            Test::Always | Test::Compare { .. } => {}
            Test::TimeLeft { below } => visit(*below),
            Test::And(tests) | Test::Or(tests) => tests.iter().for_each(|test| test.each_time_left(visit)),
            Test::Not(test) => test.each_time_left(visit),
        }
    }
}

impl Compare {
    #[expect(clippy::float_cmp, reason = "equality is what was asked for")]
    fn holds(self, value: f32, than: f32) -> bool {
        match self {
            Compare::Less => value < than,
            Compare::LessOrEqual => value <= than,
            Compare::Greater => value > than,
            Compare::GreaterOrEqual => value >= than,
            Compare::Equal => value == than,
            Compare::NotEqual => value != than,
        }
    }
}

/// Whole ticks that a way takes at a pace above 0, rounded up; those of a way that is behind are 0.
fn ticks_for(way: i128, pace: i128) -> Tick {
    if way <= 0 {
        return Tick::ZERO;
    }
    Tick(i64::try_from((way + pace - 1) / pace).unwrap_or(i64::MAX))
}

/// Ticks from a position to the end that it runs towards, or to where its endless loop begins again.
fn left(timeline: &Timeline, position: Position, pace: i128) -> Option<Tick> {
    let start = Position::of_tick(timeline.playback().min).sub_ticks();
    let at = position.sub_ticks() - start;
    let way = match timeline.end() {
        Some(end) if pace >= 0 => end.sub_ticks() - position.sub_ticks(),
        Some(_) => at,
        None => {
            let length = i128::from(timeline.length().0) * SUB_TICKS_PER_TICK;
            debug_assert!(matches!(
                timeline.playback().mode,
                Mode::Loop(Repeat::Forever) | Mode::PingPong(Repeat::Forever)
            ));
            if length == 0 {
                return None;
            }
            let within = at.rem_euclid(length);
            match pace < 0 {
                false => length - within,
                true if within == 0 => length,
                true => within,
            }
        }
    };
    if way <= 0 {
        return Some(Tick::ZERO);
    }
    (pace != 0).then(|| ticks_for(way, pace.abs()))
}

/// A controller that is put at a share of a time line.
pub(super) fn at_phase(timeline: &Timeline, controller: Controller, phase: Phase) -> Option<Controller> {
    let length = i128::from(timeline.length().0) * SUB_TICKS_PER_TICK;
    let start = Position::of_tick(timeline.playback().min).sub_ticks();
    let position = Position::new(start + phase.of(length)).ok()?;
    Some(Controller { position, armed: true, ..controller })
}
