//! Animations: frames come back as programs show them, and what is broken is refused.

use png::{BitDepth, BlendOp, ColorType, DisposeOp};
use proptest::prelude::*;
use stillframe_frames::*;
use stillframe_testkit::depth::cases;

fn animation(bytes: &[u8]) -> Animation {
    Animation::read(bytes, &DecodeLimits::default()).unwrap().expect("it is animated")
}

fn shown(bytes: &[u8]) -> Vec<Picture> {
    animation(bytes).frames().map(|frame| frame.unwrap()).collect()
}

/// Three frames of 3 by 2 pixels, as `render` writes them.
fn made(wide: bool, channel_count: u32) -> (Vec<Picture>, Vec<u8>) {
    let frame = |n: u32| {
        let value = |i: u32| i * 31 + n * 7;
        let count = 3 * 2 * channel_count;
        let samples = match wide {
            true => Samples::U16((0..count).map(|i| value(i) as u16 * 90).collect()),
            false => Samples::U8((0..count).map(|i| value(i) as u8).collect()),
        };
        Picture::new(3, 2, channel_count, samples).unwrap()
    };
    let frames: Vec<Picture> = (0..3).map(frame).collect();
    let mut apng = Apng::new(&frames[0], 3, 24.0, PngEffort::Fast).unwrap();
    frames.iter().for_each(|frame| apng.push(frame).unwrap());
    (frames, apng.finish().unwrap())
}

#[test]
fn frames_come_back() {
    for (wide, channel_count) in (1..=4).flat_map(|count| [(false, count), (true, count)]) {
        let (frames, bytes) = made(wide, channel_count);
        assert_eq!(shown(&bytes), frames);
        let read = animation(&bytes);
        assert_eq!((read.frame_count(), read.play_count(), read.still().is_none()), (3, 0, true));
        assert_eq!(read.delay(1), Delay { numerator: 10, denominator: 240 });
        assert_ne!(read.delay(1), Delay { numerator: 1, denominator: 25 });
    }
    let still = encode_png(&made(false, 3).0[0], PngEffort::Small).unwrap();
    assert!(Animation::read(&still, &DecodeLimits::default()).unwrap().is_none());
}

/// A piece of an animation: left, top, width, height, what becomes of it, how it is laid on, its samples.
type Piece<'a> = ([u32; 4], DisposeOp, BlendOp, &'a [u8]);

fn encoded(size: [u32; 2], color: ColorType, pieces: &[Piece<'_>], still_is_apart: bool) -> Vec<u8> {
    let mut bytes = Vec::new();
    let mut encoder = png::Encoder::new(&mut bytes, size[0], size[1]);
    encoder.set_color(color);
    encoder.set_depth(BitDepth::Eight);
    encoder.set_animated(pieces.len() as u32 - u32::from(still_is_apart), 1).unwrap();
    encoder.set_sep_def_img(still_is_apart).unwrap();
    let mut writer = encoder.write_header().unwrap();
    for (index, ([left, top, width, height], dispose, blend, samples)) in pieces.iter().enumerate() {
        if index > 0 || !still_is_apart {
            writer.set_frame_delay(1, index as u16).unwrap();
            writer.set_frame_dimension(*width, *height).unwrap();
            writer.set_frame_position(*left, *top).unwrap();
            writer.set_dispose_op(*dispose).unwrap();
            writer.set_blend_op(*blend).unwrap();
        }
        writer.write_image_data(samples).unwrap();
    }
    writer.finish().unwrap();
    bytes
}

/// Every way to lay on a piece and to take it away, in grey with alpha, three pixels in a row.
#[test]
fn pieces_are_laid_on_each_other() {
    let all = [0, 0, 3, 1];
    let bytes = encoded(
        [3, 1],
        ColorType::GrayscaleAlpha,
        &[
            (all, DisposeOp::None, BlendOp::Source, &[10, 255, 20, 255, 30, 0]),
            ([1, 0, 2, 1], DisposeOp::Previous, BlendOp::Over, &[100, 51, 200, 51]),
            ([0, 0, 1, 1], DisposeOp::Background, BlendOp::Source, &[7, 0]),
            ([2, 0, 1, 1], DisposeOp::None, BlendOp::Over, &[99, 255]),
        ],
        false,
    );
    let rows: Vec<Vec<u8>> = shown(&bytes)
        .into_iter()
        .map(|picture| match picture.samples {
            Samples::U8(samples) => samples,
            other => panic!("{other:?}"),
        })
        .collect();
    let want: [&[u8]; 4] = [
        &[10, 255, 20, 255, 30, 0],
        // A fifth of 100 over 20; over nothing, it is itself.
        &[10, 255, 36, 255, 200, 51],
        &[7, 0, 20, 255, 30, 0],
        &[0, 0, 20, 255, 99, 255],
    ];
    assert_eq!(rows, want);
    let read = animation(&bytes);
    assert_eq!(read.play_count(), 1);
    // The format says so: a denominator of 0 is 100.
    assert_eq!(read.delay(0), Delay { numerator: 1, denominator: 100 });
}

/// What is cleared is transparent in a file without alpha too.
#[test]
fn files_without_alpha_have_holes() {
    let bytes = encoded(
        [2, 1],
        ColorType::Grayscale,
        &[
            ([0, 0, 2, 1], DisposeOp::Background, BlendOp::Source, &[10, 20]),
            ([1, 0, 1, 1], DisposeOp::None, BlendOp::Source, &[30]),
            ([0, 0, 1, 1], DisposeOp::None, BlendOp::Over, &[40]),
        ],
        false,
    );
    let shown: Vec<(String, Samples)> =
        shown(&bytes).into_iter().map(|picture| (picture.format().to_string(), picture.samples)).collect();
    let want = [("r8", vec![10, 20]), ("rg8", vec![0, 0, 30, 255]), ("r8", vec![40, 30])];
    assert_eq!(shown, want.map(|(format, samples)| (format.to_string(), Samples::U8(samples))));
}

#[test]
fn a_still_picture_beside_the_frames_is_no_frame() {
    let all = [0, 0, 2, 1];
    let pieces: [Piece<'_>; 3] = [
        (all, DisposeOp::None, BlendOp::Source, &[1, 2]),
        (all, DisposeOp::None, BlendOp::Source, &[3, 4]),
        (all, DisposeOp::None, BlendOp::Source, &[5, 6]),
    ];
    let bytes = encoded([2, 1], ColorType::Grayscale, &pieces, true);
    let read = animation(&bytes);
    assert_eq!(read.frame_count(), 2);
    let of = |samples: [u8; 2]| Picture::new(2, 1, 1, Samples::U8(samples.to_vec())).unwrap();
    assert_eq!(read.still().unwrap().unwrap(), of([1, 2]));
    assert_eq!(shown(&bytes), [of([3, 4]), of([5, 6])]);
    assert_eq!(decode_png(&bytes).unwrap(), of([1, 2]));
}

#[test]
fn broken_animations_are_refused() {
    let (_, bytes) = made(false, 3);
    let places =
        |kind: &[u8]| -> Vec<usize> { (0..bytes.len() - 4).filter(|at| bytes[*at..].starts_with(kind)).collect() };
    let last_data = places(b"fdAT")[1];
    let end = places(b"IEND")[0];
    let message = |bytes: &[u8]| Animation::read(bytes, &DecodeLimits::default()).map(drop).unwrap_err().to_string();
    for (what, bytes) in [
        ("3 frames and holds 2", [&bytes[..places(b"fcTL")[2] - 4], &bytes[end - 4..]].concat()),
        ("frame 2 has no data", [&bytes[..last_data - 4], &bytes[end - 4..]].concat()),
        ("cut short", bytes[..last_data + 9].to_vec()),
        ("wrong checksum", {
            let mut bytes = bytes.clone();
            bytes[last_data + 9] ^= 1;
            bytes
        }),
    ] {
        let message = message(&bytes);
        assert!(message.contains(what), "{what}: {message}");
    }
    assert_eq!(message(b"GIF89a"), "not a PNG file");
}

/// A file of a few bytes may not ask for hours.
#[test]
fn small_animations_do_not_unfold_without_end() {
    let limits = DecodeLimits { decoded_max_bytes: 47, ..DecodeLimits::default() };
    let error = Animation::read(&made(false, 3).1, &limits).map(drop).unwrap_err();
    assert_eq!(error, PngError::TooLarge { width_px: 3, height_px: 2 });
}

proptest! {
    #![proptest_config(ProptestConfig { cases: cases(200), failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn any_damage_is_survived(
        cut in any::<prop::sample::Index>(),
        flips in prop::collection::vec((any::<prop::sample::Index>(), any::<u8>()), 0..6),
    ) {
        let (_, mut bytes) = made(false, 4);
        for (at, value) in flips {
            let at = at.index(bytes.len());
            bytes[at] = value;
        }
        bytes.truncate(cut.index(bytes.len() * 2));
        if let Ok(Some(animation)) = Animation::read(&bytes, &DecodeLimits::default()) {
            prop_assert!(animation.frames().count() <= 3);
            let _ = animation.still();
        }
    }
}
