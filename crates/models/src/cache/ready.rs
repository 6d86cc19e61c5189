//! Ready: a model whose geometry is made complete as far as its own materials say how.

use std::collections::{BTreeMap, BTreeSet};

use crate::asset::Geometry;
use crate::bake::{Completed, TangentWish, complete};
use crate::import::Model;

/// A model, and what was baked of it ahead of time.
#[derive(Clone, Debug, Default, PartialEq, serde::Serialize, serde::Deserialize)]
pub struct Ready {
    pub model: Model,
    /// By position in `Model::geometries` and the tangents that a material wants: every geometry that a node shows
    /// unbent, with the node's own material.
    pub completed: BTreeMap<(usize, TangentWish), Completed>,
    /// Whether surfaces that nothing bends are left out of `model`.
    pub lean: bool,
}

impl Ready {
    /// Nothing is baked, nothing is left out.
    pub fn raw(model: Model) -> Ready {
        Ready { model, ..Ready::default() }
    }

    /// Bakes what nodes show unbent, and leaves out what nothing can bend.
    pub fn baked(mut model: Model) -> Ready {
        let mut wishes = BTreeSet::new();
        let mut bends = vec![false; model.geometries.len()];
        for node in &model.nodes {
            for part in &node.parts {
                bends[part.geometry] |= node.skin.is_some() || !model.geometries[part.geometry].targets.is_empty();
                if node.skin.is_none() {
                    wishes.insert((part.geometry, TangentWish::of(&model.materials[part.material])));
                }
            }
        }
        let mut completed = BTreeMap::new();
        let mut wishes = wishes.into_iter().peekable();
        while let Some((geometry, wish)) = wishes.next() {
            let again = bends[geometry] || wishes.peek().is_some_and(|(next, _)| *next == geometry);
            let surface = &mut model.geometries[geometry].surface;
            let surface = if again { surface.clone() } else { std::mem::take(surface) };
            completed.insert((geometry, wish), complete(surface, wish));
        }
        for (geometry, bends) in model.geometries.iter_mut().zip(bends) {
            if !bends {
                geometry.surface = Geometry::default();
            }
        }
        Ready { model, completed, lean: true }
    }
}
