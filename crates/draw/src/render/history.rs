//! History: what effects have left one frame before.
//!
//! In: texels of one picture. Out: the names of their layers, their age. Never here: which frames are drawn.

use std::collections::BTreeMap;
use std::sync::Arc;

use super::texels::Texels;

/// A stage whose picture the next frame reads: its effect, by position, and its place in that.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct StageId {
    pub effect: usize,
    pub stage: usize,
}

/// What one frame has left of a stage.
#[derive(Clone, Debug, PartialEq)]
pub struct Left {
    pub texels: Arc<Texels>,
    /// How many frames it is made of.
    pub frames: u32,
}

/// Of a camera.
pub type History = BTreeMap<StageId, Left>;

impl StageId {
    /// The name of its layer.
    pub fn layer(self) -> String {
        format!("history.{}.{}", self.effect, self.stage)
    }
}

/// How many frames a picture is made of, with this one.
pub fn age(before: Option<&History>, id: StageId) -> u32 {
    1 + before.and_then(|history| history.get(&id)).map_or(0, |left| left.frames)
}
