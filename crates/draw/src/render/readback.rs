//! Readback: texels come back to the caller, rows without padding.

use std::ops::Range;

use super::adapter::{Gpu, RenderError};
use super::resources::Stored;
use crate::frame::Part;

/// The most that one buffer of a readback holds, rows apart: devices refuse buffers of more than 256 MB.
const BAND_BYTES_MAX: u64 = 64 << 20;

/// A texture or a buffer on its way back.
#[derive(Debug)]
pub struct Pending {
    bands: Vec<wgpu::Buffer>,
    row_bytes: usize,
    padded_bytes: usize,
    rows: u32,
}

/// Records the copy of a texture's part into buffers that the caller can read; layers lie one below the other.
pub fn record(
    device: &wgpu::Device,
    encoder: &mut wgpu::CommandEncoder,
    texture: &wgpu::Texture,
    part: Part,
) -> Pending {
    let (width, height) = ((texture.width() >> part.level).max(1), (texture.height() >> part.level).max(1));
    let texel_bytes = texture.format().block_copy_size(None).expect("outputs are colours or depth alone");
    let row_bytes = width * texel_bytes;
    let padded_bytes = row_bytes.next_multiple_of(wgpu::COPY_BYTES_PER_ROW_ALIGNMENT);
    let band_rows = band_rows(padded_bytes, height);
    let mut bands = Vec::new();
    for layer in part.first_layer..part.first_layer + part.layers {
        for first_row in (0..height).step_by(band_rows as usize) {
            let rows = band_rows.min(height - first_row);
            let buffer = buffer(device, u64::from(padded_bytes) * u64::from(rows));
            let layout = wgpu::TexelCopyBufferLayout {
                offset: 0,
                bytes_per_row: Some(padded_bytes),
                rows_per_image: Some(rows),
            };
            let from = wgpu::TexelCopyTextureInfo {
                mip_level: part.level,
                origin: wgpu::Origin3d { x: 0, y: first_row, z: layer },
                ..texture.as_image_copy()
            };
            let size = wgpu::Extent3d { width, height: rows, depth_or_array_layers: 1 };
            encoder.copy_texture_to_buffer(from, wgpu::TexelCopyBufferInfo { buffer: &buffer, layout }, size);
            bands.push(buffer);
        }
    }
    let (row_bytes, padded_bytes) = (row_bytes as usize, padded_bytes as usize);
    Pending { bands, row_bytes, padded_bytes, rows: height * part.layers }
}

/// Records the copy of a part of a target.
pub fn record_part(device: &wgpu::Device, encoder: &mut wgpu::CommandEncoder, stored: &Stored, part: Part) -> Pending {
    match stored {
        Stored::Texture(texture) => record(device, encoder, texture, part),
        Stored::Buffer(buffer) => record_bytes(device, encoder, buffer, 0..buffer.size()),
    }
}

/// How many rows one band of a picture of `height` rows holds.
fn band_rows(padded_bytes: u32, height: u32) -> u32 {
    let rows = (BAND_BYTES_MAX / u64::from(padded_bytes)).max(1);
    u64::from(height).min(rows) as u32
}

/// Records the copy of these bytes of a buffer.
pub fn record_bytes(
    device: &wgpu::Device,
    encoder: &mut wgpu::CommandEncoder,
    from: &wgpu::Buffer,
    bytes: Range<u64>,
) -> Pending {
    let count = bytes.end - bytes.start;
    let buffer = buffer(device, count);
    encoder.copy_buffer_to_buffer(from, bytes.start, &buffer, 0, count);
    let row_bytes = count as usize;
    Pending { bands: vec![buffer], row_bytes, padded_bytes: row_bytes, rows: 1 }
}

fn buffer(device: &wgpu::Device, size: u64) -> wgpu::Buffer {
    device.create_buffer(&wgpu::BufferDescriptor {
        label: Some("readback"),
        size,
        usage: wgpu::BufferUsages::COPY_DST | wgpu::BufferUsages::MAP_READ,
        mapped_at_creation: false,
    })
}

impl Pending {
    /// Waits for the copy and hands over the rows.
    pub fn take(self, gpu: &Gpu) -> Result<Vec<u8>, RenderError> {
        let mut out = Vec::with_capacity(self.row_bytes * self.rows as usize);
        self.each_row(gpu, &mut |row| out.extend_from_slice(row))?;
        Ok(out)
    }

    /// Waits for the copy and shows its rows, top to bottom.
    pub fn each_row(self, gpu: &Gpu, see: &mut dyn FnMut(&[u8])) -> Result<(), RenderError> {
        for band in &self.bands {
            band.slice(..).map_async(wgpu::MapMode::Read, |_| ());
        }
        gpu.wait()?;
        for band in self.bands {
            let range = band.get_mapped_range(..).map_err(|error| RenderError::Fault(error.to_string()))?;
            if self.row_bytes == self.padded_bytes {
                see(&range);
            } else {
                range.chunks_exact(self.padded_bytes).for_each(|row| see(&row[..self.row_bytes]));
            }
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bands_are_small_and_never_empty() {
        for (padded_bytes, height) in [(256, 1), (256, 16384), (16384 * 16, 16384), (1 << 30, 4)] {
            let rows = band_rows(padded_bytes, height);
            assert!((1..=height).contains(&rows));
            assert!(rows == 1 || u64::from(rows) * u64::from(padded_bytes) <= BAND_BYTES_MAX);
        }
    }
}
