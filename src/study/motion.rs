//! Motion: a clip of a model as joints over time, in f64. The other studies take one.

use glam::{DAffine3, DQuat, DVec3};
use stillframe_anim::compress::{CompressReport, CompressedClip, Compression, Decompress, compress};
use stillframe_anim::pose::{JointBlock, NO_PARENT, Trs};
use stillframe_anim::sample::{Baking, ClipReport, DTrs, RawJoint, Sample, Skeleton, UniformClip, bake};
use stillframe_anim::{CurveKey, Interpolation, Property, RawClip, RawTrack, Segment, TrackValues};
use stillframe_base::lanes::Isa;
use stillframe_base::math::ops64;
use stillframe_base::tick::{FrameRate, Tick};

use super::StudyError;
use crate::import::Model;
use crate::pose::{self, Playing, track_key_times};

/// A clip and the joints that it is about: those of skins, nodes that it moves, and whatever is above these.
pub struct Motion<'a> {
    pub model: &'a Model,
    /// Position in `Model::clips`.
    pub number: usize,
    pub skeleton: Skeleton,
    pub duration: Tick,
}

impl<'a> Motion<'a> {
    /// The clip `number` of `model`, and its joints.
    ///
    /// Errors: why the nodes do not make a skeleton.
    pub fn new(model: &'a Model, number: usize) -> Result<Motion<'a>, StudyError> {
        let clip = &model.clips[number];
        let mut is_in = vec![false; model.nodes.len()];
        let of_skins = model.skins.iter().flat_map(|skin| &skin.joints).map(|joint| joint.node);
        let moved = tracks(clip).filter(|track| moves_node(&track.property)).map(|track| track.node);
        of_skins.chain(moved).for_each(|node| is_in[node] = true);
        // Parents come before their children, so one pass from the end reaches every node above.
        for node in (0..model.nodes.len()).rev() {
            if let (true, Some(parent)) = (is_in[node], model.nodes[node].parent) {
                is_in[parent] = true;
            }
        }
        let rest = pose::locals(model, &[]);
        let joint = |node: usize| {
            let DTrs { translation, rotation, scale } = rest[node];
            let rest = Trs { translation: translation.as_vec3(), rotation: rotation.as_quat(), scale: scale.as_vec3() };
            RawJoint { node, name: model.nodes[node].name.clone(), parent: model.nodes[node].parent, rest }
        };
        let joints: Vec<RawJoint> = (0..model.nodes.len()).filter(|node| is_in[*node]).map(joint).collect();
        let skeleton = Skeleton::new(&joints)?;
        let duration = Tick(clip.end.0.saturating_sub(clip.start.0).max(0));
        Ok(Motion { model, number, skeleton, duration })
    }

    /// As the file has it.
    pub fn clip(&self) -> &'a RawClip {
        &self.model.clips[self.number]
    }

    /// The name of a joint of the skeleton.
    pub fn name(&self, joint: usize) -> &str {
        &self.skeleton.names()[joint]
    }

    /// Every joint relative to its parent, `at` ticks from the clip's start. Shape: one per joint of the skeleton.
    pub fn locals(&self, at: Tick) -> Vec<DTrs> {
        let locals = pose::locals(self.model, &[Playing { clip: self.number, time: at }]);
        self.skeleton.nodes().iter().map(|node| locals[*node]).collect()
    }

    /// Every joint in the model's space, metres. Shape: as `locals`, one per joint.
    pub fn models(&self, locals: &[DTrs]) -> Vec<DAffine3> {
        let mut out: Vec<DAffine3> = Vec::with_capacity(locals.len());
        for (local, &parent) in locals.iter().zip(self.skeleton.parents()) {
            let local = DAffine3::from_scale_rotation_translation(local.scale, local.rotation, local.translation);
            out.push(if parent == NO_PARENT { local } else { out[usize::from(parent)] * local });
        }
        out
    }

    /// `count` moments, evenly from the clip's start to its end; one where it has no length.
    pub fn moments(&self, count: usize) -> Vec<Tick> {
        let steps = if self.duration.0 == 0 { 0 } else { count.max(2) as i128 - 1 };
        let at = |step: i128| Tick((i128::from(self.duration.0) * step / steps.max(1)) as i64);
        (0..=steps).map(at).collect()
    }

    /// When tracks of nodes have keys, from the clip's start, in order.
    pub fn key_times(&self) -> Vec<Tick> {
        let start = self.clip().start;
        let mut times: Vec<Tick> = tracks(self.clip())
            .filter(|track| moves_node(&track.property))
            .flat_map(|track| track_key_times(&track.values))
            .map(|time| Tick(time.0.saturating_sub(start.0)))
            .filter(|time| (Tick::ZERO..=self.duration).contains(time))
            .collect();
        times.sort_unstable();
        times.dedup();
        times
    }

    /// The clip as frames at `rate` (more, where its end would not be a frame), and what that costs.
    ///
    /// Errors: why it cannot be baked.
    pub fn bake(&self, rate: FrameRate) -> Result<(UniformClip, ClipReport), StudyError> {
        let baking = Baking { rate, object_error_max_m: None };
        let mut pose = |at: Tick, out: &mut [DTrs]| out.copy_from_slice(&self.locals(at));
        Ok(bake(&self.skeleton, self.duration, &self.key_times(), &baking, &mut pose)?)
    }

    /// The clip within an error bound, and what that costs.
    ///
    /// Errors: why it cannot be compressed.
    pub fn compress(&self, compression: &Compression) -> Result<(CompressedClip, CompressReport), StudyError> {
        let mut pose = |at: Tick, out: &mut [DTrs]| out.copy_from_slice(&self.locals(at));
        Ok(compress(&self.skeleton, self.duration, &self.key_times(), compression, &mut pose)?)
    }

    /// How far points `shell_m` from each joint are from where the file has them, in metres of the model's space, if
    /// the joints are at `locals`. Shape: one per joint.
    pub fn off_m(&self, at: Tick, locals: &[DTrs], shell_m: f64) -> Vec<f64> {
        let (wanted, found) = (self.models(&self.locals(at)), self.models(locals));
        let off = |(wanted, found): (&DAffine3, &DAffine3)| {
            let at = |axis: DVec3| {
                let point = axis * shell_m;
                wanted.transform_point3(point).distance(found.transform_point3(point))
            };
            DVec3::AXES.into_iter().map(at).fold(0.0, f64::max)
        };
        wanted.iter().zip(&found).map(off).collect()
    }

    /// The first joint whose place in its parent moves: what carries the others.
    pub fn root(&self) -> Option<usize> {
        let rest = self.locals(Tick::ZERO);
        let poses: Vec<Vec<DTrs>> = self.moments(ROOT_MOMENTS).into_iter().map(|at| self.locals(at)).collect();
        (0..self.skeleton.joint_count()).find(|&joint| {
            let moved_m = |pose: &Vec<DTrs>| pose[joint].translation.distance(rest[joint].translation);
            poses.iter().any(|pose| moved_m(pose) > STILL_M)
        })
    }
}

/// Moments at which a root is looked for.
const ROOT_MOMENTS: usize = 65;

/// What moves by less is still.
pub const STILL_M: f64 = 1e-6;

/// The pose that a baked clip has at a moment.
pub fn baked_locals(isa: Isa, clip: &UniformClip, at: Tick) -> Vec<DTrs> {
    let mut blocks = vec![JointBlock::IDENTITY; JointBlock::count_for(clip.joint_count())];
    Sample { isa, clip, at, out: &mut blocks }.run();
    (0..clip.joint_count()).map(|joint| JointBlock::joint(&blocks, joint).into()).collect()
}

/// The pose that a compressed clip has at a moment.
pub fn compressed_locals(isa: Isa, clip: &CompressedClip, at: Tick) -> Vec<DTrs> {
    let mut blocks = vec![JointBlock::IDENTITY; JointBlock::count_for(clip.joint_count())];
    Decompress { isa, clip, at, out: &mut blocks }.run();
    (0..clip.joint_count()).map(|joint| JointBlock::joint(&blocks, joint).into()).collect()
}

/// All tracks of all layers of a clip.
pub fn tracks(clip: &RawClip) -> impl Iterator<Item = &RawTrack> {
    clip.layers.iter().flat_map(|layer| &layer.tracks)
}

/// Whether a property says where its node is.
pub fn moves_node(property: &Property) -> bool {
    matches!(property, Property::Translation | Property::Rotation | Property::Scale)
}

/// Moments of keys before which a value may be another one a tick earlier: those that a step comes to, and those that
/// are written twice.
pub fn jump_times(values: &TrackValues) -> Vec<Tick> {
    let mut times: Vec<Tick> = match values {
        TrackValues::Keyed(keyed) => {
            let steps = keyed.interpolation() == Interpolation::Step;
            keyed.times().windows(2).filter(|pair| steps || pair[0] == pair[1]).map(|pair| pair[1]).collect()
        }
        TrackValues::Components { curves, .. } => {
            let jumps = |pair: &&[CurveKey]| {
                matches!(pair[0].then, Segment::Step | Segment::StepNext) || pair[0].time == pair[1].time
            };
            let ends = |pair: &[CurveKey]| match pair[0].then {
                // What comes next is there at once.
                Segment::StepNext => pair[0].time,
                _ => pair[1].time,
            };
            curves.iter().flatten().flat_map(|curve| curve.keys.windows(2).filter(jumps).map(ends)).collect()
        }
    };
    times.sort_unstable();
    times.dedup();
    times
}

/// The angle between two unit rotations.
pub fn angle_deg(a: DQuat, b: DQuat) -> f64 {
    let chord = (a - b).length().min((a + b).length());
    (4.0 * ops64::asin((0.5 * chord).min(1.0))).to_degrees()
}

/// Rotation about the model's up axis that is in a rotation, -180 to 180.
pub fn yaw_deg(rotation: DQuat) -> f64 {
    let angle = 2.0 * ops64::atan2(rotation.y, rotation.w).to_degrees();
    if angle > 180.0 {
        angle - 360.0
    } else if angle <= -180.0 {
        angle + 360.0
    } else {
        angle
    }
}

/// Which way a vector points over the ground: 0 is +Z, 90 is +X.
pub fn heading_deg(way: DVec3) -> f64 {
    ops64::atan2(way.x, way.z).to_degrees()
}
