//! Rectangle: the pixels that a box may cover, for shaders that look for it there.

use glam::{Mat4, Vec3};

/// Left, top, right and bottom of the pixels that a box may cover, in clip space; the whole picture where it reaches
/// behind the eye. Samples lie around the centres of pixels, and quads begin at even ones.
pub fn rectangle(clip_from_world: &Mat4, corners: &[Vec3; 8], size_px: [u32; 2]) -> [f32; 4] {
    let [width, height] = size_px.map(|px| px as f32);
    let clip = corners.map(|corner| *clip_from_world * corner.extend(1.0));
    let (mut first, mut last) = ([0.0, 0.0], [width, height]);
    if clip.iter().all(|corner| corner.w > 0.0 && corner.is_finite()) {
        for (axis, size) in [width, height].into_iter().enumerate() {
            // Down, as pixels go.
            let sign = if axis == 0 { 1.0 } else { -1.0 };
            let at = clip.map(|corner| (sign * corner[axis] / corner.w * 0.5 + 0.5) * size);
            let [least, most] = [f32::min, f32::max].map(|pick| at.into_iter().reduce(pick).expect("it has corners"));
            first[axis] = (((least - 2.0) / 2.0).floor() * 2.0).clamp(0.0, size);
            last[axis] = (((most + 2.0) / 2.0).ceil() * 2.0).clamp(0.0, size);
        }
    }
    let x = |px: f32| px / width * 2.0 - 1.0;
    let y = |px: f32| 1.0 - px / height * 2.0;
    [x(first[0]), y(first[1]), x(last[0]), y(last[1])]
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::view::product;

    /// Pixels of every point of a box lie inside, and little else.
    #[test]
    fn rectangles_hold_what_boxes_cover() {
        // From (1, 1, 4) along -z, 1.5 times as wide as high, reversed Z without an end.
        let clip_from_view = Mat4::from_cols_array_2d(&[
            [1.6, 0.0, 0.0, 0.0],
            [0.0, 2.4, 0.0, 0.0],
            [0.0, 0.0, 0.0, -1.0],
            [0.0, 0.0, 0.1, 0.0],
        ]);
        let camera = product(clip_from_view, Mat4::from_translation(Vec3::new(-1.0, -1.0, -4.0)));
        let size_px = [151, 101];
        for number in 0..200u32 {
            let at = |salt: u32| {
                f32::from((number * 37 + salt * 101).wrapping_mul(2_654_435_761).to_be_bytes()[0]) / 64.0 - 2.0
            };
            let (low, size) = (Vec3::new(at(0), at(1), at(2)), Vec3::new(at(3), at(4), at(5)).abs());
            let corners: [Vec3; 8] = std::array::from_fn(|bits| {
                low + size * Vec3::new((bits & 1) as f32, (bits >> 1 & 1) as f32, (bits >> 2) as f32)
            });
            let [left, top, right, bottom] = rectangle(&camera, &corners, size_px);
            let seen = corners.map(|corner| camera.project_point3(corner));
            if corners.iter().any(|corner| (camera * corner.extend(1.0)).w <= 0.0) {
                assert_eq!([left, top, right, bottom], [-1.0, 1.0, 1.0, -1.0]);
                continue;
            }
            let pixel = [2.0 / 151.0, 2.0 / 101.0];
            for point in seen {
                let inside = |at: f32, low: f32, high: f32| low <= at.clamp(-1.0, 1.0) && at.clamp(-1.0, 1.0) <= high;
                assert!(inside(point.x, left, right) && inside(point.y, bottom, top), "{number}: {point}");
            }
            let least =
                seen.map(|point| point.x).into_iter().reduce(f32::min).expect("it has corners").clamp(-1.0, 1.0);
            let most = seen.map(|point| point.y).into_iter().reduce(f32::max).expect("it has corners").clamp(-1.0, 1.0);
            assert!(left >= least - 4.5 * pixel[0] && top <= most + 4.5 * pixel[1], "{number}: {left} {least}");
        }
    }
}
