//! Routes: other ways to the same picture, which must give the same bytes.
//!
//! What differs along them is nondeterminism, a verdict of its own: a retry never makes anything green.

use stillframe_base::lanes::Isa;
use stillframe_frames::{PixelHash, parse_passes, passes_root, print_passes};

use super::{Candidate, Failed, Judge, candidates_of, pass_hash};
use crate::scene::{Scene, resolve_text};
use crate::source::Vfs;
use crate::take::{Settings, Sitting, Skinning, Take};

/// One other way.
struct Route {
    name: String,
    settings: Settings,
    /// The scene's printed form is read again.
    reloaded: bool,
    /// Taken twice from one sitting; the second counts.
    again: bool,
}

impl Judge<'_> {
    /// Pictures of other routes that are not the candidate's; `None`: all are.
    ///
    /// A candidate that is not the reference's is rendered twice more: by one thread, and in reverse order. `--audit` asks this of every
    /// case, `--via all` all routes, `--repeat-each` as many repetitions.
    pub(super) fn unsteady(
        &mut self,
        scene: &Scene,
        candidate: &Candidate,
    ) -> Result<Option<Vec<(String, PixelHash)>>, Failed> {
        if self.setup.native.is_some() && self.setup.repeat <= 1 {
            return Ok(None);
        }
        let mut routes = Vec::new();
        if self.setup.routes {
            routes.extend(self.all_routes(candidate));
        } else if self.setup.audit || self.is_suspect(candidate)? {
            routes.extend(self.two_routes(candidate));
        }
        for number in 1..self.setup.repeat {
            routes.push(self.route(&format!("repetition {}", number + 1), candidate, |_| ()));
        }
        let mut found = Vec::new();
        for route in routes {
            let take = self.along(&route, scene, candidate.time_s)?;
            let other =
                candidates_of(&take, candidate.time_s, &self.pool).into_iter().next().expect("one was asked for");
            if other.hash != candidate.hash {
                let parts = self.parted(candidate, &take);
                found.push((format!("{}{parts}", route.name), other.hash));
                self.run.keep(&other.picture, &self.pool)?;
            }
        }
        Ok(if found.is_empty() { None } else { Some(found) })
    }

    /// The first pass where two runs part, in words.
    fn parted(&self, candidate: &Candidate, other: &Take) -> String {
        let (Ok(own), other) =
            (parse_passes(&candidate.passes_text), other.captures.iter().map(pass_hash).collect::<Vec<_>>())
        else {
            return String::new();
        };
        if own.is_empty() || passes_root(&print_passes(&other)) == passes_root(&candidate.passes_text) {
            return String::new();
        }
        let differs = stillframe_frames::first_difference(&own, &other);
        differs.map_or(String::new(), |(pass, _)| format!(" (parts in pass {})", pass.name))
    }

    /// Whether a reference says otherwise.
    fn is_suspect(&mut self, candidate: &Candidate) -> Result<bool, Failed> {
        let (family, behaviour) = stillframe_frames::run::split_name(&candidate.name);
        let line = self.lock(family)?.find(behaviour);
        Ok(line.is_some_and(|line| line.adapter == candidate.adapter && line.pixels != candidate.hash))
    }

    fn route(&self, name: &str, candidate: &Candidate, change: impl Fn(&mut Settings)) -> Route {
        let mut settings = Settings { aovs: vec![candidate.aov], scene_hash: false, ..self.setup.settings() };
        change(&mut settings);
        Route { name: name.to_string(), settings, reloaded: false, again: false }
    }

    fn two_routes(&self, candidate: &Candidate) -> Vec<Route> {
        vec![
            self.route("1 thread", candidate, |settings| settings.threads = 1),
            self.route("reverse order", candidate, |settings| {
                (settings.threads, settings.last_first) = (2, true);
            }),
        ]
    }

    fn all_routes(&self, candidate: &Candidate) -> Vec<Route> {
        let mut routes = self.two_routes(candidate);
        for threads in [2, 8] {
            routes.push(self.route(&format!("{threads} threads"), candidate, |settings| settings.threads = threads));
        }
        for isa in Isa::available() {
            routes.push(self.route(&format!("isa {isa}"), candidate, |settings| settings.isa = Some(isa)));
        }
        for (name, skinning) in Skinning::WORDS {
            if *skinning != Skinning::Cpu {
                routes
                    .push(self.route(&format!("skinning {name}"), candidate, |settings| settings.skinning = *skinning));
            }
        }
        routes.push(Route { reloaded: true, ..self.route("scene printed and read again", candidate, |_| ()) });
        routes.push(Route { again: true, ..self.route("taken twice", candidate, |_| ()) });
        routes.push(self.route("models imported again", candidate, |settings| settings.cache = None));
        routes
    }

    fn along(&mut self, route: &Route, scene: &Scene, time_s: f64) -> Result<Take, Failed> {
        let reloaded;
        let scene = if route.reloaded {
            reloaded = self.reload(scene)?;
            &reloaded
        } else {
            scene
        };
        self.take_as(&route.name, scene, &route.settings, time_s, route.again)
    }

    /// One take, or the second of two, with equipment that is kept under a name.
    pub(super) fn take_as(
        &mut self,
        name: &str,
        scene: &Scene,
        settings: &Settings,
        time_s: f64,
        again: bool,
    ) -> Result<Take, Failed> {
        let mut left = self.other.remove(name);
        let mut sitting = Sitting::begin_with(&mut left, scene, settings, &mut |_| ())?;
        let mut take = sitting.at(time_s, &mut |_| ());
        if again && take.is_ok() {
            take = sitting.at(time_s, &mut |_| ());
        }
        self.other.insert(name.to_string(), sitting.end());
        Ok(take?)
    }

    /// The scene as its printed form says it.
    fn reload(&self, scene: &Scene) -> Result<Scene, Failed> {
        let vfs = Vfs::open(&scene.root).map_err(|complaint| Failed::files(vec![complaint]))?;
        let name = std::path::Path::new("printed.toml");
        let mut read = resolve_text(&scene.print(), name, &scene.root, &vfs, &[]).map_err(Failed::files)?.scene;
        read.test = None;
        Ok(read)
    }

    /// One take with equipment that is kept.
    pub(super) fn take_with(&mut self, scene: &Scene, settings: &Settings, time_s: f64) -> Result<Take, Failed> {
        let mut sitting = Sitting::begin_with(&mut self.equipment, scene, settings, &mut |_| ())?;
        let take = sitting.at(time_s, &mut |_| ())?;
        self.equipment = Some(sitting.end());
        Ok(take)
    }
}
