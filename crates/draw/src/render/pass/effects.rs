//! Effects: what becomes of the picture after it is drawn and before it is encoded.

use std::ops::Range;

use stillframe_base::tick::Tick;
use stillframe_effects::{Stage, Table, Values};

use super::super::bind::{DEPTH, TEXTURE_RAW, UNIFORM, filled};
use super::super::chain::{Chain, Link, Source};
use super::super::cover::{Cover, cover, cover_lit};
use super::super::frame::Frame;
use super::super::history::{self, Left, StageId};
use super::super::job::{Colour, Job, Look};
use super::super::pipeline::light_entries;
use super::super::prepared::{Prepared, Wish};
use super::super::resources;
use super::super::row::{Declare, Row};
use super::super::stretch::Stretch;
use super::super::texels::Texels;
use super::lights::light_group_of;
use super::scene::{LINEAR, LINEAR_FLOAT};
use super::{drawing, motion, seen};
use crate::frame::{Draw, Format, How, Part, Pass, Planner, Target, TargetId, Use, View, ViewId};
use crate::light;
use crate::material::Switches;
use crate::shader;

pub const ROW: Row = Row { name: "effect", declare: Declare::EachCamera(declare), record, texts };
/// What is drawn before the scene: how much light from around arrives.
pub const OCCLUSION: Row = Row { name: "occlusion", declare: Declare::EachCamera(declare_occlusion), record, texts };

const PICTURE: &str = "effect_picture";
const SHOWN: &str = "effect_shown";
/// The picture that effects are of, in halves where the colour picture is not linear.
fn light(planner: &Planner, camera: ViewId, colour: Colour) -> &'static str {
    let is_half = colour != Colour::Linear32 && planner.find(Some(camera), LINEAR).is_some();
    if is_half { LINEAR } else { LINEAR_FLOAT }
}

/// The picture that is encoded: what effects leave, where they change anything.
pub fn shown(planner: &Planner, camera: ViewId, colour: Colour) -> &'static str {
    planner.find(Some(camera), SHOWN).map_or_else(|| light(planner, camera, colour), |_| SHOWN)
}

fn declare(wish: &Wish<'_>, camera: ViewId, planner: &mut Planner) {
    let Chain { links, shown, occlusion_count, .. } = &wish.chains[camera.0];
    declare_links(wish, camera, planner, (*occlusion_count..links.len(), SHOWN, *shown), ROW.name);
}

fn declare_occlusion(wish: &Wish<'_>, camera: ViewId, planner: &mut Planner) {
    if let Some(last) = wish.chains[camera.0].occlusion_count.checked_sub(1) {
        declare_links(wish, camera, planner, (0..last + 1, seen::OCCLUSIONS, Source::Link(last)), OCCLUSION.name);
    }
}

/// Declares a part of a chain; `named`: what one of its pictures is called.
fn declare_links(
    wish: &Wish<'_>,
    camera: ViewId,
    planner: &mut Planner,
    (part, named, shown): (Range<usize>, &'static str, Source),
    row: &'static str,
) {
    let look = &wish.job.looks[camera.0];
    let format = if wish.caps.draws_f32 { Format::Rgba32Float } else { Format::Rgba16Float };
    let light = light(planner, camera, look.colour);
    let mut targets: Vec<TargetId> = Vec::new();
    for at in part.clone() {
        let link = &wish.chains[camera.0].links[at];
        let (mut uses, mut lights) = (Vec::new(), Vec::new());
        for read in &link.reads {
            match *read {
                Source::Scene => uses.extend(planner.sampled(Some(camera), &[light])),
                Source::Link(at) => {
                    uses.push(Use { target: targets[at - part.start], part: Part::WHOLE, how: How::Sample })
                }
                // They are no targets.
                Source::Table | Source::Before(_) => {}
                Source::Lights => lights = drawing::reads(wish.lit[camera.0].switches.of_air(), camera, planner),
                Source::Motion => {
                    motion::declare(wish, camera, planner);
                    uses.extend(planner.sampled(Some(camera), &[motion::MOTION]));
                }
                Source::Depth => {
                    let target = seen::opaque_depth(planner, camera);
                    uses.push(Use { target, part: Part::WHOLE, how: How::Sample });
                }
            }
        }
        let name = if shown == Source::Link(at) { named } else { PICTURE };
        let halvings = link.stage.as_ref().map_or(0, |(_, stage)| stage.halvings);
        let View { width_px, height_px, .. } = planner.view(camera);
        let size_px = [width_px, height_px].map(|px| (px >> halvings).max(1));
        let size_px = link.stage.as_ref().and_then(|(_, stage)| stage.size_px).unwrap_or(size_px);
        let target = planner.add_step(Target { view: Some(camera), ..Target::texture(name, format, size_px) });
        if let Some(left) = link.left {
            planner.layer(left.layer(), target, Part::WHOLE);
        }
        targets.push(target);
        // Behind those that are pictures of the stage.
        uses.extend(lights);
        uses.push(Use { target, part: Part::WHOLE, how: How::Attach { clear: true, keep: true } });
        planner.pass(row, link.name.clone(), Some(camera), uses, vec![Draw::Screen(ROW.name)]);
    }
}

/// What a pass draws.
fn link_of<'a>(prepared: &'a Prepared, pass: &Pass) -> &'a Link {
    let camera = pass.view.expect("it is a camera's").0;
    let name = pass.name.strip_suffix(&format!(" @{camera}")).unwrap_or(&pass.name);
    prepared.chains[camera].links.iter().find(|link| link.name == name).expect("it is of the chain")
}

fn text(job: &Job<'_>, prepared: &Prepared, pass: &Pass, link: &Link) -> String {
    let camera = pass.view.expect("it is a camera's").0;
    match (&link.stage, lights_of(prepared, pass, link)) {
        (Some((values, stage)), None) => shader::effect(values.effect, stage.function),
        (Some((values, stage)), Some(Switches { kinds, techniques, shadows, .. })) => {
            let techniques = shadows.then_some(techniques);
            let shadows = techniques.map(light::shadow_text).unwrap_or_default();
            let lights = [&light::text(kinds), &shadows, &light::air_text(kinds, techniques)];
            shader::effect_lit(values.effect, stage.function, &lights.map(String::as_str))
        }
        (None, _) => {
            let Look { output, colour, .. } = &job.looks[camera];
            shader::encode(output.tonemap.word(), colour.display().word())
        }
    }
}

/// What a pass reads of lights, if it reads them and there are some.
fn lights_of(prepared: &Prepared, pass: &Pass, link: &Link) -> Option<Switches> {
    let switches = prepared.lit[pass.view.expect("it is a camera's").0].switches.of_air();
    (switches.lights && link.reads.contains(&Source::Lights)).then_some(switches)
}

fn texts(job: &Job<'_>, prepared: &Prepared, pass: &Pass) -> Vec<(String, String)> {
    let link = link_of(prepared, pass);
    let name = match &link.stage {
        Some((values, stage)) => format!("effect {} {}", values.effect.row().name, stage.function),
        None => "develop".to_string(),
    };
    vec![(name, text(job, prepared, pass, link))]
}

fn record(frame: &mut Frame<'_>, encoder: &mut wgpu::CommandEncoder, pass: &Pass, stretch: &Stretch) {
    let link = link_of(frame.prepared, pass);
    let look = &frame.job.looks[pass.view.expect("it is a camera's").0];
    // In the order of what the link reads.
    let read: Vec<wgpu::TextureView> = pass
        .uses
        .iter()
        .filter(|usage| usage.how == How::Sample)
        .map(|usage| frame.texture_of(usage.target).create_view(&Default::default()))
        .collect();
    let text = text(frame.job, frame.prepared, pass, link);
    let uniform = |bytes: &[u8]| filled(frame.device(), ROW.name, wgpu::BufferUsages::UNIFORM, bytes);
    let Some((values, stage)) = &link.stage else {
        let background = uniform(bytemuck::cast_slice(&look.background()));
        let picture = wgpu::BindingResource::TextureView(&read[0]);
        let bound = &[(0, UNIFORM, background.as_entire_binding()), (1, TEXTURE_RAW, picture)];
        let shown = Cover { name: "develop", text, fragment: "develop", bound, over: false };
        return cover(frame, encoder, (pass, stretch), shown);
    };
    let plan = &frame.prepared.plan;
    let drawn = pass.uses.iter().find(|usage| matches!(usage.how, How::Attach { .. })).expect("it draws a picture");
    let size_px = plan.targets[drawn.target.0].part_size(drawn.part);
    let (known, params) = (uniform(&known(look, (link, stage), size_px)), uniform(&params(values)));
    let mut bound = vec![(0, UNIFORM, known.as_entire_binding())];
    if values.effect.row().fields().next().is_some() {
        bound.push((1, UNIFORM, params.as_entire_binding()));
    }
    let mut pictures = 3..;
    let table = values.table.as_ref().map(|table| upload_table(frame, table));
    if let Some(table) = &table {
        bound.push((7, TEXTURE_RAW, wgpu::BindingResource::TextureView(table)));
    }
    let mut read = read.into_iter();
    let reads = link.reads.iter().filter(|source| !matches!(source, Source::Table | Source::Lights));
    let views: Vec<(Source, wgpu::TextureView)> = reads
        .map(|source| match *source {
            Source::Before(id) => (*source, upload_left(frame, look, id)),
            source => (source, read.next().expect("a target that the pass reads")),
        })
        .collect();
    for (source, view) in &views {
        let resource = wgpu::BindingResource::TextureView(view);
        bound.push(match source {
            Source::Depth => (2, DEPTH, resource),
            _ => (pictures.next().expect("endless"), TEXTURE_RAW, resource),
        });
    }
    let name = format!("effect {}", values.effect.row().name);
    let lights = lights_of(frame.prepared, pass, link).map(|switches| {
        let group = light_group_of(frame, pass, switches, &[]).expect("there are lights");
        (frame.layout("lights", &light_entries(switches)), group)
    });
    let shown = Cover { name: &name, text, fragment: "stage", bound: &bound, over: false };
    cover_lit(frame, encoder, (pass, stretch), shown, lights);
}

/// `Frame` of WGSL.
fn known(look: &Look<'_>, (link, stage): (&Link, &Stage), [width_px, height_px]: [u32; 2]) -> Vec<u8> {
    let camera = &look.shot.camera;
    let clip = camera.clip_from_view.to_cols_array_2d();
    let mut out = Vec::new();
    out.extend(bytemuck::cast_slice(&[width_px, height_px]));
    out.extend(bytemuck::cast_slice(&look.size_px().map(|px| px as f32)));
    out.extend(bytemuck::cast_slice(&[look.post.time_s as f32]));
    let tick = Tick::from_seconds(look.post.time_s).0;
    let before = link.reads.iter().find_map(|read| if let Source::Before(id) = read { Some(*id) } else { None });
    let age = before.map_or(1, |id| history::age(look.post.history, id));
    out.extend(bytemuck::cast_slice(&[tick as u32, link.amount.to_bits(), (age as f32).to_bits()]));
    out.extend(bytemuck::cast_slice(&[look.post.frame_s as f32, 0.0, 0.0, 0.0]));
    out.extend(bytemuck::cast_slice(&[clip[2][2], clip[3][2], clip[2][3], clip[3][3]]));
    out.extend(bytemuck::cast_slice(&[1.0 / clip[0][0], 1.0 / clip[1][1], clip[2][0], clip[2][1]]));
    let world_from_view = crate::view::inverse(camera.view_from_world);
    out.extend(bytemuck::cast_slice(&world_from_view.to_cols_array()));
    out.extend(bytemuck::cast_slice(stage.data.as_flattened()));
    out
}

/// Fields of parameters, 16 bytes each.
fn params(values: &Values) -> Vec<u8> {
    let fields: Vec<[f32; 4]> = values.effect.row().fields().map(|(at, _)| values.numbers[at]).collect();
    bytemuck::cast_slice(fields.as_flattened()).to_vec()
}

/// A table as a texture.
fn upload_table(frame: &Frame<'_>, table: &Table) -> wgpu::TextureView {
    let (texels, size_px) = table.texels();
    upload(frame, "table", Format::Rgba32Float, size_px, bytemuck::cast_slice(&texels))
}

/// What was left one frame before, as a texture; black and transparent where there was no frame before.
fn upload_left(frame: &Frame<'_>, look: &Look<'_>, id: StageId) -> wgpu::TextureView {
    match look.post.history.and_then(|history| history.get(&id)) {
        Some(Left { texels, .. }) => {
            let Texels { width_px, height_px, format, ref bytes } = **texels;
            upload(frame, "history", format, [width_px, height_px], bytes)
        }
        None => upload(frame, "history", Format::Rgba32Float, [1; 2], &[0; 16]),
    }
}

fn upload(
    frame: &Frame<'_>,
    name: &'static str,
    format: Format,
    [width, height]: [u32; 2],
    bytes: &[u8],
) -> wgpu::TextureView {
    let target = Target { width_px: width, height_px: height, ..Target::texture(name, format, [0; 2]) };
    let usage = wgpu::TextureUsages::TEXTURE_BINDING | wgpu::TextureUsages::COPY_DST;
    let texture = resources::texture(frame.device(), &target, format, usage);
    let bytes_per_row = Some(bytes.len() as u32 / height);
    let layout = wgpu::TexelCopyBufferLayout { offset: 0, bytes_per_row, rows_per_image: Some(height) };
    let extent = wgpu::Extent3d { width, height, depth_or_array_layers: 1 };
    frame.queue().write_texture(texture.as_image_copy(), bytes, layout, extent);
    texture.create_view(&Default::default())
}

#[cfg(test)]
mod tests {
    use stillframe_effects::EffectId;

    use super::*;
    use crate::light::{Kinds, Techniques, air_text, shadow_text};
    use crate::scene::ShadowTechnique;
    use crate::shader::{check, effect_lit, folded_constants};

    /// No function of an effect has the name of a function of lights or shadows.
    #[test]
    fn texts_with_lights_are_valid() {
        let kinds = Kinds::of(Kinds::unusual()).with_functions(true);
        let techniques = Techniques::of(ShadowTechnique::ALL.iter().copied()).with_veils(true);
        let lights = [light::text(kinds), shadow_text(techniques), air_text(kinds, Some(techniques))];
        for id in EffectId::all().filter(|id| id.row().reads_lights()) {
            for stage in (id.row().stages)(&Values::new(id), [256; 2]) {
                let text = effect_lit(id, stage.function, &lights.each_ref().map(String::as_str));
                check(&text).unwrap_or_else(|error| panic!("{} {}: {error}", id.row().name, stage.function));
                assert_eq!(folded_constants(&text), Vec::<String>::new());
            }
        }
    }
}
