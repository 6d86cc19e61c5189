//! Space: which points have weight at a place, and how much.
//!
//! Source: the blends of one and two parameters of "Game engine: principles and practice" volume 2, sections 3.4 and
//! 3.7. Different: points anywhere instead of evenly spaced; the far edge of a grid is the last cell's, not past it;
//! four corners have weights at once instead of three nested interpolations, so that the order of the axes does not
//! matter. Scattered points: barycentric weights in a [`Triangulation`].

use stillframe_base::math::ops64;

use super::Value;
use super::source::Source;
use super::triangulation::Triangulation;

/// Points with weight: at most four, their weights above 0 and with the sum 1.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(super) struct Corners {
    count: usize,
    points: [u16; Corners::MAX],
    weights: [f32; Corners::MAX],
}

impl Corners {
    pub const MAX: usize = 4;

    fn push(&mut self, point: usize, weight: f32) {
        if weight > 0.0 {
            self.points[self.count] = point as u16;
            self.weights[self.count] = weight;
            self.count += 1;
        }
    }

    /// What stands at the points instead of them, weights of the same thing added.
    pub fn gather(&self, at: &[u16]) -> Corners {
        let mut gathered = Corners::default();
        for (point, weight) in self.iter() {
            match gathered.points[..gathered.count].iter().position(|other| *other == at[point]) {
                Some(known) => gathered.weights[known] += weight,
                None => gathered.push(usize::from(at[point]), weight),
            }
        }
        gathered
    }

    pub fn iter(&self) -> impl Iterator<Item = (usize, f32)> + '_ {
        self.points[..self.count].iter().zip(&self.weights).map(|(point, weight)| (usize::from(*point), *weight))
    }
}

/// Checked points and the parameters that choose between them.
#[derive(Clone, Debug)]
pub(super) enum Space {
    Line { parameter: Source, axis: Axis, order: Box<[u16]> },
    Grid { parameters: [Source; 2], columns: Axis, rows: Axis },
    Scatter { parameters: [Source; 2], triangles: Triangulation },
}

/// Places on a line, strictly rising, at least one.
#[derive(Clone, Debug)]
pub(super) struct Axis(pub Box<[f32]>);

impl Axis {
    /// The place at or before a number, the one after it, and how far it is between, 0 to 1. Outside, the nearer end
    /// and 0.
    fn cell(&self, x: f32) -> (usize, usize, f32) {
        let last = self.0.len() - 1;
        let below = self.0.partition_point(|at| *at <= x).saturating_sub(1);
        if below == last || x <= self.0[below] {
            return (below, below, 0.0);
        }
        // In f64, where the span of two numbers cannot overflow.
        let (from, to) = (f64::from(self.0[below]), f64::from(self.0[below + 1]));
        (below, below + 1, ((f64::from(x) - from) / (to - from)) as f32)
    }
}

impl Space {
    pub fn corners(&self, parameters: &[f32]) -> Corners {
        let mut corners = Corners::default();
        match self {
            Space::Line { parameter, axis, order } => {
                let (from, to, along) = axis.cell(parameter.value(parameters));
                corners.push(usize::from(order[from]), 1.0 - along);
                corners.push(usize::from(order[to]), along);
            }
            Space::Grid { parameters: sources, columns, rows } => {
                let [x, y] = sources.map(|source| source.value(parameters));
                let (left, right, across) = columns.cell(x);
                let (low, high, up) = rows.cell(y);
                let width = columns.0.len();
                for (row, share) in [(low, 1.0 - up), (high, up)] {
                    corners.push(row * width + left, (1.0 - across) * share);
                    corners.push(row * width + right, across * share);
                }
            }
            Space::Scatter { parameters: sources, triangles } => {
                let [x, y] = sources.map(|source| f64::from(source.value(parameters)));
                for (point, weight) in triangles.weights([x, y]) {
                    corners.push(point, ops64::canonical(weight) as f32);
                }
            }
        }
        corners
    }

    pub fn point_count(&self) -> usize {
        match self {
            Space::Line { order, .. } => order.len(),
            Space::Grid { columns, rows, .. } => columns.0.len() * rows.0.len(),
            Space::Scatter { triangles, .. } => triangles.points().len(),
        }
    }

    /// Parameters by which it is described.
    pub fn sources(&self) -> Vec<Source> {
        match self {
            Space::Line { parameter, .. } => vec![*parameter],
            Space::Grid { parameters, .. } | Space::Scatter { parameters, .. } => parameters.to_vec(),
        }
    }
}

/// What is wrong with a space, for the error that names its node.
#[derive(Debug, PartialEq)]
pub(super) enum SpaceFault {
    Empty,
    Range(f32),
    Same(usize, usize),
    Order(&'static str, usize),
}

/// Places too far from 0 for differences of them to be exact enough are refused.
const PLACE_MAX: f32 = 1e6;

impl Space {
    pub fn new(
        def: &super::SpaceDef,
        mut source: impl FnMut(&Value) -> Result<Source, super::GraphError>,
    ) -> Result<Result<Space, SpaceFault>, super::GraphError> {
        Ok(match def {
            super::SpaceDef::Line { parameter, at } => line(source(parameter)?, at),
            super::SpaceDef::Grid { parameters: [x, y], columns, rows } => {
                let parameters = [source(x)?, source(y)?];
                axis("column", columns)
                    .and_then(|columns| axis("row", rows).map(|rows| Space::Grid { parameters, columns, rows }))
            }
            super::SpaceDef::Scatter { parameters: [x, y], at } => {
                let parameters = [source(x)?, source(y)?];
                scatter(at).map(|triangles| Space::Scatter { parameters, triangles })
            }
        })
    }
}

fn check(at: &[f32]) -> Result<(), SpaceFault> {
    if at.is_empty() {
        return Err(SpaceFault::Empty);
    }
    at.iter().find(|x| !(x.abs() <= PLACE_MAX)).map_or(Ok(()), |x| Err(SpaceFault::Range(*x)))
}

fn line(parameter: Source, at: &[f32]) -> Result<Space, SpaceFault> {
    check(at)?;
    let mut order: Vec<usize> = (0..at.len()).collect();
    order.sort_by(|a, b| at[*a].total_cmp(&at[*b]).then(a.cmp(b)));
    if let Some(pair) = order.windows(2).find(|pair| at[pair[0]] == at[pair[1]]) {
        return Err(SpaceFault::Same(pair[0].min(pair[1]), pair[0].max(pair[1])));
    }
    let axis = Axis(order.iter().map(|point| at[*point]).collect());
    Ok(Space::Line { parameter, axis, order: order.iter().map(|point| *point as u16).collect() })
}

fn axis(name: &'static str, at: &[f32]) -> Result<Axis, SpaceFault> {
    check(at)?;
    match (1..at.len()).find(|index| at[index - 1] >= at[*index]) {
        Some(index) => Err(SpaceFault::Order(name, index)),
        None => Ok(Axis(at.into())),
    }
}

fn scatter(at: &[[f32; 2]]) -> Result<Triangulation, SpaceFault> {
    check(&at.concat())?;
    let points: Vec<[f64; 2]> = at.iter().map(|place| place.map(f64::from)).collect();
    for (second, place) in points.iter().enumerate() {
        if let Some(first) = points[..second].iter().position(|other| other == place) {
            return Err(SpaceFault::Same(first, second));
        }
    }
    Ok(Triangulation::new(points))
}
