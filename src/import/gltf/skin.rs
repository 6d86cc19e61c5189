//! Skins: vertices are moved to the pose that the nodes are stored in.
//!
//! Source: glTF 2.0, 3.7.3. A vertex goes to the weighted sum of `joint * inverse bind` matrices; the node that holds
//! the mesh plays no part.

use glam::{Mat3, Mat4, Vec3};

use super::Importer;
use super::json::At;
use crate::asset::Geometry;
use crate::import::{Fault, code};

type Result<T> = std::result::Result<T, Fault>;

/// Sets of four joints that are read.
const SETS: [(&str, &str); 4] =
    [("JOINTS_0", "WEIGHTS_0"), ("JOINTS_1", "WEIGHTS_1"), ("JOINTS_2", "WEIGHTS_2"), ("JOINTS_3", "WEIGHTS_3")];

impl<'a> Importer<'a> {
    /// `model_from_mesh` of every joint of a skin.
    pub fn skin(&mut self, skin: u32, by: At<'a>) -> Result<Vec<Mat4>> {
        let at = self.root.key("skins").entry(skin, by)?;
        let joints = at.key("joints");
        let nodes = self.root.key("nodes");
        let mut out = Vec::with_capacity(joints.len());
        for joint in joints.items()? {
            let index = joint.index()?;
            nodes.entry(index, joint)?;
            out.push(self.globals[index as usize]);
        }
        if out.is_empty() {
            return Err(joints.wrong("a list of nodes"));
        }
        let inverse = at.key("inverseBindMatrices");
        if let Some(index) = inverse.opt_index()? {
            let accessor = self.accessor(index, inverse)?;
            let matrices = accessor.matrices(&mut self.budget)?;
            if matrices.len() < out.len() {
                let message = format!("{} inverse bind matrices for {} joints", matrices.len(), out.len());
                return Err(at.fault(code::SKIN, message));
            }
            for (joint, columns) in out.iter_mut().zip(&matrices) {
                *joint *= Mat4::from_cols_array(columns);
            }
        }
        if let Some(index) = out.iter().position(|m| !m.is_finite()) {
            return Err(at.fault(code::NOT_FINITE, format!("the matrix of joint {index} is not finite")));
        }
        Ok(out)
    }

    /// Moves positions, normals and tangents by their joints.
    pub fn bend(&mut self, at: At<'a>, joints: &[Mat4], geometry: &mut Geometry) -> Result<()> {
        let attributes = at.key("attributes");
        let count = geometry.positions.len();
        let mut blended = vec![Mat4::ZERO; count];
        let mut sums = vec![0.0_f32; count];
        self.budget.allow(count as u64 * 100, &at.to_string())?;
        for (joints_name, weights_name) in SETS {
            let (joints_at, weights_at) = (attributes.key(joints_name), attributes.key(weights_name));
            let (Some(j), Some(w)) = (joints_at.opt_index()?, weights_at.opt_index()?) else { break };
            let (j, w) = (self.accessor(j, joints_at)?, self.accessor(w, weights_at)?);
            if j.count != count || w.count != count {
                let message = format!("{} joints and {} weights for {count} vertices", j.count, w.count);
                return Err(joints_at.fault(code::VERTEX_COUNT, message));
            }
            let (j, w) = (j.wholes::<4>(&mut self.budget)?, w.floats::<4>(&mut self.budget)?);
            for vertex in 0..count {
                for (joint, weight) in j[vertex].iter().zip(w[vertex]) {
                    if weight == 0.0 {
                        continue;
                    }
                    let Some(matrix) = joints.get(*joint as usize) else {
                        let message =
                            format!("vertex {vertex} hangs on joint {joint}, but the skin has {}", joints.len());
                        return Err(joints_at.fault(code::SKIN, message));
                    };
                    blended[vertex] += *matrix * weight;
                    sums[vertex] += weight;
                }
            }
        }
        if !attributes.key(SETS[0].0).exists() || !attributes.key(SETS[0].1).exists() {
            return Err(at.fault(code::SKIN, "belongs to a node with a skin, but has no JOINTS_0 and WEIGHTS_0"));
        }
        for vertex in 0..count {
            let sum = sums[vertex];
            if !(sum.is_finite() && sum > 0.0) {
                return Err(at.fault(code::SKIN, format!("the weights of vertex {vertex} add up to {sum}")));
            }
            let matrix = blended[vertex] * (1.0 / sum);
            geometry.positions[vertex] = matrix.transform_point3(Vec3::from(geometry.positions[vertex])).to_array();
            let linear = Mat3::from_mat4(matrix);
            if let Some(normal) = geometry.normals.get_mut(vertex) {
                *normal = direction(cofactors(linear) * Vec3::from(*normal), *normal);
            }
            if let Some(tangent) = geometry.tangents.get_mut(vertex) {
                let [x, y, z, w] = *tangent;
                let [x, y, z] = direction(linear * Vec3::new(x, y, z), [x, y, z]);
                *tangent = [x, y, z, w];
            }
        }
        Ok(())
    }
}

/// Turns normals as the matrix turns surfaces: determinant times inverse transpose, without a division.
fn cofactors(m: Mat3) -> Mat3 {
    Mat3::from_cols(m.y_axis.cross(m.z_axis), m.z_axis.cross(m.x_axis), m.x_axis.cross(m.y_axis))
}

/// Unit length; `otherwise` where there is no direction left.
fn direction(vector: Vec3, otherwise: [f32; 3]) -> [f32; 3] {
    let length = vector.length();
    if length > 0.0 && length.is_finite() { (vector * (1.0 / length)).to_array() } else { otherwise }
}
