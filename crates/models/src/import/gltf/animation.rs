//! Animations: channels become tracks, keyed as the file has them.
//!
//! Source: glTF 2.0, 3.11.

use std::collections::BTreeSet;

use stillframe_anim::{Interpolation, Keyed, KeyedError, Property, RawClip, RawLayer, RawTrack, TrackValues};
use stillframe_base::tick::Tick;

use super::Importer;
use super::json::At;
use super::node::NONE;
use crate::import::{Fault, code};

type Result<T> = std::result::Result<T, Fault>;

/// No key is later.
const TIME_MAX_S: f32 = 1e9;

impl<'a> Importer<'a> {
    /// Reads every animation of the file.
    pub fn animations(&mut self) -> Result<()> {
        for (number, at) in self.root.key("animations").items()?.enumerate() {
            let name = at.key("name").opt_str()?.filter(|n| !n.is_empty());
            let name = name.map_or_else(|| format!("animation {number}"), str::to_string);
            let mut tracks: Vec<RawTrack> = Vec::new();
            let mut moved = BTreeSet::new();
            for channel in at.key("channels").items()? {
                if let Some(track) = self.channel(at, channel)? {
                    if !moved.insert((track.node, track.property.clone())) {
                        let message = "is ignored: another channel moves the same property";
                        self.warn(channel.fault(code::TRACK_SKIPPED, message));
                        continue;
                    }
                    self.budget.spend(size_of::<RawTrack>() as u64, "tracks")?;
                    tracks.push(track);
                }
            }
            let end = tracks.iter().filter_map(last_key).max().unwrap_or(Tick::ZERO).max(Tick::ZERO);
            let clip = RawClip { name, start: Tick::ZERO, end, layers: vec![RawLayer::base(tracks)] };
            self.model.clips.push(clip);
        }
        Ok(())
    }

    /// One channel; `None` where it moves nothing that is shown.
    fn channel(&mut self, animation: At<'a>, at: At<'a>) -> Result<Option<RawTrack>> {
        let samplers = animation.key("samplers");
        let sampler = samplers.entry(at.key("sampler").index()?, at.key("sampler"))?;
        let Some((number, property)) = self.aim(at, at.key("target"))? else { return Ok(None) };
        let node = self.positions[number as usize];
        if node == NONE {
            return Ok(None);
        }
        let node = node as usize;
        let moves = matches!(property, Property::Translation | Property::Rotation | Property::Scale);
        let morph_count = self.model.nodes[node].morphs.len();
        let width = match property {
            Property::Translation | Property::Scale => 3,
            Property::Rotation => 4,
            Property::MorphWeights => morph_count,
            Property::MorphWeight(channel) => usize::from(channel < morph_count),
            _ => 1,
        };
        if width == 0 {
            self.warn(at.fault(code::TRACK_SKIPPED, "moves morph weights of a node without these morph targets"));
            return Ok(None);
        }
        let nodes = self.root.key("nodes");
        if moves && nodes.entry(number, nodes)?.key("matrix").exists() {
            self.warn(at.fault(code::TRACK_SKIPPED, "is ignored: the node has a matrix"));
            return Ok(None);
        }
        let values = TrackValues::Keyed(self.keyed(sampler, width)?);
        Ok(Some(RawTrack { node, property, values }))
    }

    /// Which node of the file a channel moves, and what of it; `None` where that is nothing that is known.
    fn aim(&mut self, channel: At<'a>, target: At<'a>) -> Result<Option<(u32, Property)>> {
        let path = target.key("path").str()?;
        let nodes = self.root.key("nodes");
        let (node, property) = match path {
            "translation" => (target.key("node"), Property::Translation),
            "rotation" => (target.key("node"), Property::Rotation),
            "scale" => (target.key("node"), Property::Scale),
            "weights" => (target.key("node"), Property::MorphWeights),
            "pointer" => {
                let pointer = target.key("extensions").key("KHR_animation_pointer").key("pointer");
                let Some((number, property)) = pointed(pointer.str()?) else {
                    let message = format!("is ignored: {:?} cannot be animated yet", pointer.str()?);
                    self.warn(channel.fault(code::TRACK_SKIPPED, message));
                    return Ok(None);
                };
                nodes.entry(number, pointer)?;
                return Ok(Some((number, property)));
            }
            other => {
                let message = format!("is ignored: unknown path {other:?}");
                self.warn(channel.fault(code::TRACK_SKIPPED, message));
                return Ok(None);
            }
        };
        // A channel without a node is for an extension.
        let Some(number) = node.opt_index()? else { return Ok(None) };
        nodes.entry(number, node)?;
        Ok(Some((number, property)))
    }

    fn keyed(&mut self, at: At<'a>, width: usize) -> Result<Keyed> {
        let mode = at.key("interpolation");
        let interpolation = match mode.opt_str()? {
            None | Some("LINEAR") => Interpolation::Linear,
            Some("STEP") => Interpolation::Step,
            Some("CUBICSPLINE") => Interpolation::Cubic,
            Some(_) => return Err(mode.wrong("\"LINEAR\", \"STEP\" or \"CUBICSPLINE\"")),
        };
        let (input, output) = (at.key("input"), at.key("output"));
        let times_s = self.accessor(input.index()?, input)?.floats::<1>(&mut self.budget)?.into_flattened();
        let values = self.accessor(output.index()?, output)?;
        let values = match (width, values.rows()) {
            (3, 3) => values.floats::<3>(&mut self.budget)?.into_flattened(),
            (4, 4) => values.floats::<4>(&mut self.budget)?.into_flattened(),
            _ => values.floats::<1>(&mut self.budget)?.into_flattened(),
        };
        if let Some(key) = times_s.iter().position(|t| !(t.abs() <= TIME_MAX_S)) {
            let message = format!("the time of key {key} is {}, which is not within {TIME_MAX_S:e} s", times_s[key]);
            return Err(at.fault(code::NOT_FINITE, message));
        }
        if let Some(place) = values.iter().position(|v| !v.is_finite()) {
            return Err(at.fault(code::NOT_FINITE, format!("value {place} of its keys is not finite")));
        }
        self.budget.spend(times_s.len() as u64 * 8, &at.to_string())?;
        let mut times = Tick::from_stored_seconds(&times_s);
        let mut values = values;
        let key_length = width * if interpolation == Interpolation::Cubic { 3 } else { 1 };
        part_equal_times(&mut times, &mut values, key_length);
        Keyed::new(times, interpolation, width, values).map_err(|error| {
            let message = match error {
                KeyedError::NoKeys => "has no keys".to_string(),
                KeyedError::Order(key) => format!("key {key} is not later than the one before"),
                KeyedError::Length(wanted) => {
                    format!("{} keys of {width} numbers each need {wanted} values", times_s.len())
                }
            };
            at.fault(code::KEYS, message)
        })
    }
}

/// What a JSON pointer of KHR_animation_pointer names, where that can move: the node's number and the property.
fn pointed(pointer: &str) -> Option<(u32, Property)> {
    let mut steps = pointer.strip_prefix("/nodes/")?.split('/');
    let number = steps.next()?.parse().ok()?;
    let rest: Vec<&str> = steps.collect();
    let property = match rest.as_slice() {
        ["translation"] => Property::Translation,
        ["rotation"] => Property::Rotation,
        ["scale"] => Property::Scale,
        ["weights"] => Property::MorphWeights,
        ["weights", channel] => Property::MorphWeight(channel.parse().ok()?),
        ["extensions", "KHR_node_visibility", "visible"] => Property::Visibility,
        _ => return None,
    };
    Some((number, property))
}

/// Of keys at one moment the last holds from then on, and the first up to a tick before; those between count for
/// nothing. glTF asks for times that ascend strictly, but exporters write a jump as two keys at one time.
fn part_equal_times(times: &mut Vec<Tick>, values: &mut Vec<f32>, key_length: usize) {
    if values.len() != times.len() * key_length || times.windows(2).all(|pair| pair[0] != pair[1]) {
        return;
    }
    let (mut kept, mut kept_values) = (Vec::with_capacity(times.len()), Vec::with_capacity(values.len()));
    for (key, time) in times.iter().enumerate() {
        let (same_before, same_after) = (key > 0 && times[key - 1] == *time, times.get(key + 1) == Some(time));
        let time = match (same_before, same_after) {
            (true, true) => continue,
            (false, true) => Tick(time.0 - 1),
            _ => *time,
        };
        // A first key a tick earlier may meet the key before it.
        if same_after && kept.last().is_some_and(|last| *last >= time) {
            continue;
        }
        kept.push(time);
        kept_values.extend_from_slice(&values[key * key_length..(key + 1) * key_length]);
    }
    (*times, *values) = (kept, kept_values);
}

fn last_key(track: &RawTrack) -> Option<Tick> {
    match &track.values {
        TrackValues::Keyed(keyed) => keyed.times().last().copied(),
        TrackValues::Components { .. } => unreachable!("glTF keys whole vectors"),
    }
}
