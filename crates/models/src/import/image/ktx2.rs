//! KTX2: Khronos textures, with their mip levels.
//!
//! Source: Khronos, "KTX File Format Specification", version 2.0, and the Vulkan specification's formats. Uncompressed
//! formats, BC1 to BC7, and Basis Universal (ETC1S and UASTC); plain, zstd and BasisLZ supercompression. Left out: cube
//! maps, volumes and arrays, which are no pictures; ETC2 and ASTC outside Basis Universal; zlib.

use std::error::Error;
use std::io::Read;

use ruzstd::decoding::StreamingDecoder;

use super::layout::{self, Layout};
use super::{basis, broken, check_sides, decoded, level, level_sizes, of_levels};
use crate::asset::Image;
use crate::import::{Budget, Fault, code};

pub const MAGIC: [u8; 12] = *b"\xABKTX 20\xBB\r\n\x1A\n";
const HEADER_BYTES: usize = 80;
const LEVEL_BYTES: usize = 24;

/// What the file says, checked: every range lies inside it.
pub struct Ktx2<'a> {
    pub vk_format: u32,
    pub type_bytes: u32,
    pub width_px: u32,
    pub height_px: u32,
    pub supercompression: u32,
    /// The data format descriptor.
    pub descriptor: &'a [u8],
    pub global: &'a [u8],
    /// Stored bytes and how many they unpack to; largest level first.
    pub levels: Vec<(&'a [u8], u64)>,
}

impl<'a> Ktx2<'a> {
    fn parse(name: &str, bytes: &'a [u8]) -> Result<Ktx2<'a>, Fault> {
        if bytes.len() < HEADER_BYTES {
            return Err(broken(name, "the file ends inside its header"));
        }
        let word = |at: usize| u32::from_le_bytes(bytes[at..at + 4].try_into().expect("four bytes"));
        let long = |at: usize| u64::from_le_bytes(bytes[at..at + 8].try_into().expect("eight bytes"));
        let range = |start: u64, length: u64| {
            let end = start.checked_add(length)?;
            bytes.get(usize::try_from(start).ok()?..usize::try_from(end).ok()?)
        };
        let (width_px, height_px) = (word(20), word(24));
        check_sides(name, width_px, height_px)?;
        if word(28) > 0 || word(32) > 1 || word(36) != 1 {
            return Err(broken(name, "it is a cube map, a volume or an array, not a single picture"));
        }
        let count = word(40).max(1);
        let count_max = u32::BITS - width_px.max(height_px).leading_zeros();
        if count > count_max {
            let why = format!("{width_px} x {height_px} pixels have at most {count_max} mip levels, not {count}");
            return Err(broken(name, why));
        }
        let outside = |what: &str| broken(name, format!("{what} is outside the file"));
        let index = HEADER_BYTES + count as usize * LEVEL_BYTES;
        if bytes.len() < index {
            return Err(outside("the list of levels"));
        }
        let mut levels = Vec::new();
        for at in (HEADER_BYTES..index).step_by(LEVEL_BYTES) {
            let stored = range(long(at), long(at + 8)).ok_or_else(|| outside(&format!("level {}", levels.len())))?;
            levels.push((stored, long(at + 16)));
        }
        Ok(Ktx2 {
            vk_format: word(12),
            type_bytes: word(16),
            width_px,
            height_px,
            supercompression: word(44),
            descriptor: range(u64::from(word(48)), u64::from(word(52))).ok_or_else(|| outside("its description"))?,
            global: range(long(64), long(72)).ok_or_else(|| outside("its global part"))?,
            levels,
        })
    }

    /// Bit 0 of the descriptor's flags: colours are multiplied by alpha.
    fn is_premultiplied(&self) -> bool {
        self.descriptor.get(15).is_some_and(|flags| flags & 1 != 0)
    }
}

pub fn decode(name: String, bytes: &[u8], budget: &mut Budget) -> Result<Image, Fault> {
    let file = Ktx2::parse(&name, bytes)?;
    if file.vk_format == 0 {
        return basis::decode(name, &file, budget);
    }
    let Some(layout) = of_vulkan(file.vk_format) else {
        let message = format!("{name}: Vulkan format {} is not supported", file.vk_format);
        return Err(Fault::new(code::IMAGE, message).help("save it as Basis Universal, BC1 to BC7, or uncompressed"));
    };
    let premultiplied = file.is_premultiplied();
    let sizes = level_sizes(file.width_px, file.height_px, file.levels.len() as u32);
    let mut levels = Vec::new();
    for ((stored, unpacked_bytes), (width, height)) in file.levels.iter().zip(sizes) {
        let size_bytes = layout.level_bytes(width, height);
        let unpacked;
        let stored = match file.supercompression {
            0 => *stored,
            2 => {
                unpacked = unzstd(&name, stored, *unpacked_bytes, size_bytes, budget)?;
                &unpacked
            }
            other => return Err(unknown_packing(&name, other)),
        };
        if stored.len() as u64 != size_bytes {
            let why = format!("level {} has {} bytes instead of {size_bytes}", levels.len(), stored.len());
            return Err(broken(&name, why));
        }
        levels.push(level(&name, layout, (width, height), stored, premultiplied, budget)?);
    }
    Ok(of_levels(name, file.width_px, file.height_px, levels))
}

pub fn unknown_packing(name: &str, scheme: u32) -> Fault {
    let message = match scheme {
        3 => format!("{name}: zlib supercompression is not supported"),
        other => format!("{name}: supercompression {other} is not supported"),
    };
    Fault::new(code::IMAGE, message).help("save it with zstd supercompression, or without")
}

/// The `said_bytes` bytes that a level unpacks to, which may not be more than `most_bytes`.
pub fn unzstd(name: &str, stored: &[u8], said_bytes: u64, most_bytes: u64, budget: &Budget) -> Result<Vec<u8>, Fault> {
    if said_bytes > most_bytes {
        return Err(broken(
            name,
            format!("a level declares that it unpacks to {said_bytes} bytes instead of {most_bytes}"),
        ));
    }
    // The decoder keeps a window beside the result: no more than the result, or 1 MiB.
    let window_bytes = said_bytes.next_power_of_two().max(1 << 20);
    budget.allow(said_bytes + window_bytes * 2, name)?;
    let mut out = Vec::with_capacity(said_bytes as usize);
    decoded(name, || -> Result<usize, Box<dyn Error>> {
        let decoder = StreamingDecoder::new_with_max_window_size(stored, window_bytes)?;
        Ok(decoder.take(said_bytes + 1).read_to_end(&mut out)?)
    })?;
    if out.len() as u64 != said_bytes {
        return Err(broken(name, format!("a level does not unpack to the declared {said_bytes} bytes")));
    }
    Ok(out)
}

fn of_vulkan(format: u32) -> Option<Layout> {
    Some(match format {
        4 => layout::B5G6R5,
        9 | 15 => Layout::Unorm8(1),
        16 | 22 => Layout::Unorm8(2),
        23 | 29 => Layout::Unorm8(3),
        30 | 36 => layout::BGR8,
        37 | 43 => Layout::Unorm8(4),
        44 | 50 => layout::BGRA8,
        64 => layout::RGB10A2,
        70 => Layout::Unorm16(1),
        77 => Layout::Unorm16(2),
        84 => Layout::Unorm16(3),
        91 => Layout::Unorm16(4),
        76 => Layout::Half(1),
        83 => Layout::Half(2),
        90 => Layout::Half(3),
        97 => Layout::Half(4),
        100 => Layout::Float(1),
        103 => Layout::Float(2),
        106 => Layout::Float(3),
        109 => Layout::Float(4),
        122 => Layout::Rg11b10,
        123 => Layout::Rgb9e5,
        131..=134 => Layout::Bc1,
        135 | 136 => Layout::Bc2,
        137 | 138 => Layout::Bc3,
        139 => Layout::Bc4 { signed: false },
        140 => Layout::Bc4 { signed: true },
        141 => Layout::Bc5 { signed: false },
        142 => Layout::Bc5 { signed: true },
        143 => Layout::Bc6h { signed: false },
        144 => Layout::Bc6h { signed: true },
        145 | 146 => Layout::Bc7,
        _ => return None,
    })
}
