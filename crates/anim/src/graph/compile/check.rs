//! Check: numbers of a definition that must lie in a range.

use stillframe_base::tick::Tick;

use super::super::GraphError;
use crate::pose::LAYERS_MAX;

pub(super) fn finite(node: &str, what: &'static str, value: f32) -> Result<f32, GraphError> {
    if value.is_finite() { Ok(value) } else { Err(GraphError::Range { node: node.to_string(), what, value }) }
}

pub(super) fn ticks(node: &str, what: &'static str, value: Tick, max: Tick) -> Result<Tick, GraphError> {
    let good = Tick::ZERO <= value && value <= max;
    if good { Ok(value) } else { Err(GraphError::Ticks { node: node.to_string(), what, ticks: value.0 }) }
}

pub(super) fn count(node: &str, what: &'static str, count: usize, want: usize) -> Result<(), GraphError> {
    if count == want { Ok(()) } else { Err(GraphError::Count { node: node.to_string(), what, count, want }) }
}

pub(super) fn not_empty(node: &str, what: &'static str, count: usize) -> Result<(), GraphError> {
    if count > 0 { Ok(()) } else { Err(GraphError::Empty { node: node.to_string(), what }) }
}

pub(super) fn few(node: &str, count: usize) -> Result<(), GraphError> {
    let max = LAYERS_MAX;
    if count <= max { Ok(()) } else { Err(GraphError::TooMany { node: node.to_string(), count, max }) }
}
