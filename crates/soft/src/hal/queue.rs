//! Queue: carries out submissions at once, in order.

use std::sync::Arc;
use std::sync::atomic::Ordering;

use wgpu_hal as hal;

use super::command::{self, CommandBuffer};
use super::resource::{Fence, Never};
use super::{Api, Shared};

#[derive(Debug)]
pub struct Queue {
    pub shared: Arc<Shared>,
}

impl hal::Queue for Queue {
    type A = Api;

    /// When this returns the work is done; so the fence is set here, and nothing ever waits.
    unsafe fn submit(
        &self,
        command_buffers: &[&CommandBuffer],
        _surface_textures: &[&Never],
        (fence, value): (&Fence, hal::FenceValue),
    ) -> Result<(), hal::DeviceError> {
        self.shared.alive()?;
        let mut commands = command_buffers.iter().flat_map(|buffer| &buffer.commands);
        let done = self.shared.exclusive(|| commands.try_for_each(|command| command::execute(command, &self.shared)));
        done.map_err(|fault| self.shared.fail(fault))?;
        fence.0.fetch_max(value, Ordering::Release);
        Ok(())
    }

    unsafe fn present(&self, surface: &Never, _texture: Never) -> Result<(), hal::SurfaceError> {
        match *surface {}
    }

    unsafe fn wait_for_idle(&self) -> Result<(), hal::DeviceError> {
        Ok(())
    }

    /// One, so that wgpu-core has nothing to scale.
    unsafe fn get_timestamp_period(&self) -> f32 {
        1.0
    }
}
