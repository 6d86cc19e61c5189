//! Text: clips in words, for people.

use crate::import::Model;
use crate::study::{
    Baked, Bounds, ClipFacts, FRAMES_PER_SECOND, Place, PropertyFacts, Root, TRAVEL_MIN_M, WeightFacts, bytes_words,
    count, short,
};

/// Names printed of a list; the rest is counted.
const NAMES_MAX: usize = 4;

/// A seam that is smaller is not seen.
const SEAM_DEG: f64 = 0.5;
const SEAM_MM: f64 = 1.0;

/// A page about clips.
pub fn page(name: &str, model: &Model, clips: &[ClipFacts], skins: &[WeightFacts]) -> String {
    let mut out = format!("{name}  {}\n", model.format.name);
    let mut line = |text: &str| out.push_str(&format!("  {text}\n"));
    line(&format!(
        "{}, {}, {}",
        count(model.nodes.len(), "node", "nodes"),
        count(model.skins.len(), "skin", "skins"),
        count(model.clips.len(), "clip", "clips")
    ));
    if model.clips.is_empty() {
        line("nothing moves");
    }
    for clip in clips {
        out.push('\n');
        for (title, words) in rows(clip) {
            // Further lines of a row are below its words.
            for (index, words) in words.iter().enumerate() {
                let title = if index == 0 { title } else { "" };
                out.push_str(format!("{title:14}{words}").trim_end());
                out.push('\n');
            }
        }
    }
    if !skins.is_empty() {
        out.push_str("\nskin weights\n");
        skins.iter().for_each(|skin| out.push_str(&format!("  {}\n", weight_words(skin))));
    }
    out
}

/// The rows of a clip: a title and its lines.
fn rows(clip: &ClipFacts) -> Vec<(&'static str, Vec<String>)> {
    let mut out = vec![("clip", vec![clip_words(clip)])];
    out.push(("  moves", vec![moved_words(clip)]));
    out.push(("  tracks", clip.tracks.iter().map(property_words).collect()));
    let constant: Vec<String> = clip.constant.iter().map(|(node, property)| format!("{node} {property}")).collect();
    if !constant.is_empty() {
        let words = count(constant.len(), "track holds", "tracks hold");
        out.push(("  constant", vec![format!("{words} one value: {}", names(&constant))]));
    }
    out.push(("  turns", turn_words(clip)));
    if clip.sign_flips > 0 {
        let keys = count(clip.sign_flips, "rotation key has", "rotation keys have");
        out.push((
            "  signs",
            vec![format!(
                "! {keys} the opposite sign of the key before (the same rotation, but some players turn the long way)"
            )],
        ));
    }
    let scale = scale_words(clip);
    if !scale.is_empty() {
        out.push(("  scale", scale));
    }
    out.push(("  baked", baked_words(clip)));
    if let Some(root) = &clip.root {
        out.push(("  root", vec![root_words(root)]));
    }
    out.push(("  seam", vec![seam_words(clip)]));
    let not_known = clip.no_bounds.iter().map(|why| format!("unknown: {why}"));
    out.push(("  bounds", clip.bounds.iter().map(bounds_words).chain(not_known).collect()));
    out
}

fn clip_words(clip: &ClipFacts) -> String {
    let mut words = format!(
        "{}  {} s, {} at {FRAMES_PER_SECOND} per second",
        clip.name,
        short(clip.duration_s as f32),
        count(clip.frames, "frame", "frames")
    );
    if clip.start_s != 0.0 {
        words.push_str(&format!(", from {} s", short(clip.start_s as f32)));
    }
    if clip.layers != 1 {
        words.push_str(&format!(", {}", count(clip.layers, "layer", "layers")));
    }
    words
}

fn moved_words(clip: &ClipFacts) -> String {
    let mut words = Vec::new();
    if !clip.joints_moved.is_empty() {
        words.push(count(clip.joints_moved.len(), "joint", "joints"));
    }
    if !clip.nodes_moved.is_empty() {
        words.push(format!(
            "{} ({})",
            count(clip.nodes_moved.len(), "other node", "other nodes"),
            names(&clip.nodes_moved)
        ));
    }
    if !clip.morphs_moved.is_empty() {
        words.push(format!("morphs of {}", names(&clip.morphs_moved)));
    }
    if words.is_empty() { "no node".to_string() } else { words.join(", ") }
}

fn property_words(facts: &PropertyFacts) -> String {
    let kinds: Vec<String> = facts.interpolation.iter().map(|(kind, number)| format!("{number} {kind}")).collect();
    let kinds = match facts.interpolation.len() {
        1 => facts.interpolation.keys().next().map(|kind| kind.to_string()).unwrap_or_default(),
        _ => kinds.join(", "),
    };
    let tracks = count(facts.tracks, "track", "tracks");
    format!("{:12} {tracks:>10} {:>12}  {kinds}", facts.property, count(facts.keys, "key", "keys"))
}

fn turn_words(clip: &ClipFacts) -> Vec<String> {
    let turns = &clip.turns;
    let turned = |worst: &Place| {
        format!("largest from key to key: {} degrees, {}", short(worst.value as f32), place_words(worst))
    };
    let jumped = |worst: &Place| {
        let keys = count(turns.jumps, "step jumps", "steps jump");
        format!("{keys}, by at most {} degrees, {}", short(worst.value as f32), place_words(worst))
    };
    let mut out: Vec<String> = turns.worst.iter().map(turned).chain(turns.jump_worst.iter().map(jumped)).collect();
    if out.is_empty() {
        out.push("no rotation moves".to_string());
    }
    if turns.over_30_deg > 0 {
        let over = count(turns.over_30_deg, "key turns", "keys turn");
        out.push(format!("! {over} more than 30 degrees, {} more than 90", turns.over_90_deg));
    }
    if turns.undecided > 0 {
        out.push(format!(
            "! {} nearly half a turn: players may differ in the direction",
            count(turns.undecided, "key is", "keys are")
        ));
    }
    out
}

fn scale_words(clip: &ClipFacts) -> Vec<String> {
    let mut out = Vec::new();
    if !clip.scale_not_uniform.is_empty() {
        out.push(format!("! differs by axis: {}", names(&clip.scale_not_uniform)));
    }
    if !clip.scale_negative.is_empty() {
        out.push(format!("! mirrors: {}", names(&clip.scale_negative)));
    }
    out
}

fn baked_words(clip: &ClipFacts) -> Vec<String> {
    match &clip.not_baked {
        Some(why) => vec![format!("! cannot be baked: {why}")],
        None => clip.baked.iter().map(one_baked).collect(),
    }
}

fn one_baked(baked: &Baked) -> String {
    let Baked { frames_per_second, frames, bytes, raw_bytes, worst_mm, .. } = baked;
    let times = *raw_bytes as f32 / (*bytes).max(1) as f32;
    let off = match worst_mm.value {
        0.0 => "exact".to_string(),
        mm => format!("at most {} mm off, {}", short(mm as f32), place_words(worst_mm)),
    };
    format!("at {frames_per_second:2}  {frames:5} frames  {:>8} ({} : 1)  {off}", bytes_words(*bytes), short(times))
}

fn root_words(root: &Root) -> String {
    let Root { joint, travel_m, heading_deg, rise_m, turn_deg, path_m, speed_m_s } = root;
    let mut words = match heading_deg {
        Some(heading) => format!(
            "{joint} travels {} m per loop towards {} degrees (0 is +Z, 90 is +X), {} m/s",
            short(*travel_m as f32),
            short(*heading as f32),
            short(speed_m_s.unwrap_or(0.0) as f32)
        ),
        None => format!("{joint} returns to its place after a path of {} m", short(*path_m as f32)),
    };
    if rise_m.abs() > TRAVEL_MIN_M {
        words.push_str(&format!(
            ", {} {} m",
            if *rise_m > 0.0 { "rises" } else { "sinks" },
            short(rise_m.abs() as f32)
        ));
    }
    if turn_deg.abs() > 0.05 {
        words.push_str(&format!(", turns {} degrees", short(*turn_deg as f32)));
    }
    words
}

fn seam_words(clip: &ClipFacts) -> String {
    let seam = &clip.seam;
    let (deg, mm) = (seam.rotation_deg.value, seam.position_mm.value);
    let (deg_words, mm_words) = (short(deg as f32), short(mm as f32));
    if deg <= SEAM_DEG && mm <= SEAM_MM {
        return format!("loops: the last pose equals the first within {deg_words} degrees and {mm_words} mm");
    }
    format!(
        "! does not loop: last to first pose {deg_words} degrees at {}, {mm_words} mm at {}",
        seam.rotation_deg.joint, seam.position_mm.joint
    )
}

fn bounds_words(Bounds { min, max, over_exact }: &Bounds) -> String {
    let numbers = |of: [f32; 3], between: &str| of.map(|number| short((number * 1e3).round() * 1e-3)).join(between);
    let size = [0, 1, 2].map(|axis| max[axis] - min[axis]);
    let mut words =
        format!("{} m, from ({}) to ({}), at any moment", numbers(size, " x "), numbers(*min, " "), numbers(*max, " "));
    if let Some(over) = over_exact {
        words.push_str(&format!(" ({} times the exact box)", short((over * 1e3).round() as f32 * 1e-3)));
    }
    words
}

fn weight_words(skin: &WeightFacts) -> String {
    let mut words = format!(
        "{}  {}, {}, at most {} per vertex",
        skin.node,
        count(skin.vertices, "vertex", "vertices"),
        count(skin.joints, "joint", "joints"),
        skin.joints_max
    );
    let vertices = |number: usize| count(number, "vertex", "vertices");
    for (number, what) in [
        (skin.over_4_joints, "with more than 4"),
        (skin.over_8_joints, "with more than 8"),
        (skin.without_weight, "without weight"),
    ] {
        if number > 0 {
            words.push_str(&format!("; {} {what}", vertices(number)));
        }
    }
    for (number, what) in [(skin.negative, "with a negative weight"), (skin.joint_twice, "with a repeated joint")] {
        if number > 0 {
            words.push_str(&format!("; ! {} {what}", vertices(number)));
        }
    }
    match skin.sum_off {
        0 => words.push_str("; sums are 1"),
        number => words.push_str(&format!(
            "; ! weights of {} do not sum to 1 (worst {})",
            vertices(number),
            short(skin.sum_worst as f32)
        )),
    }
    words
}

fn place_words(place: &Place) -> String {
    format!("{} at {} s", place.joint, short(place.at_s as f32))
}

fn names(names: &[String]) -> String {
    let mut out = names[..names.len().min(NAMES_MAX)].join(", ");
    if names.len() > NAMES_MAX {
        out.push_str(&format!(" and {} more", names.len() - NAMES_MAX));
    }
    out
}
