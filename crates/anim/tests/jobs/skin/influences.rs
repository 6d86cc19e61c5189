//! Influences: the rule of reduction, and weights of eight bits.

use proptest::prelude::*;
use stillframe_anim::skin::{
    INFLUENCES_MAX, Influence, InfluenceList, SHARE_MIN, SkinError, reduce_influences, weights_u8,
};

fn influence((joint, weight): (u16, f32)) -> Influence {
    Influence { joint, weight }
}

fn reduce(raw: &[(u16, f32)], count_max: usize) -> Result<Vec<(u16, f32)>, SkinError> {
    let raw: Vec<Influence> = raw.iter().copied().map(influence).collect();
    Ok(reduce_influences(3, &raw, 10, count_max)?.iter().map(|i| (i.joint, i.weight)).collect())
}

#[test]
fn the_rule_case_by_case() {
    let ok = |kept: &[(u16, f32)]| Ok(kept.to_vec());
    for (raw, count_max, want) in [
        // Repeats are one joint.
        (&[(4, 0.25), (2, 0.25), (4, 0.5)][..], 4, ok(&[(4, 0.75), (2, 0.25)])),
        // The smallest go; of equal ones those of the higher joints.
        (&[(5, 1.0), (3, 1.0), (7, 2.0), (1, 1.0)], 2, ok(&[(7, 2.0 / 3.0), (1, 1.0 / 3.0)])),
        // Next to nothing is dropped, also where weights do not sum to 1.
        (&[(0, 1.0), (1, 0.9e-4)], 4, ok(&[(0, 1.0)])),
        (&[(0, 1000.0), (1, 0.09)], 4, ok(&[(0, 1.0)])),
        (&[(0, 1.0), (1, 0.0)], 4, ok(&[(0, 1.0)])),
        (&[(9, 0.2)], 1, ok(&[(9, 1.0)])),
        (&[], 4, Err(SkinError::NoWeight { vertex: 3, sum: 0.0 })),
        (&[(1, 0.0), (2, 0.0)], 4, Err(SkinError::NoWeight { vertex: 3, sum: 0.0 })),
        (&[(10, 1.0)], 4, Err(SkinError::UnknownJoint { vertex: 3, joint: 10, count: 10 })),
        // A joint that there is not is an error, with weight or without.
        (&[(0, 1.0), (11, 0.0)], 4, Err(SkinError::UnknownJoint { vertex: 3, joint: 11, count: 10 })),
        (&[(0, 1.0), (1, -0.5)], 4, Err(SkinError::Weight { vertex: 3, joint: 1, weight: -0.5 })),
        (&[(0, f32::INFINITY)], 4, Err(SkinError::Weight { vertex: 3, joint: 0, weight: f32::INFINITY })),
    ] {
        assert_eq!(reduce(raw, count_max), want, "{raw:?}");
    }
    assert!(matches!(reduce(&[(0, f32::NAN)], 4), Err(SkinError::Weight { vertex: 3, joint: 0, .. })));
}

/// Rounded one by one, five equal weights are 51 each and six are 43 each, 258: the mesh would grow by a hundredth.
#[test]
fn d5_weights_of_eight_bits_sum_to_255() {
    for count in 1..=INFLUENCES_MAX {
        let weights = vec![influence((0, 1.0 / count as f32)); count];
        let mut out = vec![0; count];
        weights_u8(&weights, &mut out);
        assert_eq!(out.iter().map(|w| u32::from(*w)).sum::<u32>(), 255, "{out:?}");
        assert!(out.is_sorted_by(|a, b| a >= b), "what is missing goes to the first: {out:?}");
    }
}

proptest! {
    #[test]
    fn few_large_ones_that_sum_to_one(
        raw in prop::collection::vec((0u16..40, 0.0f32..1.0), 1..30), count_max in 1usize..=INFLUENCES_MAX,
    ) {
        prop_assume!(raw.iter().any(|(_, weight)| *weight > 0.01));
        let influences: Vec<Influence> = raw.iter().copied().map(influence).collect();
        let kept = reduce_influences(0, &influences, 40, count_max).expect("good weights");
        prop_assert!((1..=count_max).contains(&kept.len()));
        prop_assert!((kept.iter().map(|i| f64::from(i.weight)).sum::<f64>() - 1.0).abs() < 1e-6);
        prop_assert!(kept.iter().all(|i| f64::from(i.weight) >= SHARE_MIN * 0.99));
        prop_assert!(kept.is_sorted_by(|a, b| (b.weight, a.joint) < (a.weight, b.joint) || a.weight == b.weight));

        // Nothing that was left out is larger than what was kept.
        let of = |joint: u16| raw.iter().filter(|(j, _)| *j == joint).map(|(_, w)| f64::from(*w)).sum::<f64>();
        let least = kept.iter().map(|i| of(i.joint)).fold(f64::INFINITY, f64::min);
        if kept.len() == count_max {
            for joint in (0..40).filter(|joint| kept.iter().all(|i| i.joint != *joint)) {
                prop_assert!(of(joint) <= least);
            }
        }
        // The order in which a file lists them says nothing, but for the last bit of sums of repeats.
        let mut turned = influences.clone();
        turned.reverse();
        let again = reduce_influences(0, &turned, 40, count_max).expect("good weights");
        prop_assert_eq!(kept.len(), again.len());

        let mut bytes = vec![0; kept.len()];
        weights_u8(&kept, &mut bytes);
        prop_assert_eq!(bytes.iter().map(|w| u32::from(*w)).sum::<u32>(), 255);
        for (byte, kept) in bytes.iter().zip(&kept) {
            prop_assert!((f32::from(*byte) - kept.weight * 255.0).abs() < 1.0 + 1e-3);
        }
    }

    #[test]
    fn blocks_hold_what_the_list_does(counts in prop::collection::vec(1usize..=8, 1..40)) {
        let mut list = InfluenceList::new(100, 8);
        for (vertex, &count) in counts.iter().enumerate() {
            let raw: Vec<Influence> =
                (0..count).map(|k| influence((((vertex * 7 + k * 3) % 100) as u16, 1.0 + k as f32))).collect();
            list.push(&raw).expect("good weights");
        }
        let blocks = list.blocks();
        let sets = list.influence_count().div_ceil(4);
        for vertex in 0..counts.len() {
            let held: Vec<Influence> = (0..sets * 4).map(|k| {
                let block = &blocks[vertex / 16 * sets + k / 4];
                influence((block.joints[vertex % 16][k % 4], block.weights[vertex % 16][k % 4]))
            }).collect();
            let count = list.of(vertex).len();
            prop_assert_eq!(&held[..count], list.of(vertex));
            prop_assert!(held[count..].iter().all(|i| i.weight == 0.0));
        }
    }
}
