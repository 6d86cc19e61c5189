//! How long a hierarchy of triangles takes to make, and how many rays a second it answers: figures of
//! `docs/performance.md`. `cargo bench -p stillframe-base --bench bvh`.

use std::hint::black_box;
use std::time::Instant;

use glam::DVec3;
use stillframe_base::geom::{Bvh, Ray};
use stillframe_base::rng::{Rng, Stream};

const RAYS: usize = 100_000;

/// Seconds of the fastest of some calls.
#[allow(clippy::disallowed_methods, reason = "a bench reads the clock")]
fn fastest_s(rounds: u32, mut call: impl FnMut()) -> f64 {
    let once = |call: &mut dyn FnMut()| {
        let start = Instant::now();
        call();
        start.elapsed().as_secs_f64()
    };
    (0..rounds).map(|_| once(&mut call)).fold(f64::INFINITY, f64::min)
}

fn point(stream: &mut Stream) -> DVec3 {
    DVec3::from([(); 3].map(|()| stream.unit_f64() * 2.0 - 1.0))
}

/// A bumpy ball of two triangles a cell.
fn ball(side: usize) -> Vec<[DVec3; 3]> {
    let mut stream = Rng::new(1).stream("ball", 0);
    let heights: Vec<f64> = (0..=side * side + 2 * side).map(|_| 1.0 + 0.02 * stream.unit_f64()).collect();
    let at = |column: usize, row: usize| {
        let (u, v) = (column as f64 / side as f64 * 2.0 - 1.0, row as f64 / side as f64 * 2.0 - 1.0);
        // An octahedron unfolded onto a square.
        let z = 1.0 - u.abs() - v.abs();
        let (x, y) = match z >= 0.0 {
            true => (u, v),
            false => ((1.0 - v.abs()).copysign(u), (1.0 - u.abs()).copysign(v)),
        };
        DVec3::new(x, y, z).normalize() * heights[row * (side + 1) + column]
    };
    let cells = (0..side * side).map(|cell| (cell % side, cell / side));
    cells
        .flat_map(|(x, y)| {
            let [a, b, c, d] = [at(x, y), at(x + 1, y), at(x, y + 1), at(x + 1, y + 1)];
            [[a, b, c], [b, d, c]]
        })
        .collect()
}

/// Triangles of all sizes anywhere.
fn soup(count: usize) -> Vec<[DVec3; 3]> {
    let mut stream = Rng::new(2).stream("soup", 0);
    let one = |stream: &mut Stream| {
        let center = point(stream);
        [(); 3].map(|()| center + point(stream) * 0.03)
    };
    (0..count).map(|_| one(&mut stream)).collect()
}

fn main() {
    println!("scene       triangles   made in   nearest         any");
    for (name, triangles) in
        [("ball", ball(32)), ("ball", ball(224)), ("ball", ball(707)), ("soup", soup(2_000)), ("soup", soup(100_000))]
    {
        let made_s = fastest_s(3, || drop(black_box(Bvh::new(black_box(&triangles)))));
        let bvh = Bvh::new(&triangles);
        let mut stream = Rng::new(3).stream("rays", 0);
        let ray = |stream: &mut Stream| {
            let origin = point(stream).normalize() * 3.0;
            Ray::new(origin, point(stream) - origin)
        };
        let rays: Vec<Ray> = (0..RAYS).map(|_| ray(&mut stream)).collect();
        let nearest_s = fastest_s(3, || {
            black_box(rays.iter().filter(|ray| bvh.nearest(ray, &|_| true).is_some()).count());
        });
        let any_s = fastest_s(3, || {
            black_box(rays.iter().filter(|ray| bvh.meets(ray, &|_| true)).count());
        });
        let millions = |s: f64| RAYS as f64 / s / 1e6;
        let (count, made_ms) = (triangles.len(), made_s * 1e3);
        let (nearest, any) = (millions(nearest_s), millions(any_s));
        println!("{name:10} {count:10} {made_ms:7.1} ms {nearest:7.2} M/s {any:7.2} M/s");
    }
}
