//! Stencils: what is compared, what is written, on either side.

use stillframe_soft::wgpu;

use super::super::raster::stage::*;
use super::{Row, compares, every, row};

/// What is in the stencil, in three columns, before it is tested.
const HELD: [u32; 3] = [0, 5, 255];

/// Which side of a surface is drawn.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Side {
    Front,
    Back,
}

/// What is left in the stencil after drawing over it with one side, and what is seen of it.
#[derive(Clone, Copy, Debug)]
struct Test {
    face: wgpu::StencilFaceState,
    depth: wgpu::CompareFunction,
    read_mask: u32,
    write_mask: u32,
    reference: u32,
    read: wgpu::TextureAspect,
}

impl Default for Test {
    fn default() -> Test {
        Test {
            face: wgpu::StencilFaceState::IGNORE,
            depth: wgpu::CompareFunction::Always,
            read_mask: !0,
            write_mask: !0,
            reference: 5,
            read: wgpu::TextureAspect::StencilOnly,
        }
    }
}

fn tested(gpu: &Gpu, side: Side, test: Test) -> Picture {
    let replace = wgpu::StencilFaceState { pass_op: wgpu::StencilOperation::Replace, ..wgpu::StencilFaceState::IGNORE };
    let both = |face| wgpu::StencilState { front: face, back: face, read_mask: !0, write_mask: !0 };
    let column = |(k, &reference): (usize, &u32)| Step {
        vertices: full(0.5, [0.0; 4]),
        stencil: both(replace),
        reference,
        scissor: Some([k as u32 * 5, 0, 5, 16]),
        ..Step::default()
    };
    let mut steps: Vec<Step> = HELD.iter().enumerate().map(column).collect();
    // What the other side is told would show: it inverts. `full` turns clockwise.
    let other = wgpu::StencilFaceState {
        compare: wgpu::CompareFunction::Always,
        fail_op: wgpu::StencilOperation::Invert,
        depth_fail_op: wgpu::StencilOperation::Invert,
        pass_op: wgpu::StencilOperation::Invert,
    };
    let (front, back) = if side == Side::Front { (test.face, other) } else { (other, test.face) };
    let front_face = if side == Side::Front { wgpu::FrontFace::Cw } else { wgpu::FrontFace::Ccw };
    steps.push(Step {
        vertices: full(0.5, WHITE),
        stencil: wgpu::StencilState { front, back, read_mask: test.read_mask, write_mask: test.write_mask },
        compare: test.depth,
        reference: test.reference,
        primitive: wgpu::PrimitiveState { front_face, ..Default::default() },
        ..Step::default()
    });
    let depth = Some(wgpu::TextureFormat::Depth24PlusStencil8);
    draw_on(gpu, &Case { depth, read: test.read, steps, ..Case::default() })
}

fn operations() -> [wgpu::StencilOperation; 8] {
    every!(StencilOperation: Keep Zero Replace Invert IncrementClamp DecrementClamp IncrementWrap DecrementWrap)
}

/// Rows of one side: comparison, failure, failure in depth, passing.
fn side_rows(side: Side, names: [&'static str; 4]) -> [Row; 4] {
    let ignore = wgpu::StencilFaceState::IGNORE;
    let never = wgpu::CompareFunction::Never;
    let by = move |gpu: &Gpu, face, depth| tested(gpu, side, Test { face, depth, reference: 7, ..Test::default() });
    let always = wgpu::CompareFunction::Always;
    [
        row(names[0], compares(), move |gpu, &compare| {
            let face = wgpu::StencilFaceState { compare, ..ignore };
            tested(gpu, side, Test { face, read: wgpu::TextureAspect::All, ..Test::default() })
        }),
        row(names[1], operations(), move |gpu, &fail_op| {
            by(gpu, wgpu::StencilFaceState { compare: never, fail_op, ..ignore }, always)
        }),
        row(names[2], operations(), move |gpu, &depth_fail_op| {
            by(gpu, wgpu::StencilFaceState { depth_fail_op, ..ignore }, never)
        }),
        row(names[3], operations(), move |gpu, &pass_op| by(gpu, wgpu::StencilFaceState { pass_op, ..ignore }, always)),
    ]
}

pub fn rows() -> Vec<Row> {
    let replace = wgpu::StencilFaceState { pass_op: wgpu::StencilOperation::Replace, ..wgpu::StencilFaceState::IGNORE };
    let equal = wgpu::StencilFaceState { compare: wgpu::CompareFunction::Equal, ..wgpu::StencilFaceState::IGNORE };
    let (front, back) = (Side::Front, Side::Back);
    let mut rows = Vec::new();
    let of_front =
        ["stencil.front.compare", "stencil.front.fail_op", "stencil.front.depth_fail_op", "stencil.front.pass_op"];
    let of_back =
        ["stencil.back.compare", "stencil.back.fail_op", "stencil.back.depth_fail_op", "stencil.back.pass_op"];
    rows.extend(side_rows(front, of_front));
    rows.extend(side_rows(back, of_back));
    rows.push(row("stencil.read_mask", [0xFF, 0xF5, 0x00], move |gpu, &read_mask| {
        // 255 is like 15 where the mask leaves out what differs.
        let read = wgpu::TextureAspect::All;
        let reference = if read_mask == 0xF5 { 0x0A } else { 5 };
        tested(gpu, front, Test { face: equal, read_mask, reference, read, ..Test::default() })
    }));
    rows.push(row("stencil.write_mask", [0xFF, 0x0F, 0x00], move |gpu, &write_mask| {
        tested(gpu, front, Test { face: replace, write_mask, reference: 0xAA, ..Test::default() })
    }));
    rows.push(row("pass.stencil_reference", [0, 5, 255], move |gpu, &reference| {
        tested(gpu, front, Test { face: equal, reference, read: wgpu::TextureAspect::All, ..Test::default() })
    }));
    rows
}
