#![doc = include_str!("../README.md")]
//!
//! # For maintainers
//!
//! In: wgpu calls, through an out-of-tree `wgpu_hal::Api`. Out: texels and buffers. Never here: a window, a clock, the
//! platform's maths library, state shared between instances.
//!
//! The chain, one folder a link: `hal` (wgpu's calls become plain data) -> `store` (buffers, textures) -> `work` (a
//! resolved pass) -> `engine` (fast path or oracle) -> `program` (naga IR lowered to a flat program) -> `raster`
//! and `dispatch` (a pass becomes tiles and lanes) -> `exec` and `sample` (lanes run the program) -> texels. `plain`
//! executes the same `work` slowly and obviously, and shares no code with `program`, `exec`, `sample` and `raster`: it
//! is the oracle.

use std::fmt;
use std::sync::Arc;

#[doc(hidden)]
pub use exec::bench;
pub use stillframe_base::lanes::Isa;
pub use wgpu;
pub(crate) use wgpu::rwh;

pub use probe::{Probe, ProbeError, Value, listing, probe};
pub use store::format::EVERY_FORMAT;

mod dispatch;
mod engine;
mod exec;
mod hal;
mod plain;
mod probe;
mod program;
mod raster;
mod sample;
mod store;
mod work;

/// Changes whenever any output bit may change. Part of the adapter's `driver_info`; references record it.
pub const PIXEL_CONTRACT: u32 = 1;

/// How the adapter runs. No choice here changes a pixel.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Options {
    /// Worker threads; 0 takes every core.
    pub threads: usize,
    /// Instruction set of the kernels; `None` takes the best that this machine has.
    pub isa: Option<Isa>,
    /// Program steps that one block of lanes may take before the device is lost: the end of loops without end.
    pub step_budget: u64,
    /// Bytes that the buffers and textures of one device may hold together.
    pub memory_limit: u64,
    /// Starts pieces of work in reverse order: tiles, chunks of vertices, workgroups. To see that no result depends on
    /// it.
    pub last_first: bool,
    /// Runs everything on the slow oracle. For tests.
    #[doc(hidden)]
    pub plain: bool,
}

/// Why the environment does not give options.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum OptionsError {
    #[error("STILLFRAME_ISA: {0}")]
    Isa(String),
    #[error("STILLFRAME_THREADS: `{0}` is not a number of threads")]
    Threads(String),
}

impl Options {
    /// The built-in values: every core, the best instruction set, 2^32 steps, 4 GiB.
    pub const DEFAULT: Options =
        Options { threads: 0, isa: None, step_budget: 1 << 32, memory_limit: 4 << 30, last_first: false, plain: false };

    /// `DEFAULT` changed by `STILLFRAME_ISA` and `STILLFRAME_THREADS`: the only place in this crate that reads the
    /// environment.
    ///
    /// Errors: an unknown instruction set, one that this machine lacks, a thread count that is not a number.
    #[expect(clippy::disallowed_methods, reason = "the one place of this crate that reads the environment")]
    pub fn from_env() -> Result<Options, OptionsError> {
        let read = |name| std::env::var_os(name).map(|value| value.to_string_lossy().into_owned());
        Options::from_values(read("STILLFRAME_ISA").as_deref(), read("STILLFRAME_THREADS").as_deref())
    }

    /// As `from_env`, with the values given.
    fn from_values(isa: Option<&str>, threads: Option<&str>) -> Result<Options, OptionsError> {
        let mut options = Options::DEFAULT;
        if let Some(name) = isa.filter(|name| !name.is_empty()) {
            options.isa = Some(
                name.parse().map_err(|error: stillframe_base::lanes::IsaError| OptionsError::Isa(error.to_string()))?,
            );
        }
        if let Some(count) = threads.filter(|count| !count.is_empty()) {
            options.threads = count.parse().map_err(|_| OptionsError::Threads(count.to_owned()))?;
        }
        Ok(options)
    }

    /// Every choice made.
    fn settle(&self) -> hal::Settings {
        let cores = || std::thread::available_parallelism().map_or(1, |count| count.get());
        hal::Settings {
            threads: if self.threads == 0 { cores() } else { self.threads },
            isa: self.isa.unwrap_or_else(Isa::detect),
            step_budget: self.step_budget,
            memory_limit_bytes: self.memory_limit,
            last_first: self.last_first,
            plain: self.plain,
        }
    }
}

impl Default for Options {
    /// `from_env`. Panics where that is an error: a wrong instruction set must never be silently another one.
    fn default() -> Options {
        Options::from_env().unwrap_or_else(|error| panic!("{error}"))
    }
}

/// A wgpu instance with this one adapter. Take the adapter with `request_adapter`.
///
/// Panics if `options.isa` is a level that this machine cannot run.
#[expect(unsafe_code, reason = "from_hal trusts its caller")]
pub fn instance(options: &Options) -> wgpu::Instance {
    let settings = options.settle();
    assert!(settings.isa.is_available(), "this machine cannot run `{}`", settings.isa);
    let instance = hal::Instance { settings: Arc::new(settings) };
    // SAFETY: `from_hal` asks for an instance made by the backend itself; this one is, and nothing else holds it.
    unsafe { wgpu::Instance::from_hal::<hal::Api>(instance) }
}

/// What a device holds and held.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Stats {
    /// Bytes of buffers and textures now.
    pub used_bytes: u64,
    /// The most bytes of buffers and textures at any time.
    pub peak_bytes: u64,
}

/// Memory of a device's buffers and textures. `None` for a device of another adapter.
pub fn stats(device: &wgpu::Device) -> Option<Stats> {
    with_shared(device, |shared| {
        let (used_bytes, peak_bytes) = shared.ledger.used_and_peak_bytes();
        Stats { used_bytes, peak_bytes }
    })
}

/// Why the device was lost, with the shader's name: wgpu's own message cannot carry it. `None` while all is well.
pub fn fault(device: &wgpu::Device) -> Option<String> {
    with_shared(device, |shared| shared.fault().map(|fault| fault.to_string())).flatten()
}

/// Shows the texels of one layer of a level where they lie, without a copy: rows one after the other without padding,
/// as everything submitted so far has left them. Only colours and depth of one sample; `see` must not use the device.
///
/// `false`: the texture is another adapter's, has several samples, or has no such level or layer; nothing was shown.
pub fn show_texels(
    device: &wgpu::Device,
    texture: &wgpu::Texture,
    level: u32,
    layer: u32,
    see: &mut dyn FnMut(&[u8]),
) -> bool {
    let shown = with_shared(device, |shared| {
        let texture = texture_of(texture)?;
        let layout = texture.levels.get(level as usize)?;
        if texture.sample_count != 1 || layer >= layout.depth_or_layers {
            return None;
        }
        let offset_bytes = layout.offset_bytes + layer as usize * layout.layer_bytes;
        shared.exclusive(|| texture.memory.show(offset_bytes, layout.layer_bytes, see));
        Some(())
    });
    shown.flatten().is_some()
}

#[expect(unsafe_code, reason = "as_hal trusts its caller")]
fn texture_of(texture: &wgpu::Texture) -> Option<Arc<store::Texture>> {
    // SAFETY: `as_hal` asks that the handle is not destroyed by hand; it is only read.
    let texture = unsafe { texture.as_hal::<hal::Api>() }?;
    Some(texture.0.clone())
}

#[expect(unsafe_code, reason = "as_hal trusts its caller")]
fn with_shared<T>(device: &wgpu::Device, read: impl FnOnce(&hal::Shared) -> T) -> Option<T> {
    // SAFETY: `as_hal` asks that the handle is not destroyed by hand; it is only read.
    let device = unsafe { device.as_hal::<hal::Api>() }?;
    Some(read(&device.shared))
}

impl fmt::Display for Stats {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} bytes now, {} at most", self.used_bytes, self.peak_bytes)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn values_become_options_or_errors() {
        let threads = |n| Options { threads: n, ..Options::DEFAULT };
        assert_eq!(Options::from_values(None, None), Ok(Options::DEFAULT));
        assert_eq!(Options::from_values(Some(""), Some("3")), Ok(threads(3)));
        let scalar = Options { isa: Some(Isa::Scalar), ..Options::DEFAULT };
        assert_eq!(Options::from_values(Some("scalar"), None), Ok(scalar));
        assert_eq!(Options::from_values(None, Some("many")), Err(OptionsError::Threads("many".to_owned())));
        assert!(matches!(Options::from_values(Some("avx9"), None), Err(OptionsError::Isa(_))));
        for isa in Isa::ALL.into_iter().filter(|isa| !isa.is_available()) {
            assert!(matches!(Options::from_values(Some(isa.name()), None), Err(OptionsError::Isa(_))), "{isa}");
        }
    }
}
