//! `kind = "rect"`.

use super::LightKind;
use super::area::{LUMINANCE_NITS, TWO_SIDED};
use crate::scene::fields::Case;
use crate::scene::key::{Key, numbers, optional, rows};
use crate::scene::schema::{POSITIVE, Type, Variant};

const SIZE_M: Key<[f32; 2]> =
    numbers("size_m", &[1.0, 1.0], POSITIVE, "Width along its X axis and height along its Y axis.").moves();

pub(super) const TEXTURE: Key<Option<String>> = optional(
    "texture",
    Type::File,
    "none",
    "A picture that it shows, as seen from the side it shines to: `.png`, `.jpg`, `.hdr` or `.exr`. It multiplies the luminance; alpha is ignored.",
);

pub(super) const CASE: Case<LightKind> = Case {
    variant: Variant {
        word: "rect",
        doc: "Light from a rectangle across its Z axis.",
        keys: rows! { LUMINANCE_NITS, SIZE_M, TWO_SIDED, TEXTURE },
    },
    blank: || LightKind::Rect { luminance_nits: 0.0, size_m: [1.0; 2], two_sided: false, texture: None },
    fields: |on, light| {
        let LightKind::Rect { luminance_nits, size_m, two_sided, texture: _ } = light else { return false };
        on.field(LUMINANCE_NITS, luminance_nits);
        on.field(SIZE_M, size_m);
        on.field(TWO_SIDED, two_sided);
        true
    },
};
