//! Clip: what a clip is made of, what it does, and what may go wrong with it.
//!
//! `tracks` reads its tracks, `turns` its rotations from key to key, `loops` its end next to its start.

mod loops;
mod tracks;
mod turns;

use std::collections::{BTreeMap, BTreeSet};

use serde::Serialize;
use stillframe_anim::sample::{DTrs, Worst};
use stillframe_anim::{Property, RawTrack};
use stillframe_base::tick::{FrameRate, Tick};

use super::StudyError;
use super::bounds::{Bounds, bounds};
use super::motion::{Motion, moves_node, tracks as all_tracks};

pub use loops::TRAVEL_MIN_M;

/// Frames per second that clips are measured at, and that lengths are given in.
pub const FRAMES_PER_SECOND: u32 = 30;

/// Frames per second that baking is tried at.
const BAKED_AT: [u32; 3] = [15, 30, 60];

/// Sides of a scale that differ by less, relative to the larger, are equal.
const EVEN: f64 = 1e-4;

/// A clip: times in seconds from its start, names of the model's nodes.
#[derive(Debug, Serialize)]
pub struct ClipFacts {
    pub name: String,
    pub start_s: f64,
    pub duration_s: f64,
    /// At [`FRAMES_PER_SECOND`], the last one included.
    pub frames: usize,
    pub layers: usize,
    /// Nodes of skins that tracks move, other nodes, and nodes whose morphs do.
    pub joints_moved: Vec<String>,
    pub nodes_moved: Vec<String>,
    pub morphs_moved: Vec<String>,
    /// By property.
    pub tracks: Vec<PropertyFacts>,
    /// Tracks that hold one value: node and property.
    pub constant: Vec<(String, String)>,
    pub turns: Turns,
    /// Keys written with the other sign than the one before, though less than half a turn away.
    pub sign_flips: usize,
    pub scale_not_uniform: Vec<String>,
    pub scale_negative: Vec<String>,
    pub baked: Vec<Baked>,
    /// Why it cannot be baked.
    pub not_baked: Option<String>,
    pub root: Option<Root>,
    pub seam: Seam,
    /// In the model's space; none where nothing is drawn, or not known.
    pub bounds: Option<Bounds>,
    /// Why there are none.
    pub no_bounds: Option<String>,
}

/// The tracks of one property.
#[derive(Debug, Serialize)]
pub struct PropertyFacts {
    pub property: String,
    pub tracks: usize,
    pub keys: usize,
    /// Tracks, or curves where components are curves of their own, by kind.
    pub interpolation: BTreeMap<&'static str, usize>,
}

/// How far rotations turn from a key to the next, in degrees.
#[derive(Debug, Default, Serialize)]
pub struct Turns {
    pub over_30_deg: usize,
    pub over_90_deg: usize,
    /// Keys nearly half a turn from the one before: either way round is as short.
    pub undecided: usize,
    pub worst: Option<Place>,
    /// Keys that a step comes to, from another rotation.
    pub jumps: usize,
    /// The largest of these.
    pub jump_worst: Option<Place>,
}

/// A number and where it was found.
#[derive(Clone, Debug, Serialize)]
pub struct Place {
    pub value: f64,
    pub joint: String,
    pub at_s: f64,
}

/// The clip as frames at a fixed rate.
#[derive(Debug, Serialize)]
pub struct Baked {
    pub frames_per_second: u32,
    pub frames: usize,
    pub bytes: usize,
    /// The same poses as f32.
    pub raw_bytes: usize,
    /// Of points 3 cm from a joint, in the model's space.
    pub worst_mm: Place,
    pub rotation_deg: Place,
    /// Largest turn from a frame to the next.
    pub frame_turn_deg: Place,
}

/// What a loop does to the joint that carries the others.
#[derive(Debug, Serialize)]
pub struct Root {
    pub joint: String,
    /// Over the ground, from the first pose to the last.
    pub travel_m: f64,
    /// 0 is +Z, 90 is +X; none where it comes back.
    pub heading_deg: Option<f64>,
    pub rise_m: f64,
    /// About the model's up axis.
    pub turn_deg: f64,
    /// Length of the way over the ground.
    pub path_m: f64,
    pub speed_m_s: Option<f64>,
}

/// The last pose next to the first, what the root has travelled taken out.
#[derive(Debug, Serialize)]
pub struct Seam {
    pub rotation_deg: Place,
    pub position_mm: Place,
}

/// Everything that is known about a clip. Samples it at [`FRAMES_PER_SECOND`] and bakes it three times.
pub fn clip_facts(motion: &Motion<'_>) -> ClipFacts {
    let clip = motion.clip();
    let duration_s = motion.duration.seconds();
    let of_skins: BTreeSet<usize> =
        motion.model.skins.iter().flat_map(|skin| &skin.joints).map(|joint| joint.node).collect();
    let moved = |wanted: &dyn Fn(&RawTrack) -> bool| {
        let nodes: BTreeSet<usize> = all_tracks(clip).filter(|track| wanted(track)).map(|track| track.node).collect();
        nodes.into_iter().map(|node| motion.model.nodes[node].name.clone()).collect()
    };
    let root = motion.root();
    let (scale_not_uniform, scale_negative) = scales(motion);
    let baked: Result<Vec<Baked>, StudyError> = BAKED_AT.iter().map(|rate| baked(motion, *rate)).collect();
    let not_baked = baked.as_ref().err().map(StudyError::to_string);
    let (bounds, no_bounds) = match bounds(motion) {
        Ok(bounds) => (Some(bounds), None),
        Err(error) => (None, Some(error.to_string())),
    };
    ClipFacts {
        name: clip.name.clone(),
        start_s: clip.start.seconds(),
        duration_s,
        frames: motion.duration.frame(FrameRate::whole(FRAMES_PER_SECOND)) as usize + 1,
        layers: clip.layers.len(),
        joints_moved: moved(&|track| moves_node(&track.property) && of_skins.contains(&track.node)),
        nodes_moved: moved(&|track| moves_node(&track.property) && !of_skins.contains(&track.node)),
        morphs_moved: moved(&|track| tracks::is_morph(&track.property)),
        tracks: tracks::properties(motion),
        constant: tracks::constant(motion),
        turns: turns::turns(motion),
        sign_flips: all_tracks(clip).filter(|track| track.property == Property::Rotation).map(turns::sign_flips).sum(),
        scale_not_uniform,
        scale_negative,
        baked: baked.unwrap_or_default(),
        not_baked,
        root: root.map(|root| loops::travel(motion, root)),
        seam: loops::seam(motion, root),
        bounds,
        no_bounds,
    }
}

/// Joints whose scale is uneven, and those whose scale mirrors, at some frame.
fn scales(motion: &Motion<'_>) -> (Vec<String>, Vec<String>) {
    let mut found = vec![[false; 2]; motion.skeleton.joint_count()];
    for at in frames(motion) {
        for (found, DTrs { scale, .. }) in found.iter_mut().zip(motion.locals(at)) {
            let size = scale.abs();
            found[0] |= size.max_element() - size.min_element() > EVEN * size.max_element();
            found[1] |= scale.min_element() < 0.0;
        }
    }
    let named = |which: usize| {
        let joints = (0..found.len()).filter(|joint| found[*joint][which]);
        joints.map(|joint| motion.name(joint).to_string()).collect()
    };
    (named(0), named(1))
}

/// Moments a frame apart, the clip's end included.
fn frames(motion: &Motion<'_>) -> Vec<Tick> {
    let count = motion.duration.seconds() * f64::from(FRAMES_PER_SECOND);
    // More would not be more precise.
    motion.moments((count.ceil() as usize + 1).min(100_000))
}

fn baked(motion: &Motion<'_>, frames_per_second: u32) -> Result<Baked, StudyError> {
    let (_, report) = motion.bake(FrameRate::whole(frames_per_second))?;
    let place = |worst: Worst, scale: f64| Place {
        value: worst.value * scale,
        joint: if motion.skeleton.joint_count() == 0 { String::new() } else { motion.name(worst.joint).to_string() },
        at_s: worst.at.seconds(),
    };
    Ok(Baked {
        frames_per_second,
        frames: report.frame_count,
        bytes: report.bytes,
        raw_bytes: report.raw_bytes(),
        worst_mm: place(report.object_m, 1000.0),
        rotation_deg: place(report.rotation_deg, 1.0),
        frame_turn_deg: place(report.key_angle_deg, 1.0),
    })
}
