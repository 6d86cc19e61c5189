//! Crowd: figures of one model, each at its own moment of baked clips.

use std::sync::Arc;

use stillframe_anim::crowd::BakedFrames;

use super::Form;

/// A part of a figure of a crowd.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct CrowdPart {
    /// Place in the list of crowds.
    pub crowd: u32,
    /// Place in `Figures::figures`.
    pub figure: u32,
    /// Where the part's joints, or its vertices, begin in the baked frames.
    pub first_joint: u32,
    /// Which texel of a frame holds the shares of the part's first four shapes; those of more follow it.
    pub first_share: u32,
}

/// Figures of one model at a moment.
#[derive(Clone, Debug, PartialEq)]
pub struct Figures {
    pub frames: Arc<BakedFrames>,
    /// What the frames hold: matrices, or places of vertices.
    pub form: Form,
    pub figures: Vec<CrowdFigure>,
}

/// What a figure plays, and what it fades to.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct CrowdFigure {
    /// Numbers of baked clips.
    pub clips: [u32; 2],
    /// Where they are, in 2^-32 of their length.
    pub phases: [u32; 2],
    /// Share of the second one.
    pub fade: f32,
}
