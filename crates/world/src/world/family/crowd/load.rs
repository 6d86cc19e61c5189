//! Loading: what each crowd wears is baked.

use std::path::Path;

use super::bake::{self, BakedModel, Unbaked};
use crate::scene::{Crowd, CrowdBaking, Owner, Scene};
use crate::source::Diagnostic;
use crate::world::clips::{Finder, Wanted};
use crate::world::code;
use crate::world::proportion::ShapedModels;

/// Whether figures of a crowd are made of a model's file.
pub fn wears(scene: &Scene, file: &Path) -> bool {
    let is = |number: usize| scene.models[number].file == file;
    let wears = |crowd: &Crowd| is(crowd.model) || crowd.lods.iter().filter_map(|lod| lod.model).any(is);
    scene.crowds.iter().any(wears)
}

/// By crowd of the scene: what its model wears, then those of its levels of detail. What is wrong is noted by `finder`.
pub fn baked(finder: &mut Finder<'_>, shaped: &ShapedModels) -> Vec<Vec<BakedModel>> {
    let crowds = finder.scene.crowds.iter();
    crowds.filter_map(|crowd| baked_crowd(finder, shaped, crowd)).collect()
}

fn baked_crowd(finder: &mut Finder<'_>, shaped: &ShapedModels, crowd: &Crowd) -> Option<Vec<BakedModel>> {
    let lods = crowd.lods.iter().filter_map(|lod| lod.model);
    std::iter::once(crowd.model).chain(lods).map(|model| baked_model(finder, shaped, crowd, model)).collect()
}

fn baked_model(finder: &mut Finder<'_>, shaped: &ShapedModels, crowd: &Crowd, number: usize) -> Option<BakedModel> {
    let (file, model) = finder.model(number)?;
    let model = shaped.at_start(number).unwrap_or(model);
    let rig = finder.rig(file, model)?;
    let owner = Owner { kind: "crowd", name: &crowd.name };
    let mut find = |name: &String| {
        let wanted = Wanted { owner, model: number, home: crowd.model, name };
        finder.find(&wanted).map(|found| found.part)
    };
    let clips: Option<Vec<_>> = crowd.clips.iter().map(&mut find).collect();
    let root = finder.root(owner, crowd.root_motion.as_ref(), file, model, &rig)?;
    let baked = match crowd.baking {
        CrowdBaking::Joints => bake::bake(model, &rig, (&clips?, root), crowd.error_mm),
        CrowdBaking::Vertices => bake::bake_vertices(model, &rig, (&clips?, root), crowd.error_mm),
    };
    match baked {
        Ok(baked) => Some(baked),
        Err(Unbaked { words, help }) => {
            let complaint = Diagnostic::error(code::CROWD, file, format!("{owner}: {words}"));
            let complaint = Diagnostic { help: help.or(complaint.help.clone()), ..complaint };
            finder.errors.push(finder.scene.written.at(owner, &["model"], "", complaint));
            None
        }
    }
}
