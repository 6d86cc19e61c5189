//! Prepare: everything about a picture that needs no device.

use std::collections::BTreeSet;

use super::caps::Caps;
use super::chain::{Chain, chain};
use super::job::{Job, Look};
use super::lit::{Lit, lit};
use super::material::material_entries;
use super::object::objects;
use super::pipeline::light_entries;
use super::prepared::{Prepared, Wish};
use super::row::{Declare, Row, row_of};
use super::shade::shades;
use super::sky::{Around, Smoothest, around};
use super::uploads::Uploads;
use crate::fault::StateEdit;
use crate::frame::{Eye, Format, Items, NotThere, Plan, Planner, View, ViewId};
use crate::light::is_by_sight;
use crate::material::{Gbuffer, Key, Variant, emit, graph_name};
use crate::scene::{Background, Environment, EnvironmentSource};
use crate::view::ShotCamera;

/// Fits shadow maps, makes the plan and sorts draws into batches. What `uploads` holds is not made again, unless it is
/// asked for.
///
/// Errors: a layer that no pass of `rows` leaves; more than `caps` allow.
pub fn prepare(job: &Job<'_>, rows: &[Row], caps: &Caps, uploads: &mut Uploads) -> Result<Prepared, Refused> {
    let around = around_of(job, &mut uploads.smoothest);
    let fault = &uploads.shaders.fault;
    let chains: Vec<Chain> = job.looks.iter().map(chain).collect();
    let cameras = job.looks.iter().zip(&chains);
    let lit = cameras.map(|(look, chain)| lit(look, job, (around.as_ref(), chain), caps, fault));
    let lit: Vec<Lit> = lit.collect();
    job.looks.iter().zip(&lit).try_for_each(|(look, lit)| is_of_tiles(look, lit))?;
    let left = uploads.kept.names(around.as_ref(), &lit[0].casts);
    let wish = Wish { job, caps, lit: &lit, chains: &chains, around: around.as_ref(), left: &left };
    let cameras = job.looks.iter().zip(&lit).map(|(look, lit)| View {
        eye: Eye::Camera,
        width_px: look.drawn().size_px[0],
        height_px: look.drawn().size_px[1],
        samples: if lit.is_by_sample(look.output) { 1 } else { look.output.samples_together() },
        mirrored: is_mirrored(&look.shot.camera) && !fault.has(StateEdit::MirrorWinding),
    });
    let mut planner = Planner::new(cameras.collect());
    for row in rows {
        if let Declare::Once(declare) = row.declare {
            declare(&wish, &mut planner);
        }
    }
    for camera in 0..job.looks.len() {
        for row in rows {
            if let Declare::EachCamera(declare) = row.declare {
                declare(&wish, ViewId(camera), &mut planner);
            }
        }
    }
    let layers = job.looks.iter().enumerate();
    let wanted: Vec<(ViewId, &str)> =
        layers.flat_map(|(camera, look)| look.layers.iter().map(move |name| (ViewId(camera), name.as_str()))).collect();
    let plan = planner.finish(&wanted, job.memory.shares).map_err(Refused::NotThere)?;
    fits(&plan, caps)?;
    for [width_px, height_px] in job.looks.iter().filter(|look| look.tile.is_some()).map(Look::size_px) {
        within("pixels in width or height", width_px.max(height_px).into(), caps.picture_px_max.into())?;
    }
    let objects = objects(job, &plan, &lit, (&mut uploads.solids, &mut uploads.smoothest));
    let shades = (0..job.looks.len()).map(|camera| shades(job, &plan, &objects, (ViewId(camera), &lit[camera])));
    let shades = shades.collect();
    if let Some(probes) = job.probes {
        within("layers of cubes of light probes", probes.layers().into(), caps.cube_layers_max.into())?;
    }
    within("bytes of items", size_of_val(&objects.uniforms[..]) as u64, caps.storage_bytes_max)?;
    for batch in objects.lists.iter().flatten() {
        stage_fits(&batch.key, &job.store.material(batch.material).name, caps)?;
    }
    Ok(Prepared { plan, lit, chains, around, objects, shades })
}

/// What is around, as shaders read it.
pub fn around_of(job: &Job<'_>, smoothest: &mut Smoothest) -> Option<Around> {
    let is_seen = job.looks.iter().any(|look| look.output.background == Background::Environment);
    let black = Environment { source: EnvironmentSource::Uniform([0.0; 3]), ..Environment::NONE };
    let is_dark = job.environment.source == EnvironmentSource::None && job.probes.is_some();
    // Outside of the boxes of probes nothing comes from around.
    let environment = if is_dark { &black } else { job.environment };
    around(environment, is_seen, job.environment_map, job.store, smoothest)
}

/// Why a job cannot be drawn.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Refused {
    /// A layer that was asked for.
    NotThere(NotThere),
    /// Something that the device cannot do at all.
    Lacks(&'static str),
    /// More than the device can do.
    TooMuch { what: &'static str, wanted: u64, most: u64 },
    /// What reads other pixels cannot be drawn in tiles.
    NotInTiles { what: &'static str, help: &'static str },
    /// A material reads more textures than one shader can, those of lights and of what is around with them.
    Textures { material: String, keys: Vec<&'static str>, wanted: u32, most: u32 },
}

/// Whether a picture can be drawn in tiles: no pixel may depend on others.
fn is_of_tiles(look: &Look<'_>, lit: &Lit) -> Result<(), Refused> {
    let refused = |what, help| Err(Refused::NotInTiles { what, help });
    match () {
        () if look.tile.is_none() => Ok(()),
        () if look.post.effects.iter().any(|effect| !effect.is_idle()) => refused("effects", "remove `[[effect]]`"),
        () if lit.transmits => refused("surfaces that light goes through", "set `transmission = 0` of their materials"),
        () if lit.scatters => refused("light inside surfaces", "omit `subsurface` of their materials"),
        () if lit.switches.reads_seen() => refused("contact shadows", "omit `contact_m` of the lights' shadows"),
        () if look.shot.lights.iter().any(is_by_sight) => refused(
            "shadows that are fitted to what is seen",
            "choose another `fit` of the lights' shadows, such as `stable`",
        ),
        () if lit.tiles.is_some() => refused(
            "lists of lights for squares of pixels",
            "set `render.lighting` to another method, such as `clustered`",
        ),
        () => Ok(()),
    }
}

fn within(what: &'static str, wanted: u64, most: u64) -> Result<(), Refused> {
    if wanted <= most { Ok(()) } else { Err(Refused::TooMuch { what, wanted, most }) }
}

/// Whether one shader can read all that a key needs.
fn stage_fits(key: &Key, material: &str, caps: &Caps) -> Result<(), Refused> {
    let entries = || material_entries(key).into_iter().chain(light_entries(key.switches));
    let count = |is: fn(&wgpu::BindingType) -> bool| entries().filter(|(_, _, ty)| is(ty)).count() as u32;
    let textures = count(|ty| matches!(ty, wgpu::BindingType::Texture { .. }));
    let samplers = count(|ty| matches!(ty, wgpu::BindingType::Sampler(_)));
    for (wanted, most) in [(textures, caps.sampled_textures_max), (samplers, caps.samplers_max)] {
        if wanted > most {
            let keys = key.inputs.textures.iter().map(|slot| slot.row().key).collect();
            return Err(Refused::Textures { material: material.to_string(), keys, wanted, most });
        }
    }
    Ok(())
}

/// Whether a device can hold the targets of a plan and draw into them.
fn fits(plan: &Plan, caps: &Caps) -> Result<(), Refused> {
    for (_, target) in plan.used().filter(|(_, target)| target.format.is_some()) {
        within("pixels in width or height", target.width_px.max(target.height_px).into(), caps.texture_px_max.into())?;
        within("layers of a texture", target.layers.into(), caps.layers_max.into())?;
    }
    for pass in &plan.passes {
        let bytes = plan.colors(pass).into_iter().map(Format::attached_bytes).sum();
        within("bytes a pixel of all pictures that a pass draws into", bytes, caps.attachment_bytes_max.into())?;
    }
    let numbers = plan.drawn().any(|id| plan.lists[id.0].variant == Variant::Store(Gbuffer::Ids));
    if numbers && !caps.counts_triangles {
        return Err(Refused::Lacks("numbers of triangles in shaders"));
    }
    Ok(())
}

/// Whether a camera exchanges left and right.
fn is_mirrored(camera: &ShotCamera) -> bool {
    glam::Mat3::from_mat4(camera.view_from_world).determinant() < 0.0
}

/// Keys of all materials' pipelines, in order.
pub fn keys(prepared: &Prepared) -> BTreeSet<Key> {
    prepared.plan.drawn().flat_map(|id| &prepared.objects.lists[id.0]).map(|batch| batch.key.clone()).collect()
}

/// Names of the materials whose opaque surfaces a method draws forward although it stores others, each once.
pub fn unstored(job: &Job<'_>, prepared: &Prepared) -> BTreeSet<String> {
    let lists = prepared.plan.drawn().filter(|id| matches!(prepared.plan.lists[id.0].items, Items::Left(_)));
    let batches = lists.flat_map(|id| &prepared.objects.lists[id.0]);
    batches.map(|batch| job.store.material(batch.material).name.clone()).collect()
}

/// What nodes of materials compute, each program once, with its name.
pub fn graphs(prepared: &Prepared) -> Vec<(String, String)> {
    let programs: BTreeSet<_> =
        keys(prepared).into_iter().filter_map(|key| Some((key.variant, key.inputs.graph?))).collect();
    let mut out: Vec<(String, String)> = Vec::new();
    for (_, program) in programs {
        let next = (format!("graph {}", graph_name(&program)), program.to_string());
        if !out.contains(&next) {
            out.push(next);
        }
    }
    out
}

/// Every shader text the job needs, each once, with its name.
pub fn texts(job: &Job<'_>, rows: &[Row], prepared: &Prepared) -> Vec<(String, String)> {
    let mut out: Vec<(String, String)> = keys(prepared).iter().map(|key| (key.to_string(), emit(key))).collect();
    for pass in &prepared.plan.passes {
        for text in (row_of(rows, pass).texts)(job, prepared, pass) {
            if !out.contains(&text) {
                out.push(text);
            }
        }
    }
    out
}

/// The software adapter's form of every shader the job needs, with its name.
pub fn programs(job: &Job<'_>, rows: &[Row], prepared: &Prepared) -> Vec<(String, String)> {
    let listed = |(name, text): (String, String)| {
        let program = super::adapter::program_text(&text);
        (name, program)
    };
    texts(job, rows, prepared).into_iter().map(listed).collect()
}
