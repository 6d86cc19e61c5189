//! Gbuffer: what surfaces are made of, pixel by pixel, and the screens that shade it.

use super::super::bind::{self, FRAGMENT, STORAGE_READ, TEXTURE_RAW, TEXTURE_UINT, group};
use super::super::frame::Frame;
use super::super::job::Job;
use super::super::lists;
use super::super::prepared::Prepared;
use super::super::row::{Declare, Row, no_texts};
use super::super::shade::Shade;
use super::super::shaders::Screen;
use super::super::stretch::Stretch;
use super::drawing::Drawing;
use super::lights::light_group_of;
use crate::frame::{Draw, Format, How, Items, Pass, Planner, TargetId, Use};
use crate::material::{Gbuffer, Kept, ShadedValues, Switches, Variant};

pub const STORE: Row = Row { name: "gbuffer", declare: Declare::ByOthers, record: lists::record, texts: no_texts };
pub const SHADE: Row = Row { name: "shade", declare: Declare::ByOthers, record, texts };

/// Screens over what is stored.
pub const SCREENS: Draw = Draw::Screen(SHADE.name);

pub const DEPTH: &str = "gbuffer_depth";
/// Numbers of items and of their triangles.
pub const IDS: &str = "ids";

/// Where surfaces are stored.
fn targets(how: Gbuffer) -> &'static [(&'static str, Format)] {
    match how {
        Gbuffer::Exact => &[
            ("base_depth", Format::Rgba32Float),
            ("normal_roughness", Format::Rgba32Float),
            ("mesh_normal_metallic", Format::Rgba32Float),
            ("emissive_occlusion", Format::Rgba32Float),
            ("numbers", Format::Rg32Uint),
        ],
        Gbuffer::Packed => &[
            ("packed_base_occlusion", Format::Rgba8UnormSrgb),
            ("packed_shape", Format::Rg32Uint),
            ("packed_emissive", Format::Rgba16Float),
            ("numbers", Format::Rg32Uint),
        ],
        Gbuffer::Shape => &[("normal_roughness", Format::Rgba32Float), ("mesh_normal_occlusion", Format::Rgba32Float)],
        Gbuffer::Ids => &[(IDS, Format::Rg32Uint)],
    }
}

/// What of it is read to shade it.
fn read(how: Gbuffer) -> impl Iterator<Item = (&'static str, wgpu::BindingType)> {
    let colors = targets(how).iter().map(|(name, format)| match format {
        Format::Rg32Uint => (*name, TEXTURE_UINT),
        _ => (*name, TEXTURE_RAW),
    });
    // The exact ones have it among them.
    colors.chain((how != Gbuffer::Exact).then_some((DEPTH, bind::DEPTH)))
}

/// Stores what can be stored, and the depth of the rest, of which it says that nothing is. How the next passes read it,
/// and the depth.
pub fn declare(drawing: &Drawing<'_>, how: Gbuffer, planner: &mut Planner) -> (Vec<Use>, TargetId) {
    let mut uses: Vec<Use> = targets(how).iter().map(|(name, format)| drawing.attach(planner, name, *format)).collect();
    let depth = drawing.attach(planner, DEPTH, Format::Depth32Float);
    uses.push(depth);
    let is_read = |usage: &&Use| how != Gbuffer::Exact || usage.target != depth.target;
    let read = uses.iter().filter(is_read).map(|usage| Use { how: How::Sample, ..*usage }).collect();
    let items = drawing.list(planner, Items::Both(Kept::Stored(how)), Variant::Store(how));
    planner.pass(STORE.name, drawing.named(STORE.name, ""), Some(drawing.view), uses, vec![items]);
    (read, depth.target)
}

/// Shades what is stored, from `stored` and what else it reads.
pub fn declare_shade(drawing: &Drawing<'_>, stored: &[Use], planner: &mut Planner) {
    for picture in &drawing.pictures {
        let mut uses = drawing.reads(planner);
        uses.extend(stored);
        uses.extend(&picture.colors);
        let name = drawing.named(SHADE.name, picture.suffix);
        planner.pass(SHADE.name, name, Some(drawing.view), uses, vec![SCREENS]);
    }
}

fn shades<'a>(prepared: &'a Prepared, pass: &Pass) -> &'a [Shade] {
    &prepared.shades[prepared.plan.camera(pass.view.expect("it is a camera's")).0]
}

pub fn texts(_: &Job<'_>, prepared: &Prepared, pass: &Pass) -> Vec<(String, String)> {
    shades(prepared, pass).iter().map(|shade| (shade.key.to_string(), shade.text.clone())).collect()
}

pub fn record(frame: &mut Frame<'_>, encoder: &mut wgpu::CommandEncoder, pass: &Pass, stretch: &Stretch) {
    let lit = shades(frame.prepared, pass).iter().map(|shade| shade.key.switches).find(|of| *of != Switches::default());
    let camera = frame.prepared.plan.camera(pass.view.expect("it is a camera's"));
    let lights = lit.and_then(|lit| light_group_of(frame, pass, lit, &frame.prepared.lit[camera.0].clusters));
    let view_layout = frame.view_layout();
    let dark_layout = frame.layout("no lights", &[]);
    let dark = group(frame.device(), "no lights", &dark_layout, &[]);
    let formats = frame.prepared.plan.colors(pass);
    let mut screens = Vec::new();
    for Shade { key, text, values } in shades(frame.prepared, pass) {
        let values = values.as_ref().map(|ShadedValues(values)| frame.array("materials", bytemuck::cast_slice(values)));
        let how = match key.variant {
            Variant::Shade(how) => how,
            _ => Gbuffer::Shape,
        };
        let read: Vec<_> = (0..).zip(read(how)).collect();
        let views: Vec<_> =
            read.iter().map(|(_, (name, _))| frame.texture(pass, name).create_view(&Default::default())).collect();
        let mut entries: Vec<_> = read.iter().map(|(at, (_, ty))| (*at, FRAGMENT, *ty)).collect();
        let mut resources: Vec<_> =
            (0..).zip(&views).map(|(at, view)| (at, wgpu::BindingResource::TextureView(view))).collect();
        if let Some(values) = &values {
            entries.push((5, FRAGMENT, STORAGE_READ));
            resources.push((5, values.as_entire_binding()));
        }
        let layout = frame.layout(STORE.name, &entries);
        let own = group(frame.device(), STORE.name, &layout, &resources);
        let is_lit = key.switches != Switches::default();
        let light_layout = match is_lit {
            true => frame.layout("lights", &super::super::pipeline::light_entries(key.switches)),
            false => dark_layout.clone(),
        };
        let pipeline = frame.screen(Screen {
            name: &key.to_string(),
            text: text.clone(),
            fragment: "fragment",
            groups: &[&view_layout, &light_layout, &layout],
            formats: formats.clone(),
            samples: 1,
            behind: false,
            over: false,
        });
        screens.push((pipeline, is_lit, own));
    }
    let mut render = frame.begin(encoder, pass, stretch);
    for (pipeline, is_lit, own) in &screens {
        render.set_pipeline(pipeline);
        let lights = lights.as_ref().filter(|_| *is_lit).unwrap_or(&dark);
        render.set_bind_group(1, lights, &[]);
        render.set_bind_group(2, own, &[]);
        render.draw(0..3, 0..1);
    }
}
