//! Directions: reflections as sums over directions, for surroundings that ask for more than blurs give.

use super::super::bind::{FRAGMENT, SAMPLER, TEXTURE_CUBE, UNIFORM};
use super::super::frame::Frame;
use super::super::ladder::Ladder;
use super::super::strip::{cube_group, strip, strip_screen};
use super::radiance::RADIANCE;
use crate::frame::Pass;
use crate::shader;

const NAME: &str = "directions";

pub fn texts() -> Vec<(String, String)> {
    vec![(NAME.to_string(), shader::directions())]
}

/// Every step of the ladder, into `specular`.
pub fn record(frame: &mut Frame<'_>, encoder: &mut wgpu::CommandEncoder, pass: &Pass, specular: &wgpu::Texture) {
    let surroundings = frame.surroundings();
    let around = &surroundings.around;
    let (ladder, count) = (around.ladder(), around.directions);
    let layout = frame.layout(NAME, &[(0, FRAGMENT, UNIFORM), (1, FRAGMENT, TEXTURE_CUBE), (2, FRAGMENT, SAMPLER)]);
    let pipeline = frame.screen(strip_screen(NAME, shader::directions(), "directions_strip", &[&layout]));
    let radiance = frame.texture(pass, RADIANCE).create_view(&wgpu::TextureViewDescriptor {
        dimension: Some(wgpu::TextureViewDimension::Cube),
        ..Default::default()
    });
    let sampler = frame.device().create_sampler(&wgpu::SamplerDescriptor {
        label: Some(NAME),
        mag_filter: wgpu::FilterMode::Linear,
        min_filter: wgpu::FilterMode::Linear,
        mipmap_filter: wgpu::MipmapFilterMode::Linear,
        ..Default::default()
    });
    // A direction's share of the sphere is 4 / (D count) for a density D of half vectors, and the cube has this many
    // texels a steradian, times pi of D.
    let texels = 6.0 * f64::from(around.cube_px) * f64::from(around.cube_px) / f64::from(count);
    for step in 0..around.steps {
        let alpha = Ladder::roughness(step) * Ladder::roughness(step);
        let place = ladder.step(step);
        let mut words: Vec<u8> =
            [ladder.size_px >> place.level, count].iter().flat_map(|word| word.to_le_bytes()).collect();
        words.extend([(alpha * alpha) as f32, texels as f32].iter().flat_map(|number| number.to_le_bytes()));
        let group = cube_group(frame.device(), NAME, &layout, &words, &radiance, &sampler);
        strip(encoder, frame.device(), (&pipeline, &[&group]), specular, place);
    }
}
