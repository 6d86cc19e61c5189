//! Mask: weights of joints from branches of the skeleton.

use super::super::GraphError;
use super::super::def::MaskDef;
use super::super::node::Mask;
use crate::pose::mask_of_branches;
use crate::sample::Skeleton;

pub(super) fn joint(owner: &str, skeleton: &Skeleton, name: &str) -> Result<u16, GraphError> {
    let unknown = || GraphError::UnknownJoint { owner: owner.to_string(), joint: name.to_string() };
    skeleton.joint_named(name).ok_or_else(unknown)
}

pub(super) fn compile_mask(mask: &MaskDef, skeleton: &Skeleton) -> Result<Mask, GraphError> {
    let owner = format!("mask \"{}\"", mask.name);
    let branches = mask
        .branches
        .iter()
        .map(|branch| Ok((joint(&owner, skeleton, &branch.joint)?, branch.weight)))
        .collect::<Result<Vec<_>, GraphError>>()?;
    branch_mask(&mask.name, &owner, skeleton, mask.default, &branches)
}

pub(super) fn branch_mask(
    name: &str,
    owner: &str,
    skeleton: &Skeleton,
    default: f32,
    branches: &[(u16, f32)],
) -> Result<Mask, GraphError> {
    for (index, (twice, _)) in branches.iter().enumerate() {
        if branches[..index].iter().any(|(other, _)| other == twice) {
            let joint = skeleton.names()[usize::from(*twice)].clone();
            return Err(GraphError::JointTwice { owner: owner.to_string(), joint });
        }
    }
    let rows = mask_of_branches(skeleton.parents(), default, branches)
        .map_err(|error| GraphError::Mask { mask: name.to_string(), error })?;
    let max = rows.iter().flat_map(|row| row.0).fold(0.0, f32::max);
    Ok(Mask { name: name.to_string(), rows, max })
}
