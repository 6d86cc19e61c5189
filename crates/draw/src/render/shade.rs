//! Shade: the screens that shade what is stored of surfaces, one for each way in which they are lit.

use std::collections::BTreeSet;

use super::job::Job;
use super::lit::Lit;
use super::object::Objects;
use crate::frame::{Plan, ViewId};
use crate::material::{Key, ShadedValues, Variant, emit, shade_key, shaded_values, sums_key};

#[derive(Clone, Debug, PartialEq)]
pub struct Shade {
    pub key: Key,
    pub text: String,
    /// What it reads of materials.
    pub values: Option<ShadedValues>,
}

/// Screens of a camera, in the order of their keys.
pub fn shades(job: &Job<'_>, plan: &Plan, objects: &Objects, (camera, lit): (ViewId, &Lit)) -> Vec<Shade> {
    let stored = plan.drawn().filter(|id| {
        let list = &plan.lists[id.0];
        matches!(list.variant, Variant::Store(_)) && list.view == camera
    });
    let batches = stored.flat_map(|id| &objects.lists[id.0]);
    let batches = batches.filter(|batch| matches!(batch.key.variant, Variant::Store(_)));
    let keys: BTreeSet<Key> = match lit.sums {
        None => batches.map(|batch| shade_key(&batch.key, lit.switches)).collect(),
        Some(sums) => batches.map(|_| sums_key(sums, lit.switches)).collect(),
    };
    let made = |key: Key| Shade { text: emit(&key), values: shaded_values(&key, job.store), key };
    keys.into_iter().map(made).collect()
}
