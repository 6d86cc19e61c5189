//! Metrics: how far a motion is from looking right, as numbers that are 0 where nothing is wrong.

use glam::{Affine3A, DVec3, Mat4, Vec3};
use serde_json::{Value, json};
use stillframe_anim::metric::{Peak, foot_slide_m, pop_deg_per_frame2, seam_jump};
use stillframe_anim::pose::Affine;

use super::super::super::status::Failure;
use super::super::unknown;
use super::subject::Subject;
use super::{DumpArgs, FRAMES_PER_SECOND, time_of};
use crate::pose;

/// Fewer frames have no change of a speed.
const FRAMES_MIN: usize = 3;

/// Judges frames that follow each other.
pub fn document(args: &DumpArgs, subject: &mut Subject) -> Result<Value, Failure> {
    let frames = &args.frames.0;
    if frames.len() < FRAMES_MIN || frames.windows(2).any(|pair| pair[1] != pair[0] + 1) {
        let help = "as in --frames 0..59".to_string();
        let message = format!("metrics want {FRAMES_MIN} frames or more, one after the other");
        return Err(Failure::Usage(message, Some(help)));
    }
    let joints = pose::joints(subject.model());
    let names: Vec<String> = joints.iter().map(|joint| subject.model().nodes[*joint].name.clone()).collect();
    let find = |foot: &String| names.iter().position(|name| name == foot).ok_or_else(|| unknown("joint", foot, &names));
    let feet: Vec<usize> = args.feet.iter().map(find).collect::<Result<_, _>>()?;
    let affine = |matrix: Mat4| Affine::from(Affine3A::from_mat4(matrix));
    // In the world with the way of the actor in them, and the first and last in the actor's space.
    let (mut world, mut ways, mut ends): (Vec<Affine>, Vec<Vec<DVec3>>, Vec<Vec<Mat4>>) =
        (Vec::new(), vec![Vec::new(); joints.len()], Vec::new());
    for (number, frame) in frames.iter().enumerate() {
        let posed = subject.at(time_of(*frame))?;
        let own: Vec<Mat4> = joints.iter().map(|joint| posed.pose.model_from_local[*joint]).collect();
        for (way, matrix) in ways.iter_mut().zip(&own) {
            let matrix = posed.world_from_model * *matrix;
            way.push(matrix.w_axis.truncate().as_dvec3());
            world.push(affine(matrix));
        }
        if number == 0 || number + 1 == frames.len() {
            ends.push(own);
        }
    }
    let peak = |Peak { value, joint, frame }: Peak| json!({ "value": value, "joint": names.get(joint), "frame": frames.get(frame) });
    let wrong = |error: stillframe_anim::pose::JobError| Failure::usage(format!("{}: {error}", args.model.display()));
    let pop = pop_deg_per_frame2(&world, joints.len()).map_err(wrong)?;
    // What a clip walks is no jump.
    let walked = (ends[1][0].w_axis - ends[0][0].w_axis).truncate() * Vec3::new(1.0, 0.0, 1.0);
    let next: Vec<Affine> = ends[0].iter().map(|matrix| affine(Mat4::from_translation(walked) * *matrix)).collect();
    let last: Vec<Affine> = ends[1].iter().map(|matrix| affine(*matrix)).collect();
    let seam = seam_jump(&last, &next).map_err(wrong)?;
    let feet = feet.iter().map(|foot| {
        // A sum of nothing is -0.
        let slide_m = foot_slide_m(&ways[*foot], args.floor_mm / 1e3) + 0.0;
        json!({ "joint": names[*foot], "slide_m": slide_m })
    });
    let seam = json!({
        "position_mm": seam.distance_m.value * 1e3,
        "position_joint": names.get(seam.distance_m.joint),
        "rotation_deg": seam.turn_deg.value,
        "rotation_joint": names.get(seam.turn_deg.joint),
    });
    Ok(json!({
        "of": subject.words(args),
        "frames": [frames[0], frames[frames.len() - 1]],
        "frames_per_second": FRAMES_PER_SECOND,
        "pop_deg_per_frame2": peak(pop),
        "seam": seam,
        "floor_mm": args.floor_mm,
        "feet": feet.collect::<Vec<_>>(),
    }))
}
