//! Spaces, from their definition: which points have weight at a place. Lines and grids in f32 as the shares are defined
//! there (the nearest f32 of the way, and what is left of 1); scattered points by all triangles whose circle is empty.

use super::Number;
use super::script::Space;

/// Points with weight, in the order of the definition; and whether that order is known.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Corners {
    pub of: Vec<(usize, f32)>,
    /// Scattered points come in an order that nothing promises.
    pub any_order: bool,
}

impl Number {
    pub fn value(self, parameters: &[f32]) -> f32 {
        match self {
            Number::Fixed(number) => number,
            Number::Parameter(parameter) => parameters[parameter],
        }
    }

    pub fn share(self, parameters: &[f32]) -> f32 {
        self.value(parameters).clamp(0.0, 1.0)
    }
}

/// Rising places: the neighbours of a number, and how far it is from the one to the other.
fn neighbours(places: &[f32], x: f32) -> (usize, usize, f32) {
    let last = places.len() - 1;
    if x <= places[0] {
        return (0, 0, 0.0);
    }
    if x >= places[last] {
        return (last, last, 0.0);
    }
    let above = (0..=last).find(|place| places[*place] > x).unwrap_or(last);
    let below = above - 1;
    if places[below] == x {
        return (below, below, 0.0);
    }
    let (from, to) = (f64::from(places[below]), f64::from(places[above]));
    (below, above, ((f64::from(x) - from) / (to - from)) as f32)
}

type Point = [f64; 2];

fn cross(a: Point, b: Point, c: Point) -> f64 {
    (b[0] - a[0]) * (c[1] - a[1]) - (b[1] - a[1]) * (c[0] - a[0])
}

fn distance_squared(a: Point, b: Point) -> f64 {
    (a[0] - b[0]) * (a[0] - b[0]) + (a[1] - b[1]) * (a[1] - b[1])
}

/// Above 0 where `d` lies in the circle of a triangle that turns left; exact for small numbers of eighths.
fn in_circle(triangle: [Point; 3], d: Point) -> f64 {
    let [a, b, c] = triangle.map(|point| [point[0] - d[0], point[1] - d[1]]);
    let square = |p: Point| p[0] * p[0] + p[1] * p[1];
    square(a) * (b[0] * c[1] - b[1] * c[0]) - square(b) * (a[0] * c[1] - a[1] * c[0])
        + square(c) * (a[0] * b[1] - a[1] * b[0])
}

/// Triangles whose circle holds no other point, and whether some points lie on one circle, so that there are several
/// ways.
pub fn delaunay(points: &[Point]) -> (Vec<[usize; 3]>, bool) {
    let (mut triangles, mut is_ambiguous) = (Vec::new(), false);
    let count = points.len();
    for a in 0..count {
        for b in a + 1..count {
            for c in b + 1..count {
                let turn = cross(points[a], points[b], points[c]);
                if turn == 0.0 {
                    continue;
                }
                let corners = if turn > 0.0 { [a, b, c] } else { [a, c, b] };
                let inside = |d: usize| in_circle(corners.map(|corner| points[corner]), points[d]);
                let others: Vec<f64> = (0..count).filter(|d| !corners.contains(d)).map(inside).collect();
                if others.iter().all(|inside| *inside <= 0.0) {
                    is_ambiguous |= others.contains(&0.0);
                    triangles.push(corners);
                }
            }
        }
    }
    (triangles, is_ambiguous)
}

fn scattered(points: &[Point], place: Point) -> Vec<(usize, f64)> {
    for corners in delaunay(points).0 {
        let [a, b, c] = corners.map(|corner| points[corner]);
        let parts = [cross(b, c, place), cross(c, a, place), cross(a, b, place)];
        if parts.iter().all(|part| *part >= 0.0) {
            let whole = cross(a, b, c);
            return corners.into_iter().zip(parts.map(|part| part / whole)).collect();
        }
    }
    // Outside: the nearest place of any way between two points, all of which lie inside of the hull or on it.
    let mut best = (f64::INFINITY, 0.0, vec![(0, 1.0)]);
    for from in 0..points.len() {
        for to in 0..points.len() {
            let (a, b) = (points[from], points[to]);
            let length = distance_squared(a, b);
            let along = if length == 0.0 {
                0.0
            } else {
                (((place[0] - a[0]) * (b[0] - a[0]) + (place[1] - a[1]) * (b[1] - a[1])) / length).clamp(0.0, 1.0)
            };
            let foot = [a[0] + (b[0] - a[0]) * along, a[1] + (b[1] - a[1]) * along];
            // The squared distance without what is the same for all feet and takes the last digits of places far away.
            // Of a chain of points on a line the nearest two count: the shorter way wins where both are as near.
            let off = [foot[0] - points[0][0], foot[1] - points[0][1]];
            let to_place = [place[0] - points[0][0], place[1] - points[0][1]];
            let near = off[0] * (off[0] - 2.0 * to_place[0]) + off[1] * (off[1] - 2.0 * to_place[1]);
            let even = 1e-12 * (1.0 + near.abs());
            if near < best.0 - even || near < best.0 + even && length < best.1 {
                best = (near, length, vec![(from, 1.0 - along), (to, along)]);
            }
        }
    }
    best.2
}

impl Space {
    pub fn corners(&self, parameters: &[f32]) -> Corners {
        let mut of = Vec::new();
        match self {
            Space::Line { by, at } => {
                let mut order: Vec<usize> = (0..at.len()).collect();
                order.sort_by(|a, b| at[*a].total_cmp(&at[*b]));
                let places: Vec<f32> = order.iter().map(|point| at[*point]).collect();
                let (below, above, along) = neighbours(&places, by.value(parameters));
                of.push((order[below], 1.0 - along));
                of.push((order[above], along));
            }
            Space::Grid { by, columns, rows } => {
                let (left, right, across) = neighbours(columns, by[0].value(parameters));
                let (low, high, up) = neighbours(rows, by[1].value(parameters));
                for (row, share) in [(low, 1.0 - up), (high, up)] {
                    of.push((row * columns.len() + left, (1.0 - across) * share));
                    of.push((row * columns.len() + right, across * share));
                }
            }
            Space::Scatter { by, at } => {
                let points: Vec<Point> = at.iter().map(|point| point.map(f64::from)).collect();
                let place = by.map(|number| f64::from(number.value(parameters)));
                of = scattered(&points, place).into_iter().map(|(point, share)| (point, share as f32)).collect();
            }
        }
        of.retain(|(_, share)| *share > 0.0);
        Corners { any_order: matches!(self, Space::Scatter { .. }) && of.len() > 1, of }
    }
}
