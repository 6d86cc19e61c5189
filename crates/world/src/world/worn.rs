//! Worn: which joints of a body a part's joints go with.
//!
//! In: the models of a body and of a part. Out: a map of joints, made once for both, and the part's pose in a pose of
//! the body. Never here: who wears what.

use glam::{Affine3A, Mat4};
use stillframe_anim::figure::{Figure, FigureError, PartJoint, RawPart};
use stillframe_anim::pose::Affine;

use super::code;
use crate::animate::Rig;
use crate::import::Model;
use crate::pose::{MorphPlace, Pose, joints, morph_places};
use crate::source::near;

/// So many joints are named in a complaint.
const NAMED_MAX: usize = 4;

/// A model that is worn on another, by their positions in the scene.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Wear {
    pub body: usize,
    pub part: usize,
}

/// A body in a pose, for what is worn on it.
pub struct BodyPose<'a> {
    pub pose: &'a Pose,
    /// Its proportions: joints from what they move; none where they are the file's.
    pub joints: &'a [Mat4],
    pub part_from_body: Mat4,
}

/// What of a part goes with what of its body.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Worn {
    /// By node of the part: the body's joint that it goes with. Others go with their parents.
    joints: Vec<Option<u16>>,
    shapes: Vec<WornShape>,
}

/// A shape of a part that has the weight of one of its body.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct WornShape {
    part: MorphPlace,
    body: MorphPlace,
}

/// Why a part cannot be worn, or a body not have its proportions.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Unfit {
    pub code: &'static str,
    pub words: String,
    pub help: String,
}

impl Worn {
    /// Finds every joint of the part's skins in the body by name.
    ///
    /// Errors: a part without a skin; joints that the body has not, or has twice; a body whose nodes are no skeleton.
    pub fn new(body: &Model, part: &Model) -> Result<Worn, Unfit> {
        if part.skins.is_empty() {
            let help = "put it on a joint instead: `joint = \"NAME\"`".to_string();
            return Err(Unfit { code: code::WORN, words: "the part has no skin".to_string(), help });
        }
        let rig = Rig::new(body).map_err(|words| {
            let help = "export the figure again".to_string();
            Unfit { code: code::RIG, words: format!("the nodes of the figure do not form a skeleton: {words}"), help }
        })?;
        let names: Vec<Vec<&str>> = (part.skins.iter())
            .map(|skin| skin.joints.iter().map(|joint| part.nodes[joint.node].name.as_str()).collect())
            .collect();
        let binds: Vec<Vec<Affine>> = (part.skins.iter())
            .map(|skin| skin.joints.iter().map(|joint| Affine3A::from_mat4(joint.joint_from_mesh).into()).collect())
            .collect();
        let parts: Vec<RawPart<'_>> = (part.skins.iter().zip(&names).zip(&binds))
            .map(|((skin, joints), inverse_binds)| RawPart { name: &skin.name, joints, inverse_binds })
            .collect();
        let figure = Figure::new(&rig.skeleton, &parts).map_err(|error| unfit(&error, rig.skeleton.names()))?;
        let mut out = vec![None; part.nodes.len()];
        let own = part.skins.iter().flat_map(|skin| &skin.joints);
        for (joint, of_body) in own.zip(figure.joints()) {
            out[joint.node] = Some(*of_body);
        }
        Ok(Worn { joints: out, shapes: shapes(body, part) })
    }

    /// Which of the body's joints it goes with, and which it does not, as text.
    pub fn describe(&self, body: &Model) -> String {
        let goes = |joint: &usize| self.joints.iter().flatten().any(|own| usize::from(*own) == *joint);
        let (with, without): (Vec<usize>, Vec<usize>) = joints(body).into_iter().partition(goes);
        let named = |joints: &[usize]| {
            let names: Vec<&str> = joints.iter().map(|joint| body.nodes[*joint].name.as_str()).collect();
            format!("{}{}{}", joints.len(), if names.is_empty() { "" } else { ": " }, names.join(", "))
        };
        format!("  goes with {}\n  not with {}\n", named(&with), named(&without))
    }

    /// Where the part's nodes are while its body is in a pose. What it does by itself (`own`: shapes that the body
    /// lacks, what is seen) stays.
    pub fn pose(&self, part: &Model, own: &Pose, of_body: &BodyPose<'_>) -> Pose {
        let BodyPose { pose: body, joints, part_from_body } = *of_body;
        let mut out = own.clone();
        let mut goes = vec![false; part.nodes.len()];
        for WornShape { part, body: of_body } in &self.shapes {
            let weight = body.morph_weights.get(of_body.node).and_then(|weights| weights.get(of_body.channel));
            if let (Some(weight), Some(own)) = (weight, out.morph_weights[part.node].get_mut(part.channel)) {
                *own = *weight;
            }
        }
        for (node, of_body) in self.joints.iter().enumerate() {
            let above = part.nodes[node].parent.filter(|parent| goes[*parent]);
            let place = match (of_body, above) {
                (Some(joint), _) => {
                    let joint = usize::from(*joint);
                    let body_from_joint = part_from_body * body.model_from_local[joint];
                    joints.get(joint).map_or(body_from_joint, |own| body_from_joint * *own)
                }
                (None, Some(parent)) => {
                    let parent_from_local = own.model_from_local[parent].inverse() * own.model_from_local[node];
                    out.model_from_local[parent] * parent_from_local
                }
                (None, None) => continue,
            };
            goes[node] = true;
            out.model_from_local[node] = place;
            if part.nodes[node].skin.is_none() {
                out.model_from_parts[node] = place * part.nodes[node].local_from_parts;
            }
        }
        out
    }
}

/// Shapes of one name: those of the first of the body's nodes that has it.
fn shapes(body: &Model, part: &Model) -> Vec<WornShape> {
    let of_body: Vec<(MorphPlace, &str)> = morph_places(body).collect();
    let found = morph_places(part).filter_map(|(part, name)| {
        let (body, _) = of_body.iter().find(|(_, own)| *own == name)?;
        Some(WornShape { part, body: *body })
    });
    found.collect()
}

fn unfit(error: &FigureError, names: &[String]) -> Unfit {
    let names: Vec<&str> = names.iter().map(String::as_str).collect();
    match error {
        FigureError::Missing(missing) => {
            let message = format!("the figure has no joint {}", listed(missing));
            Unfit { code: code::MODEL_NODE, words: message, help: near(&missing[0].joint, &names) }
        }
        FigureError::Ambiguous(joints) => {
            let words = format!("the figure has more than one joint {}", listed(joints));
            Unfit { code: code::WORN, words, help: "give each joint a unique name".to_string() }
        }
        other => Unfit { code: code::WORN, words: other.to_string(), help: "export the part again".to_string() },
    }
}

/// Names of the first few, each once, and how many more there are.
fn listed(joints: &[PartJoint]) -> String {
    let mut names: Vec<&str> = Vec::new();
    for PartJoint { joint, .. } in joints {
        if !names.contains(&joint.as_str()) {
            names.push(joint);
        }
    }
    let first: Vec<String> = names.iter().take(NAMED_MAX).map(|name| format!("{name:?}")).collect();
    match names.len().saturating_sub(NAMED_MAX) {
        0 => first.join(", "),
        more => format!("{} and {more} more", first.join(", ")),
    }
}
