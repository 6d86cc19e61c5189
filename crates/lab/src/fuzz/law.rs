//! Laws: what everything after an importer or a resolver relies on, whatever the file was.

use std::path::Path;

use stillframe_base::tick::Tick;

use crate::asset::{AlphaMode, Geometry, Image, Material, PROFILE_COLUMNS, PROFILE_ROWS, Profile, Texels};
use crate::bake::{TangentWish, complete};
use crate::import::{Influences, Model, ModelGeometry};
use crate::pose::{self, Playing};
use crate::source::{Diagnostic, Severity};

/// Times that a clip is asked for: the ends of all time, its start and what is around it, half a second.
pub const MOMENTS: [Tick; 6] = [Tick(i64::MIN), Tick(-1), Tick(0), Tick(1), Tick(352_800_000), Tick(i64::MAX)];

/// `Err` with the words unless `holds`.
macro_rules! law {
    ($holds:expr, $($words:tt)+) => {
        if !$holds {
            return Err(format!($($words)+));
        }
    };
}

/// What an imported model promises; it is also baked, bent and posed at moments near and far.
pub fn model(model: &Model) -> Result<(), String> {
    for (index, geometry) in model.geometries.iter().enumerate() {
        bent_geometry(geometry).map_err(|law| format!("geometry {index}: {law}"))?;
        for wish in [TangentWish::Any, TangentWish::Uv(0)] {
            baked(&geometry.surface, wish).map_err(|law| format!("geometry {index}, baked for {wish:?}: {law}"))?;
        }
    }
    for (index, skin) in model.skins.iter().enumerate() {
        law!(!skin.joints.is_empty(), "skin {index} has no joint");
        let good = skin.joints.iter().all(|j| j.node < model.nodes.len() && j.joint_from_mesh.is_finite());
        law!(good, "skin {index}: a joint is not a node, or its matrix not finite");
    }
    nodes(model)?;
    for (index, image) in model.images.iter().enumerate() {
        picture(image).map_err(|law| format!("image {index}: {law}"))?;
    }
    for (index, material) in model.materials.iter().enumerate() {
        self::material(material, model.images.len()).map_err(|law| format!("material {index}: {law}"))?;
    }
    for camera in &model.cameras {
        law!(camera.node < model.nodes.len() && camera.near_m.is_finite(), "camera {:?}: {camera:?}", camera.name);
    }
    for light in &model.lights {
        let good = light.node < model.nodes.len() && light.color.iter().all(|c| c.is_finite());
        law!(good, "light {:?}: {light:?}", light.name);
    }
    for swap in model.variants.iter().flat_map(|variant| &variant.swaps) {
        let has_part = model.nodes.get(swap.node).is_some_and(|node| swap.part < node.parts.len());
        law!(has_part && swap.material < model.materials.len(), "a variant names what is not there: {swap:?}");
    }
    law!(model.warnings.iter().all(|w| w.severity == Severity::Warning), "an error among the warnings");
    for track in model.clips.iter().flat_map(|clip| &clip.layers).flat_map(|layer| &layer.tracks) {
        law!(track.node < model.nodes.len(), "a track moves node {}, which is not there", track.node);
    }
    // Every moment of every clip can be asked for.
    for clip in 0..model.clips.len().min(4) {
        for time in MOMENTS {
            let pose = pose::pose(model, &[Playing { clip, time }]);
            law!(pose.model_from_local.len() == model.nodes.len(), "clip {clip} poses another number of nodes");
        }
    }
    let pose = pose::pose(model, &[]);
    for (index, node) in model.nodes.iter().enumerate() {
        for part in &node.parts {
            if let Some(bent) = pose::bend(model, index, part.geometry, &pose) {
                let stored = model.geometries[part.geometry].surface.positions.len();
                law!(bent.positions.len() == stored, "node {index}: bending changes the number of vertices");
            }
        }
    }
    Ok(())
}

fn nodes(model: &Model) -> Result<(), String> {
    for (index, node) in model.nodes.iter().enumerate() {
        law!(node.parent.is_none_or(|parent| parent < index), "node {index} comes before its parent");
        let known = |part: &crate::import::Part| {
            part.geometry < model.geometries.len() && part.material < model.materials.len()
        };
        law!(node.parts.iter().all(known), "node {index}: a part names what is not there");
        law!(node.skin.is_none_or(|skin| skin < model.skins.len()), "node {index}: its skin is not there");
        if let Some(skin) = node.skin {
            let joint_count = model.skins[skin].joints.len();
            for part in &node.parts {
                let joints = &model.geometries[part.geometry].influences.joints;
                law!(joints.iter().all(|j| (*j as usize) < joint_count), "node {index}: a vertex hangs on no joint");
            }
        }
        for channel in &node.morphs {
            law!(channel.weight.is_finite(), "node {index}: a morph weight is not finite");
        }
    }
    Ok(())
}

fn bent_geometry(geometry: &ModelGeometry) -> Result<(), String> {
    surface(&geometry.surface)?;
    let count = geometry.surface.positions.len();
    influences(&geometry.influences, count)?;
    law!(geometry.sources.is_empty() || geometry.sources.len() == count, "sources of another number of vertices");
    for target in &geometry.targets {
        let moved = target.vertices.len();
        let ascending = target.vertices.windows(2).all(|pair| pair[0] < pair[1]);
        law!(ascending && target.vertices.iter().all(|v| (*v as usize) < count), "a morph target's vertices");
        law!(target.positions.len() == moved, "a morph target's positions");
        law!(
            [target.normals.len(), target.tangents.len()].iter().all(|n| *n == 0 || *n == moved),
            "a target's normals"
        );
        law!(target.positions.iter().flatten().all(|x| x.is_finite()), "a morph target moves to where no number is");
    }
    Ok(())
}

fn influences(influences: &Influences, count: usize) -> Result<(), String> {
    law!(influences.starts.is_empty() || influences.starts.len() == count + 1, "influences of another vertex count");
    law!(influences.starts.is_sorted() && influences.joints.len() == influences.weights.len(), "influences' starts");
    let end = influences.starts.last().map_or(0, |end| *end as usize);
    law!(end == influences.joints.len(), "influences end at {end}, but there are {}", influences.joints.len());
    law!(influences.weights.iter().all(|w| w.is_finite()), "a weight is not finite");
    for pair in influences.starts.windows(2) {
        let weights = &influences.weights[pair[0] as usize..pair[1] as usize];
        law!(weights.is_empty() || weights.iter().sum::<f32>() > 0.0, "a vertex hangs on joints by nothing");
    }
    Ok(())
}

/// Raw geometry: lists of one length, indices in range, finite positions.
pub fn surface(geometry: &Geometry) -> Result<(), String> {
    let count = geometry.positions.len();
    law!(geometry.positions.iter().flatten().all(|x| x.is_finite()), "a position is not finite");
    law!(geometry.indices.len().is_multiple_of(3), "{} corners are not triangles", geometry.indices.len());
    law!(geometry.indices.iter().all(|i| (*i as usize) < count), "a triangle uses a missing vertex");
    for (what, length) in [
        ("normals", geometry.normals.len()),
        ("tangents", geometry.tangents.len()),
        ("uv0", geometry.uv0.len()),
        ("uv1", geometry.uv1.len()),
        ("colors", geometry.colors.len()),
    ] {
        law!(length == 0 || length == count, "{length} {what} for {count} vertices");
    }
    let finite = geometry.normals.iter().flatten().all(|x| x.is_finite())
        && geometry.tangents.iter().flatten().all(|x| x.is_finite())
        && geometry.uv0.iter().chain(&geometry.uv1).flatten().all(|x| x.is_finite())
        && geometry.colors.iter().flatten().all(|x| x.is_finite());
    law!(finite, "an attribute is not finite");
    Ok(())
}

fn baked(geometry: &Geometry, wish: TangentWish) -> Result<(), String> {
    let baked = complete(geometry.clone(), wish).geometry;
    surface(&baked)?;
    let count = baked.positions.len();
    law!(baked.normals.len() == count && baked.tangents.len() == count && baked.uv0.len() == count, "incomplete");
    let unit = |v: &[f32]| (v.iter().map(|x| x * x).sum::<f32>() - 1.0).abs() < 1e-3;
    law!(baked.normals.iter().all(|n| unit(n)), "a normal is not a unit vector");
    law!(baked.tangents.iter().all(|t| unit(&t[..3])), "a tangent is not a unit vector");
    Ok(())
}

fn material(material: &Material, image_count: usize) -> Result<(), String> {
    let numbers = [material.metallic, material.roughness, material.normal_scale, material.occlusion_strength];
    let all = numbers
        .iter()
        .chain(&material.base_color)
        .chain(&material.emissive)
        .chain(&material.reflection.f0)
        .chain([&material.reflection.f90]);
    law!(all.clone().all(|x| x.is_finite()), "{:?}: a value is not finite", material.name);
    if let AlphaMode::Mask { cutoff } = material.alpha_mode {
        law!(cutoff.is_finite(), "{:?}: the cutoff is not finite", material.name);
    }
    for slot in material.textures.values() {
        law!(slot.image.index() < image_count, "{:?}: a texture is not there", material.name);
        let t = &slot.transform;
        law!([t.x, t.y, t.offset].iter().flatten().all(|x| x.is_finite()), "{:?}: a transform", material.name);
    }
    Ok(())
}

/// What holds of every profile of a lamp.
pub fn profile(profile: &Profile) -> Result<(), String> {
    law!([1, PROFILE_COLUMNS as u32].contains(&profile.columns()), "{} columns", profile.columns());
    let are_good = profile.candela.iter().all(|candela| candela.is_finite() && *candela >= 0.0);
    law!(are_good && profile.candela.len().is_multiple_of(PROFILE_ROWS), "candela below 0, or not finite");
    Ok(())
}

/// A decoded picture: as many texels as its sides say, on every level; floats finite.
pub fn picture(image: &Image) -> Result<(), String> {
    law!(image.width_px > 0 && image.height_px > 0, "{} x {} pixels", image.width_px, image.height_px);
    let (mut wide, mut high) = (image.width_px as usize, image.height_px as usize);
    for (level, texels) in std::iter::once(&image.texels).chain(&image.levels).enumerate() {
        let length = match texels {
            Texels::Rgba8(texels) => texels.len(),
            Texels::Rgba16(texels) => texels.len(),
            Texels::Rgba32Float(texels) => {
                law!(texels.iter().all(|x| x.is_finite()), "level {level}: a texel is not finite");
                texels.len()
            }
        };
        law!(length == wide * high * 4, "level {level}: {length} components for {wide} x {high} texels");
        (wide, high) = ((wide / 2).max(1), (high / 2).max(1));
    }
    Ok(())
}

/// Complaints: there are some, errors have codes of errors, and spans are places in the texts that they are about.
/// `text_of` gives the text of a file or argument by its name, where it is one.
pub fn complaints(found: &[Diagnostic], text_of: impl Fn(&Path) -> Option<String>) -> Result<(), String> {
    law!(!found.is_empty(), "a failure without a word");
    for diagnostic in found {
        let (code, message) = (diagnostic.code, &diagnostic.message);
        let letter = if diagnostic.severity == Severity::Error { "E" } else { "W" };
        law!(code.starts_with(letter) && code.len() == 5, "a code {code:?} for a {:?}", diagnostic.severity);
        law!(!message.is_empty() && message.len() < 20_000, "{code}: a message of {} bytes", message.len());
        let Some(span) = &diagnostic.span else { continue };
        law!(span.start <= span.end, "{code} ({message}): a span of {span:?}");
        if let Some(text) = text_of(&diagnostic.file) {
            let inside = text.get(span.clone()).is_some();
            law!(inside, "{code} ({message}): {span:?} is not a place in a text of {} bytes", text.len());
        }
    }
    Ok(())
}
