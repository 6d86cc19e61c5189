//! Empty: pictures that show nothing, because the camera looks away or there is no light.
//!
//! In: what the camera sees. Out: a warning. Never here: what a light leaves dark (`world::dim`).

use crate::asset::{Material, Store};
use crate::scene::{Background, EnvironmentSource, Scene};
use crate::source::Diagnostic;
use crate::view::Shot;

/// Code of the warning that a picture shows nothing.
const NOTHING_SEEN: &str = "W0604";

/// Code of the warning that nothing in a picture is lit.
const NOTHING_LIT: &str = "W0605";

/// A warning if nothing of a scene is inside the view, or everything that is there is black for want of light. Only
/// colour pictures need light.
pub fn empty(scene: &Scene, shot: &Shot, store: &Store, wants_color: bool) -> Option<Diagnostic> {
    // A scene without nodes has been reported with its text, and may show its environment.
    let has_content = !scene.nodes.is_empty() || !scene.crowds.is_empty();
    let is_surrounded = scene.environment.source != EnvironmentSource::None || !scene.light_probes.is_empty();
    let mut seen = shot.opaque.iter().chain(&shot.blended).peekable();
    if seen.peek().is_none() {
        let shows_surroundings = is_surrounded && scene.output.background == Background::Environment;
        return (has_content && !shows_surroundings).then(|| {
            let help = "turn the camera, or move it: `camera = \"auto\"` in [output] frames everything";
            Diagnostic::warning(NOTHING_SEEN, &scene.root, "nothing is seen: the camera looks past everything")
                .help(help)
        });
    }
    let is_lit = is_surrounded || !shot.lights.is_empty() || seen.any(|item| glows(store.material(item.material)));
    (wants_color && !is_lit).then(|| {
        let help = "add [[light]] or [environment], or make a material `unlit`";
        Diagnostic::warning(NOTHING_LIT, &scene.root, "nothing is lit: there is no light and no environment").help(help)
    })
}

fn glows(material: &Material) -> bool {
    let shines = material.unlit || material.lighting.model.row().needs.shines;
    shines || material.emissive.iter().any(|channel| *channel > 0.0)
}
