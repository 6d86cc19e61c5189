//! Replay: frames before a picture, which effects that read what they have left need.
//!
//! In: a moment. Out: its picture, after those of as many frames as its effects need. Never here: how one is drawn.
//!
//! A moment is a function of the scene and its time: nothing depends on which pictures were drawn before. Frames of a
//! sequence share the first frame of their histories for as long as they can, so that each goes on from the one before,
//! and a sequence costs twice what its frames cost.

use std::sync::Arc;

use stillframe_base::tick::Tick;

use super::shown::Replayed;
use super::sitting::Wanted;
use super::together::is_flat;
use super::{Capture, Dump, Settings, Sitting, Stage, Take, TakeError};
use crate::scene::{Aov, SceneEffect, Turn};
use crate::world::Placed;

/// Points of pixels that frames are taken at, one after the other.
const POINTS: i64 = 16;

/// How many frames the effects of a picture need, with its own.
fn frames(effects: &[SceneEffect]) -> u32 {
    let seen = effects.iter().filter(|effect| !effect.is_idle());
    seen.map(|effect| effect.values.frames()).max().unwrap_or(1)
}

/// Which frame it is, from the scene's start.
fn number(time_s: f64, frame_s: f64) -> i64 {
    // A time that is a frame's but for its last bits is that frame's.
    if frame_s > 0.0 { (time_s / frame_s + 1e-6).floor() as i64 } else { 0 }
}

/// How many frames are drawn, with its own: from `frames` to twice as many less one.
fn count(number: i64, frames: u32) -> i64 {
    i64::from(frames) + number.rem_euclid(i64::from(frames))
}

/// Where in its pixels a frame is taken, from their centres, right and down: points by Hammersley, in the middles of
/// their rows and columns, neighbours in time far from each other.
fn shift_px(number: i64) -> [f32; 2] {
    let at = (7 * number).rem_euclid(POINTS) as u32;
    let mirrored = at.reverse_bits() >> (32 - POINTS.trailing_zeros());
    [at, mirrored].map(|at| (at as f32 + 0.5) / POINTS as f32 - 0.5)
}

/// Of so many frames before.
fn turn_before(turn: Turn, back: i64) -> Turn {
    let step = turn.now - turn.before;
    let [now, before] = [back, back + 1].map(|back| turn.now - back as f64 * step);
    Turn { now, before }
}

impl Sitting {
    /// How many frames a picture is made of.
    pub(super) fn frames(&self, now: &Placed) -> u32 {
        let is_effected = self.settings.aovs.contains(&Aov::COLOR) && is_flat(&now.scene);
        if is_effected { frames(&now.scene.effects) } else { 1 }
    }

    /// Pictures a moment after the frames before it.
    pub(super) fn with_history(
        &mut self,
        time_s: f64,
        [before, now]: [&Placed; 2],
        frames: u32,
        watch: &mut dyn FnMut(Stage),
    ) -> Result<Take, TakeError> {
        let frame_s = self.settings.frame_s;
        let number = number(time_s, frame_s);
        let count = count(number, frames);
        let first = number - (count - 1);
        if self.settings.dump.is_some() {
            let mut take = self.picture(before, now, Wanted::default(), watch)?;
            if let (Some(Dump::Plan), Some(text)) = (self.settings.dump, &mut take.dump) {
                text.insert_str(0, &format!("frames before {} (from number {first} on)\n", count - 1));
            }
            return Ok(take);
        }
        let back_s = |back: i64| time_s - back as f64 * frame_s;
        // Turntables begin anew each time.
        let known = self.seen.replayed.take().filter(|known| known.first == first && now.scene.turn.is_none());
        let at = |known: &Replayed| (1..count).find(|back| Tick::from_seconds(back_s(*back)) == known.moment);
        let known = known.and_then(|known| Some((at(&known)?, known.history)));
        let (last, mut history) = known.unwrap_or((count, Vec::new()));
        let is_jittered = |effect: &SceneEffect| !effect.is_idle() && effect.values.effect.row().is_jittered();
        let is_jittered = now.scene.effects.iter().any(is_jittered);
        let shift_px = |back: i64| if is_jittered { shift_px(number - back) } else { [0.0; 2] };

        let plain = Settings { aovs: Vec::new(), capture: Capture::Off, ..self.settings.clone() };
        let mut was = None;
        let (mut draws, mut triangles) = (0, 0);
        let mut replay = |sitting: &mut Sitting, back: i64| {
            let mut place = |back: i64| -> Result<Placed, TakeError> {
                let mut placed = sitting.place(back_s(back))?;
                if let Some(turn) = now.scene.turn {
                    Arc::make_mut(&mut placed.scene).turn = Some(turn_before(turn, back));
                }
                Ok(placed)
            };
            let is = place(back)?;
            let before = match was.take() {
                Some(was) => was,
                None => place(back + 1)?,
            };
            let wanted = Wanted { history: Some(&mut history), shift_px: shift_px(back), ..Wanted::default() };
            let take = sitting.picture(&before, &is, wanted, watch)?;
            draws += take.stats.draws;
            triangles += take.stats.triangles;
            was = Some(is);
            Ok::<(), TakeError>(())
        };
        self.with_settings(plain, |sitting| (1..last).rev().try_for_each(|back| replay(sitting, back)))?;

        let asked = self.settings.clone();
        // What is no light is taken at pixels' centres.
        let is_apart = |aov: &Aov| is_jittered && *aov != Aov::COLOR;
        let (others, jittered): (Vec<Aov>, Vec<Aov>) = asked.aovs.iter().cloned().partition(is_apart);
        let wanted = Wanted { history: Some(&mut history), shift_px: shift_px(0), ..Wanted::default() };
        let settings = Settings { aovs: jittered, ..asked.clone() };
        let mut take = self.with_settings(settings, |sitting| sitting.picture(before, now, wanted, watch))?;
        if !others.is_empty() {
            let settings = Settings { aovs: others, ..asked.clone() };
            let plain = Wanted::default();
            let rest = self.with_settings(settings, |sitting| sitting.picture(before, now, plain, watch))?;
            take.pictures.extend(rest.pictures);
            let place = |aov: &Aov| asked.aovs.iter().position(|asked| asked == aov);
            take.pictures.sort_by_key(|(aov, _)| place(aov));
            take.captures.extend(rest.captures.into_iter().map(|mut capture| {
                capture.name = format!("{} of other layers", capture.name);
                capture
            }));
            take.stats = take.stats.and(rest.stats);
        }
        take.stats.draws += draws;
        take.stats.triangles += triangles;
        take.stats.frames_before = (last - 1) as u32;
        self.seen.replayed = Some(Replayed { first, moment: Tick::from_seconds(time_s), history });
        Ok(take)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn neighbours_begin_at_one_frame() {
        let first = |number: i64| number - count(number, 4) + 1;
        assert_eq!((-4..9).map(first).collect::<Vec<_>>(), [-7, -7, -7, -7, -3, -3, -3, -3, 1, 1, 1, 1, 5]);
        assert!((-99..99).all(|number| count(number, 1) == 1));
    }

    #[test]
    fn points_fill_the_pixel() {
        for axis in [0, 1] {
            let mut places: Vec<i32> = (-3..13).map(|at| ((shift_px(at)[axis] + 0.5) * 16.0).floor() as i32).collect();
            places.sort_unstable();
            assert_eq!(places, (0..16).collect::<Vec<_>>());
        }
        let mean = |axis: usize| (0..16).map(|at| shift_px(at)[axis]).sum::<f32>();
        assert_eq!([mean(0), mean(1)], [0.0; 2]);
    }

    #[test]
    fn times_are_those_of_frames() {
        assert_eq!(number(0.1, 0.1), 1);
        assert_eq!(number(0.3, 0.1), 3);
        assert_eq!(number(-0.05, 0.1), -1);
        assert_eq!(number(5.0, 0.0), 0);
    }
}
