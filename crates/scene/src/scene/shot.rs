//! Shots: several pictures of one scene.

use super::text::toml;
use super::{Scene, SceneShot, Thing, Track, code};
use crate::source::{Diagnostic, did_you_mean};

impl Scene {
    /// The scene as its shot of that name shows it.
    ///
    /// Errors: there is none.
    pub fn for_shot(&self, name: &str) -> Result<Scene, Diagnostic> {
        let Some(at) = self.shots.iter().position(|shot| shot.name == name) else {
            let names = || self.shots.iter().map(|shot| shot.name.as_str());
            let help = match did_you_mean(name, names()) {
                Some(near) => format!("did you mean `{near}`?"),
                None if self.shots.is_empty() => format!("add [shot.{}] with its changes", toml::key(name)),
                None => format!("known are {}", names().map(|n| format!("`{n}`")).collect::<Vec<_>>().join(", ")),
            };
            let error = Diagnostic::error(code::UNKNOWN_SHOT, "--shot", format!("unknown shot `{name}`"));
            return Err(error.help(help));
        };
        let mut out = self.clone();
        let SceneShot {
            output, display, camera, shadows, lighting, style, model_lights, ground, max_mip, time_s, ..
        } = out.shots[at].clone();
        (out.output, out.display, out.camera, out.shadows) = (output, display, camera, shadows);
        (out.lighting, out.style, out.model_lights) = (lighting, style, model_lights);
        (out.ground, out.max_mip) = (ground, max_mip);
        // What moves in the shot's own output moves in the scene's now.
        out.tracks.retain(|track| track.thing != Thing::Output);
        for track in out.tracks.clone() {
            if track.thing == Thing::Shot(at) {
                out.tracks.push(Track { thing: Thing::Output, ..track });
            }
        }
        out.sort_tracks();
        out.move_to(time_s);
        Ok(out)
    }
}
