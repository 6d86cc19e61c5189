//! Adapter: opening a device. The only user of the software adapter.

use std::sync::{Arc, Mutex};

use stillframe_base::lanes::Isa;

use super::caps::Caps;

/// Why rendering stopped, for reasons nobody could foresee.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum RenderError {
    /// No such adapter, or it cannot do what is needed.
    #[error("{0}")]
    Adapter(String),
    /// A texture or buffer did not fit.
    #[error("out of memory: {0}")]
    Memory(String),
    /// The device was lost or failed.
    #[error("{0}")]
    Fault(String),
}

/// Which adapter.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Choice {
    Soft(SoftOptions),
    /// The first whose name holds the part (any case); `None`: the first.
    Native(Option<String>),
}

/// How the software adapter runs; no choice changes a pixel.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct SoftOptions {
    /// 0: the environment's wish, else one a core.
    pub threads: usize,
    /// `None`: the environment's wish, else the best.
    pub isa: Option<Isa>,
    /// Work starts in reverse order.
    pub last_first: bool,
}

/// An open device.
#[derive(Debug)]
pub struct Gpu {
    pub(super) device: wgpu::Device,
    pub(super) queue: wgpu::Queue,
    pub caps: Caps,
    /// Name and `driver_info`.
    pub name: String,
    /// The software adapter's pixel contract.
    pub contract: Option<u32>,
    trouble: Arc<Mutex<Vec<RenderError>>>,
}

/// Adapters of this machine but the software adapter: `(name, driver and backend)`.
pub fn adapters() -> Vec<(String, String)> {
    native_adapters().iter().map(|adapter| describe(&adapter.get_info())).collect()
}

fn native_adapters() -> Vec<wgpu::Adapter> {
    let instance = wgpu::Instance::new(wgpu::InstanceDescriptor::new_without_display_handle());
    pollster::block_on(instance.enumerate_adapters(wgpu::Backends::PRIMARY))
}

fn describe(info: &wgpu::AdapterInfo) -> (String, String) {
    (info.name.clone(), format!("{:?} {} {}", info.backend, info.driver, info.driver_info).trim_end().to_string())
}

impl Gpu {
    /// Opens a device with what [`Caps::asked`] asks of its adapter.
    pub fn open(choice: &Choice) -> Result<Gpu, RenderError> {
        let (adapter, contract) = match choice {
            Choice::Soft(options) => (soft_adapter(options)?, Some(stillframe_soft::PIXEL_CONTRACT)),
            Choice::Native(part) => (native_adapter(part.as_deref())?, None),
        };
        let (required_features, required_limits) = Caps::asked(&adapter);
        let descriptor = wgpu::DeviceDescriptor {
            label: Some("stillframe"),
            required_features,
            required_limits,
            ..Default::default()
        };
        let (device, queue) = pollster::block_on(adapter.request_device(&descriptor))
            .map_err(|error| RenderError::Adapter(format!("{}: {error}", adapter.get_info().name)))?;
        let trouble = Arc::new(Mutex::new(Vec::new()));
        let heard = Arc::clone(&trouble);
        device.on_uncaptured_error(Arc::new(move |error| {
            let error = match error {
                wgpu::Error::OutOfMemory { source } => RenderError::Memory(source.to_string()),
                other => RenderError::Fault(other.to_string()),
            };
            heard.lock().expect("no holder panics").push(error);
        }));
        let heard = Arc::clone(&trouble);
        device.set_device_lost_callback(move |reason, message| {
            if reason != wgpu::DeviceLostReason::Destroyed {
                let error = RenderError::Fault(format!("the device was lost: {message}"));
                heard.lock().expect("no holder panics").push(error);
            }
        });
        let (name, driver) = describe(&adapter.get_info());
        Ok(Gpu {
            caps: Caps::of(&adapter, &device),
            device,
            queue,
            name: format!("{name} ({driver})"),
            contract,
            trouble,
        })
    }

    /// The first thing that went wrong since the device was opened.
    pub(super) fn check(&self) -> Result<(), RenderError> {
        if let Some(fault) = soft_fault(self) {
            return Err(RenderError::Fault(fault));
        }
        match self.trouble.lock().expect("no holder panics").first() {
            Some(error) => Err(error.clone()),
            None => Ok(()),
        }
    }

    /// The most bytes the software adapter's buffers and textures held at once.
    pub fn peak_bytes(&self) -> Option<u64> {
        self.contract.and_then(|_| stillframe_soft::stats(&self.device)).map(|stats| stats.peak_bytes)
    }

    /// Waits until everything submitted has run.
    pub(super) fn wait(&self) -> Result<(), RenderError> {
        let polled = self.device.poll(wgpu::PollType::wait_indefinitely());
        self.check()?;
        polled.map(|_| ()).map_err(|error| RenderError::Fault(error.to_string()))
    }
}

/// The software adapter's own words about why it gave up: they name the shader.
fn soft_fault(gpu: &Gpu) -> Option<String> {
    gpu.contract.and_then(|_| stillframe_soft::fault(&gpu.device))
}

/// What kernels of the processor run with: what was asked for, else the environment's wish, else the best.
///
/// Errors: the environment asks for what there is not.
pub fn isa(asked: Option<Isa>) -> Result<Isa, RenderError> {
    let settings = soft_settings(&SoftOptions { isa: asked, ..SoftOptions::default() })?;
    Ok(settings.isa.unwrap_or_else(Isa::detect))
}

fn soft_settings(options: &SoftOptions) -> Result<stillframe_soft::Options, RenderError> {
    let mut settings = stillframe_soft::Options::from_env().map_err(|error| RenderError::Adapter(error.to_string()))?;
    if options.threads != 0 {
        settings.threads = options.threads;
    }
    if options.isa.is_some() {
        settings.isa = options.isa;
    }
    settings.last_first = options.last_first;
    Ok(settings)
}

fn soft_adapter(options: &SoftOptions) -> Result<wgpu::Adapter, RenderError> {
    let settings = soft_settings(options)?;
    let instance = stillframe_soft::instance(&settings);
    pollster::block_on(instance.request_adapter(&wgpu::RequestAdapterOptions::default()))
        .map_err(|error| RenderError::Adapter(error.to_string()))
}

fn native_adapter(part: Option<&str>) -> Result<wgpu::Adapter, RenderError> {
    let found = native_adapters();
    let names: Vec<String> = found.iter().map(|adapter| adapter.get_info().name).collect();
    let wanted = part.unwrap_or("").to_lowercase();
    found.into_iter().find(|adapter| adapter.get_info().name.to_lowercase().contains(&wanted)).ok_or_else(|| {
        let known = if names.is_empty() { "there is none".to_string() } else { names.join(", ") };
        RenderError::Adapter(match part {
            Some(part) => format!("no native adapter has {part:?} in its name (known: {known})"),
            None => "no native adapter".to_string(),
        })
    })
}

/// The software adapter's form of a shader text.
pub(super) fn program_text(text: &str) -> String {
    stillframe_soft::listing(text).unwrap_or_else(|error| error.to_string())
}
