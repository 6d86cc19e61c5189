//! Cube: six maps about a lamp.

use super::row::{MapLayout, Serves, ShadowRow};
use super::tent3::TENT;

pub const ROW: ShadowRow = ShadowRow {
    name: "cube",
    doc: "Six maps about the light, one for each side of a cube, wherever it stands; sides that show no shadow are not drawn.",
    formula: "as `tent3`, in the map of the direction's longest axis",
    source: "Gerasimov 2004",
    serves: Serves::FromPoint,
    layout: MapLayout::Sides,
    needs: &[TENT],
    text: "fn shadow_cube(maps: texture_depth_2d_array, p: MapPoint) -> f32 {\n    return shadow_tent3(maps, p);\n}\n",
    ..ShadowRow::DEPTH
};
