//! Metrics: `anim dump --what metrics` as a document.

use serde_json::{Value, json};

use super::subject::Subject;
use super::{DumpArgs, FRAMES_PER_SECOND, time_of};
use crate::cli::anim::open::{failure, unknown};
use crate::cli::status::Failure;
use crate::pose;
use crate::study::{FRAMES_MIN, Foot, JointPeak, MotionPose, metrics};

/// Judges frames that follow each other.
pub fn document(args: &DumpArgs, subject: &mut Subject) -> Result<Value, Failure> {
    let frames = &args.frames.0;
    if frames.len() < FRAMES_MIN || frames.windows(2).any(|pair| pair[1] != pair[0] + 1) {
        let help = "for example --frames 0..59".to_string();
        let message = format!("metrics need at least {FRAMES_MIN} consecutive frames");
        return Err(Failure::Usage(message, Some(help)));
    }
    let joints = pose::joints(subject.model());
    let names: Vec<String> = joints.iter().map(|joint| subject.model().nodes[*joint].name.clone()).collect();
    let find = |foot: &String| names.iter().position(|name| name == foot).ok_or_else(|| unknown("joint", foot, &names));
    let feet: Vec<usize> = args.feet.iter().map(find).collect::<Result<_, _>>()?;
    let mut poses = Vec::new();
    for frame in frames {
        let posed = subject.at(time_of(*frame))?;
        let model_from_joint = joints.iter().map(|joint| posed.pose.model_from_local[*joint]).collect();
        poses.push(MotionPose { world_from_model: posed.world_from_model, model_from_joint });
    }
    let found = metrics(&poses, &feet, args.floor_mm / 1e3).map_err(|error| failure(&args.model, error))?;
    let JointPeak { value, joint, frame } = found.pop_deg_per_frame2;
    let feet = found.feet.iter().map(|Foot { joint, slide_m }| json!({ "joint": names[*joint], "slide_m": slide_m }));
    Ok(json!({
        "of": subject.words(args),
        "frames": [frames[0], frames[frames.len() - 1]],
        "frames_per_second": FRAMES_PER_SECOND,
        "pop_deg_per_frame2": { "value": value, "joint": names.get(joint), "frame": frames.get(frame) },
        "seam": {
            "position_mm": found.seam_m.value * 1e3,
            "position_joint": names.get(found.seam_m.joint),
            "rotation_deg": found.seam_deg.value,
            "rotation_joint": names.get(found.seam_deg.joint),
        },
        "floor_mm": args.floor_mm,
        "feet": feet.collect::<Vec<_>>(),
    }))
}
