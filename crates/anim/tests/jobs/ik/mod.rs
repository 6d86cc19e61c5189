//! Solvers against forward kinematics: what a job says is checked by the positions that the matrices of its pose give.

mod aim;
mod ccd;
mod chain;
mod compare;
mod copy_rotation;
mod errors;
mod fabrik;
mod foot;
mod jacobian;
mod puppet;
mod target;
mod twist;
mod two_bone;
