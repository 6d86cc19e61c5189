//! Travel: how far an update moves the actor, from the ways of the clips' clocks.

use super::Graph;
use super::state::GraphState;
use crate::root::{Motion, RootTrack, blend_motions};

/// Less than this is what rounding leaves of the weights of a pose.
const REST_MIN: f32 = 1e-5;

impl Graph {
    /// The same graph with a joint that travels: its weights are followed beside those of the output. States are to be
    /// started afterwards. A joint that is none of the skeleton's is a bug and asserts.
    #[must_use]
    pub fn with_root(self, joint: u16) -> Graph {
        assert!(usize::from(joint) < self.joint_count, "the root is joint {joint} of {}", self.joint_count);
        Graph { root: Some(joint), ..self }
    }

    /// The motion of the last update, in the actor's frame at its start: what clips travel at once is blended by their
    /// weights in the root's pose, and what they travel before and after a decision is gone one after the other. Layers
    /// count by their masks at the root; frames, followers and the rest pose stay where they are by their weights; what
    /// is added on top does not travel, nor does a pose that is remembered.
    ///
    /// Shapes: a track a clip of the graph, none for what stays in place; `scratch` is room and holds nothing.
    /// A graph without a root is a bug and asserts.
    pub fn travel(
        &self,
        state: &GraphState,
        tracks: &[Option<&RootTrack>],
        scratch: &mut Vec<(Motion, f32)>,
    ) -> Motion {
        assert!(self.root.is_some(), "the graph follows no root");
        assert_eq!(tracks.len(), self.clips.len(), "a track a clip, or none");
        let mut whole = Motion::IDENTITY;
        for stretch in state.moves().chunk_by(|a, b| a.stretch == b.stretch) {
            scratch.clear();
            scratch.extend(stretch.iter().map(|leaf| {
                let track = tracks[usize::from(leaf.clip)];
                let motion = track.map(|track| track.between(self.leaf_timeline(leaf), leaf.from, leaf.to));
                (motion.unwrap_or(Motion::IDENTITY), leaf.travel_weight)
            }));
            // Weights of a pose are 1 in all: what has no clock has the rest.
            let rest = 1.0 - scratch.iter().map(|(_, weight)| weight).sum::<f32>();
            if rest > REST_MIN {
                scratch.push((Motion::IDENTITY, rest));
            }
            whole = whole.then(blend_motions(scratch).expect("weights of a graph are finite"));
        }
        whole
    }
}
