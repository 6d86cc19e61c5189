//! Slot: clips that are asked for from outside.

use stillframe_anim::graph::{GraphSignal, Play};
use stillframe_anim::time::{Repeat, Speed};

use super::GraphMistake;
use super::clock::SPEED_MAX;
use super::model::Character;
use super::own::{Fade, ONE, Own, Playing, SLOT_MAX};
use super::script::{GraphOp, Part};
use super::told::Told;

impl Character<'_> {
    /// Takes in what a slot is asked to play, or to stop.
    pub fn ask(&mut self, op: &GraphOp) {
        let (GraphOp::Play { node, .. } | GraphOp::Stop { node }) = op else { return };
        let Part::Slot { fade_in, fade_out, .. } = *self.part(*node) else { return };
        let time = self.time;
        self.asked = true;
        let Own::Slot(slot) = &mut self.own[*node] else { unreachable!("a slot has room for clips") };
        let length = if matches!(op, GraphOp::Play { .. }) { fade_in } else { fade_out };
        slot.iter_mut().flatten().filter(|playing| !playing.leaves).for_each(|playing| playing.leave(time, length));
        if let GraphOp::Play { clip, speed, times, .. } = *op {
            let weights = slot.map(|playing| playing.map(|playing| playing.weight(time)));
            let lightest = (0..SLOT_MAX).min_by_key(|place| weights[*place]).unwrap_or(0);
            let length = self.world.reels[clip].line.length;
            let ended = self.spans.end(time, |span| (span.node, span.part) == (*node, lightest));
            self.spans.ends.extend(ended);
            slot[lightest] = Some(Playing {
                clip,
                u: 0,
                armed: true,
                speed: Speed::nearest(f64::from(speed.clamp(0.0, SPEED_MAX))).sub_ticks_per_tick.max(1),
                end: (times > 0).then(|| length * i128::from(times)),
                fade: Fade { start: time, length: fade_in, smooth: false },
                from: 0,
                leaves: false,
            });
        }
    }

    /// Clips that have ended are faded out; those that have been are gone.
    pub fn decide_slot(&mut self, node: usize, fade_out: i64, events: &mut Vec<Told>) {
        let (time, shown) = (self.time, self.shown.weights[node]);
        let is_cut = self.is(GraphMistake::PlayedCut);
        let Own::Slot(slot) = &mut self.own[node] else { unreachable!("a slot has room for clips") };
        let mut gone = [false; SLOT_MAX];
        for (number, place) in slot.iter_mut().enumerate() {
            let Some(playing) = place else { continue };
            let clip = playing.clip as u16;
            if playing.is_at_end() && !playing.leaves {
                playing.leave(time, if is_cut { 0 } else { fade_out });
                events.push(Told { at: time, node, signal: GraphSignal::Played { clip }, weight: shown });
            }
            if playing.leaves && playing.fade.weight(time) == ONE {
                (*place, gone[number]) = (None, true);
            }
        }
        self.end_spans(node, |part| gone[part], events);
    }
}

/// What a slot is asked, as the code under test takes it.
pub fn play_of(clip: usize, speed: f32, times: u32) -> Play {
    Play { clip, speed, repeat: if times == 0 { Repeat::Forever } else { Repeat::Times(times) } }
}
