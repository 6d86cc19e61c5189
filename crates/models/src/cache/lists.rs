//! Lists: the long ones of a ready model, which are most of its bytes.

use std::any::Any;

use bytemuck::Pod;

use super::Ready;
use crate::asset::{Geometry, Image, Texels};
use crate::import::ModelGeometry;

/// Values without padding, which can be written and read as they lie in memory.
pub trait List: Any + Send {
    fn len(&self) -> usize;
    fn bytes(&self) -> &[u8];
    /// Leaves nothing behind.
    fn take(&mut self) -> Box<dyn List>;
    /// Puts back what was taken from a list like this one.
    fn put(&mut self, taken: Box<dyn List>);
    /// `len` zeros to be read over.
    fn room(&mut self, len: usize) -> &mut [u8];
    fn value_bytes(&self) -> usize;
}

impl<T: Pod + Send> List for Vec<T> {
    fn len(&self) -> usize {
        self.len()
    }

    fn bytes(&self) -> &[u8] {
        bytemuck::cast_slice(self)
    }

    fn take(&mut self) -> Box<dyn List> {
        Box::new(std::mem::take(self))
    }

    fn put(&mut self, taken: Box<dyn List>) {
        let taken: Box<dyn Any> = taken;
        *self = *taken.downcast().expect("lists are visited in one order");
    }

    fn room(&mut self, len: usize) -> &mut [u8] {
        *self = bytemuck::zeroed_vec(len);
        bytemuck::cast_slice_mut(self)
    }

    fn value_bytes(&self) -> usize {
        size_of::<T>()
    }
}

/// Visits all of them, in one order that depends on the rest of the model alone.
pub fn visit<'a>(ready: &'a mut Ready, f: &mut dyn FnMut(&'a mut dyn List)) {
    for ModelGeometry { surface, influences, targets, sources } in &mut ready.model.geometries {
        visit_geometry(surface, f);
        f(&mut influences.starts);
        f(&mut influences.joints);
        f(&mut influences.weights);
        f(&mut influences.dual_shares);
        for target in targets {
            f(&mut target.vertices);
            f(&mut target.positions);
            f(&mut target.normals);
            f(&mut target.tangents);
        }
        f(sources);
    }
    for completed in ready.completed.values_mut() {
        visit_geometry(&mut completed.geometry, f);
    }
    for Image { texels, levels, .. } in &mut ready.model.images {
        for texels in std::iter::once(texels).chain(levels) {
            match texels {
                Texels::Rgba8(list) => f(list),
                Texels::Rgba16(list) => f(list),
                Texels::Rgba32Float(list) => f(list),
            }
        }
    }
}

fn visit_geometry<'a>(geometry: &'a mut Geometry, f: &mut dyn FnMut(&'a mut dyn List)) {
    let Geometry { positions, normals, tangents, uv0, uv1, colors, indices, bounds: _ } = geometry;
    f(positions);
    f(normals);
    f(tangents);
    f(uv0);
    f(uv1);
    f(colors);
    f(indices);
}
