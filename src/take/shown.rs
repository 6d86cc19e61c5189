//! Shown: what is to be drawn, what comes of it, and which views surfaces show.
//!
//! In: shots and the store they point into. Out: plain data. Never here: drawing.

use std::collections::{BTreeMap, BTreeSet};
use std::ops::Range;
use std::sync::Arc;

use stillframe_base::tick::Tick;

use super::{Capture, PassCapture, Stats, Texels};
use crate::asset::{AlphaMode, Image, MaterialId, Store};
use crate::render::{Colour, History, Sums};
use crate::scene::{Aov, Output, Scene, SceneEffect};
use crate::view::{DrawItem, Shot};
use crate::world::Placed;

/// What is to be drawn.
#[derive(Clone)]
pub struct Asked<'a> {
    pub now: &'a Placed,
    pub scene: &'a Scene,
    /// Of each eye.
    pub output: &'a Output,
    /// Whether it is drawn in tiles where it is large, or where that is asked for. Textures are drawn at once.
    pub in_tiles: bool,
    /// The rows of its picture that are wanted; `None`: all of them.
    pub rows: Option<Range<u32>>,
    /// Where pixels are looked at, from their centres.
    pub shift_px: [f32; 2],
    /// Light that takes the place of what is seen.
    pub sums: Option<Sums<'a>>,
    pub colour: Colour,
    pub layers: &'a [String],
    pub capture: Capture,
    /// What becomes of it after it is drawn.
    pub effects: &'a [SceneEffect],
    /// What effects have left one frame before, by eye; what they leave now is wanted.
    pub history: Option<&'a [History]>,
}

/// What comes of it.
pub enum Outcome {
    Drawn(EyesDrawn),
    /// The text form of a link, where that was wanted.
    Text(String),
    /// Layers of light from around, whose energy is wanted.
    Levels(Vec<Aov>),
}

/// Layers by name of each eye.
#[derive(Default)]
pub struct EyesDrawn {
    pub eyes: Vec<BTreeMap<String, Arc<Texels>>>,
    pub captures: Vec<PassCapture>,
    pub stats: Stats,
    /// What effects have left, by eye, if that was wanted.
    pub history: Vec<History>,
}

impl EyesDrawn {
    /// With what other eyes see.
    pub fn add(&mut self, other: EyesDrawn) {
        let EyesDrawn { eyes, captures, stats, history } = other;
        self.history.extend(history);
        self.eyes.extend(eyes);
        self.captures.extend(captures);
        self.stats = if self.eyes.len() == 1 { stats } else { self.stats.clone().and(stats) };
    }
}

/// What earlier pictures have left.
#[derive(Debug, Default)]
pub struct Seen {
    /// Of views, by view and moment.
    pub pictures: BTreeMap<(usize, Tick), Arc<Image>>,
    /// How many were drawn for the present picture.
    pub count: u32,
    pub replayed: Option<Replayed>,
}

/// What a frame has left, for the next one.
#[derive(Debug)]
pub struct Replayed {
    /// The number of the first frame that it comes from.
    pub first: i64,
    pub moment: Tick,
    /// By eye.
    pub history: Vec<History>,
}

/// Views that surfaces of a shot show.
pub fn views_in(shot: &Shot, store: &Store) -> BTreeSet<usize> {
    let is_cut = |id: MaterialId| store.material(id).alpha_mode != AlphaMode::Opaque;
    let seen = shot.opaque.iter().chain(&shot.blended).chain(&shot.functions).map(|item| item.material);
    let is_veiled = shot.lights.iter().any(|light| light.shadow.is_some_and(|shadow| shadow.transparent));
    let veils = shot.veils.iter().filter(|_| is_veiled);
    let material = |item: &DrawItem| item.material;
    let casters = shot.casters.iter().map(material).filter(|id| is_cut(*id)).chain(veils.map(material));
    let materials: BTreeSet<MaterialId> = seen.chain(casters).collect();
    materials.into_iter().flat_map(|id| store.views_on(id)).collect()
}

/// Takes what a view hides out of what it sees. Surfaces that show a mirror are no part of what is seen in it.
pub fn leave_out(shots: &mut [Shot], at: usize, now: &Placed) {
    let (view, world) = (&now.scene.views[at], &now.world);
    let is_hidden = |path: &str| view.hide.iter().any(|name| is_below(path, name));
    let is_left_out = |item: &DrawItem| {
        let shows_itself = || view.kind.is_mirror() && world.store.views_on(item.material).any(|view| view == at);
        is_hidden(&world.object_names[item.object_id as usize - 1]) || shows_itself()
    };
    for shot in shots {
        for items in [&mut shot.opaque, &mut shot.blended] {
            items.retain(|item| !is_left_out(item));
        }
    }
}

/// Whether a path of names goes through the node of a name.
fn is_below(path: &str, name: &str) -> bool {
    let ends = path.match_indices(name).map(|(start, _)| (start, start + name.len()));
    let is_at = |at: Option<u8>| at.is_none_or(|byte| byte == b'/');
    ends.into_iter().any(|(start, end)| {
        is_at(start.checked_sub(1).map(|before| path.as_bytes()[before])) && is_at(path.as_bytes().get(end).copied())
    })
}
