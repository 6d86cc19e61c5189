//! DDS: DirectDraw surfaces, with their mip levels.
//!
//! Source: Microsoft, "Programming Guide for DDS" and "DDS_HEADER". Block formats BC1 to BC7 (by their four characters,
//! by Direct3D 9's numbers, or in a DX10 header) and uncompressed ones. Left out: cube maps, volumes and arrays, which
//! are no pictures, and the formats that mean none (depth, integers, YUV).

use super::layout::{self, Layout};
use super::{broken, check_sides, level, of_levels};
use crate::asset::Image;
use crate::import::size::Size;
use crate::import::{Budget, Fault, code};

const HEADER_BYTES: usize = 128;
const DX10_BYTES: usize = 20;

pub fn decode(name: String, bytes: &[u8], budget: &mut Budget) -> Result<Image, Fault> {
    let word = |at: usize| bytes.get(at..at + 4).map(|b| u32::from_le_bytes([b[0], b[1], b[2], b[3]]));
    let early = || broken(&name, "the file ends inside its header");
    if bytes.len() < HEADER_BYTES {
        return Err(early());
    }
    let of = |at: usize| word(at).expect("the header is there");
    let (flags, height_px, width_px) = (of(8), of(12), of(16));
    let is_dx10 = of(80) & 4 != 0 && of(84) == u32::from_le_bytes(*b"DX10");
    check_sides(&name, width_px, height_px)?;
    if of(112) & 0x200 != 0 {
        return Err(broken(&name, "it is a cube map, not a picture"));
    }
    if of(112) & 0x20_0000 != 0 {
        return Err(broken(&name, "it is a volume, not a picture"));
    }
    let mut premultiplied = false;
    let (layout, start) = if is_dx10 {
        let [format, dimension, misc, array, misc2] = [0, 4, 8, 12, 16].map(|at| word(HEADER_BYTES + at));
        let (Some(format), Some(dimension), Some(misc), Some(array), Some(misc2)) =
            (format, dimension, misc, array, misc2)
        else {
            return Err(early());
        };
        if dimension != 3 || misc & 4 != 0 || array > 1 {
            return Err(broken(&name, "it is a cube map, a volume or an array, not a single picture"));
        }
        premultiplied = misc2 & 7 == 2;
        let layout = of_dxgi(format).ok_or_else(|| unknown(&name, &format!("DXGI format {format}")))?;
        (layout, HEADER_BYTES + DX10_BYTES)
    } else {
        let four = of(84).to_le_bytes();
        premultiplied |= of(80) & 4 != 0 && (&four == b"DXT2" || &four == b"DXT4");
        (of_pixel_format(&name, [of(80), of(84), of(88), of(92), of(96), of(100), of(104)])?, HEADER_BYTES)
    };
    let count = if flags & 0x2_0000 != 0 { of(28).max(1) } else { 1 };
    let count_max = u32::BITS - width_px.max(height_px).leading_zeros();
    if count > count_max {
        let why = format!("{width_px} x {height_px} pixels have at most {count_max} mip levels, not {count}");
        return Err(broken(&name, why));
    }
    let mut at = start;
    let mut levels = Vec::new();
    let size = Size { width_px, height_px };
    for size in size.levels(count) {
        let size_bytes = layout.level_bytes(size);
        let stored = usize::try_from(size_bytes).ok().and_then(|size| bytes.get(at..at.checked_add(size)?));
        let Some(stored) = stored else {
            let why = format!("level {} needs {size_bytes} bytes, but the file ends first", levels.len());
            return Err(broken(&name, why));
        };
        levels.push(level(&name, layout, size, stored, premultiplied, budget)?);
        at += stored.len();
    }
    Ok(of_levels(name, size, levels))
}

fn unknown(name: &str, what: &str) -> Fault {
    Fault::new(code::IMAGE, format!("{name}: {what} is not supported"))
        .help("save it as BC1 to BC7, or with 8-bit, 16-bit or float channels")
}

/// The pixel format of the first header: flags, four characters, bits a pixel, masks of red, green, blue, alpha.
fn of_pixel_format(name: &str, [flags, four, bits, red, green, blue, alpha]: [u32; 7]) -> Result<Layout, Fault> {
    if flags & 4 != 0 {
        let text = four.to_le_bytes();
        return Ok(match &text {
            b"DXT1" => Layout::Bc1,
            b"DXT2" | b"DXT3" => Layout::Bc2,
            b"DXT4" | b"DXT5" => Layout::Bc3,
            b"ATI1" | b"BC4U" => Layout::Bc4 { signed: false },
            b"BC4S" => Layout::Bc4 { signed: true },
            b"ATI2" | b"BC5U" => Layout::Bc5 { signed: false },
            b"BC5S" => Layout::Bc5 { signed: true },
            _ => match four {
                36 => Layout::Unorm16(4),
                111 => Layout::Half(1),
                112 => Layout::Half(2),
                113 => Layout::Half(4),
                114 => Layout::Float(1),
                115 => Layout::Float(2),
                116 => Layout::Float(4),
                _ if text.iter().all(|c| c.is_ascii_graphic()) => {
                    return Err(unknown(name, &format!("format {}", String::from_utf8_lossy(&text))));
                }
                _ => return Err(unknown(name, &format!("format {four}"))),
            },
        });
    }
    let pixel_bytes = bits / 8;
    if !(1..=4).contains(&pixel_bytes) || !bits.is_multiple_of(8) {
        return Err(unknown(name, &format!("a format with {bits} bits per pixel")));
    }
    // Flags: 1 and 2 alpha, 0x40 colours, 0x20000 luminance.
    let alpha = if flags & 3 != 0 { alpha } else { 0 };
    let (masks, grey) = match () {
        () if flags & 0x40 != 0 => ([red, green, blue, alpha], false),
        () if flags & 0x2_0000 != 0 => ([red, 0, 0, alpha], true),
        () if flags & 2 != 0 => ([0, 0, 0, alpha], false),
        () => return Err(unknown(name, "a format without colour")),
    };
    let within = if pixel_bytes == 4 { u32::MAX } else { (1 << (pixel_bytes * 8)) - 1 };
    let is_solid = |mask: u32| mask == 0 || (u64::from(mask >> mask.trailing_zeros()) + 1).is_power_of_two();
    if masks.iter().all(|mask| *mask == 0) || masks.iter().any(|m| m & !within != 0 || !is_solid(*m)) {
        return Err(unknown(name, &format!("a format with masks {masks:x?}")));
    }
    Ok(Layout::Masks { pixel_bytes: pixel_bytes as u8, masks, grey })
}

/// Typeless formats are taken as the first of their family.
fn of_dxgi(format: u32) -> Option<Layout> {
    Some(match format {
        1 | 2 => Layout::Float(4),
        5 | 6 => Layout::Float(3),
        9 | 10 => Layout::Half(4),
        11 => Layout::Unorm16(4),
        15 | 16 => Layout::Float(2),
        23 | 24 => layout::RGB10A2,
        26 => Layout::Rg11b10,
        27..=29 => Layout::Unorm8(4),
        33 | 34 => Layout::Half(2),
        35 => Layout::Unorm16(2),
        39 | 41 => Layout::Float(1),
        48 | 49 => Layout::Unorm8(2),
        53 | 54 => Layout::Half(1),
        56 => Layout::Unorm16(1),
        60 | 61 => Layout::Unorm8(1),
        67 => Layout::Rgb9e5,
        70..=72 => Layout::Bc1,
        73..=75 => Layout::Bc2,
        76..=78 => Layout::Bc3,
        79 | 80 => Layout::Bc4 { signed: false },
        81 => Layout::Bc4 { signed: true },
        82 | 83 => Layout::Bc5 { signed: false },
        84 => Layout::Bc5 { signed: true },
        85 => layout::B5G6R5,
        86 => layout::B5G5R5A1,
        87 | 90 | 91 => layout::BGRA8,
        88 | 92 | 93 => layout::BGRX8,
        94 | 95 => Layout::Bc6h { signed: false },
        96 => Layout::Bc6h { signed: true },
        97..=99 => Layout::Bc7,
        115 => layout::B4G4R4A4,
        _ => return None,
    })
}
