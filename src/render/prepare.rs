//! Prepare: everything about a picture that needs no device.

use std::collections::BTreeSet;

use super::bend::Skinning;
use super::capture::Capture;
use super::object::{Objects, objects};
use super::shadow::{Maps, maps};
use super::sky::{Around, around};
use super::uploads::Uploads;
use crate::asset::{Image, Store};
use crate::fault::RenderFault;
use crate::frame::{Colour, CubeRequest, Part, Plan, Request, plan};
use crate::material::{Key, Switches, emit};
use crate::scene::{Aov, Background, Environment, Output, Tonemap};
use crate::shader::{self, Curve};
use crate::view::Shot;

/// What is to be pictured.
#[derive(Clone, Copy, Debug)]
pub struct Job<'a> {
    pub shot: &'a Shot,
    pub store: &'a Store,
    pub environment: &'a Environment,
    /// The picture of an environment file.
    pub environment_map: Option<&'a Image>,
    pub output: &'a Output,
    /// Texture levels above this are not used.
    pub max_mip: Option<u32>,
    pub colour: Option<Colour>,
    /// Any of depth, normal, albedo, id.
    pub aov: bool,
    pub motion: bool,
    /// What passes leave for each other and is wanted, too.
    pub between: &'a [Aov],
    /// Who bends vertices.
    pub skinning: Skinning,
    /// How closely the passes are looked at.
    pub capture: Capture,
    /// A mistake that is planted.
    pub fault: &'a RenderFault,
}

/// A job thought through.
#[derive(Clone, Debug, PartialEq)]
pub struct Prepared {
    pub plan: Plan,
    pub(super) maps: Maps,
    pub(super) around: Option<Around>,
    pub(super) objects: Objects,
    pub(super) switches: Switches,
    cubes: Option<CubeRequest>,
    /// Lights without shadows because too many others have some.
    pub shadows_left_out: u32,
}

impl Prepared {
    /// Whether light from around comes out of cubes that an earlier picture has made.
    pub fn uses_earlier_cubes(&self) -> bool {
        self.switches.environment && self.plan.target("specular").is_none()
    }

    /// The target, and the part of it, that holds what was asked for.
    pub fn place(&self, aov: Aov) -> (&'static str, Part) {
        place(aov, &self.maps, self.cubes).expect("looked for while preparing")
    }

    pub fn shadow_map_count(&self) -> u32 {
        self.maps.views.len() as u32
    }
}

/// What was asked for is not among what passes leave.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct NotThere {
    pub aov: Aov,
    /// How many there are of its kind.
    pub count: u32,
}

/// Fits shadow maps, sorts draws into batches and makes the plan. What `uploads` holds is not made again, unless it is asked for.
pub fn prepare(job: &Job<'_>, uploads: &Uploads) -> Result<Prepared, NotThere> {
    let wants_colour = job.colour.is_some();
    let lit = |id| !job.store.material(id).unlit;
    let any_lit = job.shot.opaque.iter().chain(&job.shot.blended).any(|item| lit(item.material));
    let maps = if wants_colour && any_lit { maps(job.shot) } else { Maps::default() };
    let around = around(job.environment, job.environment_map);
    let shines = around.as_ref().is_some_and(|around| around.intensity > 0.0) && any_lit && wants_colour;
    let switches =
        Switches { lights: !job.shot.lights.is_empty(), shadows: !maps.views.is_empty(), environment: shines };
    let matrices: Vec<_> = maps.views.iter().map(|view| view.clip_from_world).collect();
    let wants_cubes = job.between.iter().any(|aov| matches!(aov, Aov::Radiance(_) | Aov::Specular(_)));
    let cubes = around.as_ref().filter(|_| shines).map(|around| around.cubes);
    let between = job.between.iter().map(|aov| place(*aov, &maps, cubes)).collect::<Result<_, _>>()?;
    let request = Request {
        width_px: job.output.width_px,
        height_px: job.output.height_px,
        samples: job.output.samples,
        colour: job.colour,
        aov: job.aov,
        motion: job.motion,
        cubes_made: !wants_cubes && around.as_ref().is_some_and(|around| uploads.has_cubes_of(around)),
        cubes,
        sun_maps: (maps.sun_layers, maps.sun_size),
        local_maps: (maps.local_layers, maps.local_size),
        between,
    };
    Ok(Prepared {
        plan: plan(&request),
        objects: objects((job.shot, job.store), (switches, job.skinning), &matrices, job.motion),
        shadows_left_out: maps.left_out,
        maps,
        around,
        switches,
        cubes,
    })
}

/// The target, and the part of it, that holds what is wanted.
fn place(aov: Aov, maps: &Maps, cubes: Option<CubeRequest>) -> Result<(&'static str, Part), NotThere> {
    let (suns, all) = (maps.sun_layers, maps.sun_layers + maps.local_layers);
    let map = |name, layer| (name, Part { level: 0, first_layer: layer, layers: 1 });
    let faces = |name, level| (name, Part { level, first_layer: 0, layers: 6 });
    let there = |number: u32, count: u32| if number < count { Ok(()) } else { Err(NotThere { aov, count }) };
    Ok(match aov {
        Aov::Color => ("encoded", Part::WHOLE),
        Aov::Depth | Aov::Normal => ("normal_depth", Part::WHOLE),
        Aov::Albedo | Aov::Id => ("albedo_id", Part::WHOLE),
        Aov::Motion => ("motion", Part::WHOLE),
        Aov::Linear => ("linear", Part::WHOLE),
        Aov::Shadow(number) => {
            there(number, all)?;
            if number < suns { map("sun_maps", number) } else { map("local_maps", number - suns) }
        }
        Aov::Radiance(level) => {
            there(level, cubes.map_or(0, |cubes| cubes.size.ilog2() + 1))?;
            faces("radiance", level)
        }
        Aov::Specular(level) => {
            there(level, cubes.map_or(0, |cubes| cubes.levels))?;
            faces("specular", level)
        }
    })
}

/// The tone map a scene asks for.
pub(super) fn curve(tonemap: Tonemap) -> Curve {
    match tonemap {
        Tonemap::Agx => Curve::Agx,
        Tonemap::Aces => Curve::Aces,
        Tonemap::Neutral => Curve::Neutral,
        Tonemap::None => Curve::None,
    }
}

/// Keys of all materials' pipelines, in order.
pub fn keys(job: &Job<'_>, prepared: &Prepared) -> BTreeSet<Key> {
    let objects = &prepared.objects;
    let mut out = BTreeSet::new();
    if job.colour.is_some() {
        out.extend(objects.lit_opaque.iter().chain(&objects.lit_blended).map(|batch| batch.key));
        out.extend(objects.casters.iter().flatten().map(|batch| batch.key));
    }
    if job.aov {
        out.extend(objects.aov.iter().map(|batch| batch.key));
    }
    out.extend(objects.motion.iter().map(|batch| batch.key));
    out
}

/// Every shader text the job needs, with its name.
pub fn texts(job: &Job<'_>, prepared: &Prepared) -> Vec<(String, String)> {
    let mut out: Vec<(String, String)> = keys(job, prepared).iter().map(|key| (key.to_string(), emit(key))).collect();
    let around = prepared.around.as_ref();
    if let Some(around) = around.filter(|_| prepared.switches.environment) {
        out.push(("fill".to_string(), shader::fill(around.radiance)));
        out.push(("halve".to_string(), shader::halve()));
        out.push(("harmonics".to_string(), shader::harmonics()));
        out.push(("prefilter".to_string(), shader::prefilter()));
    }
    if job.colour.is_some() {
        if let Some(around) = around.filter(|_| job.output.background == Background::Environment) {
            out.push(("background".to_string(), shader::background(around.radiance)));
        }
        out.push(("encode".to_string(), shader::encode(curve(job.output.tonemap))));
    }
    out
}

/// The software adapter's form of every shader the job needs, with its name.
pub fn programs(job: &Job<'_>, prepared: &Prepared) -> Vec<(String, String)> {
    let listed = |(name, text): (String, String)| {
        let program = super::adapter::program_text(&text);
        (name, program)
    };
    texts(job, prepared).into_iter().map(listed).collect()
}
