//! Rig: a model's nodes as joints, and parts of its clips, played as the file has them.

use std::sync::Arc;

use glam::{Affine3A, Mat4};
use stillframe_anim::pose::{Affine, JointBlock, LocalToModel, Trs};
use stillframe_anim::root::{RootParts, RootTrack};
use stillframe_anim::sample::{DTrs, RawJoint, Skeleton};
use stillframe_base::lanes::{Isa, ROW};
use stillframe_base::tick::{FrameRate, Tick};

use super::Source;
use crate::import::Model;
use crate::pose::{Pose, locals, pose};

/// Frames a second of roots' ways; between them they go straight, and what is left stays with the root.
const ROOT_FRAMES_PER_SECOND: u32 = 60;

/// A model's nodes as joints: joint and node have one number, since nodes come parents first.
#[derive(Clone, Debug)]
pub struct Rig {
    pub skeleton: Skeleton,
    /// As it stands when nothing plays.
    rest: Pose,
    /// What its poses are computed with: the bits are the same by any.
    pub isa: Isa,
}

/// A clip and the part of it that is played, in ticks from its start; to its ends where there is none.
pub type RigPart = (Source, [Option<Tick>; 2]);

/// A part of a clip, ready to be played.
#[derive(Clone, Debug)]
pub struct RigClip {
    pub source: Source,
    /// Ticks from the clip's start to where the part begins.
    pub start: Tick,
    pub length: Tick,
    /// How far the root goes, where one was asked for: the clip plays in place then.
    pub root: Option<Arc<RootTrack>>,
}

impl RigClip {
    /// The pose at a moment of the part, as exact as the file. Allocates.
    pub fn sample(&self, model: &Model, at: Tick, out: &mut [JointBlock]) {
        let pose = played(model, (&self.source, self.start), at, self.root.as_deref());
        for (joint, local) in pose.iter().enumerate() {
            out[joint / ROW].set_lane(joint % ROW, trs(local));
        }
    }
}

/// The pose at a moment of what begins at `start` of a clip; in place, where a root is given.
pub fn played(model: &Model, (source, start): (&Source, Tick), at: Tick, root: Option<&RootTrack>) -> Vec<DTrs> {
    let mut pose = source.locals(model, start + at);
    if let Some(track) = root {
        let root = &mut pose[usize::from(track.joint())];
        *root = track.in_place(at, *root);
    }
    pose
}

fn trs(local: &DTrs) -> Trs {
    Trs { translation: local.translation.as_vec3(), rotation: local.rotation.as_quat(), scale: local.scale.as_vec3() }
}

impl Rig {
    /// Errors: words that say why the nodes are no skeleton.
    pub fn new(model: &Model) -> Result<Rig, String> {
        let locals = locals(model, &[]);
        let joints: Vec<RawJoint> = (model.nodes.iter().zip(&locals).enumerate())
            .map(|(node, (of, local))| {
                let rest = trs(local);
                RawJoint { node, name: of.name.clone(), parent: of.parent, rest }
            })
            .collect();
        let skeleton = Skeleton::new(&joints).map_err(|error| error.to_string())?;
        Ok(Rig { skeleton, rest: pose(model, &[]), isa: Isa::detect() })
    }

    /// A part of a clip, ready to be played. With a root, a joint, in place: what is asked for of its way becomes a
    /// track.
    ///
    /// Errors: words that say why the root has no way.
    pub fn clip(&self, model: &Model, part: RigPart, root: Option<(u16, RootParts)>) -> Result<RigClip, String> {
        let (start, end) = part_of(model, &part);
        let track = root.map(|root| self.root_track(model, &part, root)).transpose()?;
        Ok(RigClip { source: part.0, start, length: end - start, root: track.map(Arc::new) })
    }

    /// How far a joint goes in a part of a clip.
    ///
    /// Errors: words that say why that cannot be told.
    pub fn root_track(
        &self,
        model: &Model,
        part: &RigPart,
        (joint, parts): (u16, RootParts),
    ) -> Result<RootTrack, String> {
        let (length, mut pose) = self.source(model, part, None);
        let frame_ticks = Tick::of_frame(1, FrameRate::whole(ROOT_FRAMES_PER_SECOND)).0;
        let track = RootTrack::extract(&self.skeleton, joint, parts, (length, frame_ticks), &mut pose);
        track.map_err(|error| error.to_string())
    }

    /// Length of a part of a clip, and its poses; in place, where a root is given.
    pub fn source<'a>(
        &self,
        model: &'a Model,
        part: &'a RigPart,
        root: Option<&'a RootTrack>,
    ) -> (Tick, impl FnMut(Tick, &mut [DTrs]) + use<'a>) {
        let (start, end) = part_of(model, part);
        let pose = move |at: Tick, pose: &mut [DTrs]| {
            pose.copy_from_slice(&played(model, (&part.0, start), at, root));
        };
        (end - start, pose)
    }

    pub fn block_count(&self) -> usize {
        JointBlock::count_for(self.skeleton.joint_count())
    }

    /// Where nodes stand in a local pose.
    pub fn matrices(&self, locals: &[JointBlock]) -> Vec<Mat4> {
        let isa = self.isa;
        let mut models = vec![Affine::IDENTITY; self.skeleton.joint_count()];
        let parents = self.skeleton.parents();
        LocalToModel { isa, parents, locals, root: &Affine::IDENTITY, models: &mut models }.run();
        models.into_iter().map(|model| Mat4::from(Affine3A::from(model))).collect()
    }

    /// The pose of a model whose nodes stand there.
    pub fn pose(
        &self,
        model: &Model,
        model_from_local: Vec<Mat4>,
        morph_weights: Vec<Vec<f64>>,
        seen: Vec<bool>,
    ) -> Pose {
        let parts = model.nodes.iter().zip(&model_from_local).map(|(node, matrix)| match node.skin {
            Some(_) => Mat4::IDENTITY,
            None => *matrix * node.local_from_parts,
        });
        Pose { model_from_parts: parts.collect(), model_from_local, morph_weights, seen }
    }

    pub fn rest(&self) -> &Pose {
        &self.rest
    }
}

/// Where a part begins and ends, in ticks from its clip's start.
pub fn part_of(model: &Model, (source, part): &RigPart) -> (Tick, Tick) {
    let length = source.length(model);
    let start = part[0].unwrap_or(Tick::ZERO).clamp(Tick::ZERO, length);
    (start, part[1].unwrap_or(length).clamp(start, length))
}
