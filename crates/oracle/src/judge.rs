//! The judge: what a player tells, beside what the model tells, within a profile.
//!
//! Without a tolerance both must be equal. With one, a player may be off by as much at any time: what fires that close
//! to the end of a step may be told one step late (it is owed) or one step early. What is owed must be told once the
//! step after leads on; what was told early must not be told again. After a turn neither is known, and what lies within
//! the tolerance of it may be told or not.

use stillframe_anim::time::Signal;

use crate::player::{Heard, Model, Player};
use crate::{Entry, Op, Profile, SUB, Script};

/// What a player tells after an operation.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Answer {
    pub heard: Heard,
    /// In sub-ticks.
    pub position: i128,
    /// In sub-ticks.
    pub local: i128,
}

/// Where a player is first not as the model.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Difference {
    /// The number of the operation in the script.
    pub op: usize,
    /// What was expected and what was told, in one line.
    pub words: String,
}

/// Compares a player's answers with the model's, operation by operation.
#[derive(Clone, Debug)]
pub struct Judge<'a> {
    profile: &'a Profile,
    model: Model,
    /// The number of the next operation.
    number: usize,
    slack: Slack,
}

/// What may be told, or not be told, because a player is a little off.
#[derive(Clone, Debug, Default)]
struct Slack {
    owed: Vec<Owed>,
    early: Vec<Entry>,
    /// Of the last move: 1, -1, or 0 where the place is exact.
    direction: i128,
    /// What lies near the place may have been told.
    is_unsure: bool,
    /// Sub-ticks that cut steps add to the tolerance: they are cut at whole ticks.
    cuts: i128,
}

/// What was not told yet.
#[derive(Clone, Copy, Debug)]
struct Owed {
    entry: Entry,
    /// It must be told; else it may have been passed before.
    is_sure: bool,
}

/// A signal that an answer may have.
#[derive(Clone, Copy, Debug)]
struct Wanted {
    entry: Entry,
    kind: Kind,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Kind {
    Must,
    /// Near a place where the player turned.
    Unsure,
    /// Near the end: told now, or owed.
    Late,
    /// Beyond the end: told early, or in its time.
    Early,
}

impl<'a> Judge<'a> {
    pub fn new(script: &Script, profile: &'a Profile) -> Judge<'a> {
        Judge { profile, model: Model::new(script), number: 0, slack: Slack::default() }
    }

    /// Whether the model can play an operation: it leads to no error and fires no more than
    /// [`SIGNALS_MAX`](crate::SIGNALS_MAX).
    pub fn can_play(&self, op: &Op) -> bool {
        !self.model.is_too_much(op) && self.model.clone().play(op).error.is_none()
    }

    /// Plays an operation on the model and compares a player's answer.
    ///
    /// Errors: the first difference, after which the judge must not be asked again.
    pub fn compare(&mut self, op: &Op, answer: &Answer) -> Result<(), Difference> {
        let number = self.number;
        self.number += 1;
        let judged = if self.profile.tolerance_ticks == 0 { self.exact(op, answer) } else { self.near(op, answer) };
        judged.map_err(|words| Difference { op: number, words })
    }

    fn exact(&mut self, op: &Op, answer: &Answer) -> Result<(), String> {
        let told = self.profile.reports;
        let wanted = self.model.play(op);
        let heard = &answer.heard;
        let (expected, got) = (self.told(&wanted.log), self.told(&heard.log));
        if !self.equal(&expected, &got, 0) {
            return Err(self.other_events(op, &expected, &got));
        }
        if heard.error != wanted.error {
            return Err(other("error", op, format!("{:?}", wanted.error), format!("{:?}", heard.error)));
        }
        if heard.counts != wanted.counts {
            return Err(other("count", op, format!("{:?}", wanted.counts), format!("{:?}", heard.counts)));
        }
        if heard.unspent != wanted.unspent {
            let ticks = |unspent: i64| format!("{unspent} ticks left");
            return Err(other("cut", op, ticks(wanted.unspent), ticks(heard.unspent)));
        }
        if told.ends && (heard.finished, heard.beyond) != (wanted.finished, wanted.beyond) {
            return Err(other("end", op, end(&wanted), end(heard)));
        }
        self.places(op, answer, 0)
    }

    fn near(&mut self, op: &Op, answer: &Answer) -> Result<(), String> {
        let (start, goal) = (self.model.u, self.model.goal(op));
        let pace = i128::from(self.model.speed.sub_ticks_per_tick).abs();
        let wanted = self.model.play(op);
        let heard = &answer.heard;
        if let Op::Until(..) = op {
            self.slack.cuts += pace;
        }
        let tolerance = i128::from(self.profile.tolerance_ticks) * SUB + self.slack.cuts;
        // What lies that near is listed: of a short clip, outside of every profile, not all of its loops.
        let tolerance = match self.model.oracle.length {
            0 => tolerance,
            length => tolerance.min(2 * length),
        };
        match (op, goal) {
            (Op::Seek(_) | Op::Play, _) => self.slack = Slack::default(),
            (Op::Leap(_), Some(goal)) => self.counts(op, start, goal, tolerance, (&wanted, heard))?,
            (_, Some(goal)) => {
                let reach = if wanted.unspent > 0 { self.model.u } else { goal };
                return self
                    .moved(op, start, reach, tolerance, (&wanted, heard))
                    .and_then(|()| self.ends(op, pace, tolerance, (&wanted, heard)))
                    .and_then(|()| self.places(op, answer, tolerance));
            }
            (_, None) => {}
        }
        let got = self.told(&heard.log);
        if !got.is_empty() {
            return Err(self.other_events(op, &[], &got));
        }
        self.places(op, answer, tolerance)
    }

    /// What fired on a way from `start` that leads to where the model is; it would have led to `reach` without an end.
    fn moved(
        &mut self,
        op: &Op,
        start: i128,
        reach: i128,
        tolerance: i128,
        (wanted, heard): (&Heard, &Heard),
    ) -> Result<(), String> {
        let (direction, to) = ((reach - start).signum(), self.model.u);
        self.turn(direction);
        let oracle = &self.model.oracle;
        let is_late = |entry: &Entry| (entry.0 - to).abs() <= tolerance && (reach - entry.0).abs() <= tolerance;
        let mut list: Vec<Wanted> = Vec::new();
        let mut early = std::mem::take(&mut self.slack.early);
        let is_unsure = self.slack.is_unsure;
        if is_unsure {
            let behind = oracle.fires(start - direction * tolerance, start);
            list.extend(behind.into_iter().map(|entry| Wanted { entry, kind: Kind::Unsure }));
        }
        for Owed { entry, is_sure } in std::mem::take(&mut self.slack.owed) {
            let kind = match (is_sure, is_late(&entry)) {
                (false, _) => Kind::Unsure,
                (true, true) => Kind::Late,
                (true, false) => Kind::Must,
            };
            list.push(Wanted { entry, kind });
        }
        for entry in &wanted.log {
            if let Some(index) = early.iter().position(|told| told == entry) {
                early.remove(index);
                continue;
            }
            let kind = match is_unsure && (entry.0 - start).abs() <= tolerance {
                true => Kind::Unsure,
                false if is_late(entry) => Kind::Late,
                false => Kind::Must,
            };
            list.push(Wanted { entry: *entry, kind });
        }
        let far = oracle.stop(to, to + direction * tolerance);
        for entry in oracle.fires(to, far) {
            if !early.contains(&entry) {
                list.push(Wanted { entry, kind: Kind::Early });
            }
        }
        list.retain(|wanted| self.is_told(&wanted.entry));
        let got = self.told(&heard.log);
        let Some(told) = self.matched(&list, &got, tolerance) else {
            let expected: Vec<Entry> =
                list.iter().filter(|wanted| wanted.kind != Kind::Early).map(|wanted| wanted.entry).collect();
            return Err(self.other_events(op, &expected, &got));
        };
        for (Wanted { entry, kind }, is_told) in list.into_iter().zip(told) {
            let is_near = (entry.0 - to).abs() <= tolerance;
            match (kind, is_told) {
                (Kind::Late, false) => self.slack.owed.push(Owed { entry, is_sure: true }),
                (Kind::Unsure, false) if is_near => self.slack.owed.push(Owed { entry, is_sure: false }),
                (Kind::Early, true) => early.push(entry),
                _ => {}
            }
        }
        self.slack.early = early;
        Ok(())
    }

    /// Begins a move: after a turn nothing is owed.
    fn turn(&mut self, direction: i128) {
        let slack = &mut self.slack;
        if slack.direction != 0 && slack.direction != direction {
            slack.is_unsure = true;
        } else if slack.direction != 0 {
            slack.is_unsure = false;
        }
        if slack.is_unsure {
            slack.owed.clear();
            slack.early.clear();
        }
        slack.direction = direction;
    }

    /// Which of a list an answer tells. None if it does not fit.
    fn matched(&self, list: &[Wanted], got: &[Entry], tolerance: i128) -> Option<Vec<bool>> {
        let is_must = |wanted: &Wanted| wanted.kind == Kind::Must;
        let first = list.iter().position(is_must).unwrap_or(list.len());
        let last = list.iter().rposition(is_must).map_or(first, |last| last + 1);
        let entries = |part: &[Wanted]| part.iter().map(|wanted| wanted.entry).collect::<Vec<_>>();
        let must = entries(&list[first..last]);
        let (before, behind) = (entries(&list[..first]), entries(&list[last..]));
        (0..=got.len().checked_sub(must.len())?.min(before.len())).find_map(|split| {
            let (head, rest) = got.split_at(split);
            let (middle, tail) = rest.split_at(must.len());
            if !self.equal(&must, middle, tolerance) {
                return None;
            }
            let mut told = self.some_of(&before, head, tolerance)?;
            told.extend(must.iter().map(|_| true));
            told.extend(self.some_of(&behind, tail, tolerance)?);
            Some(told)
        })
    }

    /// Which of some entries an answer tells, in their order if it is told. None if it tells others.
    fn some_of(&self, list: &[Entry], got: &[Entry], tolerance: i128) -> Option<Vec<bool>> {
        let mut told = vec![false; list.len()];
        let mut from = 0;
        for entry in got {
            let is_it = |index: &usize| !told[*index] && self.same(&list[*index], entry, tolerance);
            let index = (from..list.len()).find(is_it)?;
            told[index] = true;
            from = if self.profile.reports.ties { index + 1 } else { 0 };
        }
        Some(told)
    }

    fn equal(&self, wanted: &[Entry], got: &[Entry], tolerance: i128) -> bool {
        if wanted.len() != got.len() {
            return false;
        }
        if self.profile.reports.ties {
            return wanted.iter().zip(got).all(|(wanted, got)| self.same(wanted, got, tolerance));
        }
        let mut at = 0;
        wanted.chunk_by(|a, b| a.0 == b.0).all(|chunk| {
            let part = &got[at..at + chunk.len()];
            at += chunk.len();
            self.some_of(chunk, part, tolerance).is_some()
        })
    }

    fn same(&self, wanted: &Entry, got: &Entry, tolerance: i128) -> bool {
        wanted.1 == got.1 && (!self.profile.reports.places || (wanted.0 - got.0).abs() <= tolerance)
    }

    fn is_told(&self, entry: &Entry) -> bool {
        match entry.1 {
            Signal::Lap => self.profile.reports.laps,
            Signal::Finish => self.profile.reports.ends,
            Signal::Point(_) | Signal::Enter(_) | Signal::Leave(_) => true,
        }
    }

    fn told(&self, log: &[Entry]) -> Vec<Entry> {
        log.iter().filter(|entry| self.is_told(entry)).copied().collect()
    }

    /// How often each event fired in a leap from `start`.
    fn counts(
        &mut self,
        op: &Op,
        start: i128,
        goal: i128,
        tolerance: i128,
        (wanted, heard): (&Heard, &Heard),
    ) -> Result<(), String> {
        let (direction, to) = ((goal - start).signum(), self.model.u);
        self.turn(direction);
        let oracle = &self.model.oracle;
        let way = direction * tolerance;
        let mut near = oracle.fires(to - way, to);
        near.extend(oracle.fires(to, oracle.stop(to, to + way)));
        near.extend(oracle.fires(start - way, oracle.stop(start, start + way)));
        let fits = |(event, (wanted, got)): (usize, (&Option<u128>, &Option<u128>))| match (wanted, got) {
            (Some(wanted), Some(got)) => {
                let slack = near.iter().filter(|(_, signal)| *signal == Signal::Point(event as u32)).count();
                wanted.abs_diff(*got) <= slack as u128
            }
            (wanted, got) => wanted.is_none() && got.is_none(),
        };
        let pairs = wanted.counts.iter().zip(&heard.counts).enumerate();
        if wanted.counts.len() != heard.counts.len() || !pairs.into_iter().all(fits) {
            return Err(other("count", op, format!("{:?}", wanted.counts), format!("{:?}", heard.counts)));
        }
        self.slack = Slack { direction, is_unsure: true, cuts: self.slack.cuts, ..Slack::default() };
        // Whichever way it goes on.
        self.slack.direction = 0;
        Ok(())
    }

    /// Ends and cuts of a step.
    fn ends(&self, op: &Op, pace: i128, tolerance: i128, (wanted, heard): (&Heard, &Heard)) -> Result<(), String> {
        let cut = (i128::from(wanted.unspent) - i128::from(heard.unspent)).abs();
        if cut * pace > 2 * tolerance {
            let ticks = |unspent: i64| format!("{unspent} ticks left");
            return Err(other("cut", op, ticks(wanted.unspent), ticks(heard.unspent)));
        }
        let finishes = heard.log.iter().any(|(_, signal)| *signal == Signal::Finish);
        // A scrub says nothing about its end.
        let is_step = !matches!(op, Op::Scrub(_));
        let is_off = heard.finished != finishes || (heard.beyond - wanted.beyond).abs() > 2 * tolerance;
        if self.profile.reports.ends && is_step && is_off {
            return Err(other("end", op, end(&Heard { finished: finishes, ..wanted.clone() }), end(heard)));
        }
        Ok(())
    }

    fn places(&self, op: &Op, answer: &Answer, tolerance: i128) -> Result<(), String> {
        let u = self.model.u;
        if self.profile.reports.position && (answer.position - u).abs() > tolerance {
            return Err(other("position", op, ticks(u), ticks(answer.position)));
        }
        // Where loops join, a little off is far away.
        let is_near = |u: i128| (answer.local - self.model.oracle.local(u)).abs() <= tolerance;
        if ![u, u - tolerance, u + tolerance].into_iter().any(is_near) {
            return Err(other("local time", op, ticks(self.model.oracle.local(u)), ticks(answer.local)));
        }
        Ok(())
    }

    fn other_events(&self, op: &Op, expected: &[Entry], got: &[Entry]) -> String {
        // What both begin with says nothing; the last of it shows where one is.
        let common = expected.iter().zip(got).take_while(|(a, b)| self.same(a, b, 0)).count();
        let from = common.saturating_sub(1);
        let tell = |entries: &[Entry]| {
            const MAX: usize = 6;
            let mut words: Vec<String> = Vec::new();
            if from > 0 {
                words.push(format!("{from} as expected"));
            }
            words.extend(entries[from.min(entries.len())..].iter().take(MAX).map(|entry| self.entry(entry)));
            if entries.len() > from + MAX {
                words.push(format!("{} more", entries.len() - from - MAX));
            }
            if words.is_empty() { "nothing".to_string() } else { words.join(", ") }
        };
        other("events", op, tell(expected), tell(got))
    }

    fn entry(&self, entry: &Entry) -> String {
        let word = match entry.1 {
            Signal::Point(event) => format!("point #{event}"),
            Signal::Enter(event) => format!("enter #{event}"),
            Signal::Leave(event) => format!("leave #{event}"),
            Signal::Lap => "lap".to_string(),
            Signal::Finish => "finish".to_string(),
        };
        if self.profile.reports.places { format!("{word} at {}", ticks(entry.0)) } else { word }
    }
}

/// What differs comes first; what it was, between marks, says nothing about which fault it is.
fn other(what: &str, op: &Op, expected: String, got: String) -> String {
    let which = if what == "events" { "other" } else { "another" };
    format!("{which} {what} in `{}`: expected `{expected}`, got `{got}`", op_words(op))
}

fn end(heard: &Heard) -> String {
    let finished = if heard.finished { "finished" } else { "not finished" };
    format!("{finished}, {} past the end", ticks(heard.beyond))
}

/// Sub-ticks in words.
fn ticks(sub_ticks: i128) -> String {
    match (sub_ticks.div_euclid(SUB), sub_ticks.rem_euclid(SUB)) {
        (ticks, 0) => format!("tick {ticks}"),
        (ticks, rest) => format!("tick {ticks} + {rest}/{SUB}"),
    }
}

fn op_words(op: &Op) -> String {
    match *op {
        Op::Step(step) => format!("step of {step} ticks"),
        Op::Until(step, event) => format!("step of {step} ticks until #{event}"),
        Op::Leap(step) => format!("leap of {step} ticks"),
        Op::Speed(speed) => format!("speed {}/{SUB}", speed.sub_ticks_per_tick),
        Op::Seek(place) => format!("seek to {}", ticks(place.sub_ticks())),
        Op::Scrub(place) => format!("scrub to {}", ticks(place.sub_ticks())),
        Op::Pause(true) => "pause".to_string(),
        Op::Pause(false) => "resume".to_string(),
        Op::Play => "play".to_string(),
    }
}

/// Plays a script on a player beside the model, which must be equal in everything.
///
/// Errors: the first difference. A script is played until an operation would fire more than
/// [`SIGNALS_MAX`](crate::SIGNALS_MAX).
pub fn judge(script: &Script, player: &mut dyn Player) -> Result<(), Difference> {
    judge_within(script, &Profile::default(), player)
}

/// As [`judge`], by what a profile says that a player tells, and as exactly. The script should be
/// [within](Profile::holds) the profile.
pub fn judge_within(script: &Script, profile: &Profile, player: &mut dyn Player) -> Result<(), Difference> {
    let mut judge = Judge::new(script, profile);
    for op in &script.ops {
        if judge.model.is_too_much(op) {
            return Ok(());
        }
        let heard = player.play(op);
        judge.compare(op, &Answer { heard, position: player.position(), local: player.local() })?;
    }
    Ok(())
}
