//! Packed: a primitive whose attributes and indices lie in one compressed view.

use super::accessor::Accessor;
use super::json::At;

/// A primitive, unpacked.
pub struct Packed<'a> {
    /// Three a triangle.
    pub indices: Vec<u32>,
    /// By their names in glTF.
    pub attributes: Vec<(&'static str, Accessor<'a>)>,
}

impl<'a> Packed<'a> {
    /// An attribute by its name in glTF.
    pub fn attribute(&self, name: &str) -> Option<Accessor<'a>> {
        self.attributes.iter().find(|(own, _)| *own == name).map(|(_, accessor)| accessor.clone())
    }
}

/// What says that a primitive is packed; absent where it is not.
pub fn extension(primitive: At<'_>) -> At<'_> {
    primitive.key("extensions").key("KHR_draco_mesh_compression")
}
