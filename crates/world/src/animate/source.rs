//! Source: what a clip of a rig is played from: the model's own file, or another body, whose joints it follows by name.

use std::sync::Arc;

use stillframe_anim::Property;
use stillframe_anim::sample::DTrs;
use stillframe_base::tick::Tick;

use super::borrow::Borrowed;
use super::lender::{Lender, length_of};
use crate::import::Model;
use crate::pose::{MorphPlace, Playing, key_times, locals, morph_weights, pose};

/// Where a clip comes from. The model is always the one that plays it.
#[derive(Clone, Debug)]
pub enum Source {
    /// Position in `Model::clips`.
    Own(usize),
    Borrowed(Arc<Borrowed>),
}

impl Source {
    pub fn length(&self, model: &Model) -> Tick {
        match self {
            Source::Own(clip) => length_of(model, *clip),
            Source::Borrowed(borrowed) => borrowed.lender.length(),
        }
    }

    /// As its own file calls it.
    pub fn name<'a>(&'a self, model: &'a Model) -> &'a str {
        match self {
            Source::Own(clip) => &model.clips[*clip].name,
            Source::Borrowed(borrowed) => match &borrowed.lender {
                Lender::Model(lender) => &lender.clips[0].name,
                Lender::File(_) => "of the file",
            },
        }
    }

    /// Moments of its keys, from its start, in order, each once; none of a compressed clip, which has frames.
    pub fn key_times(&self, model: &Model) -> Vec<Tick> {
        match self {
            Source::Own(clip) => key_times(&model.clips[*clip]),
            Source::Borrowed(borrowed) => match &borrowed.lender {
                Lender::Model(lender) => key_times(&lender.clips[0]),
                Lender::File(_) => Vec::new(),
            },
        }
    }

    /// Every node relative to its parent, so many ticks from the clip's start.
    pub fn locals(&self, model: &Model, at: Tick) -> Vec<DTrs> {
        match self {
            Source::Own(clip) => locals(model, &[Playing { clip: *clip, time: at }]),
            Source::Borrowed(borrowed) => borrowed.locals(at),
        }
    }

    /// Weights of every node's shapes.
    pub fn morph_weights(&self, model: &Model, at: Tick) -> Vec<Vec<f64>> {
        match self {
            Source::Own(clip) => morph_weights(model, Playing { clip: *clip, time: at }),
            Source::Borrowed(borrowed) => borrowed.morph_weights(model, at),
        }
    }

    /// Whether each node is seen.
    pub fn seen(&self, model: &Model, at: Tick) -> Vec<bool> {
        match self {
            Source::Own(clip) => pose(model, &[Playing { clip: *clip, time: at }]).seen,
            Source::Borrowed(borrowed) => borrowed.seen(model, at),
        }
    }

    /// Whether it says of any node whether it is seen.
    pub fn hides(&self, model: &Model) -> bool {
        match self {
            Source::Own(clip) => {
                let mut tracks = model.clips[*clip].layers.iter().flat_map(|layer| &layer.tracks);
                tracks.any(|track| track.property == Property::Visibility)
            }
            Source::Borrowed(borrowed) => borrowed.hides(),
        }
    }

    /// Whether it says how much there is of a shape.
    pub fn shapes(&self, model: &Model, shape: MorphPlace) -> bool {
        match self {
            Source::Own(clip) => {
                let tracks = model.clips[*clip].layers.iter().flat_map(|layer| &layer.tracks);
                tracks.filter(|track| track.node == shape.node).any(|track| match track.property {
                    Property::MorphWeights => true,
                    Property::MorphWeight(of) => of == shape.channel,
                    _ => false,
                })
            }
            Source::Borrowed(borrowed) => borrowed.shapes(shape),
        }
    }

    /// The same clip, found by the same rules.
    pub fn is(&self, other: &Source) -> bool {
        match (self, other) {
            (Source::Own(own), Source::Own(other)) => own == other,
            (Source::Borrowed(own), Source::Borrowed(other)) => Arc::ptr_eq(own, other),
            _ => false,
        }
    }
}
