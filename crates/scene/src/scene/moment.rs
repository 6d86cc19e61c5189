//! Moments: the scene at a time.
//!
//! A [`Scene`] always holds the plain values of its own moment (`time_s`), so that nothing behind it knows of key
//! frames; [`Scene::at`] gives it at another one.

use stillframe_base::tick::Tick;

use super::Scene;
use super::key::Moved;
use super::noun::material::MaterialGraph;
use super::noun::placement::LOOK_AT;
use super::noun::{animator, camera, effect, environment, light, light_probe, material, model, node, output, view};
use super::track::{Thing, Track};

impl Scene {
    /// The scene at a time: every value that changes has the value it has then.
    pub fn at(&self, tick: Tick) -> Scene {
        let mut out = self.clone();
        out.move_to(tick.seconds());
        out
    }

    /// Whether the scene's own values differ from moment to moment.
    pub fn has_motion(&self) -> bool {
        !self.tracks.is_empty()
            || self.cameras.iter().any(|camera| camera.control.is_some())
            || self.graphs().any(|graph| graph.graph.has_time())
            || self.effects.iter().any(|effect| effect.values.effect.row().is_timed())
    }

    /// Turns to another moment.
    pub fn move_to(&mut self, time_s: f64) {
        self.time_s = time_s;
        let tick = Tick::from_seconds(time_s);
        let tracks = std::mem::take(&mut self.tracks);
        // What looks at a point needs its own place first.
        let (aims, others): (Vec<&Track>, Vec<&Track>) = tracks.iter().partition(|track| track.key == LOOK_AT.name());
        for track in others.into_iter().chain(aims) {
            set(self, track.thing, Moved { key: &track.key, numbers: track.curve.at(tick) });
        }
        self.tracks = tracks;
        self.tell_time();
        self.steer();
    }

    /// Materials whose graphs read the moment know it.
    pub(crate) fn tell_time(&mut self) {
        let seconds = self.time_s;
        let of_materials = self.materials.iter_mut().map(|material| &mut material.values);
        let overrides = self.models.iter_mut().flat_map(|model| &mut model.overrides).map(|(_, values)| values);
        for values in of_materials.chain(overrides) {
            if let Some(graph) = &mut values.graph {
                graph.graph.set_time(seconds);
            }
        }
    }

    /// The graphs of all materials and overrides.
    fn graphs(&self) -> impl Iterator<Item = &MaterialGraph> {
        let of_materials = self.materials.iter().map(|material| &material.values);
        let overrides = self.models.iter().flat_map(|model| &model.overrides).map(|(_, values)| values);
        of_materials.chain(overrides).filter_map(|values| values.graph.as_ref())
    }

    pub(crate) fn sort_tracks(&mut self) {
        self.tracks.sort_by(|a, b| (a.thing, &a.key).cmp(&(b.thing, &b.key)));
    }

    /// The track of a value, if it changes.
    pub fn track(&self, thing: Thing, key: &str) -> Option<&Track> {
        // Sorted by thing, then by key.
        let at = self.tracks.binary_search_by(|t| (t.thing, t.key.as_str()).cmp(&(thing, key)));
        at.ok().map(|at| &self.tracks[at])
    }
}

/// Writes the value that `moved` has at its moment.
fn set(scene: &mut Scene, thing: Thing, moved: Moved<'_>) {
    match thing {
        Thing::Output => output::moved(&mut scene.output, moved),
        Thing::Shot(at) => output::moved(&mut scene.shots[at].output, moved),
        Thing::Environment => environment::moved(&mut scene.environment, moved),
        Thing::Camera(at) => camera::moved(&mut scene.cameras[at], moved),
        Thing::Override(model, at) => material::moved(&mut scene.models[model].overrides[at].1, moved),
        Thing::Material(at) => material::moved(&mut scene.materials[at].values, moved),
        Thing::MaterialNode(at, node) => material::node_moved(&mut scene.materials[at].values, node, moved),
        Thing::OverrideNode(model, at, node) => {
            material::node_moved(&mut scene.models[model].overrides[at].1, node, moved);
        }
        Thing::Node(at) => node::moved(&mut scene.nodes[at], moved),
        Thing::Light(at) => light::moved(&mut scene.lights[at], moved),
        Thing::LightProbe(at) => light_probe::moved(&mut scene.light_probes[at], moved),
        Thing::Effect(at) => effect::moved(&mut scene.effects[at], moved),
        Thing::View(at) => view::moved(&mut scene.views[at], moved),
        Thing::Parameter(animator, at) => {
            animator::parameter_moved(&mut scene.animators[animator].graph.parameters[at], moved);
        }
        Thing::Proportion(model, at) => model::proportion_moved(&mut scene.models[model].proportions[at], moved),
        Thing::Morph(node, at) => node::morph_moved(&mut scene.nodes[node].morphs[at], moved),
    }
}
