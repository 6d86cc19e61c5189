//! Lights: what lit items read of lights, shadow maps and surroundings.

use std::ops::Range;

use super::super::bind::{filled, group};
use super::super::frame::Frame;
use super::super::job::Look;
use super::super::lit::Lit;
use super::super::pipeline::light_entries;
use super::super::uniform::{LightUniform, MapUniform};
use super::behind;
use super::depth_levels::DEPTH_LEVELS;
use super::functions::FUNCTIONS;
use super::moments::MOMENTS;
use super::radiance::RADIANCE;
use super::seen::{OCCLUSIONS, SEEN_DEPTH};
use super::shadow::{LOCAL_MAPS, SUN_MAPS};
use super::specular::SPECULAR;
use super::veils::VEILS;
use crate::fault::StateEdit;
use crate::frame::{How, Pass, Use};
use crate::light::{self, Extent, MapView, Maps, lobe_table};
use crate::material::Switches;
use crate::scene::{Asks, Sums};

/// `tiles` of `light/tiles.wgsl`: a buffer that passes of `tiles` fill.
pub const TILES: &str = "tiles";

/// Light that enters surfaces, and its depth.
pub const IRRADIANCE: [&str; 2] = ["irradiance", "irradiance_depth"];

/// Names of the targets that light is added up in, by their bindings from 15 on.
pub fn sum_targets(sums: Sums) -> &'static [&'static str] {
    match sums {
        Sums::Coloured => &["sum_matte", "sum_f0", "sum_f90"],
        Sums::Grey => &["sum_light"],
    }
}

/// Group 1 of lit items of a camera's pass; `None` where nothing lights them.
pub fn light_group(frame: &mut Frame<'_>, pass: &Pass) -> Option<wgpu::BindGroup> {
    let camera = frame.prepared.plan.camera(pass.view.expect("it is a camera's"));
    let Lit { switches, clusters, .. } = &frame.prepared.lit[camera.0];
    light_group_of(frame, pass, *switches, clusters)
}

/// The same for items that read this of their light, with these lists.
pub fn light_group_of(
    frame: &mut Frame<'_>,
    pass: &Pass,
    switches: Switches,
    clusters: &[u32],
) -> Option<wgpu::BindGroup> {
    light_group_with(frame, pass, switches, (clusters, 0..usize::MAX))
}

/// The same for items that ask a part of the lights.
pub fn light_group_with(
    frame: &mut Frame<'_>,
    pass: &Pass,
    switches: Switches,
    (clusters, asked): (&[u32], Range<usize>),
) -> Option<wgpu::BindGroup> {
    use wgpu::BindingResource::{Sampler, TextureView};
    let camera = frame.prepared.plan.camera(pass.view.expect("it is a camera's"));
    let (look, Lit { maps, .. }) = (&frame.job.looks[camera.0], &frame.prepared.lit[camera.0]);
    let shown = behind::of(frame, pass);
    let entered = entered(frame, pass);
    let reflection = frame.prepared.chains[camera.0].reflection.as_ref().filter(|_| shown.is_some());
    let reflects = reflection.is_some() && frame.prepared.lit[camera.0].mirrors.is_some();
    let switches = Switches { behind: shown.is_some(), subsurface: entered.is_some(), reflects, ..switches };
    if switches == Switches::default() {
        return None;
    }
    let (lights, mut shadow_maps, values) = light_arrays(look, maps);
    if switches.reads_seen() {
        shadow_maps.push(MapUniform::seen(&look.shot.camera));
    }
    let asked = asked.start..asked.end.min(lights.len());
    let lights = frame.array("lights", bytemuck::cast_slice(&lights[asked]));
    let shadow_maps = frame.array("shadow maps", bytemuck::cast_slice(&shadow_maps));
    let (sun, local, compare, surroundings, specular, mirrored, probes, lobes, listed, lists);
    let mut entries = Vec::new();
    if switches.lights {
        entries.push((0, lights.as_entire_binding()));
    }
    if switches.shadows {
        let of = |name| maps_of(frame, pass, name, wgpu::TextureFormat::Depth32Float);
        (sun, local, compare) = (of(SUN_MAPS), of(LOCAL_MAPS), comparison(frame));
        entries.extend([
            (1, shadow_maps.as_entire_binding()),
            (2, TextureView(&sun)),
            (3, TextureView(&local)),
            (4, Sampler(&compare)),
        ]);
    }
    let moments;
    if switches.reads_moments() {
        moments = frame.texture(pass, MOMENTS).create_view(&wgpu::TextureViewDescriptor {
            dimension: Some(wgpu::TextureViewDimension::D2Array),
            ..Default::default()
        });
        entries.push((25, TextureView(&moments)));
    }
    let seen;
    if switches.reads_seen() {
        seen = frame.texture(pass, SEEN_DEPTH).create_view(&wgpu::TextureViewDescriptor::default());
        entries.push((26, TextureView(&seen)));
    }
    let veils;
    if switches.reads_veils() {
        veils = VEILS.map(|name| maps_of(frame, pass, name, wgpu::TextureFormat::Rgba16Float));
        entries.extend((27..).zip(veils.iter().map(TextureView)));
    }
    let (depth_levels, reflecting);
    if let Some((values, amount)) = reflection.filter(|_| reflects) {
        let numbers: Vec<f32> = values.numbers.iter().map(|number| number[0]).chain([*amount, 0.0]).collect();
        reflecting = filled(frame.device(), "reflections", wgpu::BufferUsages::UNIFORM, bytemuck::cast_slice(&numbers));
        depth_levels = frame.texture(pass, DEPTH_LEVELS).create_view(&Default::default());
        entries.extend([(31, reflecting.as_entire_binding()), (32, TextureView(&depth_levels))]);
    }
    let occlusions;
    if switches.occluded {
        occlusions = frame.texture(pass, OCCLUSIONS).create_view(&Default::default());
        entries.push((30, TextureView(&occlusions)));
    }
    if switches.environment {
        surroundings = frame.surroundings();
        let view = |name, dimension| {
            let descriptor = wgpu::TextureViewDescriptor { dimension: Some(dimension), ..Default::default() };
            frame.texture(pass, name).create_view(&descriptor)
        };
        specular = view(SPECULAR, wgpu::TextureViewDimension::CubeArray);
        mirrored = view(RADIANCE, wgpu::TextureViewDimension::Cube);
        entries.extend([
            (5, surroundings.uniform.as_entire_binding()),
            (6, TextureView(&specular)),
            (7, TextureView(&surroundings.albedo)),
            (8, Sampler(&surroundings.sampler)),
            (9, TextureView(&mirrored)),
        ]);
    }
    if switches.probes {
        probes = frame.probes();
        entries.extend([
            (20, probes.uniform.as_entire_binding()),
            (21, TextureView(&probes.specular)),
            (22, TextureView(&probes.mirrored)),
        ]);
    }
    if switches.kinds.reads_lobes() {
        lobes = frame.array("lobes", bytemuck::cast_slice(lobe_table()));
        entries.push((10, lobes.as_entire_binding()));
    }
    if switches.kinds.reads_values() {
        listed = frame.array("values of lights", bytemuck::cast_slice(&values));
        entries.push((11, listed.as_entire_binding()));
    }
    if switches.asks != Asks::All {
        lists = match switches.asks {
            Asks::Tiles => frame.buffer(pass, TILES),
            _ => frame.array("clusters", bytemuck::cast_slice(clusters)),
        };
        entries.push((12, lists.as_entire_binding()));
    }
    let summed = switches.sums.map_or(&[][..], sum_targets);
    let summed: Vec<_> = summed.iter().map(|name| frame.texture(pass, name).create_view(&Default::default())).collect();
    entries.extend((15..).zip(summed.iter().map(TextureView)));
    let (shown_view, shown_sampler);
    if let Some(shown) = &shown {
        shown_view = shown.create_view(&wgpu::TextureViewDescriptor::default());
        shown_sampler = behind::sampler(frame);
        entries.extend([(13, TextureView(&shown_view)), (14, Sampler(&shown_sampler))]);
    }
    if let Some([light, depth]) = &entered {
        entries.extend([(23, TextureView(light)), (24, TextureView(depth))]);
    }
    let (functions, function_sampler);
    if switches.kinds.has_functions() {
        functions = frame.texture(pass, FUNCTIONS).create_view(&wgpu::TextureViewDescriptor {
            dimension: Some(wgpu::TextureViewDimension::D2Array),
            ..Default::default()
        });
        function_sampler = frame.device().create_sampler(&wgpu::SamplerDescriptor {
            label: Some(FUNCTIONS),
            address_mode_u: wgpu::AddressMode::Repeat,
            address_mode_v: wgpu::AddressMode::Repeat,
            mag_filter: wgpu::FilterMode::Linear,
            min_filter: wgpu::FilterMode::Linear,
            ..Default::default()
        });
        entries.extend([(18, TextureView(&functions)), (19, Sampler(&function_sampler))]);
    }
    let layout = frame.layout("lights", &light_entries(switches));
    Some(group(frame.device(), "lights", &layout, &entries))
}

/// The light that enters surfaces, where a pass gathers it.
fn entered(frame: &Frame<'_>, pass: &Pass) -> Option<[wgpu::TextureView; 2]> {
    let plan = &frame.prepared.plan;
    let read = |name: &str| {
        let is_read = |usage: &&Use| usage.how == How::Sample && plan.targets[usage.target.0].name == name;
        let usage = pass.uses.iter().find(is_read)?;
        Some(frame.texture_of(usage.target).create_view(&wgpu::TextureViewDescriptor::default()))
    };
    let [light, depth] = IRRADIANCE.map(read);
    Some([light?, depth?])
}

/// The array of this kind of maps, or a stand-in where nothing casts into one: the shader still names it.
fn maps_of(frame: &Frame<'_>, pass: &Pass, name: &str, format: wgpu::TextureFormat) -> wgpu::TextureView {
    let texture = frame.try_texture(pass, name).unwrap_or_else(|| {
        frame.device().create_texture(&wgpu::TextureDescriptor {
            label: Some("no map"),
            size: wgpu::Extent3d { width: 1, height: 1, depth_or_array_layers: 1 },
            mip_level_count: 1,
            sample_count: 1,
            dimension: wgpu::TextureDimension::D2,
            format,
            usage: wgpu::TextureUsages::TEXTURE_BINDING | wgpu::TextureUsages::RENDER_ATTACHMENT,
            view_formats: &[],
        })
    });
    texture.create_view(&wgpu::TextureViewDescriptor {
        dimension: Some(wgpu::TextureViewDimension::D2Array),
        ..Default::default()
    })
}

fn comparison(frame: &Frame<'_>) -> wgpu::Sampler {
    frame.device().create_sampler(&wgpu::SamplerDescriptor {
        label: Some("shadow comparison"),
        mag_filter: wgpu::FilterMode::Linear,
        min_filter: wgpu::FilterMode::Linear,
        // Lit where the surface is as near to the light as the map says, or nearer.
        compare: Some(match frame.fault().has(StateEdit::ShadowReversed) {
            true => wgpu::CompareFunction::Less,
            false => wgpu::CompareFunction::GreaterEqual,
        }),
        ..Default::default()
    })
}

fn light_arrays(look: &Look<'_>, maps: &Maps) -> (Vec<LightUniform>, Vec<MapUniform>, Vec<f32>) {
    let of = |index: usize| maps.of_light.get(index).copied().flatten();
    let mut values = Vec::new();
    let lights = look.shot.lights.iter().enumerate();
    let lights = lights.map(|(index, light)| {
        let first = values.len() as u32;
        values.extend((light::row(&light.kind).values)(light));
        LightUniform::new(light, of(index), first)
    });
    let lights = lights.collect();
    let map = |(view, extent): (&MapView, &Extent)| MapUniform::new((view, extent), maps.array(view.bank).width_px());
    (lights, maps.views.iter().zip(&maps.extents).map(map).collect(), values)
}
