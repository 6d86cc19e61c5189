//! Table: what each way of keeping a clip takes and misses: `cargo test -p stillframe-anim --test jobs compress::table
//! -- --nocapture`.
//!
//! Sizes against f32, ten numbers a joint and key. Errors at four moments a key, at the worst joint.

use stillframe_anim::RawClip;
use stillframe_anim::compress::book::BookClip;
use stillframe_anim::compress::compress_raw;
use stillframe_anim::pose::{JointBlock, Trs};
use stillframe_anim::sample::{Baking, DTrs, RawPose, Sample, Skeleton, bake_raw};
use stillframe_base::lanes::Isa;
use stillframe_base::tick::{FrameRate, Tick};
use stillframe_testkit::clips;

use super::playing::{errors_m, joints_of, play, within};

/// Bytes and the worst error in metres.
#[derive(Clone, Copy)]
struct Cell {
    bytes: usize,
    worst_m: f64,
}

const WAYS: [&str; 4] = ["ours 0.2 mm", "uniform 16 bit", "book 30 Hz", "book 15 Hz"];

fn measured(raw: &RawClip, skeleton: &Skeleton, bytes: usize, mut play: impl FnMut(Tick) -> Vec<DTrs>) -> Cell {
    let pose = RawPose::new(raw, skeleton).expect("well formed");
    let mut want = vec![DTrs::from(Trs::IDENTITY); clips::JOINTS];
    let mut worst_m = 0.0;
    for at in (0..=pose.duration().0).step_by(clips::KEY_TICKS as usize / 4).map(Tick) {
        pose.sample(at, &mut want);
        worst_m = errors_m(skeleton.parents(), &want, play(at).into_iter()).into_iter().fold(worst_m, f64::max);
    }
    Cell { bytes, worst_m }
}

fn row(raw: &RawClip, skeleton: &Skeleton) -> [Cell; 4] {
    let (ours, report) = compress_raw(raw, skeleton, &within(0.2e-3)).expect("within the bound");
    let ours =
        measured(raw, skeleton, report.bytes, |at| joints_of(&play(Isa::detect(), &ours, at), clips::JOINTS).collect());
    let baking = Baking { rate: FrameRate::whole(30), object_error_max_m: None };
    let (uniform, _) = bake_raw(raw, skeleton, &baking).expect("well formed");
    let mut blocks = skeleton.rest_blocks();
    let uniform = measured(raw, skeleton, uniform.bytes(), |at| {
        Sample { isa: Isa::detect(), clip: &uniform, at, out: &mut blocks }.run();
        joints_of(&blocks, clips::JOINTS).collect()
    });
    let [book_30, book_15] = [30, 15].map(|rate| {
        let pose = RawPose::new(raw, skeleton).expect("well formed");
        let mut source = |at, out: &mut [DTrs]| pose.sample(at, out);
        let book = BookClip::new(skeleton, pose.duration(), FrameRate::whole(rate), &mut source).expect("finite");
        let mut out = vec![DTrs::from(Trs::IDENTITY); clips::JOINTS];
        measured(raw, skeleton, book.bytes(), |at| {
            book.sample(at, &mut out);
            out.clone()
        })
    });
    assert_eq!(blocks.len(), JointBlock::count_for(clips::JOINTS));
    [ours, uniform, book_30, book_15]
}

#[test]
fn the_table() {
    let skeleton = clips::skeleton();
    let (mut raw_bytes, mut bytes) = (0, [0; WAYS.len()]);
    println!("{:9}{}", "", WAYS.map(|way| format!("{way:>24}")).concat());
    for raw in clips::all() {
        let keys = (raw.end.0 / clips::KEY_TICKS + 1) as usize;
        let of_clip = 40 * clips::JOINTS * keys;
        let row = row(&raw, &skeleton);
        let show =
            |cell: Cell| format!("{:>10.1}:1 {:>9.4} mm", of_clip as f64 / cell.bytes as f64, cell.worst_m * 1e3);
        println!("{:9}{}", raw.name, row.map(show).concat());
        raw_bytes += of_clip;
        bytes.iter_mut().zip(row).for_each(|(sum, cell)| *sum += cell.bytes);
        let [ours, uniform, book_30, book_15] = row;
        assert!(ours.worst_m <= 0.2e-3, "{}: {} m", raw.name, ours.worst_m);
        assert!(ours.bytes < uniform.bytes && ours.bytes < book_30.bytes, "{}", raw.name);
        // What the book's scheme costs: one range for a clip that travels, frames left out, 0.0035 degrees up a chain.
        match raw.name.as_str() {
            "far root" => assert!(book_30.worst_m > 5e-3, "{}", book_30.worst_m),
            "static" => {}
            _ => assert!(book_15.worst_m > 10.0 * ours.worst_m || raw.name == "idle" || raw.name == "long"),
        }
    }
    let ratios = bytes.map(|bytes| raw_bytes as f64 / bytes as f64);
    println!("{:9}{}", "all", ratios.map(|ratio| format!("{ratio:>10.1}:1 {:>12}", "")).concat());
    assert!(ratios[0] >= 24.0, "{ratios:?}");
}
