//! Parts: skins of several meshes on the joints of one skeleton.

use super::{FigureError, PartJoint};
use crate::pose::{Affine, Palette};
use crate::sample::Skeleton;
use stillframe_base::lanes::Isa;

/// A skin as a file has it: joints by name, and how the mesh was bound.
#[derive(Clone, Copy, Debug)]
pub struct RawPart<'a> {
    pub name: &'a str,
    pub joints: &'a [&'a str],
    /// One a joint.
    pub inverse_binds: &'a [Affine],
}

/// A part and its place in the palette of all.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Part {
    pub name: String,
    pub palette: std::ops::Range<usize>,
}

/// Parts on the skeleton of a leader: their palettes lie one behind the other and are made by one job from one model
/// pose.
#[derive(Clone, Debug, PartialEq)]
pub struct Figure {
    parts: Vec<Part>,
    /// The leader's joint for each entry of the palette.
    joints: Vec<u16>,
    inverse_binds: Vec<Affine>,
}

impl Figure {
    /// Finds every part's joints in the leader by name. Parts keep their order.
    ///
    /// Errors: [`FigureError::Missing`] and [`FigureError::Ambiguous`] with all such joints of all parts; a part is
    ///         never linked by half
    /// (D3).
    pub fn new(leader: &Skeleton, parts: &[RawPart<'_>]) -> Result<Figure, FigureError> {
        let mut figure = Figure { parts: Vec::new(), joints: Vec::new(), inverse_binds: Vec::new() };
        let (mut missing, mut ambiguous) = (Vec::new(), Vec::new());
        for part in parts {
            if part.inverse_binds.len() != part.joints.len() {
                let (count, want) = (part.inverse_binds.len(), part.joints.len());
                return Err(FigureError::Binds { part: part.name.to_owned(), count, want });
            }
            let first = figure.joints.len();
            for joint in part.joints {
                let unfit = || PartJoint { part: part.name.to_owned(), joint: (*joint).to_owned() };
                let mut found = (0..).zip(leader.names()).filter(|(_, own)| own == joint).map(|(number, _)| number);
                match (found.next(), found.next()) {
                    (Some(number), None) => figure.joints.push(number),
                    (None, _) => missing.push(unfit()),
                    _ => ambiguous.push(unfit()),
                }
            }
            figure.inverse_binds.extend(part.inverse_binds);
            figure.parts.push(Part { name: part.name.to_owned(), palette: first..first + part.joints.len() });
        }
        if !missing.is_empty() {
            return Err(FigureError::Missing(missing));
        }
        if !ambiguous.is_empty() {
            return Err(FigureError::Ambiguous(ambiguous));
        }
        // Vertices number them in 16 bits.
        let (count, max) = (figure.joints.len(), 1 << 16);
        if count > max { Err(FigureError::JointCount { count, max }) } else { Ok(figure) }
    }

    pub fn parts(&self) -> &[Part] {
        &self.parts
    }
    /// The leader's joint for each entry of the palette.
    pub fn joints(&self) -> &[u16] {
        &self.joints
    }
    /// One an entry of the palette.
    pub fn inverse_binds(&self) -> &[Affine] {
        &self.inverse_binds
    }
    /// For other proportions: as many as there are.
    pub fn inverse_binds_mut(&mut self) -> &mut [Affine] {
        &mut self.inverse_binds
    }

    /// The one job that makes the palettes of all parts. A part's own is `palette[part.palette]`.
    pub fn palette<'a>(&'a self, isa: Isa, models: &'a [Affine], palette: &'a mut [Affine]) -> Palette<'a> {
        Palette { isa, models, joints: &self.joints, inverse_binds: &self.inverse_binds, palette }
    }
}
