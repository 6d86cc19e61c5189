//! The controller: the position that moves, and the one rule that moves it.

use std::ops::ControlFlow;

use stillframe_base::tick::Tick;

use super::walk::Walk;
use super::{Fired, Position, Speed, TimeError, Timeline};

/// What moves: plain data, to be copied, compared, stored and sent anywhere. Everything else is in the [`Timeline`].
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct Controller {
    pub position: Position,
    /// May change between steps; it counts from there on.
    pub speed: Speed,
    /// Steps take their time and nothing moves.
    pub paused: bool,
    /// The next step that moves tells what lies at the position itself first: its moments, and spans that are active.
    /// So the way from the start on is closed at both ends, and an event at the start is told once;
    /// [`announce`](Controller::announce) tells it before.
    pub armed: bool,
}

/// What a step did.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Step {
    pub from: Position,
    pub to: Position,
    /// Sub-ticks of clip time in this step that lie past the end it ran towards: what a following clip at the same
    /// speed starts with. Never negative. Where time stops, `|to - from| + beyond` is the step's whole way.
    pub beyond: i128,
    /// The end that the step ran towards was arrived at.
    pub finished: bool,
    /// Time that was not played, because a visitor cut the step.
    pub unspent: Tick,
}

impl Controller {
    /// A controller that begins to play: at the phase, at speed 1, with what lies there.
    pub fn play(timeline: &Timeline) -> Controller {
        Controller { position: timeline.playback().phase, speed: Speed::ONE, paused: false, armed: true }
    }

    /// A controller that was put somewhere, silently.
    pub fn at(position: Position, speed: Speed) -> Controller {
        Controller { position, speed, paused: false, armed: false }
    }

    /// Local time, in sub-ticks of clip time.
    pub fn local(&self, timeline: &Timeline) -> Position {
        timeline.local(self.position)
    }

    /// Jumps. Nothing fires, neither what is jumped over nor what lies there.
    pub fn seek(&mut self, position: Position) {
        self.position = position;
        self.armed = false;
    }

    /// Plays `step` ticks and tells `visit` everything that happens, in order.
    ///
    /// A visitor that breaks cuts the step: it ends with the tick in which that signal fires, the others of the same
    /// tick are told too, and [`Step::unspent`] says what is left. Then the caller may seek, stop, fade, and spend the
    /// rest: the result is that of steps of one tick each, however time was cut. A cut step takes a tick at least, so
    /// this ends.
    ///
    /// Errors:  [`TimeError::NegativeStep`], [`TimeError::Overflow`]; then nothing has happened.
    /// Cost:    of what fires, and of finding the place in its pass: no allocation.
    pub fn advance(
        &mut self,
        timeline: &Timeline,
        step: Tick,
        visit: impl FnMut(Fired) -> ControlFlow<()>,
    ) -> Result<Step, TimeError> {
        let Some((way, to)) = self.target(timeline, step)? else { return Ok(Step::rest(self.position)) };
        let mut walk = Walk {
            timeline,
            from: self.position.sub_ticks() - timeline.min,
            to: to.sub_ticks() - timeline.min,
            pace: self.speed.pace(),
            forward: way > 0,
            cut_ticks: None,
            visit,
        };
        walk.run(self.armed);
        let Some(spent) = walk.cut_ticks else { return Ok(self.arrive(timeline, way, to)) };
        let to = Position::inside(walk.to + timeline.min);
        Ok(Step { unspent: Tick(step.0 - spent), ..self.arrive(timeline, self.speed.distance(Tick(spent)), to) })
    }

    /// Plays `step` ticks without telling anything: [`Timeline::count`] says how often each moment fired, at no cost.
    ///
    /// Errors:  as [`advance`](Controller::advance).
    pub fn leap(&mut self, timeline: &Timeline, step: Tick) -> Result<Step, TimeError> {
        let Some((way, to)) = self.target(timeline, step)? else { return Ok(Step::rest(self.position)) };
        Ok(self.arrive(timeline, way, to))
    }

    /// Tells what lies at the position itself, in the direction of the speed, as the first step that moves would; then
    /// that one does not. Nothing where it has been told, or where nothing moves. Takes no time.
    pub fn announce(&mut self, timeline: &Timeline, mut visit: impl FnMut(Fired)) {
        if !self.armed || self.paused || self.speed == Speed::ZERO {
            return;
        }
        self.armed = false;
        let at = self.position.sub_ticks() - timeline.min;
        let mut walk = Walk {
            timeline,
            from: at,
            to: at,
            pace: 0,
            forward: self.speed > Speed::ZERO,
            cut_ticks: None,
            visit: |fired| {
                visit(fired);
                ControlFlow::Continue(())
            },
        };
        walk.run(true);
    }

    /// Moves to a position and tells what a play over the same way would. Takes no time, so breaking changes nothing;
    /// speed and pause do not matter. Where time stops at the end, so does this.
    pub fn scrub(&mut self, timeline: &Timeline, to: Position, mut visit: impl FnMut(Fired)) {
        let from = self.position.sub_ticks();
        if to == self.position {
            return;
        }
        let mut walk = Walk {
            timeline,
            from: from - timeline.min,
            to: timeline.stop(from, to.sub_ticks()) - timeline.min,
            pace: 0,
            forward: to > self.position,
            cut_ticks: None,
            visit: |fired| {
                visit(fired);
                ControlFlow::Continue(())
            },
        };
        walk.run(self.armed);
        self.position = Position::inside(walk.to + timeline.min);
        self.armed = false;
    }

    /// The way of a step by its speed alone, and where it leads with the end in its way. None for a step that does not
    /// move.
    #[inline]
    fn target(&self, timeline: &Timeline, step: Tick) -> Result<Option<(i128, Position)>, TimeError> {
        if step < Tick::ZERO {
            return Err(TimeError::NegativeStep { step });
        }
        let way = self.speed.distance(step);
        if self.paused || way == 0 {
            return Ok(None);
        }
        let from = self.position.sub_ticks();
        let to = Position::new(timeline.stop(from, from + way))?;
        Ok(Some((way, to)))
    }

    /// Takes the new position in.
    #[inline]
    fn arrive(&mut self, timeline: &Timeline, way: i128, to: Position) -> Step {
        let from = self.position;
        let mut step = Step { to, ..Step::rest(from) };
        if timeline.passes.is_some() {
            step.finished = timeline.finishes(from.sub_ticks(), to.sub_ticks(), way > 0, self.armed);
            step.beyond = timeline.beyond(from.sub_ticks(), from.sub_ticks() + way);
        }
        self.position = to;
        self.armed = false;
        step
    }
}

impl Step {
    /// A step that does not move.
    #[inline]
    fn rest(at: Position) -> Step {
        Step { from: at, to: at, beyond: 0, finished: false, unspent: Tick::ZERO }
    }
}
