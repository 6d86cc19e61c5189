//! Leaves: clips that a space mixes though each has a clock of its own.
//!
//! In: a graph with the lengths of its clips. Out: which spaces mix clips of different lengths. Never here: files,
//! scenes.
//!
//! Source: "Game engine: principles and practice" volume 2, section 3.4: at most one input of a mean may be a leaf,
//! since two leaves of different lengths drift apart; those that have one length do not, and clips that follow another
//! one or stand still are none.

use stillframe_anim::graph::{ClipNode, GraphDef, NodeKind, Value};
use stillframe_base::tick::Tick;

/// Of lengths that differ by less than this share, clips stay together for as long as pictures are made.
const SHARE_MIN: f64 = 1e-4;

/// A space whose clips drift apart.
#[derive(Clone, Debug, PartialEq)]
pub struct Drifting {
    /// Position in the nodes of the graph.
    pub node: usize,
    /// What it mixes, in its order, each with the seconds that it takes.
    pub clips: Vec<(String, f64)>,
}

impl Drifting {
    /// In words: which space of which clips.
    pub fn words(&self, def: &GraphDef) -> String {
        let clips: Vec<String> = self.clips.iter().map(|(name, seconds)| format!("`{name}` {seconds:.3} s")).collect();
        let name = &def.nodes[self.node].name;
        format!("node `{name}` mixes clips that drift apart: {}", clips.join(", "))
    }
}

/// Spaces that mix clips of different lengths, each with a clock of its own. `def` has its clips.
pub fn drifting(def: &GraphDef) -> Vec<Drifting> {
    let mut out = Vec::new();
    for (node, of) in def.nodes.iter().enumerate() {
        let NodeKind::Space(space) = &of.kind else { continue };
        let mut leaves: Vec<(&str, &ClipNode)> = Vec::new();
        for input in &space.inputs {
            let input = def.nodes.iter().find(|node| node.name == *input);
            if let Some((name, NodeKind::Clip(clip))) = input.map(|node| (node.name.as_str(), &node.kind))
                && leaves.iter().all(|(known, _)| *known != name)
            {
                leaves.push((name, clip));
            }
        }
        // Clips that run by one parameter keep their ratio; what runs by different ones, those decide.
        let speeds = leaves.iter().map(|(_, clip)| &clip.speed);
        let same_speed = speeds.clone().all(|speed| *speed == leaves[0].1.speed);
        if !same_speed && !speeds.clone().all(|speed| matches!(speed, Value::Number(_))) {
            continue;
        }
        let seconds = |clip: &ClipNode| {
            let speed = match clip.speed {
                Value::Number(speed) if !same_speed => f64::from(speed.abs()),
                _ => 1.0,
            };
            length(def, clip).seconds() / speed
        };
        let clips: Vec<(String, f64)> = leaves.iter().map(|(name, clip)| (name.to_string(), seconds(clip))).collect();
        // What stands still is no leaf that runs away.
        let running = || clips.iter().map(|(_, seconds)| *seconds).filter(|s| s.is_finite() && *s > 0.0);
        let (least, most) = running().fold((f64::MAX, 0.0), |(least, most), s| (s.min(least), s.max(most)));
        if most - least > most * SHARE_MIN {
            out.push(Drifting { node, clips });
        }
    }
    out
}

/// What a clip node plays of its clip.
fn length(def: &GraphDef, clip: &ClipNode) -> Tick {
    let whole = def.clips.iter().find(|known| known.name == clip.clip).map_or(Tick::ZERO, |known| known.duration);
    match clip.window {
        Some((start, end)) => end.min(whole) - start.min(whole),
        None => whole,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use stillframe_anim::graph::{ClipDef, NodeDef, SpaceDef, SpaceNode};

    /// A line of clip nodes: the seconds of each one's clip, and its speed.
    fn line(clips: &[(f64, Value)]) -> GraphDef {
        let mut def = GraphDef::default();
        for (number, (seconds, speed)) in clips.iter().enumerate() {
            let name = format!("c{number}");
            let duration = Tick::from_seconds(*seconds);
            def.clips.push(ClipDef { name: name.clone(), duration, events: Vec::new(), markers: Vec::new() });
            let clip = ClipNode { speed: speed.clone(), ..ClipNode::looped(&name) };
            def.nodes.push(NodeDef { name, kind: NodeKind::Clip(clip) });
        }
        let space = SpaceDef::Line { parameter: Value::Number(0.0), at: (0..clips.len()).map(|x| x as f32).collect() };
        let inputs = def.nodes.iter().map(|node| node.name.clone()).collect();
        def.nodes.push(NodeDef { name: "line".to_string(), kind: NodeKind::Space(SpaceNode { space, inputs }) });
        def
    }

    #[test]
    fn lengths_that_differ_drift() {
        let (one, two) = (Value::Number(1.0), Value::Number(2.0));
        let by = Value::parameter;
        for (clips, drifts) in [
            (vec![(1.0, one.clone()), (0.7, one.clone())], true),
            (vec![(1.0, one.clone()), (1.0, one.clone())], false),
            (vec![(1.0, one.clone()), (1.000_01, one.clone())], false),
            (vec![(1.0, one.clone())], false),
            (vec![(1.0, one.clone()), (2.0, two.clone())], false),
            (vec![(1.0, one.clone()), (1.0, two.clone())], true),
            (vec![(1.0, by("a")), (2.0, by("a"))], true),
            (vec![(1.0, by("a")), (2.0, by("b"))], false),
            (vec![(1.0, one.clone()), (2.0, Value::Number(0.0))], false),
            (vec![(1.0, one.clone()), (0.0, one.clone())], false),
        ] {
            assert_eq!(drifting(&line(&clips)).len(), usize::from(drifts), "{clips:?}");
        }
        let told = drifting(&line(&[(1.0, one.clone()), (0.5, one.clone())])).remove(0);
        assert_eq!((told.node, told.clips), (2, vec![("c0".to_string(), 1.0), ("c1".to_string(), 0.5)]));
    }

    /// Windows count, and one clip that is named twice is one leaf.
    #[test]
    fn what_is_played_counts() {
        let mut def = line(&[(1.0, Value::Number(1.0)), (0.7, Value::Number(1.0))]);
        let NodeKind::Clip(clip) = &mut def.nodes[0].kind else { unreachable!("a clip") };
        clip.window = Some((Tick::from_seconds(0.1), Tick::from_seconds(0.8)));
        assert!(drifting(&def).is_empty());
        let NodeKind::Space(space) = &mut def.nodes[2].kind else { unreachable!("a space") };
        space.inputs = vec!["c0".to_string(), "c0".to_string()];
        assert!(drifting(&def).is_empty());
    }
}
