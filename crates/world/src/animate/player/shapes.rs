//! What is mixed beside the pose, a number a node or a shape: weights of shapes, and what is seen.

use std::fmt::Write;

use stillframe_anim::graph::{ClipShare, GraphState};
use stillframe_base::tick::Tick;

use super::Player;
use crate::import::Model;
use crate::pose::MorphPlace;

impl Player {
    /// Weights of shapes: mixed as the pose of the node is that wears them, what is left of 1 as it is stored. A mask
    /// counts as it has that node, or as it has the shape where it names it. What is driven stands in the place of what
    /// is stored, and of clips that do not move the shape; deltas count from what is stored, and are added.
    pub(super) fn morph_weights(&self, model: &Model, state: &GraphState) -> Vec<Vec<f64>> {
        let mut out = self.rig.rest().morph_weights.clone();
        let (mut masks, mut shares): (Option<Vec<f32>>, Vec<ClipShare>) = (None, Vec::new());
        let mut moments: Vec<(u16, Tick, Vec<Vec<f64>>)> = Vec::new();
        for (node, weights) in out.iter_mut().enumerate().filter(|(_, weights)| !weights.is_empty()) {
            // A skeleton has no more joints than that.
            let of_node = self.graph.masks_of_joint(node as u16);
            for (channel, out) in weights.iter_mut().enumerate() {
                let name = &model.nodes[node].morphs[channel].name;
                let driven = self.shapes.driven.iter().find(|driven| driven.name == *name);
                let driven = driven.map(|driven| (f64::from(self.value(&driven.weight, state)), driven.over_clips));
                if let Some((weight, true)) = driven {
                    *out = weight;
                    continue;
                }
                let mut own = of_node.clone();
                for (own, shapes) in own.iter_mut().zip(&self.shapes.masked) {
                    *own = shapes.iter().find(|shape| shape.name == *name).map_or(*own, |shape| shape.weight);
                }
                if masks.as_ref() != Some(&own) {
                    shares.clear();
                    self.graph.clip_shares(state, &own, &mut shares);
                    masks = Some(own);
                }
                let (mut sum, mut whole) = (0.0, 0.0);
                for share in &shares {
                    let weight = f64::from(share.weight);
                    whole += weight;
                    sum += weight * self.weights_at(model, share, &mut moments)[node][channel];
                }
                let stored = std::mem::replace(out, *out * (1.0 - whole) + sum);
                if let (Some((weight, _)), Some(own)) = (driven, &masks) {
                    *out +=
                        (weight - stored) * (1.0 - self.moved_share(model, state, own, MorphPlace { node, channel }));
                }
            }
        }
        out
    }

    /// How much of a pose clips cover that move a shape.
    fn moved_share(&self, model: &Model, state: &GraphState, masks: &[f32], shape: MorphPlace) -> f64 {
        let mut shares = Vec::new();
        self.graph.covering_clip_shares(state, masks, &mut shares);
        let moves = |share: &&ClipShare| self.clips[usize::from(share.clip)].source.shapes(model, shape);
        shares.iter().filter(moves).map(|share| f64::from(share.weight)).sum()
    }

    /// What shapes come to that are driven.
    pub(super) fn describe_shapes(&self, model: &Model, state: &GraphState, out: &mut String) {
        if self.shapes.driven.is_empty() {
            return;
        }
        let weights = self.morph_weights(model, state);
        for (node, weights) in model.nodes.iter().zip(&weights) {
            for (channel, weight) in node.morphs.iter().zip(weights) {
                if self.shapes.driven.iter().any(|driven| driven.name == channel.name) {
                    let _ = writeln!(out, "shape {} of {}: {weight:.4}", channel.name, node.name);
                }
            }
        }
    }

    /// What is seen: a node is where clips that show it have at least half of its pose.
    pub(super) fn seen(&self, model: &Model, state: &GraphState) -> Vec<bool> {
        let mut out = self.rig.rest().seen.clone();
        if !self.clips.iter().any(|clip| clip.source.hides(model)) {
            return out;
        }
        let (mut masks, mut shares): (Option<Vec<f32>>, Vec<ClipShare>) = (None, Vec::new());
        let mut moments: Vec<Vec<bool>> = Vec::new();
        for (node, out) in out.iter_mut().enumerate() {
            let own = self.graph.masks_of_joint(node as u16);
            if masks.as_ref() != Some(&own) {
                shares.clear();
                self.graph.clip_shares(state, &own, &mut shares);
                let seen_at = |share: &ClipShare| {
                    let clip = &self.clips[usize::from(share.clip)];
                    clip.source.seen(model, clip.start + share.at)
                };
                moments = shares.iter().map(seen_at).collect();
                masks = Some(own);
            }
            let (mut sum, mut whole) = (0.0, 0.0);
            for (share, seen) in shares.iter().zip(&moments) {
                whole += share.weight;
                sum += if seen[node] { share.weight } else { 0.0 };
            }
            let rest = if *out { 1.0 - whole } else { 0.0 };
            *out = sum + rest >= 0.5;
        }
        out
    }

    /// Weights of all shapes at a moment of a clip.
    fn weights_at<'a>(
        &self,
        model: &Model,
        share: &ClipShare,
        moments: &'a mut Vec<(u16, Tick, Vec<Vec<f64>>)>,
    ) -> &'a [Vec<f64>] {
        let known = moments.iter().position(|(clip, at, _)| (*clip, *at) == (share.clip, share.at));
        let known = known.unwrap_or_else(|| {
            let clip = &self.clips[usize::from(share.clip)];
            let of = clip.source.morph_weights(model, clip.start + share.at);
            moments.push((share.clip, share.at, of));
            moments.len() - 1
        });
        &moments[known].2
    }
}
