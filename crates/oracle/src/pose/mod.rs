//! Poses: blends, hierarchies and skinned vertices that are drawn, what must come of them in f64, and how far an answer
//! is from it.
//!
//! A [`Task`] is one question with all its numbers, and an [`Answer`] is a list of rows. A [`Limits`] says what a
//! program can do and how exact it is. A wrong answer becomes the first difference in words, and the task is shrunk.
//! Sources: the weighted mean of rotations, Blow 2004; linear blend skinning; dual quaternions, Kavan et al. 2008.

mod draw;
mod exact;
mod judge;
mod limits;
mod mistake;
mod own;
mod simpler;
mod task;

pub use draw::task;
pub use exact::answer;
pub use judge::judge;
pub use limits::{Limits, Mean, Scales, TaskKind};
pub use mistake::{POSE_MISTAKES, PoseMistake, planted};
pub use own::own;
pub use simpler::shrink;
pub use task::{Answer, Joint, Layer, Task, Vertex};
