//! What the scene and the models both name: `source` reads people's files and says what is wrong with them, `asset`
//! holds geometry, images and materials as plain data.
//!
//! In: paths under a root. Out: bytes, text, diagnostics, and the types of what is drawn. Never here: scenes, readers
//! of model files, wgpu.

pub mod asset;
pub mod source;
