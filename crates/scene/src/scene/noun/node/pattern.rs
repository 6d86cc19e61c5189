//! `line`, `grid`, `ring` and `scatter` of nodes: one node shown several times.

use glam::{Quat, Vec3};
use stillframe_base::rng::Rng;

use super::Placement;
use crate::scene::Scene;
use crate::scene::angle::{rotation_xyz, sin_cos_deg};
use crate::scene::code;
use crate::scene::fields::Fields;
use crate::scene::key::{Inner, Key, flag, number, numbers, optional, required, rows, whole};
use crate::scene::printer::Printer;
use crate::scene::resolver::{LIGHTS_MAX, NODES_MAX, Resolver};
use crate::scene::schema::{ANY, Kind, NOT_NEGATIVE, Range, Row, Type, kind, range};
use crate::scene::text::syntax::{Place, Table};

/// Most copies of one node.
pub(crate) const COPIES_MAX: i64 = 65_536;
const COUNT_TYPE: Type = Type::Whole { min: 1, max: COPIES_MAX };
const COUNT: Key<u32> = required("count", COUNT_TYPE, "Number of copies.");

pub(super) const LINE: Key<Inner> =
    optional("line", Type::Table(&LINE_TABLE), "one of it", "Shows it several times, in a row.");
pub(super) const GRID: Key<Inner> =
    optional("grid", Type::Table(&GRID_TABLE), "one of it", "Shows it several times, in rows, columns and layers.");
pub(super) const RING: Key<Inner> =
    optional("ring", Type::Table(&RING_TABLE), "one of it", "Shows it several times, around +Y.");
pub(super) const SCATTER: Key<Inner> =
    optional("scatter", Type::Table(&SCATTER_TABLE), "one of it", "Shows it several times, at random places.");

pub(crate) static LINE_TABLE: Kind = kind(
    "line = { ... }",
    "Copies in a row. Copy N of node `post` is called `post/N`, counted from 0, and a node below it `post/N/NAME`. Each copy moves as the node does.",
    LINE_KEYS,
);

const LINE_STEP_M: Key<Vec3> = numbers("step_m", &[1.0, 0.0, 0.0], ANY, "Step from one copy to the next.");
const LINE_CENTERED: Key<bool> =
    flag("centered", false, "Whether the middle of the row is at the node's place, instead of its first copy.");
static LINE_KEYS: &[Row] = rows! { COUNT, LINE_STEP_M, LINE_CENTERED };

pub(crate) static GRID_TABLE: Kind =
    kind("grid = { ... }", "Copies in a box, numbered along X first, then along Y, then along Z.", GRID_KEYS);

const GRID_COUNT: Key<[u32; 3]> =
    required("count", Type::Wholes { count: 3, min: 1, max: COPIES_MAX }, "Number of copies along X, Y and Z.");
const GRID_STEP_M: Key<Vec3> =
    numbers("step_m", &[1.0, 1.0, 1.0], ANY, "Step from one copy to the next along each axis.");
const GRID_CENTERED: Key<bool> =
    flag("centered", true, "Whether the middle of the box is at the node's place, instead of its first copy.");
static GRID_KEYS: &[Row] = rows! { GRID_COUNT, GRID_STEP_M, GRID_CENTERED };

pub(crate) static RING_TABLE: Kind = kind(
    "ring = { ... }",
    "Copies around the node's +Y axis, counter-clockwise seen from above, the first one towards +Z.",
    RING_KEYS,
);

const RING_RADIUS_M: Key<f32> = number("radius_m", 1.0, NOT_NEGATIVE, "Distance from the axis.");
const RING_START_DEG: Key<f64> = number("start_deg", 0.0, ANY, "Angle of the first copy: 0 is +Z, 90 is +X.");
const RING_SWEEP_DEG: Key<f64> = number(
    "sweep_deg",
    360.0,
    range(-360.0, 360.0),
    "Angle that the copies cover. With less than a full circle, there is a copy at each end.",
);
const RING_TURN: Key<bool> = flag("turn", true, "Whether each copy is turned so that its +Z points outwards.");
static RING_KEYS: &[Row] = rows! { COUNT, RING_RADIUS_M, RING_START_DEG, RING_SWEEP_DEG, RING_TURN };

pub(crate) static SCATTER_TABLE: Kind = Kind {
    exclusive: &[&[SCATTER_SIZE_M.name(), SCATTER_RADIUS_M.name()]],
    ..kind(
        "scatter = { ... }",
        "Copies at random places, the same on every machine. Copy N depends on the seed and on N alone: a larger `count` adds copies and moves none.",
        SCATTER_KEYS,
    )
};

const SCATTER_SIZE_M: Key<[f64; 3]> =
    numbers("size_m", &[1.0, 0.0, 1.0], NOT_NEGATIVE, "A box around the node's place, evenly filled.");
const SCATTER_RADIUS_M: Key<Option<f64>> = optional(
    "radius_m",
    Type::Number(NOT_NEGATIVE),
    "none",
    "A level disk around the node's place instead, evenly filled.",
);
const SCATTER_TURN_DEG: Key<[f64; 3]> =
    numbers("turn_deg", &[0.0, 0.0, 0.0], ANY, "Largest random angles about X, Y and Z, applied as `rotation_deg` is.");
const SCATTER_SCALE: Key<[f64; 2]> =
    numbers("scale", &[1.0, 1.0], Range { min: 1e-6, max: 1e6, open: false }, "Range of the random scale.");
const SCATTER_SEED: Key<u64> = whole("seed", 0, 0, i64::MAX, "Seed of the random places.");
static SCATTER_KEYS: &[Row] =
    rows! { COUNT, SCATTER_SIZE_M, SCATTER_RADIUS_M, SCATTER_TURN_DEG, SCATTER_SCALE, SCATTER_SEED };

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

impl Area {
    /// A disk where its radius is written, else a box.
    pub(crate) fn fields(&mut self, on: &mut Fields<'_, '_>, size_m: Key<[f64; 3]>, radius_m: Key<Option<f64>>) {
        let (mut size, mut radius) = match self {
            Area::Box { size_m } => (*size_m, None),
            Area::Disk { radius_m } => ([0.0; 3], Some(*radius_m)),
        };
        on.field(radius_m, &mut radius);
        *self = match radius {
            Some(radius_m) => Area::Disk { radius_m },
            None => {
                on.field(size_m, &mut size);
                Area::Box { size_m: size }
            }
        };
    }
}

/// The keys of the patterns, with a pattern of each kind for its fields to be read into.
const PATTERNS: [(Key<Inner>, fn() -> Pattern); 4] = [
    (LINE, || Pattern::Line { count: 1, step_m: Vec3::ZERO, centered: false }),
    (GRID, || Pattern::Grid { count: [1; 3], step_m: Vec3::ZERO, centered: false }),
    (RING, || Pattern::Ring { count: 1, radius_m: 0.0, start_deg: 0.0, sweep_deg: 0.0, turn: false }),
    (SCATTER, || Pattern::Scatter {
        count: 1,
        area: Area::Box { size_m: [0.0; 3] },
        turn_deg: [0.0; 3],
        scale: [0.0; 2],
        seed: 0,
    }),
];

pub(super) fn pattern(table: &Table) -> Option<Pattern> {
    let (inner, blank) = PATTERNS.iter().find_map(|(key, blank)| Some((table.inner(*key)?, blank)))?;
    let mut pattern = blank();
    fields(&mut Fields::Read(inner), &mut pattern);
    Some(pattern)
}

/// Does something to the fields of a pattern, and says under which key it is.
fn fields(on: &mut Fields<'_, '_>, pattern: &mut Pattern) -> Key<Inner> {
    match pattern {
        Pattern::Line { count, step_m, centered } => {
            count_field(on, count);
            on.field(LINE_STEP_M, step_m);
            on.field(LINE_CENTERED, centered);
            LINE
        }
        Pattern::Grid { count, step_m, centered } => {
            on.field(GRID_COUNT, count);
            *count = count.map(|count| count.max(1));
            on.field(GRID_STEP_M, step_m);
            on.field(GRID_CENTERED, centered);
            GRID
        }
        Pattern::Ring { count, radius_m, start_deg, sweep_deg, turn } => {
            count_field(on, count);
            on.field(RING_RADIUS_M, radius_m);
            on.field(RING_START_DEG, start_deg);
            on.field(RING_SWEEP_DEG, sweep_deg);
            on.field(RING_TURN, turn);
            RING
        }
        Pattern::Scatter { count, area, turn_deg, scale, seed } => {
            count_field(on, count);
            area.fields(on, SCATTER_SIZE_M, SCATTER_RADIUS_M);
            on.field(SCATTER_TURN_DEG, turn_deg);
            on.field(SCATTER_SCALE, scale);
            on.field(SCATTER_SEED, seed);
            SCATTER
        }
    }
}

/// Without a sound number, which the check has reported, there is one.
fn count_field(on: &mut Fields<'_, '_>, count: &mut u32) {
    on.field(COUNT, count);
    *count = (*count).max(1);
}

pub(super) fn print(out: &mut Printer<'_>, pattern: &Pattern) {
    let mut inner = out.inline();
    let key = fields(&mut Fields::Inline(&mut inner), &mut pattern.clone());
    out.table(key, inner);
}

/// Copies of copies multiply: the whole must stay below the limits of nodes and lights.
pub(crate) fn check_counts(resolver: &mut Resolver<'_>, tree: &Table, scene: &Scene) {
    let (nodes, lights) = scene.expanded_counts();
    let (count, limit, what) = match (nodes > NODES_MAX as u64, lights > LIGHTS_MAX as u64) {
        (true, _) => (nodes, NODES_MAX, "nodes"),
        (_, true) => (lights, LIGHTS_MAX, "lights"),
        _ => return,
    };
    // The largest pattern is where people would look first.
    let mut largest: Option<(u64, Place)> = None;
    for (_, table) in tree.list("node") {
        let place = PATTERNS.iter().find_map(|(key, _)| table.entry_of(*key)).map(|entry| entry.value.place);
        if let (Some(pattern), Some(place)) = (pattern(table), place)
            && largest.is_none_or(|(count, _)| pattern.count() > count)
        {
            largest = Some((pattern.count(), place));
        }
    }
    if let Some((_, place)) = largest {
        let help = Some("copies of copies multiply, and everything below a node is copied with it".to_string());
        let message = format!("the copies make {count} {what}, but at most {limit} are supported");
        resolver.complain_with(code::TOO_MANY, place, message, help);
    }
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
