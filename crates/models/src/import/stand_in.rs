//! Stand-in: what is shown in place of a picture that is missing or broken.
//!
//! One rule for every format. A base colour shows squares of magenta and black, which nobody takes for the real
//! picture. Every other use of a picture gets what changes the surface least: no emitted light, not metal, the
//! material's own roughness, no bumps, no occlusion, opaque. A warning names the picture.

use super::{Budget, Fault, Model, code};
use crate::asset::{Image, Texels};

/// Texels of a side, and of a side of a square.
const SIDE_PX: u32 = 64;
const SQUARE_PX: u32 = 8;

/// The squares of a model, made when they are first wanted.
#[derive(Clone, Copy, Debug, Default)]
pub struct StandIn(Option<usize>);

impl StandIn {
    /// The position in `model.images`.
    pub fn image(&mut self, model: &mut Model, budget: &mut Budget) -> Result<usize, Fault> {
        if let Some(position) = self.0 {
            return Ok(position);
        }
        budget.spend_picture(u64::from(SIDE_PX) * u64::from(SIDE_PX) * 4, "the stand-in for a missing picture")?;
        model.images.push(squares());
        self.0 = Some(model.images.len() - 1);
        Ok(model.images.len() - 1)
    }
}

fn squares() -> Image {
    let texel = |place: u32| {
        let (x, y) = (place % SIDE_PX, place / SIDE_PX);
        if (x / SQUARE_PX + y / SQUARE_PX).is_multiple_of(2) { [255, 0, 255, 255] } else { [0, 0, 0, 255] }
    };
    let texels = (0..SIDE_PX * SIDE_PX).flat_map(texel).collect();
    Image {
        name: "missing picture".to_string(),
        width_px: SIDE_PX,
        height_px: SIDE_PX,
        texels: Texels::Rgba8(texels),
        levels: Vec::new(),
    }
}

/// The warning about a picture: `what` names it, `why` says what is wrong with it.
pub fn warning(what: impl std::fmt::Display, why: Fault) -> Fault {
    let help = why
        .help
        .unwrap_or_else(|| "put the picture next to the model, or export again with embedded pictures".to_string());
    let message = format!("{what} cannot be read; using a stand-in: {}", why.message);
    Fault::new(code::PICTURE_MISSING, message).help(help)
}
