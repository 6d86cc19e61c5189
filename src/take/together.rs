//! Together: pictures of several eyes become the one that a view is: two of `stereo` side by side, six faces of `cube`
//! in a row, a panorama from six faces.
//!
//! In: a picture an eye. Out: one picture. Never here: what eyes see.

use glam::{DVec3, Vec3};
use stillframe_base::math::ops64;
use stillframe_frames::{Picture, Samples};

use crate::scene::{Aov, CameraChoice, Held, Output, Scene, ViewKind};
use crate::view::CUBE_FACES;

/// What each eye of the scene's picture puts out.
pub fn eye_output(scene: &Scene) -> Output {
    let output = &scene.output;
    let face_px = match kind(scene) {
        Some(ViewKind::Cube(_)) => output.width_px,
        // Twice as many pixels an angle as in the middle of the panorama, which is 2 pi wide.
        Some(ViewKind::Panorama(_)) => (f64::from(output.width_px) * 2.0 / std::f64::consts::PI).ceil() as u32,
        _ => return output.clone(),
    };
    let face_px = face_px.clamp(1, Scene::SIDE_MAX_PX);
    Output { width_px: face_px, height_px: face_px, ..output.clone() }
}

/// The picture of the scene from those of its eyes.
pub fn put_together(scene: &Scene, aov: &Aov, mut eyes: Vec<Picture>) -> Picture {
    match kind(scene) {
        Some(ViewKind::Panorama(_)) if eyes.len() == 6 => {
            let is_light = matches!(aov.row().held, Held::Color | Held::Light);
            panorama(&eyes, [scene.output.width_px, scene.output.height_px], is_light)
        }
        _ if eyes.len() == 1 => eyes.swap_remove(0),
        _ => in_a_row(&eyes),
    }
}

/// Whether rows of the picture are rows of what an eye sees.
pub fn is_of_one_eye(scene: &Scene) -> bool {
    !matches!(kind(scene), Some(ViewKind::Cube(_) | ViewKind::Panorama(_) | ViewKind::Stereo { .. }))
}

/// Whether each eye's picture is one that is looked at.
pub fn is_flat(scene: &Scene) -> bool {
    !matches!(kind(scene), Some(ViewKind::Cube(_) | ViewKind::Panorama(_)))
}

fn kind(scene: &Scene) -> Option<ViewKind> {
    if let CameraChoice::View(at) = scene.camera { Some(scene.views[at].kind) } else { None }
}

/// From left to right.
fn in_a_row(pictures: &[Picture]) -> Picture {
    fn joined<T: Copy>(rows: &[&[T]], row_len: usize) -> Vec<T> {
        let lines = rows[0].len() / row_len;
        let line = |at: usize| rows.iter().flat_map(move |all| &all[at * row_len..(at + 1) * row_len]);
        (0..lines).flat_map(line).copied().collect()
    }
    let Picture { width_px, height_px, channel_count, .. } = pictures[0];
    let row_len = (width_px * channel_count) as usize;
    let samples = match &pictures[0].samples {
        Samples::U8(_) => Samples::U8(joined(&each(pictures, u8s), row_len)),
        Samples::U16(_) => Samples::U16(joined(&each(pictures, u16s), row_len)),
        Samples::U32(_) => Samples::U32(joined(&each(pictures, u32s), row_len)),
        Samples::F32(_) => Samples::F32(joined(&each(pictures, f32s), row_len)),
    };
    Picture { width_px: width_px * pictures.len() as u32, height_px, channel_count, samples }
}

/// Points of a pixel along each side that a panorama takes its light from.
const POINTS: u32 = 3;

/// An equirectangular picture of faces in the order of `view::cube_cameras`: -Z is in the middle, +X to its right.
/// Light is a mean over points of each pixel; of everything else a pixel has what is at its centre.
fn panorama(faces: &[Picture], [width_px, height_px]: [u32; 2], is_light: bool) -> Picture {
    let Picture { width_px: face_px, channel_count, .. } = faces[0];
    let points = if is_light { POINTS } else { 1 };
    // Texels that each pixel takes.
    let mut places: Vec<[usize; 2]> = Vec::with_capacity((width_px * height_px * points * points) as usize);
    for y in 0..height_px {
        for x in 0..width_px {
            for point in 0..points * points {
                let at = |pixel: u32, point: u32, size_px: u32| {
                    (f64::from(pixel) + (f64::from(point) + 0.5) / f64::from(points)) / f64::from(size_px)
                };
                let u = at(x, point % points, width_px);
                let v = at(y, point / points, height_px);
                places.push(texel_towards(direction(u, v), face_px));
            }
        }
    }
    let of = (points * points) as usize;
    let count = channel_count as usize;
    let pixels: Vec<&[[usize; 2]]> = places.chunks_exact(of).collect();
    let samples = match &faces[0].samples {
        Samples::U8(_) => {
            let mean = |sum: f64| (sum / of as f64).round_ties_even() as u8;
            Samples::U8(means(&each(faces, u8s), &pixels, count, f64::from, mean))
        }
        Samples::U16(_) => {
            let mean = |sum: f64| (sum / of as f64).round_ties_even() as u16;
            Samples::U16(means(&each(faces, u16s), &pixels, count, f64::from, mean))
        }
        Samples::F32(_) => {
            let mean = |sum: f64| (sum / of as f64) as f32;
            Samples::F32(means(&each(faces, f32s), &pixels, count, f64::from, mean))
        }
        // Ids have no mean: they are no light, and there is one point.
        Samples::U32(_) => Samples::U32(means(&each(faces, u32s), &pixels, count, f64::from, |sum| sum as u32)),
    };
    Picture { width_px, height_px, channel_count, samples }
}

/// The mean of the texels of each pixel, by channel.
fn means<T: Copy>(
    faces: &[&[T]],
    pixels: &[&[[usize; 2]]],
    channel_count: usize,
    number: impl Fn(T) -> f64,
    mean: impl Fn(f64) -> T,
) -> Vec<T> {
    let mut out = Vec::with_capacity(pixels.len() * channel_count);
    for texels in pixels {
        for channel in 0..channel_count {
            let sum =
                texels.iter().fold(0.0, |sum, [face, at]| sum + number(faces[*face][at * channel_count + channel]));
            out.push(mean(sum));
        }
    }
    out
}

/// The direction that a point of an equirectangular picture shows, by its place from 0 to 1 each way.
fn direction(u: f64, v: f64) -> DVec3 {
    let (sin_lon, cos_lon) = ops64::sin_cos((u - 0.5) * std::f64::consts::TAU);
    let (sin_lat, cos_lat) = ops64::sin_cos((0.5 - v) * std::f64::consts::PI);
    DVec3::new(sin_lon * cos_lat, sin_lat, -cos_lon * cos_lat)
}

/// The face that shows a direction, and the texel of it.
fn texel_towards(towards: DVec3, face_px: u32) -> [usize; 2] {
    let size = towards.abs();
    let axis = match () {
        () if size.x >= size.y && size.x >= size.z => 0,
        () if size.y >= size.z => 1,
        () => 2,
    };
    let face = 2 * axis + usize::from(towards[axis] <= 0.0);
    let (forward, up) = CUBE_FACES[face];
    let [forward, up] = [forward, up].map(Vec3::as_dvec3);
    let depth = towards.dot(forward);
    let texel = |along: f64| {
        let at = ((along / depth) * 0.5 + 0.5) * f64::from(face_px);
        (at.floor().max(0.0) as usize).min(face_px as usize - 1)
    };
    let (x, y) = (texel(towards.dot(forward.cross(up))), texel(-towards.dot(up)));
    [face, y * face_px as usize + x]
}

fn each<T>(pictures: &[Picture], values: fn(&Samples) -> Option<&[T]>) -> Vec<&[T]> {
    pictures.iter().map(|picture| values(&picture.samples).expect("all eyes have the same format")).collect()
}

fn u8s(samples: &Samples) -> Option<&[u8]> {
    if let Samples::U8(values) = samples { Some(values) } else { None }
}

fn u16s(samples: &Samples) -> Option<&[u16]> {
    if let Samples::U16(values) = samples { Some(values) } else { None }
}

fn u32s(samples: &Samples) -> Option<&[u32]> {
    if let Samples::U32(values) = samples { Some(values) } else { None }
}

fn f32s(samples: &Samples) -> Option<&[f32]> {
    if let Samples::F32(values) = samples { Some(values) } else { None }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Faces whose texels hold the direction that they show.
    fn faces(face_px: u32) -> Vec<Picture> {
        let cameras = [
            (DVec3::X, DVec3::Y),
            (DVec3::NEG_X, DVec3::Y),
            (DVec3::Y, DVec3::NEG_Z),
            (DVec3::NEG_Y, DVec3::Z),
            (DVec3::Z, DVec3::Y),
            (DVec3::NEG_Z, DVec3::Y),
        ];
        let face = |(forward, up): (DVec3, DVec3)| {
            let mut values = Vec::new();
            for at in 0..face_px * face_px {
                let [x, y] =
                    [at % face_px, at / face_px].map(|at| (f64::from(at) + 0.5) / f64::from(face_px) * 2.0 - 1.0);
                let shown: DVec3 = (forward + forward.cross(up) * x - up * y).normalize();
                values.extend(shown.as_vec3().to_array());
            }
            Picture { width_px: face_px, height_px: face_px, channel_count: 3, samples: Samples::F32(values) }
        };
        cameras.map(face).to_vec()
    }

    #[test]
    fn a_panorama_shows_every_direction_where_it_is() {
        for is_light in [false, true] {
            let picture = panorama(&faces(256), [64, 32], is_light);
            let Samples::F32(values) = &picture.samples else { panic!("floats") };
            for (at, texel) in values.chunks_exact(3).enumerate() {
                let [u, v] = [(at % 64) as f64 / 64.0, (at / 64) as f64 / 32.0];
                let want = direction(u + 0.5 / 64.0, v + 0.5 / 32.0).as_vec3();
                let got = glam::Vec3::from_slice(texel);
                assert!((got - want).length() < 0.02, "{at}: {got} for {want}");
            }
        }
    }

    #[test]
    fn rows_stay_rows() {
        let picture = |first: u8| Picture {
            width_px: 1,
            height_px: 2,
            channel_count: 2,
            samples: Samples::U8((first..first + 4).collect()),
        };
        let both = in_a_row(&[picture(0), picture(10)]);
        assert_eq!((both.width_px, both.height_px), (2, 2));
        assert_eq!(both.samples, Samples::U8(vec![0, 1, 10, 11, 2, 3, 12, 13]));
    }
}
