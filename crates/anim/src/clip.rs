//! Raw clips: what a file says about motion, before anything is resampled or packed.

use stillframe_base::tick::Tick;

use crate::{Curve, Keyed};

/// A named span of motion: a glTF animation, an FBX stack.
///
/// Rules: `start <= end`; at least one layer; a node has at most one track for a property in a layer.
#[derive(Clone, Debug, Default, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct RawClip {
    pub name: String,
    /// First moment with a meaning of its own: the earliest key, or what the file declares.
    pub start: Tick,
    pub end: Tick,
    /// The first is the base; later ones are laid over it in order. glTF has one.
    pub layers: Vec<RawLayer>,
}

/// Tracks that are mixed as one.
#[derive(Clone, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct RawLayer {
    pub name: String,
    pub blend: LayerBlend,
    /// 0 to 1.
    pub weight: Curve,
    /// Whether rotations of an additive layer are added as Euler angles; otherwise they are multiplied as rotations.
    pub rotations_add_by_channel: bool,
    /// Whether scales of an additive layer multiply; otherwise they are added.
    pub scales_multiply: bool,
    /// In the order of the file.
    pub tracks: Vec<RawTrack>,
}

/// How a layer meets what is below it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub enum LayerBlend {
    Additive,
    /// This alone where it has a track, whatever the weight.
    Override,
    /// By weight from what is below to this.
    OverridePassthrough,
}

/// One property of one node over time.
#[derive(Clone, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct RawTrack {
    /// Position in the model's nodes.
    pub node: usize,
    pub property: Property,
    pub values: TrackValues,
}

#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub enum Property {
    /// Metres or file units: the node's own.
    Translation,
    /// A quaternion where values are [`TrackValues::Keyed`], Euler angles in degrees where they are components.
    Rotation,
    Scale,
    /// All morph channels of the node at once.
    MorphWeights,
    /// One morph channel of the node, by its position.
    MorphWeight(usize),
    /// More than 0 is seen.
    Visibility,
    /// Anything else that the file moves, by its own name.
    Other(String),
}

#[derive(Clone, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub enum TrackValues {
    /// Whole vectors a key, as glTF stores them.
    Keyed(Keyed),
    /// One curve a component, as FBX stores them; a missing one stays at its value in `rest`.
    Components { curves: Vec<Option<Curve>>, rest: Vec<f64> },
}

impl RawLayer {
    /// The only layer of a clip, at full weight.
    pub fn base(tracks: Vec<RawTrack>) -> RawLayer {
        RawLayer {
            name: String::new(),
            blend: LayerBlend::Override,
            weight: Curve::constant(1.0),
            rotations_add_by_channel: false,
            scales_multiply: true,
            tracks,
        }
    }
}
