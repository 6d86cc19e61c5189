//! The sphere grid of `scenes/assets/spheres.json` in f64: rays, glTF's lobes and exact shadows, the mean of 4x4 points
//! a pixel. Source: glTF 2.0 specification, appendix B.

use super::lobes::lobes;
use super::vector::{Vector, cross, dot, minus, plus, scaled, unit};

const EYE: Vector = [0.0, 5.0, 8.2];
const TARGET: Vector = [0.0, 0.1, 0.3];
const RADIUS: f64 = 0.4;
const HALF_PLANE: f64 = 20.0;
const ROUGHNESSES: [f64; 5] = [0.15, 0.35, 0.55, 0.75, 1.0];
const METALNESSES: [f64; 5] = [1.0, 0.75, 0.5, 0.25, 0.0];
const SUN: Vector = [0.5, 1.0, 0.3];
const LAMP: Vector = [2.5, 2.5, 2.5];
const LAMP_COLOR: Vector = [10.0, 8.0, 6.0];

/// Linear colours of a square picture of `size` pixels a side, row by row.
pub fn sphere_grid(size: usize) -> Vec<Vector> {
    let back = unit(minus(EYE, TARGET));
    let right = unit(cross([0.0, 1.0, 0.0], back));
    let up = cross(back, right);
    // Half of 40 degrees.
    let reach = 0.363_970_234_266_202_36;
    let at = |place: usize| ((place as f64 + 0.5) / (4 * size) as f64 * 2.0 - 1.0) * reach;
    let ray = |x: usize, y: usize| unit([0, 1, 2].map(|c| right[c] * at(x) - up[c] * at(y) - back[c]));
    let mean = |x: usize, y: usize| {
        let points = (0..16).map(|point| seen(ray(4 * x + point % 4, 4 * y + point / 4)));
        points.fold([0.0; 3], |sum, color| plus(sum, scaled(color, 1.0 / 16.0)))
    };
    (0..size).flat_map(|y| (0..size).map(move |x| (x, y))).map(|(x, y)| mean(x, y)).collect()
}

struct Surface {
    point: Vector,
    normal: Vector,
    base: Vector,
    roughness: f64,
    metallic: f64,
    sphere: Option<usize>,
}

fn centre(sphere: usize) -> Vector {
    [(sphere % 5) as f64 - 2.0, RADIUS, (sphere / 5) as f64 - 2.0]
}

/// Where a ray of unit length first meets a sphere.
fn meets(from: Vector, along: Vector, sphere: usize) -> Option<f64> {
    let to = minus(centre(sphere), from);
    let middle = dot(to, along);
    let square = RADIUS * RADIUS - (dot(to, to) - middle * middle);
    if square < 0.0 {
        return None;
    }
    let near = middle - square.sqrt();
    (near > 1e-9).then_some(near)
}

fn seen(along: Vector) -> Vector {
    let nearest = (0..25).filter_map(|s| meets(EYE, along, s).map(|t| (t, s))).min_by(|a, b| a.0.total_cmp(&b.0));
    let plane = (along[1] < 0.0).then(|| -EYE[1] / along[1]).map(|t| plus(EYE, scaled(along, t)));
    let surface = match (nearest, plane) {
        (Some((t, sphere)), _) => {
            let point = plus(EYE, scaled(along, t));
            Surface {
                point,
                normal: unit(minus(point, centre(sphere))),
                base: [0.9, 0.4, 0.1],
                roughness: ROUGHNESSES[sphere % 5],
                metallic: METALNESSES[sphere / 5],
                sphere: Some(sphere),
            }
        }
        (None, Some(point)) if point[0].abs() <= HALF_PLANE && point[2].abs() <= HALF_PLANE => {
            Surface { point, normal: [0.0, 1.0, 0.0], base: [0.5; 3], roughness: 1.0, metallic: 0.0, sphere: None }
        }
        _ => return [0.0; 3],
    };
    let to_eye = scaled(along, -1.0);
    let to_lamp = minus(LAMP, surface.point);
    let distance = dot(to_lamp, to_lamp).sqrt();
    let lights = [
        (unit(SUN), [3.0; 3], f64::INFINITY),
        (unit(to_lamp), scaled(LAMP_COLOR, 1.0 / (distance * distance)), distance),
    ];
    lights.into_iter().fold([0.0; 3], |sum, (towards, arriving, distance)| {
        if dot(surface.normal, towards) <= 0.0 || is_shadowed(&surface, towards, distance) {
            return sum;
        }
        let Surface { base, roughness, metallic, normal, .. } = surface;
        let leaving = [0, 1, 2].map(|c| arriving[c] * lobes(base[c], roughness, metallic, [normal, towards, to_eye]));
        plus(sum, leaving)
    })
}

fn is_shadowed(surface: &Surface, towards: Vector, distance: f64) -> bool {
    let others = (0..25).filter(|sphere| surface.sphere != Some(*sphere));
    others.filter_map(|sphere| meets(surface.point, towards, sphere)).any(|t| t < distance)
}
