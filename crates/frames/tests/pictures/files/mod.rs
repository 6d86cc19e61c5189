//! Files of pictures: what is written is read back, what is broken is refused, nothing is left half-written.

mod animation;
mod exr_read;

use std::fs;
use std::path::PathBuf;

use proptest::prelude::*;
use stillframe_base::par::Pool;
use stillframe_frames::*;
use stillframe_testkit::depth::cases;

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
    #![proptest_config(ProptestConfig { cases: cases(200), failure_persistence: None, ..ProptestConfig::default() })]

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

/// All pixels of a file whose end is damaged are there; of one that is cut before its end, nobody knows.
#[test]
fn png_end_checksum() {
    let picture = Picture::new(3, 2, 3, Samples::U8((0..18).collect())).unwrap();
    let bytes = encode_png(&picture, PngEffort::Small).unwrap();
    let end = bytes.len() - 12;
    assert!(bytes[end..].starts_with(b"\0\0\0\0IEND"));
    let mut damaged = bytes.clone();
    damaged[end + 9] ^= 0xFF;
    assert_eq!(decode_png(&damaged).unwrap(), picture);
    let behind = [&bytes[..], b"something else"].concat();
    assert_eq!(decode_png(&behind).unwrap(), picture);
    for cut in 0..end + 8 {
        assert!(decode_png(&bytes[..cut]).is_err(), "{cut} of {} bytes", bytes.len());
    }
    // The same of animations, whose frames lie before their end.
    let mut apng = Apng::new(&picture, 2, 24.0, PngEffort::Fast).unwrap();
    (0..2).for_each(|_| apng.push(&picture).unwrap());
    let mut bytes = apng.finish().unwrap();
    let end = bytes.len() - 12;
    bytes[end + 9] ^= 0xFF;
    let read = |bytes: &[u8]| Animation::read(bytes, &DecodeLimits::default());
    let frames: Vec<Picture> = read(&bytes).unwrap().unwrap().frames().map(|frame| frame.unwrap()).collect();
    assert_eq!(frames, [picture.clone(), picture]);
    // Cut before it says that it is animated, it is a broken PNG like others.
    let says = bytes.windows(4).position(|word| word == b"acTL").unwrap() + 4;
    for cut in says..end + 8 {
        assert!(read(&bytes[..cut]).is_err(), "{cut} of {} bytes", bytes.len());
    }
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

/// Layers as the renderer has them: colour, depth, numbers, motion.
fn layers(width: u32, height: u32, seed: u32) -> Vec<(Vec<&'static str>, Picture)> {
    let count = (width * height) as usize;
    let floats = |channels: usize, salt: u32| {
        let value = |i: usize| match (i as u32).wrapping_mul(2_654_435_761).wrapping_add(seed ^ salt) >> 7 {
            bits if bits % 97 == 0 => f32::NAN,
            bits if bits % 5 == 0 => 0.0,
            bits => bits as f32 / 65536.0 - 200.0,
        };
        Picture::new(width, height, channels as u32, Samples::F32((0..count * channels).map(value).collect())).unwrap()
    };
    let ids = Samples::U32((0..count as u32).map(|i| i.wrapping_mul(seed | 1) >> 20).collect());
    vec![
        (vec!["R", "G", "B", "A"], floats(4, 1)),
        (vec!["depth.Z"], floats(1, 2)),
        (vec!["id.I"], Picture::new(width, height, 1, ids).unwrap()),
        (vec!["motion.X", "motion.Y"], floats(2, 3)),
    ]
}

fn encoded(layers: &[(Vec<&'static str>, Picture)], threads: usize) -> Vec<u8> {
    let layers: Vec<ExrLayer<'_>> = layers.iter().map(|(channels, picture)| ExrLayer { channels, picture }).collect();
    let texts = [("stillframe.scene", "b3:00"), ("stillframe.ids", "{\"1\":\"crate\"}"), ("stillframe.contract", "7")];
    encode_exr(&layers, &texts, &Pool::new(threads)).unwrap()
}

/// The crate `exr` reads the same samples under the same names, and the texts.
#[test]
fn exr_files_are_read_by_others() {
    use exr::prelude::*;
    for (width, height) in [(1, 1), (7, 15), (33, 16), (64, 49)] {
        let written = layers(width, height, 77);
        let bytes = encoded(&written, 1);
        assert_eq!(bytes, encoded(&written, 5), "threads change no byte");
        let image = read()
            .no_deep_data()
            .largest_resolution_level()
            .all_channels()
            .all_layers()
            .all_attributes()
            .from_buffered(std::io::Cursor::new(&bytes))
            .unwrap();
        assert_eq!(image.layer_data.len(), 1);
        let layer = &image.layer_data[0];
        assert_eq!((layer.size.0, layer.size.1), (width as usize, height as usize));
        assert_eq!(layer.encoding.compression, Compression::ZIP16);
        assert_eq!(layer.encoding.line_order, LineOrder::Increasing);
        let names: Vec<String> = layer.channel_data.list.iter().map(|c| c.name.to_string()).collect();
        assert_eq!(names, ["A", "B", "G", "R", "depth.Z", "id.I", "motion.X", "motion.Y"]);
        for (channels, picture) in &written {
            for (offset, name) in channels.iter().enumerate() {
                let read = layer.channel_data.list.iter().find(|c| c.name.eq(name)).unwrap();
                let step = channels.len();
                match (&read.sample_data, &picture.samples) {
                    (FlatSamples::F32(got), Samples::F32(want)) => {
                        let want: Vec<u32> = want
                            .iter()
                            .skip(offset)
                            .step_by(step)
                            .map(|v| if v.is_nan() { 0x7FC0_0000 } else { v.to_bits() })
                            .collect();
                        assert_eq!(got.iter().map(|v| v.to_bits()).collect::<Vec<_>>(), want, "{name}");
                    }
                    (FlatSamples::U32(got), Samples::U32(want)) => assert_eq!(got, want, "{name}"),
                    other => panic!("{name}: {other:?}"),
                }
            }
        }
        let text = |name: &str| match layer.attributes.other.get(&Text::from(name)) {
            Some(AttributeValue::Text(text)) => text.to_string(),
            other => panic!("{name}: {other:?}"),
        };
        assert_eq!(text("stillframe.ids"), "{\"1\":\"crate\"}");
        assert_eq!((text("stillframe.contract"), text("stillframe.scene")), ("7".to_string(), "b3:00".to_string()));
    }
}

/// One file's bytes, spelt out by their hash, so that they cannot change unnoticed.
#[test]
fn exr_bytes_are_pinned() {
    let bytes = encoded(&layers(33, 20, 5), 2);
    assert_eq!(
        blake3::hash(&bytes).to_hex().as_str(),
        "1e82746cdd9c70123aa2ab78fd580ab73349d451fde5cd1b4b18a81593e24c4e"
    );
    assert!(!bytes.windows(8).any(|w| w == b"capDate\0" || w == b"owner\0st"), "nothing of this machine");
}

#[test]
fn what_an_exr_cannot_hold_says_so() {
    let small = Picture::new(1, 1, 1, Samples::F32(vec![1.0])).unwrap();
    let wide = Picture::new(2, 1, 1, Samples::F32(vec![1.0; 2])).unwrap();
    let eight = Picture::new(1, 1, 1, Samples::U8(vec![1])).unwrap();
    let one = |channels: &[&str], picture: &Picture| {
        encode_exr(&[ExrLayer { channels, picture }], &[], &Pool::new(1)).map(|bytes| bytes.len())
    };
    assert!(one(&["Y"], &small).is_ok());
    assert_eq!(one(&["Y"], &eight), Err(ExrError::Samples("8")));
    assert_eq!(one(&[""], &small), Err(ExrError::Name(String::new())));
    assert_eq!(one(&["X", "Y"], &small), Err(ExrError::ChannelCount { got: 2, want: 1 }));
    let both = [ExrLayer { channels: &["X"], picture: &small }, ExrLayer { channels: &["Y"], picture: &wide }];
    assert_eq!(encode_exr(&both, &[], &Pool::new(1)), Err(ExrError::Sizes("1 x 1 and 2 x 1".into())));
    let twice = [ExrLayer { channels: &["X"], picture: &small }, ExrLayer { channels: &["X"], picture: &small }];
    assert_eq!(encode_exr(&twice, &[], &Pool::new(1)), Err(ExrError::Name("X".into())));
    assert_eq!(encode_exr(&[], &[], &Pool::new(1)), Err(ExrError::Empty));
    let texts = [("channels", "x")];
    let layer = ExrLayer { channels: &["Y"], picture: &small };
    assert_eq!(encode_exr(&[layer], &texts, &Pool::new(1)), Err(ExrError::Name("channels".into())));
}

/// Every frame of an animation comes back, with its time; the first one is the still picture.
#[test]
fn animations_hold_their_frames() {
    for wide in [false, true] {
        let frame = |n: usize| {
            let value = |i: usize| (i * 31 + n * 7) % 251;
            let samples = match wide {
                true => Samples::U16((0..5 * 4 * 4).map(|i| value(i) as u16 * 250).collect()),
                false => Samples::U8((0..5 * 4 * 4).map(|i| value(i) as u8).collect()),
            };
            Picture::new(5, 4, 4, samples).unwrap()
        };
        let make = || {
            let mut apng = Apng::new(&frame(0), 3, 24.0, PngEffort::Fast).unwrap();
            (0..3).for_each(|n| apng.push(&frame(n)).unwrap());
            apng.finish().unwrap()
        };
        let bytes = make();
        assert_eq!(bytes, make());
        assert_eq!(decode_png(&bytes).unwrap(), frame(0));

        let decoder = png::Decoder::new(std::io::Cursor::new(&bytes));
        let mut reader = decoder.read_info().unwrap();
        assert_eq!(reader.info().animation_control.unwrap().num_frames, 3);
        assert_eq!(reader.info().animation_control.unwrap().num_plays, 0);
        for n in 0..3 {
            let mut texels = vec![0; reader.output_buffer_size().unwrap()];
            reader.next_frame(&mut texels).unwrap();
            let control = reader.info().frame_control.unwrap();
            assert_eq!((control.delay_num, control.delay_den), (1, 24));
            let want = match frame(n).samples {
                Samples::U8(v) => v,
                Samples::U16(v) => v.iter().flat_map(|s| s.to_be_bytes()).collect(),
                other => panic!("{other:?}"),
            };
            assert_eq!(texels, want, "frame {n}");
        }
    }
    let one = Picture::new(1, 1, 1, Samples::U8(vec![1])).unwrap();
    let two = Picture::new(2, 1, 1, Samples::U8(vec![1, 2])).unwrap();
    let mut apng = Apng::new(&one, 1, 30.0, PngEffort::Fast).unwrap();
    assert!(apng.push(&two).is_err() && apng.push(&one).is_ok() && apng.push(&one).is_err());
    assert!(apng.finish().is_ok());
    assert!(Apng::new(&one, 2, 30.0, PngEffort::Fast).unwrap().finish().is_err(), "frames are missing");
    assert!(Apng::new(&one, 0, 30.0, PngEffort::Fast).is_err());
}

#[test]
fn files_under_way_can_be_taken_away() {
    let folder = folder("unfinished");
    let unfinished = std::sync::Arc::new(Unfinished::default());
    unfinished.write(&folder.join("a"), b"first").unwrap();
    // A writer that never stops, and an end in the midst of it.
    let writer = std::thread::spawn({
        let (unfinished, folder) = (unfinished.clone(), folder.clone());
        move || {
            let bytes = vec![7; 1 << 20];
            while !folder.join("stop").exists() {
                // Fails once its temporary file is taken away.
                let _ = unfinished.write(&folder.join("b"), &bytes);
            }
        }
    });
    for _ in 0..50 {
        let nothing_begins = unfinished.remove_all();
        let left: Vec<_> = fs::read_dir(&folder)
            .unwrap()
            .map(|e| e.unwrap().file_name().into_string().unwrap())
            .filter(|name| name.ends_with(".tmp"))
            .collect();
        assert_eq!(left, Vec::<String>::new());
        drop(nothing_begins);
    }
    fs::write(folder.join("stop"), "").unwrap();
    writer.join().unwrap();
    assert_eq!(fs::read(folder.join("a")).unwrap(), b"first");
}
