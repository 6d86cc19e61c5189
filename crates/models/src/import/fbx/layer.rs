//! Layer elements: values laid over a mesh in one of many ways.
//!
//! In: a `LayerElement...` record. Out: which value each corner has. Source: FBX SDK, `FbxLayerElement`: a mapping mode
//! says what carries a value (control point, corner, polygon, edge, the whole mesh), a reference mode whether values
//! are listed in that order or named by a second list.

use super::document::text;
use super::tree::At;
use crate::import::{Budget, Fault, code};

/// The shape that layers are laid over.
#[derive(Debug, Default)]
pub struct Outline {
    pub point_count: usize,
    /// Control point of each corner.
    pub points: Vec<u32>,
    /// First corner of each polygon, and the number of corners as the last.
    pub starts: Vec<u32>,
    /// Polygon of each corner.
    pub polygons: Vec<u32>,
    /// Corners at which edges start; the edge runs to the polygon's next corner.
    pub edges: Vec<u32>,
}

impl Outline {
    pub fn corner_count(&self) -> usize {
        self.points.len()
    }

    pub fn polygon_count(&self) -> usize {
        self.starts.len() - 1
    }

    /// The corner after this one in its polygon.
    pub fn after(&self, corner: u32) -> u32 {
        let polygon = self.polygons[corner as usize] as usize;
        if corner + 1 == self.starts[polygon + 1] { self.starts[polygon] } else { corner + 1 }
    }

    /// The corner before this one in its polygon.
    pub fn before(&self, corner: u32) -> u32 {
        let polygon = self.polygons[corner as usize] as usize;
        if corner == self.starts[polygon] { self.starts[polygon + 1] - 1 } else { corner - 1 }
    }

    /// Control points of the edge that starts at a corner, the lower first.
    pub fn ends(&self, corner: u32) -> (u32, u32) {
        let (a, b) = (self.points[corner as usize], self.points[self.after(corner) as usize]);
        (a.min(b), a.max(b))
    }

    /// For each corner, the number of the edge that starts there; `u32::MAX` where it is not listed.
    pub fn edge_of_corners(&self) -> Vec<u32> {
        let mut listed: Vec<((u32, u32), u32)> =
            (0..).zip(&self.edges).map(|(edge, c)| (self.ends(*c), edge)).collect();
        listed.sort_unstable();
        let find = |corner: u32| {
            let ends = self.ends(corner);
            let place = listed.partition_point(|(other, _)| *other < ends);
            listed.get(place).filter(|(other, _)| *other == ends).map_or(u32::MAX, |(_, edge)| *edge)
        };
        (0..self.corner_count() as u32).map(find).collect()
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Mapping {
    Point,
    Corner,
    Polygon,
    Edge,
    Same,
}

/// Which value each corner has: positions of values.
#[derive(Debug)]
pub struct Layer {
    mapping: Mapping,
    /// Positions of values, by carrier; values stand in order where there is none.
    index: Option<Vec<i32>>,
    pub value_count: usize,
    /// Where `mapping` is `Edge`.
    edge_of_corner: Vec<u32>,
}

/// `None` with a warning where the mode is not known.
fn mapping(at: At<'_>) -> Result<Mapping, String> {
    Ok(match at.child_text("MappingInformationType").unwrap_or_default() {
        b"ByControlPoint" | b"ByVertice" | b"ByVertex" => Mapping::Point,
        b"ByPolygonVertex" => Mapping::Corner,
        b"ByPolygon" | b"ByFace" => Mapping::Polygon,
        b"ByEdge" => Mapping::Edge,
        b"AllSame" => Mapping::Same,
        other => return Err(text(other)),
    })
}

impl Layer {
    /// Which of `value_count` values each corner has.
    ///
    /// `index_name` names the second list, `NormalsIndex`. Out: `None` where the layer maps nothing. Errors: a mode
    /// that is not known, lists that are broken.
    pub fn read(
        at: At<'_>,
        index_name: &str,
        value_count: usize,
        outline: &Outline,
        budget: &Budget,
        what: &str,
    ) -> Result<Option<Layer>, Fault> {
        let mapping = match mapping(at) {
            Ok(mapping) => mapping,
            Err(word) if word == "NoMappingInformation" || value_count == 0 => return Ok(None),
            Err(word) => {
                let message = format!("{what}: ignored values with the mapping {:?}", super::document::short(&word));
                return Err(Fault::new(code::FBX_LAYER, message));
            }
        };
        let index = match at.child_text("ReferenceInformationType").unwrap_or(b"Direct") {
            b"Direct" => None,
            b"IndexToDirect" | b"Index" => match at.list(index_name) {
                Some(list) => Some(list.integers(budget, what)?.into_owned()),
                // Programs that leave the list out mean the values in order.
                None => None,
            },
            other => {
                let message =
                    format!("{what}: ignored values with the reference mode {:?}", text(&other[..other.len().min(60)]));
                return Err(Fault::new(code::FBX_LAYER, message));
            }
        };
        // Old exporters write "by polygon" and mean its corners; there are as many entries as of one or the other.
        let entries = index.as_ref().map_or(value_count, Vec::len);
        let corners = mapping == Mapping::Polygon && entries == outline.corner_count();
        let mapping = if corners && entries != outline.polygon_count() { Mapping::Corner } else { mapping };
        let edge_of_corner = if mapping == Mapping::Edge { outline.edge_of_corners() } else { Vec::new() };
        Ok(Some(Layer { mapping, index, value_count, edge_of_corner }))
    }

    /// What carries the value of a corner.
    fn carrier(&self, outline: &Outline, corner: u32) -> usize {
        match self.mapping {
            Mapping::Point => outline.points[corner as usize] as usize,
            Mapping::Corner => corner as usize,
            Mapping::Polygon => outline.polygons[corner as usize] as usize,
            Mapping::Edge => self.edge_of_corner[corner as usize] as usize,
            Mapping::Same => 0,
        }
    }

    /// Position of a corner's value; `None` where the file gives none.
    pub fn value(&self, outline: &Outline, corner: u32) -> Option<usize> {
        let carrier = self.carrier(outline, corner);
        let value = match &self.index {
            None => carrier,
            Some(index) => usize::try_from(*index.get(carrier)?).ok()?,
        };
        (value < self.value_count).then_some(value)
    }

    pub fn is_by_edge(&self) -> bool {
        self.mapping == Mapping::Edge
    }

    /// The value of a listed edge.
    pub fn value_of_edge(&self, edge: usize) -> Option<usize> {
        let value = match &self.index {
            None => edge,
            Some(index) => usize::try_from(*index.get(edge)?).ok()?,
        };
        (value < self.value_count).then_some(value)
    }
}

/// A number of a layer in single precision; 0 for what is no number there.
pub fn single(value: f64) -> f32 {
    let value = value as f32;
    if value.is_finite() { value } else { 0.0 }
}
