//! Stage: the part of space that a sequence takes place in. What frames it and what lies under it stay where they are.

use stillframe_base::geom::{Aabb, Reach};
use stillframe_base::tick::{TICKS_PER_SECOND, Tick};

use super::framing::{Stage, frames};
use super::loaded::Loaded;
use super::place::chosen_clips;
use crate::import;
use crate::scene::{Content, Ground};

/// Moments a second at which a sequence is looked at, and how many at most.
const PER_SECOND: i128 = 30;
const MOMENTS_MAX: i128 = 120;

impl Loaded {
    /// From now on a framing camera and the ground are for the whole of a sequence: of the clips that play and the keys
    /// that move things; where animators or crowds move, of `moments` too. Without this they are for each moment anew.
    pub fn set_stage(&mut self, moments: &[Tick], read: &import::Read<'_>) {
        self.stage = None;
        if !self.is_framed() {
            return;
        }
        let mut all = self.sequence();
        if !self.settled.animators.is_empty() || !self.settled.crowds.is_empty() {
            all.extend_from_slice(moments);
            all.sort_unstable();
            all.dedup();
        }
        // One moment is as it is.
        if all.len() <= 1 {
            return;
        }
        let (bounds, reach) = self.taken_up(&all, read);
        self.stage = Some(Stage { bounds, reach: Some(reach) });
        if self.settled.turn.is_some() {
            // How far points reach about an axis is known once the axis is.
            self.stage = Some(Stage { bounds, reach: None });
            let (_, reach) = self.taken_up(&all, read);
            self.stage = Some(Stage { bounds, reach: Some(reach) });
        }
    }

    /// What is shown at some moments takes up.
    fn taken_up(&self, moments: &[Tick], read: &import::Read<'_>) -> (Aabb, Reach) {
        // A moment that cannot be placed is told where it is to be seen.
        let worlds = moments.iter().filter_map(|moment| self.place(*moment, read).ok()).map(|placed| placed.world);
        worlds.fold((Aabb::EMPTY, Reach::EMPTY), |(bounds, reach), world| {
            (bounds.union(world.subject_bounds), reach.union(world.subject_reach))
        })
    }

    /// Whether something follows the bounds of what is shown.
    fn is_framed(&self) -> bool {
        let scene = &self.settled;
        let has_camera = !scene.cameras.is_empty() || self.files.models.values().any(|model| !model.cameras.is_empty());
        scene.ground == Ground::On || frames(scene, has_camera).is_some()
    }

    /// Moments of what moves by itself, for as long as it does.
    fn sequence(&self) -> Vec<Tick> {
        let scene = &self.settled;
        let shown = scene.nodes.iter().filter_map(|node| match node.content {
            Content::Model(number) if node.animator.is_none() => Some(&scene.models[number]),
            _ => None,
        });
        let clips = shown.flat_map(|model| {
            let file = &self.files.models[&model.file];
            let length = |clip: usize| file.clips[clip].end.0.saturating_sub(file.clips[clip].start.0);
            chosen_clips(&model.clip, file).into_iter().map(move |clip| [0, length(clip).max(0)])
        });
        let keys = scene.tracks.iter().flat_map(|track| track.curve.keys.first().zip(track.curve.keys.last()));
        let spans = clips.chain(keys.map(|((first, _), (last, _))| [first.0, last.0]));
        let Some([first, last]) = spans.reduce(|a, b| [a[0].min(b[0]), a[1].max(b[1])]) else { return Vec::new() };
        let (first, ticks) = (i128::from(first), i128::from(last) - i128::from(first));
        let steps = (ticks * PER_SECOND / i128::from(TICKS_PER_SECOND)).clamp(1, MOMENTS_MAX);
        (0..=steps).map(|step| Tick((first + ticks * step / steps) as i64)).collect()
    }
}
