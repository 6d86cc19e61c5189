//! Moments: functions of a map's depths, averaged across and down.

use super::super::bind::{DEPTH_ARRAY, FRAGMENT, TEXTURE_RAW, UNIFORM, filled, group};
use super::super::frame::Frame;
use super::super::job::Job;
use super::super::map::{keep_inside, map_of};
use super::super::prepared::{Prepared, Wish};
use super::super::row::{Declare, Row};
use super::super::shaders::Screen;
use super::super::stretch::Stretch;
use crate::frame::{Draw, Eye, Format, How, Part, Pass, Planner, Target, TargetId, Use, ViewId};
use crate::light::{Bank, MapArray, MapView};
use crate::scene::{ShadowReads, ShadowTechnique};
use crate::shader;

pub const ROW: Row = Row { name: "moments", declare: Declare::ByOthers, record, texts };

/// Depths that they are made of.
pub const MOMENT_MAPS: &str = "moment_maps";
/// An array of blurred moments.
pub const MOMENTS: &str = Bank::Moments.maps();
/// Averaged across alone.
const ROWS: &str = "moment_rows";

const ACROSS: &str = "moments_across";
const DOWN: &str = "moments_down";

/// Two passes a map. `drawn`: the map's view, the map, its number in names.
pub fn declare(
    wish: &Wish<'_>,
    camera: ViewId,
    planner: &mut Planner,
    (depths, array): (TargetId, MapArray),
    drawn: &[(ViewId, &MapView, usize)],
) {
    let texture =
        |name| Target { view: Some(camera), ..Target::texture(name, Format::Rgba32Float, [array.width_px(); 2]) };
    let rows = planner.add_target(texture(ROWS));
    let life = wish.map_life(camera, Bank::Moments, MOMENTS);
    let moments = planner.add_target(Target { layers: array.layers, life, ..texture(MOMENTS) });
    for (view, map, number) in drawn {
        let part = Part::layer(map.layer.expect("it is drawn"));
        let read = Use { target: depths, part, how: How::Sample };
        let across = Use { target: rows, part: Part::WHOLE, how: How::Attach { clear: true, keep: true } };
        let name = |way: &str| format!("{} {way} {number}", ROW.name);
        planner.pass(ROW.name, name("across"), Some(*view), vec![read, across], vec![Draw::Screen(ACROSS)]);
        let read = Use { target: rows, part: Part::WHOLE, how: How::Sample };
        let down = Use { target: moments, part, how: How::Attach { clear: map.is_first(), keep: true } };
        planner.pass(ROW.name, name("down"), Some(*view), vec![read, down], vec![Draw::Screen(DOWN)]);
    }
}

fn text(technique: ShadowTechnique) -> String {
    let ShadowReads::Moments { of } = technique.row().reads else { unreachable!("it reads moments") };
    shader::moments(of)
}

fn texts(_: &Job<'_>, prepared: &Prepared, pass: &Pass) -> Vec<(String, String)> {
    let view = pass.view.expect("it is a map's");
    let Eye::Map { camera, map } = prepared.plan.views[view.0].eye else { unreachable!("it is a map's") };
    let technique = prepared.lit[camera.0].maps.views[map].shadow.technique;
    vec![(format!("{} {}", ROW.name, technique.row().name), text(technique))]
}

fn record(frame: &mut Frame<'_>, encoder: &mut wgpu::CommandEncoder, pass: &Pass, stretch: &Stretch) {
    let map = map_of(frame, pass);
    let is_across = pass.draws == [Draw::Screen(ACROSS)];
    let layer = map.layer.expect("it is drawn");
    // `Blur` of `shader/moments.wgsl`.
    let own = map.shadow.own;
    let words = [map.corner_px[0], map.corner_px[1], map.size_px, layer, own[0] as u32, u32::from(map.eye.is_none())];
    let mut bytes: Vec<u8> = words.iter().flat_map(|word| word.to_le_bytes()).collect();
    bytes.extend(map.span_m.iter().chain(&own).flat_map(|number| number.to_le_bytes()));
    let uniform = filled(frame.device(), ROW.name, wgpu::BufferUsages::UNIFORM, &bytes);
    let (read, ty, dimension, fragment) = match is_across {
        true => (MOMENT_MAPS, DEPTH_ARRAY, wgpu::TextureViewDimension::D2Array, ACROSS),
        false => (ROWS, TEXTURE_RAW, wgpu::TextureViewDimension::D2, DOWN),
    };
    let descriptor = wgpu::TextureViewDescriptor { dimension: Some(dimension), ..Default::default() };
    let read = frame.texture(pass, read).create_view(&descriptor);
    let binding = if is_across { 1 } else { 2 };
    let layout = frame.layout(fragment, &[(0, FRAGMENT, UNIFORM), (binding, FRAGMENT, ty)]);
    let bound = [(0, uniform.as_entire_binding()), (binding, wgpu::BindingResource::TextureView(&read))];
    let group = group(frame.device(), fragment, &layout, &bound);
    let pipeline = frame.screen(Screen {
        name: fragment,
        text: text(map.shadow.technique),
        fragment,
        groups: &[&layout],
        formats: frame.prepared.plan.colors(pass),
        samples: 1,
        behind: false,
        over: false,
    });
    let mut render = frame.begin(encoder, pass, stretch);
    keep_inside(&mut render, map);
    render.set_pipeline(&pipeline);
    render.set_bind_group(0, &group, &[]);
    render.draw(0..3, 0..1);
}
