//! Straight: the two cases in which a chain that is a line needs help.

use glam::Vec3;

use super::chain::Chain;
use super::turn::{across, arc, length, perpendicular, turn, unit};

/// Points this near to a line, of the chain's length, are on it.
const ON_LINE: f32 = 1e-4;
/// How far joints of a blind chain are bent.
const BEND_RAD: f32 = 0.15;

/// Turns every bone to the target, where it is as far as the chain is long, or farther. Says whether it was.
pub fn lay_straight(chain: &mut Chain, target: Vec3) -> bool {
    let to_target = target - chain.position[0];
    let Some(along) = unit(to_target) else { return false };
    if length(to_target) < chain.length() {
        return false;
    }
    for i in 0..chain.count - 1 {
        if let Some(bone) = unit(chain.position[i + 1] - chain.position[i]) {
            chain.turn(i, arc(bone, along, Vec3::ZERO));
        }
    }
    true
}

/// Bends a chain that lies on the line to a target within its length: there every turn towards the target is a turn by
/// nothing, and neither CCD nor FABRIK would ever move. Bends towards `pole`, or a fixed direction across the line.
/// Says whether it bent.
pub fn bend_blind(chain: &mut Chain, target: Vec3, pole: Vec3) -> bool {
    let whole = chain.length();
    let (root, to_target) = (chain.position[0], target - chain.position[0]);
    let Some(along) = unit(to_target).or_else(|| unit(chain.end() - root)) else { return false };
    let is_off = |p: &Vec3| length((*p - root).cross(along)) > ON_LINE * whole;
    if chain.count < 3 || length(to_target) >= whole || chain.position[..chain.count].iter().any(is_off) {
        return false;
    }
    let axis = along.cross(across(pole, along).unwrap_or_else(|| perpendicular(along)));
    chain.turn(0, turn(axis, BEND_RAD));
    for i in 1..chain.count - 1 {
        chain.turn(i, turn(axis, -BEND_RAD));
    }
    true
}
