//! Lists of lights that the device makes, and what methods of lighting show.

use glam::{DVec3, Vec3};
use proptest::prelude::*;
use stillframe_base::par::Pool;

use super::super::readback::record_part;
use super::super::{Caps, Frame, Job, ROWS, Refused, draw, prepare};
use super::stage::{Bench, Stage, look, names, output};
use crate::frame::{Part, ViewId};
use crate::scene::{LightKind, LightingMethod, RenderOptions};
use crate::view::{Shot, ShotLight};

fn lamp(position: Vec3, range_m: Option<f32>) -> ShotLight {
    ShotLight {
        name: String::new(),
        kind: LightKind::point(1.0, range_m),
        color: [1.0; 3],
        position,
        direction: Vec3::NEG_Z,
        across: Vec3::X,
        shadow: None,
        file: None,
        function: None,
    }
}

fn by(lighting: LightingMethod) -> RenderOptions {
    RenderOptions { lighting, ..RenderOptions::default() }
}

/// The words of the lists of a shot, and the depth that is seen.
fn lists(bench: &mut Bench, job: &Job<'_>) -> (Vec<u32>, Vec<f32>) {
    let prepared = prepare(job, ROWS, &bench.gpu.caps, &mut bench.uploads).unwrap();
    let mut frame = Frame::load(&bench.gpu, job, &prepared, &mut bench.uploads, &Pool::new(1)).unwrap();
    let drawn = draw(&mut frame, ROWS, &mut |_| ()).and_then(|drawing| drawing.read(&frame)).unwrap();
    let id = prepared.plan.target(Some(ViewId(0)), "tiles").expect("lists are made");
    let mut encoder = bench.gpu.device.create_command_encoder(&wgpu::CommandEncoderDescriptor::default());
    let copy = record_part(&bench.gpu.device, &mut encoder, frame.stored(id), Part::WHOLE);
    bench.gpu.queue.submit([encoder.finish()]);
    let words = bytemuck::pod_collect_to_vec(&copy.take(&bench.gpu).unwrap());
    let texels: Vec<f32> =
        bytemuck::pod_collect_to_vec(&drawn.texels(prepared.plan.layer(ViewId(0), "depth").unwrap()).bytes);
    (words, texels.chunks_exact(4).map(|texel| texel[3]).collect())
}

/// Where a pixel's centre at a depth is, in f64.
fn point(shot: &Shot, [x, y]: [u32; 2], [width, height]: [u32; 2], depth_m: f32) -> DVec3 {
    let clip = shot.camera.clip_from_view.as_dmat4();
    let ndc = |at: u32, size: u32| 2.0 * (f64::from(at) + 0.5) / f64::from(size) - 1.0;
    let depth_m = f64::from(depth_m);
    let in_view =
        DVec3::new(ndc(x, width) * depth_m / clip.x_axis.x, -ndc(y, height) * depth_m / clip.y_axis.y, -depth_m);
    shot.camera.view_from_world.as_dmat4().inverse().transform_point3(in_view)
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(16))]

    /// Every light whose range holds what a pixel shows is in the list of its tile, once, in rising order.
    #[test]
    fn tiles_list_every_light_in_range(
        deferred: bool,
        eye in [-3.0f32..3.0, 0.3f32..3.0, 2.0f32..5.0].prop_map(Vec3::from),
        lamps in prop::collection::vec(
            ([-4.0f32..4.0, -1.0f32..3.0, -4.0f32..4.0].prop_map(Vec3::from), 0.05f32..3.0),
            1..40,
        ),
        size_px in [17u32..100, 17u32..100],
    ) {
        let stage = Stage::new();
        let mut shot = stage.shot(eye, size_px[0] as f32 / size_px[1] as f32);
        let everywhere = |at: usize| at % 16 == 3;
        let made = |(at, (position, range_m)): (usize, &(Vec3, f32))| {
            lamp(*position, Some(*range_m).filter(|_| !everywhere(at)))
        };
        shot.lights = lamps.iter().enumerate().map(made).collect();
        let (layers, output) = (names(&["color", "depth"]), output(size_px, 1));
        let looks = [look(&shot, &output, &layers)];
        let method = if deferred { LightingMethod::TiledDeferred } else { LightingMethod::ForwardPlus };
        let job = Job { options: by(method), ..stage.job(&looks) };
        let (words, depths) = lists(&mut Bench::new(), &job);
        let [tile_px, columns, stride, _] = std::array::from_fn(|at| words[at]);
        prop_assert_eq!(stride as usize, lamps.len() + 1);
        for (at, depth_m) in depths.iter().enumerate().filter(|(_, depth_m)| **depth_m > 0.0) {
            let pixel = [at as u32 % size_px[0], at as u32 / size_px[0]];
            let begin = (4 + (pixel[1] / tile_px * columns + pixel[0] / tile_px) * stride) as usize;
            let list = &words[begin + 1..][..words[begin] as usize];
            prop_assert!(list.is_sorted_by(|a, b| a < b), "{:?}", list);
            let seen = point(&shot, pixel, size_px, *depth_m);
            for (light, (position, range_m)) in lamps.iter().enumerate() {
                let reaches = position.as_dvec3().distance(seen) < f64::from(*range_m) || everywhere(light);
                prop_assert!(!reaches || list.contains(&(light as u32)), "{light} at {pixel:?}");
            }
        }
    }
}

/// Lists are worth their making: what is far from everything seen in a tile is not in its list.
#[test]
fn tiles_leave_out_what_cannot_reach() {
    let stage = Stage::new();
    let mut shot = stage.shot(Vec3::new(1.0, 2.0, 5.0), 1.0);
    shot.blended.clear();
    let place = |at: i32| Vec3::new((at % 8) as f32 - 3.5, 0.2, (at / 8) as f32 - 3.5);
    shot.lights = (0..64).map(|at| lamp(place(at), Some(0.5))).collect();
    let (layers, output) = (names(&["color", "depth"]), output([128, 128], 1));
    let looks = [look(&shot, &output, &layers)];
    let job = Job { options: by(LightingMethod::ForwardPlus), ..stage.job(&looks) };
    let (words, _) = lists(&mut Bench::new(), &job);
    let counts: Vec<u32> = words[4..].chunks_exact(65).map(|tile| tile[0]).collect();
    assert_eq!(counts.len(), 64);
    let mean = counts.iter().sum::<u32>() as f32 / 64.0;
    assert!(mean > 1.0 && mean < 8.0, "{mean}");
    // Nothing is seen above the horizon.
    assert_eq!(counts[0], 0);
}

/// 72 bytes a pixel are more than every device can draw into; 32 are not.
#[test]
fn storing_surfaces_is_refused_where_pixels_are_too_small() {
    let stage = Stage::new();
    let shot = stage.shot(Vec3::new(2.0, 1.5, 4.0), 1.5);
    let (layers, output) = (names(&["color"]), output([48, 32], 1));
    let looks = [look(&shot, &output, &layers)];
    for (lighting, bytes_max, wanted) in [
        (LightingMethod::Deferred, 71, Some(72)),
        (LightingMethod::Deferred, 72, None),
        (LightingMethod::TiledDeferred, 32, Some(72)),
        (LightingMethod::DeferredPacked, 31, Some(32)),
        (LightingMethod::DeferredPacked, 32, None),
        (LightingMethod::ForwardPlus, 32, None),
    ] {
        let caps = Caps { attachment_bytes_max: bytes_max, ..Caps::SOFT };
        let job = Job { options: by(lighting), ..stage.job(&looks) };
        let found = prepare(&job, ROWS, &caps, &mut Bench::new().uploads).map(|_| ());
        let what = "bytes a pixel of all pictures that a pass draws into";
        let too_much = |wanted| Refused::TooMuch { what, wanted, most: bytes_max.into() };
        assert_eq!(found.err(), wanted.map(too_much), "{lighting:?} {bytes_max}");
    }
}
