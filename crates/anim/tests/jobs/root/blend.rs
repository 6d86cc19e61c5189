//! Motions of several leaves as one.

use glam::{DQuat, DVec3};
use proptest::prelude::*;
use stillframe_anim::root::{Motion, RootError, blend_motions};

use super::walk::{distance, yaw};

fn motions(turn: f64) -> impl Strategy<Value = Motion> {
    (prop::array::uniform3(-1.0f64..1.0), prop::array::uniform3(-turn..turn)).prop_map(|(t, [x, y, z])| Motion {
        translation: DVec3::from_array(t),
        rotation: DQuat::from_xyzw(x, y, z, 1.0).normalize(),
    })
}

proptest! {
    #[test]
    fn one_alone_is_itself(motion in motions(1.0), weight in 1e-6f32..9.0) {
        prop_assert_eq!(blend_motions(&[(motion, weight), (Motion::IDENTITY, 0.0)]), Ok(motion));
        prop_assert_eq!(blend_motions(&[(Motion::IDENTITY, -1.0), (motion, weight)]), Ok(motion));
        let twice = blend_motions(&[(motion, weight), (motion, weight)]).expect("finite");
        prop_assert!(distance(twice, motion) < 1e-13);
    }

    #[test]
    fn weights_count_by_their_shares(a in motions(0.5), b in motions(0.5), v in 0.01f32..1.0, w in 0.01f32..1.0) {
        let mean = blend_motions(&[(a, v), (b, w)]).expect("finite");
        prop_assert!(distance(mean, blend_motions(&[(a, 4.0 * v), (b, 4.0 * w)]).expect("finite")) < 1e-14);
        prop_assert!(distance(mean, blend_motions(&[(b, w), (a, v)]).expect("finite")) < 1e-13);
        // The sign of a rotation means nothing.
        let flipped = Motion { rotation: -b.rotation, ..b };
        prop_assert!(distance(mean, blend_motions(&[(a, v), (flipped, w)]).expect("finite")) < 1e-14);
    }

    /// Two leaves that move evenly: many short steps come to where one long one does, which is why twists are averaged.
    #[test]
    fn even_motions_do_not_mind_how_time_is_cut(a in motions(0.1), b in motions(0.1), weight in 0.0f32..=1.0, count in 1i128..8) {
        let step = blend_motions(&[(a, 1.0 - weight), (b, weight)]).expect("finite");
        let long = blend_motions(&[(a.power(count), 1.0 - weight), (b.power(count), weight)]).expect("finite");
        prop_assert!(distance(step.power(count), long) < 1e-12, "{step:?} and {long:?}");
    }

    /// Half of a turn about the vertical on a circle, by arithmetic: half of the arc.
    #[test]
    fn half_of_a_circle_is_half_of_the_arc(angle in -3.0f64..3.0) {
        let (sin, cos) = stillframe_base::math::ops64::sin_cos(angle);
        let arc = |sin: f64, cos: f64, angle| Motion { translation: DVec3::new(1.0 - cos, 0.0, sin), rotation: yaw(angle) };
        let half = blend_motions(&[(arc(sin, cos, angle), 0.5), (Motion::IDENTITY, 0.5)]).expect("finite");
        let (sin, cos) = stillframe_base::math::ops64::sin_cos(0.5 * angle);
        prop_assert!(distance(half, arc(sin, cos, 0.5 * angle)) < 1e-12);
    }
}

#[test]
fn no_weight_is_no_motion_and_nan_is_an_error() {
    let ahead = Motion { translation: DVec3::Z, rotation: DQuat::IDENTITY };
    assert_eq!(blend_motions(&[]), Ok(Motion::IDENTITY));
    assert_eq!(blend_motions(&[(ahead, 0.0), (ahead, -2.0)]), Ok(Motion::IDENTITY));
    assert_eq!(blend_motions(&[(ahead, 0.25), (Motion::IDENTITY, 0.75)]).map(|m| m.translation), Ok(DVec3::Z * 0.25));
    let refused = blend_motions(&[(ahead, 0.5), (ahead, f32::INFINITY)]);
    assert_eq!(refused, Err(RootError::Weight { motion: 1, weight: f32::INFINITY }));
    assert!(matches!(blend_motions(&[(ahead, f32::NAN)]), Err(RootError::Weight { motion: 0, .. })));
}
