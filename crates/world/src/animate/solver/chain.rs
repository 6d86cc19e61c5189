//! Chain: joints of a skeleton by name, and by who is above whom.

use stillframe_anim::ik::{AimJoint, CHAIN_MAX};
use stillframe_anim::pose::NO_PARENT;
use stillframe_anim::sample::Skeleton;

use super::Fault;
use crate::scene::{ChainDef, JointShare};

/// The joints of a skeleton.
#[derive(Clone, Copy)]
pub struct Names<'a>(pub &'a Skeleton);

impl Names<'_> {
    pub fn named(self, name: &str) -> Result<u16, Fault> {
        self.0.joint_named(name).ok_or_else(|| Fault::Unknown(name.to_string()))
    }

    pub fn parent(self, joint: u16) -> Result<u16, Fault> {
        match self.0.parents()[usize::from(joint)] {
            NO_PARENT => Err(Fault::Chain(format!("\"{}\" has no parent", self.0.names()[usize::from(joint)]))),
            parent => Ok(parent),
        }
    }

    /// The grandparent of a joint, its parent, and the joint.
    pub fn leg(self, end: &str) -> Result<[u16; 3], Fault> {
        let end = self.named(end)?;
        let middle = self.parent(end)?;
        Ok([self.parent(middle)?, middle, end])
    }

    /// From the root of a chain to its tip.
    pub fn between(self, chain: &ChainDef) -> Result<Vec<u16>, Fault> {
        let (root, tip) = (&chain.root, &chain.tip);
        let (root_joint, tip_joint) = (self.named(root)?, self.named(tip)?);
        let mut chain = vec![tip_joint];
        while let Some(joint) = chain.last().copied().filter(|joint| *joint != root_joint) {
            let up = self.parent(joint).map_err(|_| Fault::Chain(format!("\"{tip}\" is not below \"{root}\"")))?;
            chain.push(up);
        }
        if !(3..=CHAIN_MAX).contains(&chain.len()) {
            let message =
                format!("from \"{root}\" to \"{tip}\" there are {} joints; 3 to {CHAIN_MAX} are allowed", chain.len());
            return Err(Fault::Chain(message));
        }
        chain.reverse();
        Ok(chain)
    }

    /// Joints that turn by shares, then the one that turns by what is left: each below the one before.
    pub fn sharing(self, shares: &[JointShare], last: &str) -> Result<Vec<u16>, Fault> {
        let names = shares.iter().map(|share| share.joint.as_str()).chain([last]);
        let chain = names.map(|name| self.named(name)).collect::<Result<Vec<u16>, Fault>>()?;
        for pair in chain.windows(2) {
            let mut above = self.parent(pair[1]);
            while above.as_ref().is_ok_and(|above| *above != pair[0]) {
                above = above.and_then(|joint| self.parent(joint));
            }
            if above.is_err() {
                let [above, below] = [pair[0], pair[1]].map(|joint| &self.0.names()[usize::from(joint)]);
                return Err(Fault::Chain(format!("\"{below}\" is not below \"{above}\"")));
            }
        }
        Ok(chain)
    }
}

/// Joints that turn by shares, the last one by all that is left.
pub fn turning(chain: &[u16], shares: &[JointShare]) -> Vec<AimJoint> {
    let weights = shares.iter().map(|share| share.weight).chain([1.0]);
    chain.iter().zip(weights).map(|(&joint, weight)| AimJoint { joint, weight }).collect()
}
