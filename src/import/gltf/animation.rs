//! Animations: channels become tracks, keyed as the file has them.
//!
//! Source: glTF 2.0, 3.11.

use std::collections::BTreeSet;

use stillframe_anim::{Interpolation, Keyed, KeyedError, Property, RawClip, RawLayer, RawTrack, TrackValues};
use stillframe_base::tick::Tick;

use super::json::At;
use super::node::NONE;
use super::{FAULTS_MAX, Importer};
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
                        let message = "moves what another channel moves already, and is left out";
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
        let target = at.key("target");
        let nodes = self.root.key("nodes");
        // A channel without a node is for an extension.
        let Some(number) = target.key("node").opt_index()? else { return Ok(None) };
        nodes.entry(number, target.key("node"))?;
        let node = self.positions[number as usize];
        let samplers = animation.key("samplers");
        let sampler = samplers.entry(at.key("sampler").index()?, at.key("sampler"))?;
        if node == NONE {
            return Ok(None);
        }
        let node = node as usize;
        let path = target.key("path");
        let (property, width) = match path.str()? {
            "translation" => (Property::Translation, 3),
            "rotation" => (Property::Rotation, 4),
            "scale" => (Property::Scale, 3),
            "weights" => (Property::MorphWeights, self.model.nodes[node].morphs.len()),
            other => {
                let message = format!("moves {other:?}, which is not known, and is left out");
                self.warn(at.fault(code::TRACK_SKIPPED, message));
                return Ok(None);
            }
        };
        if width == 0 {
            self.warn(at.fault(code::TRACK_SKIPPED, "moves morph weights of a node without morph targets"));
            return Ok(None);
        }
        if nodes.entry(number, nodes)?.key("matrix").exists() && property != Property::MorphWeights {
            self.warn(at.fault(code::TRACK_SKIPPED, "moves a node that is placed by a matrix, and is left out"));
            return Ok(None);
        }
        let values = TrackValues::Keyed(self.keyed(sampler, width)?);
        Ok(Some(RawTrack { node, property, values }))
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
            let message = format!("the time of key {key} is {}: no moment within {TIME_MAX_S:e} s", times_s[key]);
            return Err(at.fault(code::NOT_FINITE, message));
        }
        if let Some(place) = values.iter().position(|v| !v.is_finite()) {
            return Err(at.fault(code::NOT_FINITE, format!("number {place} of its keys is not finite")));
        }
        self.budget.spend(times_s.len() as u64 * 8, &at.to_string())?;
        let times = times_s.iter().map(|t| Tick::from_seconds(f64::from(*t))).collect();
        Keyed::new(times, interpolation, width, values).map_err(|error| {
            let message = match error {
                KeyedError::NoKeys => "has no keys".to_string(),
                KeyedError::Order(key) => format!("key {key} is not later than the one before"),
                KeyedError::Length(wanted) => {
                    format!("{} keys of {width} numbers need {wanted} values", times_s.len())
                }
            };
            at.fault(code::KEYS, message)
        })
    }

    fn warn(&mut self, fault: Fault) {
        if self.warnings.len() < FAULTS_MAX {
            self.warnings.push(fault);
        }
    }
}

fn last_key(track: &RawTrack) -> Option<Tick> {
    match &track.values {
        TrackValues::Keyed(keyed) => keyed.times().last().copied(),
        TrackValues::Components { .. } => unreachable!("glTF keys whole vectors"),
    }
}
