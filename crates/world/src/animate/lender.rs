//! Lender: the body whose clip another one plays.

use std::sync::Arc;

use stillframe_anim::compress::{Decompress, NamedClip};
use stillframe_anim::pose::{JointBlock, NO_PARENT};
use stillframe_anim::sample::DTrs;
use stillframe_base::lanes::Isa;
use stillframe_base::tick::Tick;

use crate::import::Model;
use crate::pose::{Playing, locals};

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

    /// Every node relative to its parent, `at` from the clip's start.
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

/// How long a clip of a model is.
pub fn length_of(model: &Model, clip: usize) -> Tick {
    let clip = &model.clips[clip];
    Tick(clip.end.0.saturating_sub(clip.start.0).max(0))
}
