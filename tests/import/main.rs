//! Import: files become models and worlds as their makers meant them; what is broken becomes a diagnostic.

mod fbx;
mod formats;
mod forms;
mod gltf;
mod laws;
mod stage;
