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

/// A light of the grid, by itself.
#[derive(Clone, Debug)]
pub enum GridLight {
    /// The file's: parallel, 3 lux.
    Sun,
    /// Where the file's lamp is, in its colour; how much of 1 / d^2 arrives at a distance.
    Lamp(fn(f64) -> f64),
    /// The same inside a cone about the middle of the grid: the cosines of the half angles inside and outside.
    Spot([f64; 2]),
    /// What a white matte surface shows, by its normal; nothing casts a shadow.
    Matte(fn(Vector) -> Vector),
    /// Parts of a shining surface of one nit; they cast no shadow.
    Area(Vec<GridEmitter>),
}

/// A part of a surface that shines to its front.
#[derive(Clone, Copy, Debug)]
pub struct GridEmitter {
    pub place: Vector,
    /// Unit.
    pub normal: Vector,
    pub area_m2: f64,
}

/// What is seen through a pixel.
#[derive(Clone, Copy, Debug, Default)]
pub struct GridPixel {
    pub color: Vector,
    /// What its first ray meets: 0 nothing, 1 the plane, then the spheres.
    pub id: usize,
    /// Lights that its first ray's point does not see, by bits.
    pub shadows: u32,
}

/// Linear colours of a square picture of `size` pixels a side, row by row, in the light of the file.
pub fn sphere_grid(size: usize) -> Vec<Vector> {
    let pixels = sphere_grid_of(size, 4, &[GridLight::Sun, GridLight::Lamp(|_| 1.0)]);
    pixels.into_iter().map(|pixel| pixel.color).collect()
}

/// The same in other light, the mean of `points` x `points` rays a pixel.
pub fn sphere_grid_of(size: usize, points: usize, lights: &[GridLight]) -> Vec<GridPixel> {
    let back = unit(minus(EYE, TARGET));
    let right = unit(cross([0.0, 1.0, 0.0], back));
    let up = cross(back, right);
    // Half of 40 degrees.
    let reach = 0.363_970_234_266_202_36;
    let at = |place: usize| ((place as f64 + 0.5) / (points * size) as f64 * 2.0 - 1.0) * reach;
    let ray = |x: usize, y: usize| unit([0, 1, 2].map(|c| right[c] * at(x) - up[c] * at(y) - back[c]));
    let count = points * points;
    let mean = |x: usize, y: usize| {
        let rays = (0..count).map(|point| seen(ray(points * x + point % points, points * y + point / points), lights));
        rays.enumerate().fold(GridPixel::default(), |sum, (number, pixel)| GridPixel {
            color: plus(sum.color, scaled(pixel.color, 1.0 / count as f64)),
            ..if number == 0 { pixel } else { sum }
        })
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

fn seen(along: Vector, lights: &[GridLight]) -> GridPixel {
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
        _ => return GridPixel::default(),
    };
    let to_eye = scaled(along, -1.0);
    let Surface { point, normal, base, roughness, metallic, sphere } = surface;
    let mut out = GridPixel { id: sphere.map_or(1, |sphere| sphere + 2), ..GridPixel::default() };
    for (number, light) in lights.iter().enumerate() {
        let to_lamp = minus(LAMP, point);
        let distance = dot(to_lamp, to_lamp).sqrt();
        let [to_lamp, lamp] = [unit(to_lamp), scaled(LAMP_COLOR, 1.0 / (distance * distance))];
        let (towards, arriving, distance) = match light {
            GridLight::Sun => (unit(SUN), [3.0; 3], f64::INFINITY),
            GridLight::Lamp(window) => (to_lamp, scaled(lamp, window(distance)), distance),
            &GridLight::Spot([inner, outer]) => {
                let share = ((dot(unit(LAMP), to_lamp) - outer) / (inner - outer)).clamp(0.0, 1.0);
                (to_lamp, scaled(lamp, share * share), distance)
            }
            GridLight::Matte(shown) => {
                let around = shown(normal);
                out.color = plus(out.color, [0, 1, 2].map(|c| base[c] * around[c] * (1.0 - metallic)));
                continue;
            }
            GridLight::Area(emitters) => {
                for emitter in emitters {
                    let offset = minus(emitter.place, point);
                    let d2 = dot(offset, offset);
                    let l = unit(offset);
                    let facing = -dot(emitter.normal, l);
                    if facing > 0.0 && dot(normal, l) > 0.0 {
                        let arriving = facing * emitter.area_m2 / d2;
                        let of = |c: usize| arriving * lobes(base[c], roughness, metallic, [normal, l, to_eye]);
                        out.color = plus(out.color, [of(0), of(1), of(2)]);
                    }
                }
                continue;
            }
        };
        if dot(normal, towards) <= 0.0 || is_shadowed(&surface, towards, distance) {
            out.shadows |= 1 << number;
            continue;
        }
        let leaving = [0, 1, 2].map(|c| arriving[c] * lobes(base[c], roughness, metallic, [normal, towards, to_eye]));
        out.color = plus(out.color, leaving);
    }
    out
}

fn is_shadowed(surface: &Surface, towards: Vector, distance: f64) -> bool {
    let others = (0..25).filter(|sphere| surface.sphere != Some(*sphere));
    others.filter_map(|sphere| meets(surface.point, towards, sphere)).any(|t| t < distance)
}
