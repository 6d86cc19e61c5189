//! Error: why parts, bodies or names do not fit a skeleton.

use std::fmt;

use crate::pose::JobError;

/// A joint by name, and the part that names it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PartJoint {
    pub part: String,
    pub joint: String,
}

/// What does not fit.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
pub enum FigureError {
    /// A length or a number.
    #[error(transparent)]
    Job(#[from] JobError),
    #[error("part `{part}`: {count} inverse bind matrices for {want} joints")]
    Binds { part: String, count: usize, want: usize },
    /// All that is missing, in all parts.
    #[error("the skeleton has no joint {}", List(.0))]
    Missing(Vec<PartJoint>),
    /// Joints of a part whose name two joints of the skeleton have.
    #[error("the skeleton has more than one joint {}", List(.0))]
    Ambiguous(Vec<PartJoint>),
    #[error("{count} joints in all parts, of at most {max}")]
    JointCount { count: usize, max: usize },
    /// A joint of no size at rest cannot be undone.
    #[error("joint {joint}: its matrix at rest has no inverse")]
    Singular { joint: usize },
    /// A name of a rule that neither skeleton has, or has twice.
    #[error("a rule names `{name}`, which {count} joints are called")]
    Rule { name: String, count: usize },
    /// Two joints of a skeleton that rules make one.
    #[error("joints `{first}` and `{second}` have one name by the rules")]
    SameName { first: String, second: String },
}

struct List<'a>(&'a [PartJoint]);

impl fmt::Display for List<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (n, PartJoint { part, joint }) in self.0.iter().enumerate() {
            write!(f, "{}`{joint}` of part `{part}`", if n == 0 { "" } else { ", " })?;
        }
        Ok(())
    }
}
