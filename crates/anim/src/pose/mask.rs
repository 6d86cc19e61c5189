//! Mask: how much of a layer reaches each joint.
//!
//! A mask is a row for each block of a pose: a weight of 0 to 1 for each joint. Lanes without a joint are 0.

use stillframe_base::lanes::{ROW, Row};

use super::model::{check_joint_count, check_parents};
use super::{JobError, JointBlock, NO_PARENT, check_indices, check_length};

/// A mask of weights in the order of the joints.
pub fn pack_mask(weights: &[f32]) -> Vec<Row> {
    let mut rows = vec![Row::ZERO; JointBlock::count_for(weights.len())];
    for (joint, &weight) in weights.iter().enumerate() {
        rows[joint / ROW].0[joint % ROW] = weight;
    }
    rows
}

/// The mask of what `mask` leaves: 1 - weight, exact at 0 and 1. Lanes without a joint become 1, which no blend minds.
pub fn mask_complement(mask: &[Row]) -> Vec<Row> {
    mask.iter().map(|row| Row(row.0.map(|weight| 1.0 - weight))).collect()
}

/// A mask by branches of the skeleton: a joint has the weight of its own entry, else its parent's, else `default`.
///
/// The order of `entries` means nothing. Errors: a parent that does not come before its child, an entry for a joint
/// that there is not or that has one already, a weight that is not in 0 to 1.
pub fn mask_of_branches(parents: &[u16], default: f32, entries: &[(u16, f32)]) -> Result<Vec<Row>, JobError> {
    check_joint_count(parents)?;
    check_parents(parents)?;
    check_indices("branches of a mask", entries.iter().map(|entry| entry.0), parents.len())?;
    let mut weights = vec![default; parents.len()];
    for (joint, &parent) in parents.iter().enumerate() {
        let mut own = entries.iter().filter(|entry| usize::from(entry.0) == joint);
        weights[joint] = match own.next() {
            Some(entry) => entry.1,
            None if parent == NO_PARENT => default,
            None => weights[usize::from(parent)],
        };
        if own.next().is_some() {
            return Err(JobError::JointTwice { what: "branches of a mask", joint });
        }
    }
    let mask = pack_mask(&weights);
    check_mask(&mask, mask.len())?;
    Ok(mask)
}

/// The length and that every weight is in 0 to 1.
pub(super) fn check_mask(mask: &[Row], want: usize) -> Result<(), JobError> {
    check_length("rows of a mask", mask.len(), want)?;
    for (row, weights) in mask.iter().enumerate() {
        if let Some(lane) = weights.0.iter().position(|weight| !(0.0..=1.0).contains(weight)) {
            return Err(JobError::MaskRange { row, lane, weight: weights.0[lane] });
        }
    }
    Ok(())
}
