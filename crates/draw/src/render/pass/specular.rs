//! Specular: the cube prefiltered by GGX, one level a roughness.

use super::super::bind::{FRAGMENT, SAMPLER, TEXTURE_CUBE, UNIFORM, filled, group};
use super::super::environment::lobe;
use super::super::frame::Frame;
use super::super::job::Job;
use super::super::prepared::{Prepared, Wish};
use super::super::row::{Declare, Row};
use super::super::shaders::Screen;
use super::super::stretch::Stretch;
use super::super::strip::{STRIP_FORMAT, strip};
use super::radiance::RADIANCE;
use crate::frame::{Format, How, Life, Part, Pass, Planner, Target, Use};
use crate::shader;

pub const ROW: Row = Row { name: "prefilter", declare: Declare::Once(declare), record, texts };

/// The cube; also the kind of its layers, one a level.
pub const SPECULAR: &str = "specular";

/// What the light from around is made into stays for later pictures; it is made again where somebody wants to see it
/// being made.
pub fn life(wish: &Wish<'_>, name: &str) -> Life {
    let is_looked_at = wish.wants(RADIANCE) || wish.wants(SPECULAR);
    if wish.left.contains(&name) && !is_looked_at { Life::Earlier } else { Life::Sitting }
}

fn declare(wish: &Wish<'_>, planner: &mut Planner) {
    let Some(around) = wish.shining() else { return };
    let cube = Target::cube(SPECULAR, Format::Rgba16Float, around.cubes.size, around.cubes.levels);
    let parts = cube.parts();
    let target = planner.add_target(Target { life: life(wish, SPECULAR), ..cube });
    let mut uses = planner.sampled(None, &[RADIANCE]);
    let radiance = planner.find(None, RADIANCE).expect("its row comes before");
    uses.push(Use { target: radiance, part: Part { layers: 6, ..Part::WHOLE }, how: How::CopyFrom });
    uses.extend(planner.whole(target, How::CopyTo));
    planner.pass(ROW.name.to_string(), None, uses, Vec::new());
    parts.for_each(|part| planner.layer(format!("{SPECULAR}.{}", part.level), target, part));
}

fn texts(_: &Job<'_>, _: &Prepared, _: &Pass) -> Vec<(String, String)> {
    vec![(ROW.name.to_string(), shader::prefilter())]
}

fn record(frame: &mut Frame<'_>, encoder: &mut wgpu::CommandEncoder, pass: &Pass, _: &Stretch) {
    let surroundings = frame.surroundings();
    let cubes = surroundings.around.cubes;
    let (radiance, specular) = (frame.texture(pass, RADIANCE), frame.texture(pass, SPECULAR));
    // A mirror shows what is there.
    let faces = wgpu::Extent3d { width: cubes.size, height: cubes.size, depth_or_array_layers: 6 };
    encoder.copy_texture_to_texture(radiance.as_image_copy(), specular.as_image_copy(), faces);
    if cubes.levels == 1 {
        return;
    }
    let layout = frame.layout(ROW.name, &[(0, FRAGMENT, UNIFORM), (1, FRAGMENT, TEXTURE_CUBE), (2, FRAGMENT, SAMPLER)]);
    let pipeline = frame.screen(Screen {
        name: ROW.name,
        text: shader::prefilter(),
        fragment: "prefilter_strip",
        groups: &[&layout],
        format: STRIP_FORMAT,
        samples: 1,
        behind: false,
    });
    let view = radiance.create_view(&wgpu::TextureViewDescriptor {
        dimension: Some(wgpu::TextureViewDimension::Cube),
        ..Default::default()
    });
    for level in 1..cubes.levels {
        let uniform = filled(frame.device(), ROW.name, wgpu::BufferUsages::UNIFORM, &lobe(cubes, level));
        let resources = [
            (0, uniform.as_entire_binding()),
            (1, wgpu::BindingResource::TextureView(&view)),
            (2, wgpu::BindingResource::Sampler(&surroundings.sampler)),
        ];
        let group = group(frame.device(), ROW.name, &layout, &resources);
        strip(encoder, frame.device(), (&pipeline, &[&group]), &specular, level);
    }
}
