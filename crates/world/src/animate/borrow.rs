//! Borrow: a clip of another file on a model, by the names of joints and shapes.
//!
//! Of every node that the clip moves and whose name the model has, the model's node does what it does there: it turns
//! as that one does in its model's space, and stands to the next such node above it as that one does, so that neither
//! the file's unit, nor its axes, nor nodes that only one of both has between two others matter. Where the clip moves
//! nothing from its place, only turns it, bones keep their own lengths. Nodes above the skeleton that stand still all
//! the time are left alone: they are where files have turned axes.

use std::collections::BTreeSet;

use glam::{DAffine3, DQuat, DVec3};
use stillframe_anim::Property;
use stillframe_anim::figure::{FigureError, NameMap, NameRules};
use stillframe_anim::pose::Trs;
use stillframe_anim::sample::{DTrs, RawJoint, Skeleton};
use stillframe_base::tick::Tick;

use super::globals::{affine, places, turns};
use super::lender::Lender;
use super::retarget::{Body, Retargeting, stand};
use crate::import::Model;
use crate::pose::{MorphPlace, Playing, joints, locals, morph_weights, pose};
use crate::scene::ClipNaming;

/// A scale of less size has nothing that one can divide by.
const SCALE_MIN: f64 = 1e-4;
/// Moments at which it is looked at whether a node stands still, and what is still.
const STILL_MOMENTS: i64 = 33;
const STILL: f64 = 1e-6;

/// A clip of another body, on a model.
#[derive(Clone, Debug)]
pub struct Borrowed {
    pub lender: Lender,
    /// By node of the lender.
    lender_parents: Vec<Option<usize>>,
    lender_rest: Vec<DTrs>,
    /// By node of the model.
    parents: Vec<Option<usize>>,
    rest: Vec<DTrs>,
    /// By node of the model: what it follows, if anything.
    follows: Vec<Option<Follow>>,
    shapes: Vec<FollowedShape>,
    /// Nodes of the model and of the lender that are hidden and shown alike.
    seen: Vec<[usize; 2]>,
    retargeting: Option<Retargeting>,
}

/// A shape of the model that has the weight of one of the lender's.
#[derive(Clone, Copy, Debug)]
struct FollowedShape {
    own: MorphPlace,
    source: MorphPlace,
}

/// The next node above another that follows, and what it follows.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Above {
    node: usize,
    source: usize,
}

/// How a node follows one of the lender's.
#[derive(Clone, Copy, Debug)]
struct Follow {
    source: usize,
    above: Option<Above>,
    /// Whether `above` are the parents of both: what is relative there is relative here.
    is_straight: bool,
    /// Whether the clip moves it from its place, beside turning it.
    goes: bool,
    /// The lender's lengths in the model's, in the space of `above`.
    unit: f64,
}

/// Why a clip cannot be played on a model.
#[derive(Clone, Debug, PartialEq)]
pub enum Unfit {
    /// Of a rename: nothing that the clip moves has the name; what it moves.
    From { name: String, moved: Vec<String> },
    /// Of a rename: the model has no such joint or shape; what it has.
    To { name: String, names: Vec<String> },
    /// Two joints that the rules make one.
    Names(FigureError),
    /// Nothing that it moves is in the model: what it moves, and what the model has.
    Nothing { moved: Vec<String>, names: Vec<String> },
    /// Too many to be told apart, in words.
    Joints(String),
    /// One of both is the other's mirror image.
    Mirrored { joint: String },
}

/// What a clip moves of its own file: nodes, shapes, and nodes that it hides.
#[derive(Debug, Default)]
struct Moved {
    nodes: Vec<usize>,
    shapes: Vec<MorphPlace>,
    seen: Vec<usize>,
    /// By node, whether it is moved from its place.
    goes: Vec<bool>,
}

impl Moved {
    fn of(lender: &Lender) -> Moved {
        let Lender::Model(model) = lender else {
            let count = lender.nodes().len();
            return Moved { nodes: (0..count).collect(), goes: vec![true; count], ..Moved::default() };
        };
        let mut out = Moved { goes: vec![false; model.nodes.len()], ..Moved::default() };
        for track in model.clips[0].layers.iter().flat_map(|layer| &layer.tracks) {
            match track.property {
                Property::Translation | Property::Rotation | Property::Scale => out.nodes.push(track.node),
                Property::MorphWeights => {
                    let channels = 0..model.nodes[track.node].morphs.len();
                    out.shapes.extend(channels.map(|channel| MorphPlace { node: track.node, channel }));
                }
                Property::MorphWeight(channel) if channel < model.nodes[track.node].morphs.len() => {
                    out.shapes.push(MorphPlace { node: track.node, channel });
                }
                Property::Visibility => out.seen.push(track.node),
                Property::MorphWeight(_) | Property::Other(_) => {}
            }
            out.goes[track.node] |= track.property == Property::Translation;
        }
        for nodes in [&mut out.nodes, &mut out.seen] {
            nodes.sort_unstable();
            nodes.dedup();
        }
        out.shapes.sort_unstable();
        out.shapes.dedup();
        out
    }
}

impl Borrowed {
    /// Finds what the clip moves in the model; with it, the names of what the model lacks.
    ///
    /// Errors: names of rules that are nowhere, or on both sides twice; a clip that moves nothing of the model.
    pub fn new(lender: Lender, model: &Model, naming: &ClipNaming) -> Result<(Borrowed, Vec<String>), Unfit> {
        let moved = Moved::of(&lender);
        let (names, parents): (Vec<String>, Vec<Option<usize>>) =
            lender.nodes().into_iter().map(|(name, parent)| (name.to_string(), parent)).unzip();
        let shape_name = |at: MorphPlace| match &lender {
            Lender::Model(model) => model.nodes[at.node].morphs[at.channel].name.as_str(),
            Lender::File(_) => unreachable!("it has no shapes"),
        };
        let (own, theirs) = (candidates(model)?, skeleton(&moved.nodes, |node| &names[node])?);
        let pairs = Pairs::new(naming, &moved, (&names, &shape_name), (&own, model))?;
        let prefixes: Vec<&str> = naming.strip.iter().map(String::as_str).collect();
        let rules = NameRules { pairs: &pairs.joints, prefixes: &prefixes, loose: naming.loose };
        let map = NameMap::new(&theirs, &own, &rules).map_err(Unfit::Names)?;
        let mut unmet: Vec<String> =
            map.unused().iter().map(|joint| theirs.names()[usize::from(*joint)].clone()).collect();

        let key = |name: &str, pairs: &[(&str, &str)]| {
            let name = pairs.iter().find(|(from, _)| *from == name).map_or(name, |(_, to)| *to);
            rules.key(name)
        };
        let mut shapes = Vec::new();
        for (node, of) in model.nodes.iter().enumerate() {
            for (channel, own) in of.morphs.iter().enumerate() {
                let wanted = rules.key(&own.name);
                let alike = || moved.shapes.iter().filter(|at| key(shape_name(**at), &pairs.shapes) == wanted);
                // Of several meshes that have it, the one of the same name.
                let found = alike().find(|at| rules.key(&names[at.node]) == rules.key(&of.name)).or(alike().next());
                let own = MorphPlace { node, channel };
                shapes.extend(found.map(|source| FollowedShape { own, source: *source }));
            }
        }
        let has_key = |at: &MorphPlace| {
            let wanted = key(shape_name(*at), &pairs.shapes);
            model.nodes.iter().flat_map(|node| &node.morphs).any(|own| rules.key(&own.name) == wanted)
        };
        unmet.extend(moved.shapes.iter().filter(|at| !has_key(at)).map(|at| shape_name(*at).to_string()));
        let mut seen = Vec::new();
        for source in &moved.seen {
            let wanted = key(&names[*source], &pairs.joints);
            match model.nodes.iter().position(|node| rules.key(&node.name) == wanted) {
                Some(node) => seen.push([node, *source]),
                None => unmet.push(names[*source].clone()),
            }
        }
        let mut known = BTreeSet::new();
        unmet.retain(|name| known.insert(name.clone()));
        if map.source_of().iter().all(Option::is_none) && shapes.is_empty() && seen.is_empty() {
            let shape_names = model.nodes.iter().flat_map(|node| &node.morphs).map(|channel| channel.name.clone());
            let names = own.names().iter().cloned().chain(shape_names).collect();
            return Err(Unfit::Nothing { moved: unmet, names });
        }
        let mut out = Borrowed {
            lender_parents: parents,
            lender_rest: lender.rest(),
            lender,
            parents: model.nodes.iter().map(|node| node.parent).collect(),
            rest: locals(model, &[]),
            follows: vec![None; model.nodes.len()],
            shapes,
            seen,
            retargeting: None,
        };
        let met: Vec<[usize; 2]> = (own.nodes().iter().zip(map.source_of()))
            .filter_map(|(node, source)| Some([*node, theirs.nodes()[usize::from((*source)?)]]))
            .collect();
        if naming.retarget {
            let rest = stand(model, &out.rest, &out.parents);
            let lender_rest = match &out.lender {
                Lender::Model(lender) => stand(lender, &out.lender_rest, &out.lender_parents),
                Lender::File(_) => out.lender_rest.clone(),
            };
            let places_of = [places(&rest, &out.parents), places(&lender_rest, &out.lender_parents)];
            let body = Body { joints: &own, parents: &out.parents, rest: &rest, places: &places_of[0] };
            let parents = &out.lender_parents;
            let lender = Body { joints: &theirs, parents, rest: &lender_rest, places: &places_of[1] };
            out.retargeting = Some(Retargeting::new(map, &body, &lender, &met, &joints(model)));
        } else {
            out.follow(&met, model, &moved.goes)?;
        }
        Ok((out, unmet))
    }

    /// How each node that has met one follows it.
    fn follow(&mut self, met: &[[usize; 2]], model: &Model, goes: &[bool]) -> Result<(), Unfit> {
        let [places, lender_places] =
            [places(&self.rest, &self.parents), places(&self.lender_rest, &self.lender_parents)];
        let (carries, stands) = (carriers(model), self.still());
        let mut met = met.to_vec();
        // Parents first, as nodes are.
        met.sort_unstable();
        for [node, source] in met {
            let [own, other] = [places[node], lender_places[source]].map(|place| place.matrix3.determinant());
            if own * other < 0.0 {
                return Err(Unfit::Mirrored { joint: model.nodes[node].name.clone() });
            }
            let mut up = self.parents[node];
            while let Some(parent) = up.filter(|parent| self.follows[*parent].is_none()) {
                up = self.parents[parent];
            }
            let above = up.and_then(|node| Some(Above { node, source: self.follows[node]?.source }));
            if above.is_none() && carries[node] && stands[source] {
                continue;
            }
            let is_straight = (self.parents[node], self.lender_parents[source])
                == above.map_or((None, None), |Above { node, source }| (Some(node), Some(source)));
            let unit = above.map_or(1.0, |Above { node, source }| {
                let unit = size(&lender_places[source]) / size(&places[node]);
                if unit.is_finite() && unit > 0.0 { unit } else { 1.0 }
            });
            let end = above.map(|above| above.source);
            let mut way = std::iter::successors(Some(source), |at| self.lender_parents[*at]);
            let goes = way.by_ref().take_while(|at| Some(*at) != end).any(|at| goes[at]);
            self.follows[node] = Some(Follow { source, above, is_straight, goes, unit });
        }
        Ok(())
    }

    /// By node of the lender, whether it stands still in its parent all the time.
    fn still(&self) -> Vec<bool> {
        let length = self.lender.length().0;
        let at = |step: i64| self.lender.locals(Tick((i128::from(length) * i128::from(step) / 32) as i64));
        let first = at(0);
        let mut out = vec![true; first.len()];
        for pose in (1..STILL_MOMENTS).map(at) {
            for ((still, first), now) in out.iter_mut().zip(&first).zip(&pose) {
                *still &= affine(first).abs_diff_eq(affine(now), STILL);
            }
        }
        out
    }

    /// Every node of the model relative to its parent, so many ticks from the clip's start.
    pub fn locals(&self, at: Tick) -> Vec<DTrs> {
        let (mut out, from) = (self.rest.clone(), self.lender.locals(at));
        if let Some(retargeting) = &self.retargeting {
            retargeting.run(&from, &mut out);
            return out;
        }
        let lender_places = places(&from, &self.lender_parents);
        let lender_turns = turns(&from, &self.lender_parents);
        let mut places: Vec<DAffine3> = Vec::with_capacity(out.len());
        let mut turns: Vec<DQuat> = Vec::with_capacity(out.len());
        for node in 0..out.len() {
            let parent = self.parents[node];
            if let Some(follow) = &self.follows[node] {
                let (pose, rest) = (&from[follow.source], &self.lender_rest[follow.source]);
                let own = &mut out[node];
                for axis in 0..3 {
                    if rest.scale[axis].abs() >= SCALE_MIN {
                        own.scale[axis] *= pose.scale[axis] / rest.scale[axis];
                    }
                }
                let place = match (follow.is_straight, follow.above) {
                    (true, _) => Some(pose.translation * follow.unit),
                    (false, above) => {
                        let at = lender_places[follow.source].translation;
                        let at = above.map_or(at, |Above { node, source }| {
                            let at = lender_places[source].inverse().transform_point3(at) * follow.unit;
                            places[node].transform_point3(at)
                        });
                        let at = parent.map_or(at, |parent| places[parent].inverse().transform_point3(at));
                        // Below a node of no size there is no place.
                        Some(at).filter(|at| at.is_finite())
                    }
                };
                own.translation = place.filter(|_| follow.goes).unwrap_or(own.translation);
                own.rotation = match follow.is_straight {
                    true => pose.rotation,
                    false => {
                        let above = parent.map_or(DQuat::IDENTITY, |parent| turns[parent]);
                        (above.conjugate() * lender_turns[follow.source]).normalize()
                    }
                };
            }
            places.push(parent.map_or(DAffine3::IDENTITY, |parent| places[parent]) * affine(&out[node]));
            turns.push(parent.map_or(DQuat::IDENTITY, |parent| turns[parent]) * out[node].rotation);
        }
        out
    }

    /// Weights of all shapes: as they are stored where the clip has none of the name.
    pub fn morph_weights(&self, model: &Model, at: Tick) -> Vec<Vec<f64>> {
        let stored = |node: &crate::import::ModelNode| node.morphs.iter().map(|channel| channel.weight).collect();
        let mut out: Vec<Vec<f64>> = model.nodes.iter().map(stored).collect();
        if let (Lender::Model(lender), false) = (&self.lender, self.shapes.is_empty()) {
            let weights = morph_weights(lender, Playing { clip: 0, time: at });
            for FollowedShape { own, source } in &self.shapes {
                out[own.node][own.channel] = weights[source.node][source.channel];
            }
        }
        out
    }

    /// Whether it moves a shape of the model.
    pub fn shapes(&self, shape: MorphPlace) -> bool {
        self.shapes.iter().any(|followed| followed.own == shape)
    }

    pub fn hides(&self) -> bool {
        !self.seen.is_empty()
    }

    /// Whether each node is seen: as the clip has those of which it says so, others as they are stored.
    pub fn seen(&self, model: &Model, at: Tick) -> Vec<bool> {
        let Lender::Model(lender) = &self.lender else { return pose(model, &[]).seen };
        let of_lender = pose(lender, &[Playing { clip: 0, time: at }]).seen;
        let mut out: Vec<bool> = Vec::with_capacity(model.nodes.len());
        for (at, node) in model.nodes.iter().enumerate() {
            let told = self.seen.iter().find(|[own, _]| *own == at).map(|[_, source]| of_lender[*source]);
            let visible = told.unwrap_or_else(|| !model.hidden.contains(&at));
            let above = node.parent.is_none_or(|parent| out[parent] || !model.nodes[parent].shown);
            out.push(node.shown && visible && above);
        }
        out
    }

    /// How much of it is here, in words.
    pub fn describe(&self) -> String {
        let joint_count = match &self.retargeting {
            Some(retargeting) => retargeting.joint_count(),
            None => self.follows.iter().flatten().count(),
        };
        let mut names: Vec<MorphPlace> = self.shapes.iter().map(|shape| shape.source).collect();
        names.sort_unstable();
        names.dedup();
        let ratio = self.retargeting.as_ref().map(|of| format!(", ways by {:.4}", of.ratio()));
        format!("{} joints and {} shapes by name{}", joint_count, names.len(), ratio.unwrap_or_default())
    }
}

/// Renames, sorted into those of joints and those of shapes.
struct Pairs<'a> {
    joints: Vec<(&'a str, &'a str)>,
    shapes: Vec<(&'a str, &'a str)>,
}

impl<'a> Pairs<'a> {
    fn new(
        naming: &'a ClipNaming,
        moved: &Moved,
        (names, shape_name): (&[String], &dyn Fn(MorphPlace) -> &'a str),
        (own, model): (&Skeleton, &Model),
    ) -> Result<Pairs<'a>, Unfit> {
        let mut out = Pairs { joints: Vec::new(), shapes: Vec::new() };
        for (from, to) in &naming.renames {
            let is_joint = moved.nodes.iter().any(|node| names[*node] == *from);
            let is_shape = moved.shapes.iter().any(|at| shape_name(*at) == from.as_str());
            let mut shapes = model.nodes.iter().flat_map(|node| &node.morphs).map(|channel| &channel.name);
            match (is_joint, is_shape) {
                (true, _) if own.joint_named(to).is_some() => out.joints.push((from.as_str(), to.as_str())),
                (_, true) if shapes.any(|name| name == to) => out.shapes.push((from.as_str(), to.as_str())),
                (false, false) => {
                    let moved_names = moved.nodes.iter().map(|node| names[*node].clone());
                    let moved_shapes = moved.shapes.iter().map(|at| shape_name(*at).to_string());
                    return Err(Unfit::From { name: from.clone(), moved: moved_names.chain(moved_shapes).collect() });
                }
                _ => {
                    let shapes = model.nodes.iter().flat_map(|node| &node.morphs).map(|channel| channel.name.clone());
                    let names = own.names().iter().cloned().chain(shapes).collect();
                    return Err(Unfit::To { name: to.clone(), names });
                }
            }
        }
        Ok(out)
    }
}

/// Nodes as roots of a skeleton, for their names alone.
fn skeleton<'a>(nodes: &[usize], name: impl Fn(usize) -> &'a String) -> Result<Skeleton, Unfit> {
    let joint = |node: &usize| RawJoint { node: *node, name: name(*node).clone(), parent: None, rest: Trs::IDENTITY };
    let joints: Vec<RawJoint> = nodes.iter().map(joint).collect();
    Skeleton::new(&joints).map_err(|error| Unfit::Joints(error.to_string()))
}

/// What can be found by name in a model: joints, and of other nodes those whose names no joint has.
fn candidates(model: &Model) -> Result<Skeleton, Unfit> {
    let mut is_joint = vec![false; model.nodes.len()];
    joints(model).into_iter().for_each(|node| is_joint[node] = true);
    let taken: BTreeSet<&str> =
        (0..model.nodes.len()).filter(|node| is_joint[*node]).map(|node| model.nodes[node].name.as_str()).collect();
    let stays = |node: &usize| is_joint[*node] || !taken.contains(model.nodes[*node].name.as_str());
    skeleton(&(0..model.nodes.len()).filter(stays).collect::<Vec<_>>(), |node| &model.nodes[node].name)
}

/// Nodes that are no joints and have some below them; none in a model without a skin.
fn carriers(model: &Model) -> Vec<bool> {
    let mut out = vec![false; model.nodes.len()];
    if model.skins.is_empty() {
        return out;
    }
    let joints = joints(model);
    for joint in &joints {
        let mut up = model.nodes[*joint].parent;
        while let Some(parent) = up.filter(|parent| !out[*parent]) {
            out[parent] = true;
            up = model.nodes[parent].parent;
        }
    }
    joints.into_iter().for_each(|joint| out[joint] = false);
    out
}

/// The mean length of its axes.
fn size(place: &DAffine3) -> f64 {
    let [x, y, z] = [DVec3::X, DVec3::Y, DVec3::Z].map(|axis| (place.matrix3 * axis).length());
    (x + y + z) / 3.0
}
