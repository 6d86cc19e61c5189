//! Triangulation: scattered points as triangles, and the weights of their corners at a place.
//!
//! Source: Delaunay's criterion by edge flips (Lawson, "Software for C1 surface interpolation", 1977), from a
//! triangulation that is swept along x. Points are few and this is done once, so every step looks at all edges or
//! triangles. What is ours: the order of points and edges is fixed, so that four points of a circle always give the
//! same two triangles; points on a line are a chain without triangles; outside, the nearest place of the hull counts,
//! which keeps weights continuous everywhere.

/// Triangles over points, and the edges of what they cover.
#[derive(Clone, Debug)]
pub(super) struct Triangulation {
    points: Box<[[f64; 2]]>,
    /// Corners counter-clockwise.
    triangles: Box<[[usize; 3]]>,
    /// Round the whole; of points on a line, from one to the next.
    hull: Box<[[usize; 2]]>,
}

/// Places by less than this share of a triangle outside of it are inside: neighbours are rounded differently.
const INSIDE: f64 = -1e-12;

impl Triangulation {
    /// Points are finite and none is there twice; at least one.
    pub fn new(points: Vec<[f64; 2]>) -> Triangulation {
        let mut order: Vec<usize> = (0..points.len()).collect();
        order.sort_by(|a, b| points[*a].partial_cmp(&points[*b]).expect("finite").then(a.cmp(b)));
        let (mut triangles, hull) = sweep(&points, &order);
        flip(&points, &mut triangles);
        Triangulation { points: points.into(), triangles: triangles.into(), hull: hull.into() }
    }

    pub fn points(&self) -> &[[f64; 2]] {
        &self.points
    }

    /// Points and weights, 0 to 1 with the sum 1; those of no weight may be among them.
    pub fn weights(&self, place: [f64; 2]) -> [(usize, f64); 3] {
        let mut best = (f64::NEG_INFINITY, [(0, 0.0); 3]);
        for &corners in &self.triangles {
            let weights = barycentric(corners.map(|corner| self.points[corner]), place);
            let least = weights[0].min(weights[1]).min(weights[2]);
            if least > best.0 {
                best = (least, std::array::from_fn(|i| (corners[i], weights[i])));
            }
        }
        if best.0 < INSIDE {
            return self.weights_outside(place);
        }
        let weights = best.1.map(|(point, weight)| (point, weight.max(0.0)));
        let sum: f64 = weights.iter().map(|(_, weight)| weight).sum();
        weights.map(|(point, weight)| (point, weight / sum))
    }

    /// Those of the nearest place of the hull.
    fn weights_outside(&self, place: [f64; 2]) -> [(usize, f64); 3] {
        let mut best = (f64::INFINITY, [(0, 1.0), (0, 0.0), (0, 0.0)]);
        let origin = self.points[0];
        for &[a, b] in &self.hull {
            let (from, to) = (self.points[a], self.points[b]);
            let edge = minus(to, from);
            let along = (dot(minus(place, from), edge) / dot(edge, edge)).clamp(0.0, 1.0);
            // The squared distance less that of the first point: seen from far away all places are as far but for the
            // last digits.
            let foot = minus([from[0] + edge[0] * along, from[1] + edge[1] * along], origin);
            let way = dot(foot, foot) - 2.0 * dot(foot, minus(place, origin));
            if way < best.0 {
                best = (way, [(a, 1.0 - along), (b, along), (a, 0.0)]);
            }
        }
        best.1
    }
}

fn minus(a: [f64; 2], b: [f64; 2]) -> [f64; 2] {
    [a[0] - b[0], a[1] - b[1]]
}

fn dot(a: [f64; 2], b: [f64; 2]) -> f64 {
    a[0] * b[0] + a[1] * b[1]
}

/// Twice the area of a triangle; above 0 counter-clockwise.
fn area([a, b, c]: [[f64; 2]; 3]) -> f64 {
    let (ab, ac) = (minus(b, a), minus(c, a));
    ab[0] * ac[1] - ab[1] * ac[0]
}

fn barycentric([a, b, c]: [[f64; 2]; 3], place: [f64; 2]) -> [f64; 3] {
    let whole = area([a, b, c]);
    // Each by its own area, so that on an edge the corner opposite has no weight at all, not what rounding has left of
    // 1.
    [area([place, b, c]) / whole, area([a, place, c]) / whole, area([a, b, place]) / whole]
}

/// Triangles by joining each point, from left to right, with the edges of the hull that it sees; and the hull.
fn sweep(points: &[[f64; 2]], order: &[usize]) -> (Vec<[usize; 3]>, Vec<[usize; 2]>) {
    let at = |corners: [usize; 3]| corners.map(|corner| points[corner]);
    // The first point off the line of those before it.
    let off = (2..order.len()).find(|i| area(at([order[0], order[1], order[*i]])) != 0.0);
    let Some(off) = off else {
        return (Vec::new(), order.windows(2).map(|pair| [pair[0], pair[1]]).collect());
    };
    let apex = order[off];
    let left = area(at([order[0], order[1], apex])) > 0.0;
    let mut triangles: Vec<[usize; 3]> = order[..off]
        .windows(2)
        .map(|pair| if left { [pair[0], pair[1], apex] } else { [pair[1], pair[0], apex] })
        .collect();
    // The hull's points counter-clockwise.
    let mut ring: Vec<usize> = order[..off].to_vec();
    if !left {
        ring.reverse();
    }
    ring.push(apex);
    for &point in &order[off + 1..] {
        let count = ring.len();
        let sees = |i: usize| area(at([ring[i % count], ring[(i + 1) % count], point])) < 0.0;
        // The edges that are seen follow each other, and there is one: the point lies to the right of all before it.
        let Some(first) = (0..count).find(|i| sees(*i) && !sees(i + count - 1)) else {
            unreachable!("a point outside of a hull sees an edge of it")
        };
        let seen = (0..count).take_while(|i| sees(first + i)).count();
        triangles.extend((first..first + seen).map(|i| [ring[(i + 1) % count], ring[i % count], point]));
        let mut next: Vec<usize> = (first + seen..=first + count).map(|i| ring[i % count]).collect();
        next.push(point);
        ring = next;
    }
    let hull = (0..ring.len()).map(|i| [ring[i], ring[(i + 1) % ring.len()]]).collect();
    (triangles, hull)
}

/// Whether `d` lies inside of the circle through three points, counter-clockwise, by more than rounding.
fn in_circle([a, b, c]: [[f64; 2]; 3], d: [f64; 2]) -> bool {
    let [a, b, c] = [a, b, c].map(|point| minus(point, d));
    let [aa, bb, cc] = [a, b, c].map(|point| dot(point, point));
    let terms = [aa * (b[0] * c[1] - b[1] * c[0]), bb * (c[0] * a[1] - c[1] * a[0]), cc * (a[0] * b[1] - a[1] * b[0])];
    terms[0] + terms[1] + terms[2] > 1e-12 * (terms[0].abs() + terms[1].abs() + terms[2].abs())
}

/// Flips edges until every one has Delaunay's property. Each flip lowers the lifted surface, so this ends.
fn flip(points: &[[f64; 2]], triangles: &mut [[usize; 3]]) {
    let mut stable = false;
    while !stable {
        stable = true;
        for first in 0..triangles.len() {
            for second in 0..triangles.len() {
                if first != second {
                    stable &= !flip_pair(points, triangles, first, second);
                }
            }
        }
    }
}

/// Flips the edge of two triangles if they have one and it lacks the property.
fn flip_pair(points: &[[f64; 2]], triangles: &mut [[usize; 3]], first: usize, second: usize) -> bool {
    let (p, q) = (triangles[first], triangles[second]);
    for i in 0..3 {
        let [a, b, c] = [p[i], p[(i + 1) % 3], p[(i + 2) % 3]];
        // Edge a b of the first is b a of the second.
        let Some(j) = (0..3).find(|j| q[*j] == b && q[(j + 1) % 3] == a) else { continue };
        let d = q[(j + 2) % 3];
        if in_circle([points[a], points[b], points[c]], points[d]) {
            (triangles[first], triangles[second]) = ([a, d, c], [d, b, c]);
            return true;
        }
    }
    false
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    /// Whole numbers, so that the tests' own tests are exact.
    fn points() -> impl Strategy<Value = Vec<[f64; 2]>> {
        prop::collection::btree_set((-6..=6i32, -6..=6i32), 1..24)
            .prop_map(|set| set.into_iter().map(|(x, y)| [f64::from(x), f64::from(y)]).collect())
            .prop_shuffle()
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(2000))]

        #[test]
        fn no_point_lies_inside_of_a_triangle_s_circle(points in points()) {
            let made = Triangulation::new(points.clone());
            for corners in &made.triangles {
                let triangle = corners.map(|corner| points[corner]);
                prop_assert!(area(triangle) > 0.0);
                for d in &points {
                    // The determinant of whole numbers, exact.
                    let [a, b, c] = triangle.map(|point| minus(point, *d));
                    let det = dot(a, a) * (b[0] * c[1] - b[1] * c[0]) + dot(b, b) * (c[0] * a[1] - c[1] * a[0])
                        + dot(c, c) * (a[0] * b[1] - a[1] * b[0]);
                    prop_assert!(det <= 0.0, "{:?} in {:?}", d, triangle);
                }
            }
            // The triangles fill the hull, once.
            let covered: f64 = made.triangles.iter().map(|corners| area(corners.map(|corner| points[corner]))).sum();
            let around: f64 = made.hull.iter().map(|[a, b]| points[*a][0] * points[*b][1] - points[*a][1] * points[*b][0]).sum();
            prop_assert!(made.triangles.is_empty() || covered == around, "{} of {}", covered, around);
            for point in 0..points.len() {
                let weights = made.weights(points[point]);
                let own: f64 = weights.iter().filter(|(corner, _)| *corner == point).map(|(_, weight)| weight).sum();
                prop_assert!((own - 1.0).abs() < 1e-12, "{:?} at {:?}", weights, points[point]);
            }
        }

        #[test]
        fn weights_are_continuous_and_give_the_nearest_place_back(
            points in points(), x in -9.0..9.0f64, y in -9.0..9.0f64, angle in 0..8i32
        ) {
            let made = Triangulation::new(points.clone());
            let place = |at: [f64; 2]| {
                let weights = made.weights(at);
                let sum: f64 = weights.iter().map(|(_, weight)| weight).sum();
                assert!((sum - 1.0).abs() < 1e-12 && weights.iter().all(|(_, weight)| (0.0..=1.0).contains(weight)));
                weights.iter().fold([0.0; 2], |sum, (point, weight)| {
                    [sum[0] + points[*point][0] * weight, sum[1] + points[*point][1] * weight]
                })
            };
            let here = place([x, y]);
            let step = [[1.0, 0.0], [0.7, 0.7], [0.0, 1.0], [-0.7, 0.7]][angle as usize % 4].map(|s: f64| s * 1e-6);
            let there = place([x + step[0], y + step[1]]);
            // To the nearest place of a convex set no distance grows.
            prop_assert!(dot(minus(here, there), minus(here, there)).sqrt() <= 1.1e-6);
            // No place of the hull is nearer, and one inside is given back.
            let gap = dot(minus(here, [x, y]), minus(here, [x, y])).sqrt();
            for point in &points {
                for share in [0.0, 0.3, 0.8, 1.0] {
                    let other = [here[0] + (point[0] - here[0]) * share, here[1] + (point[1] - here[1]) * share];
                    prop_assert!(gap <= dot(minus(other, [x, y]), minus(other, [x, y])).sqrt() + 1e-9);
                }
            }
        }
    }
}
