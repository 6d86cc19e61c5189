//! Memory of targets: shared, apart, poisoned; and what later pictures find.

use glam::Vec3;

use super::super::prepared::Wish;
use super::super::stretch::Stretch;
use super::super::{Capture, Declare, Frame, Job, Memory, ROWS, Row, no_texts};
use super::stage::{Bench, Stage, look, names, output};
use crate::frame::{Format, How, Part, Pass, Planner, Target, Use, ViewId};

#[test]
fn no_texel_depends_on_memory() {
    let stage = Stage::new();
    let layers = names(&["color", "depth", "motion", "linear", "shadow.1", "radiance.2", "specular.1"]);
    let shots = [stage.shot(Vec3::new(2.0, 1.5, 4.0), 1.5), stage.shot(Vec3::new(-3.0, 2.5, 2.0), 1.5)];
    for samples in [1, 4] {
        let output = output([72, 48], samples);
        let looks = [look(&shots[0], &output, &layers), look(&shots[1], &output, &layers)];
        let mut drawn = Vec::new();
        for (shares, poison) in [(true, false), (false, false), (true, true), (false, true)] {
            for capture in [Capture::Passes, Capture::Draws] {
                let job = Job { memory: Memory { shares, poison }, capture, ..stage.job(&looks) };
                let (prepared, picture) = Bench::new().draw(&job, ROWS);
                assert_eq!(prepared.plan.held_bytes() < prepared.plan.target_bytes(), shares, "{}", prepared.plan);
                let passes: Vec<_> = picture.captures.iter().map(|pass| (pass.name.clone(), pass.hash)).collect();
                drawn.push(((shares, poison, capture), picture.outputs, passes));
            }
        }
        for (how, outputs, passes) in &drawn[1..] {
            assert!(*outputs == drawn[0].1, "outputs differ, {samples} samples, {how:?}");
            assert_eq!(*passes, drawn[0].2, "{samples} samples, {how:?}");
        }
    }
}

/// A pass that writes the left half of its target, and says that it does not clear it.
const HALF: Row = Row {
    name: "half",
    declare: Declare::EachCamera(|_: &Wish<'_>, view: ViewId, planner: &mut Planner| {
        let target = planner.add_flat(view, Target::texture("half", Format::Rgba16Float, [0; 2]));
        let usage = Use { target, part: Part::WHOLE, how: How::CopyTo };
        planner.layer("half".to_string(), target, Part::WHOLE);
        planner.pass("half", "half".to_string(), Some(view), vec![usage], Vec::new());
    }),
    record: |frame: &mut Frame<'_>, encoder: &mut wgpu::CommandEncoder, pass: &Pass, _: &Stretch| {
        let texture = frame.texture(pass, "half");
        let (width, height) = (texture.width() / 2, texture.height());
        let bytes = super::super::bind::filled(
            frame.device(),
            "zeros",
            wgpu::BufferUsages::COPY_SRC,
            &vec![0; 256 * height as usize],
        );
        let layout = wgpu::TexelCopyBufferLayout { offset: 0, bytes_per_row: Some(256), rows_per_image: None };
        let from = wgpu::TexelCopyBufferInfo { buffer: &bytes, layout };
        let size = wgpu::Extent3d { width, height, depth_or_array_layers: 1 };
        encoder.copy_buffer_to_texture(from, texture.as_image_copy(), size);
    },
    texts: no_texts,
};

/// What a pass forgets to write shows, where memory is poisoned.
#[test]
fn poison_shows_what_is_not_written() {
    let stage = Stage::new();
    let layers = names(&["half"]);
    let (shot, output) = (stage.shot(Vec3::new(2.0, 1.5, 4.0), 2.0), output([32, 16], 1));
    let looks = [look(&shot, &output, &layers)];
    for poison in [false, true] {
        let job = Job { memory: Memory { shares: true, poison }, ..stage.job(&looks) };
        let (prepared, drawn) = Bench::new().draw(&job, &[HALF]);
        let halves: Vec<u16> =
            bytemuck::pod_collect_to_vec(&drawn.texels(prepared.plan.layer(ViewId(0), "half").unwrap()).bytes);
        let nan = |half: &u16| half & 0x7FFF > 0x7C00;
        let [left, right] = [0..16, 16..32].map(|columns: std::ops::Range<usize>| {
            let texels = halves.chunks_exact(4).enumerate().filter(|(at, _)| columns.contains(&(at % 32)));
            texels.flat_map(|(_, texel)| texel).filter(|half| nan(half)).count()
        });
        assert_eq!((left, right), (0, if poison { 16 * 16 * 4 } else { 0 }));
    }
}

/// A later picture of a sitting makes neither the light from around nor a pipeline again, and is the same to the bit.
#[test]
fn what_is_made_once_is_not_made_again() {
    let stage = Stage::new();
    let layers = names(&["color"]);
    let (shot, output) = (stage.shot(Vec3::new(2.0, 1.5, 4.0), 1.5), output([72, 48], 4));
    let looks = [look(&shot, &output, &layers)];
    let job = stage.job(&looks);
    let mut bench = Bench::new();
    let (first_prepared, first) = bench.draw(&job, ROWS);
    let made = bench.uploads.shaders.counts();
    let (later_prepared, later) = bench.draw(&job, ROWS);
    assert_eq!(bench.uploads.shaders.counts(), made);
    // Light from around, and two depth maps.
    let (around, maps) = (4, 2);
    assert_eq!(first_prepared.plan.passes.len(), later_prepared.plan.passes.len() + around + maps);
    assert!(first.outputs.iter().zip(&later.outputs).all(|(a, b)| a.1 == b.1));
    // Passes that ran only once count as they were.
    assert_eq!(first.captures, later.captures);
    // Where the light from around is looked at, it is made again.
    let layers = names(&["color", "specular.1"]);
    let looks = [look(&shot, &output, &layers)];
    let (prepared, again) = bench.draw(&stage.job(&looks), ROWS);
    assert_eq!(prepared.plan.passes.len(), first_prepared.plan.passes.len() - maps);
    assert_eq!(again.captures, first.captures);
}
