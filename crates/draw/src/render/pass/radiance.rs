//! Radiance: the cube of what comes from around, all its levels.

use super::super::bind::{FRAGMENT, TEXTURE_FACES, UNIFORM, filled, group};
use super::super::frame::Frame;
use super::super::job::Job;
use super::super::ladder::Place;
use super::super::prepared::{Prepared, Wish};
use super::super::row::{Declare, Row};
use super::super::sky::Around;
use super::super::stretch::Stretch;
use super::super::strip::{strip, strip_screen};
use crate::frame::{Format, How, Pass, Planner, Target};
use crate::shader;

pub const ROW: Row = Row { name: "radiance", declare: Declare::Once(declare), record, texts };

/// The cube; also the kind of its layers, one a level.
pub const RADIANCE: &str = "radiance";

/// The cube.
pub fn target(around: &Around) -> Target {
    Target::cube(RADIANCE, Format::Rgba16Float, around.cube_px, around.cube_px.ilog2() + 1)
}

fn declare(wish: &Wish<'_>, planner: &mut Planner) {
    let Some(around) = wish.shining() else { return };
    let cube = target(around);
    let parts = cube.parts();
    let target = planner.add_target(Target { life: wish.life(RADIANCE), ..cube });
    let uses = planner.whole(target, How::CopyTo).collect();
    planner.pass(ROW.name, ROW.name.to_string(), None, uses, Vec::new());
    parts.for_each(|part| planner.layer(format!("{RADIANCE}.{}", part.level), target, part));
}

fn texts(_: &Job<'_>, prepared: &Prepared, _: &Pass) -> Vec<(String, String)> {
    let around = prepared.around.as_ref().expect("planned only where something is around");
    let (fill, halve) = (shader::fill(around.radiance), shader::halve(around.radiance));
    vec![("fill".to_string(), fill), ("halve".to_string(), halve)]
}

/// Fills the first level from the source, then halves it down to one texel.
fn record(frame: &mut Frame<'_>, encoder: &mut wgpu::CommandEncoder, pass: &Pass, _: &Stretch) {
    let surroundings = frame.surroundings();
    let around = &surroundings.around;
    let cube = frame.texture(pass, RADIANCE);
    let size = around.cube_px;

    let mut words = size.to_le_bytes().to_vec();
    words.extend_from_slice(&(1.0 / around.cube_scale).to_le_bytes());
    let uniform = filled(frame.device(), "fill", wgpu::BufferUsages::UNIFORM, &words);
    let layout = frame.layout("fill", &[(0, FRAGMENT, UNIFORM)]);
    let fill = group(frame.device(), "fill", &layout, &[(0, uniform.as_entire_binding())]);
    let pipeline = frame.screen(strip_screen(
        "fill",
        shader::fill(around.radiance),
        "fill_strip",
        &[&layout, &surroundings.source_layout],
    ));
    let bound = [&fill, &surroundings.source_group];
    strip(encoder, frame.device(), (&pipeline, &bound), &cube, Place { cube: 0, level: 0 });

    if cube.mip_level_count() == 1 {
        return;
    }
    let layout = frame.layout("halve", &[(0, FRAGMENT, UNIFORM), (1, FRAGMENT, TEXTURE_FACES)]);
    let pipeline = frame.screen(strip_screen("halve", shader::halve(around.radiance), "halve_strip", &[&layout]));
    for level in 1..cube.mip_level_count() {
        // One level is bound at a time: the next one is written.
        let above = cube.create_view(&wgpu::TextureViewDescriptor {
            dimension: Some(wgpu::TextureViewDimension::D2Array),
            base_mip_level: level - 1,
            mip_level_count: Some(1),
            ..Default::default()
        });
        let words = [size >> level, 0];
        let uniform = filled(frame.device(), "halve", wgpu::BufferUsages::UNIFORM, bytemuck::cast_slice(&words));
        let resources = [(0, uniform.as_entire_binding()), (1, wgpu::BindingResource::TextureView(&above))];
        let halve = group(frame.device(), "halve", &layout, &resources);
        strip(encoder, frame.device(), (&pipeline, &[&halve]), &cube, Place { cube: 0, level });
    }
}
