//! Blur: the radiance cube, blurred wider and wider.

use super::super::bind::{FRAGMENT, SAMPLER, TEXTURE_CUBE, UNIFORM, filled, group};
use super::super::frame::Frame;
use super::super::job::Job;
use super::super::ladder::{Ladder, Place, SUMMED_BLURS};
use super::super::prepared::{Prepared, Wish};
use super::super::row::{Declare, Row};
use super::super::stretch::Stretch;
use super::super::strip::{cube_group, strip, strip_screen};
use super::radiance::RADIANCE;
use super::sources::{SOURCES, WIDE};
use crate::frame::{Format, How, Pass, Planner, Target, Use};
use crate::shader;

pub const ROW: Row = Row { name: "blur", declare: Declare::Once(declare), record, texts };

/// The text of what is summed.
pub const SUM: &str = "sum";
/// An array of cubes.
pub const BLURS: &str = "blurs";

fn declare(wish: &Wish<'_>, planner: &mut Planner) {
    let Some(ladder) = wish.blurred().map(|around| around.ladder()) else { return };
    let cubes = Target::cube(BLURS, Format::Rgba16Float, ladder.size_px, ladder.levels());
    let target = planner.add_target(Target { layers: 6 * ladder.blur_cubes(), ..cubes });
    let mut uses = planner.sampled(None, &[RADIANCE, SOURCES]);
    uses.extend(ladder.made().map(|blur| Use { target, part: ladder.blur(blur).part(), how: How::CopyTo }));
    planner.pass(ROW.name, ROW.name.to_string(), None, uses, Vec::new());
}

fn texts(_: &Job<'_>, _: &Prepared, _: &Pass) -> Vec<(String, String)> {
    vec![(ROW.name.to_string(), shader::blur()), (SUM.to_string(), shader::sum())]
}

fn record(frame: &mut Frame<'_>, encoder: &mut wgpu::CommandEncoder, pass: &Pass, _: &Stretch) {
    let surroundings = frame.surroundings();
    let ladder = surroundings.around.ladder();
    let (radiance, blurs) = (frame.texture(pass, RADIANCE), frame.texture(pass, BLURS));
    let layout = frame.layout(ROW.name, &[(0, FRAGMENT, UNIFORM), (1, FRAGMENT, TEXTURE_CUBE), (2, FRAGMENT, SAMPLER)]);
    let pipeline = frame.screen(strip_screen(ROW.name, shader::blur(), "blur_strip", &[&layout]));
    let cube = |texture: &wgpu::Texture, cube: u32| {
        texture.create_view(&wgpu::TextureViewDescriptor {
            dimension: Some(wgpu::TextureViewDimension::Cube),
            base_array_layer: cube * 6,
            array_layer_count: Some(6),
            ..Default::default()
        })
    };
    // The finest first.
    for blur in (SUMMED_BLURS..ladder.blurs()).rev() {
        let (sharper, level) = if blur + 1 == ladder.blurs() {
            (cube(&radiance, 0), (radiance.width() / ladder.size_px).ilog2())
        } else {
            let Place { cube: from, level } = ladder.blur(blur + 1);
            (cube(&blurs, from), level)
        };
        let (sine, cosine) = stillframe_base::math::ops64::sin_cos(ladder.tap_rad(blur));
        let mut words = ladder.blur_px(blur).to_le_bytes().to_vec();
        words.extend([level as f32, sine as f32, cosine as f32].iter().flat_map(|word| word.to_le_bytes()));
        let group = cube_group(frame.device(), ROW.name, &layout, &words, &sharper, &surroundings.sampler);
        strip(encoder, frame.device(), (&pipeline, &[&group]), &blurs, ladder.blur(blur));
    }
    for blur in ladder.mixed().take_while(|&blur| blur < SUMMED_BLURS) {
        let lobe = Lobe { first: 0, count: WIDE, kappa: Ladder::blur_kappa(blur) as f32, alpha2: 0.0 };
        sum(frame, encoder, pass, (&blurs, ladder.blur(blur)), lobe);
    }
}

/// `Lobe` of `shader/sum.wgsl`, without its size.
#[derive(Clone, Copy, Debug)]
pub struct Lobe {
    pub first: u32,
    pub count: u32,
    pub kappa: f32,
    pub alpha2: f32,
}

/// What a lobe sees of the sources, into a cube.
pub fn sum(
    frame: &mut Frame<'_>,
    encoder: &mut wgpu::CommandEncoder,
    pass: &Pass,
    (cubes, place): (&wgpu::Texture, Place),
    lobe: Lobe,
) {
    let sources = frame.buffer(pass, SOURCES);
    let layout = frame.layout(SUM, &[(0, FRAGMENT, UNIFORM), (1, FRAGMENT, UNIFORM)]);
    let pipeline = frame.screen(strip_screen(SUM, shader::sum(), "sum_strip", &[&layout]));
    let words = [cubes.width() >> place.level, lobe.first, lobe.count];
    let numbers = [lobe.kappa, lobe.alpha2, 1.0 - lobe.alpha2];
    let mut bytes: Vec<u8> = words.iter().flat_map(|word| word.to_le_bytes()).collect();
    bytes.extend(numbers.iter().flat_map(|number| number.to_le_bytes()));
    bytes.extend([0; 8]);
    let uniform = filled(frame.device(), SUM, wgpu::BufferUsages::UNIFORM, &bytes);
    let resources = [(0, uniform.as_entire_binding()), (1, sources.as_entire_binding())];
    let group = group(frame.device(), SUM, &layout, &resources);
    strip(encoder, frame.device(), (&pipeline, &[&group]), cubes, place);
}
