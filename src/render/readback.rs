//! Readback: texels come back to the caller, rows without padding.

use super::adapter::{Gpu, RenderError};

/// A texture on its way back.
#[derive(Debug)]
pub struct Pending {
    buffer: wgpu::Buffer,
    row_bytes: usize,
    padded_bytes: usize,
    rows: usize,
}

/// Records the copy of a texture's only level into a buffer that the caller can read.
pub fn record(device: &wgpu::Device, encoder: &mut wgpu::CommandEncoder, texture: &wgpu::Texture) -> Pending {
    let size = texture.size();
    let texel_bytes = texture.format().block_copy_size(None).expect("outputs are colours");
    let row_bytes = size.width * texel_bytes;
    let padded_bytes = row_bytes.next_multiple_of(wgpu::COPY_BYTES_PER_ROW_ALIGNMENT);
    let buffer = device.create_buffer(&wgpu::BufferDescriptor {
        label: Some("readback"),
        size: u64::from(padded_bytes) * u64::from(size.height),
        usage: wgpu::BufferUsages::COPY_DST | wgpu::BufferUsages::MAP_READ,
        mapped_at_creation: false,
    });
    let layout = wgpu::TexelCopyBufferLayout { offset: 0, bytes_per_row: Some(padded_bytes), rows_per_image: None };
    let to = wgpu::TexelCopyBufferInfo { buffer: &buffer, layout };
    encoder.copy_texture_to_buffer(texture.as_image_copy(), to, size);
    let (row_bytes, padded_bytes) = (row_bytes as usize, padded_bytes as usize);
    Pending { buffer, row_bytes, padded_bytes, rows: size.height as usize }
}

impl Pending {
    /// Waits for the copy and hands over the rows.
    pub fn take(self, gpu: &Gpu) -> Result<Vec<u8>, RenderError> {
        self.buffer.slice(..).map_async(wgpu::MapMode::Read, |_| ());
        gpu.wait()?;
        let range = self.buffer.get_mapped_range(..).map_err(|error| RenderError::Fault(error.to_string()))?;
        let mut out = Vec::with_capacity(self.row_bytes * self.rows);
        for row in range.chunks_exact(self.padded_bytes) {
            out.extend_from_slice(&row[..self.row_bytes]);
        }
        Ok(out)
    }
}
