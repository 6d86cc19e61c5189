//! Every picture must be its reference to the bit. A new one: `STILLFRAME_UPDATE=missing cargo test`, look at it,
//! commit it.

use plain_wgpu::{Renderer, SIDE_PX};
use stillframe_frames::testing::Tests;
use stillframe_frames::{Picture, Samples};
use stillframe_soft::Options;

fn cube(turn_rad: f32, options: &Options) -> Picture {
    let renderer = Renderer::new(&stillframe_soft::instance(options));
    let bytes = renderer.read(&renderer.draw(turn_rad));
    Picture::new(SIDE_PX, SIDE_PX, 4, Samples::U8(bytes)).expect("four bytes a pixel")
}

fn tests() -> Tests {
    Tests::at(env!("CARGO_MANIFEST_DIR")).made_by(&format!("soft/{}", stillframe_soft::PIXEL_CONTRACT))
}

#[test]
fn a_cube_seen_from_the_front() {
    tests().assert("cube/front", &cube(0.0, &Options::default()));
}

#[test]
fn a_turned_cube_shows_three_faces() {
    tests().assert("cube/three_faces", &cube(0.6, &Options::default()));
}

#[test]
fn threads_and_instruction_sets_change_no_bit() {
    let slowest = Options { threads: 1, isa: Some(stillframe_soft::Isa::Scalar), ..Options::default() };
    assert_eq!(cube(0.6, &slowest).hash(), cube(0.6, &Options::default()).hash());
}
