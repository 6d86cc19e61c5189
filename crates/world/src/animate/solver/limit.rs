//! Limit: how far joints of a chain may turn or bend.

use glam::Vec3;
use stillframe_anim::ik::{JointLimit, Limit};

use super::Fault;
use super::chain::Names;
use crate::scene::{BendDef, LimitDef, LimitKind};

/// One for each joint but the tip, about the rest pose.
pub fn limits(names: Names<'_>, chain: &[u16], defs: &[LimitDef]) -> Result<Vec<JointLimit>, Fault> {
    if defs.is_empty() {
        return Ok(Vec::new());
    }
    let mut out = vec![JointLimit::FREE; chain.len() - 1];
    for def in defs {
        let at = turning(names, chain, 0, &def.joint)?;
        let (axis, radians) = (Vec3::from(def.axis), |degrees: f64| degrees.to_radians() as f32);
        let limit = match def.kind {
            LimitKind::Hinge { range_deg: [min, max] } => {
                Limit::Hinge { axis, min_rad: radians(min), max_rad: radians(max) }
            }
            LimitKind::Cone { swing_max_deg, twist_deg: [min, max] } => Limit::Cone {
                axis,
                swing_max_rad: radians(swing_max_deg),
                twist_min_rad: radians(min),
                twist_max_rad: radians(max),
            },
        };
        out[at] = JointLimit { rest: names.0.rest()[usize::from(chain[at])].rotation.normalize(), limit };
    }
    Ok(out)
}

/// One for each joint but the first and the tip.
pub fn bends(names: Names<'_>, chain: &[u16], defs: &[BendDef]) -> Result<Vec<f32>, Fault> {
    let mut out = vec![std::f32::consts::PI; chain.len() - 2];
    for def in defs {
        out[turning(names, chain, 1, &def.joint)?] = def.max_deg.to_radians() as f32;
    }
    Ok(out)
}

/// Where a joint of a chain is in it, of those from `first` to the one before the tip.
fn turning(names: Names<'_>, chain: &[u16], first: usize, name: &str) -> Result<usize, Fault> {
    let joint = names.named(name)?;
    let limited = &chain[first..chain.len() - 1];
    limited.iter().position(|own| *own == joint).ok_or_else(|| {
        let turning: Vec<&str> = limited.iter().map(|own| names.0.names()[usize::from(*own)].as_str()).collect();
        Fault::Chain(format!("a solver limits \"{name}\", which it does not move; it can limit {}", turning.join(", ")))
    })
}
