//! Solvers against forward kinematics: what a job says is checked by the positions that the matrices of its pose give.

#[path = "ik/aim.rs"]
mod aim;
#[path = "ik/ccd.rs"]
mod ccd;
#[path = "ik/compare.rs"]
mod compare;
#[path = "ik/copy_rotation.rs"]
mod copy_rotation;
#[path = "ik/errors.rs"]
mod errors;
#[path = "ik/fabrik.rs"]
mod fabrik;
#[path = "ik/foot.rs"]
mod foot;
#[path = "ik/jacobian.rs"]
mod jacobian;
#[path = "ik/puppet.rs"]
mod puppet;
#[path = "ik/target.rs"]
mod target;
#[path = "ik/twist.rs"]
mod twist;
#[path = "ik/two_bone.rs"]
mod two_bone;
