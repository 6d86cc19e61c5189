//! The clock of a transition: two controllers and the fade between them, in one time.

use std::ops::ControlFlow;

use stillframe_base::tick::Tick;

use super::{Controller, Fade, Fired, Position, Signal, TimeError, Timeline, Weight};

/// Which of the two.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Side {
    /// What is faded out.
    Source,
    /// What is faded in.
    Target,
}

/// What the source does when the target is sought.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub enum SourceSeek {
    /// It jumps by the same distance.
    Follow,
    /// It plays on where it is.
    #[default]
    Stay,
}

/// A fade from one clip to another while both play. Plain data but for its time, which only
/// [`advance`](Transition::advance) moves.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct Transition {
    pub source: Controller,
    pub target: Controller,
    pub fade: Fade,
    /// Moments fire and spans are entered while the weight of their side, at their own time, is at least this.
    pub threshold: Weight,
    time: Tick,
}

impl Transition {
    /// Starts at `time`, on the clock of `fade`.
    pub fn new(source: Controller, target: Controller, fade: Fade, threshold: Weight, time: Tick) -> Transition {
        Transition { source, target, fade, threshold, time }
    }

    pub fn time(&self) -> Tick {
        self.time
    }

    /// The target's weight now. The source has the rest.
    pub fn weight(&self) -> Weight {
        self.fade.weight(self.time)
    }

    /// Plays both sides and tells what fires on each: the source's signals of the step, then the target's, each in
    /// order. Laps, finishes and spans that are left are told whatever the weight: they end something that may have
    /// begun before.
    ///
    /// Errors:  as [`Controller::advance`], and [`TimeError::Overflow`] for time itself; then nothing has moved.
    pub fn advance(
        &mut self,
        source: &Timeline,
        target: &Timeline,
        step: Tick,
        mut visit: impl FnMut(Side, Fired),
    ) -> Result<(), TimeError> {
        let time = self.time.0.checked_add(step.0).map(Tick).ok_or(TimeError::Overflow)?;
        // Both must be able to move before either is heard.
        Controller::leap(&mut self.source.clone(), source, step)?;
        Controller::leap(&mut self.target.clone(), target, step)?;
        let Transition { fade, threshold, time: start, .. } = *self;
        for (side, controller, timeline) in
            [(Side::Source, &mut self.source, source), (Side::Target, &mut self.target, target)]
        {
            controller.advance(timeline, step, |fired| {
                let weight = fade.weight_at(start, &fired);
                let weight = if side == Side::Source { weight.rest() } else { weight };
                let begins = matches!(fired.signal, Signal::Point(_) | Signal::Enter(_));
                if !begins || weight >= threshold {
                    visit(side, fired);
                }
                ControlFlow::Continue(())
            })?;
        }
        self.time = time;
        Ok(())
    }

    /// Jumps with the target, silently. The fade goes on as it was.
    ///
    /// Errors:  [`TimeError::Overflow`] if the source cannot follow; then nothing has moved.
    pub fn seek(&mut self, position: Position, source: SourceSeek) -> Result<(), TimeError> {
        if source == SourceSeek::Follow {
            let way = position.sub_ticks() - self.target.position.sub_ticks();
            self.source.seek(Position::new(self.source.position.sub_ticks() + way)?);
        }
        self.target.seek(position);
        Ok(())
    }
}
