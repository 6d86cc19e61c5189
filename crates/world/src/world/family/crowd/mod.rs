//! Crowds: figures of one model, placed by chance from a seed; what each plays is a function of the moment.
//!
//! In: crowds of a scene, the clips of their models. Out: items, each with its place in frames that are baked once.
//! Never here: bending, which vertex shaders do; other families.

mod bake;
mod emit;
mod flat;
mod load;
mod script;

use std::fmt::Write;

use stillframe_anim::crowd::CrowdReport;

pub use bake::{BakedModel, NodePart, Unbaked, bake, bake_vertices, bend_of};
pub use flat::with_normals;
pub use load::wears;

use super::super::clips::Finder;
use super::super::place::Emitter;
use super::super::proportion::ShapedModels;
use crate::scene::Scene;

/// What crowds wear.
#[derive(Debug)]
pub struct Crowds {
    /// By crowd: its model, then those of its levels of detail.
    baked: Vec<Vec<BakedModel>>,
}

impl Crowds {
    /// What is wrong is noted by `finder`.
    pub fn load(finder: &mut Finder<'_>, shaped: &ShapedModels) -> Crowds {
        Crowds { baked: load::baked(finder, shaped) }
    }

    /// Figures of all crowds.
    pub fn emit(&self, emitter: &mut Emitter<'_>) {
        for (crowd, baked) in emitter.at.scene.crowds.iter().zip(&self.baked) {
            emit::emit(emitter, crowd, baked);
        }
    }

    /// What baking has cost, as text.
    pub fn dump(&self, scene: &Scene) -> String {
        let mut out = String::new();
        for (crowd, baked) in scene.crowds.iter().zip(&self.baked) {
            let _ = writeln!(out, "crowd {:?} of {}", crowd.name, crowd.count);
            for report in baked.iter().flat_map(|model| crowd.clips.iter().zip(&model.reports)) {
                let (clip, CrowdReport { frame_count, bytes, error_max_m, error_rms_m, jump_count, .. }) = report;
                let (max_mm, rms_mm) = (error_max_m * 1e3, error_rms_m * 1e3);
                let _ = write!(
                    out,
                    "  {clip}: {frame_count} frames, {bytes} bytes, at most {max_mm:.3} mm off, {rms_mm:.3} mm rms"
                );
                if *jump_count > 0 {
                    let _ = write!(out, ", but in {jump_count} jumps that take a frame each");
                }
                out.push('\n');
            }
        }
        out
    }
}
