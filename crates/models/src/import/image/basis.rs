//! Basis Universal inside KTX2: ETC1S and UASTC, transcoded to plain texels by the `basisu` crate.
//!
//! Levels are unpacked here (zstd, within the budget) and the crate is given a container of its own, built from checked
//! values, so that nothing of the file's header reaches it unseen. It is a port of the reference transcoder with the
//! same bits; a panic in it is caught and becomes a diagnostic.

use basisu::{DecodeFlags, SourceFormat, TargetFormat, Transcoder};

use super::ktx2_file::{self, Ktx2};
use super::{broken, decoded, of_levels};
use crate::asset::{Image, Texels};
use crate::import::size::Size;
use crate::import::{Budget, Fault};
use stillframe_base::math::pack::f32_from_f16;

pub fn decode(name: String, file: &Ktx2<'_>, budget: &mut Budget) -> Result<Image, Fault> {
    let texel_counts: Vec<u64> = file.sizes().map(Size::texel_count).collect();
    let total: u64 = texel_counts.iter().sum();
    // The result as floats at worst, a copy of the file, and the transcoder's tables of endpoints and selectors.
    budget.allow(total * 20 + (8 << 20), &name)?;
    let mut unpacked = Vec::new();
    for ((stored, said_bytes), texel_count) in file.levels.iter().zip(&texel_counts) {
        unpacked.push(match file.supercompression {
            0 | 1 => stored.to_vec(),
            // 16 bytes a block of 4 x 4 at most, and at least one block.
            2 => ktx2_file::unzstd(&name, stored, *said_bytes, (texel_count * 4).max(1 << 12), budget)?,
            other => return Err(ktx2_file::unknown_packing(&name, other)),
        });
    }
    let container = rebuild(file, &unpacked);
    drop(unpacked);
    let levels = decoded(&name, || {
        let levels = transcode(&container, file.levels.len() as u32);
        levels.map_err(|error| format!("its Basis Universal data is broken: {error:?}"))
    })?;
    for (level, texel_count) in levels.iter().zip(&texel_counts) {
        let (count, bytes) = match level {
            Texels::Rgba8(texels) => (texels.len(), 4),
            Texels::Rgba16(texels) => (texels.len(), 8),
            Texels::Rgba32Float(texels) => (texels.len(), 16),
        };
        if count as u64 != texel_count * 4 {
            return Err(broken(&name, "a level has the wrong size"));
        }
        budget.spend(texel_count * bytes, &name)?;
    }
    Ok(of_levels(name, file.size, levels))
}

fn transcode(container: &[u8], count: u32) -> Result<Vec<Texels>, basisu::Error> {
    let texture = Transcoder::new(container)?;
    let is_float = matches!(
        texture.source_format(),
        SourceFormat::UastcHdr4x4 | SourceFormat::AstcHdr6x6 | SourceFormat::UastcHdr6x6
    );
    (0..count)
        .map(|level| {
            if !is_float {
                return Ok(Texels::Rgba8(texture.transcode(level, TargetFormat::Rgba32, DecodeFlags::NONE)?));
            }
            let halves = texture.transcode(level, TargetFormat::RgbaHalf, DecodeFlags::NONE)?;
            let floats = halves.chunks_exact(2).map(|h| f32_from_f16(u16::from_le_bytes([h[0], h[1]])));
            Ok(Texels::Rgba32Float(floats.collect()))
        })
        .collect()
}

/// The same texture as a file without zstd.
fn rebuild(file: &Ktx2<'_>, levels: &[Vec<u8>]) -> Vec<u8> {
    let packing = if file.supercompression == 1 { 1_u32 } else { 0 };
    let index_bytes = 80 + levels.len() * 24;
    let descriptor_at = index_bytes;
    let global_at = (descriptor_at + file.descriptor.len()).next_multiple_of(8);
    let mut level_at = (global_at + file.global.len()).next_multiple_of(16);
    let mut out = ktx2_file::MAGIC.to_vec();
    let words = [0, file.type_bytes, file.size.width_px, file.size.height_px, 0, 0, 1, levels.len() as u32, packing];
    words.iter().for_each(|word| out.extend(word.to_le_bytes()));
    for word in [descriptor_at as u32, file.descriptor.len() as u32, 0, 0] {
        out.extend(word.to_le_bytes());
    }
    let global_start = if file.global.is_empty() { 0 } else { global_at as u64 };
    out.extend(global_start.to_le_bytes());
    out.extend((file.global.len() as u64).to_le_bytes());
    for (level, (_, said_bytes)) in levels.iter().zip(&file.levels) {
        let length = level.len() as u64;
        let said_bytes = if packing == 1 { *said_bytes } else { length };
        [level_at as u64, length, said_bytes].iter().for_each(|word| out.extend(word.to_le_bytes()));
        level_at = (level_at + level.len()).next_multiple_of(16);
    }
    out.extend(file.descriptor);
    out.resize(global_at, 0);
    out.extend(file.global);
    for level in levels {
        out.resize(out.len().next_multiple_of(16), 0);
        out.extend(level);
    }
    out
}
