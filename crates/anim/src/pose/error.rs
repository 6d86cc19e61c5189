//! Error: what `validate` of a job refuses.

use stillframe_base::lanes::Row;

/// Why a job's input cannot be run.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
pub enum JobError {
    /// Two slices that belong together do not.
    #[error("{what}: {count} where {want} are wanted")]
    Length { what: &'static str, count: usize, want: usize },
    /// A NaN or an infinity.
    #[error("{what}: number {lane} of row {row} is not finite")]
    NotFinite { what: &'static str, row: usize, lane: usize },
    /// More layers than a blend has room for.
    #[error("{count} layers, of at most {max}")]
    LayerCount { count: usize, max: usize },
    /// A weight that is NaN or infinite.
    #[error("layer {layer}: weight {weight} is not finite")]
    Weight { layer: usize, weight: f32 },
    /// A weight of a delta that is not in 0 to 1.
    #[error("layer {layer}: weight {weight} is not in 0 to 1")]
    WeightRange { layer: usize, weight: f32 },
    /// A weight of a mask that is not in 0 to 1.
    #[error("mask: weight {weight} of lane {lane}, row {row}, is not in 0 to 1")]
    MaskRange { row: usize, lane: usize, weight: f32 },
    /// A joint that is named more than once.
    #[error("{what}: joint {joint} is named twice")]
    JointTwice { what: &'static str, joint: usize },
    /// Blocks that are not whole frames.
    #[error("{count} blocks are not frames of {frame_blocks}")]
    Frames { count: usize, frame_blocks: usize },
    /// Nothing to blend: all weights are zero, and so is the threshold of the rest pose.
    #[error("the weights sum to {sum}, which is nothing to divide by")]
    WeightSum { sum: f32 },
    /// More joints than a skeleton can have.
    #[error("{count} joints, of at most {max}")]
    JointCount { count: usize, max: usize },
    /// A joint before its parent.
    #[error("joint {joint}: its parent {parent} does not come before it")]
    ParentOrder { joint: usize, parent: usize },
    /// A number of a joint that there is not.
    #[error("{what}: entry {entry} names joint {joint} of {count}")]
    JointIndex { what: &'static str, entry: usize, joint: usize, count: usize },
    /// Ends of blocks that go back or past the end.
    #[error("block {block}: its joints end at {end}, after {start}, of {count}")]
    BlockEnd { block: usize, start: usize, end: usize, count: usize },
}

pub(crate) fn check_length(what: &'static str, count: usize, want: usize) -> Result<(), JobError> {
    if count == want { Ok(()) } else { Err(JobError::Length { what, count, want }) }
}

pub(crate) fn check_finite(what: &'static str, rows: &[Row]) -> Result<(), JobError> {
    for (row, numbers) in rows.iter().enumerate() {
        if let Some(lane) = numbers.0.iter().position(|x| !x.is_finite()) {
            return Err(JobError::NotFinite { what, row, lane });
        }
    }
    Ok(())
}

pub(crate) fn check_indices(
    what: &'static str,
    joints: impl IntoIterator<Item = u16>,
    count: usize,
) -> Result<(), JobError> {
    for (entry, joint) in joints.into_iter().enumerate() {
        let joint = usize::from(joint);
        if joint >= count {
            return Err(JobError::JointIndex { what, entry, joint, count });
        }
    }
    Ok(())
}
