//! Patterns: one node shown several times.

use glam::{Quat, Vec3};
use stillframe_base::rng::Rng;

use super::Placement;
use super::angle::{rotation_xyz, sin_cos_deg};

/// Where the copies of a node stand, in the node's own space.
#[derive(Clone, Debug, PartialEq)]
pub enum Pattern {
    Line {
        count: u32,
        step_m: Vec3,
        centered: bool,
    },
    /// X first, then Y, then Z.
    Grid {
        count: [u32; 3],
        step_m: Vec3,
        centered: bool,
    },
    /// About +Y, from +Z towards +X.
    Ring {
        count: u32,
        radius_m: f32,
        start_deg: f64,
        sweep_deg: f64,
        turn: bool,
    },
    Scatter {
        count: u32,
        area: Area,
        turn_deg: [f64; 3],
        scale: [f64; 2],
        seed: u64,
    },
}

/// What a scatter fills.
#[derive(Clone, Debug, PartialEq)]
pub enum Area {
    Box {
        size_m: [f64; 3],
    },
    /// Level.
    Disk {
        radius_m: f64,
    },
}

impl Pattern {
    /// How many copies; more than fit into 64 bits count as the most that do.
    pub fn count(&self) -> u64 {
        match self {
            Pattern::Line { count, .. } | Pattern::Ring { count, .. } | Pattern::Scatter { count, .. } => {
                u64::from(*count)
            }
            Pattern::Grid { count, .. } => count.iter().fold(1, |all, n| all.saturating_mul(u64::from(*n))),
        }
    }

    /// Where copy `index` stands. It depends on nothing but the pattern and the index.
    pub fn placement(&self, index: u64) -> Placement {
        // Steps from the middle, or from the first one.
        let steps = |at: u64, count: u32, centered: bool| {
            let middle = if centered { f64::from(count - 1) / 2.0 } else { 0.0 };
            at as f64 - middle
        };
        let moved = |position: [f64; 3]| Placement {
            position: Vec3::from_array(position.map(|x| x as f32)),
            ..Placement::IDENTITY
        };
        match *self {
            Pattern::Line { count, step_m, centered } => {
                let steps = steps(index, count, centered);
                moved(step_m.to_array().map(|step| steps * f64::from(step)))
            }
            Pattern::Grid { count, step_m, centered } => {
                let [x, y, _] = count.map(u64::from);
                let at = [index % x, index / x % y, index / (x * y)];
                moved(std::array::from_fn(|n| steps(at[n], count[n], centered) * f64::from(step_m[n])))
            }
            Pattern::Ring { count, radius_m, start_deg, sweep_deg, turn } => {
                // All the way round, the last one does not stand on the first.
                let gaps = if sweep_deg.abs() >= 360.0 { count } else { (count - 1).max(1) };
                let angle_deg = start_deg + sweep_deg * (index as f64 / f64::from(gaps));
                let (sin, cos) = sin_cos_deg(angle_deg);
                let radius = f64::from(radius_m);
                let rotation = if turn { rotation_xyz([0.0, angle_deg, 0.0]) } else { Quat::IDENTITY };
                Placement { rotation, ..moved([radius * sin, 0.0, radius * cos]) }
            }
            Pattern::Scatter { ref area, turn_deg, scale, seed, .. } => {
                let mut stream = Rng::new(seed).stream("scatter", index);
                // Always the same seven numbers in the same order, so that no key moves what another one places.
                let unit: [f64; 7] = std::array::from_fn(|_| stream.unit_f64());
                let position = match area {
                    Area::Box { size_m } => std::array::from_fn(|n| (unit[n] - 0.5) * size_m[n]),
                    Area::Disk { radius_m } => {
                        let (sin, cos) = sin_cos_deg(unit[0] * 360.0);
                        let radius = radius_m * unit[2].sqrt();
                        [radius * sin, 0.0, radius * cos]
                    }
                };
                let turned: [f64; 3] = std::array::from_fn(|n| unit[3 + n] * turn_deg[n]);
                let size = (scale[0] + (scale[1] - scale[0]) * unit[6]) as f32;
                Placement { rotation: rotation_xyz(turned), scale: Vec3::splat(size), ..moved(position) }
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn near(a: Vec3, b: Vec3) -> bool {
        (a - b).length() < 1e-6
    }

    #[test]
    fn rows_and_boxes() {
        let line = Pattern::Line { count: 3, step_m: Vec3::new(2.0, 0.0, 1.0), centered: false };
        assert_eq!(line.placement(2).position, Vec3::new(4.0, 0.0, 2.0));
        let line = Pattern::Line { count: 4, step_m: Vec3::X, centered: true };
        assert_eq!(line.placement(0).position, Vec3::new(-1.5, 0.0, 0.0));
        let grid = Pattern::Grid { count: [2, 3, 2], step_m: Vec3::new(1.0, 10.0, 100.0), centered: false };
        assert_eq!(grid.count(), 12);
        for (index, want) in
            [(0, [0.0, 0.0, 0.0]), (1, [1.0, 0.0, 0.0]), (2, [0.0, 10.0, 0.0]), (11, [1.0, 20.0, 100.0])]
        {
            assert_eq!(grid.placement(index).position.to_array(), want, "{index}");
        }
        let grid = Pattern::Grid { count: [u32::MAX; 3], step_m: Vec3::ONE, centered: true };
        assert_eq!(grid.count(), u64::MAX);
    }

    #[test]
    fn rings_go_round() {
        let ring = |count, sweep_deg| Pattern::Ring { count, radius_m: 2.0, start_deg: 0.0, sweep_deg, turn: true };
        let full = ring(4, 360.0);
        assert!(near(full.placement(0).position, Vec3::new(0.0, 0.0, 2.0)));
        assert!(near(full.placement(1).position, Vec3::new(2.0, 0.0, 0.0)));
        assert!(near(full.placement(1).rotation * Vec3::Z, Vec3::X), "its +Z looks outwards");
        let half = ring(3, 180.0);
        assert!(near(half.placement(2).position, Vec3::new(0.0, 0.0, -2.0)), "one at each end");
        assert!(near(ring(1, 90.0).placement(0).position, Vec3::new(0.0, 0.0, 2.0)));
    }

    #[test]
    fn scattered_copies_know_only_themselves() {
        let scatter = |count, turn_deg| Pattern::Scatter {
            count,
            area: Area::Box { size_m: [4.0, 0.0, 2.0] },
            turn_deg,
            scale: [0.5, 1.5],
            seed: 3,
        };
        let (few, many) = (scatter(3, [0.0; 3]), scatter(1000, [0.0, 360.0, 0.0]));
        for index in 0..3 {
            let (a, b) = (few.placement(index), many.placement(index));
            assert_eq!((a.position, a.scale), (b.position, b.scale));
        }
        for index in 0..1000 {
            let place = many.placement(index);
            assert!(place.position.abs().cmple(Vec3::new(2.0, 0.0, 1.0)).all(), "{place:?}");
            assert!((0.5..=1.5).contains(&place.scale.x));
        }
        // Any change of these moves every scene that scatters.
        assert_eq!(few.placement(0).position.to_array(), PINNED);
    }

    const PINNED: [f32; 3] = [-1.1602311, -0.0, 0.5640257];
}
