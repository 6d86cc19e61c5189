//! FLIP against itself: everywhere and over tiles, threads, instruction sets; and laws that hold for every picture.
//! Against NVIDIA's program: `tests/pictures/compare/flip_peer.rs`.

use proptest::prelude::*;

use super::*;

/// A picture of smooth parts, edges and noise, and one that differs from it in a few places.
fn pair(width: u32, height: u32, kind: u8, channels: u32, seed: u64, spots: u32) -> (Picture, Picture) {
    let mut state = seed | 1;
    let mut next = move || {
        state = state.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
        (state >> 40) as f32 / (1u64 << 24) as f32
    };
    let mut values = Vec::new();
    for y in 0..height {
        for x in 0..width {
            for c in 0..channels {
                let board = if (x / 9 + y / 7) % 2 == 0 { 0.2 } else { 0.6 };
                values.push(board + 0.1 * next() + 0.1 * (c as f32 + x as f32 / width as f32));
            }
        }
    }
    let mut other = values.clone();
    for _ in 0..spots {
        let (left, top) = ((next() * width as f32) as u32, (next() * height as f32) as u32);
        for y in top..(top + 4).min(height) {
            for x in left..(left + 5).min(width) {
                other[((y * width + x) * channels) as usize] *= 0.7;
            }
        }
    }
    let samples = |values: &[f32]| match kind {
        0 => Samples::U8(values.iter().map(|v| (v * 255.0) as u8).collect()),
        1 => Samples::U16(values.iter().map(|v| (v * 65535.0) as u16).collect()),
        _ => Samples::F32(values.iter().map(|v| v * v * 8.0).collect()),
    };
    let picture = |values: &[f32]| Picture::new(width, height, channels, samples(values)).unwrap();
    (picture(&values), picture(&other))
}

fn bits(map: &FlipMap) -> Vec<u32> {
    map.errors.iter().map(|e| e.to_bits()).collect()
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 24, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn tiles_threads_and_levels_never_show(
        width in 1u32..300, height in 1u32..200, kind in 0u8..3, channels in 1u32..=4, seed in any::<u64>(), spots in 0u32..4,
    ) {
        let (old, new) = pair(width, height, kind, channels, seed, spots);
        let options = FlipOptions::default();
        let whole = flip(&old, &new, &options, Where::Everywhere, &Pool::new(1)).unwrap();
        let exact = Exact::of(&old, &new).unwrap();
        for threads in [1, 2, 3] {
            let pool = Pool::new(threads);
            let tiles = flip(&old, &new, &options, Where::Differing(&exact), &pool).unwrap();
            prop_assert_eq!(bits(&whole), bits(&tiles), "tiles, {} threads", threads);
            prop_assert_eq!(whole.mean().to_bits(), tiles.mean().to_bits());
            prop_assert_eq!(tiles.figures(), whole.figures());
            prop_assert!(tiles.tile_count() <= whole.tile_count());
        }
        for isa in Isa::available() {
            let other = flip_at(&old, &new, &options, Where::Differing(&exact), &Pool::new(1), isa).unwrap();
            prop_assert_eq!(bits(&whole), bits(&other), "{}", isa);
        }
        prop_assert!(whole.errors.iter().all(|e| (0.0..=1.0).contains(e)));
        prop_assert_eq!(whole.mean() == 0.0, whole.errors.iter().all(|e| *e == 0.0));
    }

    /// Samples of any bits at all.
    #[test]
    fn hostile_floats_give_numbers(a in prop::collection::vec(any::<u32>(), 12 * 9), b in prop::collection::vec(any::<u32>(), 12 * 9)) {
        let of = |bits: &[u32]| {
            Picture::new(12, 3, 3, Samples::F32(bits.iter().map(|b| f32::from_bits(*b)).collect())).unwrap()
        };
        for tone_map in [ToneMap::Aces, ToneMap::Hable, ToneMap::Reinhard] {
            let options = FlipOptions { tone_map, ..FlipOptions::default() };
            let map = flip(&of(&a), &of(&b), &options, Where::Everywhere, &Pool::new(1)).unwrap();
            prop_assert!(map.errors.iter().all(|e| (0.0..=1.0).contains(e)));
            prop_assert!(map.figures().mean.is_finite());
        }
    }
}

#[test]
fn equal_pictures_have_no_error_and_other_kinds_no_flip() {
    let (old, _) = pair(70, 70, 0, 3, 5, 0);
    let options = FlipOptions::default();
    let map = flip(&old, &old, &options, Where::Everywhere, &Pool::new(1)).unwrap();
    assert_eq!(map.figures(), FlipFigures::default());
    let ids = Picture::new(2, 1, 1, Samples::U32(vec![1, 2])).unwrap();
    assert_eq!(flip(&ids, &ids, &options, Where::Everywhere, &Pool::new(1)), Err(FlipError::Numbers));
    let near = FlipOptions { pixels_per_degree: f32::NAN, ..options };
    assert_eq!(flip(&old, &old, &near, Where::Everywhere, &Pool::new(1)), Err(FlipError::Distance));
    let (bright, _) = pair(9, 9, 2, 3, 5, 0);
    let backwards = Exposures { start_ev: 2.0, stop_ev: 1.0, count: 3 };
    let exposed = FlipOptions { exposures: Some(backwards), ..options };
    assert_eq!(flip(&bright, &bright, &exposed, Where::Everywhere, &Pool::new(1)), Err(FlipError::Exposures));
    assert!(matches!(flip(&old, &ids, &options, Where::Everywhere, &Pool::new(1)), Err(FlipError::Unlike(_))));
}

#[test]
fn alpha_dims_what_is_shown() {
    let of = |pixel: [u8; 4]| Picture::new(20, 20, 4, Samples::U8(pixel.repeat(400))).unwrap();
    let mean = |a, b| flip(&of(a), &of(b), &FlipOptions::default(), Where::Everywhere, &Pool::new(1)).unwrap().mean();
    // What cannot be seen makes no difference; what fades does.
    assert_eq!(mean([255, 0, 0, 0], [0, 255, 0, 0]), 0.0);
    assert!(mean([255, 255, 255, 255], [255, 255, 255, 128]) > 0.1);
}

#[test]
fn quartiles_are_those_of_sorted_errors() {
    let (old, new) = pair(100, 90, 0, 3, 11, 3);
    let map = flip(&old, &new, &FlipOptions::default(), Where::Everywhere, &Pool::new(1)).unwrap();
    let mut sorted = map.errors.clone();
    sorted.sort_by(f32::total_cmp);
    let total: f64 = sorted.iter().map(|e| f64::from(*e)).sum();
    let figures = map.figures();
    for (share, found) in
        [(0.25, figures.weighted_quartile_1), (0.5, figures.weighted_median), (0.75, figures.weighted_quartile_3)]
    {
        let mut sum = 0.0;
        let want = sorted.iter().find(|e| {
            sum += f64::from(**e);
            sum > share * total
        });
        assert_eq!(found, f64::from(*want.unwrap()), "{share}");
    }
    assert!((figures.mean - total / 9000.0).abs() < 1e-12);
    assert_eq!(figures.max, f64::from(*sorted.last().unwrap()));
}
