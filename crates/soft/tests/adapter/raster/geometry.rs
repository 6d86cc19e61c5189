//! Geometry: shared edges, snapping, culling, clipping, strips, lines and points.

use super::stage::*;

#[test]
fn shared_edges_belong_to_one_triangle() {
    // Two triangles over pixel centres, added up: every pixel of the square once.
    let p = [(2.5, 2.5), (12.5, 2.5), (2.5, 12.5), (2.5, 12.5), (12.5, 2.5), (12.5, 12.5)];
    let add = wgpu::BlendComponent {
        src_factor: wgpu::BlendFactor::One,
        dst_factor: wgpu::BlendFactor::One,
        operation: wgpu::BlendOperation::Add,
    };
    let quarter = |v: [f32; 8]| [v[0], v[1], v[2], v[3], 64.0 / 255.0, 0.0, 0.0, 0.0];
    let vertices = shape(&p).into_iter().map(quarter).collect();
    let picture = one(Step { vertices, blend: Some(wgpu::BlendState { color: add, alpha: add }), ..Step::default() });
    for y in 0..16 {
        for x in 0..16 {
            let inside = (2..12).contains(&x) && (2..12).contains(&y);
            assert_eq!(picture.rgba(x, y)[0], if inside { 64 } else { 0 }, "({x}, {y})");
        }
    }
}

#[test]
fn corners_snap_half_to_even() {
    // A left edge at 3.5 + k/512 pixels: the centre 3.5 is covered where the edge snaps to 3.5.
    for (k, covers) in [(0, true), (1, true), (2, false), (-1, true), (-2, true), (3, false)] {
        let x = 3.5 + k as f32 / 512.0;
        let p = [(x, -1.0), (14.0, -1.0), (x, 40.0)];
        let picture = one(Step { vertices: shape(&p), ..Step::default() });
        assert_eq!(picture.rgba(3, 3)[0] != 0, covers, "{k}/512");
    }
}

#[test]
fn faces_are_culled_by_their_winding() {
    let clockwise = shape(&[(1.0, 1.0), (15.0, 1.0), (1.0, 15.0)]);
    let count = |cull_mode, front_face| {
        let primitive = wgpu::PrimitiveState { cull_mode, front_face, ..Default::default() };
        one(Step { vertices: clockwise.clone(), primitive, ..Step::default() }).count()
    };
    use wgpu::{Face, FrontFace};
    let drawn = count(None, FrontFace::Ccw);
    assert!(drawn > 80);
    assert_eq!(count(Some(Face::Back), FrontFace::Cw), drawn);
    assert_eq!(count(Some(Face::Back), FrontFace::Ccw), 0);
    assert_eq!(count(Some(Face::Front), FrontFace::Ccw), drawn);
    assert_eq!(count(Some(Face::Front), FrontFace::Cw), 0);
}

#[test]
fn scissor_and_viewport_cut() {
    let vertices = full(0.5, WHITE);
    let scissor = one(Step { vertices: vertices.clone(), scissor: Some([3, 4, 5, 6]), ..Step::default() });
    assert_eq!(scissor.count(), 30);
    assert_eq!(scissor.rgba(3, 4), [255; 4]);
    assert_eq!(scissor.rgba(7, 9), [255; 4]);
    // A triangle much larger than the viewport stays inside of it.
    let big = vec![
        [-9.0, -9.0, 0.5, 1.0, 1.0, 1.0, 1.0, 1.0],
        [99.0, -9.0, 0.5, 1.0, 1.0, 1.0, 1.0, 1.0],
        [-9.0, 99.0, 0.5, 1.0, 1.0, 1.0, 1.0, 1.0],
    ];
    let viewport =
        one(Step { vertices: big.clone(), viewport: Some([2.0, 5.0, 4.0, 3.0, 0.0, 1.0]), ..Step::default() });
    assert_eq!(viewport.count(), 12);
    assert_eq!(viewport.rgba(5, 7), [255; 4]);
    // Half pixels: centres at 2.5 are inside of a box from 2.5, those at 6.5 outside of one to 6.5.
    let halves = one(Step { vertices: big, viewport: Some([2.5, 5.0, 4.0, 3.0, 0.0, 1.0]), ..Step::default() });
    assert_eq!(halves.map()[5], "..####..........");
}

#[test]
fn strips_restart_and_keep_their_winding() {
    let primitive = wgpu::PrimitiveState {
        topology: wgpu::PrimitiveTopology::TriangleStrip,
        strip_index_format: Some(wgpu::IndexFormat::Uint32),
        cull_mode: Some(wgpu::Face::Back),
        front_face: wgpu::FrontFace::Cw,
        ..Default::default()
    };
    let vertices =
        shape(&[(0.0, 0.0), (4.0, 0.0), (0.0, 4.0), (4.0, 4.0), (8.0, 8.0), (12.0, 8.0), (8.0, 12.0), (12.0, 12.0)]);
    let step = Step { vertices, indices: Some(vec![0, 1, 2, 3, u32::MAX, 4, 5, 6, 7]), primitive, ..Step::default() };
    let picture = one(step);
    assert_eq!(picture.count(), 32);
    assert_eq!((picture.rgba(3, 3)[0], picture.rgba(6, 6)[0], picture.rgba(11, 11)[0]), (255, 0, 255));
}

#[test]
fn lines_and_points_draw_their_pixels() {
    use wgpu::PrimitiveTopology as T;
    let lines = |t, p: &[(f32, f32)]| one(Step { vertices: shape(p), primitive: topology(t), ..Step::default() });
    let line = lines(T::LineList, &[(1.5, 2.5), (5.5, 2.5), (3.5, 9.5), (3.5, 5.5)]);
    assert_eq!(line.map()[2], ".####...........");
    assert_eq!((line.rgba(3, 9)[0], line.rgba(3, 6)[0], line.rgba(3, 5)[0]), (255, 255, 0));
    // A closed strip has no gap and no pixel of its corners twice: 4 sides of 8 pixels.
    let strip = lines(T::LineStrip, &[(2.5, 2.5), (10.5, 2.5), (10.5, 10.5), (2.5, 10.5), (2.5, 2.5)]);
    assert_eq!(strip.count(), 32);
    let diagonal = lines(T::LineList, &[(0.5, 0.5), (15.5, 15.5)]);
    assert!((0..15).all(|k| diagonal.rgba(k, k)[0] == 255) && diagonal.count() == 15);
    let points = lines(T::PointList, &[(0.5, 0.5), (3.99, 7.01), (15.0, 15.9), (16.5, 3.0), (-0.1, 3.0)]);
    assert_eq!(points.count(), 3);
    assert_eq!((points.rgba(3, 7)[0], points.rgba(15, 15)[0]), (255, 255));
}

#[test]
fn near_and_far_planes_cut_and_odd_positions_draw_nothing() {
    // Depth runs from -1 to 2 over the width: only 0..=1 is drawn, a third of 18 pixels.
    let wide = [18, 4];
    let v = |x: f32, y: f32, z: f32| at(wide, x, y, z, WHITE);
    let ramp = vec![
        v(0.0, 0.0, -1.0),
        v(18.0, 0.0, 2.0),
        v(0.0, 4.0, -1.0),
        v(0.0, 4.0, -1.0),
        v(18.0, 0.0, 2.0),
        v(18.0, 4.0, 2.0),
    ];
    let picture =
        draw(&Case { size: wide, steps: vec![Step { vertices: ramp.clone(), ..Step::default() }], ..Case::default() });
    assert!(picture.map().iter().all(|row| row == "......######......"), "{:?}", picture.map());
    let unclipped = wgpu::PrimitiveState { unclipped_depth: true, ..Default::default() };
    let steps = vec![Step { vertices: ramp, primitive: unclipped, ..Step::default() }];
    assert_eq!(draw(&Case { size: wide, steps, ..Case::default() }).count(), 72);
    // Behind the eye, through the eye, not numbers.
    let p = |x: f32, y: f32, w: f32| [x, y, 0.5 * w, w, 1.0, 1.0, 1.0, 1.0];
    for bad in [
        vec![p(-1.0, -1.0, -1.0), p(1.0, -1.0, -1.0), p(0.0, 1.0, -1.0)],
        vec![p(0.0, 0.0, 0.0); 3],
        vec![p(f32::NAN, 0.0, 1.0), p(1.0, 0.0, 1.0), p(0.0, 1.0, 1.0)],
        vec![p(0.0, 0.0, 1.0), p(f32::INFINITY, 0.0, 1.0), p(0.0, 1.0, 1.0)],
        vec![p(0.0, 0.0, 1.0), p(0.5, 0.0, f32::NAN), p(0.0, 1.0, 1.0)],
    ] {
        assert_eq!(one(Step { vertices: bad, ..Step::default() }).count(), 0);
    }
    // One corner behind the eye: the rest is drawn, and everywhere equal.
    let through = vec![p(-0.5, -0.5, 1.0), p(0.5, -0.5, 1.0), p(0.0, 3.0, -2.0)];
    assert!(one(Step { vertices: through, ..Step::default() }).count() > 40);
}
