//! Probe: a pass that nothing else knows. This file and its row are all it takes.

use glam::Vec3;

use super::super::bind::TEXTURE_RAW;
use super::super::cover::{Cover, cover};
use super::super::frame::Frame;
use super::super::pass::scene::LINEAR_FLOAT;
use super::super::prepared::Wish;
use super::super::row::{Declare, Row};
use super::super::stretch::Stretch;
use super::super::{ROWS, texts};
use super::stage::{Bench, Stage, look, names, output};
use crate::frame::{Format, How, Part, Pass, Planner, Target, Use, ViewId};

/// Ten times the light.
const ROW: Row = Row {
    name: "probe",
    declare: Declare::EachCamera(declare),
    record,
    texts: |_, _, _| vec![("probe".to_string(), text())],
};

const PROBE: &str = "probe";

fn text() -> String {
    "@group(0) @binding(0) var light: texture_2d<f32>;
@vertex fn screen(@builtin(vertex_index) index: u32) -> @builtin(position) vec4f {
    return vec4f(f32(index & 1u) * 4.0 - 1.0, f32(index & 2u) * 2.0 - 1.0, 0.0, 1.0);
}
@fragment fn ten(@builtin(position) position: vec4f) -> @location(0) vec4f {
    return textureLoad(light, vec2u(position.xy), 0) * 10.0;
}
"
    .to_string()
}

fn declare(_: &Wish<'_>, view: ViewId, planner: &mut Planner) {
    let target = planner.add_flat(view, Target::texture(PROBE, Format::Rgba32Float, [0; 2]));
    let mut uses = planner.sampled(Some(view), &[LINEAR_FLOAT]);
    uses.push(Use { target, part: Part::WHOLE, how: How::Attach { clear: true, keep: true } });
    planner.layer(PROBE.to_string(), target, Part::WHOLE);
    planner.pass(ROW.name, ROW.name.to_string(), Some(view), uses, Vec::new());
}

fn record(frame: &mut Frame<'_>, encoder: &mut wgpu::CommandEncoder, pass: &Pass, stretch: &Stretch) {
    let linear = frame.texture(pass, LINEAR_FLOAT).create_view(&wgpu::TextureViewDescriptor::default());
    let bound = &[(0, TEXTURE_RAW, wgpu::BindingResource::TextureView(&linear))];
    let shown = Cover { name: ROW.name, text: text(), fragment: "ten", bound, over: false };
    cover(frame, encoder, (pass, stretch), shown);
}

/// It is in the plan and its dump, among the captures, the texts and the layers.
#[test]
fn a_pass_is_one_row() {
    let rows: Vec<Row> = ROWS.iter().copied().chain([ROW]).collect();
    let stage = Stage::new();
    let layers = names(&["linear", "probe"]);
    let (shot, output) = (stage.shot(Vec3::new(2.0, 1.5, 4.0), 1.5), output([48, 32], 4));
    let looks = [look(&shot, &output, &layers)];
    let job = stage.job(&looks);
    let (prepared, drawn) = Bench::new().draw(&job, &rows);
    let dump = prepared.plan.to_string();
    assert!(dump.contains(" probe  reads linear_float  writes probe\n"), "{dump}");
    assert!(dump.contains("\nculled scene, encode, aov, motion\n"), "{dump}");
    assert!(dump.contains("  probe        Rgba32Float 48x32  lives "), "{dump}");
    assert!(dump.contains("\noutputs linear_float, probe\n"), "{dump}");
    assert!(texts(&job, &rows, &prepared).iter().any(|(name, _)| name == "probe"));
    let last = drawn.captures.last().unwrap();
    assert_eq!(last.name, "probe");

    let layer = |name| drawn.texels(prepared.plan.layer(ViewId(0), name).unwrap());
    let linear: Vec<f32> = bytemuck::pod_collect_to_vec(&layer("linear").bytes);
    let probe: Vec<f32> = bytemuck::pod_collect_to_vec(&layer("probe").bytes);
    assert!(linear.iter().map(|value| value * 10.0).eq(probe.iter().copied()));
    assert!(probe.iter().any(|value| *value > 0.1));

    // Nobody asks: it does not run, and the dump says so.
    let layers = names(&["color"]);
    let looks = [look(&shot, &output, &layers)];
    let (prepared, drawn) = Bench::new().draw(&stage.job(&looks), &rows);
    assert!(prepared.plan.to_string().contains("\nculled scene float, aov, motion, probe\n"), "{}", prepared.plan);
    assert!(drawn.captures.iter().all(|pass| pass.name != "probe"));
}
