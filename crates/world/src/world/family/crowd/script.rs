//! Script: where the figures of a crowd stand by chance from a seed, and what each plays as a function of the moment.

use glam::{Mat4, Quat};
use stillframe_anim::crowd::{BakedFrames, Track, clip_phase, fade_at, travel_between};
use stillframe_anim::root::{Motion, RootTrack, blend_motions};
use stillframe_base::rng::Rng;
use stillframe_base::tick::Tick;

use super::bake::BakedModel;
use crate::asset::{CrowdFigure, Figures};
use crate::scene::{Area, Crowd, Pattern};

/// The speed at which a clip plays as it was made.
const SPEED_ONE: f64 = stillframe_anim::crowd::SPEED_ONE as f64;

/// The place of figure `number`.
pub fn place(crowd: &Crowd, number: u32) -> Mat4 {
    // As scattered nodes stand, but for the turn, which is between two angles.
    let area: Area = crowd.area.clone();
    let scatter =
        Pattern::Scatter { count: crowd.count, area, turn_deg: [0.0; 3], scale: crowd.scale, seed: crowd.seed };
    let at = scatter.placement(u64::from(number));
    let mut stream = Rng::new(crowd.seed).stream("crowd/turn", u64::from(number));
    let [from, to] = crowd.turn_deg;
    let half_rad = (from + (to - from) * stream.unit_f64()).to_radians() * 0.5;
    let (sin, cos) = (stillframe_base::math::ops64::sin(half_rad), stillframe_base::math::ops64::cos(half_rad));
    let turn = Quat::from_xyzw(0.0, sin as f32, 0.0, cos as f32);
    Mat4::from_scale_rotation_translation(at.scale, turn, at.position)
}

/// What a figure does, for all time: a function of the crowd's seed and its number.
struct Script<'a> {
    crowd: &'a Crowd,
    number: u32,
    /// In 256ths.
    speed: i32,
    phase: u32,
    /// Ticks between two changes, and from a change to 0 s; none where nothing changes.
    change: Option<(i64, i64)>,
}

impl Script<'_> {
    fn new(crowd: &Crowd, number: u32) -> Script<'_> {
        let mut own = Rng::new(crowd.seed).stream("crowd/figure", u64::from(number));
        let [slow, fast] = crowd.speed;
        let speed = ((slow + (fast - slow) * own.unit_f64()) * SPEED_ONE).round() as i32;
        let (first_change, phase) = (own.unit_f64(), own.next_u32());
        let change = crowd.change_s.filter(|_| crowd.clips.len() > 1).map(|change_s| {
            let period = Tick::from_seconds(change_s).0.max(1);
            (period, (first_change * period as f64) as i64)
        });
        Script { crowd, number, speed, phase, change }
    }

    /// What plays in each clip. Where the figure is in it is fixed for all time, so that changing over needs no memory.
    fn track(&self, clip: u32) -> Track {
        Track { clip, phase: self.phase.wrapping_add(clip.wrapping_mul(0x9E37_79B9)), speed: self.speed }
    }

    /// The clip of a turn: from one change to the next.
    fn clip_of(&self, turn: i64) -> u32 {
        let number = u64::from(self.number) << 32 | (turn as u64 & 0xffff_ffff);
        Rng::new(self.crowd.seed).stream("crowd/clip", number).below((self.crowd.clips.len() as u32).max(1))
    }

    /// The turn of a moment, and when it began.
    fn turn_at(&self, now: Tick) -> (i64, Tick) {
        let Some((period, offset)) = self.change else { return (0, now) };
        let turn = (now.0 + offset).div_euclid(period);
        (turn, Tick(turn * period - offset))
    }

    fn fade_length(&self) -> Tick {
        Tick::from_seconds(self.crowd.fade_s).max(Tick(1))
    }

    /// What the figure shows at a moment.
    fn shown(&self, now: Tick, frames: &BakedFrames) -> CrowdFigure {
        let at = |clip: u32| self.track(clip).phase_at(clip_phase(now, frames.clips()[clip as usize].length));
        let (turn, began) = self.turn_at(now);
        let current = self.clip_of(turn);
        let alone = CrowdFigure { clips: [current; 2], phases: [at(current); 2], fade: 0.0 };
        if self.change.is_none() {
            return alone;
        }
        let before = self.clip_of(turn - 1);
        let fade = fade_at(now, began, self.fade_length());
        if before == current || fade >= 1.0 {
            return alone;
        }
        CrowdFigure { clips: [before, current], phases: [at(before), at(current)], fade }
    }

    /// How far the figure has gone since 0 s: as its clips go, and while one fades into another by the mean of their
    /// shares.
    fn travel(&self, now: Tick, roots: &[RootTrack]) -> Motion {
        if now < Tick::ZERO { self.way(now, Tick::ZERO, roots).inverse() } else { self.way(Tick::ZERO, now, roots) }
    }

    fn way(&self, from: Tick, to: Tick, roots: &[RootTrack]) -> Motion {
        let of_clip = |clip: u32, from: Tick, to: Tick| {
            let (track, root) = (self.track(clip), &roots[clip as usize]);
            let [from, to] = [from, to].map(|at| track.unwrapped_phase(at, root.duration()));
            travel_between(root, from, to)
        };
        let Some((period, _)) = self.change else { return of_clip(self.clip_of(0), from, to) };
        let (mut turn, mut began) = self.turn_at(from);
        let mut out = Motion::IDENTITY;
        while began < to {
            let (before, current) = (self.clip_of(turn - 1), self.clip_of(turn));
            let ends = began + Tick(period);
            let (start, end) = (from.max(began), to.min(ends));
            let mut faded = start;
            if before != current {
                let length = self.fade_length();
                faded = (began + length).clamp(start, end);
                let shares = [start, faded].map(|at| fade_at(at, began, length));
                let share = 0.5 * (shares[0] + shares[1]);
                let ways = [(before, 1.0 - share), (current, share)];
                let ways = ways.map(|(clip, share)| (of_clip(clip, start, faded), share));
                out = out.then(blend_motions(&ways).expect("shares are finite"));
            }
            out = out.then(of_clip(current, faded, end));
            (turn, began) = (turn + 1, ends);
        }
        out
    }
}

/// What every figure plays at a moment.
pub fn figures(crowd: &Crowd, baked: &BakedModel, now: Tick) -> Figures {
    let frames = baked.frames.clone();
    let figures = (0..crowd.count).map(|number| Script::new(crowd, number).shown(now, &frames)).collect();
    Figures { frames, form: baked.form, figures }
}

/// Changes of clip that all figures of a crowd may have gone through where they travel: seconds of the machine.
const CHANGES_MAX: i64 = 1 << 24;

/// How far every figure has gone since 0 s, in the model's space; none where roots stay in poses.
///
/// Errors: words, where that is too many changes away.
pub fn travels(crowd: &Crowd, baked: &BakedModel, now: Tick) -> Result<Vec<Motion>, String> {
    if baked.roots.is_empty() {
        return Ok(Vec::new());
    }
    let period = crowd.change_s.map_or(i64::MAX, |change_s| Tick::from_seconds(change_s).0.max(1));
    if (now.0.saturating_abs() / period).saturating_mul(i64::from(crowd.count)) > CHANGES_MAX {
        let seconds = now.seconds();
        return Err(format!("{seconds} s need more than {CHANGES_MAX} changes of its {} figures", crowd.count));
    }
    Ok((0..crowd.count).map(|number| Script::new(crowd, number).travel(now, &baked.roots)).collect())
}
