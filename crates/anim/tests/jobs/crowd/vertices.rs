//! Vertices: moving vertices without a skeleton.

use glam::DVec3;
use stillframe_anim::crowd::{
    Actor, BakedVertices, CrowdError, MovingVertices, SampleCrowd, Storage, Track, Visible, phase_once,
};
use stillframe_base::lanes::{Isa, ROW, Row};
use stillframe_base::math::ops64;
use stillframe_base::tick::{TICKS_PER_SECOND, Tick};

use super::puppet::baking;

const COUNT: usize = 25;
const LENGTH: Tick = Tick(TICKS_PER_SECOND);

/// A flag in the wind: a wave that runs along x, and the normals of its slope.
fn flag(at: Tick, positions: &mut [DVec3], normals: &mut [DVec3]) {
    let time = at.seconds() * std::f64::consts::TAU;
    for (vertex, (position, normal)) in positions.iter_mut().zip(normals).enumerate() {
        let x = vertex as f64 * 0.1;
        let (sin, cos) = ops64::sin_cos(3.0 * x - time);
        *position = DVec3::new(x, 0.0, 0.1 * sin);
        *normal = DVec3::new(-0.3 * cos, 0.0, 1.0).normalize();
    }
}

#[test]
fn a_flag_is_baked_within_its_error() {
    for storage in [Storage::F32, Storage::Ranged16] {
        let clip = &mut [MovingVertices { length: LENGTH, looping: true, keys: &[], place: &mut flag }];
        let (baked, reports) = BakedVertices::bake(COUNT, clip, &baking(storage, 1e-3)).expect("a flag");
        let (frames, report) = (&baked.frames, reports[0]);
        assert!(report.error_max_m <= 1e-3 && report.error_max_m > 0.5e-3, "{report:?}");
        assert!(report.normal_error_max_deg < 1.0, "{report:?}");
        assert_eq!((frames.item_count(), frames.frame_texels()), (COUNT, 52));

        let (mut positions, mut normals) = ([DVec3::ZERO; COUNT], [DVec3::ZERO; COUNT]);
        for k in 0..300 {
            let at = Tick(LENGTH.0 / 300 * k);
            flag(at, &mut positions, &mut normals);
            let track = Track { clip: 0, phase: phase_once(at, LENGTH), speed: 0 };
            let actors = [Actor::new(glam::Affine3A::IDENTITY, track)];
            let mut out = vec![Row::ZERO; frames.frame_rows()];
            let visible = [Visible { actor: 0, lod: 0 }];
            let isa = Isa::detect();
            SampleCrowd {
                isa,
                baked: frames,
                phases: &[0],
                actors: &actors,
                visible: &visible,
                out: &mut out,
                stream: false,
            }
            .run();
            let vector =
                |n: usize| DVec3::from_array([0, 1, 2].map(|i| f64::from(out[(n + i) / ROW].0[(n + i) % ROW])));
            for vertex in 0..COUNT {
                assert!(vector(vertex * 8).distance(positions[vertex]) <= 1.02e-3);
                let normal = vector(vertex * 8 + 4).normalize();
                assert!(normal.distance(normals[vertex]) <= 1.02f64.to_radians());
            }
        }
    }
}

#[test]
fn flags_that_tear() {
    let mut torn = |at: Tick, positions: &mut [DVec3], _: &mut [DVec3]| positions[3].x = at.seconds();
    let clip = &mut [MovingVertices { length: LENGTH, looping: true, keys: &[], place: &mut torn }];
    let result = BakedVertices::bake(COUNT, clip, &baking(Storage::F32, 1e-3));
    assert_eq!(result, Err(CrowdError::LoopOpen { clip: 0, gap_m: 1.0, max_m: 1e-3 }));
}
