//! Pictures: headers whose sizes lie, around a few true texels.
//!
//! Source: PNG (W3C), JPEG (T.81), OpenEXR file layout, Radiance, KTX 2, DDS (Microsoft), TGA 2, BMP, the WebP
//! container.

use stillframe_base::rng::Stream;

use super::Make;
use super::draw::{Bytes, lie};
use super::{whole, zlib};
use crate::fuzz::Case;
use crate::fuzz::mutate::{between, float, noise};

/// One of each kind.
pub const MAKERS: &[Make] = &[png, jpeg, exr, hdr, bmp, tga, dds, ktx2, webp, whole::picture];

/// A picture for a model to name.
pub fn small(stream: &mut Stream) -> Case {
    stream.pick(&[png as Make, png, png, jpeg, tga, bmp, webp, dds, ktx2, whole::picture])(stream)
}

fn png(stream: &mut Stream) -> Case {
    let (width, height) = (between(stream, 1, 9), between(stream, 1, 9));
    let (color, channels, depths): (u8, usize, &[u8]) = match stream.below(5) {
        0 => (0, 1, &[1, 2, 4, 8, 16]),
        1 => (2, 3, &[8, 16]),
        2 => (3, 1, &[1, 2, 4, 8]),
        3 => (4, 2, &[8, 16]),
        _ => (6, 4, &[8, 16]),
    };
    let depth = *stream.pick(depths);
    let row_bytes = (width * channels * usize::from(depth)).div_ceil(8);
    let mut rows = Vec::new();
    for _ in 0..height {
        rows.push(if stream.one_in(40) { stream.next_u32() as u8 } else { stream.below(5) as u8 });
        // Few palette entries: small indices.
        rows.extend(noise(stream, row_bytes).iter().map(|b| if color == 3 { b & 0x11 } else { *b }));
    }
    let bomb = stream.one_in(30);
    let mut header = Bytes { big_endian: true, ..Bytes::default() };
    let side = |stream: &mut Stream, true_px: usize| match bomb {
        true => *stream.pick(&[4096, 8192, 16384, 16385, 40_000]),
        false => lie(stream, 30, true_px as u32),
    };
    let (wide, high) = (side(stream, width), side(stream, height));
    header.u32(wide).u32(high).u8(depth).u8(color).u8(0).u8(0).u8(u8::from(stream.one_in(30)));
    let mut out = b"\x89PNG\r\n\x1a\n".to_vec();
    chunk(stream, &mut out, b"IHDR", &header.bytes);
    if color == 3 || stream.one_in(30) {
        let entries = between(stream, 2, 40) * 3;
        let entries = noise(stream, entries);
        chunk(stream, &mut out, b"PLTE", &entries);
    }
    for (name, count) in [(b"tRNS", 2), (b"gAMA", 4), (b"sRGB", 1), (b"iCCP", 30), (b"cHRM", 32), (b"eXIf", 20)] {
        if stream.one_in(16) {
            let bytes = noise(stream, count);
            chunk(stream, &mut out, name, &bytes);
        }
    }
    let packed = if bomb { zlib::zeros(between(stream, 1, 2000) * 20) } else { zlib::stored(&rows) };
    let cut = between(stream, 0, packed.len());
    chunk(stream, &mut out, b"IDAT", &packed[..cut]);
    chunk(stream, &mut out, b"IDAT", &packed[cut..]);
    chunk(stream, &mut out, b"IEND", &[]);
    Case::new("picture.png", out)
}

fn chunk(stream: &mut Stream, out: &mut Vec<u8>, name: &[u8; 4], bytes: &[u8]) {
    let checked = [name.as_slice(), bytes].concat();
    out.extend(lie(stream, 300, bytes.len() as u32).to_be_bytes());
    out.extend(&checked);
    out.extend(lie(stream, 300, zlib::crc32(&checked)).to_be_bytes());
}

/// Tables in which one bit says "no difference" and one bit "nothing more": all bits 0 are a grey picture of any size.
fn jpeg(stream: &mut Stream) -> Case {
    let mut out = Bytes { big_endian: true, ..Bytes::default() };
    let (width, height) = (between(stream, 1, 40) as u32, between(stream, 1, 40) as u32);
    let (wide, high) = (lie(stream, 20, width) as u16, lie(stream, 20, height) as u16);
    let components = *stream.pick(&[1_u8, 3, 3, 3, 4]);
    let progressive = stream.one_in(4);
    out.raw(&[0xFF, 0xD8]);
    if stream.one_in(2) {
        out.raw(&[0xFF, 0xE0]).u16(16).raw(b"JFIF\0\x01\x01\0\0\x01\0\x01\0\0");
    }
    if stream.one_in(8) {
        out.raw(&[0xFF, 0xEE]).u16(14).raw(b"Adobe\0\x64\0\0\0\0").u8(stream.below(4) as u8);
    }
    out.raw(&[0xFF, 0xDB]).u16(67).u8(0).raw(&[1; 64]);
    out.raw(&[0xFF, if progressive { 0xC2 } else { 0xC0 }])
        .u16(8 + 3 * u16::from(components))
        .u8(8)
        .u16(high)
        .u16(wide);
    out.u8(components);
    for component in 0..components {
        let sampling = if component == 0 { *stream.pick(&[0x11, 0x22, 0x21, 0x12, 0x41]) } else { 0x11 };
        out.u8(component + 1).u8(lie(stream, 60, sampling) as u8).u8(0);
    }
    for class in [0x00, 0x10] {
        // One code of one bit: category 0, or the end of the block.
        out.raw(&[0xFF, 0xC4]).u16(20).u8(class).u8(1).raw(&[0; 15]).u8(0);
    }
    if stream.one_in(8) {
        out.raw(&[0xFF, 0xDD]).u16(4).u16(stream.below(4) as u16);
    }
    out.raw(&[0xFF, 0xDA]).u16(6 + 2 * u16::from(components)).u8(components);
    for component in 1..=components {
        out.u8(component).u8(0);
    }
    out.u8(0).u8(if progressive { 0 } else { 63 }).u8(0);
    let blocks = (width.div_ceil(8) + 4) * (height.div_ceil(8) + 4) * u32::from(components) * 4;
    out.raw(&vec![0; blocks.div_ceil(4) as usize]);
    out.raw(&[0xFF, 0xD9]);
    Case::new("picture.jpg", out.bytes)
}

fn exr(stream: &mut Stream) -> Case {
    let (width, height) = (between(stream, 1, 8) as u32, between(stream, 1, 8) as u32);
    let mut out = Bytes::default();
    let flags = if stream.one_in(30) { stream.next_u32() & 0x1E00 } else { 0 };
    out.raw(&[0x76, 0x2F, 0x31, 0x01]).u32(2 | flags);
    let attribute = |stream: &mut Stream, out: &mut Bytes, name: &str, kind: &str, bytes: &[u8]| {
        out.raw(name.as_bytes()).u8(0).raw(kind.as_bytes()).u8(0);
        out.u32(lie(stream, 300, bytes.len() as u32)).raw(bytes);
    };
    let names: &[&str] = stream.pick::<&[&str]>(&[&["B", "G", "R"], &["A", "B", "G", "R"], &["Y"], &["R"]]);
    let kind = *stream.pick(&[2_u32, 2, 1, 0]);
    let mut channels = Bytes::default();
    for name in names {
        channels.raw(name.as_bytes()).u8(0).u32(lie(stream, 100, kind)).u32(0);
        channels.u32(lie(stream, 100, 1)).u32(lie(stream, 100, 1));
    }
    channels.u8(0);
    attribute(stream, &mut out, "channels", "chlist", &channels.bytes);
    let compression = if stream.one_in(8) { stream.below(12) as u8 } else { *stream.pick(&[0, 2]) };
    attribute(stream, &mut out, "compression", "compression", &[compression]);
    for name in ["dataWindow", "displayWindow"] {
        let mut window = Bytes::default();
        window.u32(lie(stream, 60, 0)).u32(lie(stream, 60, 0));
        window.u32(lie(stream, 30, width - 1)).u32(lie(stream, 30, height - 1));
        attribute(stream, &mut out, name, "box2i", &window.bytes);
    }
    let order = lie(stream, 8, 0) as u8;
    attribute(stream, &mut out, "lineOrder", "lineOrder", &[order]);
    attribute(stream, &mut out, "pixelAspectRatio", "float", &1.0_f32.to_le_bytes());
    attribute(stream, &mut out, "screenWindowCenter", "v2f", &[0; 8]);
    attribute(stream, &mut out, "screenWindowWidth", "float", &1.0_f32.to_le_bytes());
    out.u8(0);
    let sample_bytes = if kind == 1 { 2 } else { 4 };
    let row_bytes = width * names.len() as u32 * sample_bytes;
    // Blocks as long as their texels are not packed, whatever the compression.
    let blocks: Vec<Vec<u8>> = (0..height)
        .map(|_| match kind {
            2 => (0..row_bytes / 4).flat_map(|_| float(stream).to_le_bytes()).collect(),
            _ => noise(stream, row_bytes as usize),
        })
        .collect();
    let mut place = out.bytes.len() as u64 + u64::from(height) * 8;
    for block in &blocks {
        out.u64(if stream.one_in(100) { u64::from(stream.next_u32()) } else { place });
        place += 8 + block.len() as u64;
    }
    for (y, block) in blocks.iter().enumerate() {
        out.u32(lie(stream, 100, y as u32)).u32(lie(stream, 100, block.len() as u32)).raw(block);
    }
    Case::new("picture.exr", out.bytes)
}

fn hdr(stream: &mut Stream) -> Case {
    let (width, height) = (between(stream, 1, 20), between(stream, 1, 5));
    let mut out = b"#?RADIANCE\n".to_vec();
    for line in ["FORMAT=32-bit_rle_rgbe\n", "EXPOSURE=1.5\n", "GAMMA=1\n", "# made\n"] {
        if line.starts_with('F') || stream.one_in(4) {
            out.extend(line.bytes());
        }
    }
    let (high, wide) = (lie(stream, 20, height as u32), lie(stream, 20, width as u32));
    out.extend(format!("\n-Y {high} +X {wide}\n").bytes());
    for _ in 0..height {
        if width >= 8 && stream.one_in(2) {
            out.extend([2, 2, 0, width as u8]);
            for _ in 0..4 {
                let count = lie(stream, 60, width as u32) as u8;
                out.push(if stream.one_in(2) { 128_u8.saturating_add(count) } else { count });
                let bytes = noise(stream, if out.last().is_some_and(|c| *c > 128) { 1 } else { width });
                out.extend(bytes);
            }
        } else {
            out.extend(noise(stream, width * 4));
        }
    }
    Case::new("picture.hdr", out)
}

fn bmp(stream: &mut Stream) -> Case {
    let (width, height) = (between(stream, 1, 9) as u32, between(stream, 1, 9) as u32);
    let bits = *stream.pick(&[24_u32, 24, 32, 8, 4, 1, 16]);
    let row_bytes = (width * bits).div_ceil(32) * 4;
    let palette = if bits <= 8 { 1_u32 << bits } else { 0 };
    let mut out = Bytes::default();
    let start = 54 + palette * 4;
    out.raw(b"BM").u32(lie(stream, 60, start + row_bytes * height)).u32(0).u32(lie(stream, 60, start));
    out.u32(lie(stream, 60, 40)).u32(lie(stream, 20, width));
    let high = if stream.one_in(6) { height.wrapping_neg() } else { height };
    out.u32(lie(stream, 20, high)).u16(1).u16(lie(stream, 60, bits) as u16);
    let compression = if stream.one_in(10) { stream.below(6) } else { 0 };
    out.u32(compression).u32(0).u32(0).u32(0).u32(lie(stream, 30, palette)).u32(0);
    let entries = noise(stream, palette as usize * 4);
    let texels = noise(stream, (row_bytes * height) as usize);
    out.raw(&entries).raw(&texels);
    Case::new("picture.bmp", out.bytes)
}

fn tga(stream: &mut Stream) -> Case {
    let (width, height) = (between(stream, 1, 9) as u32, between(stream, 1, 9) as u32);
    let (kind, bits) = *stream.pick(&[(2_u8, 24_u32), (2, 32), (3, 8), (10, 24), (10, 32), (11, 8), (1, 8)]);
    let mut out = Bytes::default();
    let mapped = kind == 1;
    out.u8(0).u8(u8::from(mapped)).u8(if stream.one_in(30) { stream.next_u32() as u8 } else { kind });
    out.u16(0).u16(lie(stream, 30, if mapped { 256 } else { 0 }) as u16).u8(if mapped { 24 } else { 0 });
    out.u16(0).u16(0).u16(lie(stream, 20, width) as u16).u16(lie(stream, 20, height) as u16);
    out.u8(lie(stream, 30, bits) as u8).u8(if stream.one_in(2) { 0x20 } else { 0 } | if bits == 32 { 8 } else { 0 });
    if mapped {
        out.raw(&[7; 768]);
    }
    let texel_bytes = bits as usize / 8;
    if kind >= 9 {
        let mut left = width * height;
        while left > 0 {
            let count = (between(stream, 1, 128) as u32).min(left);
            let run = stream.one_in(2);
            out.u8((count - 1) as u8 | if run { 128 } else { 0 });
            let texels = noise(stream, texel_bytes * if run { 1 } else { count as usize });
            out.raw(&texels);
            left -= count;
        }
    } else {
        let texels = noise(stream, texel_bytes * (width * height) as usize);
        out.raw(&texels);
    }
    if stream.one_in(2) {
        out.u32(0).u32(0).raw(b"TRUEVISION-XFILE.\0");
    }
    Case::new("picture.tga", out.bytes)
}

fn dds(stream: &mut Stream) -> Case {
    let (width, height) = (between(stream, 1, 16) as u32, between(stream, 1, 16) as u32);
    let levels = if stream.one_in(2) { 32 - width.max(height).leading_zeros() } else { 1 };
    let mut out = Bytes::default();
    out.raw(b"DDS ")
        .u32(lie(stream, 60, 124))
        .u32(0x0002_1007)
        .u32(lie(stream, 20, height))
        .u32(lie(stream, 20, width));
    out.u32(0).u32(lie(stream, 30, 1)).u32(lie(stream, 20, levels)).raw(&[0; 44]);
    let (fourcc, dxgi, block_bytes): (&[u8; 4], u32, u32) = match stream.below(10) {
        0 => (b"DXT1", 0, 8),
        1 => (b"DXT5", 0, 16),
        2 => (b"ATI2", 0, 16),
        3 => (b"DX10", *stream.pick(&[70, 71, 72]), 8),
        4 => (b"DX10", *stream.pick(&[95, 96, 98, 99]), 16),
        5 => (b"DX10", *stream.pick(&[79, 80, 81]), 8),
        6 => (b"DX10", *stream.pick(&[28, 29, 87, 91]), 0),
        7 => (b"DX10", stream.below(140), 16),
        _ => (b"\0\0\0\0", 0, 0),
    };
    out.u32(32).u32(if fourcc == b"\0\0\0\0" { 0x41 } else { 4 }).raw(fourcc);
    out.u32(if fourcc == b"\0\0\0\0" { 32 } else { 0 }).u32(0xFF).u32(0xFF00).u32(0xFF_0000).u32(0xFF00_0000);
    out.u32(0x1000).u32(if stream.one_in(20) { 0xFE00 } else { 0 }).raw(&[0; 12]);
    if fourcc == b"DX10" {
        out.u32(lie(stream, 30, dxgi)).u32(lie(stream, 30, 3)).u32(0).u32(lie(stream, 30, 1)).u32(0);
    }
    for level in 0..levels {
        let (w, h) = ((width >> level).max(1), (height >> level).max(1));
        let bytes = if block_bytes == 0 { w * h * 4 } else { w.div_ceil(4) * h.div_ceil(4) * block_bytes };
        let texels = noise(stream, bytes as usize);
        out.raw(&texels);
    }
    Case::new("picture.dds", out.bytes)
}

fn ktx2(stream: &mut Stream) -> Case {
    let (width, height) = (between(stream, 1, 16) as u32, between(stream, 1, 16) as u32);
    let levels = if stream.one_in(2) { 32 - width.max(height).leading_zeros() } else { 1 };
    // vkFormat: R8G8B8A8 UNORM and SRGB, BC1 RGB, BC3, BC7, R32G32B32A32 SFLOAT.
    let (format, block, block_bytes) = *stream.pick(&[
        (37_u32, 1_u32, 4_u32),
        (43, 1, 4),
        (131, 4, 8),
        (137, 4, 16),
        (145, 4, 16),
        (146, 4, 16),
        (109, 1, 16),
    ]);
    let mut out = Bytes::default();
    out.raw(b"\xABKTX 20\xBB\r\n\x1A\n").u32(lie(stream, 30, format)).u32(1);
    out.u32(lie(stream, 20, width)).u32(lie(stream, 20, height)).u32(lie(stream, 30, 0)).u32(lie(stream, 30, 0));
    out.u32(lie(stream, 30, 1)).u32(lie(stream, 20, levels)).u32(lie(stream, 12, 0) % 5);
    let index = 80 + levels * 24;
    let descriptor = 44;
    out.u32(lie(stream, 60, index)).u32(lie(stream, 60, descriptor)).u32(0).u32(0).u64(0).u64(0);
    let mut place = u64::from(index + descriptor).next_multiple_of(16);
    let mut data = vec![0; (place - u64::from(index + descriptor)) as usize];
    for level in 0..levels {
        let (w, h) = ((width >> level).max(1), (height >> level).max(1));
        let bytes = u64::from(w.div_ceil(block) * h.div_ceil(block) * block_bytes);
        let told = if stream.one_in(30) { u64::from(lie(stream, 1, bytes as u32)) } else { bytes };
        out.u64(place).u64(told).u64(if stream.one_in(30) { stream.next_u64() } else { bytes });
        let texels = noise(stream, bytes as usize);
        data.extend(texels);
        let padding = (bytes as usize).next_multiple_of(16) - bytes as usize;
        data.extend(vec![0; padding]);
        place += bytes + padding as u64;
    }
    out.u32(descriptor).u32(0).u16(2).u16(40).u8(1).u8(1).u8(if format == 43 { 2 } else { 1 }).u8(0);
    out.raw(&[0; 4]).u8(4).raw(&[0; 7]).raw(&[0; 16]);
    out.raw(&data);
    Case::new("picture.ktx2", out.bytes)
}

/// The two smallest files, lossless and lossy, in containers that lie.
fn webp(stream: &mut Stream) -> Case {
    const LOSSLESS: &[u8] = &[0x2F, 0, 0, 0, 0x10, 7, 0x10, 0x11, 0x11, 0x88, 0x88, 0xFE, 7, 0];
    const LOSSY: &[u8] = &[0x30, 1, 0, 0x9D, 1, 0x2A, 1, 0, 1, 0, 0x0E, 0xC0, 0xFE, 0x25, 0xA4, 0, 3, 0x70, 0, 0, 0, 0];
    let (name, data) = if stream.one_in(2) { (b"VP8L", LOSSLESS) } else { (b"VP8 ", LOSSY) };
    let mut data = data.to_vec();
    if stream.one_in(6) {
        let at = stream.below(data.len() as u32) as usize;
        data[at] = stream.next_u32() as u8;
    }
    let mut out = Bytes::default();
    let extended = stream.one_in(4);
    let size = 4 + 8 + data.len() + if extended { 18 } else { 0 };
    out.raw(b"RIFF").u32(lie(stream, 30, size as u32)).raw(b"WEBP");
    if extended {
        let sides = [lie(stream, 4, 0), lie(stream, 4, 0)];
        out.raw(b"VP8X").u32(10).u32(stream.below(256) * u32::from(stream.one_in(4)));
        for side in sides {
            out.raw(&side.to_le_bytes()[..3]);
        }
    }
    out.raw(name).u32(lie(stream, 30, data.len() as u32)).raw(&data);
    Case::new("picture.webp", out.bytes)
}
