//! Moving: which parts of which joints change in a clip, and where the others stay.

use glam::DQuat;

use super::clip::{Part, Track, track_order};
use crate::pose::{JointBlock, Trs};
use crate::sample::source::{is_still, to_f32};
use crate::sample::{ClipError, DTrs};

/// What moves, and what does not.
pub(super) struct Moving {
    pub tracks: Vec<Track>,
    /// What moves is the identity here.
    pub constants: Vec<JointBlock>,
    pub reach_m: Vec<f64>,
}

impl Moving {
    /// Looks at poses of all joints, one after the other.
    pub fn of(parents: &[u16], poses: impl Iterator<Item = Result<Vec<DTrs>, ClipError>>) -> Result<Moving, ClipError> {
        let mut first: Vec<DTrs> = Vec::new();
        let mut extents = vec![[(f64::INFINITY, f64::NEG_INFINITY); 10]; parents.len()];
        let mut before: Vec<DQuat> = vec![DQuat::IDENTITY; parents.len()];
        for pose in poses {
            let pose = pose?;
            for (joint, pose) in pose.iter().enumerate() {
                let rotation = if pose.rotation.dot(before[joint]) < 0.0 { -pose.rotation } else { pose.rotation };
                before[joint] = rotation;
                let numbers =
                    [rotation.to_array().as_slice(), &pose.translation.to_array(), &pose.scale.to_array()].concat();
                for ((min, max), number) in extents[joint].iter_mut().zip(numbers) {
                    (*min, *max) = (min.min(number), max.max(number));
                }
            }
            if first.is_empty() {
                first = pose;
            }
        }
        let mut tracks = Vec::new();
        let mut reach_m = Vec::new();
        for (joint, extents) in extents.iter().enumerate() {
            for (part, range) in Part::ALL.into_iter().zip([0..4, 4..7, 7..10]) {
                if !extents[range].iter().all(is_still) {
                    tracks.push(Track { joint: joint as u16, part });
                }
            }
            let far = |i: usize| extents[i].0.abs().max(extents[i].1.abs());
            reach_m.push((4..7).map(|i| far(i) * far(i)).sum::<f64>().sqrt());
        }
        tracks.sort_by_key(track_order);
        let mut joints: Vec<Trs> = first.iter().map(to_f32).collect();
        for track in &tracks {
            let (joint, none) = (&mut joints[usize::from(track.joint)], Trs::IDENTITY);
            match track.part {
                Part::Rotation => joint.rotation = none.rotation,
                Part::Translation => joint.translation = none.translation,
                Part::Scale => joint.scale = none.scale,
            }
        }
        let constants = JointBlock::pack(&joints);
        Ok(Moving { tracks, constants, reach_m })
    }
}
