//! Files of pictures: what is written is read back, what is broken is refused, nothing is left half-written.

use std::fs;
use std::path::PathBuf;

use proptest::prelude::*;
use stillframe_frames::*;

fn folder(name: &str) -> PathBuf {
    let path = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join(name);
    let _ = fs::remove_dir_all(&path);
    fs::create_dir_all(&path).unwrap();
    path
}

/// Any picture that a PNG can hold.
fn png_picture() -> impl Strategy<Value = Picture> {
    (1u32..20, 1u32..20, 1u32..=4, any::<bool>(), any::<u64>()).prop_map(|(w, h, c, wide, seed)| {
        let count = (w * h * c) as usize;
        let mut state = seed | 1;
        let mut next = || {
            state = state.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
            (state >> 40) as u16
        };
        let samples = if wide {
            Samples::U16((0..count).map(|_| next()).collect())
        } else {
            Samples::U8((0..count).map(|_| next() as u8).collect())
        };
        Picture::new(w, h, c, samples).unwrap()
    })
}

/// Any picture at all.
fn any_picture() -> impl Strategy<Value = Picture> {
    let floats = (1u32..9, 1u32..9, 1u32..=4).prop_flat_map(|(w, h, c)| {
        prop::collection::vec(any::<f32>(), (w * h * c) as usize)
            .prop_map(move |v| Picture::new(w, h, c, Samples::F32(v)).unwrap())
    });
    let ids = (1u32..9, 1u32..9).prop_flat_map(|(w, h)| {
        prop::collection::vec(any::<u32>(), (w * h) as usize)
            .prop_map(move |v| Picture::new(w, h, 1, Samples::U32(v)).unwrap())
    });
    prop_oneof![png_picture(), floats, ids]
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 200, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn png_round_trip(picture in png_picture()) {
        for effort in [PngEffort::Fast, PngEffort::Small] {
            let bytes = encode_png(&picture, effort).unwrap();
            prop_assert_eq!(&bytes, &encode_png(&picture.clone(), effort).unwrap());
            prop_assert_eq!(decode_png(&bytes).unwrap(), picture.clone());
        }
    }

    #[test]
    fn npy_round_trip(picture in any_picture()) {
        let read = decode_npy(&encode_npy(&picture)).unwrap();
        let [h, w] = [picture.height_px as usize, picture.width_px as usize];
        let want = if picture.channel_count == 1 { vec![h, w] } else { vec![h, w, picture.channel_count as usize] };
        prop_assert_eq!(&read.shape, &want);
        prop_assert_eq!(read.into_picture().unwrap().hash(), picture.hash());
    }

    #[test]
    fn equal_hashes_and_no_differences_are_one_statement(left in any_picture(), at in any::<prop::sample::Index>(), bits in any::<u32>()) {
        let mut right = left.clone();
        let at = at.index(left.samples.len());
        match &mut right.samples {
            Samples::U8(v) => v[at] ^= bits as u8,
            Samples::U16(v) => v[at] ^= bits as u16,
            Samples::U32(v) => v[at] ^= bits,
            Samples::F32(v) => v[at] = f32::from_bits(v[at].to_bits() ^ bits),
        }
        let differences = Differences::of(&left, &right).unwrap();
        prop_assert_eq!(left.hash() == right.hash(), differences.is_none());
        let summary = differences.summary();
        prop_assert_eq!(summary.differing_pixel_count, usize::from(!differences.is_none()));
        prop_assert_eq!(differences.largest_region_over(0.0), summary.differing_pixel_count);
        prop_assert_eq!(difference_picture(&differences).check(), Ok(()));
    }

    #[test]
    fn broken_png_files_are_refused_quietly(picture in png_picture(), cut in any::<prop::sample::Index>(), flips in prop::collection::vec((any::<prop::sample::Index>(), any::<u8>()), 0..8)) {
        let mut bytes = encode_png(&picture, PngEffort::Small).unwrap();
        for (at, value) in flips {
            let at = at.index(bytes.len());
            bytes[at] = value;
        }
        let _ = decode_png(&bytes);
        bytes.truncate(cut.index(bytes.len()));
        let _ = decode_png(&bytes);
        let _ = decode_npy(&bytes);
    }

    #[test]
    fn any_bytes_are_survived(bytes in prop::collection::vec(any::<u8>(), 0..300)) {
        let signed = [b"\x89PNG\r\n\x1a\n".as_slice(), &bytes].concat();
        let _ = decode_png(&signed);
        let numbered = [b"\x93NUMPY\x01\x00".as_slice(), &bytes].concat();
        let _ = decode_npy(&numbered);
        let _ = Lock::parse(&String::from_utf8_lossy(&bytes));
    }
}

#[test]
fn png_files_hold_an_srgb_chunk_and_no_date() {
    let bytes = encode_png(&Picture::new(2, 2, 3, Samples::U8(vec![5; 12])).unwrap(), PngEffort::Small).unwrap();
    let has = |name: &[u8]| bytes.windows(4).any(|w| w == name);
    assert!(has(b"sRGB") && has(b"IDAT"));
    assert!(!has(b"tIME") && !has(b"tEXt") && !has(b"pHYs"));
}

#[test]
fn floats_do_not_fit_into_png() {
    let picture = Picture::new(1, 1, 1, Samples::F32(vec![0.5])).unwrap();
    assert_eq!(encode_png(&picture, PngEffort::Small), Err(PngError::Samples("float")));
}

/// A file of a few bytes may not ask for gigabytes.
#[test]
fn small_files_do_not_unfold_without_end() {
    let header = |width: u32, height: u32| {
        let mut body = b"IHDR".to_vec();
        body.extend_from_slice(&width.to_be_bytes());
        body.extend_from_slice(&height.to_be_bytes());
        body.extend_from_slice(&[16, 6, 0, 0, 0]);
        let mut out = b"\x89PNG\r\n\x1a\n\0\0\0\x0d".to_vec();
        out.extend_from_slice(&body);
        out.extend_from_slice(&crc(&body).to_be_bytes());
        out.extend_from_slice(b"\0\0\0\0IDAT");
        out.extend_from_slice(&crc(b"IDAT").to_be_bytes());
        out
    };
    for (width, height) in [(16384, 16384), (100_000, 1), (1, 100_000), (0, 5), (u32::MAX, u32::MAX)] {
        let error = decode_png(&header(width, height)).unwrap_err();
        assert_eq!(error, PngError::TooLarge { width_px: width, height_px: height });
    }
}

/// An animation with a count of frames that would overflow: only the still picture is looked at.
#[test]
fn animation_chunks_are_passed_over() {
    let picture = Picture::new(2, 2, 3, Samples::U8((0..12).collect())).unwrap();
    let bytes = encode_png(&picture, PngEffort::Small).unwrap();
    let mut body = b"acTL".to_vec();
    body.extend_from_slice(&[0xFF; 8]);
    let mut chunk = vec![0, 0, 0, 8];
    chunk.extend_from_slice(&body);
    chunk.extend_from_slice(&crc(&body).to_be_bytes());
    let with = [&bytes[..33], &chunk, &bytes[33..]].concat();
    assert_eq!(decode_png(&with).unwrap(), picture);
}

/// Bit by bit, as the PNG specification writes it.
fn crc(bytes: &[u8]) -> u32 {
    let mut sum = u32::MAX;
    for byte in bytes {
        sum ^= u32::from(*byte);
        for _ in 0..8 {
            sum = if sum & 1 == 1 { sum >> 1 ^ 0xEDB8_8320 } else { sum >> 1 };
        }
    }
    !sum
}

#[test]
fn files_are_whole_or_not_there() {
    let folder = folder("whole");
    let path = folder.join("a.png");
    write_file(&path, b"first").unwrap();
    write_file(&path, b"second").unwrap();
    assert_eq!(fs::read(&path).unwrap(), b"second");

    // A folder stands where the file should go: the rename fails, the temporary file is gone.
    let taken = folder.join("taken");
    fs::create_dir_all(taken.join("inside")).unwrap();
    assert!(write_file(&taken, b"x").is_err());
    assert!(write_file(&folder.join("no/such/folder/a.png"), b"x").is_err());
    assert!(write_file(std::path::Path::new(".."), b"x").is_err());
    let mut left: Vec<_> = fs::read_dir(&folder).unwrap().map(|e| e.unwrap().file_name()).collect();
    left.sort();
    assert_eq!(left, ["a.png", "taken"]);
}
