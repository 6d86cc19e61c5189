//! Pictures: each kind gives the texels that its reference decoder gives; what is broken has a code.

use std::path::Path;

use proptest::prelude::*;
use proptest::test_runner::{Config, RngSeed, TestRunner};
use stillframe_asset::asset::{Image, Texels};
use stillframe_models::import;
use stillframe_testkit::depth::cases;

use super::{data, read};
use crate::laws::{cut_off, overwrite};

fn fixture(name: &str) -> Image {
    let file = data("images").join(name);
    import::picture(&file, &read(&file).expect("readable")).unwrap_or_else(|d| panic!("{name}: {d:?}"))
}

fn bytes_of(texels: &Texels) -> &[u8] {
    match texels {
        Texels::Rgba8(bytes) => bytes,
        other => panic!("8 bits are expected, not {other:?}"),
    }
}

fn decode(name: &str, bytes: &[u8]) -> Result<Image, String> {
    import::picture(Path::new(name), bytes).map_err(|d| {
        assert!(d.code == "E0415" || d.code == "E0414", "{d:?}");
        d.message
    })
}

/// The largest difference of a channel.
fn worst(a: &[u8], b: &[u8]) -> u8 {
    assert_eq!(a.len(), b.len());
    a.iter().zip(b).map(|(a, b)| a.abs_diff(*b)).max().expect("texels")
}

#[test]
fn each_kind_gives_what_its_reference_decoder_gives() {
    // Exact where the format loses nothing or its decoder is specified to the bit.
    let source = fixture("source.png");
    let opaque = |image: &Image| -> Vec<u8> {
        bytes_of(&image.texels).chunks_exact(4).flat_map(|t| [t[0], t[1], t[2], 255]).collect()
    };
    let grey = |image: &Image| -> Vec<u8> {
        let luma =
            |t: &[u8]| (u32::from(t[0]) * 19595 + u32::from(t[1]) * 38470 + u32::from(t[2]) * 7471 + 0x8000) >> 16;
        bytes_of(&image.texels)
            .chunks_exact(4)
            .flat_map(|t| [luma(t) as u8, luma(t) as u8, luma(t) as u8, 255])
            .collect()
    };
    let rows: Vec<(&str, Vec<u8>, u8)> = vec![
        ("lossless.webp", bytes_of(&source.texels).to_vec(), 0),
        ("lossy.webp", bytes_of(&fixture("lossy.webp.png").texels).to_vec(), 1),
        ("lossy_alpha.webp", bytes_of(&fixture("lossy_alpha.webp.png").texels).to_vec(), 1),
        ("rle32.tga", bytes_of(&source.texels).to_vec(), 0),
        ("plain24.tga", opaque(&source), 0),
        ("grey.tga", grey(&source), 0),
        ("palette.tga", bytes_of(&fixture("palette_rgb.png").texels).to_vec(), 0),
        ("plain24.bmp", opaque(&source), 0),
        ("palette.bmp", bytes_of(&fixture("palette_rgb.png").texels).to_vec(), 0),
        ("palette.png", bytes_of(&fixture("palette_rgb.png").texels).to_vec(), 0),
        ("full.jpg", opaque(&source), 24),
        ("grey.jpg", grey(&source), 8),
        ("etc1s.ktx2", bytes_of(&fixture("etc1s_0.png").texels).to_vec(), 0),
        ("uastc.ktx2", bytes_of(&fixture("uastc_0.png").texels).to_vec(), 0),
    ];
    for (name, wanted, allowed) in rows {
        let image = fixture(name);
        assert_eq!((image.width_px, image.height_px), (22, 13), "{name}");
        let off = worst(bytes_of(&image.texels), &wanted);
        assert!(off <= allowed, "{name}: {off} of 255 off");
    }
    for name in ["etc1s", "uastc"] {
        let image = fixture(&format!("{name}.ktx2"));
        assert_eq!(image.levels.len(), 4, "{name}: 22, 11, 5, 2, 1");
        assert_eq!(image.levels[0], fixture(&format!("{name}_1.png")).texels, "{name}: the first mip level");
    }
    let deep = fixture("grey16.png");
    let Texels::Rgba16(words) = &deep.texels else { panic!("16 bits stay") };
    assert_eq!(words[4..8], [2979, 2979, 2979, 65535]);
}

/// The same texels whatever the processor offers: pinned once, and held by every machine that runs this.
#[test]
fn texels_are_pinned() {
    let mut found = String::new();
    for name in [
        "baseline.jpg",
        "progressive.jpg",
        "full.jpg",
        "grey.jpg",
        "cmyk.jpg",
        "lossy.webp",
        "lossy_alpha.webp",
        "lossless.webp",
        "etc1s.ktx2",
        "uastc.ktx2",
        "grey16.png",
        "palette.png",
    ] {
        let image = fixture(name);
        let mut hash = blake3::Hasher::new();
        for level in std::iter::once(&image.texels).chain(&image.levels) {
            match level {
                Texels::Rgba8(bytes) => hash.update(bytes),
                Texels::Rgba16(words) => hash.update(bytemuck::cast_slice(words)),
                Texels::Rgba32Float(floats) => hash.update(bytemuck::cast_slice(floats)),
            };
        }
        found.push_str(&format!("{name} {}\n", &hash.finalize().to_hex()[..16]));
    }
    assert_eq!(found, PINNED, "\n{found}");
}

const PINNED: &str = "\
baseline.jpg 255b2a1d4afb4202
progressive.jpg 255b2a1d4afb4202
full.jpg b2c0c9e806824c12
grey.jpg 96c63a9370084155
cmyk.jpg 52ce4b76612c320d
lossy.webp f4e0bcb9dc2cdc92
lossy_alpha.webp 496b4448e775a604
lossless.webp 1f9431ccff209b75
etc1s.ktx2 c294c585f0bdd3fb
uastc.ktx2 ff6b39196fb2b3ba
grey16.png df6050b56a60affe
palette.png f969da1d5aa35ae7
";

/// Kernels for the processor at hand may not change a texel either: what the plain decoder gives is the rule.
#[test]
fn jpeg_kernels_would_give_nearly_the_same() {
    use zune_jpeg::zune_core::bytestream::ZCursor;
    use zune_jpeg::zune_core::options::DecoderOptions;
    for name in ["baseline.jpg", "progressive.jpg", "full.jpg"] {
        let bytes = read(&data("images").join(name)).expect("readable");
        let mut decoder = zune_jpeg::JpegDecoder::new_with_options(ZCursor::new(&bytes[..]), DecoderOptions::default());
        let fast: Vec<u8> =
            decoder.decode().expect("decodes").chunks_exact(3).flat_map(|t| [t[0], t[1], t[2], 255]).collect();
        let off = worst(&fast, bytes_of(&fixture(name).texels));
        println!("{name}: kernels are {off} of 255 off");
        assert!(off <= 2, "{name}: {off}");
    }
}

/// A DDS file: its pixel format or DXGI number, its levels one after another.
fn dds(width: u32, height: u32, levels: u32, format: Result<[u32; 8], u32>, texels: &[u8]) -> Vec<u8> {
    let mut out = b"DDS ".to_vec();
    for word in [124, 0x1007 | 0x2_0000, height, width, 0, 0, levels] {
        out.extend(u32::to_le_bytes(word));
    }
    out.resize(76, 0);
    let four = u32::from_le_bytes(*b"DX10");
    for word in format.unwrap_or([32, 4, four, 0, 0, 0, 0, 0]) {
        out.extend(word.to_le_bytes());
    }
    out.extend(0x1000_u32.to_le_bytes());
    out.resize(128, 0);
    if let Err(dxgi) = format {
        for word in [dxgi, 3, 0, 1, 0] {
            out.extend(word.to_le_bytes());
        }
    }
    out.extend(texels);
    out
}

fn four(code: &[u8; 4]) -> Result<[u32; 8], u32> {
    Ok([32, 4, u32::from_le_bytes(*code), 0, 0, 0, 0, 0])
}

/// A KTX2 file without supercompression or with zstd's frames of stored blocks.
fn ktx2(format: u32, width: u32, height: u32, levels: &[&[u8]], zstd: bool) -> Vec<u8> {
    let frame = |bytes: &[u8]| {
        // Magic, single segment with a size of 4 bytes, then stored blocks.
        let mut out = vec![0x28, 0xB5, 0x2F, 0xFD, 0xA0];
        out.extend((bytes.len() as u32).to_le_bytes());
        let chunks: Vec<&[u8]> = bytes.chunks(60_000).collect();
        for (index, chunk) in chunks.iter().enumerate() {
            let word = (chunk.len() as u32) << 3 | u32::from(index + 1 == chunks.len());
            out.extend(&word.to_le_bytes()[..3]);
            out.extend(*chunk);
        }
        out
    };
    let stored: Vec<Vec<u8>> = levels.iter().map(|l| if zstd { frame(l) } else { l.to_vec() }).collect();
    let descriptor_at = 80 + levels.len() * 24;
    let mut out = b"\xABKTX 20\xBB\r\n\x1A\n".to_vec();
    let scheme = if zstd { 2 } else { 0 };
    for word in [format, 1, width, height, 0, 0, 1, levels.len() as u32, scheme, descriptor_at as u32, 28, 0, 0] {
        out.extend(word.to_le_bytes());
    }
    out.extend([0; 16]);
    let mut at = descriptor_at + 28;
    for (level, plain) in stored.iter().zip(levels) {
        for word in [at, level.len(), plain.len()] {
            out.extend((word as u64).to_le_bytes());
        }
        at += level.len();
    }
    out.resize(descriptor_at + 28, 0);
    stored.iter().for_each(|level| out.extend(level));
    out
}

fn noise(count: usize, seed: u64) -> Vec<u8> {
    let mut state = seed.wrapping_mul(0x9E37_79B9_7F4A_7C15) | 1;
    let mut next = || {
        state ^= state << 13;
        state ^= state >> 7;
        state ^= state << 17;
        (state >> 24) as u8
    };
    (0..count).map(|_| next()).collect()
}

/// Blocks of random bits, cut at the edges, against another decoder.
#[test]
fn blocks_are_what_another_decoder_makes_of_them() {
    use texture2ddecoder as other;
    let (width, height) = (31_usize, 18_usize);
    let block_count = width.div_ceil(4) * height.div_ceil(4);
    let grey = |t: [u8; 4]| [t[2], t[2], t[2], 255];
    let plain = |[b, g, r, a]: [u8; 4]| [r, g, b, a];
    type Decoder = fn(&[u8], usize, usize, &mut [u32]) -> Result<(), &'static str>;
    let rows: [(&str, Result<[u32; 8], u32>, u32, usize, Decoder, &dyn Fn([u8; 4]) -> [u8; 4], u8); 6] = [
        ("BC1", four(b"DXT1"), 133, 8, other::decode_bc1a, &plain, 1),
        ("BC2", four(b"DXT3"), 135, 16, other::decode_bc2, &plain, 1),
        ("BC3", four(b"DXT5"), 137, 16, other::decode_bc3, &plain, 1),
        ("BC4", four(b"ATI1"), 139, 8, other::decode_bc4, &grey, 1),
        ("BC7", Err(98), 145, 16, other::decode_bc7, &plain, 0),
        ("BC5", Err(83), 141, 16, other::decode_bc5, &plain, 1),
    ];
    for (name, format, vulkan, block_bytes, decoder, texel, allowed) in rows {
        for seed in 0..40 {
            let mut blocks = noise(block_count * block_bytes, seed + 1);
            if name == "BC7" {
                // One of eight modes a block: its lowest set bit.
                blocks.chunks_exact_mut(16).enumerate().for_each(|(i, b)| b[0] = (b[0] | 1) << (i % 8));
            }
            if name == "BC2" || name == "BC3" {
                // The other decoder takes the order of the two colours for a sign, which only BC1 does.
                blocks.chunks_exact_mut(16).for_each(|b| (b[9], b[11]) = (b[9] | 0x80, b[11] & 0x7F));
            }
            let mut wanted = vec![0_u32; width * height];
            decoder(&blocks, width, height, &mut wanted).expect("decodes");
            let wanted: Vec<u8> = wanted.iter().flat_map(|t| texel(t.to_le_bytes())).collect();
            let file = dds(width as u32, height as u32, 1, format, &blocks);
            let image = decode("x.dds", &file).expect(name);
            let mut ours = bytes_of(&image.texels).to_vec();
            if name == "BC5" {
                // The other decoder leaves blue empty; ours makes the vector unit.
                for t in ours.chunks_exact_mut(4) {
                    let v = [t[0], t[1], t[2]].map(|c| f32::from(c) / 255.0 * 2.0 - 1.0);
                    let length = (v[0] * v[0] + v[1] * v[1] + v[2] * v[2]).sqrt();
                    assert!((length - 1.0).abs() < 0.02 || v[0] * v[0] + v[1] * v[1] > 1.0, "{v:?}");
                    t[2] = 0;
                }
                let clear: Vec<u8> = wanted.chunks_exact(4).flat_map(|t| [t[0], t[1], 0, 255]).collect();
                assert!(worst(&ours, &clear) <= allowed, "{name}");
            } else {
                let off = worst(&ours, &wanted);
                assert!(off <= allowed, "{name}: {off} of 255 off");
            }
            for zstd in [false, true] {
                let file = ktx2(vulkan, width as u32, height as u32, &[&blocks], zstd);
                assert_eq!(decode("x.ktx2", &file).expect(name).texels, image.texels, "{name}");
            }
        }
    }
}

#[test]
fn uncompressed_formats_and_their_levels() {
    let rgba = [10, 20, 30, 40];
    let masks = |bits: u32, flags: u32, m: [u32; 4]| Ok([32, flags, 0, bits, m[0], m[1], m[2], m[3]]);
    let rows: Vec<(&str, Result<[u32; 8], u32>, Vec<u8>, Texels)> = vec![
        (
            "A8R8G8B8",
            masks(32, 0x41, [0xFF0000, 0xFF00, 0xFF, 0xFF000000]),
            vec![30, 20, 10, 40],
            Texels::Rgba8(rgba.into()),
        ),
        (
            "X8R8G8B8",
            masks(32, 0x40, [0xFF0000, 0xFF00, 0xFF, 0]),
            vec![30, 20, 10, 40],
            Texels::Rgba8(vec![10, 20, 30, 255]),
        ),
        (
            "R8G8B8",
            masks(24, 0x40, [0xFF0000, 0xFF00, 0xFF, 0]),
            vec![30, 20, 10],
            Texels::Rgba8(vec![10, 20, 30, 255]),
        ),
        ("R5G6B5", masks(16, 0x40, [0xF800, 0x7E0, 0x1F, 0]), vec![0x1F, 0xF8], Texels::Rgba8(vec![255, 0, 255, 255])),
        (
            "A1R5G5B5",
            masks(16, 0x41, [0x7C00, 0x3E0, 0x1F, 0x8000]),
            vec![0xE0, 0x03],
            Texels::Rgba8(vec![0, 255, 0, 0]),
        ),
        ("L8", masks(8, 0x20000, [0xFF, 0, 0, 0]), vec![77], Texels::Rgba8(vec![77, 77, 77, 255])),
        ("A8L8", masks(16, 0x20001, [0xFF, 0, 0, 0xFF00]), vec![77, 9], Texels::Rgba8(vec![77, 77, 77, 9])),
        ("A8", masks(8, 2, [0, 0, 0, 0xFF]), vec![7], Texels::Rgba8(vec![0, 0, 0, 7])),
        (
            "A2B10G10R10",
            masks(32, 0x41, [0x3FF, 0xFFC00, 0x3FF00000, 0xC0000000]),
            vec![0xFF, 3, 0, 0xC0],
            Texels::Rgba16(vec![65535, 0, 0, 65535]),
        ),
        ("R8G8B8A8", Err(28), rgba.to_vec(), Texels::Rgba8(rgba.into())),
        ("B8G8R8A8", Err(87), vec![30, 20, 10, 40], Texels::Rgba8(rgba.into())),
        ("R16", Err(56), vec![1, 2], Texels::Rgba16(vec![513, 513, 513, 65535])),
        ("R16G16B16A16", Err(11), vec![1, 0, 2, 0, 3, 0, 4, 0], Texels::Rgba16(vec![1, 2, 3, 4])),
        (
            "half",
            Ok([32, 4, 113, 0, 0, 0, 0, 0]),
            vec![0, 0x3C, 0, 0x40, 0, 0xC0, 0, 0x38],
            Texels::Rgba32Float(vec![1.0, 2.0, -2.0, 0.5]),
        ),
        (
            "float without an end",
            Err(2),
            [f32::INFINITY, 2.0, f32::NAN, 1.0].iter().flat_map(|v| v.to_le_bytes()).collect(),
            Texels::Rgba32Float(vec![0.0, 2.0, 0.0, 1.0]),
        ),
        ("11 11 10", Err(26), 0x3C0_u32.to_le_bytes().to_vec(), Texels::Rgba32Float(vec![1.0, 0.0, 0.0, 1.0])),
        (
            "9 9 9 5",
            Err(67),
            (0x100_u32 | 16 << 27).to_le_bytes().to_vec(),
            Texels::Rgba32Float(vec![1.0, 0.0, 0.0, 1.0]),
        ),
        (
            "premultiplied BC2",
            four(b"DXT2"),
            [[0x88; 8], [0xFF, 0xFF, 0, 0, 0, 0, 0, 0]].concat(),
            Texels::Rgba8(vec![255, 255, 255, 0x88]),
        ),
    ];
    for (name, format, texels, wanted) in rows {
        let image = decode("x.dds", &dds(1, 1, 1, format, &texels)).expect(name);
        assert_eq!(image.texels, wanted, "{name}");
        let short = dds(1, 1, 1, format, &texels[..texels.len() - 1]);
        assert!(decode("x.dds", &short).expect_err(name).contains("the file ends first"), "{name}");
    }
    // Three levels of four: what is missing below is made, what is there is kept.
    let bytes: Vec<u8> = [vec![10; 8 * 2 * 4], vec![20; 4 * 4], vec![30; 2 * 4]].concat();
    let file = dds(8, 2, 3, Err(28), &bytes);
    let image = decode("x.dds", &file).expect("levels");
    assert_eq!(image.levels, [Texels::Rgba8(vec![20; 16]), Texels::Rgba8(vec![30; 8])]);
    let mips = stillframe_models::bake::mips(&image, stillframe_models::bake::MipUse::Data, None);
    let sizes: Vec<(u32, u32)> = mips.iter().map(|m| (m.width_px, m.height_px)).collect();
    assert_eq!(sizes, [(4, 1), (2, 1), (1, 1)]);
    assert_eq!([&mips[0].texels, &mips[1].texels], [&image.levels[0], &image.levels[1]]);
    assert_eq!(mips[2].texels, Texels::Rgba8(vec![30; 4]), "made from the smallest level that is stored");
    let one = stillframe_models::bake::mips(&image, stillframe_models::bake::MipUse::Data, Some(1));
    assert_eq!(one.len(), 1);
    let khronos = ktx2(37, 8, 2, &[&bytes[..64], &bytes[64..80], &bytes[80..]], true);
    assert_eq!(decode("x.ktx2", &khronos).expect("levels").levels, image.levels);
}

#[test]
fn high_dynamic_range_stays() {
    let mut out = Vec::new();
    let pixels = [image::Rgb([0.25_f32, 1000.0, 0.0]), image::Rgb([4.0, 4.0, 4.0])];
    image::codecs::hdr::HdrEncoder::new(&mut out).encode(&pixels, 2, 1).expect("written");
    let Texels::Rgba32Float(floats) = decode("sky", &out).expect("HDR").texels else { panic!("floats") };
    assert!((floats[1] - 1000.0).abs() <= 4.0 && floats[4..] == [4.0, 4.0, 4.0, 1.0], "{floats:?}");
    // A block of one colour, by mode 11 of BC6H: 10 bits an end.
    let mut block = [0_u8; 16];
    block[0] = 0b0_0011;
    let image = decode("x.dds", &dds(4, 4, 1, Err(95), &block)).expect("BC6H");
    assert_eq!(image.texels, Texels::Rgba32Float([0.0, 0.0, 0.0, 1.0].repeat(16)));
}

#[test]
fn broken_files_are_told() {
    let good = dds(8, 8, 1, four(b"DXT1"), &[0; 32]);
    let changed = |at: usize, word: u32| {
        let mut bytes = good.clone();
        bytes[at..at + 4].copy_from_slice(&word.to_le_bytes());
        bytes
    };
    let khronos = ktx2(133, 8, 8, &[&[0; 32]], false);
    let with = |at: usize, word: u32| {
        let mut bytes = khronos.clone();
        bytes[at..at + 4].copy_from_slice(&word.to_le_bytes());
        bytes
    };
    let jpeg = read(&data("images/baseline.jpg")).expect("readable");
    let rows: Vec<(Vec<u8>, &str)> = vec![
        (changed(16, 0), "a side must be"),
        (changed(12, 40_000), "a side must be"),
        (changed(12, 9), "the file ends first"),
        (changed(28, 5), "at most 4 mip levels, not 5"),
        (changed(28, u32::MAX), "at most"),
        (changed(112, 0x200), "a cube map"),
        (changed(112, 0x20_0000), "a volume"),
        (changed(84, u32::from_le_bytes(*b"UYVY")), "format UYVY is not supported"),
        (changed(84, 51), "format 51 is not supported"),
        (changed(80, 0x40), "0 bits per pixel"),
        (good[..100].to_vec(), "ends inside its header"),
        (dds(8, 8, 1, Err(20), &[0; 32]), "DXGI format 20 is not supported"),
        (with(12, 157), "Vulkan format 157 is not supported"),
        (with(20, 0), "a side must be"),
        (with(36, 6), "a cube map"),
        (with(40, 9), "at most"),
        (with(44, 3), "zlib"),
        (with(44, 2), "cannot be decoded"),
        (with(80, 1 << 20), "level 0 is outside the file"),
        (with(12, 0), "Basis Universal"),
        (khronos[..90].to_vec(), "is outside the file"),
        (jpeg[..jpeg.len() - 60].to_vec(), "ends before the end of the picture"),
        (b"GIF89a, which is none of them".to_vec(), "is not a PNG"),
    ];
    for (bytes, wanted) in rows {
        let message = decode("x", &bytes).expect_err(wanted);
        assert!(message.contains(wanted), "{message:?} for {wanted:?}");
    }
}

/// Mutations of every kind: texels of the size that is told, or a diagnostic.
#[test]
fn mutated_pictures_never_panic() {
    let mut sources: Vec<Vec<u8>> = [
        "source.png",
        "lossy_alpha.webp",
        "lossless.webp",
        "rle32.tga",
        "palette.tga",
        "palette.bmp",
        "plain24.bmp",
        "baseline.jpg",
        "progressive.jpg",
        "cmyk.jpg",
        "etc1s.ktx2",
        "uastc.ktx2",
        "grey16.png",
    ]
    .iter()
    .map(|name| read(&data("images").join(name)).expect("readable"))
    .collect();
    sources.push(dds(8, 8, 4, four(b"DXT5"), &noise(96 + 16, 3)));
    sources.push(dds(5, 3, 1, Err(98), &noise(32, 4)));
    sources.push(ktx2(143, 8, 8, &[&noise(64, 5), &noise(16, 6)], true));
    let change = (any::<prop::sample::Index>(), prop_oneof![any::<u8>(), Just(0), Just(255), Just(128)]);
    let near = (0..96_usize, any::<u8>());
    let strategy = (
        0..sources.len(),
        prop::collection::vec(change, 0..6),
        prop::collection::vec(near, 0..4),
        prop::option::weighted(0.2, any::<prop::sample::Index>()),
    );
    let config =
        Config { cases: cases(6000), failure_persistence: None, rng_seed: RngSeed::Fixed(11), ..Config::default() };
    TestRunner::new(config)
        .run(&strategy, |(source, changes, heads, cut)| {
            let mut bytes = sources[source].clone();
            overwrite(&mut bytes, changes);
            for (at, byte) in heads {
                if at < bytes.len() {
                    bytes[at] = byte;
                }
            }
            cut_off(&mut bytes, cut);
            if let Ok(image) = decode("x.tga", &bytes) {
                let count = match &image.texels {
                    Texels::Rgba8(texels) => texels.len(),
                    Texels::Rgba16(texels) => texels.len(),
                    Texels::Rgba32Float(texels) => texels.len(),
                };
                prop_assert_eq!(count, image.width_px as usize * image.height_px as usize * 4);
            }
            Ok(())
        })
        .expect("no panic");
}
