//! Harmonics: the radiance that reaches a diffuse surface, as nine numbers a colour.

use super::super::bind::{COMPUTE, STORAGE_READ, STORAGE_WRITE, TEXTURE_FACES, filled, group};
use super::super::environment::{ENVIRONMENT_BYTES, environment_head, harmonics_level, solid_angles};
use super::super::frame::Frame;
use super::super::job::Job;
use super::super::prepared::{Prepared, Wish};
use super::super::row::{Declare, Row};
use super::super::stretch::Stretch;
use super::radiance::RADIANCE;
use super::specular;
use crate::frame::{How, Pass, Planner, Target};
use crate::shader;

pub const ROW: Row = Row { name: "harmonics", declare: Declare::Once(declare), record, texts };

/// `Environment` of `shader/environment.wgsl`.
pub const HARMONICS: &str = "harmonics";

fn declare(wish: &Wish<'_>, planner: &mut Planner) {
    if wish.shining().is_none() {
        return;
    }
    let life = specular::life(wish, HARMONICS);
    let target = planner.add_target(Target { life, ..Target::buffer(HARMONICS, ENVIRONMENT_BYTES) });
    let mut uses = planner.sampled(None, &[RADIANCE]);
    uses.extend(planner.whole(target, How::CopyTo));
    uses.extend(planner.whole(target, How::Storage));
    planner.pass(ROW.name.to_string(), None, uses, Vec::new());
}

fn texts(_: &Job<'_>, _: &Prepared, _: &Pass) -> Vec<(String, String)> {
    vec![(ROW.name.to_string(), shader::harmonics())]
}

/// Sums the harmonics of a small level into the environment's buffer.
fn record(frame: &mut Frame<'_>, encoder: &mut wgpu::CommandEncoder, pass: &Pass, _: &Stretch) {
    let surroundings = frame.surroundings();
    let cubes = surroundings.around.cubes;
    let environment = frame.buffer(pass, HARMONICS);
    frame.queue().write_buffer(&environment, 0, bytemuck::cast_slice(&environment_head(&surroundings.around)));
    let level = harmonics_level(cubes);
    let solid = solid_angles(cubes.size >> level, level);
    let solid = filled(frame.device(), "solid angles", wgpu::BufferUsages::STORAGE, &solid);
    let entries = [(0, COMPUTE, STORAGE_READ), (1, COMPUTE, TEXTURE_FACES), (2, COMPUTE, STORAGE_WRITE)];
    let layout = frame.layout(ROW.name, &entries);
    let faces = frame.texture(pass, RADIANCE).create_view(&wgpu::TextureViewDescriptor {
        dimension: Some(wgpu::TextureViewDimension::D2Array),
        ..Default::default()
    });
    let resources = [
        (0, solid.as_entire_binding()),
        (1, wgpu::BindingResource::TextureView(&faces)),
        (2, environment.as_entire_binding()),
    ];
    let group = group(frame.device(), ROW.name, &layout, &resources);
    let pipeline = frame.grid("harmonics", &shader::harmonics(), &layout);
    let mut grid = encoder.begin_compute_pass(&wgpu::ComputePassDescriptor::default());
    grid.set_pipeline(&pipeline);
    grid.set_bind_group(0, &group, &[]);
    grid.dispatch_workgroups(1, 1, 1);
}
