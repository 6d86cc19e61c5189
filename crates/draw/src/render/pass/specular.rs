//! Specular: cubes prefiltered by GGX, one a step of roughness. What no surface of the scene can show is left out.

use super::super::bind::{FRAGMENT, SAMPLER, TEXTURE_CUBES, UNIFORM};
use super::super::frame::Frame;
use super::super::job::Job;
use super::super::ladder::{Ladder, SUMMED_STEPS, WIDE_STEPS};
use super::super::prepared::{Prepared, Wish};
use super::super::row::{Declare, Row};
use super::super::sky::Around;
use super::super::stretch::Stretch;
use super::super::strip::{cube_group, strip, strip_screen};
use super::blur::{BLURS, Lobe, SUM, sum};
use super::directions;
use super::radiance::RADIANCE;
use super::sources::{SOURCES, WIDE};
use crate::frame::{Format, How, Part, Pass, Planner, Target, Use};
use crate::shader;

pub const ROW: Row = Row { name: "prefilter", declare: Declare::Once(declare), record, texts };

/// The array of cubes; also the kind of its layers, one a step.
pub const SPECULAR: &str = "specular";

/// Shares of a step's blurs below this are left out.
const SHARE_MIN: f64 = 2e-4;
/// Length of the array in `shader/prefilter.wgsl`.
const BLURS_MAX: usize = 6;

/// The array of cubes.
pub fn target(around: &Around) -> Target {
    let ladder = around.ladder();
    let cubes = Target::cube(SPECULAR, Format::Rgba16Float, ladder.size_px, ladder.levels());
    Target { layers: 6 * ladder.step_cubes(), ..cubes }
}

fn declare(wish: &Wish<'_>, planner: &mut Planner) {
    let Some(around) = wish.shining() else { return };
    let ladder = around.ladder();
    let target = planner.add_target(Target { life: wish.life(SPECULAR), ..target(around) });
    let mut uses = if wish.blurred().is_some() { planner.sampled(None, &[BLURS, SOURCES]) } else { Vec::new() };
    if around.directions > 0 && !ladder.is_single() {
        uses.extend(planner.sampled(None, &[RADIANCE]));
    }
    if ladder.is_single() {
        let radiance = planner.find(None, RADIANCE).expect("its row comes before");
        uses.push(Use { target: radiance, part: Part { layers: 6, ..Part::WHOLE }, how: How::CopyFrom });
    }
    let parts = || (0..around.steps).map(|step| ladder.step(step).part());
    uses.extend(parts().map(|part| Use { target, part, how: How::CopyTo }));
    planner.pass(ROW.name, ROW.name.to_string(), None, uses, Vec::new());
    parts().enumerate().for_each(|(step, part)| planner.layer(format!("{SPECULAR}.{step}"), target, part));
}

fn texts(_: &Job<'_>, prepared: &Prepared, _: &Pass) -> Vec<(String, String)> {
    if prepared.around.as_ref().is_some_and(|around| around.directions > 0) {
        return directions::texts();
    }
    vec![(ROW.name.to_string(), shader::prefilter()), (SUM.to_string(), shader::sum())]
}

fn record(frame: &mut Frame<'_>, encoder: &mut wgpu::CommandEncoder, pass: &Pass, _: &Stretch) {
    let surroundings = frame.surroundings();
    let ladder = surroundings.around.ladder();
    let specular = frame.texture(pass, SPECULAR);
    if ladder.is_single() {
        let radiance = frame.texture(pass, RADIANCE);
        let size = ladder.size_px;
        let faces = wgpu::Extent3d { width: size, height: size, depth_or_array_layers: 6 };
        encoder.copy_texture_to_texture(radiance.as_image_copy(), specular.as_image_copy(), faces);
        return;
    }
    if surroundings.around.directions > 0 {
        directions::record(frame, encoder, pass, &specular);
        return;
    }
    for step in 0..SUMMED_STEPS.min(surroundings.around.steps) {
        let alpha = Ladder::roughness(step) * Ladder::roughness(step);
        let (first, count) = if step < WIDE_STEPS { (WIDE, WIDE / 4) } else { (0, WIDE) };
        let lobe = Lobe { first, count, kappa: 0.0, alpha2: (alpha * alpha) as f32 };
        sum(frame, encoder, pass, (&specular, ladder.step(step)), lobe);
    }
    let layout =
        frame.layout(ROW.name, &[(0, FRAGMENT, UNIFORM), (1, FRAGMENT, TEXTURE_CUBES), (2, FRAGMENT, SAMPLER)]);
    let pipeline = frame.screen(strip_screen(ROW.name, shader::prefilter(), "prefilter_strip", &[&layout]));
    let blurs = frame.texture(pass, BLURS).create_view(&wgpu::TextureViewDescriptor {
        dimension: Some(wgpu::TextureViewDimension::CubeArray),
        ..Default::default()
    });
    for step in SUMMED_STEPS..surroundings.around.steps {
        let place = ladder.step(step);
        let shares = mix(ladder, step, ladder.size_px >> place.level);
        let group = cube_group(frame.device(), ROW.name, &layout, &shares, &blurs, &surroundings.sampler);
        strip(encoder, frame.device(), (&pipeline, &[&group]), &specular, place);
    }
}

/// `Prefilter` of `shader/prefilter.wgsl`.
fn mix(ladder: Ladder, step: u32, size_px: u32) -> Vec<u8> {
    let mut rows = [[0.0f32; 4]; BLURS_MAX];
    let mut count = 0;
    for (blur, share) in ladder.mixed().zip(ladder.mix(step)).filter(|(_, share)| share.abs() >= SHARE_MIN) {
        let place = ladder.blur(blur);
        rows[count] = [place.cube as f32, place.level as f32, share as f32, 0.0];
        count += 1;
    }
    let mut out: Vec<u8> = [size_px, count as u32, 0, 0].iter().flat_map(|word| word.to_le_bytes()).collect();
    out.extend_from_slice(bytemuck::cast_slice(&rows));
    out
}
