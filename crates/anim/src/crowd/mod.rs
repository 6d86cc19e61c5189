//! Crowd: many actors of one model, posed from clips that were baked into textures.
//!
//! In: a skeleton and clips, or any moving vertices; actors with a place, two tracks and a fade; a moment. Out: texels,
//! tables and errors ([`BakedBones`], [`BakedVertices`]), palettes ([`SampleCrowd`]), the actors that a camera sees
//! ([`CullCrowd`]). Never here: wgpu, files, scenes.
//!
//! # What a shader computes
//!
//! The jobs here and a shader give the same bits if it keeps this order. All operations are those of f32 or wrapping
//! u32; none is fused. For each clip the host passes `first_texel`, `segment_count`, `first_range` ([`BakedClip`]) and
//! `clip_phase` (of this moment, [`clip_phase`]). For an actor's track, joint `j` and row `r` of its matrix (0 to 2):
//!
//! ```text
//! phase  = track.phase + clip_phase * u32(track.speed)                      // u32, wraps
//! fixed  = (phase >> 16) * segment_count + (((phase & 0xffff) * segment_count) >> 16)
//! along  = f32(fixed & 0xffff) * (1.0 / 65536.0)
//! i      = first_texel + (fixed >> 16) * frame_texels + 3 * j + r           // the frame; the next one is frame_texels further on
//! a, b   = load(i), load(i + frame_texels)     with load(i) = textureLoad(t, vec2(i % width, i / width), 0)
//! v      = a + (b - a) * along                                              // texels of f32
//! v      = min + step * (f32(a) + (f32(b) - f32(a)) * along)                // of u16
//!          k = first_range + 3 * j + r;  min = load_range(k), step = load_range(k + frame_texels)
//! row    = v of track 0 where fade == 0, else v0 + (v1 - v0) * fade
//! ```
//!
//! Shares of shapes lie behind the joints, four a texel, and are such rows, too. Frames of baked vertices have two
//! texels a vertex, position and normal: `2 * j` in place of `3 * j`. Texels are read by number, never filtered, so
//! that what lies next to a clip does not matter.
//!
//! # Time
//!
//! A phase is a part of a loop in 2^-32. [`clip_phase`] is computed from the ticks that have passed, anew for every
//! picture, so that nothing adds up: it repeats after [`SPEED_ONE`] loops, exactly, for as long as ticks last. Pictures
//! can be made in any order.
//!
//! Source: Stillframe's specification of crowds, 11. Changed there: neighbouring columns are interpolated, always; rows
//! are matrices, not translation, rotation and scale; blending two clips blends matrices, which shrinks limbs between
//! poses that differ much.

mod actor;
mod bake;
mod bones;
mod bounds;
mod cull;
mod error;
mod frames;
mod place;
mod sample;
mod travel;
mod vertices;

pub use actor::{Actor, SPEED_ONE, Track, clip_phase, fade_at, frame_of_phase, phase_once};
pub use bake::{CrowdBaking, CrowdReport, FRAMES_MAX};
pub use bones::{BakedBones, CrowdClip, CrowdRig, MovingShapes, VIRTUAL_VERTICES_M, affine_of};
pub use bounds::{clip_bounds, joint_boxes, number_bounds};
pub use cull::{CullCrowd, Visible, lod_of};
pub use error::CrowdError;
pub use frames::{BakedClip, BakedFrames, Storage, Texels, TextureLimits};
pub use place::{grid, scatter};
pub use sample::SampleCrowd;
pub use travel::travel_between;
pub use vertices::{BakedVertices, MovingVertices};
