//! Effects: what becomes of the picture after it is drawn and before it is encoded.

use stillframe_base::tick::Tick;
use stillframe_effects::{Stage, Values};

use super::super::bind::{DEPTH, TEXTURE_RAW, UNIFORM, filled};
use super::super::chain::{Chain, Link, Source};
use super::super::cover::{Cover, cover};
use super::super::frame::Frame;
use super::super::job::{Colour, Job, Look};
use super::super::lists;
use super::super::prepared::{Prepared, Wish};
use super::super::row::{Declare, Row, no_texts};
use super::super::stretch::Stretch;
use super::scene::{LINEAR, LINEAR_FLOAT};
use super::{motion, seen};
use crate::frame::{Draw, Format, How, Items, Part, Pass, Planner, Target, TargetId, Use, View, ViewId};
use crate::shader;

pub const ROW: Row = Row { name: "effect", declare: Declare::EachCamera(declare), record, texts };
/// Depth of opaque surfaces at pixels' centres.
pub const DEPTHS: Row =
    Row { name: "effect depth", declare: Declare::ByOthers, record: lists::record, texts: no_texts };

const PICTURE: &str = "effect_picture";
const SHOWN: &str = "effect_shown";
const EFFECT_DEPTH: &str = "effect_depth";

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
    let look = &wish.job.looks[camera.0];
    let Chain { links, shown, .. } = &wish.chains[camera.0];
    let format = if wish.caps.draws_f32 { Format::Rgba32Float } else { Format::Rgba16Float };
    let light = light(planner, camera, look.colour);
    let mut targets: Vec<TargetId> = Vec::new();
    let mut depth = None;
    for (at, link) in links.iter().enumerate() {
        let mut uses = Vec::new();
        for read in &link.reads {
            match *read {
                Source::Scene => uses.extend(planner.sampled(Some(camera), &[light])),
                Source::Link(at) => uses.push(Use { target: targets[at], part: Part::WHOLE, how: How::Sample }),
                Source::Motion => {
                    motion::declare(wish, camera, planner);
                    uses.extend(planner.sampled(Some(camera), &[motion::MOTION]));
                }
                Source::Depth => {
                    let target = *depth.get_or_insert_with(|| {
                        seen::declare_depth(planner, camera, (DEPTHS.name, EFFECT_DEPTH), Items::Opaque)
                    });
                    uses.push(Use { target, part: Part::WHOLE, how: How::Sample });
                }
            }
        }
        let name = if *shown == Source::Link(at) { SHOWN } else { PICTURE };
        let halvings = link.stage.as_ref().map_or(0, |(_, stage)| stage.halvings);
        let View { width_px, height_px, .. } = planner.view(camera);
        let size_px = [width_px, height_px].map(|px| (px >> halvings).max(1));
        let target = planner.add_step(Target { view: Some(camera), ..Target::texture(name, format, size_px) });
        targets.push(target);
        uses.push(Use { target, part: Part::WHOLE, how: How::Attach { clear: true, keep: true } });
        planner.pass(ROW.name, link.name.clone(), Some(camera), uses, vec![Draw::Screen(ROW.name)]);
    }
}

/// What a pass draws.
fn link_of<'a>(prepared: &'a Prepared, pass: &Pass) -> &'a Link {
    let camera = pass.view.expect("it is a camera's").0;
    let name = pass.name.strip_suffix(&format!(" @{camera}")).unwrap_or(&pass.name);
    prepared.chains[camera].links.iter().find(|link| link.name == name).expect("it is of the chain")
}

fn text(job: &Job<'_>, pass: &Pass, link: &Link) -> String {
    match &link.stage {
        Some((values, stage)) => shader::effect(values.effect, stage.function),
        None => shader::encode(job.looks[pass.view.expect("it is a camera's").0].output.tonemap.word()),
    }
}

fn texts(job: &Job<'_>, prepared: &Prepared, pass: &Pass) -> Vec<(String, String)> {
    let link = link_of(prepared, pass);
    let name = match &link.stage {
        Some((values, stage)) => format!("effect {} {}", values.effect.row().name, stage.function),
        None => "develop".to_string(),
    };
    vec![(name, text(job, pass, link))]
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
    let text = text(frame.job, pass, link);
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
    let (known, params) = (uniform(&known(look, stage, size_px)), uniform(&params(values)));
    let mut bound = vec![(0, UNIFORM, known.as_entire_binding())];
    if !values.numbers.is_empty() {
        bound.push((1, UNIFORM, params.as_entire_binding()));
    }
    let mut pictures = 3..;
    for (source, view) in link.reads.iter().zip(&read) {
        let resource = wgpu::BindingResource::TextureView(view);
        bound.push(match source {
            Source::Depth => (2, DEPTH, resource),
            _ => (pictures.next().expect("endless"), TEXTURE_RAW, resource),
        });
    }
    let name = format!("effect {}", values.effect.row().name);
    cover(frame, encoder, (pass, stretch), Cover { name: &name, text, fragment: "stage", bound: &bound, over: false });
}

/// `Frame` of WGSL.
fn known(look: &Look<'_>, stage: &Stage, [width_px, height_px]: [u32; 2]) -> Vec<u8> {
    let camera = &look.shot.camera;
    let clip = camera.clip_from_view.to_cols_array_2d();
    let mut out = Vec::new();
    out.extend(bytemuck::cast_slice(&[width_px, height_px]));
    out.extend(bytemuck::cast_slice(&look.size_px().map(|px| px as f32)));
    out.extend(bytemuck::cast_slice(&[look.post.time_s as f32]));
    let tick = Tick::from_seconds(look.post.time_s).0;
    out.extend(bytemuck::cast_slice(&[tick as u32, 0, 0]));
    out.extend(bytemuck::cast_slice(&[clip[2][2], clip[3][2], clip[2][3], clip[3][3]]));
    out.extend(bytemuck::cast_slice(&[1.0 / clip[0][0], 1.0 / clip[1][1], clip[2][0], clip[2][1]]));
    let world_from_view = crate::view::inverse(camera.view_from_world);
    out.extend(bytemuck::cast_slice(&world_from_view.to_cols_array()));
    out.extend(bytemuck::cast_slice(stage.data.as_flattened()));
    out
}

fn params(values: &Values) -> Vec<u8> {
    bytemuck::cast_slice(values.numbers.as_flattened()).to_vec()
}
