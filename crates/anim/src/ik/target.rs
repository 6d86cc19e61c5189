//! Target: one point for several that pull at the same tip.

use glam::{DVec3, Vec3};

/// The mean of points by their weights, in f64: a tip that several targets pull at is nearer to those that pull more.
///
/// Weights are not negative, and their sum is more than 0; else the mean of nothing is the origin.
///
/// Source: book section 5.1, "one to many", without a formula: the mean is where pulls in proportion to weight and distance hold each other.
pub fn weighted_target(targets: impl IntoIterator<Item = (Vec3, f32)>) -> Vec3 {
    let (mut sum, mut weights) = (DVec3::ZERO, 0.0);
    for (point, weight) in targets {
        sum += point.as_dvec3() * f64::from(weight);
        weights += f64::from(weight);
    }
    if weights > 0.0 { (sum / weights).as_vec3() } else { Vec3::ZERO }
}
