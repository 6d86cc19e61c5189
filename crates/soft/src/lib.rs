//! `stillframe-soft`: a wgpu adapter in pure Rust. The same program gives the same bits on every machine, with every
//! thread count and at every vector width; there is no driver, no GPU and no system package behind it.
//!
//! ```no_run
//! let instance = stillframe_soft::instance(&Default::default());
//! let adapter = pollster::block_on(instance.request_adapter(&Default::default()))?;
//! # Ok::<(), wgpu::RequestAdapterError>(())
//! ```
//!
//! What goes in: wgpu calls, through an out-of-tree `wgpu_hal::Api`. What comes out: texels and buffers. What is never
//! here: a window, a clock, the platform's maths library, state shared between instances.
//!
//! The chain, one folder a link:
//! `hal` (wgpu's calls become plain data) -> `store` (buffers, textures) -> `work` (a resolved pass: the data between
//! the front and the back) -> `program` (naga IR lowered to a flat program) -> `raster` and `dispatch` (a pass becomes
//! tiles and lanes) -> `exec` and `sample` (lanes run the program) -> texels. `plain` executes the same `work` slowly and
//! obviously, and shares no code with `program`, `exec`, `sample` and `raster`: it is the oracle.

pub use wgpu;

mod dispatch;
mod exec;
mod plain;
mod program;
mod raster;
mod sample;
mod store;
mod work;
