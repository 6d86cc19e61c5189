//! Readback: texels come back to the caller, rows without padding.

use super::adapter::{Gpu, RenderError};

/// Which level and layers of a texture.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Part {
    pub level: u32,
    pub first_layer: u32,
    pub layers: u32,
}

impl Part {
    /// The only level and layer of a picture.
    pub const WHOLE: Part = Part { level: 0, first_layer: 0, layers: 1 };
}

/// A texture on its way back.
#[derive(Debug)]
pub struct Pending {
    buffer: wgpu::Buffer,
    width_px: u32,
    row_bytes: usize,
    padded_bytes: usize,
    rows: usize,
}

/// Records the copy of a texture's part into a buffer that the caller can read; layers lie one below the other.
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
    let rows = height * part.layers;
    let buffer = buffer(device, u64::from(padded_bytes) * u64::from(rows));
    let layout =
        wgpu::TexelCopyBufferLayout { offset: 0, bytes_per_row: Some(padded_bytes), rows_per_image: Some(height) };
    let from = wgpu::TexelCopyTextureInfo {
        mip_level: part.level,
        origin: wgpu::Origin3d { x: 0, y: 0, z: part.first_layer },
        ..texture.as_image_copy()
    };
    let size = wgpu::Extent3d { width, height, depth_or_array_layers: part.layers };
    encoder.copy_texture_to_buffer(from, wgpu::TexelCopyBufferInfo { buffer: &buffer, layout }, size);
    let (row_bytes, padded_bytes) = (row_bytes as usize, padded_bytes as usize);
    Pending { buffer, width_px: width, row_bytes, padded_bytes, rows: rows as usize }
}

/// Records the copy of a whole buffer.
pub fn record_buffer(device: &wgpu::Device, encoder: &mut wgpu::CommandEncoder, from: &wgpu::Buffer) -> Pending {
    let bytes = from.size();
    let buffer = buffer(device, bytes);
    encoder.copy_buffer_to_buffer(from, 0, &buffer, 0, bytes);
    let row_bytes = bytes as usize;
    Pending { buffer, width_px: bytes as u32, row_bytes, padded_bytes: row_bytes, rows: 1 }
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
    pub fn width_px(&self) -> u32 {
        self.width_px
    }

    /// Of all layers.
    pub fn rows(&self) -> u32 {
        self.rows as u32
    }

    /// Waits for the copy and hands over the rows.
    pub fn take(self, gpu: &Gpu) -> Result<Vec<u8>, RenderError> {
        let mut out = Vec::with_capacity(self.row_bytes * self.rows);
        self.each_row(gpu, &mut |row| out.extend_from_slice(row))?;
        Ok(out)
    }

    /// Waits for the copy and shows its rows, top to bottom.
    pub fn each_row(self, gpu: &Gpu, see: &mut dyn FnMut(&[u8])) -> Result<(), RenderError> {
        self.buffer.slice(..).map_async(wgpu::MapMode::Read, |_| ());
        gpu.wait()?;
        let range = self.buffer.get_mapped_range(..).map_err(|error| RenderError::Fault(error.to_string()))?;
        if self.row_bytes == self.padded_bytes {
            see(&range);
        } else {
            range.chunks_exact(self.padded_bytes).for_each(|row| see(&row[..self.row_bytes]));
        }
        Ok(())
    }
}
