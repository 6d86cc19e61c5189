//! The container of KTX2: its header and list of levels, and what packs levels.

use std::error::Error;
use std::io::Read;

use ruzstd::decoding::StreamingDecoder;

use super::{broken, check_sides, decoded};
use crate::import::size::Size;
use crate::import::{Budget, Fault, code};

pub const MAGIC: [u8; 12] = *b"\xABKTX 20\xBB\r\n\x1A\n";
const HEADER_BYTES: usize = 80;
const LEVEL_BYTES: usize = 24;

/// What the file says, checked: every range lies inside it.
pub struct Ktx2<'a> {
    pub vk_format: u32,
    pub type_bytes: u32,
    pub size: Size,
    pub supercompression: u32,
    /// The data format descriptor.
    pub descriptor: &'a [u8],
    pub global: &'a [u8],
    /// Stored bytes and how many they unpack to; largest level first.
    pub levels: Vec<(&'a [u8], u64)>,
}

impl<'a> Ktx2<'a> {
    pub fn parse(name: &str, bytes: &'a [u8]) -> Result<Ktx2<'a>, Fault> {
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
            size: Size { width_px, height_px },
            supercompression: word(44),
            descriptor: range(u64::from(word(48)), u64::from(word(52))).ok_or_else(|| outside("its description"))?,
            global: range(long(64), long(72)).ok_or_else(|| outside("its global part"))?,
            levels,
        })
    }

    /// Those of the levels.
    pub fn sizes(&self) -> impl Iterator<Item = Size> + use<> {
        self.size.levels(self.levels.len() as u32)
    }

    /// Bit 0 of the descriptor's flags: colours are multiplied by alpha.
    pub fn is_premultiplied(&self) -> bool {
        self.descriptor.get(15).is_some_and(|flags| flags & 1 != 0)
    }
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
