//! Post effects: what becomes of a picture after it is drawn and before it is encoded, as rows of a table.
//!
//! In: nothing. Out: of each effect its name, its parameters, the stages that it is drawn in, and their WGSL. Never
//! here: scenes, targets, passes, wgpu.
//!
//! An effect is one file with its row, its WGSL next to it, and its line in `effects!`.

mod occlusion;
mod row;
mod table;
mod text;
mod values;

pub use row::{Effect, Param, ParamKind, Reach, Read, Space, Stage};
pub use table::Table;
pub use text::text;
pub use values::Values;

/// The table: the file of each effect's row.
macro_rules! effects {
    ($($file:ident),+ $(,)?) => {
        $(mod $file;)+

        /// Every effect.
        pub const EFFECTS: &[Effect] = &[$($file::ROW),+];
    };
}

effects! {
    blend,
    gtao,
    ssao,
    ssr,
    exposure,
    auto_exposure,
    white_balance,
    channel_mixer,
    cdl,
    lift_gamma_gain,
    curves,
    lut,
    adjust,
    gray,
    sepia,
    flash,
    fog,
    volumetric_fog,
    underwater,
    depth_of_field,
    motion_blur,
    bloom,
    light_shafts,
    lens_flare,
    blur,
    bilateral,
    radial_blur,
    tilt_shift,
    distortion,
    aberration,
    vignette,
    sharpen,
    fxaa,
    smaa,
    taa,
    afterimage,
    outline,
    kuwahara,
    pixelate,
    posterize,
    halftone,
    scanlines,
    crt,
    glitch,
    screen_roll,
    grain,
    old_film,
    dither,
    false_color,
    thermal,
    night_vision,
}

/// Place in [`EFFECTS`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct EffectId(u8);

impl EffectId {
    /// The effect that puts two pictures together.
    pub const BLEND: EffectId = EffectId(0);

    pub fn all() -> impl Iterator<Item = EffectId> {
        (0..EFFECTS.len() as u8).map(EffectId)
    }

    pub fn of_name(name: &str) -> Option<EffectId> {
        EffectId::all().find(|id| id.row().name == name)
    }

    pub fn row(self) -> &'static Effect {
        &EFFECTS[usize::from(self.0)]
    }
}
