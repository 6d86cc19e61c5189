//! Bytes: files come back as they were; damaged and hostile ones are refused, or are clips like any other.

use proptest::prelude::*;
use stillframe_anim::compress::{BytesError, CompressedClip, NamedClip, compress, compress_raw};
use stillframe_anim::sample::DTrs;
use stillframe_base::hash::Digest;
use stillframe_base::lanes::Isa;
use stillframe_base::tick::Tick;
use stillframe_testkit::clips;
use stillframe_testkit::depth::cases;

use super::playing::{joints_of, play, within};
use crate::sample::oracle::ticks;

/// One of frames and one of keys.
fn files() -> [Vec<u8>; 2] {
    let skeleton = clips::skeleton();
    let mut swing = |at: Tick, pose: &mut [DTrs]| {
        for joint in [0, 3, 17, 40] {
            pose[joint].rotation = glam::DQuat::from_rotation_x(at.seconds() * joint as f64 * 0.1);
            pose[joint].translation.y += at.seconds();
        }
        pose[5].rotation = glam::DQuat::from_rotation_y(at.seconds() * 90.0);
    };
    let mut jump = |at: Tick, pose: &mut [DTrs]| {
        pose[2].scale.x = if at < ticks(0.123_456) { 1.0 } else { 2.0 };
        pose[20].rotation = glam::DQuat::from_rotation_x(at.seconds());
    };
    let frames = compress(&skeleton, ticks(2.0), &[], &within(1e-3), &mut swing).expect("within the bound").0;
    let keys = compress(&skeleton, ticks(0.3), &[ticks(0.123_456)], &within(1e-3), &mut jump).expect("within").0;
    [frames.to_bytes(), keys.to_bytes()]
}

/// Makes lengths and checksums right again, as an attacker would.
fn sealed(mut bytes: Vec<u8>) -> Vec<u8> {
    if bytes.len() >= 24 {
        let length = (bytes.len() - 24) as u64;
        bytes[8..16].copy_from_slice(&length.to_le_bytes());
        let sum = Digest::of_bytes(&bytes[24..]).0;
        bytes[16..24].copy_from_slice(&sum[..8]);
    }
    bytes
}

#[test]
fn clips_come_back() {
    let skeleton = clips::skeleton();
    for raw in clips::all() {
        let (clip, report) = compress_raw(&raw, &skeleton, &within(0.5e-3)).expect("within the bound");
        let bytes = clip.to_bytes();
        assert_eq!(bytes.len(), report.bytes);
        let back = CompressedClip::from_bytes(&bytes).expect("a clip");
        assert_eq!(back, clip, "{}", raw.name);
        assert_eq!(back.to_bytes(), bytes);
    }
}

#[test]
fn named_clips_come_back() {
    let skeleton = clips::skeleton();
    for bytes in files() {
        let named = NamedClip::new(&skeleton, CompressedClip::from_bytes(&bytes).expect("a clip")).expect("names");
        let bytes = named.to_bytes();
        assert!(NamedClip::is_named(&bytes) && !NamedClip::is_named(&files()[0]));
        let back = NamedClip::from_bytes(&bytes).expect("a named clip");
        assert_eq!(back, named);
        assert_eq!(back.to_bytes(), bytes);
        let joints =
            |of: &stillframe_anim::sample::Skeleton| (of.names().to_vec(), of.parents().to_vec(), of.rest().to_vec());
        assert_eq!(joints(back.skeleton()), joints(&skeleton));
    }
}

#[test]
fn damage_of_named_clips_has_names() {
    let skeleton = clips::skeleton();
    let clip = CompressedClip::from_bytes(&files()[0]).expect("a clip");
    let bytes = NamedClip::new(&skeleton, clip).expect("names").to_bytes();
    let refused = |bytes: &[u8]| NamedClip::from_bytes(bytes).expect_err("damaged");
    for (at, want) in [(0, BytesError::Magic), (4, BytesError::Version { found: 0 }), (16, BytesError::Checksum)] {
        let mut bytes = bytes.clone();
        bytes[at] ^= 1;
        assert_eq!(refused(&bytes), want);
    }
    assert_eq!(refused(&files()[0]), BytesError::Magic);
    for length in 0..bytes.len() {
        let error = refused(&bytes[..length]);
        assert!(matches!(error, BytesError::Magic | BytesError::Length { .. }), "{length}: {error}");
        // With a length and a checksum that are right again.
        let error = NamedClip::from_bytes(&sealed(bytes[..length].to_vec())).err();
        assert!(error.is_some(), "{length}");
    }
    let with = |at: usize, to: &[u8]| {
        let mut bytes = bytes.clone();
        bytes[at..at + to.len()].copy_from_slice(to);
        refused(&sealed(bytes))
    };
    // The first joint: its parent, its name, its rotation; then how many there are.
    let name = skeleton.names()[0].len();
    assert_eq!(with(26, &[0, 0]), BytesError::Range { what: "parent" });
    assert_eq!(with(30, &[0xff]), BytesError::Range { what: "name" });
    assert_eq!(with(30 + name, &[0; 16]), BytesError::Range { what: "rest pose" });
    assert_eq!(with(30 + name, &f32::NAN.to_le_bytes()), BytesError::Range { what: "rest pose" });
    assert!(matches!(with(24, &[1, 0]), BytesError::Magic | BytesError::Range { .. }));
}

#[test]
fn damage_has_names() {
    let [bytes, _] = files();
    let with = |at: usize, value: u8| {
        let mut bytes = bytes.clone();
        bytes[at] ^= value;
        CompressedClip::from_bytes(&bytes).expect_err("damaged")
    };
    assert_eq!(with(0, 1), BytesError::Magic);
    assert_eq!(with(4, 1), BytesError::Version { found: 3 });
    assert_eq!(with(6, 2), BytesError::Range { what: "form" });
    assert_eq!(with(7, 1), BytesError::Range { what: "form" });
    assert!(matches!(with(15, 1), BytesError::Length { .. }));
    assert_eq!(with(16, 1), BytesError::Checksum);
    for at in 24..bytes.len() {
        assert_eq!(with(at, 0x10), BytesError::Checksum, "byte {at}");
    }
    for length in 0..bytes.len() {
        let error = CompressedClip::from_bytes(&bytes[..length]).expect_err("cut");
        let want = if length < 24 { error == BytesError::Magic } else { matches!(error, BytesError::Length { .. }) };
        assert!(want, "{length}: {error}");
    }
}

/// Every cut, sealed: what is missing is missed, nothing is read past the end.
#[test]
fn cuts_are_refused() {
    for bytes in files() {
        for length in 24..bytes.len() {
            CompressedClip::from_bytes(&sealed(bytes[..length].to_vec())).expect_err("cut");
        }
        for more in [vec![0], vec![0; 9], vec![255]] {
            CompressedClip::from_bytes(&sealed([bytes.clone(), more].concat())).expect_err("more");
        }
    }
}

fn plays(bytes: &[u8]) -> Result<(), TestCaseError> {
    if let Ok(clip) = CompressedClip::from_bytes(bytes) {
        prop_assert!(clip.memory_bytes() <= stillframe_anim::compress::MEMORY_FACTOR * bytes.len() + (1 << 16));
        let end = clip.duration().0;
        for at in [i64::MIN, 0, 1, end / 3, end - 1, end, i64::MAX] {
            for isa in Isa::available() {
                let pose = play(isa, &clip, Tick(at));
                let numbers: &[f32] = bytemuck::cast_slice(&pose);
                prop_assert!(numbers.iter().all(|number| !number.is_nan()));
            }
        }
        prop_assert_eq!(CompressedClip::from_bytes(&clip.to_bytes()), Ok(clip));
    }
    Ok(())
}

/// A file of one joint that turns, field by field: name, value, bits.
fn fields() -> Vec<(&'static str, u64, u32)> {
    let mut fields = vec![
        ("joints", 1, 16),
        ("ticks", 100, 32),
        ("ticks, high", 0, 32),
        ("rotation's kind", 2, 2),
        ("translation's kind", 0, 2),
        ("scale's kind", 0, 2),
        ("frame's ticks", 50, 32),
        ("frame's ticks, high", 0, 32),
        ("intervals", 2, 32),
        ("segment's intervals", 2, 7),
        ("level", 0, 3),
        ("holds", 1, 1),
        ("held", 0b01, 2),
        ("step", 80, 8),
        ("left out", 3, 3),
        ("negative", 0, 1),
        ("minima's bits", 0, 6),
    ];
    fields.extend([("width", 3, 5); 3]);
    // Up to a whole byte, then three keys of three numbers.
    let bits: u32 = fields.iter().map(|field| field.2).sum();
    fields.push(("fill", 0, bits.next_multiple_of(8) - bits));
    fields.push(("keys", 0o012_345_671, 27));
    fields.push(("keys' fill", 0, 5));
    fields
}

/// The same with some values changed.
fn with(changes: &[(&str, u64)]) -> Vec<u8> {
    let (mut bytes, mut len) = ([b"SFAC".as_slice(), &[2, 0, 0, 0], &[0; 16]].concat(), 0);
    for (name, value, width) in fields() {
        let value = changes.iter().find(|change| change.0 == name).map_or(value, |change| change.1);
        for bit in 0..width {
            if len % 8 == 0 {
                bytes.push(0);
            }
            *bytes.last_mut().expect("pushed") |= ((value >> bit & 1) as u8) << (len % 8);
            len += 1;
        }
    }
    sealed(bytes)
}

/// Each field out of its range, by its name; within it, the clip plays.
#[test]
fn fields_out_of_range_have_names() {
    let clip = CompressedClip::from_bytes(&with(&[])).expect("within all ranges");
    assert_eq!(clip.to_bytes(), with(&[]));
    // The first interval holds its key, the second does not.
    let at = |ticks| joints_of(&play(Isa::detect(), &clip, Tick(ticks)), 1).next().expect("a joint").rotation;
    assert!(at(0) == at(49) && at(49) != at(50) && at(50) != at(75), "{} {} {}", at(49), at(50), at(75));
    let refused = |changes: &[(&str, u64)], what| {
        let error = CompressedClip::from_bytes(&with(changes)).expect_err(what);
        assert_eq!(error, BytesError::Range { what }, "{changes:?}");
    };
    refused(&[("ticks, high", 1 << 31)], "ticks of the clip");
    refused(&[("rotation's kind", 3)], "kind of a track");
    refused(&[("frame's ticks", 0)], "frames");
    refused(&[("frame's ticks", 49)], "frames");
    refused(&[("intervals", 0)], "frames");
    refused(&[("segment's intervals", 0)], "frames");
    refused(&[("segment's intervals", 65)], "frames");
    // Two intervals have no fourth frame.
    refused(&[("level", 2)], "level");
    for left_out in 5..8 {
        refused(&[("left out", left_out)], "number left out");
    }
    refused(&[("minima's bits", 53)], "bits of minima");
    refused(&[("width", 24)], "width");
    refused(&[("width", 0)], "widths");
    // Steps of 16.
    refused(&[("step", 0)], "rotation");
    refused(&[("fill", 1)], "bits before the keys");
    refused(&[("keys' fill", 1)], "bits after the keys");
    for (at, (name, value, width)) in fields().into_iter().enumerate() {
        for bit in 0..width {
            plays(&with(&[(name, value ^ 1 << bit)])).unwrap_or_else(|error| panic!("{at} {name} {bit}: {error}"));
        }
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(cases(2000)))]
    /// Sealed mutations of the head, where everything that decoding relies on is: never a panic, never a NaN.
    #[test]
    fn hostile_bytes_are_refused_or_played(
        form in 0usize..2, changes in prop::collection::vec((any::<prop::sample::Index>(), any::<u8>(), any::<bool>()), 1..6),
    ) {
        thread_local!(static FILES: [Vec<u8>; 2] = files());
        let mut bytes = FILES.with(|files| files[form].clone());
        for (at, value, early) in changes {
            let range = if early { 24..200.min(bytes.len()) } else { 6..bytes.len() };
            let at = range.start + at.index(range.len());
            bytes[at] ^= value;
        }
        plays(&sealed(bytes))?;
    }

    #[test]
    fn noise_is_refused_or_played(noise in prop::collection::vec(any::<u8>(), 0..400), form in 0u8..2) {
        let head = [b"SFAC".as_slice(), &[2, 0, form, 0], &[0; 16]].concat();
        plays(&sealed([head, noise.clone()].concat()))?;
        plays(&noise)?;
    }
}
