//! Hal: wgpu's calls become plain data.
//!
//! In: calls of wgpu-core, which has validated them and keeps what they name alive. Out: `work` for the executors,
//! copies for `store`. Never here: pixels, lanes, shader arithmetic, waiting (a submission is done when `submit`
//! returns).
//!
//! Shaped by the traits of wgpu-hal 30; wgpu-core reaches them through `wgpu::Instance::from_hal`.

// The traits' methods are unsafe to call, and ask their caller (wgpu-core) for validated arguments; these bodies add no
// unsafe operation of their own but in `binding`, which says so.
#![expect(unsafe_code, reason = "the traits of wgpu-hal have unsafe methods")]

mod adapter;
mod binding;
mod capabilities;
mod command;
mod device;
mod encoder;
mod pipeline;
mod queue;
mod resource;

pub use adapter::{Adapter, Instance, Settings};
pub use device::{Device, Shared};
use resource::Never;
use wgpu_hal as hal;

/// The marker that ties the types of this folder together.
#[derive(Clone, Debug)]
pub struct Api;

impl hal::Api for Api {
    // wgpu-core treats the backend named Noop like any other; nothing else is named so in a program that has this one.
    const VARIANT: wgpu_types::Backend = wgpu_types::Backend::Noop;

    type Instance = Instance;
    type Surface = Never;
    type Adapter = Adapter;
    type Device = Device;

    type Queue = queue::Queue;
    type CommandEncoder = encoder::Encoder;
    type CommandBuffer = command::CommandBuffer;

    type Buffer = resource::Buffer;
    type Texture = resource::Texture;
    type SurfaceTexture = Never;
    type TextureView = resource::TextureView;
    type Sampler = resource::Sampler;
    type QuerySet = resource::QuerySet;
    type Fence = resource::Fence;

    type BindGroupLayout = resource::BindGroupLayout;
    type BindGroup = resource::BindGroup;
    type PipelineLayout = resource::PipelineLayout;
    type ShaderModule = resource::ShaderModule;
    type RenderPipeline = resource::RenderPipeline;
    type ComputePipeline = resource::ComputePipeline;
    type RayTracingPipeline = Never;
    type PipelineCache = Never;

    type AccelerationStructure = Never;
}
