//! Share: the moments of clips that a state shows, for numbers that are mixed beside the pose, such as the weights of
//! shapes.

use stillframe_base::tick::Tick;

use super::Graph;
use super::limit::bounded;
use super::node::Op;
use super::state::{GraphState, NodeState};
use super::weigh::Of;

/// A moment of a clip, and how much of it is shown.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct ClipShare {
    pub clip: u16,
    /// In the clip's time.
    pub at: Tick,
    /// All of them sum to 1 at most; what is left is at rest. Negative where a delta is the difference to it: then what
    /// is left counts against the rest, or is more than 1 of it.
    pub weight: f32,
}

impl Graph {
    /// The weight that each mask gives a joint: what a number needs that goes with it. Masks of the definition come
    /// first.
    pub fn masks_of_joint(&self, joint: u16) -> Vec<f32> {
        assert!(usize::from(joint) < self.joint_count, "joint {joint} of {}", self.joint_count);
        (0..self.masks.len()).map(|mask| self.mask_of_joint(mask, joint)).collect()
    }

    /// Adds to `out` the moments of clips that are in the pose of `state`, for a number that has these weights in the
    /// graph's masks. It is mixed as a translation of a joint is; but what switches and machines remember of poses
    /// holds no numbers, so that it changes over at once where the pose dies away or stands still.
    ///
    /// Shapes: a weight a mask, as [`Graph::masks_of_joint`] has them.
    pub fn clip_shares(&self, state: &GraphState, masks: &[f32], out: &mut Vec<ClipShare>) {
        self.shares_of(state, masks, Of::Number(masks), out);
    }

    /// The same without what deltas add: what covers the number that was there before.
    pub fn covering_clip_shares(&self, state: &GraphState, masks: &[f32], out: &mut Vec<ClipShare>) {
        self.shares_of(state, masks, Of::Cover(masks), out);
    }

    fn shares_of(&self, state: &GraphState, masks: &[f32], of: Of<'_>, out: &mut Vec<ClipShare>) {
        assert_eq!(masks.len(), self.masks.len(), "a weight a mask");
        let mut weights = vec![0.0; self.nodes.len()];
        self.weigh(state, state.time, of, &mut weights);
        for (node, weight) in weights.into_iter().enumerate().filter(|(_, weight)| *weight != 0.0) {
            match (&self.nodes[node].op, &state.nodes[node]) {
                (Op::Clip { clip, timeline, .. }, NodeState::Clip(controller)) => {
                    out.push(ClipShare { clip: *clip, at: controller.local(timeline).tick(), weight });
                }
                (Op::Frame { clip, at }, _) => out.push(ClipShare { clip: *clip, at: *at, weight }),
                (Op::Follow { clip, leader, .. }, _) => {
                    let at = self.follow(state, *clip, usize::from(*leader));
                    out.push(ClipShare { clip: *clip, at, weight });
                }
                (Op::Sync(sync), NodeState::Sync(clock)) => {
                    for (member, share) in sync.shares(&state.parameters).iter() {
                        let position = bounded(sync.group.position(clock, member));
                        let at = sync.group.timeline(member).local(position).tick();
                        out.push(ClipShare { clip: sync.clips[member], at, weight: weight * share });
                    }
                }
                (Op::Slot { mask, .. }, NodeState::Slot(_)) => {
                    let playing = || state.slot(node).iter().flatten();
                    let most = self.mask_weight(*mask, of);
                    let shares = |weight: f32| weight * most;
                    let sum: f32 = playing().map(|playing| shares(playing.weight(state.time).value())).sum();
                    for playing in playing() {
                        let share = shares(playing.weight(state.time).value()) / sum.max(1.0);
                        if share > 0.0 {
                            let at = playing.at(&self.clips[usize::from(playing.clip)].whole);
                            out.push(ClipShare { clip: playing.clip, at, weight: weight * share });
                        }
                    }
                }
                _ => {}
            }
        }
    }
}
