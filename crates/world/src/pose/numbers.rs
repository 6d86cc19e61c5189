//! Numbers: what a pose comes to, in the order of the file, to be checked against the program that made it.

use glam::{Mat3, Vec3};

use super::Pose;
use super::bend::{bend, cofactors, direction};
use crate::import::Model;

/// Something every point of a model has.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum OfPoint {
    Position,
    /// Unit.
    Normal,
}

/// A channel of morph targets: the node that wears it, and its position in `ModelNode::morphs`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct MorphPlace {
    pub node: usize,
    pub channel: usize,
}

/// All channels of a model with their names, node by node.
pub fn morph_places(model: &Model) -> impl Iterator<Item = (MorphPlace, &str)> {
    let nodes = model.nodes.iter().enumerate();
    nodes.flat_map(|(node, of)| {
        let channels = of.morphs.iter().enumerate();
        channels.map(move |(channel, of)| (MorphPlace { node, channel }, of.name.as_str()))
    })
}

/// Points that one model is allowed; a file may number them as it likes.
const POINTS_MAX: usize = 1 << 26;

/// Positions (metres) or normals of every point that the model shows, in model space: node by node, and within a node
/// by the numbers that its file gives to points (FBX control points, glTF `_VID`), else in the order of vertices. Where
/// several vertices are one point, the first counts; a point that no triangle uses is NaN.
///
/// Errors: words that say why there are no such numbers.
pub fn points(model: &Model, pose: &Pose, what: OfPoint) -> Result<Vec<[f32; 3]>, String> {
    let mut out: Vec<[f32; 3]> = Vec::new();
    for (at, node) in model.nodes.iter().enumerate().filter(|(_, node)| node.shown) {
        let first = out.len();
        for part in &node.parts {
            let stored = &model.geometries[part.geometry];
            let bent = bend(model, at, part.geometry, pose);
            let surface = bent.as_ref().unwrap_or(&stored.surface);
            let matrix = pose.model_from_parts[at];
            let normal_from_local = cofactors(Mat3::from_mat4(matrix));
            let values = match what {
                OfPoint::Position => &surface.positions,
                OfPoint::Normal => &surface.normals,
            };
            if values.len() != surface.positions.len() {
                return Err(format!("`{}` stores no normals", node.name));
            }
            let after = out.len();
            for (vertex, value) in values.iter().enumerate() {
                let to = stored.sources.get(vertex).map_or(after + vertex, |source| first + *source as usize);
                if to >= POINTS_MAX {
                    return Err(format!(
                        "`{}` has point numbers up to {to}; at most {POINTS_MAX} are supported",
                        node.name
                    ));
                }
                if to >= out.len() {
                    out.resize(to + 1, [f32::NAN; 3]);
                }
                if out[to][0].is_nan() {
                    out[to] = match what {
                        OfPoint::Position => matrix.transform_point3(Vec3::from(*value)).to_array(),
                        OfPoint::Normal => direction(normal_from_local * Vec3::from(*value), *value),
                    };
                }
            }
        }
    }
    Ok(out)
}

/// The first joint, and joints that none hangs on: where trails are drawn.
pub fn ends(model: &Model) -> Vec<usize> {
    let joints = joints(model);
    let is_tip = |joint: &usize| !joints.iter().any(|other| model.nodes[*other].parent == Some(*joint));
    joints.iter().copied().take(1).chain(joints.iter().copied().skip(1).filter(is_tip)).collect()
}

/// Nodes that are joints, each once, in the order of the skins; every node where there is no skin.
pub fn joints(model: &Model) -> Vec<usize> {
    let mut out: Vec<usize> = Vec::new();
    let mut is_in = vec![false; model.nodes.len()];
    for joint in model.skins.iter().flat_map(|skin| &skin.joints) {
        if !std::mem::replace(&mut is_in[joint.node], true) {
            out.push(joint.node);
        }
    }
    if out.is_empty() { (0..model.nodes.len()).collect() } else { out }
}
