//! All figures of made frames: what is found is what was changed.

use stillframe_base::par::Pool;
use stillframe_frames::compare::*;
use stillframe_frames::{Picture, Samples};

use stillframe_testkit::pictures::{Change, bright_pair, pair};

fn of(old: &Picture, new: &Picture) -> Comparison {
    let options = CompareOptions { flip: Some(FlipOptions::default()) };
    Comparison::of(old, new, &options, &Pool::new(2)).unwrap()
}

#[test]
fn changes_are_told_by_name() {
    for (change, classes, sign, regions) in [
        (Change::Same, "-", None, 0..1),
        (Change::Lsb, "lsb", Some(Sign::Mixed), 900..1400),
        (Change::Edge, "edge+area", Some(Sign::Mixed), 1..40),
        (Change::Gain, "gain", Some(Sign::Brighter), 1..60),
        (Change::Missing, "area", None, 1..9),
    ] {
        let (old, new) = pair(256, 256, 4, change);
        let found = of(&old, &new);
        assert_eq!(found.classes.to_string(), classes, "{change:?}");
        assert!(sign.is_none() || found.sign == sign, "{change:?}: {:?}", found.sign);
        assert!(regions.contains(&found.regions.region_count), "{change:?}: {}", found.regions.region_count);
        assert_eq!(found.is_same(), change == Change::Same);
        assert_eq!(found.flip.unwrap().mean == 0.0, change == Change::Same);
        assert_eq!(found.tiles.differing.is_empty(), change == Change::Same);
        let told: u64 = found.histogram.iter().map(|step| step.pixel_count).sum();
        assert_eq!(told, found.differing_pixel_count);
    }
}

#[test]
fn figures_are_plain_data() {
    let (old, new) = bright_pair(130, 70, Change::Edge);
    let mut broken = new.clone();
    let Samples::F32(samples) = &mut broken.samples else { unreachable!() };
    (samples[0], samples[9], samples[31]) = (f32::NAN, f32::INFINITY, f32::MAX);
    for new in [new, broken] {
        let found = of(&old, &new);
        let text = serde_json::to_string(&found).unwrap();
        assert_eq!(serde_json::from_str::<Comparison>(&text).unwrap(), found);
    }
    let ids = |v| Picture::new(3, 1, 1, Samples::U32(vec![1, v, 3])).unwrap();
    let found = of(&ids(2), &ids(u32::MAX));
    assert_eq!((found.differing_pixel_count, found.flip), (1, None));
}

#[test]
fn pictures_of_other_shape_say_what_differs() {
    let of = |w: u32, h: u32, samples: Samples| {
        let channels = samples.len() as u32 / w / h;
        Picture::new(w, h, channels, samples).unwrap()
    };
    let eight = of(2, 2, Samples::U8(vec![0; 12]));
    for (other, want) in [
        (of(4, 1, Samples::U8(vec![0; 12])), Unlike::Size),
        (of(2, 2, Samples::U16(vec![0; 12])), Unlike::Format),
        (of(1, 1, Samples::U8(vec![0; 4])), Unlike::Both),
    ] {
        let error = Comparison::of(&eight, &other, &CompareOptions::default(), &Pool::new(1)).unwrap_err();
        assert_eq!(error.unlike(), want);
        let text = serde_json::to_string(&error).unwrap();
        assert_eq!(serde_json::from_str::<CompareError>(&text).unwrap(), error);
    }
}

/// Figures of one pair, spelt out: they may not change unnoticed.
#[test]
fn figures_are_pinned() {
    let (old, new) = pair(192, 160, 3, Change::Edge);
    let found = of(&old, &new);
    let text = serde_json::to_string_pretty(&found).unwrap();
    let golden = include_str!("edge.json");
    assert_eq!(text.trim_end(), golden.trim_end(), "{text}");
}
