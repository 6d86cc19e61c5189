//! EXR files, read: ours give back what was written, others' are put in order, broken ones are refused.

use exr::prelude::{
    AnyChannel, AnyChannels, Encoding, FlatSamples, Image, ImageAttributes, IntegerBounds, Layer, LayerAttributes,
    WritableImage, f16,
};
use proptest::prelude::*;
use stillframe_base::par::Pool;
use stillframe_frames::*;
use stillframe_testkit::depth::cases;

fn floats(width: u32, height: u32, channels: u32, from: f32) -> Picture {
    let samples = (0..width * height * channels).map(|i| from + i as f32 * 0.25).collect();
    Picture::new(width, height, channels, Samples::F32(samples)).unwrap()
}

fn layer<'a>(channels: &'a [&'a str], picture: &'a Picture) -> ExrLayer<'a> {
    ExrLayer { channels, picture }
}

#[test]
fn our_files_come_back() {
    let (width, height) = (37, 21);
    let color = floats(width, height, 4, -3.0);
    let depth = floats(width, height, 1, 0.5);
    let normal = floats(width, height, 3, 7.0);
    let motion = floats(width, height, 2, 9.0);
    let ids = Picture::new(width, height, 1, Samples::U32((0..width * height).collect())).unwrap();
    let layers = [
        layer(&["R", "G", "B", "A"], &color),
        layer(&["depth.Z"], &depth),
        layer(&["normal.X", "normal.Y", "normal.Z"], &normal),
        layer(&["id.I"], &ids),
        layer(&["motion.X", "motion.Y"], &motion),
    ];
    let bytes = encode_exr(&layers, &[("stillframe.ids", "{}"), ("a", "b")], &Pool::new(1)).unwrap();
    let exr = decode_exr(&bytes).unwrap();
    let names: Vec<&str> = exr.layers.iter().map(|l| l.name.as_str()).collect();
    assert_eq!(names, ["", "depth", "id", "motion", "normal"]);
    for (name, channels, want) in [
        ("", "R G B A", &color),
        ("depth", "Z", &depth),
        ("normal", "X Y Z", &normal),
        ("id", "I", &ids),
        ("motion", "X Y", &motion),
    ] {
        let found = exr.layer(name).unwrap();
        assert_eq!((found.channels.join(" ").as_str(), &found.picture), (channels, want), "{name}");
    }
    assert_eq!(exr.texts, [("a".to_owned(), "b".to_owned()), ("stillframe.ids".to_owned(), "{}".to_owned())]);
    assert_eq!(exr.main().picture, color);
    assert_eq!(exr.display, Window { left_px: 0, top_px: 0, width_px: width, height_px: height });
    let pictures = decode_pictures(&bytes, &DecodeLimits::default()).unwrap();
    assert_eq!((pictures.len(), &pictures[0].picture), (5, &color));
}

/// A file by another writer: layers of `(name, position, channels)` in a display window of 10 x 8.
fn foreign(layers: Vec<(&str, (i32, i32), Vec<(&str, FlatSamples)>)>, encoding: Encoding) -> Vec<u8> {
    let layers: Vec<Layer<AnyChannels<FlatSamples>>> = layers
        .into_iter()
        .map(|(name, (x, y), channels)| {
            let list = channels.into_iter().map(|(name, samples)| AnyChannel::new(name, samples)).collect();
            let mut attributes = LayerAttributes::named(name);
            attributes.layer_position = exr::math::Vec2(x, y);
            Layer::new((4, 3), attributes, encoding, AnyChannels::sort(list))
        })
        .collect();
    let display = IntegerBounds::new((0, 0), (10, 8));
    let image = Image::from_layers(ImageAttributes::new(display), layers);
    let mut bytes = Vec::new();
    image.write().non_parallel().to_buffered(std::io::Cursor::new(&mut bytes)).unwrap();
    bytes
}

fn twelve(from: f32) -> FlatSamples {
    FlatSamples::F32((0..12).map(|i| from + i as f32).collect())
}

#[test]
fn other_files_are_put_in_order() {
    let half = FlatSamples::F16((0..12).map(|i| f16::from_f32(i as f32 * 0.5)).collect());
    let numbers = FlatSamples::U32((0..12).collect());
    let channels = vec![
        ("R", twelve(100.0)),
        ("G", twelve(200.0)),
        ("B", half),
        ("Z", twelve(300.0)),
        ("light.a.R", twelve(1.0)),
        ("light.a.extra", twelve(2.0)),
        ("light.a.I", numbers),
    ];
    let exr = decode_exr(&foreign(vec![("only", (2, -1), channels)], Encoding::FAST_LOSSLESS)).unwrap();
    let told: Vec<String> =
        exr.layers.iter().map(|l| format!("{}:{}:{}", l.name, l.channels.join(""), l.picture.format())).collect();
    let want = [":RGB:rgb32f", "Z:Z:r32f", "light.a:R:r32f", "light.a.I:I:r32u", "light.a.extra:extra:r32f"];
    assert_eq!(told, want);
    let Samples::F32(main) = &exr.main().picture.samples else { unreachable!() };
    assert_eq!(main[..6], [100.0, 200.0, 0.0, 101.0, 201.0, 0.5]);

    // The data window lies two columns in and a row above what is shown.
    let main = exr.main();
    assert_eq!(main.window, Window { left_px: 2, top_px: -1, width_px: 4, height_px: 3 });
    let shown = main.within(exr.display).unwrap();
    let Samples::F32(samples) = &shown.samples else { unreachable!() };
    let red = |x: usize, y: usize| samples[(y * 10 + x) * 3];
    assert_eq!(
        [red(1, 0), red(2, 0), red(5, 0), red(6, 0), red(2, 1), red(2, 2)],
        [0.0, 104.0, 107.0, 0.0, 108.0, 0.0]
    );
    let both = main.window.around(exr.display);
    assert_eq!(both, Window { left_px: 0, top_px: -1, width_px: 10, height_px: 9 });
    assert_eq!(main.within(Window { width_px: 0, ..both }), None);
    let aside = main.within(Window { left_px: 100, top_px: -100, ..both }).unwrap();
    assert!(matches!(aside.samples, Samples::F32(v) if v.iter().all(|v| *v == 0.0)));
}

#[test]
fn parts_are_layers() {
    let part = |name, at| (name, (0, 0), vec![("R", twelve(at)), ("G", twelve(at)), ("B", twelve(at))]);
    let exr = decode_exr(&foreign(vec![part("beauty", 1.0), part("albedo", 2.0)], Encoding::UNCOMPRESSED)).unwrap();
    let names: Vec<&str> = exr.layers.iter().map(|l| l.name.as_str()).collect();
    assert_eq!(names, ["albedo", "beauty"]);
    assert!(matches!(&exr.layer("beauty").unwrap().picture.samples, Samples::F32(v) if v[0] == 1.0));
}

#[test]
fn every_file_of_pictures_is_known_by_its_bytes() {
    let eight = Picture::new(2, 1, 3, Samples::U8(vec![1, 2, 3, 4, 5, 6])).unwrap();
    let limits = DecodeLimits::default();
    for bytes in [encode_png(&eight, PngEffort::Fast).unwrap(), encode_npy(&eight)] {
        let found = decode_pictures(&bytes, &limits).unwrap();
        assert_eq!((found.len(), &found[0].picture), (1, &eight));
    }
    assert_eq!(decode_pictures(b"GIF89a", &limits), Err(PictureFileError::Unknown));
    assert_eq!(decode_exr(b"GIF89a"), Err(ExrReadError::Signature));
    assert!(matches!(decode_exr(&[0x76, 0x2F, 0x31, 0x01, 2]), Err(ExrReadError::Broken(_))));
}

#[test]
fn files_over_the_limits_are_refused() {
    let picture = floats(64, 64, 1, 0.0);
    let bytes = encode_exr(&[layer(&["Z"], &picture)], &[], &Pool::new(1)).unwrap();
    for limits in [
        DecodeLimits { side_max_px: 63, ..DecodeLimits::default() },
        DecodeLimits { decoded_max_bytes: 64 * 64 * 4 - 1, ..DecodeLimits::default() },
    ] {
        assert_eq!(decode_exr_with(&bytes, &limits), Err(ExrReadError::TooLarge));
    }
    // A data window of sixteen thousand pixels on each side in a file of a few kilobytes.
    let mut huge = bytes.clone();
    let at = huge.windows(10).position(|w| w == b"dataWindow").unwrap() + 10 + 1 + 6 + 4 + 8;
    huge[at..at + 8].copy_from_slice(&[0xFF, 0x3F, 0, 0, 0xFF, 0x3F, 0, 0]);
    assert!(decode_exr(&huge).is_err());
    // Nothing of a cut file passes as a picture.
    for end in [bytes.len() - 1, bytes.len() / 2, 400] {
        assert!(decode_exr(&bytes[..end]).is_err(), "{end}");
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: cases(300), failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn mutated_files_do_no_harm(
        kind in 0usize..4,
        flips in prop::collection::vec((any::<prop::sample::Index>(), any::<u8>()), 1..12),
        cut in prop::option::of(any::<prop::sample::Index>()),
    ) {
        let encoding = match kind {
            0 => Encoding::UNCOMPRESSED,
            1 => Encoding::FAST_LOSSLESS,
            2 => Encoding::SMALL_LOSSLESS,
            _ => Encoding::SMALL_FAST_LOSSLESS,
        };
        let part = |name| (name, (1, 1), vec![("R", twelve(1.0)), ("depth.Z", FlatSamples::U32((0..12).collect()))]);
        let mut bytes = foreign(vec![part("a"), part("b")], encoding);
        for (at, value) in flips {
            let at = at.index(bytes.len());
            bytes[at] = value;
        }
        if let Some(cut) = cut {
            bytes.truncate(cut.index(bytes.len()));
        }
        // Little room: who asks for more than the file can hold is refused.
        let limits = DecodeLimits { decoded_max_bytes: 16 << 20, ..DecodeLimits::default() };
        if let Ok(exr) = decode_exr_with(&bytes, &limits) {
            for layer in &exr.layers {
                prop_assert_eq!(layer.picture.check(), Ok(()));
                prop_assert_eq!(layer.channels.len() as u32, layer.picture.channel_count);
            }
        }
    }
}
