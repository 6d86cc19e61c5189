//! Retarget: what a borrowed clip does beyond its own body's rest pose is done from the rest pose of a body of other
//! proportions.
//!
//! ```text
//! turn in the model = turn of the lender's joint * inverse(its turn at rest) * arc * own turn at rest
//! ```
//!
//! Joints of both may have other axes: what is told is how far a joint turns in the model from where it rests. The arc
//! is the shortest that brings the bone that begins at the joint to where the lender's points at rest, so that one body
//! may rest with its arms down and the other with them stretched; a joint where several bones begin, or none, goes with
//! the one above, and hips and what is above them stay. Put into the model's own joints, that is what [`Retarget`]
//! wants of two skeletons.

use std::collections::BTreeMap;

use glam::{DAffine3, DMat3, DQuat, DVec3, Vec3};
use stillframe_anim::figure::{NameMap, Retarget};
use stillframe_anim::pose::{JointBlock, Trs};
use stillframe_anim::sample::{DTrs, Skeleton};

use super::globals::{affine, places, turns};
use crate::import::{Local, Model};

/// Bodies lower than this have no height that one can compare.
const HEIGHT_MIN_M: f64 = 1e-3;

/// Two bodies, joint by joint.
#[derive(Clone, Debug)]
pub struct Retargeting {
    map: NameMap,
    /// Nodes of the joints of both.
    nodes: Vec<usize>,
    lender_nodes: Vec<usize>,
    rest: Vec<Trs>,
    /// Ways are told from rest: translations are 0. Turns are those of the model's joints, as the lender's are put into
    /// them.
    lender_rest: Vec<Trs>,
    /// By joint of the lender: the axes of the joint that follows it, both at rest.
    axes: Vec<DQuat>,
    /// By node of the model: its parent, and which joint of the lender it follows.
    above: Vec<Option<usize>>,
    follows: Vec<Option<usize>>,
    lender_above: Vec<Option<usize>>,
    /// By node of the lender: what its ways are told from.
    lender_stand: Vec<DTrs>,
    /// By joint of the lender: its ways in its parent, in the parent of the joint that follows it, both at rest.
    frames: Vec<DMat3>,
    ratios: Vec<f32>,
}

/// A body at rest.
pub struct Body<'a> {
    /// What can be found by name.
    pub joints: &'a Skeleton,
    /// By node.
    pub parents: &'a [Option<usize>],
    pub rest: &'a [DTrs],
    pub places: &'a [DAffine3],
}

impl Retargeting {
    /// `met`: nodes of both that have one name; `joints`: nodes of the model that bend its skin.
    pub fn new(map: NameMap, own: &Body<'_>, lender: &Body<'_>, met: &[[usize; 2]], joints: &[usize]) -> Retargeting {
        let joint_count = lender.joints.joint_count();
        let (mut frames, mut axes) = (vec![DMat3::IDENTITY; joint_count], vec![DQuat::IDENTITY; joint_count]);
        let mut lender_rest: Vec<Trs> = lender.joints.nodes().iter().map(|node| trs(&lender.rest[*node])).collect();
        let [own_turns, lender_turns] = [own, lender].map(|body| turns(body.rest, body.parents));
        let mut follows = vec![None; own.parents.len()];
        let limbs = Limbs::new(met, joints, [own.places, lender.places], own.parents);
        let arcs = limbs.arcs();
        for [node, source] in met {
            let joint = usize::from(lender.joints.joint_of_node(*source).expect("what has met is a joint"));
            let above = |body: &Body<'_>, node: usize| {
                body.parents[node].map_or(DMat3::IDENTITY, |parent| body.places[parent].matrix3)
            };
            let frame = above(own, *node).inverse() * above(lender, *source);
            // Below a node of no size nothing goes anywhere.
            frames[joint] = if frame.is_finite() { frame } else { DMat3::ZERO };
            let arc = arcs.get(node).copied().unwrap_or(DQuat::IDENTITY);
            axes[joint] = lender_turns[*source].conjugate() * arc * own_turns[*node];
            lender_rest[joint].rotation = own.rest[*node].rotation.as_quat();
            follows[*node] = Some(joint);
        }
        lender_rest.iter_mut().for_each(|joint| joint.translation = Vec3::ZERO);
        let ratio = limbs.ratio();
        Retargeting {
            map,
            rest: own.joints.nodes().iter().map(|node| trs(&own.rest[*node])).collect(),
            lender_rest,
            nodes: own.joints.nodes().to_vec(),
            lender_nodes: lender.joints.nodes().to_vec(),
            frames,
            axes,
            above: own.parents.to_vec(),
            follows,
            lender_above: lender.parents.to_vec(),
            lender_stand: lender.rest.to_vec(),
            ratios: vec![ratio as f32; own.joints.joint_count()],
        }
    }

    /// How many joints follow.
    pub fn joint_count(&self) -> usize {
        self.map.source_of().iter().flatten().count()
    }

    /// By how much ways are longer.
    pub fn ratio(&self) -> f32 {
        self.ratios.first().copied().unwrap_or(1.0)
    }

    /// Poses by node: the lender's, and the model's as it rests.
    pub fn run(&self, from: &[DTrs], out: &mut [DTrs]) {
        let pose = |(node, frame): (&usize, &DMat3)| {
            let way = *frame * (from[*node].translation - self.lender_stand[*node].translation);
            Trs { translation: way.as_vec3(), ..trs(&from[*node]) }
        };
        let mut pose: Vec<Trs> = self.lender_nodes.iter().zip(&self.frames).map(pose).collect();
        let lender_turns = turns(from, &self.lender_above);
        let mut own_turns: Vec<DQuat> = Vec::with_capacity(out.len());
        for (node, own) in out.iter().enumerate() {
            let above = self.above[node].map_or(DQuat::IDENTITY, |parent| own_turns[parent]);
            own_turns.push(match self.follows[node] {
                None => above * own.rotation,
                Some(joint) => {
                    let turn = lender_turns[self.lender_nodes[joint]] * self.axes[joint];
                    pose[joint].rotation = (above.conjugate() * turn).normalize().as_quat();
                    turn
                }
            });
        }
        let mut blocks = vec![JointBlock::IDENTITY; JointBlock::count_for(self.nodes.len())];
        Retarget {
            map: &self.map,
            source_rest: &self.lender_rest,
            target_rest: &self.rest,
            pose: &JointBlock::pack(&pose),
            ratios: &self.ratios,
            out: &mut blocks,
        }
        .run();
        for (joint, (node, source)) in self.nodes.iter().zip(self.map.source_of()).enumerate() {
            if source.is_some() {
                out[*node] = JointBlock::joint(&blocks, joint).into();
            }
        }
    }
}

/// A body as it was bound to its skin, by node. Files of FBX are stored in any pose, often the first of their clip;
/// what the skin's matrices say is where joints were when both bodies stood alike. Nodes without a skin, and other
/// files, are as they are stored.
pub fn stand(model: &Model, rest: &[DTrs], parents: &[Option<usize>]) -> Vec<DTrs> {
    let stored = places(rest, parents);
    let mut bound: Vec<Option<DAffine3>> = vec![None; rest.len()];
    for (node, of) in model.nodes.iter().enumerate() {
        let (Some(skin), Local::Stack(_)) = (of.skin, &of.local) else { continue };
        let model_from_parts = stored[node] * DAffine3::from_mat4(of.local_from_parts.as_dmat4());
        for joint in &model.skins[skin].joints {
            let place = model_from_parts * DAffine3::from_mat4(joint.joint_from_mesh.as_dmat4()).inverse();
            if place.is_finite() {
                bound[joint.node].get_or_insert(place);
            }
        }
    }
    let mut stands: Vec<DAffine3> = Vec::with_capacity(rest.len());
    let mut out = rest.to_vec();
    for (node, local) in out.iter_mut().enumerate() {
        let above = parents[node].map_or(DAffine3::IDENTITY, |parent| stands[parent]);
        if let Some(place) = bound[node] {
            let (scale, rotation, translation) = (above.inverse() * place).to_scale_rotation_translation();
            if scale.is_finite() && rotation.is_finite() && translation.is_finite() {
                *local = DTrs { translation, rotation: rotation.normalize(), scale };
            }
        }
        stands.push(above * affine(local));
    }
    out
}

fn trs(local: &DTrs) -> Trs {
    Trs { translation: local.translation.as_vec3(), rotation: local.rotation.as_quat(), scale: local.scale.as_vec3() }
}

/// Joints of both bodies that have met, as they hang on each other.
struct Limbs {
    /// Of the model, rising.
    nodes: Vec<usize>,
    /// Where they rest, and where the lender's do.
    own: Vec<DVec3>,
    other: Vec<DVec3>,
    /// Which of them is the next above.
    above: Vec<Option<usize>>,
    /// The first of them with two others right below.
    hips: Option<usize>,
}

impl Limbs {
    fn new(
        met: &[[usize; 2]],
        joints: &[usize],
        [places, lender_places]: [&[DAffine3]; 2],
        parents: &[Option<usize>],
    ) -> Limbs {
        let mut met: Vec<[usize; 2]> = met.iter().copied().filter(|[node, _]| joints.contains(node)).collect();
        met.sort_unstable();
        let nodes: Vec<usize> = met.iter().map(|[node, _]| *node).collect();
        let nearest = |node: &usize| {
            let mut up = parents[*node];
            while let Some(parent) = up.filter(|parent| nodes.binary_search(parent).is_err()) {
                up = parents[parent];
            }
            up.and_then(|parent| nodes.binary_search(&parent).ok())
        };
        let above: Vec<Option<usize>> = nodes.iter().map(nearest).collect();
        let hips = (0..nodes.len()).find(|at| above.iter().filter(|above| **above == Some(*at)).count() > 1);
        Limbs {
            own: met.iter().map(|[node, _]| places[*node].translation).collect(),
            other: met.iter().map(|[_, source]| lender_places[*source].translation).collect(),
            nodes,
            above,
            hips,
        }
    }

    /// How much higher the model's hips stand over its lowest joint than the lender's, at rest; without hips, how much
    /// larger the box of all joints is.
    fn ratio(&self) -> f64 {
        let ratio = |measure: &dyn Fn(&[DVec3]) -> f64| {
            let [own, other] = [&self.own, &self.other].map(|body| measure(body));
            (own >= HEIGHT_MIN_M && other >= HEIGHT_MIN_M).then(|| own / other)
        };
        let lowest = |body: &[DVec3]| body.iter().map(|at| at.y).fold(f64::INFINITY, f64::min);
        let size = |body: &[DVec3]| {
            let [low, high] = [DVec3::min, DVec3::max].map(|of| body.iter().copied().reduce(of).unwrap_or(DVec3::ZERO));
            high.distance(low)
        };
        let height = self.hips.and_then(|hips| ratio(&|body| body[hips].y - lowest(body)));
        height.or_else(|| ratio(&size)).unwrap_or(1.0)
    }

    /// By node of the model: what turns its bone at rest to where the lender's points.
    fn arcs(&self) -> BTreeMap<usize, DQuat> {
        let mut arcs: Vec<DQuat> = Vec::with_capacity(self.nodes.len());
        for (at, above) in self.above.iter().enumerate() {
            let mut below = (0..self.nodes.len()).filter(|below| self.above[*below] == Some(at));
            let bone = match (below.next(), below.next()) {
                (Some(end), None) => [&self.own, &self.other].map(|body| (body[end] - body[at]).try_normalize()),
                _ => [None; 2],
            };
            let is_below_hips = self.hips.is_some_and(|hips| at > hips) && above.is_some();
            arcs.push(match (is_below_hips, bone, above) {
                (true, [Some(own), Some(other)], _) => DQuat::from_rotation_arc(own, other),
                (true, _, Some(above)) => arcs[*above],
                _ => DQuat::IDENTITY,
            });
        }
        self.nodes.iter().copied().zip(arcs).collect()
    }
}
