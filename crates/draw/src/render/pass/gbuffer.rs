//! Gbuffer: what surfaces are made of, pixel by pixel, and the screens that shade it.

use super::super::bind::{FRAGMENT, STORAGE_READ, TEXTURE_RAW, TEXTURE_UINT, filled, group};
use super::super::frame::Frame;
use super::super::job::Job;
use super::super::lists;
use super::super::prepared::Prepared;
use super::super::row::{Declare, Row, no_texts};
use super::super::shade::Shade;
use super::super::shaders::Screen;
use super::super::stretch::Stretch;
use super::drawing::Drawing;
use super::lights::light_group;
use crate::frame::{Draw, Format, How, Items, Pass, Planner, TargetId, Use};
use crate::material::{ShadedValues, Switches, Variant};

pub const STORE: Row = Row { name: "gbuffer", declare: Declare::ByOthers, record: lists::record, texts: no_texts };
pub const SHADE: Row = Row { name: "shade", declare: Declare::ByOthers, record, texts };

/// Base colour and depth.
const BASE: &str = "base_depth";
/// The shading normal and roughness.
const NORMAL: &str = "normal_roughness";
/// The mesh's normal and metalness.
const MESH_NORMAL: &str = "mesh_normal_metallic";
/// Emission and occlusion.
const EMISSIVE: &str = "emissive_occlusion";
/// Numbers of the screen and of the material.
const NUMBERS: &str = "numbers";
const DEPTH: &str = "gbuffer_depth";

/// Stores what can be stored, and the depth of the rest. How the next passes read it, and the depth.
pub fn declare(drawing: &Drawing<'_>, planner: &mut Planner) -> (Vec<Use>, TargetId) {
    let floats = [BASE, NORMAL, MESH_NORMAL, EMISSIVE].map(|name| (name, Format::Rgba32Float));
    let colors = floats.into_iter().chain([(NUMBERS, Format::Rg32Uint)]);
    let mut uses: Vec<Use> = colors.map(|(name, format)| drawing.attach(planner, name, format)).collect();
    let read = uses.iter().map(|usage| Use { how: How::Sample, ..*usage }).collect();
    let depth = drawing.attach(planner, DEPTH, Format::Depth32Float);
    uses.push(depth);
    let items = [(Items::Stored, Variant::Gbuffer), (Items::Unstored, Variant::Depth)];
    let draws = items.map(|(items, variant)| drawing.list(planner, items, variant)).to_vec();
    planner.pass(STORE.name, drawing.named(STORE.name, ""), Some(drawing.view), uses, draws);
    (read, depth.target)
}

/// Shades what is stored, from `stored` and what else it reads.
pub fn declare_shade(drawing: &Drawing<'_>, stored: &[Use], planner: &mut Planner) {
    for picture in &drawing.pictures {
        let mut uses = drawing.reads(planner);
        uses.extend(stored);
        uses.extend(&picture.colors);
        let name = drawing.named(SHADE.name, picture.suffix);
        planner.pass(SHADE.name, name, Some(drawing.view), uses, vec![Draw::Screen(SHADE.name)]);
    }
}

fn shades<'a>(prepared: &'a Prepared, pass: &Pass) -> &'a [Shade] {
    &prepared.shades[prepared.plan.camera(pass.view.expect("it is a camera's")).0]
}

fn texts(_: &Job<'_>, prepared: &Prepared, pass: &Pass) -> Vec<(String, String)> {
    shades(prepared, pass).iter().map(|shade| (shade.key.to_string(), shade.text.clone())).collect()
}

fn record(frame: &mut Frame<'_>, encoder: &mut wgpu::CommandEncoder, pass: &Pass, stretch: &Stretch) {
    let lights = light_group(frame, pass);
    let view_layout = frame.view_layout();
    let dark_layout = frame.layout("no lights", &[]);
    let dark = group(frame.device(), "no lights", &dark_layout, &[]);
    let textures = [BASE, NORMAL, MESH_NORMAL, EMISSIVE, NUMBERS]
        .map(|name| frame.texture(pass, name).create_view(&Default::default()));
    let format = frame.prepared.plan.colors(pass)[0];
    let mut screens = Vec::new();
    for Shade { key, text, values } in shades(frame.prepared, pass) {
        let values = values.as_ref().map(|ShadedValues(values)| {
            filled(frame.device(), "materials", wgpu::BufferUsages::STORAGE, bytemuck::cast_slice(values))
        });
        let mut entries: Vec<_> = (0..4).map(|at| (at, FRAGMENT, TEXTURE_RAW)).collect();
        entries.push((4, FRAGMENT, TEXTURE_UINT));
        let mut resources: Vec<_> =
            (0..).zip(&textures).map(|(at, view)| (at, wgpu::BindingResource::TextureView(view))).collect();
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
            format,
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
