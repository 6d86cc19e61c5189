//! Clock: phases after any time are those of unlimited precision, but for what a phase cannot tell.

use proptest::prelude::*;
use stillframe_anim::crowd::{SPEED_ONE, Track, clip_phase, fade_at, frame_of_phase, phase_once};
use stillframe_base::tick::{TICKS_PER_SECOND, Tick};

const HOURS_72: i64 = 72 * 3600 * TICKS_PER_SECOND;

/// After 72 hours in steps of a sixtieth a sum in f32 is 3.7 hours wrong. Here nothing is summed: what is seen after 72
/// hours is what is seen at the same place of the first loops, bit for bit.
#[test]
fn after_72_hours_the_phase_is_exact() {
    for length in [TICKS_PER_SECOND * 4 / 3, TICKS_PER_SECOND, 999_999_937, 1, 7, 15 * TICKS_PER_SECOND] {
        let span = length * i64::from(SPEED_ONE);
        for hours in [0, HOURS_72, 24 * HOURS_72] {
            for offset in [0, 1, length / 3, length - 1, length, 5 * length + 11] {
                let now = hours + offset;
                let phase = clip_phase(Tick(now), Tick(length));
                assert_eq!(phase, clip_phase(Tick(now % span), Tick(length)), "{now} of {length}");
                for speed in [SPEED_ONE, SPEED_ONE / 2, 3 * SPEED_ONE, -SPEED_ONE, 1, 259] {
                    let track = Track { clip: 0, phase: 0, speed };
                    assert!(
                        lag(&track, phase, now, length) <= u64::from(speed.unsigned_abs()),
                        "{now} of {length} at {speed}"
                    );
                }
            }
        }
    }
    // A second of a loop of a second is nothing, an hour later, too.
    let second = Tick(TICKS_PER_SECOND);
    let track = Track { clip: 0, phase: 12345, speed: SPEED_ONE };
    let at = |seconds: i64| track.phase_at(clip_phase(Tick(seconds * TICKS_PER_SECOND), second));
    assert_eq!(at(256), 12345);
    assert_eq!(at(HOURS_72 / TICKS_PER_SECOND - HOURS_72 / TICKS_PER_SECOND % 256), 12345);
}

/// How far the phase is from the true one, in units of it, on the side where rounding down puts it.
fn lag(track: &Track, clip_phase: u32, now: i64, length: i64) -> u64 {
    let got = track.phase_at(clip_phase).wrapping_sub(track.phase);
    let span = i128::from(length) * i128::from(SPEED_ONE);
    // speed * now / span, modulo 1, in 2^-32.
    let loops = (i128::from(now) * i128::from(track.speed)).rem_euclid(span);
    let exact = ((loops << 32) / span) as u32;
    let off = exact.wrapping_sub(got);
    u64::from(off.min(got.wrapping_sub(exact)))
}

#[test]
fn ends_of_clips() {
    let length = Tick(1000);
    assert_eq!(clip_phase(Tick(5), Tick::ZERO), 0, "no length, no motion");
    assert_eq!(phase_once(Tick(-5), length), 0);
    assert_eq!(phase_once(Tick(500), length), 1 << 31);
    assert_eq!(phase_once(Tick(1000), length), u32::MAX);
    assert_eq!(phase_once(Tick(i64::MAX), length), u32::MAX);
    assert_eq!(phase_once(Tick(0), Tick::ZERO), u32::MAX);
    for (now, want) in [(-1, 0.0), (10, 0.0), (60, 0.5), (110, 1.0), (i64::MAX, 1.0)] {
        assert_eq!(fade_at(Tick(now), Tick(10), Tick(100)), want, "{now}");
    }
    assert_eq!(fade_at(Tick(10), Tick(10), Tick::ZERO), 1.0);
    assert_eq!(fade_at(Tick(9), Tick(10), Tick::ZERO), 0.0);
    assert_eq!(fade_at(Tick(i64::MAX), Tick(i64::MIN), Tick(1)), 1.0);
}

proptest! {
    #[test]
    fn phases_are_those_of_wide_numbers(
        now in any::<i64>(), length in 1i64..1 << 40, speed in -2000i32..2000, phase in any::<u32>(),
    ) {
        let track = Track { clip: 0, phase, speed };
        prop_assert!(lag(&track, clip_phase(Tick(now), Tick(length)), now, length) <= u64::from(speed.unsigned_abs()));
    }

    /// However the time came to pass.
    #[test]
    fn only_the_moment_counts(now in 0i64..1 << 50, loops in 0i64..1000, length in 1i64..1 << 40) {
        let later = now + loops * length * i64::from(SPEED_ONE) % (1 << 60);
        prop_assume!(loops.checked_mul(length * i64::from(SPEED_ONE)).is_some_and(|x| x < 1 << 60));
        prop_assert_eq!(clip_phase(Tick(now), Tick(length)), clip_phase(Tick(later), Tick(length)));
    }

    #[test]
    fn frames_are_those_of_wide_numbers(phase in any::<u32>(), segments in 1u32..=0xffff) {
        let (frame, along) = frame_of_phase(phase, segments);
        let wide = (u64::from(phase) * u64::from(segments)) >> 16;
        prop_assert_eq!(u64::from(frame), wide >> 16);
        prop_assert_eq!(f64::from(along), (wide & 0xffff) as f64 / 65536.0);
        prop_assert!(frame < segments && (0.0..1.0).contains(&along));
    }
}
