//! Routes: other ways to the same picture, which must give the same bytes.
//!
//! What differs along them is nondeterminism, a verdict of its own: a retry never makes anything green.

use serde::{Deserialize, Serialize};
use stillframe_base::lanes::Isa;
use stillframe_frames::compare::Tolerance;
use stillframe_frames::{PixelHash, parse_passes, passes_root, print_passes};

use super::{Candidate, Failed, Judge, candidates_of, pass_hash};
use crate::scene::{LightingMethod, Likeness, Output, PlanOptions, RenderOptions, Scene, Shading, Test, resolve_text};
use crate::source::Vfs;
use crate::take::{Settings, Sitting, Skinning, Take};

/// Which other ways.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Via {
    All,
    /// 1, 2 and 8 threads.
    Threads,
    /// Work in reverse order.
    Order,
    /// Each instruction set of the processor.
    Isa,
    /// Vertices bent on the device.
    Skinning,
    /// The scene printed and read again.
    Printed,
    /// The second picture of one sitting.
    Twice,
    /// Models read from their files, not from the cache.
    Import,
    /// Every target has memory of its own.
    Alias,
    /// Every other method of lighting.
    Lighting,
    /// Depth is drawn first.
    Prepass,
    /// Memory of targets is filled with NaN first.
    Poison,
}

impl Via {
    /// Words of the command line.
    pub const WORDS: &[(&str, Via)] = &[
        ("all", Via::All),
        ("threads", Via::Threads),
        ("order", Via::Order),
        ("isa", Via::Isa),
        ("skinning", Via::Skinning),
        ("printed", Via::Printed),
        ("twice", Via::Twice),
        ("import", Via::Import),
        ("alias", Via::Alias),
        ("lighting", Via::Lighting),
        ("prepass", Via::Prepass),
        ("poison", Via::Poison),
    ];

    /// As many pictures as its routes cost at most.
    pub(super) fn pictures_max(self) -> u32 {
        match self {
            Via::All => {
                Via::WORDS.iter().map(|(_, via)| *via).filter(|via| *via != Via::All).map(Via::pictures_max).sum()
            }
            Via::Threads => 3,
            Via::Order | Via::Printed | Via::Import | Via::Alias | Via::Poison => 1,
            Via::Isa => Isa::available().len() as u32,
            Via::Skinning => Skinning::WORDS.len() as u32 - 1,
            Via::Twice => 2,
            // Sample by sample a picture is drawn four times, and so is the one that all are compared with.
            Via::Lighting => 4 * (LightingMethod::WORDS.len() as u32 + 1),
            Via::Prepass => 4,
        }
    }
}

/// How a scene is shaded in this way.
fn shading(scene: &Scene, render: &RenderOptions) -> Shading {
    scene.output.drawn_by(render).shading()
}

/// One other way.
struct Route {
    name: String,
    settings: Settings,
    /// Instead of the scene's own, unless it is the default.
    plan: PlanOptions,
    /// Instead of the scene's own. Shaded sample by sample, if this or the scene's own does so.
    render: Option<RenderOptions>,
    /// Shaded sample by sample.
    by_sample: bool,
    /// The scene's printed form is read again.
    reloaded: bool,
    /// Taken twice from one sitting; the second counts.
    again: bool,
}

impl Route {
    /// How near its picture is to be.
    fn likeness(&self) -> Likeness {
        self.render.map_or(Likeness::Equal, |render| render.lighting.row().likeness)
    }
}

impl Judge<'_> {
    /// Pictures of other routes that are not the candidate's; `None`: all are.
    ///
    /// A candidate that is not the reference's is rendered once more, in reverse order, and that take is looked at
    /// closely later on. Only where it is another picture are more routes tried. `--audit` asks this of every case, by
    /// one thread too, `--via` other routes, `--repeat-each` as many repetitions.
    pub(super) fn unsteady(
        &mut self,
        scene: &Scene,
        test: &Test,
        candidate: &Candidate,
    ) -> Result<Option<Vec<(String, PixelHash)>>, Failed> {
        self.closer = None;
        if self.setup.rendering.native.is_some() && self.setup.repeats.count <= 1 {
            return Ok(None);
        }
        let mut routes: Vec<Route> =
            self.setup.repeats.via.iter().flat_map(|via| self.routes(*via, scene, candidate)).collect();
        let asked = self.setup.repeats.audit;
        if routes.is_empty() && (asked || self.is_suspect(test, candidate)? && !self.is_steady(scene, candidate)) {
            routes.push(self.route("1 thread", candidate, |settings| settings.threads = 1));
            routes.extend(self.routes(Via::Order, scene, candidate));
        }
        for number in 1..self.setup.repeats.count {
            routes.push(self.route(&format!("repetition {}", number + 1), candidate, |_| ()));
        }
        let mut found = Vec::new();
        let mut by_sample: Option<Candidate> = None;
        for route in routes {
            // Methods that shade sample by sample are compared with a picture that is shaded so, and all with one of a
            // method that shows every bit.
            let is_other = route.render.is_some_and(|render| {
                let is_finer = shading(scene, &render) == Shading::Sample;
                is_finer && shading(scene, &scene.render) == Shading::Pixel
                    || scene.render.lighting.row().likeness != Likeness::Equal
            });
            if is_other && by_sample.is_none() {
                by_sample = Some(self.by_sample(scene, candidate)?);
            }
            let wanted = by_sample.as_ref().filter(|_| is_other).unwrap_or(candidate);
            let take = self.along(&route, scene, candidate.time_s)?;
            let other =
                candidates_of(&take, candidate.time_s, &self.pool).into_iter().next().expect("one was asked for");
            if other.hash != wanted.hash {
                let far = match route.likeness() {
                    Likeness::Equal => String::new(),
                    Likeness::Other(_) => continue,
                    Likeness::Near { delta, share } => {
                        let found = Tolerance { delta, share }.judge(&wanted.picture, &other.picture);
                        let found = found.expect("one scene has pictures of one size and format");
                        if found.passed {
                            continue;
                        }
                        format!(" ({:.3} % of the pixels are farther off than {delta})", 100.0 * found.over_share)
                    }
                };
                let parts = if is_other { String::new() } else { self.parted(candidate, &take) };
                found.push((format!("{}{far}{parts}", route.name), other.hash));
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

    /// Whether a reference says otherwise, or there is none.
    fn is_suspect(&mut self, test: &Test, candidate: &Candidate) -> Result<bool, Failed> {
        let (family, behaviour) = stillframe_frames::run::split_name(&candidate.name);
        let Some(line) = self.lock(family)?.find(behaviour) else { return Ok(test.equals.is_empty()) };
        Ok(line.adapter == candidate.adapter && line.pixels != candidate.hash)
    }

    /// Whether the take that looks closer gives the candidate's picture. It is kept for whoever tells why the case
    /// failed.
    fn is_steady(&mut self, scene: &Scene, candidate: &Candidate) -> bool {
        // Looking closer takes more memory than drawing does; the other routes can do without.
        let Ok(take) = self.closer_take(scene, candidate) else { return false };
        let own = take.pictures.iter().find(|(aov, _)| *aov == candidate.aov);
        let is_steady = own.is_some_and(|(_, picture)| picture.hash_on(&self.pool) == candidate.hash);
        self.closer = Some(take);
        is_steady
    }

    fn route(&self, name: &str, candidate: &Candidate, change: impl Fn(&mut Settings)) -> Route {
        let mut settings = Settings { aovs: vec![candidate.aov.clone()], scene_hash: false, ..self.setup.settings() };
        change(&mut settings);
        Route {
            name: name.to_string(),
            settings,
            plan: PlanOptions::default(),
            render: None,
            by_sample: false,
            reloaded: false,
            again: false,
        }
    }

    fn routes(&self, via: Via, scene: &Scene, candidate: &Candidate) -> Vec<Route> {
        let route = |name: &str| self.route(name, candidate, |_| ());
        let planned = |name: &str, plan| vec![Route { plan, ..route(name) }];
        match via {
            Via::All => {
                let each = Via::WORDS.iter().map(|(_, via)| *via).filter(|via| *via != Via::All);
                each.flat_map(|via| self.routes(via, scene, candidate)).collect()
            }
            Via::Threads => [1, 2, 8]
                .map(|threads| {
                    let name = if threads == 1 { "1 thread".to_string() } else { format!("{threads} threads") };
                    self.route(&name, candidate, |settings| settings.threads = threads)
                })
                .into(),
            Via::Order => vec![self.route("reverse order", candidate, |settings| {
                (settings.threads, settings.last_first) = (2, true);
            })],
            Via::Isa => Isa::available()
                .into_iter()
                .map(|isa| self.route(&format!("isa {isa}"), candidate, |settings| settings.isa = Some(isa)))
                .collect(),
            Via::Skinning => Skinning::WORDS
                .iter()
                .filter(|(_, skinning)| *skinning != Skinning::Cpu)
                .map(|(name, skinning)| {
                    self.route(&format!("skinning {name}"), candidate, |settings| settings.skinning = *skinning)
                })
                .collect(),
            Via::Printed => vec![Route { reloaded: true, ..route("scene printed and read again") }],
            Via::Twice => vec![Route { again: true, ..route("taken twice") }],
            Via::Import => {
                vec![self.route("models imported again", candidate, |settings| settings.cache = None)]
            }
            Via::Alias => {
                planned("targets do not share memory", PlanOptions { alias: false, ..PlanOptions::default() })
            }
            Via::Lighting if candidate.aov.row().is_of_method() => Vec::new(),
            Via::Lighting => LightingMethod::WORDS
                .iter()
                .map(|(name, lighting)| Route {
                    render: Some(RenderOptions { lighting: *lighting, depth_prepass: false, ..scene.render }),
                    ..route(&format!("lighting {name}"))
                })
                .collect(),
            Via::Prepass => {
                let render = RenderOptions { lighting: LightingMethod::Forward, depth_prepass: true, ..scene.render };
                vec![Route { render: Some(render), ..route("depth first") }]
            }
            Via::Poison => planned("targets poisoned", PlanOptions { poison: true, ..PlanOptions::default() }),
        }
    }

    fn along(&mut self, route: &Route, scene: &Scene, time_s: f64) -> Result<Take, Failed> {
        let changed;
        let scene = if route.reloaded {
            changed = self.reload(scene)?;
            &changed
        } else if route.plan != PlanOptions::default() {
            changed = Scene { plan: route.plan, ..scene.clone() };
            &changed
        } else if let Some(render) = route.render {
            let by_sample = route.by_sample || shading(scene, &scene.render) == Shading::Sample;
            let own = scene.output.shading.filter(|_| !by_sample).or(by_sample.then_some(Shading::Sample));
            changed = Scene { render, output: Output { shading: own, ..scene.output.clone() }, ..scene.clone() };
            &changed
        } else {
            scene
        };
        self.take_as(&route.name, scene, &route.settings, time_s, route.again)
    }

    /// The scene's picture by `forward`, shaded sample by sample.
    fn by_sample(&mut self, scene: &Scene, candidate: &Candidate) -> Result<Candidate, Failed> {
        let route = self.route("forward, sample by sample", candidate, |_| ());
        let render = RenderOptions { lighting: LightingMethod::Forward, depth_prepass: false, ..scene.render };
        let route = Route { render: Some(render), by_sample: true, ..route };
        let take = self.along(&route, scene, candidate.time_s)?;
        Ok(candidates_of(&take, candidate.time_s, &self.pool).into_iter().next().expect("one was asked for"))
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
