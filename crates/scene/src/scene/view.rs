//! Views: the scene as one of its `[[view]]` shows it.

use super::text::toml;
use super::{CameraChoice, Output, Scene, Thing, code};
use crate::source::{Diagnostic, did_you_mean};

impl Scene {
    /// The scene with a view of that name as its picture.
    ///
    /// Errors: there is none.
    pub fn for_view(&self, name: &str) -> Result<Scene, Diagnostic> {
        let Some(at) = self.views.iter().position(|view| view.name == name) else {
            let names = || self.views.iter().map(|view| view.name.as_str());
            let help = match did_you_mean(name, names()) {
                Some(near) => format!("did you mean `{near}`?"),
                None if self.views.is_empty() => format!("add [[view]] with `name = {}`", toml::scene_text(name)),
                None => format!("known are {}", names().map(|n| format!("`{n}`")).collect::<Vec<_>>().join(", ")),
            };
            let error = Diagnostic::error(code::UNKNOWN_VIEW, "--view", format!("unknown view `{name}`"));
            return Err(error.help(help));
        };
        let mut out = self.clone();
        out.show(at);
        Ok(out)
    }

    /// Makes a view the scene's picture. Other views keep what they have of the scene's output.
    pub fn show(&mut self, at: usize) {
        let own = self.output.clone();
        for view in self.views.iter_mut().filter(|view| !view.kind.is_mirror()) {
            let Output { samples, tonemap, background, .. } = own;
            view.samples.get_or_insert(samples);
            view.tonemap.get_or_insert(tonemap);
            view.background.get_or_insert(background);
        }
        if self.views[at].exposure_ev.is_some() {
            self.tracks.retain(|track| track.thing != Thing::Output);
        }
        self.output = self.views[at].output(&own);
        self.camera = CameraChoice::View(at);
    }

    /// Views without a camera of their own look through that of the output, else through the first one.
    pub(crate) fn settle_views(&mut self, has_camera: &[bool]) {
        let own = match &self.camera {
            CameraChoice::View(at) if has_camera[*at] => self.views[*at].camera.clone(),
            CameraChoice::View(_) if self.cameras.is_empty() => CameraChoice::Auto,
            CameraChoice::View(_) => CameraChoice::Scene(0),
            camera => camera.clone(),
        };
        for (view, has_camera) in self.views.iter_mut().zip(has_camera) {
            if !has_camera {
                view.camera = own.clone();
            }
        }
    }
}
