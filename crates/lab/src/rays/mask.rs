//! Masks: where the light of one source arrives in a picture.
//!
//! Distances to edges: Felzenszwalb, Huttenlocher 2012, "Distance transforms of sampled functions".

use super::{Eye, Seen, Source, Surfaces};

/// How the light of a source arrives, pixel by pixel.
#[derive(Clone, Debug, PartialEq)]
pub struct Mask {
    pub size_px: [usize; 2],
    /// At the middles of pixels, row by row; `None` where nothing is seen.
    pub lit: Vec<Option<bool>>,
    /// From there to the nearest point where that is otherwise, in pixels; infinite where there is none.
    pub edge_px: Vec<f64>,
}

impl Mask {
    /// Of a light that shines from `source`. Edges are looked for among `fine` by `fine` points a pixel: an odd number,
    /// so that one is in the middle. What is narrower than their distance may be missed.
    pub fn new(surfaces: &Surfaces, eye: &Eye, source: Source, size_px: [usize; 2], fine: usize) -> Mask {
        Mask::of_seen(surfaces, &surfaces.seen(eye, size_px, fine), source, size_px, fine)
    }

    /// The same from what is seen, for several sources.
    pub fn of_seen(
        surfaces: &Surfaces,
        seen: &[Option<Seen>],
        source: Source,
        size_px: [usize; 2],
        fine: usize,
    ) -> Mask {
        assert!(fine % 2 == 1, "{fine} points: none is in the middle");
        let size = size_px.map(|side| side * fine);
        let points: Vec<Option<bool>> =
            seen.iter().map(|seen| seen.as_ref().map(|seen| surfaces.is_lit(seen, source))).collect();
        let mut edges = vec![f64::INFINITY; points.len()];
        for class in [None, Some(false), Some(true)] {
            let away = squares(&points.iter().map(|point| *point != class).collect::<Vec<_>>(), size);
            for (at, edge) in edges.iter_mut().enumerate().filter(|(at, _)| points[*at] == class) {
                *edge = away[at].sqrt() / fine as f64;
            }
        }
        let middles = || {
            (0..size_px[1]).flat_map(move |row| {
                (0..size_px[0]).map(move |column| (row * fine + fine / 2) * size[0] + column * fine + fine / 2)
            })
        };
        Mask {
            size_px,
            lit: middles().map(|at| points[at]).collect(),
            edge_px: middles().map(|at| edges[at]).collect(),
        }
    }
}

/// Squares of distances to the nearest point that is marked.
fn squares(marked: &[bool], [width, height]: [usize; 2]) -> Vec<f64> {
    let mut out: Vec<f64> = marked.iter().map(|marked| if *marked { 0.0 } else { f64::INFINITY }).collect();
    let mut line = Vec::new();
    for column in 0..width {
        line.clear();
        line.extend((0..height).map(|row| out[row * width + column]));
        for (row, square) in along(&line).into_iter().enumerate() {
            out[row * width + column] = square;
        }
    }
    for row in out.chunks_exact_mut(width) {
        row.copy_from_slice(&along(row));
    }
    out
}

/// The lower envelope of a parabola over each place of a line.
fn along(line: &[f64]) -> Vec<f64> {
    // Places of parabolas of the envelope, and where each begins.
    let mut lowest: Vec<(usize, f64)> = Vec::new();
    for (at, height) in line.iter().enumerate().filter(|(_, height)| height.is_finite()) {
        let meets = |before: usize| {
            let (a, b) = (before as f64, at as f64);
            (height + b * b - line[before] - a * a) / (2.0 * (b - a))
        };
        while lowest.last().is_some_and(|(before, begins)| meets(*before) <= *begins) {
            lowest.pop();
        }
        let begins = lowest.last().map_or(f64::NEG_INFINITY, |(before, _)| meets(*before));
        lowest.push((at, begins));
    }
    let mut of = 0;
    (0..line.len())
        .map(|at| {
            while lowest.get(of + 1).is_some_and(|(_, begins)| *begins <= at as f64) {
                of += 1;
            }
            lowest.get(of).map_or(f64::INFINITY, |(place, _)| {
                let away = at as f64 - *place as f64;
                line[*place] + away * away
            })
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use stillframe_base::rng::Rng;

    use super::*;

    #[test]
    fn distances_are_those_to_every_point_one_by_one() {
        let mut stream = Rng::new(7).stream("marks", 0);
        for [width, height] in [[1, 1], [1, 9], [9, 1], [7, 5], [16, 16]] {
            for one_in in [1, 2, 20, 1000] {
                let marked: Vec<bool> = (0..width * height).map(|_| stream.one_in(one_in)).collect();
                let place = |at: usize| [(at % width) as f64, (at / width) as f64];
                for (at, found) in squares(&marked, [width, height]).into_iter().enumerate() {
                    let away = |other: usize| {
                        let ([x, y], [u, v]) = (place(at), place(other));
                        (x - u) * (x - u) + (y - v) * (y - v)
                    };
                    let want = (0..marked.len()).filter(|other| marked[*other]).map(away).fold(f64::INFINITY, f64::min);
                    assert_eq!(found, want, "{at} of {width}x{height}");
                }
            }
        }
    }
}
