//! What lights with an area share.

use crate::scene::key::{Key, flag, number};
use crate::scene::schema::NOT_NEGATIVE;

pub(super) const LUMINANCE_NITS: Key<f32> = number(
    "luminance_nits",
    10.0,
    NOT_NEGATIVE,
    "Luminance of the light's surface, candela per square metre, the same in all directions.",
)
.moves();
pub(super) const TWO_SIDED: Key<bool> = flag("two_sided", false, "Whether its back shines, too.");
