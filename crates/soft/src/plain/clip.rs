//! Clipping: polygons and lines against the volume, plane after plane. Source: `docs/adapter-rules.md`, Geometry.

use naga::Interpolation;

use super::value::Scalar;
use super::vertex::Vertex;

/// What clipping needs to know about the draw.
pub struct Clip<'a> {
    /// False for `unclipped_depth`.
    pub depth_clipped: bool,
    /// How many half viewports are kept.
    pub guard: f32,
    /// How a location is interpolated.
    pub interpolation: &'a dyn Fn(u32) -> Interpolation,
}

/// 2^-126.
const LEAST_W: f32 = f32::MIN_POSITIVE;

/// Of a position and the guard band.
type Plane = fn([f32; 4], f32) -> f32;

impl Clip<'_> {
    fn planes(&self) -> Vec<Plane> {
        let depth: [Plane; 2] = [|[_, _, z, _], _| z, |[_, _, z, w], _| w - z];
        let sides: [Plane; 5] = [
            |[_, _, _, w], _| w - LEAST_W,
            |[x, _, _, w], guard| guard * w - x,
            |[x, _, _, w], guard| guard * w + x,
            |[_, y, _, w], guard| guard * w - y,
            |[_, y, _, w], guard| guard * w + y,
        ];
        if self.depth_clipped { [&depth[..], &sides[..]].concat() } else { sides.to_vec() }
    }

    /// Primitives that can cover nothing, and points outside the volume.
    pub fn is_dropped(&self, vertices: &[Vertex]) -> bool {
        let every = |test: &dyn Fn([f32; 4]) -> bool| vertices.iter().all(|v| test(v.position));
        if vertices.iter().any(|v| v.position.iter().any(|p| !p.is_finite())) {
            return true;
        }
        if let [Vertex { position: [x, y, z, w], .. }] = *vertices {
            let inside = -w <= x && x <= w && -w <= y && y <= w && w >= LEAST_W;
            return !(inside && (!self.depth_clipped || 0.0 <= z && z <= w));
        }
        every(&|[x, _, _, w]| x > w)
            || every(&|[x, _, _, w]| x < -w)
            || every(&|[_, y, _, w]| y > w)
            || every(&|[_, y, _, w]| y < -w)
            || every(&|[_, _, _, w]| w < LEAST_W)
            || self.depth_clipped && (every(&|[_, _, z, _]| z < 0.0) || every(&|[_, _, z, w]| z > w))
    }

    /// The new vertex between `a`, which is inside, and `b`, which is not.
    fn between(&self, plane: Plane, a: &Vertex, b: &Vertex) -> Vertex {
        let (da, db) = (plane(a.position, self.guard), plane(b.position, self.guard));
        let t = db / (db - da);
        let mix = |t: f32, a: f32, b: f32| t * a + (1.0 - t) * b;
        let position: [f32; 4] = std::array::from_fn(|i| mix(t, a.position[i], b.position[i]));
        let u = (t * a.position[3]) / position[3];
        let values = a.values.iter().zip(&b.values).map(|((location, a), (_, b))| {
            let t = match (self.interpolation)(*location) {
                Interpolation::Perspective => t,
                Interpolation::Linear => u,
                _ => return (*location, a.clone()),
            };
            let parts = a.iter().zip(b).map(|(a, b)| Scalar::F32(mix(t, a.f32(), b.f32())));
            (*location, parts.collect())
        });
        Vertex { position, values: values.collect() }
    }

    /// The part of a convex polygon inside the volume; fewer than three vertices mean nothing.
    pub fn polygon(&self, mut polygon: Vec<Vertex>) -> Vec<Vertex> {
        for plane in self.planes() {
            let mut next = vec![];
            for (i, cur) in polygon.iter().enumerate() {
                let succ = &polygon[(i + 1) % polygon.len()];
                let (cur_in, succ_in) =
                    (plane(cur.position, self.guard) >= 0.0, plane(succ.position, self.guard) >= 0.0);
                if cur_in {
                    next.push(cur.clone());
                }
                if cur_in != succ_in {
                    let (a, b) = if cur_in { (cur, succ) } else { (succ, cur) };
                    next.push(self.between(plane, a, b));
                }
            }
            polygon = next;
        }
        polygon
    }

    /// The part of a line inside the volume.
    pub fn line(&self, mut line: [Vertex; 2]) -> Option<[Vertex; 2]> {
        for plane in self.planes() {
            match [0, 1].map(|i| plane(line[i].position, self.guard) >= 0.0) {
                [true, true] => {}
                [true, false] => line[1] = self.between(plane, &line[0], &line[1]),
                [false, true] => line[0] = self.between(plane, &line[1], &line[0]),
                [false, false] => return None,
            }
        }
        Some(line)
    }
}
