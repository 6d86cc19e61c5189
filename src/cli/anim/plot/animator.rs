//! Animator: an animator of a scene, played for a chart.

use stillframe_base::tick::Tick;

use super::{Chart, PlotArgs, file_name};
use crate::cli::anim::open::unknown;
use crate::cli::status::Failure;
use crate::cli::{Surroundings, isa, messages};
use crate::scene::{self, Scene};
use crate::source::Diagnostic;
use crate::study::plot::{self, AnimatorPlot, animator_moments, scripted_s};
use crate::world;

pub fn chart_of(args: &PlotArgs, surroundings: &Surroundings) -> Result<Chart, Failure> {
    if args.clip.is_some() || args.what.is_some() {
        let help = Some("to draw a clip, name the model".to_string());
        return Err(Failure::Usage("--clip and --what need a model, not a scene".into(), help));
    }
    let files = |diagnostics: Vec<Diagnostic>| Failure::Files { diagnostics, edits: Vec::new() };
    let resolved = scene::read(&args.model, &[]).map_err(files)?;
    let scene = resolved.scene;
    let number = chosen(args, &scene)?;
    let vfs = scene.vfs().map_err(|diagnostic| files(vec![diagnostic]))?;
    let loaded = world::open(&scene, None, &|path| vfs.read(path)).map_err(files)?.on(isa()?);
    let warnings = [resolved.warnings, loaded.warnings.clone()].concat();
    messages::warnings(&warnings, &[], args.strict, surroundings)?;
    let graph = loaded.graph(number).clone();
    let until = Tick::from_seconds(args.until.unwrap_or_else(|| scripted_s(&scene, number, &graph)));
    let joint = match &args.joint[..] {
        [] => None,
        [one] => Some(one.as_str()),
        _ => return Err(Failure::usage("--joint takes one joint for an animator")),
    };
    // What happens between two moments has one of its own.
    let last = loaded.glances(number, &[until], joint).map_err(files)?.remove(0);
    let events: Vec<(Tick, u16)> = last.heard.iter().filter_map(|heard| Some((heard.at, heard.clip?))).collect();
    let times = animator_moments(until, &events);
    let glances = loaded.glances(number, &times, joint).map_err(files)?;
    let plot = AnimatorPlot {
        name: &scene.animators[number].name,
        file: &file_name(&args.model),
        graph: &graph,
        times: &times,
        glances: &glances,
        events: &events,
        joint,
    };
    let svg = plot::animator(&plot);
    Ok(Chart { svg, of: ("animator", scene.animators[number].name.clone()) })
}

/// The animator that is named, else the only one.
fn chosen(args: &PlotArgs, scene: &Scene) -> Result<usize, Failure> {
    let names: Vec<String> = scene.animators.iter().map(|animator| animator.name.clone()).collect();
    match (&args.animator, &names[..]) {
        (Some(name), _) => names.iter().position(|own| own == name).ok_or_else(|| unknown("animator", name, &names)),
        (None, [_]) => Ok(0),
        (None, []) => Err(Failure::usage(format!("{}: the scene has no animators", args.model.display()))),
        (None, _) => {
            let help = format!("--animator must be one of {}", names.join(", "));
            Err(Failure::Usage("choose an animator".into(), Some(help)))
        }
    }
}
