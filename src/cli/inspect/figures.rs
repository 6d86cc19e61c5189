//! Figures: sums over what a model shows.

use std::collections::BTreeSet;

use glam::Vec3;
use stillframe_anim::{Property, RawClip, TrackValues};
use stillframe_base::geom::Aabb;

use crate::import::{Model, ModelGeometry};
use crate::pose;

/// Sums over what the nodes show, as they stand when no clip plays.
pub struct Figures {
    /// Nodes that show something.
    pub mesh_count: usize,
    /// Of every node that shows it.
    pub triangle_count: usize,
    /// Of every geometry once.
    pub vertex_count: usize,
    pub bounds: Aabb,
}

impl Figures {
    pub fn of(model: &Model) -> Figures {
        let mut out = Figures { mesh_count: 0, triangle_count: 0, vertex_count: 0, bounds: Aabb::EMPTY };
        let mut counted = BTreeSet::new();
        let pose = pose::pose(model, &[]);
        for (index, node) in model.nodes.iter().enumerate() {
            out.mesh_count += usize::from(!node.parts.is_empty());
            for part in &node.parts {
                let bent = pose::bend(model, index, part.geometry, &pose);
                let geometry = bent.as_ref().unwrap_or(&model.geometries[part.geometry].surface);
                out.triangle_count += geometry.indices.len() / 3;
                if counted.insert(part.geometry) {
                    out.vertex_count += geometry.positions.len();
                }
                for position in &geometry.positions {
                    let placed = pose.model_from_parts[index].transform_point3(Vec3::from_array(*position));
                    out.bounds = out.bounds.with(placed);
                }
            }
        }
        out
    }
}

/// Joints that pull at one vertex, at most.
pub fn joints_a_vertex_max(geometry: &ModelGeometry) -> usize {
    geometry.influences.starts.windows(2).map(|pair| (pair[1] - pair[0]) as usize).max().unwrap_or(0)
}

/// Nodes whose parts a skin bends.
pub fn nodes_of_skin(model: &Model, skin: usize) -> impl Iterator<Item = usize> {
    (0..model.nodes.len()).filter(move |node| model.nodes[*node].skin == Some(skin))
}

/// What a clip moves.
pub struct Moved {
    pub node_count: usize,
    pub track_count: usize,
    pub key_count: usize,
    /// In words, each once: `translation`, `rotation` ...
    pub properties: BTreeSet<String>,
}

impl Moved {
    pub fn of(clip: &RawClip) -> Moved {
        let tracks = || clip.layers.iter().flat_map(|layer| &layer.tracks);
        let keys = |values: &TrackValues| match values {
            TrackValues::Keyed(keyed) => keyed.times().len(),
            TrackValues::Components { curves, .. } => curves.iter().flatten().map(|curve| curve.keys.len()).sum(),
        };
        let word = |property: &Property| match property {
            Property::Translation => "translation".to_string(),
            Property::Rotation => "rotation".to_string(),
            Property::Scale => "scale".to_string(),
            Property::MorphWeights | Property::MorphWeight(_) => "morphs".to_string(),
            Property::Visibility => "visibility".to_string(),
            Property::Other(name) => name.clone(),
        };
        Moved {
            node_count: tracks().map(|track| track.node).collect::<BTreeSet<_>>().len(),
            track_count: tracks().count(),
            key_count: tracks().map(|track| keys(&track.values)).sum(),
            properties: tracks().map(|track| word(&track.property)).collect(),
        }
    }
}
