//! Meant: words of other programs and formats, and what they are called here.
//!
//! In: an unknown word, those that are possible. Out: the one that was most likely meant. Never here: what words mean.

use crate::source::did_you_mean;

/// What others call a thing, and its names here; whichever of them is possible was meant.
const FOREIGN: &[(&[&str], &[&str])] = &[
    (&["cube", "cuboid", "block", "brick"], &["box"]),
    (&["ball", "uv_sphere", "icosphere"], &["sphere"]),
    (&["quad", "floor", "rectangle"], &["plane"]),
    (&["tube", "pipe"], &["cylinder"]),
    (&["donut", "doughnut", "ring"], &["torus"]),
    (&["sun", "distant", "parallel"], &["directional"]),
    (&["omni", "bulb", "lamp"], &["point"]),
    (&["intensity", "strength", "power", "energy", "brightness"], &["illuminance_lux", "intensity_cd", "intensity"]),
    (&["albedo", "diffuse", "diffuse_color", "colour"], &["base_color", "color"]),
    (&["fov", "fovy", "field_of_view"], &["fov_y_deg"]),
];

/// The candidate that a wrong word was most likely meant to be: what is called so elsewhere, else the nearest one.
pub(crate) fn meant<'a>(wrong: &str, candidates: impl Iterator<Item = &'a str> + Clone) -> Option<&'a str> {
    let lower = wrong.to_lowercase();
    let row = FOREIGN.iter().find(|(foreign, _)| foreign.contains(&lower.as_str()));
    let own = row.and_then(|(_, own)| own.iter().find_map(|own| candidates.clone().find(|word| word == own)));
    own.or_else(|| did_you_mean(wrong, candidates))
}
