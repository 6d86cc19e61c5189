//! KTX2: Khronos textures, with their mip levels.
//!
//! Source: Khronos, "KTX File Format Specification", version 2.0, and the Vulkan specification's formats. Uncompressed
//! formats, BC1 to BC7, and Basis Universal (ETC1S and UASTC); plain, zstd and BasisLZ supercompression. Left out: cube
//! maps, volumes and arrays, which are no pictures; ETC2 and ASTC outside Basis Universal; zlib.

use super::ktx2_file::{Ktx2, unknown_packing, unzstd};
use super::layout::{self, Layout};
use super::{basis, broken, level, of_levels};
use crate::asset::Image;
use crate::import::{Budget, Fault, code};

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
    let mut levels = Vec::new();
    for ((stored, unpacked_bytes), size) in file.levels.iter().zip(file.sizes()) {
        let size_bytes = layout.level_bytes(size);
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
        levels.push(level(&name, layout, size, stored, premultiplied, budget)?);
    }
    Ok(of_levels(name, file.size, levels))
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
