//! Skins: joints with their inverse bind matrices, and the weights of vertices.
//!
//! Source: glTF 2.0, 3.7.3.

use glam::Mat4;

use super::Importer;
use super::json::At;
use super::packed::Packed;
use crate::import::{Fault, Influences, Joint, Skin, SkinMethod, code};

type Result<T> = std::result::Result<T, Fault>;

/// Sets of four joints that are read.
const SETS: [(&str, &str); 4] =
    [("JOINTS_0", "WEIGHTS_0"), ("JOINTS_1", "WEIGHTS_1"), ("JOINTS_2", "WEIGHTS_2"), ("JOINTS_3", "WEIGHTS_3")];

/// Names of the attributes that hold joints and weights, for telling geometries apart.
pub const ATTRIBUTES: [&str; 8] =
    [SETS[0].0, SETS[0].1, SETS[1].0, SETS[1].1, SETS[2].0, SETS[2].1, SETS[3].0, SETS[3].1];

impl<'a> Importer<'a> {
    /// The file's numbers of a skin's joints.
    pub fn skin_joints(&self, skin: u32, by: At<'a>) -> Result<Vec<u32>> {
        let joints = self.root.key("skins").entry(skin, by)?.key("joints");
        let nodes = self.root.key("nodes");
        let mut out = Vec::with_capacity(joints.len());
        for joint in joints.items()? {
            let index = joint.index()?;
            nodes.entry(index, joint)?;
            out.push(index);
        }
        if out.is_empty() {
            return Err(joints.wrong("a list of nodes"));
        }
        Ok(out)
    }

    /// A skin whose joints are all nodes of the model by now. Out: its position in the model.
    pub fn skin(&mut self, skin: u32) -> Result<usize> {
        let skins = self.root.key("skins");
        let at = skins.entry(skin, skins)?;
        let numbers = self.skin_joints(skin, skins)?;
        if numbers.len() > Skin::JOINTS_MAX {
            let message = format!("{} joints, but at most {} are supported", numbers.len(), Skin::JOINTS_MAX);
            return Err(at.fault(code::SKIN, message));
        }
        self.budget.spend(numbers.len() as u64 * size_of::<Joint>() as u64, &at.to_string())?;
        let mut joints: Vec<Joint> = numbers
            .iter()
            .map(|n| Joint { node: self.positions[*n as usize] as usize, joint_from_mesh: Mat4::IDENTITY })
            .collect();
        let inverse = at.key("inverseBindMatrices");
        if let Some(index) = inverse.opt_index()? {
            let accessor = self.accessor(index, inverse)?;
            let matrices = accessor.matrices(&mut self.budget)?;
            if matrices.len() < joints.len() {
                let message = format!("{} inverse bind matrices for {} joints", matrices.len(), joints.len());
                return Err(at.fault(code::SKIN, message));
            }
            for (index, (joint, columns)) in joints.iter_mut().zip(&matrices).enumerate() {
                joint.joint_from_mesh = Mat4::from_cols_array(columns);
                if !joint.joint_from_mesh.is_finite() {
                    return Err(at.fault(code::NOT_FINITE, format!("the matrix of joint {index} is not finite")));
                }
            }
        }
        // Of glTF 1.0: applied to the mesh first.
        if let Some(shape) = at.key("bindShapeMatrix").floats::<16>()? {
            let shape = Mat4::from_cols_array(&shape).as_dmat4();
            for (index, joint) in joints.iter_mut().enumerate() {
                joint.joint_from_mesh = (joint.joint_from_mesh.as_dmat4() * shape).as_mat4();
                if !joint.joint_from_mesh.is_finite() {
                    return Err(at.fault(code::NOT_FINITE, format!("the matrix of joint {index} is not finite")));
                }
            }
        }
        let name = at.key("name").opt_str()?.filter(|n| !n.is_empty());
        let name = name.map_or_else(|| format!("skin {skin}"), str::to_string);
        self.model.skins.push(Skin { name, joints, method: SkinMethod::Linear });
        Ok(self.model.skins.len() - 1)
    }

    /// Joints and weights of a primitive's vertices; empty where it has none.
    pub fn influences(&mut self, at: At<'a>, count: usize, packed: Option<&Packed<'a>>) -> Result<Influences> {
        let attributes = at.key("attributes");
        let mut sets = Vec::new();
        for (joints_name, weights_name) in SETS {
            let (joints_at, weights_at) = (attributes.key(joints_name), attributes.key(weights_name));
            let j = self.named(joints_at, joints_name, packed)?;
            let (Some(j), Some(w)) = (j, self.named(weights_at, weights_name, packed)?) else { break };
            if j.count != count || w.count != count {
                let message = format!("{} joints and {} weights for {count} vertices", j.count, w.count);
                return Err(joints_at.fault(code::VERTEX_COUNT, message));
            }
            sets.push((j.joints(&mut self.budget)?, w.floats::<4>(&mut self.budget)?));
        }
        if sets.is_empty() {
            return Ok(Influences::default());
        }
        self.budget.spend(count as u64 * (4 + 32 * sets.len() as u64), &at.to_string())?;
        let mut out = Influences::default();
        out.starts.reserve_exact(count + 1);
        out.starts.push(0);
        let mut loose_count = 0;
        for vertex in 0..count {
            let mut sum = 0.0_f32;
            for (joints, weights) in &sets {
                for (joint, weight) in joints[vertex].iter().zip(weights[vertex]) {
                    if weight != 0.0 {
                        out.joints.push(*joint);
                        out.weights.push(weight);
                        sum += weight;
                    }
                }
            }
            if !sum.is_finite() {
                return Err(at.fault(code::SKIN, format!("the weights of vertex {vertex} add up to {sum}")));
            }
            if sum <= 0.0 {
                let start = *out.starts.last().expect("pushed above") as usize;
                out.joints.truncate(start);
                out.weights.truncate(start);
                out.joints.push(sets[0].0[vertex][0]);
                out.weights.push(1.0);
                loose_count += 1;
            }
            out.starts.push(out.joints.len() as u32);
        }
        if loose_count > 0 {
            let message = format!(
                "attached {} without weights to the first joint",
                crate::source::count(loose_count, "vertex", "vertices")
            );
            self.warn(at.fault(code::VALUES_REPLACED, message));
        }
        Ok(out)
    }
}

/// What a skin needs of the geometry that hangs on it.
pub fn check(at: At<'_>, influences: &Influences, joint_count: usize) -> Result<()> {
    if influences.starts.is_empty() {
        return Err(at.fault(code::SKIN, "belongs to a node with a skin, but has no JOINTS_0 and WEIGHTS_0"));
    }
    if let Some(entry) = influences.joints.iter().position(|joint| *joint as usize >= joint_count) {
        let vertex = influences.starts.partition_point(|start| *start as usize <= entry) - 1;
        let joint = influences.joints[entry];
        let message = format!("vertex {vertex} hangs on joint {joint}, but the skin has {joint_count}");
        return Err(at.key("attributes").key(SETS[0].0).fault(code::SKIN, message));
    }
    Ok(())
}
