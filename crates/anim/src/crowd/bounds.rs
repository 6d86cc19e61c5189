//! Bounds: boxes that a clip never leaves.
//!
//! Source: Stillframe's specification of animation, 1.10, its own rule: a skinned vertex is a mean of its places by
//! each of its joints, so the union of the boxes of what each joint moves holds it. Between two frames it is a mean of
//! the frames, and in a fade one of the clips.

use std::ops::Range;

use glam::{Mat4, Vec3, Vec4};
use stillframe_base::geom::Aabb;
use stillframe_base::lanes::{Isa, ROW, Row};

use super::{Actor, BakedBones, BakedFrames, SampleCrowd, Track, Visible, affine_of};
use crate::skin::InfluenceList;

/// What is added on every side, relative to the box: more than rounding of weights, sums and interpolation.
const SLACK: f32 = 1e-5;

/// The box of the vertices that each joint moves, at bind time; empty for a joint that moves none.
///
/// Shapes: a position for each vertex of `influences`.
pub fn joint_boxes(positions: &[Vec3], influences: &InfluenceList) -> Vec<Aabb> {
    assert_eq!(positions.len(), influences.vertex_count(), "a position for each vertex");
    let mut boxes = vec![Aabb::EMPTY; influences.joint_count()];
    for (vertex, position) in positions.iter().enumerate() {
        for influence in influences.of(vertex) {
            let own = &mut boxes[usize::from(influence.joint)];
            *own = own.with(*position);
        }
    }
    boxes
}

/// The least and the most of each of some numbers of a frame in all frames of all clips: what shares of shapes never
/// leave.
///
/// Shapes: `numbers` are numbers of [`BakedFrames::frame_rows`].
pub fn number_bounds(frames: &BakedFrames, numbers: Range<usize>) -> Vec<[f32; 2]> {
    let mut palette = vec![Row::ZERO; frames.frame_rows()];
    let mut bounds: Vec<Option<[f32; 2]>> = vec![None; numbers.len()];
    for (clip, baked) in frames.clips().iter().enumerate() {
        for frame in 0..=baked.segment_count {
            sample_frame(frames, clip, frame, &mut palette);
            for (number, bound) in numbers.clone().zip(&mut bounds) {
                let number = palette[number / ROW].0[number % ROW];
                let [least, most] = bound.unwrap_or([number; 2]);
                *bound = Some([least.min(number), most.max(number)]);
            }
        }
    }
    bounds.into_iter().map(Option::unwrap_or_default).collect()
}

/// The box that each clip never leaves, in the model's space; `joint_boxes` are those of the skin's joints, holding
/// what shapes do to the vertices, too.
pub fn clip_bounds(baked: &BakedBones, joint_boxes: &[Aabb]) -> Vec<Aabb> {
    let frames = &baked.frames;
    // Behind the joints there may be shares of shapes.
    assert!(joint_boxes.len() <= frames.item_count(), "a box for each joint");
    let mut palette = vec![Row::ZERO; frames.frame_rows()];
    let mut bounds = Vec::new();
    for (clip, baked) in frames.clips().iter().enumerate() {
        let mut bound = Aabb::EMPTY;
        for frame in 0..=baked.segment_count {
            sample_frame(frames, clip, frame, &mut palette);
            for (joint, own) in joint_boxes.iter().enumerate().filter(|(_, own)| !own.is_empty()) {
                let rows = affine_of(&palette, joint).0.0;
                let matrix = Mat4::from_cols_array(&rows).transpose();
                debug_assert_eq!(matrix.row(3), Vec4::W, "affine");
                bound = bound.union(own.transformed(&matrix));
            }
        }
        if !bound.is_empty() {
            let slack = Vec3::splat(SLACK * (bound.center().abs() + bound.half_size()).max_element());
            bound = Aabb::new(bound.min - slack, bound.max + slack);
        }
        bounds.push(bound);
    }
    bounds
}

/// A frame as it is stored; the last one is a little before its end, which rounding hides.
fn sample_frame(frames: &BakedFrames, clip: usize, frame: u32, out: &mut [Row]) {
    let segments = frames.clips()[clip].segment_count;
    let phase = (u64::from(frame) << 32).div_ceil(u64::from(segments)).min(u64::from(u32::MAX)) as u32;
    let actor = Actor::new(glam::Affine3A::IDENTITY, Track { clip: clip as u32, phase, speed: 0 });
    // Tracks of speed 0 do not read the clips' phases, but there must be one each.
    let phases = vec![0; frames.clips().len()];
    let visible = [Visible { actor: 0, lod: 0 }];
    SampleCrowd {
        isa: Isa::detect(),
        baked: frames,
        phases: &phases,
        actors: &[actor],
        visible: &visible,
        out,
        stream: false,
    }
    .run();
}
