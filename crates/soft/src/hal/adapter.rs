//! Adapter: what exists before a device, and what it promises.

use std::sync::Arc;

use stillframe_base::lanes::Isa;
use wgpu_hal as hal;
use wgpu_types as wgt;

use super::{Api, Device, Never, Shared, capabilities, queue::Queue};
use crate::PIXEL_CONTRACT;
use crate::engine::Engine;
use crate::exec::Processor;
use crate::rwh;
use stillframe_base::par::Pool;

/// Options with every choice made.
#[derive(Clone, Debug)]
pub struct Settings {
    pub threads: usize,
    pub isa: Isa,
    pub step_budget: u64,
    pub memory_limit_bytes: u64,
    pub last_first: bool,
    pub plain: bool,
}

impl Settings {
    /// What executors need, with nothing kept yet.
    pub fn engine(&self) -> Engine {
        let pool = if self.last_first { Pool::new(self.threads).last_first() } else { Pool::new(self.threads) };
        Engine::new(Processor { pool, isa: self.isa, step_budget: self.step_budget }, self.plain)
    }
}

#[derive(Debug)]
pub struct Instance {
    pub settings: Arc<Settings>,
}

#[derive(Debug)]
pub struct Adapter {
    settings: Arc<Settings>,
}

impl hal::Instance for Instance {
    type A = Api;

    /// wgpu-core never calls this: the instance is made by `crate::instance`.
    unsafe fn init(_desc: &hal::InstanceDescriptor<'_>) -> Result<Instance, hal::InstanceError> {
        unreachable!("the software adapter's instance is made by stillframe_soft::instance")
    }

    /// There is no window system behind this adapter. wgpu-hal's error type cannot be made outside it, so borrow one
    /// from the noop backend, which refuses unless it is enabled.
    unsafe fn create_surface(
        &self,
        _display: rwh::RawDisplayHandle,
        _window: rwh::RawWindowHandle,
    ) -> Result<Never, hal::InstanceError> {
        let desc = hal::InstanceDescriptor {
            name: "stillframe-soft",
            flags: wgt::InstanceFlags::empty(),
            memory_budget_thresholds: wgt::MemoryBudgetThresholds::default(),
            backend_options: wgt::BackendOptions::default(),
            telemetry: None,
            display: None,
        };
        // SAFETY: the noop backend's `init` reads its options only.
        Err(unsafe { <hal::noop::Context as hal::Instance>::init(&desc) }
            .expect_err("the noop backend is off by default"))
    }

    unsafe fn enumerate_adapters(&self, _surface_hint: Option<&Never>) -> Vec<hal::ExposedAdapter<Api>> {
        let settings = &self.settings;
        let info = wgt::AdapterInfo {
            name: "stillframe-soft".to_owned(),
            driver: "stillframe-soft".to_owned(),
            driver_info: format!("contract={PIXEL_CONTRACT} isa={} threads={}", settings.isa.name(), settings.threads),
            ..wgt::AdapterInfo::new(wgt::DeviceType::Cpu, wgt::Backend::Noop)
        };
        vec![hal::ExposedAdapter {
            adapter: Adapter { settings: settings.clone() },
            info,
            features: capabilities::features(),
            capabilities: capabilities::capabilities(),
        }]
    }
}

impl hal::Adapter for Adapter {
    type A = Api;

    unsafe fn open(
        &self,
        _features: wgt::Features,
        _limits: &wgt::Limits,
        _memory_hints: &wgt::MemoryHints,
    ) -> Result<hal::OpenDevice<Api>, hal::DeviceError> {
        let shared = Arc::new(Shared::new(&self.settings));
        Ok(hal::OpenDevice { device: Device { shared: shared.clone() }, queue: Queue { shared } })
    }

    unsafe fn texture_format_capabilities(&self, format: wgt::TextureFormat) -> hal::TextureFormatCapabilities {
        capabilities::of_format(format)
    }

    unsafe fn surface_capabilities(&self, surface: &Never) -> Option<hal::SurfaceCapabilities> {
        match *surface {}
    }

    unsafe fn get_presentation_timestamp(&self) -> wgt::PresentationTimestamp {
        wgt::PresentationTimestamp::INVALID_TIMESTAMP
    }

    fn get_ordered_buffer_usages(&self) -> wgt::BufferUses {
        wgt::BufferUses::all()
    }

    fn get_ordered_texture_usages(&self) -> wgt::TextureUses {
        wgt::TextureUses::all()
    }
}
