//! Profiles: what a controller can do, what it reports, and how exact it is. Scripts are drawn, judged and shrunk
//! within one. The default is all that the model can do, exactly.

use stillframe_anim::time::{AtEnd, Mode, Repeat, Speed};
use stillframe_base::tick::{TICKS_PER_SECOND, Tick};

use crate::{Case, Op, SUB, Script};

/// What times are counted in.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Clock {
    /// Ticks of 1/705,600,000 s, and 65536ths of a tick.
    #[default]
    Ticks,
    /// Seconds. Every time that is drawn is a whole number of 512ths, so that an `f32` holds it.
    Seconds,
}

/// A way to play a clip, without the number of plays.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ModeKind {
    Once,
    Clamp,
    Loop,
    PingPong,
}

/// What can be done to a controller.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum OpKind {
    Step,
    Speed,
    Seek,
    /// Pausing and resuming.
    Pause,
    Scrub,
    /// A step that is cut where an event fires.
    Until,
    /// A step that counts events instead of listing them.
    Leap,
    /// Playing from the start again.
    Play,
}

/// Which speeds are drawn.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Speeds {
    /// Both directions, and 0.
    #[default]
    Any,
    /// None below 0.
    Forward,
    /// Nothing but 1.
    One,
}

/// Whether the first step fires the events at the start.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Start {
    /// Scripts of both kinds.
    #[default]
    Any,
    Fires,
    /// And nothing is played from the start again, which would fire them.
    Silent,
}

/// What scripts are made of.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Drawn {
    /// At least one.
    pub modes: Vec<ModeKind>,
    /// At least one.
    pub operations: Vec<OpKind>,
    /// Loops and ping-pongs may have a number of plays; otherwise they are endless.
    pub repeats: bool,
    pub reverse: bool,
    /// At least one.
    pub at_end: Vec<AtEnd>,
    pub events: bool,
    /// Events may have a length.
    pub spans: bool,
    /// The part that is played may begin at another time than 0, and events may lie outside of it.
    pub windows: bool,
    /// Starts, seeks and scrubs may lie outside of the clip, on the unwrapped line of time.
    pub line: bool,
    pub speeds: Speeds,
    /// Steps may lead through a clip more than once; otherwise they are shorter than the clip, at every speed.
    pub long_steps: bool,
    pub start: Start,
    /// The shortest and the longest clip.
    pub length_ticks: [i64; 2],
}

/// What of a player's answers is compared, besides local time and the names of events.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Reports {
    /// The position on the unwrapped line of time.
    pub position: bool,
    /// Where on that line an event fired.
    pub places: bool,
    /// [`Signal::Lap`](stillframe_anim::time::Signal::Lap).
    pub laps: bool,
    /// [`Signal::Finish`](stillframe_anim::time::Signal::Finish), and how far a step would have led past the end.
    pub ends: bool,
    /// The order of what fires at one instant.
    pub ties: bool,
}

/// What a controller can do, what it reports, and how exact it is.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Profile {
    pub clock: Clock,
    /// How far times may be off. An event this close to the end of a step may fire in the next step, or one early.
    pub tolerance_ticks: i64,
    pub drawn: Drawn,
    pub reports: Reports,
}

/// The fastest speed that is drawn, either way.
pub(crate) const SPEED_MAX: i64 = 4;
/// A 512th of a second.
const SECOND_UNIT_TICKS: i64 = TICKS_PER_SECOND / 512;
/// Clips in seconds are short: an `f32` must hold a script's time to better than the tolerance.
const SECONDS_LONGEST_TICKS: i64 = 8 * TICKS_PER_SECOND;
/// A tenth of a millisecond.
const SECONDS_TOLERANCE_TICKS: i64 = TICKS_PER_SECOND / 10_000;

impl Default for Profile {
    fn default() -> Profile {
        use {ModeKind::*, OpKind::*};
        Profile {
            clock: Clock::Ticks,
            tolerance_ticks: 0,
            drawn: Drawn {
                modes: vec![Once, Clamp, Loop, PingPong],
                operations: vec![Step, Speed, Seek, Pause, Scrub, Until, Leap, Play],
                repeats: true,
                reverse: true,
                at_end: vec![AtEnd::Stop, AtEnd::RunOn],
                events: true,
                spans: true,
                windows: true,
                line: true,
                speeds: Speeds::Any,
                long_steps: true,
                start: Start::Any,
                length_ticks: [0, i64::MAX],
            },
            reports: Reports { position: true, places: true, laps: true, ends: true, ties: true },
        }
    }
}

impl Profile {
    /// All that the model can do, in seconds: clips of up to 8 s, right to a tenth of a millisecond.
    pub fn seconds() -> Profile {
        let mut profile =
            Profile { clock: Clock::Seconds, tolerance_ticks: SECONDS_TOLERANCE_TICKS, ..Profile::default() };
        profile.drawn.length_ticks = [0, SECONDS_LONGEST_TICKS];
        profile
    }

    /// A looping clock and nothing more: endless loops from 0 on, played by steps at speed 1, moments as events. It
    /// tells its local time and which events fire, in order.
    pub fn simple_loop() -> Profile {
        let mut profile = Profile::seconds();
        profile.drawn = Drawn {
            modes: vec![ModeKind::Loop],
            operations: vec![OpKind::Step],
            repeats: false,
            reverse: false,
            at_end: vec![AtEnd::Stop],
            events: true,
            spans: false,
            windows: false,
            line: false,
            speeds: Speeds::One,
            long_steps: true,
            start: Start::Silent,
            length_ticks: [SECOND_UNIT_TICKS, SECONDS_LONGEST_TICKS],
        };
        profile.reports = Reports { position: false, places: false, laps: false, ends: false, ties: false };
        profile
    }

    /// Times that are drawn are multiples of this. It is well above the tolerance, so that it is clear which of two
    /// events is meant.
    pub fn unit_ticks(&self) -> i64 {
        let apart = self.tolerance_ticks.saturating_mul(4);
        match self.clock {
            Clock::Ticks => apart.max(1),
            Clock::Seconds => {
                let units = apart / SECOND_UNIT_TICKS + i64::from(apart % SECOND_UNIT_TICKS > 0);
                units.max(1).saturating_mul(SECOND_UNIT_TICKS)
            }
        }
    }

    /// What no profile can ask for, in words.
    ///
    /// Errors: nothing to draw from, a tolerance below 0, or clips that are longer than the unit allows.
    pub fn validate(&self) -> Result<(), String> {
        let drawn = &self.drawn;
        if drawn.modes.is_empty() || drawn.operations.is_empty() || drawn.at_end.is_empty() {
            return Err("a list has nothing to draw from".into());
        }
        if !(0..=TICKS_PER_SECOND).contains(&self.tolerance_ticks) {
            return Err("the tolerance is not between 0 and a second".into());
        }
        let [shortest, longest] = drawn.length_ticks;
        let unit = self.unit_ticks();
        // The longest on the grid must not be shorter than the shortest.
        if shortest < 0 || longest / unit * unit < shortest {
            let far = if unit == 1 { String::new() } else { format!(", in steps of {unit} ticks") };
            return Err(format!("no length lies between {shortest} and {longest} ticks{far}"));
        }
        let can_change = |kind: &OpKind| match kind {
            OpKind::Speed => drawn.speeds != Speeds::One,
            OpKind::Play => drawn.start != Start::Silent,
            _ => true,
        };
        if !drawn.operations.iter().any(can_change) {
            return Err("nothing is left to be done: `speed` needs other speeds, `play` a start that fires".into());
        }
        Ok(())
    }

    /// Whether a script could have been drawn: it asks for nothing that the controller lacks.
    pub fn holds(&self, script: &Script) -> bool {
        let (drawn, playback) = (&self.drawn, &script.case.playback);
        let [shortest, longest] = drawn.length_ticks;
        let on_grid = |tick: Tick| tick.0 % self.unit_ticks() == 0;
        let place = |sub_ticks: i128| self.holds_place(script, sub_ticks);
        let events_fit = script.case.events.iter().all(|event| {
            let inside = playback.min <= event.begin && event.end <= playback.max;
            on_grid(event.begin) && on_grid(event.end) && (drawn.spans || event.is_point()) && (drawn.windows || inside)
        });
        drawn.modes.contains(&ModeKind::of(playback.mode))
            && (drawn.repeats
                || !matches!(playback.mode, Mode::Loop(Repeat::Times(_)) | Mode::PingPong(Repeat::Times(_))))
            && (drawn.reverse || !playback.reverse)
            && drawn.at_end.contains(&playback.at_end)
            && (drawn.windows || playback.min == Tick::ZERO)
            && on_grid(playback.min)
            && on_grid(playback.max)
            && (shortest..=longest).contains(&script.case.length())
            && events_fit
            && (drawn.events || script.case.events.is_empty())
            && place(playback.phase.sub_ticks())
            && self.holds_speed(script.speed)
            && match drawn.start {
                Start::Any => true,
                Start::Fires => script.armed,
                Start::Silent => !script.armed,
            }
            && script.ops.iter().all(|op| self.holds_op(script, op))
    }

    fn holds_op(&self, script: &Script, op: &Op) -> bool {
        let drawn = &self.drawn;
        let has = |kind| drawn.operations.contains(&kind);
        // A step until an event is a plain one where there is no event.
        (has(OpKind::of(op)) || matches!(op, Op::Step(_)) && has(OpKind::Until))
            && match *op {
                Op::Step(step) | Op::Until(step, _) | Op::Leap(step) => {
                    step % self.unit_ticks() == 0 && step <= self.step_max(&script.case)
                }
                Op::Speed(speed) => drawn.speeds != Speeds::One && self.holds_speed(speed),
                Op::Seek(place) | Op::Scrub(place) => self.holds_place(script, place.sub_ticks()),
                Op::Pause(_) => true,
                Op::Play => drawn.start != Start::Silent,
            }
    }

    fn holds_speed(&self, speed: Speed) -> bool {
        match self.drawn.speeds {
            Speeds::Any => true,
            Speeds::Forward => speed >= Speed::ZERO,
            Speeds::One => speed == Speed::ONE,
        }
    }

    fn holds_place(&self, script: &Script, sub_ticks: i128) -> bool {
        let unit = i128::from(self.unit_ticks());
        let on_grid = unit == 1 || sub_ticks % (unit * SUB) == 0;
        on_grid && (self.drawn.line || inside(script, sub_ticks) == sub_ticks)
    }

    /// The longest step of a clip.
    pub(crate) fn step_max(&self, case: &Case) -> i64 {
        let fastest = if self.drawn.speeds == Speeds::One { 1 } else { SPEED_MAX };
        let longest = self.ticks((case.length() - 1).max(0) / fastest);
        if self.drawn.long_steps { i64::MAX } else { longest }
    }

    /// The nearest time on the grid, towards 0.
    pub(crate) fn ticks(&self, ticks: i64) -> i64 {
        ticks / self.unit_ticks() * self.unit_ticks()
    }

    /// A place that [`holds`](Profile::holds) accepts, from any.
    pub(crate) fn place(&self, script: &Script, sub_ticks: i128) -> i128 {
        let unit = i128::from(self.unit_ticks());
        let on_grid = if unit == 1 { sub_ticks } else { sub_ticks.div_euclid(unit * SUB) * unit * SUB };
        if self.drawn.line { on_grid } else { inside(script, on_grid) }
    }
}

/// A place of the clip, from any: loops fold it, and their end is the next one's start.
fn inside(script: &Script, sub_ticks: i128) -> i128 {
    let (min, length) = (i128::from(script.case.playback.min.0) * SUB, i128::from(script.case.length()) * SUB);
    let way = sub_ticks - min;
    let is_loop = matches!(script.case.playback.mode, Mode::Loop(_));
    if (0..length).contains(&way) || way == length && !is_loop {
        return sub_ticks;
    }
    min + if length == 0 { 0 } else { way.rem_euclid(length) }
}

impl ModeKind {
    pub fn of(mode: Mode) -> ModeKind {
        match mode {
            Mode::Once => ModeKind::Once,
            Mode::Clamp => ModeKind::Clamp,
            Mode::Loop(_) => ModeKind::Loop,
            Mode::PingPong(_) => ModeKind::PingPong,
        }
    }
}

impl OpKind {
    pub fn of(op: &Op) -> OpKind {
        match op {
            Op::Step(_) => OpKind::Step,
            Op::Until(..) => OpKind::Until,
            Op::Leap(_) => OpKind::Leap,
            Op::Speed(_) => OpKind::Speed,
            Op::Seek(_) => OpKind::Seek,
            Op::Scrub(_) => OpKind::Scrub,
            Op::Pause(_) => OpKind::Pause,
            Op::Play => OpKind::Play,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Choices, Heard, Model, Player, draw, judge_within, shrink_within};
    use stillframe_base::rng::Rng;

    /// Profiles that leave away one thing each, and some that leave away much.
    fn profiles() -> Vec<Profile> {
        let mut out = vec![Profile::default(), Profile::seconds(), Profile::simple_loop()];
        let mut add = |change: &dyn Fn(&mut Profile)| {
            for mut profile in [Profile::default(), Profile::seconds()] {
                change(&mut profile);
                out.push(profile);
            }
        };
        add(&|profile| profile.drawn.modes = vec![ModeKind::PingPong]);
        add(&|profile| profile.drawn.operations = vec![OpKind::Step, OpKind::Seek, OpKind::Leap]);
        add(&|profile| profile.drawn.repeats = false);
        add(&|profile| profile.drawn.reverse = false);
        add(&|profile| profile.drawn.at_end = vec![AtEnd::RunOn]);
        add(&|profile| profile.drawn.events = false);
        add(&|profile| profile.drawn.long_steps = false);
        add(&|profile| (profile.drawn.long_steps, profile.drawn.speeds) = (false, Speeds::One));
        add(&|profile| profile.drawn.spans = false);
        add(&|profile| profile.drawn.windows = false);
        add(&|profile| profile.drawn.line = false);
        add(&|profile| profile.drawn.speeds = Speeds::Forward);
        add(&|profile| profile.drawn.speeds = Speeds::One);
        add(&|profile| profile.drawn.start = Start::Fires);
        add(&|profile| profile.drawn.start = Start::Silent);
        add(&|profile| profile.drawn.length_ticks = [TICKS_PER_SECOND, 2 * TICKS_PER_SECOND]);
        add(&|profile| profile.tolerance_ticks = 1000);
        out
    }

    fn script(profile: &Profile, number: u64) -> Script {
        draw::script_within(&mut Choices::Random(&mut Rng::new(3).stream("profiles", number)), profile)
    }

    #[test]
    fn scripts_are_drawn_within_their_profile() {
        for profile in profiles() {
            assert_eq!(profile.validate(), Ok(()), "{profile:?}");
            for number in 0..500 {
                let script = script(&profile, number);
                assert!(profile.holds(&script), "{number}: {script:?} {profile:?}");
                assert!(script.case.try_timeline().is_ok(), "{number}: {script:?}");
            }
        }
    }

    #[test]
    fn short_steps_lead_through_a_clip_once_at_most() {
        let mut profile = Profile::default();
        (profile.drawn.long_steps, profile.drawn.line) = (false, false);
        let mut moved = 0;
        for number in 0..500 {
            let script = script(&profile, number);
            let (mut speed, length) = (script.speed, i128::from(script.case.length()) * SUB);
            for op in &script.ops {
                match op {
                    Op::Speed(to) => speed = *to,
                    Op::Step(step) | Op::Until(step, _) | Op::Leap(step) => {
                        let way = (i128::from(*step) * i128::from(speed.sub_ticks_per_tick)).abs();
                        assert!(way < length || way == 0, "{number}: {script:?}");
                        moved += u64::from(way > 0);
                    }
                    _ => {}
                }
            }
        }
        assert!(moved > 200, "{moved} steps");
    }

    #[test]
    fn seconds_fit_in_single_precision() {
        for number in 0..500 {
            let script = script(&Profile::seconds(), number);
            let mut times = vec![script.case.playback.min.0, script.case.playback.max.0];
            times.extend(script.case.events.iter().flat_map(|event| [event.begin.0, event.end.0]));
            for op in &script.ops {
                match op {
                    Op::Step(step) | Op::Until(step, _) | Op::Leap(step) => times.push(*step),
                    Op::Seek(place) | Op::Scrub(place) => times.push((place.sub_ticks() / SUB) as i64),
                    Op::Speed(_) | Op::Pause(_) | Op::Play => {}
                }
            }
            for ticks in times {
                let seconds = (ticks as f64 / TICKS_PER_SECOND as f64) as f32;
                assert_eq!((f64::from(seconds) * TICKS_PER_SECOND as f64) as i64, ticks, "{seconds} s");
            }
        }
    }

    /// A model that lags behind or runs ahead by less than the tolerance.
    struct Off {
        model: Model,
        off: i128,
        /// Where it is, in its own opinion; none before it moves.
        at: Option<i128>,
    }

    impl Player for Off {
        fn play(&mut self, op: &Op) -> Heard {
            let before = self.model.clone();
            let right = self.model.play(op);
            match op {
                Op::Step(_) if self.model.u != before.u => {
                    let from = self.at.unwrap_or(before.u);
                    let is_forward = self.model.u > before.u;
                    let to = self.model.u + self.off;
                    let to = if is_forward { to.max(from) } else { to.min(from) };
                    self.at = Some(to);
                    let mut log = if before.armed {
                        self.model.oracle.announces(before.u, self.model.u > before.u)
                    } else {
                        Vec::new()
                    };
                    log.extend(self.model.oracle.fires(from, to));
                    Heard { log, ..right }
                }
                Op::Step(_) => Heard { log: Vec::new(), ..right },
                Op::Seek(_) | Op::Play => {
                    self.at = None;
                    right
                }
                _ => right,
            }
        }

        fn local(&self) -> i128 {
            self.model.oracle.local(self.position())
        }

        fn position(&self) -> i128 {
            self.at.unwrap_or(self.model.u)
        }
    }

    #[test]
    fn what_is_off_by_less_than_the_tolerance_is_right() {
        let mut profile = Profile::seconds();
        profile.drawn.operations = vec![OpKind::Step, OpKind::Speed, OpKind::Seek, OpKind::Pause];
        profile.drawn.modes = vec![ModeKind::Loop, ModeKind::PingPong];
        (profile.drawn.repeats, profile.reports.ties) = (false, false);
        let exact = Profile { tolerance_ticks: 0, ..profile.clone() };
        let tolerance = i128::from(profile.tolerance_ticks) * SUB;
        let (mut found, mut found_wide) = (0, 0);
        for number in 0..3000 {
            let script = script(&profile, number);
            for off in [tolerance, -tolerance, tolerance / 3, -1, 1] {
                let mut player = Off { model: Model::new(&script), off, at: None };
                assert_eq!(judge_within(&script, &profile, &mut player), Ok(()), "{number}, off by {off}: {script:?}");
            }
            let mut player = Off { model: Model::new(&script), off: -1, at: None };
            found += u64::from(judge_within(&script, &exact, &mut player).is_err());
            let mut player = Off { model: Model::new(&script), off: 2 * tolerance, at: None };
            found_wide += u64::from(judge_within(&script, &profile, &mut player).is_err());
        }
        assert!(found > 1500, "{found} of 3000 are found without a tolerance");
        assert!(found_wide > 1500, "{found_wide} of 3000 are found that are off by more than the tolerance");
    }

    /// A looping clock as a game has one: local time in `f32` seconds, wrapped.
    struct Single {
        length_s: f32,
        events_s: Vec<f32>,
        local_s: f32,
        speed: f32,
        is_paused: bool,
    }

    fn single(sub_ticks: i128) -> f32 {
        (sub_ticks as f64 / SUB as f64 / TICKS_PER_SECOND as f64) as f32
    }

    impl Single {
        fn new(script: &Script) -> Single {
            let begin = |event: &stillframe_anim::time::Event| single(i128::from(event.begin.0) * SUB);
            Single {
                length_s: single(i128::from(script.case.length()) * SUB),
                events_s: script.case.events.iter().map(begin).collect(),
                local_s: single(script.case.playback.phase.sub_ticks()),
                speed: script.speed.sub_ticks_per_tick as f32 / SUB as f32,
                is_paused: false,
            }
        }
    }

    impl Player for Single {
        fn play(&mut self, op: &Op) -> Heard {
            let mut log = Vec::new();
            match *op {
                Op::Step(step) if !self.is_paused => {
                    let to = self.local_s + single(i128::from(step) * SUB) * self.speed;
                    for pass in 0..=(to / self.length_s) as i32 {
                        for (index, event) in self.events_s.iter().enumerate() {
                            let at = event + pass as f32 * self.length_s;
                            if self.local_s < at && at <= to {
                                log.push((0, stillframe_anim::time::Signal::Point(index as u32)));
                            }
                        }
                    }
                    self.local_s = to % self.length_s;
                }
                Op::Speed(speed) => self.speed = speed.sub_ticks_per_tick as f32 / SUB as f32,
                Op::Seek(place) => self.local_s = single(place.sub_ticks()),
                Op::Pause(is_paused) => self.is_paused = is_paused,
                _ => {}
            }
            Heard { log, ..Heard::default() }
        }

        fn local(&self) -> i128 {
            (f64::from(self.local_s) * TICKS_PER_SECOND as f64 * SUB as f64) as i128
        }

        fn position(&self) -> i128 {
            0
        }
    }

    #[test]
    fn a_clock_in_single_precision_is_right_to_the_tolerance() {
        let mut profile = Profile::simple_loop();
        profile.drawn.operations = vec![OpKind::Step, OpKind::Speed, OpKind::Seek, OpKind::Pause];
        profile.drawn.speeds = Speeds::Forward;
        profile.reports.ties = true;
        let exact = Profile { tolerance_ticks: 0, ..profile.clone() };
        let mut found = 0;
        for number in 0..5000 {
            let script = script(&profile, number);
            assert_eq!(judge_within(&script, &profile, &mut Single::new(&script)), Ok(()), "{number}: {script:?}");
            found += u64::from(judge_within(&script, &exact, &mut Single::new(&script)).is_err());
        }
        // Most scripts are exact in binary.
        assert!(found > 100, "{found} of 5000 are off by anything");
    }

    /// A file may have a clip that is far shorter than the tolerance: it is judged all the same, and at once.
    #[test]
    fn a_clip_of_a_tick_is_judged_with_a_tolerance_of_a_second() {
        let profile = Profile { tolerance_ticks: TICKS_PER_SECOND, ..Profile::default() };
        let playback = stillframe_anim::time::Playback::new(Tick(0), Tick(1), Mode::Loop(Repeat::Forever));
        let events = vec![stillframe_anim::time::Event::point(Tick(1))];
        let ops = vec![Op::Step(3), Op::Leap(1 << 40), Op::Speed(Speed::whole(-1)), Op::Step(2)];
        let script = Script { case: crate::Case { playback, events }, speed: Speed::ONE, armed: true, ops };
        assert!(!profile.holds(&script));
        assert_eq!(judge_within(&script, &profile, &mut Model::new(&script)), Ok(()));
    }

    #[test]
    fn findings_are_shrunk_within_their_profile() {
        for profile in profiles() {
            let large = script(&profile, 5);
            let small = shrink_within(&large, &profile, 500, |script| profile.holds(script) && !script.ops.is_empty());
            assert!(profile.holds(&small), "{small:?} {profile:?}");
            assert_eq!(small.ops.len(), 1, "{small:?}");
        }
    }
}
