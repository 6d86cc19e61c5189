//! Source: what a clip of a rig is played from: the model's own file, or another body, whose joints it follows by name.

use std::sync::Arc;

use stillframe_anim::Property;
use stillframe_anim::compress::{Decompress, NamedClip};
use stillframe_anim::pose::{JointBlock, NO_PARENT};
use stillframe_anim::sample::DTrs;
use stillframe_base::lanes::Isa;
use stillframe_base::tick::Tick;

use super::borrow::Borrowed;
use crate::import::Model;
use crate::pose::{Playing, key_times, locals, morph_weights, pose};

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

    /// Whether it says how much there is of a shape: a node and its channel.
    pub fn shapes(&self, model: &Model, (node, channel): (usize, usize)) -> bool {
        match self {
            Source::Own(clip) => {
                let tracks = model.clips[*clip].layers.iter().flat_map(|layer| &layer.tracks);
                tracks.filter(|track| track.node == node).any(|track| match track.property {
                    Property::MorphWeights => true,
                    Property::MorphWeight(of) => of == channel,
                    _ => false,
                })
            }
            Source::Borrowed(borrowed) => borrowed.shapes((node, channel)),
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

/// Whose clip is borrowed.
#[derive(Clone, Debug)]
pub enum Lender {
    /// Nodes of a model and its skins, without what they show, and its one clip.
    Model(Box<Model>),
    File(Arc<NamedClip>),
}

impl Lender {
    /// A model and one of its clips.
    pub fn of_model(model: &Model, clip: usize) -> Lender {
        Lender::Model(Box::new(Model {
            model_from_file: model.model_from_file,
            nodes: model.nodes.clone(),
            skins: model.skins.clone(),
            clips: vec![model.clips[clip].clone()],
            hidden: model.hidden.clone(),
            ..Model::default()
        }))
    }

    pub fn length(&self) -> Tick {
        match self {
            Lender::Model(model) => length_of(model, 0),
            Lender::File(file) => file.clip().duration(),
        }
    }

    /// Names of its nodes, and their parents, which come before them.
    pub fn nodes(&self) -> Vec<(&str, Option<usize>)> {
        match self {
            Lender::Model(model) => model.nodes.iter().map(|node| (node.name.as_str(), node.parent)).collect(),
            Lender::File(file) => {
                let parent = |parent: u16| Some(parent).filter(|parent| *parent != NO_PARENT).map(usize::from);
                let (names, parents) = (file.skeleton().names(), file.skeleton().parents());
                names.iter().zip(parents).map(|(name, own)| (name.as_str(), parent(*own))).collect()
            }
        }
    }

    /// Every node relative to its parent when nothing plays.
    pub fn rest(&self) -> Vec<DTrs> {
        match self {
            Lender::Model(model) => locals(model, &[]),
            Lender::File(file) => file.skeleton().rest().iter().map(|joint| (*joint).into()).collect(),
        }
    }

    /// Every node relative to its parent, so many ticks from the clip's start.
    pub fn locals(&self, at: Tick) -> Vec<DTrs> {
        match self {
            Lender::Model(model) => locals(model, &[Playing { clip: 0, time: at }]),
            Lender::File(file) => {
                let clip = file.clip();
                let mut out = vec![JointBlock::IDENTITY; JointBlock::count_for(clip.joint_count())];
                Decompress { isa: Isa::detect(), clip, at, out: &mut out }.run();
                (0..clip.joint_count()).map(|joint| JointBlock::joint(&out, joint).into()).collect()
            }
        }
    }
}

fn length_of(model: &Model, clip: usize) -> Tick {
    let clip = &model.clips[clip];
    Tick(clip.end.0.saturating_sub(clip.start.0).max(0))
}
