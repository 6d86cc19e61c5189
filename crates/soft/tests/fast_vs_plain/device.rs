//! Devices: the oracle, and the fast path at every instruction set of this machine.

use pollster::block_on;
use stillframe_soft::{Isa, Options, wgpu};

/// One way to run a case.
pub struct Gpu {
    pub device: wgpu::Device,
    pub queue: wgpu::Queue,
}

/// What a case leaves behind: named runs of words.
pub type Outcome = Result<Vec<(String, Vec<u32>)>, String>;

impl Gpu {
    pub fn new(options: &Options) -> Gpu {
        let instance = stillframe_soft::instance(options);
        let adapter = block_on(instance.request_adapter(&Default::default())).expect("the adapter is always there");
        let everything = wgpu::DeviceDescriptor {
            required_features: adapter.features(),
            required_limits: adapter.limits(),
            ..Default::default()
        };
        let (device, queue) = block_on(adapter.request_device(&everything)).expect("a device");
        Gpu { device, queue }
    }

    pub fn buffer(&self, words: &[u32], usage: wgpu::BufferUsages) -> wgpu::Buffer {
        let size = 4 * words.len().max(1) as u64;
        let usage = usage | wgpu::BufferUsages::COPY_SRC | wgpu::BufferUsages::COPY_DST;
        let buffer =
            self.device.create_buffer(&wgpu::BufferDescriptor { label: None, size, usage, mapped_at_creation: false });
        let bytes: Vec<u8> = words.iter().flat_map(|w| w.to_le_bytes()).collect();
        self.queue.write_buffer(&buffer, 0, &bytes);
        buffer
    }

    pub fn module(&self, wgsl: &str) -> wgpu::ShaderModule {
        let source = wgpu::ShaderSource::Wgsl(wgsl.into());
        self.device.create_shader_module(wgpu::ShaderModuleDescriptor { label: None, source })
    }

    /// A square to draw to, one sample, to be read back.
    pub fn target(&self, side: u32, format: wgpu::TextureFormat) -> wgpu::Texture {
        self.device.create_texture(&wgpu::TextureDescriptor {
            label: None,
            size: wgpu::Extent3d { width: side, height: side, depth_or_array_layers: 1 },
            mip_level_count: 1,
            sample_count: 1,
            dimension: wgpu::TextureDimension::D2,
            format,
            usage: wgpu::TextureUsages::RENDER_ATTACHMENT | wgpu::TextureUsages::COPY_SRC,
            view_formats: &[],
        })
    }

    pub fn read(&self, buffer: &wgpu::Buffer) -> Vec<u32> {
        let size = buffer.size();
        let usage = wgpu::BufferUsages::MAP_READ | wgpu::BufferUsages::COPY_DST;
        let staging =
            self.device.create_buffer(&wgpu::BufferDescriptor { label: None, size, usage, mapped_at_creation: false });
        let mut encoder = self.device.create_command_encoder(&Default::default());
        encoder.copy_buffer_to_buffer(buffer, 0, &staging, 0, size);
        self.queue.submit([encoder.finish()]);
        staging.slice(..).map_async(wgpu::MapMode::Read, |result| result.expect("mapped"));
        self.device.poll(wgpu::PollType::wait_indefinitely()).expect("poll");
        let bytes = staging.slice(..).get_mapped_range().expect("mapped").to_vec();
        bytes.chunks_exact(4).map(|b| u32::from_le_bytes(b.try_into().expect("four bytes"))).collect()
    }

    /// Every level, layer and (by copying) texel of a single-sampled colour texture; rows padded as copies ask for.
    pub fn read_texture(&self, texture: &wgpu::Texture) -> Vec<u32> {
        let mut words = vec![];
        let texel_bytes = texture.format().block_copy_size(None).expect("a colour format");
        for mip_level in 0..texture.mip_level_count() {
            let mut size = texture.size().mip_level_size(mip_level, texture.dimension());
            size.width = size.width.max(1);
            let row_bytes = (size.width * texel_bytes).next_multiple_of(256);
            let bytes = row_bytes as u64 * size.height as u64 * size.depth_or_array_layers as u64;
            let buffer = self.buffer(&vec![0; bytes as usize / 4], wgpu::BufferUsages::empty());
            let mut encoder = self.device.create_command_encoder(&Default::default());
            encoder.copy_texture_to_buffer(
                wgpu::TexelCopyTextureInfo { mip_level, ..texture.as_image_copy() },
                wgpu::TexelCopyBufferInfo {
                    buffer: &buffer,
                    layout: wgpu::TexelCopyBufferLayout {
                        offset: 0,
                        bytes_per_row: Some(row_bytes),
                        rows_per_image: Some(size.height),
                    },
                },
                size,
            );
            self.queue.submit([encoder.finish()]);
            words.extend(self.read(&buffer));
        }
        words
    }

    /// Runs `f`; a validation error or a lost device is the answer instead of what it gives.
    pub fn checked(&self, f: impl FnOnce() -> Vec<(String, Vec<u32>)>) -> Outcome {
        let scope = self.device.push_error_scope(wgpu::ErrorFilter::Validation);
        let results = f();
        if let Some(error) = block_on(scope.pop()) {
            return Err(error.to_string());
        }
        match stillframe_soft::fault(&self.device) {
            Some(fault) => Err(fault),
            None => Ok(results),
        }
    }
}

/// What the adapter offers.
pub fn features() -> wgpu::Features {
    static FEATURES: std::sync::LazyLock<wgpu::Features> = std::sync::LazyLock::new(|| {
        let instance = stillframe_soft::instance(&Options::DEFAULT);
        block_on(instance.request_adapter(&Default::default())).expect("the adapter is always there").features()
    });
    *FEATURES
}

fn options(plain: bool, isa: Option<Isa>, threads: usize) -> Options {
    Options { threads, isa, plain, step_budget: 1 << 24, ..Options::DEFAULT }
}

/// Runs a case everywhere. The oracle's answer if all agree; what differs otherwise. `Err(Ok(_))`: not a case at all.
pub fn everywhere(run: impl Fn(&Gpu) -> Outcome) -> Result<Vec<(String, Vec<u32>)>, Verdict> {
    let oracle = match quietly(|| run(&Gpu::new(&options(true, None, 1)))) {
        Ok(oracle) => oracle,
        Err(error) if error.starts_with("panic") => return Err(Verdict::Differs(error)),
        Err(error) => return Err(Verdict::Invalid(error)),
    };
    let mut fast: Vec<(String, Options)> =
        Isa::available().into_iter().map(|isa| (format!("{isa}"), options(false, Some(isa), 1))).collect();
    fast.push(("three threads".into(), options(false, None, 3)));
    for (name, options) in fast {
        let answer = match quietly(|| run(&Gpu::new(&options))) {
            Ok(answer) => answer,
            Err(error) => return Err(Verdict::Differs(format!("{name}: {error}"))),
        };
        if let Some(difference) = difference(&oracle, &answer) {
            return Err(Verdict::Differs(format!("{name}: {difference}")));
        }
    }
    // Working memory is kept from pass to pass: a device that has seen all cases before this one must not remember
    // them.
    thread_local!(static OLD: std::cell::RefCell<Option<Gpu>> = const { std::cell::RefCell::new(None) });
    let old = OLD.take().unwrap_or_else(|| Gpu::new(&options(false, None, 2)));
    let answer = quietly(|| run(&old)).map_err(|error| Verdict::Differs(format!("an old device: {error}")))?;
    OLD.set(Some(old));
    match difference(&oracle, &answer) {
        Some(difference) => Err(Verdict::Differs(format!("an old device: {difference}"))),
        None => Ok(oracle),
    }
}

/// Runs `f`; a panic becomes an error and prints nothing, so that shrinking stays readable.
fn quietly(f: impl FnOnce() -> Outcome) -> Outcome {
    static HOOK: std::sync::Once = std::sync::Once::new();
    thread_local!(static QUIET: std::cell::Cell<bool> = const { std::cell::Cell::new(false) });
    HOOK.call_once(|| {
        let loud = std::panic::take_hook();
        std::panic::set_hook(Box::new(move |info| {
            if !QUIET.get() {
                loud(info);
            }
        }));
    });
    QUIET.set(true);
    let outcome = std::panic::catch_unwind(std::panic::AssertUnwindSafe(f));
    QUIET.set(false);
    outcome.unwrap_or_else(|panic| {
        let text = panic.downcast_ref::<String>().cloned();
        let text = text.or_else(|| panic.downcast_ref::<&str>().map(|s| s.to_string()));
        Err(format!("panic: {}", text.unwrap_or_default()))
    })
}

/// Why a case did not pass.
#[derive(Debug)]
pub enum Verdict {
    /// wgpu refuses it: the generator went too far.
    Invalid(String),
    Differs(String),
}

fn difference(want: &[(String, Vec<u32>)], got: &[(String, Vec<u32>)]) -> Option<String> {
    for ((name, want), (_, got)) in want.iter().zip(got) {
        if want.len() != got.len() {
            return Some(format!("{name}: {} words, plain {}", got.len(), want.len()));
        }
        let wrong: Vec<usize> = (0..want.len()).filter(|&i| want[i] != got[i]).collect();
        if let Some(&first) = wrong.first() {
            let show = |i: usize| {
                let float = |bits| f32::from_bits(bits);
                format!("[{i}] {:#010x} ({:?}), plain {:#010x} ({:?})", got[i], float(got[i]), want[i], float(want[i]))
            };
            let more: Vec<String> = wrong.iter().skip(1).take(3).map(|&i| show(i)).collect();
            return Some(format!("{name}: {} words differ: {}; {}", wrong.len(), show(first), more.join("; ")));
        }
    }
    None
}
