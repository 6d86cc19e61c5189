//! Sync: clips in one phase.

use std::collections::{BTreeMap, BTreeSet};

use stillframe_base::tick::Tick;

use super::super::GraphError;
use super::super::def::{MarkerDef, SyncSpaceNode};
use super::super::limit::SYNC_CLIPS_MAX;
use super::super::node::Sync;
use super::Compiler;
use super::check::count;
use super::op::time;
use crate::time::{Marker, Mode, Playback, Repeat, SyncGroup, SyncMember, Timeline};

/// How many times as long as another one a clip of one phase may be: faster leaders would leave the range of speeds.
const LENGTH_RATIO_MAX: i64 = 1 << 16;

impl Compiler<'_> {
    pub(super) fn sync_op(&self, name: &str, node: &SyncSpaceNode) -> Result<Sync, GraphError> {
        let space = self.space(name, &node.space)?;
        count(name, "clips", node.clips.len(), space.point_count())?;
        let (mut clips, mut members) = (Vec::new(), Vec::new());
        for clip in &node.clips {
            let clip = self.clip(name, clip)? as u16;
            let member = clips.iter().position(|other| *other == clip).unwrap_or(clips.len());
            if member == clips.len() {
                clips.push(clip);
            }
            members.push(member as u16);
        }
        let labels: BTreeSet<&str> =
            self.def.clips.iter().flat_map(|clip| clip.markers.iter().map(|marker| &*marker.name)).collect();
        let labels: BTreeMap<&str, u32> = labels.into_iter().zip(0..).collect();
        let mut lengths = Vec::new();
        let mut group = Vec::new();
        for clip in &clips {
            let (clip, track) = (&self.def.clips[usize::from(*clip)], &self.tracks[usize::from(*clip)]);
            let playback = Playback::new(Tick::ZERO, clip.duration, Mode::Loop(Repeat::Forever));
            let timeline = Timeline::new(playback, track).map_err(|error| time(name, error))?;
            let marker = |marker: &MarkerDef| Marker { at: marker.at, label: labels[&*marker.name] };
            let markers = if node.by_markers { clip.markers.iter().map(marker).collect() } else { Vec::new() };
            lengths.push(clip.duration);
            group.push(SyncMember { timeline, markers });
        }
        if clips.len() > SYNC_CLIPS_MAX {
            return Err(GraphError::TooMany { node: name.to_string(), count: clips.len(), max: SYNC_CLIPS_MAX });
        }
        let group = SyncGroup::new(group).map_err(|error| time(name, error))?;
        let (shortest, longest) = (lengths.iter().min().copied(), lengths.iter().max().copied());
        if let (Some(shortest), Some(longest)) = (shortest, longest)
            && longest.0 / shortest.0.max(1) > LENGTH_RATIO_MAX
        {
            let what = "the longest clip of one phase, against the shortest,";
            return Err(GraphError::Ticks { node: name.to_string(), what, ticks: longest.0 });
        }
        let speed = self.source(name, "speed", &node.speed)?;
        Ok(Sync { space, members: members.into(), clips: clips.into(), group, pace: node.pace, speed })
    }
}
