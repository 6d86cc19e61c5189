//! Weights: what pulls at the vertices of skins, and whether it adds up.

use serde::Serialize;

use crate::import::{Influences, Model};

/// Sums further from 1 are reported; files round to 8 bits.
const SUM_OFF: f64 = 4e-3;

/// The weights of what one node shows.
#[derive(Debug, Default, Serialize)]
pub struct WeightFacts {
    pub node: String,
    pub skin: String,
    pub joints: usize,
    pub vertices: usize,
    /// Nobody pulls at them: they stay with their node.
    pub without_weight: usize,
    pub sum_off: usize,
    /// The sum that is furthest from 1.
    pub sum_worst: f64,
    pub over_4_joints: usize,
    pub over_8_joints: usize,
    /// At most a vertex.
    pub joints_max: usize,
    /// Vertices that a joint pushes away.
    pub negative: usize,
    /// Vertices with two weights of one joint.
    pub joint_twice: usize,
}

/// The weights of every node with a skin.
pub fn weight_facts(model: &Model) -> Vec<WeightFacts> {
    let skinned = model.nodes.iter().filter_map(|node| Some((node, &model.skins[node.skin?])));
    skinned
        .map(|(node, skin)| {
            let mut out = WeightFacts {
                node: node.name.clone(),
                skin: skin.name.clone(),
                joints: skin.joints.len(),
                sum_worst: 1.0,
                ..WeightFacts::default()
            };
            for part in &node.parts {
                let geometry = &model.geometries[part.geometry];
                (0..geometry.surface.positions.len()).for_each(|vertex| out.note(&geometry.influences, vertex));
            }
            out
        })
        .collect()
}

impl WeightFacts {
    fn note(&mut self, influences: &Influences, vertex: usize) {
        let entries = match influences.starts.get(vertex..vertex + 2) {
            Some(ends) => ends[0] as usize..ends[1] as usize,
            None => 0..0,
        };
        let mut joints: Vec<u32> =
            (influences.joints[entries.clone()].iter().zip(&influences.weights[entries.clone()]))
                .filter(|(_, weight)| **weight != 0.0)
                .map(|(joint, _)| *joint)
                .collect();
        joints.sort_unstable();
        self.joint_twice += usize::from(joints.windows(2).any(|pair| pair[0] == pair[1]));
        self.negative += usize::from(influences.weights[entries.clone()].iter().any(|weight| *weight < 0.0));
        let weights = influences.weights[entries].iter().map(|weight| f64::from(*weight)).filter(|w| *w != 0.0);
        let (count, sum) = weights.fold((0, 0.0), |(count, sum), weight| (count + 1, sum + weight));
        self.vertices += 1;
        self.joints_max = self.joints_max.max(count);
        self.over_4_joints += usize::from(count > 4);
        self.over_8_joints += usize::from(count > 8);
        if count == 0 {
            self.without_weight += 1;
            return;
        }
        self.sum_off += usize::from((sum - 1.0).abs() > SUM_OFF);
        if (sum - 1.0).abs() > (self.sum_worst - 1.0).abs() {
            self.sum_worst = sum;
        }
    }
}
