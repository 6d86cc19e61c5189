//! Shade: the screens that shade what is stored of surfaces, one for each way in which they are lit.

use std::collections::BTreeSet;

use super::job::Job;
use super::lit::Lit;
use super::object::Objects;
use crate::frame::{Items, Plan, ViewId};
use crate::material::{Key, ShadedValues, emit, shade_key, shaded_values};

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
        list.items == Items::Stored && list.view == camera
    });
    let batches = stored.flat_map(|id| &objects.lists[id.0]);
    let keys: BTreeSet<Key> = batches.map(|batch| shade_key(&batch.key, lit.switches)).collect();
    let made = |key: Key| Shade { text: emit(&key), values: shaded_values(&key, job.store), key };
    keys.into_iter().map(made).collect()
}
