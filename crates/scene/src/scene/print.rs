//! The text form of a resolved scene: a scene file that says everything, and resolves to the same scene again.
//!
//! Files are named from the root, which is not printed: the same scene gives the same text wherever it lies. Included
//! files and parameters are gone, but for parameters that the test's matrix varies. Here is the order of the nouns; how
//! each is printed is in its file.

use std::path::Path;

use super::noun::{
    TITLE, accumulate, animator, camera, clip, crowd, effect, environment, light, light_probe, material, model, node,
    output, plan, render, test, view,
};
use super::printer::Printer;
use super::text::toml::key;
use super::track::Thing;
use super::{Scene, SceneShot};

impl Scene {
    /// The scene as the text of a scene file that lies in the root.
    pub fn print(&self) -> String {
        self.print_in(&self.root)
    }

    /// The scene as the text of a scene file that lies in `folder`, which is the root or lies below it.
    pub fn print_in(&self, folder: &Path) -> String {
        let mut out = Printer { text: String::new(), scene: self, thing: Thing::Output, folder };
        out.name(TITLE, Some(&self.title));
        if !self.params.is_empty() {
            out.heading("[param]");
            self.params.iter().for_each(|(name, value)| out.write(name, value));
        }
        out.heading("[output]");
        let own = SceneShot {
            name: String::new(),
            output: self.output.clone(),
            camera: self.camera.clone(),
            shadows: self.shadows,
            lighting: self.lighting,
            style: self.style,
            display: self.display,
            model_lights: self.model_lights,
            ground: self.ground,
            max_mip: self.max_mip,
            time_s: self.time_s,
        };
        output::print(&mut out, &own);
        for (at, shot) in self.shots.iter().enumerate() {
            out.begin(Thing::Shot(at), &format!("[shot.{}]", key(&shot.name)));
            output::print(&mut out, shot);
        }
        environment::print(&mut out, &self.environment);
        for (at, of) in self.cameras.iter().enumerate() {
            out.begin(Thing::Camera(at), &format!("[camera.{}]", key(&of.name)));
            camera::print(&mut out, of);
        }
        self.models.iter().enumerate().for_each(|(at, of)| model::print(&mut out, at, of));
        let models: Vec<&str> = self.models.iter().map(|model| model.name.as_str()).collect();
        for (at, of) in self.materials.iter().enumerate() {
            out.begin(Thing::Material(at), &format!("[material.{}]", key(&of.name)));
            material::print_of_scene(&mut out, of, &models);
        }
        self.clips.iter().for_each(|of| clip::print(&mut out, of));
        self.animators.iter().enumerate().for_each(|(at, of)| animator::print(&mut out, at, of));
        self.nodes.iter().enumerate().for_each(|(at, of)| node::print(&mut out, at, of));
        self.crowds.iter().for_each(|of| crowd::print(&mut out, of));
        for (at, of) in self.lights.iter().enumerate() {
            out.begin(Thing::Light(at), "[[light]]");
            light::print(&mut out, of);
        }
        for (at, of) in self.light_probes.iter().enumerate() {
            out.begin(Thing::LightProbe(at), "[[light_probe]]");
            light_probe::print(&mut out, of);
        }
        for (at, of) in self.effects.iter().enumerate() {
            out.begin(Thing::Effect(at), "[[effect]]");
            effect::print(&mut out, at, of);
        }
        for (at, of) in self.views.iter().enumerate() {
            out.begin(Thing::View(at), "[[view]]");
            view::print(&mut out, of);
        }
        accumulate::print(&mut out, self.accumulate);
        render::print(&mut out, self.render);
        plan::print(&mut out, self.plan);
        if let Some(of) = &self.test {
            test::print(&mut out, of);
        }
        out.text
    }
}
