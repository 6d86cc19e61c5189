//! Stored surfaces: what packing them costs.

use glam::{DVec3, Vec3};
use stillframe_base::math::ops64;
use stillframe_base::par::Pool;

use super::super::readback::record_part;
use super::super::{Frame, Job, ROWS, draw, prepare};
use super::stage::{Bench, Stage, look, names, output};
use crate::frame::{Part, ViewId};
use crate::scene::{LightingMethod, RenderOptions};

/// Bytes of targets after a picture by a method.
fn stored(stage: &Stage, lighting: LightingMethod, targets: &[&str]) -> Vec<Vec<u8>> {
    let mut bench = Bench::new();
    let shot = stage.shot(Vec3::new(2.0, 1.5, 4.0), 1.5);
    let (layers, output) = (names(&["color"]), output([96, 64], 1));
    let looks = [look(&shot, &output, &layers)];
    let mut job = stage.job(&looks);
    job.options = RenderOptions { lighting, ..RenderOptions::default() };
    // Every target is as it was left.
    job.memory.shares = false;
    let job: Job<'_> = job;
    let prepared = prepare(&job, ROWS, &bench.gpu.caps, &mut bench.uploads).unwrap();
    let mut frame = Frame::load(&bench.gpu, &job, &prepared, &mut bench.uploads, &Pool::new(1)).unwrap();
    draw(&mut frame, ROWS, &mut |_| ()).and_then(|drawing| drawing.read(&frame)).unwrap();
    let read = |name: &&str| {
        let id = prepared.plan.target(Some(ViewId(0)), name).expect("it is stored");
        let mut encoder = bench.gpu.device.create_command_encoder(&wgpu::CommandEncoderDescriptor::default());
        let copy = record_part(&bench.gpu.device, &mut encoder, frame.stored(id), Part::WHOLE);
        bench.gpu.queue.submit([encoder.finish()]);
        copy.take(&bench.gpu).unwrap()
    };
    targets.iter().map(read).collect()
}

/// As IEC 61966-2-1 has it.
fn encoded(linear: f64) -> f64 {
    if linear <= 0.003_130_8 { 12.92 * linear } else { 1.055 * ops64::pow(linear, 1.0 / 2.4) - 0.055 }
}

/// A normal from 16 bits a side of the octahedron, in f64.
fn unfolded(word: u32) -> DVec3 {
    let [x, y] = [word & 0xffff, word >> 16].map(|side| f64::from(side) / 32767.0 - 1.0);
    let z = 1.0 - x.abs() - y.abs();
    let fold = |own: f64, other: f64| if z < 0.0 { (1.0 - other.abs()) * own.signum() } else { own };
    DVec3::new(fold(x, y), fold(y, x), z).normalize()
}

/// Base colour within 1/510 of sRGB, normals within 0.004 degrees, roughness and metalness within 1/8190.
#[test]
fn packed_surfaces_are_the_exact_ones_within_their_bounds() {
    let mut stage = Stage::new();
    for (at, material) in stage.store.materials.as_mut_slice().iter_mut().enumerate() {
        (material.roughness, material.metallic) = ([0.123, 0.777, 0.5][at], [0.4567, 0.9, 0.0][at]);
    }
    let exact = ["base_depth", "normal_roughness", "mesh_normal_metallic", "numbers"];
    let exact = stored(&stage, LightingMethod::Deferred, &exact);
    let packed = stored(&stage, LightingMethod::DeferredPacked, &["packed_base_occlusion", "packed_shape", "numbers"]);
    assert_eq!(exact[3], packed[2], "numbers");
    let floats = |bytes: &[u8]| -> Vec<f32> { bytemuck::pod_collect_to_vec(bytes) };
    let [base, normal, metal] = [0, 1, 2].map(|at| floats(&exact[at]));
    let shape: Vec<u32> = bytemuck::pod_collect_to_vec(&packed[1]);
    let numbers: Vec<u32> = bytemuck::pod_collect_to_vec(&packed[2]);
    let mut seen = 0;
    for pixel in (0..96 * 64).filter(|pixel| numbers[2 * pixel] != 0) {
        seen += 1;
        for channel in 0..3 {
            let want = encoded(f64::from(base[4 * pixel + channel]));
            let off = (f64::from(packed[0][4 * pixel + channel]) / 255.0 - want).abs();
            assert!(off <= 1.0 / 510.0 + 1e-4, "{pixel}: {off}");
        }
        let want = DVec3::from([0, 1, 2].map(|axis| f64::from(normal[4 * pixel + axis]))).normalize();
        let off_deg = ops64::asin(want.cross(unfolded(shape[2 * pixel])).length()).to_degrees();
        assert!(off_deg <= 0.004, "{pixel}: {off_deg} degrees");
        let word = shape[2 * pixel + 1];
        for (bits, want) in [(word & 0xfff, normal[4 * pixel + 3]), (word >> 12, metal[4 * pixel + 3])] {
            let off = (f64::from(bits) / 4095.0 - f64::from(want)).abs();
            assert!(off <= 1.0 / 8190.0 + 1e-7, "{pixel}: {off}");
        }
    }
    assert!(seen > 1000, "{seen}");
}
