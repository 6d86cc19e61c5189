//! Sync groups: loops of different lengths in one phase, so that feet that are blended land together.
//!
//! One member leads: it plays in its own time, and only its events are told. The others stand where the leader's phase
//! puts them: between the same two markers, at the same share of the way. Positions of the others are rounded to a
//! sub-tick and never added up.
//!
//! The leader has the highest weight, as in Unreal's sync groups. Where that documentation is silent: weights hold for
//! a whole step, so a leader changes between steps; with equal weights the present leader stays, then the first in the
//! list leads. A new leader starts behind the phase by less than a sub-tick, seen in the direction of motion, and takes
//! over when it moves: so no phase is passed twice and none is left out, whatever the changes.

use std::ops::ControlFlow;

use stillframe_base::tick::Tick;

use super::{Controller, Fired, Mode, Position, Repeat, Speed, Step, TimeError, Timeline, Weight};

/// A named moment that clips of a group share, such as "left foot down", in ticks of clip time.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct Marker {
    pub at: Tick,
    pub label: u32,
}

/// One clip of a group.
#[derive(Clone, Debug)]
pub struct SyncMember {
    pub timeline: Timeline,
    /// None: the window's start, so that whole loops are matched.
    pub markers: Vec<Marker>,
}

/// How fast a group's phase runs.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub enum Pace {
    /// The leader plays at the group's speed.
    #[default]
    Leader,
    /// A loop takes the mean of the members' lengths by weight; the leader's speed is rounded to the nearest.
    Blended,
}

/// A member, laid out from its marker that matches the first of the first member.
#[derive(Clone, Debug)]
struct Laid {
    timeline: Timeline,
    /// Sub-ticks: where the first marker lies, and where each marker lies from there; then the length of the loop.
    origin: i128,
    borders: Box<[i128]>,
}

/// Checked members, laid out for matching. Made once, shared.
#[derive(Clone, Debug)]
pub struct SyncGroup {
    members: Box<[Laid]>,
}

/// The clock of a group: plain data.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct SyncClock {
    /// The member that moved last. The controller is its own.
    pub leader: usize,
    pub controller: Controller,
    pub pace: Pace,
}

/// What a group's step did.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct SyncStep {
    pub leader: usize,
    pub step: Step,
}

/// Longest loop of a group, 55 hours, so that products of two lengths fit.
const LENGTH_MAX: i128 = 1 << 63;

impl SyncGroup {
    /// Markers of all members bear the same labels in the same circle; where the circle starts may differ.
    ///
    /// Errors: [`TimeError::GroupSize`] without members; [`GroupMode`](TimeError::GroupMode) for what is not an endless
    /// forward loop of 1 tick to 55 hours; [`MarkerOrder`](TimeError::MarkerOrder),
    /// [`MarkerLabels`](TimeError::MarkerLabels).
    pub fn new(members: Vec<SyncMember>) -> Result<SyncGroup, TimeError> {
        let Some(first) = members.first() else { return Err(TimeError::GroupSize { members: 0, weights: 0 }) };
        let labels: Vec<u32> = first.markers.iter().map(|marker| marker.label).collect();
        let laid: Result<Vec<Laid>, TimeError> =
            members.into_iter().enumerate().map(|(index, member)| lay(index, member, &labels)).collect();
        Ok(SyncGroup { members: laid?.into() })
    }

    pub fn timeline(&self, member: usize) -> &Timeline {
        &self.members[member].timeline
    }

    /// Plays `step` ticks. Only the leader's signals are told; `leader` of the result says whose they were.
    ///
    /// Errors:  [`TimeError::GroupSize`] for other than one weight a member, and those of [`Controller::advance`]; then
    ///          nothing
    ///          has moved.
    pub fn advance(
        &self,
        clock: &mut SyncClock,
        step: Tick,
        weights: &[Weight],
        visit: impl FnMut(Fired) -> ControlFlow<()>,
    ) -> Result<SyncStep, TimeError> {
        if weights.len() != self.members.len() {
            return Err(TimeError::GroupSize { members: self.members.len(), weights: weights.len() });
        }
        let mut next = *clock;
        let speed = if step > Tick::ZERO { self.take_over(&mut next, weights)? } else { Speed::ZERO };
        let mut controller = Controller { speed, ..next.controller };
        let done = controller.advance(&self.members[next.leader].timeline, step, visit)?;
        next.controller = Controller { speed: next.controller.speed, ..controller };
        *clock = next;
        Ok(SyncStep { leader: next.leader, step: done })
    }

    /// Lets the heaviest member lead if the group moves under these weights, and says how fast the leader goes. Steps
    /// do so before they move; done before, it changes nothing of what they do. What a new leader stands in, and the
    /// old one stood in, is nobody's signal: a caller that tells spans ends those of the old one and begins those of
    /// the new one.
    ///
    /// Errors:  as [`advance`](SyncGroup::advance).
    pub fn take_over(&self, clock: &mut SyncClock, weights: &[Weight]) -> Result<Speed, TimeError> {
        if weights.len() != self.members.len() {
            return Err(TimeError::GroupSize { members: self.members.len(), weights: weights.len() });
        }
        let leader = lead(clock.leader, weights);
        let speed = match clock.pace {
            Pace::Leader => clock.controller.speed,
            Pace::Blended => self.blended(clock.controller.speed, leader, weights)?,
        };
        let moves = !clock.controller.paused && speed != Speed::ZERO;
        if moves && leader != clock.leader {
            clock.controller.position = self.place(clock, leader, speed < Speed::ZERO)?;
            clock.leader = leader;
        }
        Ok(speed)
    }

    /// Where a member stands now, rounded down to a sub-tick; exact at markers.
    ///
    /// Errors:  [`TimeError::Overflow`]: the same phase of a longer loop may be out of reach. A member that is not
    ///          there is a
    ///          bug and asserts.
    pub fn position(&self, clock: &SyncClock, member: usize) -> Result<Position, TimeError> {
        self.place(clock, member, false)
    }

    fn place(&self, clock: &SyncClock, member: usize, up: bool) -> Result<Position, TimeError> {
        let position = clock.controller.position;
        if member == clock.leader {
            return Ok(position);
        }
        let (from, to) = (&self.members[clock.leader], &self.members[member]);
        let (cycle, within) = from.timeline.divisor.divide(position.sub_ticks() - from.origin);
        let segment = from.borders.partition_point(|border| *border <= within) - 1;
        let way = within - from.borders[segment];
        let from_span = from.borders[segment + 1] - from.borders[segment];
        let to_span = to.borders[segment + 1] - to.borders[segment];
        // A way is shorter than its span, and both spans are at most 2^63.
        let share = (way * to_span + if up { from_span - 1 } else { 0 }) / from_span;
        let base = cycle.checked_mul(to.length()).ok_or(TimeError::Overflow)?;
        let place = base.checked_add(to.origin + to.borders[segment] + share).ok_or(TimeError::Overflow)?;
        Position::new(place)
    }

    /// The speed at which the leader's loop takes the mean length: `speed * leader * sum(w) / sum(w length)`.
    fn blended(&self, speed: Speed, leader: usize, weights: &[Weight]) -> Result<Speed, TimeError> {
        let lengths = self.members.iter().map(|member| i128::from(member.timeline.length().0));
        let (mut weight_sum, mut length_sum) = (0i128, 0i128);
        for (length, weight) in lengths.zip(weights) {
            // 47 and 33 bits: no number of members that fits into memory overflows.
            weight_sum += i128::from(weight.parts());
            length_sum += i128::from(weight.parts()) * length;
        }
        if weight_sum == 0 {
            return Ok(speed);
        }
        let length = i128::from(self.members[leader].timeline.length().0);
        let scaled =
            (i128::from(speed.sub_ticks_per_tick) * length).checked_mul(weight_sum).ok_or(TimeError::Overflow)?;
        let doubled =
            scaled.checked_mul(2).and_then(|scaled| scaled.checked_add(length_sum)).ok_or(TimeError::Overflow)?;
        let rounded = doubled.div_euclid(2 * length_sum);
        i64::try_from(rounded).map(Speed::raw).map_err(|_| TimeError::Overflow)
    }
}

impl Laid {
    fn length(&self) -> i128 {
        self.timeline.length
    }
}

/// The member with the highest weight: the present leader if it is one of them, else the first.
fn lead(present: usize, weights: &[Weight]) -> usize {
    let mut leader = present;
    for (member, weight) in weights.iter().enumerate() {
        if *weight > weights[leader] {
            leader = member;
        }
    }
    leader
}

fn lay(index: usize, member: SyncMember, labels: &[u32]) -> Result<Laid, TimeError> {
    let SyncMember { timeline, markers } = member;
    let playback = *timeline.playback();
    let endless = playback.mode == Mode::Loop(Repeat::Forever) && !playback.reverse;
    if !endless || timeline.length == 0 || timeline.length >= LENGTH_MAX {
        return Err(TimeError::GroupMode { member: index });
    }
    let inside = markers.iter().all(|marker| playback.min <= marker.at && marker.at < playback.max);
    if !inside || markers.windows(2).any(|pair| pair[0].at >= pair[1].at) {
        return Err(TimeError::MarkerOrder { member: index });
    }
    let count = markers.len();
    let turned = |turn: usize| (0..count).all(|i| markers[(i + turn) % count].label == labels[i]);
    let turn = (0..count.max(1)).find(|turn| count == labels.len() && turned(*turn));
    let turn = turn.ok_or(TimeError::MarkerLabels { member: index })?;
    let place = |i: usize| Position::of_tick(markers[i % count].at).sub_ticks();
    let origin = if count == 0 { timeline.min } else { place(turn) };
    let borders: Box<[i128]> = (0..count.max(1))
        .map(|i| if count == 0 { 0 } else { (place(i + turn) - origin).rem_euclid(timeline.length) })
        .chain([timeline.length])
        .collect();
    Ok(Laid { timeline, origin, borders })
}
