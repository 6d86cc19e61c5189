//! Figures: sums over what a model shows.

use std::collections::BTreeSet;

use glam::{DVec3, Vec3};
use stillframe_anim::skin::{BLOCK_JOINTS_MAX, BlockReport, VertexBlock, sort_blocks};
use stillframe_anim::{Property, RawClip, TrackValues};
use stillframe_base::geom::Aabb;

use crate::import::{Model, ModelGeometry};
use crate::pose;

/// Sums over what the nodes show, as they are when no clip plays.
pub struct Figures {
    /// Nodes that show something.
    pub mesh_count: usize,
    /// Of every node that shows it.
    pub triangle_count: usize,
    /// Of every geometry once.
    pub vertex_count: usize,
    /// Around the origin if the model was moved there.
    pub bounds: Aabb,
    /// Position of a far model in its file, before it was moved to the origin.
    pub origin_m: Option<[f64; 3]>,
}

impl Figures {
    pub fn of(model: &Model) -> Figures {
        let mut out =
            Figures { mesh_count: 0, triangle_count: 0, vertex_count: 0, bounds: Aabb::EMPTY, origin_m: None };
        out.origin_m = (model.origin != DVec3::ZERO).then_some(model.origin.to_array());
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

/// Sets of joints that vertices may have before it would take seconds to sort them.
const JOINT_SETS_MAX: usize = 8192;

/// How the vertices that a skin bends would fit into blocks of sixteen that share joints, every part by itself. `None`:
/// there are none, or too many different sets of joints.
pub fn blocks_of_skin(model: &Model, skin: usize) -> Option<BlockReport> {
    let parts = nodes_of_skin(model, skin).flat_map(|node| &model.nodes[node].parts);
    let geometries: BTreeSet<usize> = parts.map(|part| part.geometry).collect();
    let mut sum: Option<BlockReport> = None;
    for geometry in geometries {
        let ModelGeometry { surface, influences, .. } = &model.geometries[geometry];
        let list = pose::influence_list(surface.positions.len(), influences);
        let joints_of = |vertex| list.of(vertex).iter().map(|influence| influence.joint).collect::<BTreeSet<u16>>();
        let sets: BTreeSet<BTreeSet<u16>> = (0..list.vertex_count()).map(joints_of).collect();
        if sets.len() > JOINT_SETS_MAX {
            return None;
        }
        let sorted = sort_blocks(&list, BLOCK_JOINTS_MAX).expect("a vertex has no more joints than a block");
        sum = Some(sum.map_or(sorted.report, |sum| both(&sum, &sorted.report)));
    }
    sum
}

/// Of two meshes as if they were one.
fn both(a: &BlockReport, b: &BlockReport) -> BlockReport {
    let mean = |[of_a, of_b]: [f64; 2], [count_a, count_b]: [usize; 2]| {
        (of_a * count_a as f64 + of_b * count_b as f64) / (count_a + count_b).max(1) as f64
    };
    let (vertex_count, block_count) = (a.vertex_count + b.vertex_count, a.block_count + b.block_count);
    let unsorted = [a, b].map(|of| VertexBlock::count_for(of.vertex_count));
    BlockReport {
        vertex_count,
        block_count,
        fill: mean([a.fill, b.fill], [a.block_count, b.block_count]),
        joints_mean: mean([a.joints_mean, b.joints_mean], [a.block_count, b.block_count]),
        joints_max: a.joints_max.max(b.joints_max),
        joints_mean_unsorted: mean([a.joints_mean_unsorted, b.joints_mean_unsorted], unsorted),
    }
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
