//! Keys in time: what becomes of a file's times, and that it does not matter how a key is found.

use proptest::prelude::*;
use stillframe_anim::sample::{Skeleton, bake_raw};
use stillframe_anim::{Interpolation, Property};
use stillframe_base::lanes::Isa;
use stillframe_base::tick::{TICKS_PER_SECOND, Tick};
use stillframe_testkit::depth::cases;

use super::oracle::{Clip, Track, clip, ticks};
use super::playing::{at_rate, bits, play};

/// How keys are found: by asking each (the oracle's own), by going on from the last one found, by halving, or, where
/// they lie evenly, by a division.
struct Cursor(usize);

impl Cursor {
    fn place(&mut self, track: &Track, at: Tick) -> (usize, f64) {
        let times = |key: usize| track.keys[key].0;
        while self.0 > 0 && times(self.0) > at {
            self.0 -= 1;
        }
        while self.0 + 1 < track.keys.len() && times(self.0 + 1) <= at {
            self.0 += 1;
        }
        if at < times(self.0) || self.0 + 1 == track.keys.len() {
            return (self.0, 0.0);
        }
        let (from, to) = (times(self.0), times(self.0 + 1));
        (self.0, (at.0 - from.0) as f64 / (to.0 - from.0) as f64)
    }
}

fn halving(track: &Track, at: Tick) -> (usize, f64) {
    let (mut low, mut high) = (0, track.keys.len());
    while high - low > 1 {
        let middle = (low + high) / 2;
        if track.keys[middle].0 <= at { low = middle } else { high = middle }
    }
    let from = track.keys[low].0;
    if at <= from || high == track.keys.len() {
        return (low, 0.0);
    }
    (low, (at.0 - from.0) as f64 / (track.keys[high].0.0 - from.0) as f64)
}

/// Keys `step` ticks apart.
fn division(track: &Track, step: i64, at: Tick) -> (usize, f64) {
    let since = (at - track.keys[0].0).0;
    let key = since.div_euclid(step).clamp(0, track.keys.len() as i64 - 1);
    let along =
        if since <= 0 || key as usize + 1 == track.keys.len() { 0.0 } else { (since % step) as f64 / step as f64 };
    (key as usize, along)
}

/// What `Keyed` gives, which halves.
fn sampled(track: &Track, at: Tick) -> Vec<u64> {
    let keyed = track.keyed();
    if track.property == Property::Rotation {
        return keyed.sample_rotation(at).to_array().map(f64::to_bits).to_vec();
    }
    let mut out = [0.0; 3];
    keyed.sample(at, &mut out);
    out.map(f64::to_bits).to_vec()
}

fn value(track: &Track, place: (usize, f64)) -> Vec<u64> {
    if track.property == Property::Rotation {
        return track.rotation(place).to_array().map(f64::to_bits).to_vec();
    }
    track.value(place).into_iter().map(f64::to_bits).collect()
}

/// Moments in an order: forward, backward or as drawn.
fn moments() -> impl Strategy<Value = Vec<Tick>> {
    (prop::collection::vec(-0.2f64..1.6, 1..24), 0..3).prop_map(|(mut times, order)| {
        if order < 2 {
            times.sort_by(f64::total_cmp);
        }
        if order == 1 {
            times.reverse();
        }
        times.into_iter().map(ticks).collect()
    })
}

/// Also exactly at keys.
fn with_keys(clip: &Clip, moments: &[Tick]) -> Vec<Tick> {
    let keys: Vec<Tick> = clip.key_moments().into_iter().map(|at| at + clip.start).collect();
    let key = |i: usize| keys.get(i * 7 % keys.len().max(1)).copied();
    moments.iter().enumerate().flat_map(|(i, at)| [Some(*at), key(i)]).flatten().collect()
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(cases(128)))]

    #[test]
    fn p42_keys_are_found_alike(clip in clip(), moments in moments(), step in 1i64..TICKS_PER_SECOND / 10) {
        for track in &clip.tracks {
            let mut even = track.clone();
            even.keys.iter_mut().enumerate().for_each(|(i, (time, _))| *time = Tick(i as i64 * step - 2 * step));
            for track in [track, &even] {
                let mut cursor = Cursor(0);
                for at in with_keys(&clip, &moments) {
                    let want = sampled(track, at);
                    prop_assert_eq!(&value(track, track.place(at)), &want, "asking each, {:?}", at);
                    prop_assert_eq!(&value(track, halving(track, at)), &want, "halving, {:?}", at);
                    prop_assert_eq!(&value(track, cursor.place(track, at)), &want, "cursor, {:?}", at);
                }
            }
            for at in with_keys(&clip, &moments).into_iter().chain(even.keys.iter().map(|(time, _)| *time)) {
                prop_assert_eq!(&value(&even, division(&even, step, at)), &sampled(&even, at), "division, {:?}", at);
            }
        }
    }

    /// The frame of a baked clip, too: what the division finds is what a cursor and halving find in a table of its
    /// frames' times.
    #[test]
    fn p42_frames_are_found_alike(clip in clip(), moments in moments(), rate in 1u32..130) {
        let skeleton = Skeleton::new(&clip.joints).expect("a forest");
        let (baked, _) = bake_raw(&clip.raw(), &skeleton, &at_rate(rate)).expect("well formed");
        let frames = Track {
            node: 0,
            property: Property::Scale,
            interpolation: Interpolation::Linear,
            keys: (0..baked.frame_count()).map(|i| (Tick(i as i64 * baked.frame_ticks()), [vec![], vec![], vec![]])).collect(),
        };
        let mut cursor = Cursor(0);
        for at in with_keys(&clip, &moments).into_iter().map(|at| at - clip.start) {
            let within = at.clamp(Tick::ZERO, clip.duration());
            let found = baked.place(at);
            // The last frame is found as the end of the segment before it.
            let forward = |(frame, along): (usize, f64)| {
                if frame + 1 == baked.frame_count() { (frame - 1, 1.0) } else { (frame, along as f32) }
            };
            prop_assert_eq!(forward(cursor.place(&frames, within)), found);
            prop_assert_eq!(forward(halving(&frames, within)), found);
            // A pose depends on its moment and on nothing before it.
            let first = bits(&play(Isa::detect(), &baked, at));
            prop_assert_eq!(bits(&play(Isa::detect(), &baked, at)), first);
        }
    }

    #[test]
    fn p41_seconds_keep_their_order_and_come_back(mut seconds in prop::collection::vec(0.0f32..4000.0, 2..50), rate in prop::sample::select(vec![24u32, 25, 30, 60, 90, 120, 144, 1000])) {
        // Times as programs write them, and any other.
        seconds.extend((0..200).map(|frame| frame as f32 / rate as f32));
        seconds.sort_by(f32::total_cmp);
        seconds.dedup();
        // Exact: 24 bits times 1,378,125 * 2^9.
        let exact = |seconds: f32| f64::from(seconds) * TICKS_PER_SECOND as f64;
        for pair in seconds.windows(2) {
            let [a, b] = [pair[0], pair[1]].map(|s| Tick::from_seconds(f64::from(s)));
            prop_assert!((a.0 as f64 - exact(pair[0])).abs() <= 0.5);
            prop_assert!(a <= b);
            prop_assert!(a < b || exact(pair[1]) - exact(pair[0]) <= 1.0, "{:?} are one", pair);
            // From a 32nd of a second on neighbours among f32 are more than a tick apart: seconds come back to the bit.
            if pair[0] >= 0.031_25 {
                prop_assert!(a < b);
                prop_assert_eq!(a.seconds() as f32, pair[0]);
            }
        }
    }
}
