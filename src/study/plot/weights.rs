//! Weights: morph weights over time, with marks at the file's keys.

use stillframe_anim::Property;
use stillframe_base::tick::Tick;

use super::Plot;
use crate::pose::{self, Playing, track_key_times};
use crate::study::StudyError;
use crate::study::chart::{COLORS, FROM_CLIP, Head, Line, Panel, chart};
use crate::study::motion::{jump_times, tracks};

/// Morphs drawn where none is named: as many as there are colours.
const MORPHS_MOST: usize = COLORS;

/// A slider of a node.
struct Morph {
    node: usize,
    channel: usize,
    name: String,
    values: Vec<f64>,
}

/// Morph weights over time.
///
/// Errors: the model has no morphs, none of that name, or none moves.
pub fn weights(plot: &Plot<'_>) -> Result<String, StudyError> {
    let motion = plot.motion;
    let mut times = [plot.moments(), keys(plot, None), jumps(plot)].concat();
    times.sort_unstable();
    times.dedup();
    let poses: Vec<Vec<Vec<f64>>> =
        times.iter().map(|at| pose::morph_weights(motion.model, Playing { clip: motion.number, time: *at })).collect();
    let several = motion.model.nodes.iter().filter(|node| !node.morphs.is_empty()).count() > 1;
    let mut morphs = Vec::new();
    for (node, of) in motion.model.nodes.iter().enumerate() {
        for (channel, morph) in of.morphs.iter().enumerate() {
            let name = if several { format!("{}: {}", of.name, morph.name) } else { morph.name.clone() };
            let values = poses.iter().map(|pose| pose[node][channel]).collect();
            morphs.push(Morph { node, channel, name, values });
        }
    }
    let (shown, of) = chosen(plot, morphs)?;
    let left_out = match of {
        Some(of) if of > shown.len() => format!("; the {} that move most of {of}", shown.len()),
        _ => String::new(),
    };
    let line = |(color, morph): (usize, &Morph)| {
        let points: Vec<[f64; 2]> = times.iter().zip(&morph.values).map(|(at, value)| [at.seconds(), *value]).collect();
        let keys = keys(plot, Some(morph));
        let marks = times.iter().zip(&points).filter(|(at, _)| keys.binary_search(at).is_ok());
        let marks = marks.map(|(_, point)| *point).collect();
        Line { color, points, marks }
    };
    let panel = Panel {
        head: "weight".into(),
        lines: shown.iter().enumerate().map(line).collect(),
        from_zero: shown.iter().all(|morph| morph.values.iter().all(|value| *value >= 0.0)),
    };
    let names: Vec<String> = shown.iter().map(|morph| morph.name.clone()).collect();
    let words = format!("Weights over time of {}.", names.join(", "));
    let head = Head {
        title: format!("Morph weights of {}", motion.clip().name),
        sub: format!("{}; marks are the file's keys{left_out}", plot.about()),
        legend: names,
        shaded: Vec::new(),
    };
    Ok(chart(&head, &[vec![panel]], (plot.duration_s(), FROM_CLIP), &words))
}

/// Those that are named; else those that move most, and of how many.
fn chosen(plot: &Plot<'_>, morphs: Vec<Morph>) -> Result<(Vec<Morph>, Option<usize>), StudyError> {
    if morphs.is_empty() {
        return Err(StudyError::NoMorphs);
    }
    let wanted = plot.joints;
    if !wanted.is_empty() {
        let names: Vec<String> = morphs.iter().map(|morph| morph.name.clone()).collect();
        if let Some(name) = wanted.iter().find(|name| !names.contains(name)) {
            return Err(StudyError::Unknown { kind: "morph", name: name.clone(), names });
        }
        return Ok((morphs.into_iter().filter(|morph| wanted.contains(&morph.name)).collect(), None));
    }
    let moved = |morph: &Morph| morph.values.windows(2).map(|pair| (pair[1] - pair[0]).abs()).sum::<f64>();
    let mut moving: Vec<(f64, usize, Morph)> =
        morphs.into_iter().enumerate().map(|(place, morph)| (moved(&morph), place, morph)).collect();
    moving.retain(|(moved, ..)| *moved > 1e-6);
    if moving.is_empty() {
        return Err(StudyError::NothingMoves { clip: plot.motion.clip().name.clone(), what: "morph" });
    }
    let of = moving.len();
    moving.sort_by(|a, b| b.0.total_cmp(&a.0).then(a.1.cmp(&b.1)));
    moving.truncate(MORPHS_MOST);
    moving.sort_by_key(|(_, place, _)| *place);
    Ok((moving.into_iter().map(|(.., morph)| morph).collect(), Some(of)))
}

/// The ticks before weights jump, so that a step is drawn as one.
fn jumps(plot: &Plot<'_>) -> Vec<Tick> {
    let clip = plot.motion.clip();
    let moves =
        tracks(clip).filter(|track| matches!(track.property, Property::MorphWeights | Property::MorphWeight(_)));
    let before = moves.flat_map(|track| jump_times(&track.values)).map(|at| at - clip.start - Tick(1));
    before.filter(|at| (Tick::ZERO..=plot.motion.duration).contains(at)).collect()
}

/// When the file has keys for a morph, from the clip's start; of all morphs without one.
fn keys(plot: &Plot<'_>, of: Option<&Morph>) -> Vec<Tick> {
    let clip = plot.motion.clip();
    let wanted = tracks(clip).filter(|track| match (&track.property, of) {
        (Property::MorphWeights | Property::MorphWeight(_), None) => true,
        (Property::MorphWeights, Some(of)) => track.node == of.node,
        (Property::MorphWeight(channel), Some(of)) => track.node == of.node && *channel == of.channel,
        _ => false,
    });
    let mut keys: Vec<Tick> =
        wanted.flat_map(|track| track_key_times(&track.values)).map(|key| key - clip.start).collect();
    keys.retain(|key| (Tick::ZERO..=plot.motion.duration).contains(key));
    keys.sort_unstable();
    keys.dedup();
    keys
}
