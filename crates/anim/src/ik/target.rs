//! Target: one point, or one turn, for several that pull at the same tip.

use glam::{DQuat, DVec3, Quat, Vec3};

/// The mean of points by their weights, in f64: a tip that several targets pull at is nearer to those that pull more.
///
/// Weights are not negative, and their sum is more than 0; else the mean of nothing is the origin.
///
/// Source: book section 5.1, "one to many", without a formula: the mean is where pulls in proportion to weight and
/// distance hold each other.
pub fn weighted_target(targets: impl IntoIterator<Item = (Vec3, f32)>) -> Vec3 {
    let (mut sum, mut weights) = (DVec3::ZERO, 0.0);
    for (point, weight) in targets {
        sum += point.as_dvec3() * f64::from(weight);
        weights += f64::from(weight);
    }
    if weights > 0.0 { (sum / weights).as_vec3() } else { Vec3::ZERO }
}

/// The mean of unit rotations by their weights, each the way round that is nearer to the first one, in f64; no turn
/// where they take each other away.
pub fn weighted_turn(turns: impl IntoIterator<Item = (Quat, f32)>) -> Quat {
    let mut sum = DQuat::from_xyzw(0.0, 0.0, 0.0, 0.0);
    let mut first = None;
    for (turn, weight) in turns {
        let turn = turn.as_dquat();
        let first = *first.get_or_insert(turn);
        let turn = if turn.dot(first) < 0.0 { -turn } else { turn };
        sum += turn * f64::from(weight);
    }
    let length = sum.length();
    if length > 1e-9 { (sum * (1.0 / length)).as_quat() } else { Quat::IDENTITY }
}
