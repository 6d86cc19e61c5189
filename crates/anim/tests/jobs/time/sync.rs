//! Laws of sync groups: one phase for all, and leaders that change without a jump.

use std::ops::ControlFlow;

use proptest::prelude::*;
use stillframe_anim::time::{
    Controller, Event, Marker, Mode, Pace, Playback, Repeat, Signal, Speed, SyncClock, SyncGroup, SyncMember,
    TimeError, Timeline, Track, Weight,
};
use stillframe_base::tick::Tick;
use stillframe_testkit::depth::cases;

use stillframe_oracle::SUB;
use stillframe_oracle::strategy::shares;
use stillframe_oracle::{cut, position};

/// A loop with markers, as the laws see it: moments in ticks from its start, the first of the circle first.
#[derive(Clone, Debug)]
struct Clip {
    min: i64,
    length: i64,
    /// Ascending in `0..length`, labelled from the one that lies at `turn`.
    markers: Vec<i64>,
    turn: usize,
}

impl Clip {
    fn member(&self) -> SyncMember {
        let (min, max) = (Tick(self.min), Tick(self.min + self.length));
        let count = self.markers.len();
        let markers: Vec<Marker> = self
            .markers
            .iter()
            .enumerate()
            .map(|(i, at)| Marker { at: Tick(self.min + at), label: ((i + count - self.turn) % count) as u32 })
            .collect();
        let events = markers.iter().map(|marker| Event::point(marker.at)).collect();
        let track = Track::new(min, max, events).expect("markers rise");
        let timeline = Timeline::new(Playback::new(min, max, Mode::Loop(Repeat::Forever)), &track).expect("in order");
        SyncMember { timeline, markers }
    }

    /// Where marker `number` of the circle lies on the unwrapped line, in sub-ticks: `number` counts on over loops.
    fn marker(&self, number: i128) -> i128 {
        if self.markers.is_empty() {
            return (i128::from(self.min) + number * i128::from(self.length)) * SUB;
        }
        let index = number + self.turn as i128;
        let count = self.markers.len() as i128;
        let (cycle, at) = (index.div_euclid(count), index.rem_euclid(count));
        // The circle's first loop starts at its first marker.
        (i128::from(self.min) + i128::from(self.markers[at as usize]) + cycle * i128::from(self.length)) * SUB
    }

    /// The phase of a place: (markers passed, way, of a span).
    fn phase(&self, place: i128) -> (i128, i128, i128) {
        let count = self.markers.len().max(1) as i128;
        let mut number =
            (place - i128::from(self.min) * SUB).div_euclid(i128::from(self.length) * SUB) * count - 2 * count;
        while self.marker(number + 1) <= place {
            number += 1;
        }
        (number, place - self.marker(number), self.marker(number + 1) - self.marker(number))
    }
}

fn clips() -> impl Strategy<Value = Vec<Clip>> {
    (0..4usize, 1..4usize).prop_flat_map(|(count, members)| {
        let clip = (-20..20i64, 8..200i64).prop_flat_map(move |(min, length)| {
            let markers = proptest::sample::subsequence((0..length).collect::<Vec<_>>(), count);
            (Just(min), Just(length), markers, 0..count.max(1)).prop_map(|(min, length, markers, turn)| Clip {
                min,
                length,
                markers,
                turn,
            })
        });
        // Circles are counted from the first clip's first marker.
        prop::collection::vec(clip, members).prop_map(|mut clips| {
            clips[0].turn = 0;
            clips
        })
    })
}

fn group(clips: &[Clip]) -> SyncGroup {
    SyncGroup::new(clips.iter().map(Clip::member).collect()).expect("labels agree")
}

fn start(clips: &[Clip], at: i128, raw: i64) -> SyncClock {
    let place = i128::from(clips[0].min) * SUB + at;
    SyncClock { leader: 0, controller: Controller::at(position(place), Speed::raw(raw)), pace: Pace::Leader }
}

/// All weight on one member, a little on the others.
fn for_leader(members: usize, leader: usize) -> Vec<Weight> {
    (0..members).map(|i| if i == leader { Weight::ONE } else { Weight::raw(1 << 20) }).collect()
}

/// Plays and says what fired, as (leader, place, event).
fn advance(group: &SyncGroup, clock: &mut SyncClock, step: i64, weights: &[Weight]) -> Vec<(usize, i128, u32)> {
    let mut log = Vec::new();
    let done = group
        .advance(clock, Tick(step), weights, |fired| {
            if let Signal::Point(event) = fired.signal {
                log.push((fired.at.sub_ticks(), event));
            }
            ControlFlow::Continue(())
        })
        .expect("near");
    log.into_iter().map(|(at, event)| (done.leader, at, event)).collect()
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(cases(1024)))]

    #[test]
    fn p29_members_are_in_one_phase_and_markers_coincide(
        clips in clips(), at in -500 * SUB..500 * SUB, raw in -200_000..200_000i64, step in 0..400i64, leads: prop::sample::Index
    ) {
        let group = group(&clips);
        let mut clock = start(&clips, at, raw);
        advance(&group, &mut clock, step, &for_leader(clips.len(), leads.index(clips.len())));
        let leader = clock.leader;
        let (number, way, span) = clips[leader].phase(clock.controller.position.sub_ticks());
        for (member, clip) in clips.iter().enumerate() {
            let place = group.position(&clock, member).expect("near").sub_ticks();
            let (its_number, its_way, its_span) = clip.phase(place);
            prop_assert_eq!(its_number, number);
            // Rounded down by less than a sub-tick, exact at markers.
            let (exact, rounded) = (way * its_span, its_way * span);
            prop_assert!(rounded <= exact && exact < rounded + span);
            prop_assert!(way > 0 || its_way == 0);
        }
        // A leader at a marker has the others at theirs.
        let mut on_marker = clock;
        on_marker.controller.seek(position(clips[leader].marker(number)));
        for (member, clip) in clips.iter().enumerate() {
            prop_assert_eq!(group.position(&on_marker, member).expect("near").sub_ticks(), clip.marker(number));
        }
    }

    #[test]
    fn p30_a_new_leader_goes_on_in_the_same_phase(
        clips in clips(), at in -500 * SUB..500 * SUB, forward: bool,
        changes in prop::collection::vec((any::<prop::sample::Index>(), 0..30i64), 1..12)
    ) {
        let group = group(&clips);
        let mut clock = start(&clips, at, if forward { 50_000 } else { -50_000 });
        let mut heard: Vec<i128> = Vec::new();
        let first = clips[0].phase(clock.controller.position.sub_ticks());
        for (leads, step) in changes {
            let leader = leads.index(clips.len());
            let weights = for_leader(clips.len(), leader);
            let before: Vec<i128> =
                (0..clips.len()).map(|member| group.position(&clock, member).expect("near").sub_ticks()).collect();
            let from = clock;
            let log = advance(&group, &mut clock, step, &weights);
            if step == 0 {
                prop_assert_eq!(clock, from);
                continue;
            }
            prop_assert_eq!(clock.leader, leader);
            // The new leader moved from where it stood, by its own speed; rounding is less than a sub-tick.
            let way = clock.controller.position.sub_ticks() - before[leader];
            let jump = way - i128::from(clock.controller.speed.sub_ticks_per_tick) * i128::from(step);
            prop_assert!((0..=1).contains(&jump), "a jump of {}", jump);
            heard.extend(log.iter().map(|(leader, at, _)| clips[*leader].phase(*at).0));
        }
        // Events lie at markers: each marker of the phase's way is heard once, whoever led.
        if !clips[0].markers.is_empty() {
            let (number, way, _) = clips[clock.leader].phase(clock.controller.position.sub_ticks());
            let wanted: Vec<i128> = if forward {
                (first.0 + 1..=number).collect()
            } else {
                let (high, low) = (if first.1 == 0 { first.0 - 1 } else { first.0 }, if way == 0 { number } else { number + 1 });
                (low..=high).rev().collect()
            };
            prop_assert_eq!(heard, wanted);
        }
    }

    #[test]
    fn groups_do_not_depend_on_steps(
        clips in clips(), at in -500 * SUB..500 * SUB, raw in -200_000..200_000i64, step in 0..400i64, shares in shares(),
        leads: prop::sample::Index, blended: bool
    ) {
        let group = group(&clips);
        let weights = for_leader(clips.len(), leads.index(clips.len()));
        let mut whole = start(&clips, at, raw);
        whole.pace = if blended { Pace::Blended } else { Pace::Leader };
        let mut parts = whole;
        let wanted = advance(&group, &mut whole, step, &weights);
        let heard: Vec<_> =
            cut(step, &shares).into_iter().flat_map(|step| advance(&group, &mut parts, step, &weights)).collect();
        prop_assert_eq!(heard, wanted);
        prop_assert_eq!(parts, whole);
    }

    #[test]
    fn a_blended_pace_takes_the_mean_length(
        lengths in prop::collection::vec(1..10_000i64, 1..5), parts in prop::collection::vec(0..=1u64 << 32, 5), leads: prop::sample::Index
    ) {
        let clips: Vec<Clip> =
            lengths.iter().map(|length| Clip { min: 0, length: *length, markers: vec![], turn: 0 }).collect();
        let group = group(&clips);
        let weights: Vec<Weight> = parts[..clips.len()].iter().map(|parts| Weight::raw(*parts)).collect();
        let mut clock = start(&clips, 0, SUB as i64);
        clock.leader = leads.index(clips.len());
        clock.pace = Pace::Blended;
        let done = group.advance(&mut clock, Tick(1), &weights, |_| ControlFlow::Continue(())).expect("near");
        let sum: f64 = weights.iter().map(|weight| weight.parts() as f64).sum();
        let mean = lengths.iter().zip(&weights).map(|(l, w)| *l as f64 * w.parts() as f64 / sum).sum::<f64>();
        let wanted = if sum == 0.0 { SUB as f64 } else { SUB as f64 * lengths[done.leader] as f64 / mean };
        let moved = (done.step.to.sub_ticks() - done.step.from.sub_ticks()) as f64;
        prop_assert!((moved - wanted).abs() <= 0.5 + wanted * 1e-9, "{} and {}", moved, wanted);
        prop_assert_eq!(clock.controller.speed, Speed::ONE);
    }
}

#[test]
fn ties_keep_the_leader_and_then_take_the_first() {
    let clips: Vec<Clip> = (0..3).map(|_| Clip { min: 0, length: 10, markers: vec![], turn: 0 }).collect();
    let group = group(&clips);
    let (low, high) = (Weight::raw(1), Weight::raw(2));
    for (present, weights, leader) in [
        (2, [low, low, low], 2),
        (0, [low, high, high], 1),
        (2, [low, high, high], 2),
        (1, [Weight::ZERO; 3], 1),
        (1, [high, low, low], 0),
    ] {
        let mut clock = SyncClock { leader: present, ..start(&clips, 0, 1) };
        advance(&group, &mut clock, 1, &weights);
        assert_eq!(clock.leader, leader, "from {present} with {weights:?}");
    }
}

#[test]
fn what_cannot_be_a_group() {
    let clip = |markers: &[(i64, u32)], mode: Mode, length: i64| {
        let playback = Playback::new(Tick(0), Tick(length), mode);
        let timeline = Timeline::new(playback, &Track::default()).expect("in order");
        let markers = markers.iter().map(|(at, label)| Marker { at: Tick(*at), label: *label }).collect();
        SyncMember { timeline, markers }
    };
    let endless = Mode::Loop(Repeat::Forever);
    let fine = || clip(&[(1, 7), (5, 8)], endless, 10);
    for (bad, error) in [
        (clip(&[(1, 7), (5, 8)], Mode::Clamp, 10), TimeError::GroupMode { member: 1 }),
        (clip(&[], endless, 0), TimeError::GroupMode { member: 1 }),
        (clip(&[], endless, 1 << 47), TimeError::GroupMode { member: 1 }),
        (clip(&[(5, 7), (1, 8)], endless, 10), TimeError::MarkerOrder { member: 1 }),
        (clip(&[(1, 7), (10, 8)], endless, 10), TimeError::MarkerOrder { member: 1 }),
        (clip(&[(1, 7), (5, 9)], endless, 10), TimeError::MarkerLabels { member: 1 }),
        (clip(&[(1, 7)], endless, 10), TimeError::MarkerLabels { member: 1 }),
    ] {
        assert_eq!(SyncGroup::new(vec![fine(), bad]).err(), Some(error));
    }
    assert_eq!(SyncGroup::new(vec![]).err(), Some(TimeError::GroupSize { members: 0, weights: 0 }));
    let group = SyncGroup::new(vec![fine(), clip(&[(3, 8), (4, 7)], endless, 10)]).expect("the same circle, turned");
    let mut clock = SyncClock::default();
    let done = group.advance(&mut clock, Tick(1), &[Weight::ONE], |_| ControlFlow::Continue(()));
    assert_eq!(done, Err(TimeError::GroupSize { members: 2, weights: 1 }));
}
