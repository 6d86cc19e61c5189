//! Moments: parts, events and markers that a scene gives to clips must lie within what the file has.

use stillframe_base::tick::{TICKS_PER_SECOND, Tick};

use crate::import::Model;
use crate::scene::{ClipChoice, ClipHome, Moment, Scene, SceneClip};
use crate::source::Diagnostic;
use crate::world::code;
use crate::world::files::Files;

/// This far beyond the end is the end: people round seconds to three places.
const ROUNDED: Tick = Tick(TICKS_PER_SECOND / 1000);

/// Complains of what is beyond the end of a clip, in files that could be read.
pub fn check(scene: &Scene, files: &Files) -> Vec<Diagnostic> {
    let mut out = Vec::new();
    for own in &scene.clips {
        let (length, file) = match &own.home {
            ClipHome::Model(of, choice) => {
                let file = &scene.models[*of].file;
                (files.models.get(file).and_then(|model| length_of(model, choice)), file)
            }
            ClipHome::File(file) => (files.clips.get(file).map(|clip| clip.clip().duration()), file),
        };
        let Some(length) = length else { continue };
        out.extend(beyond(own, length).map(|words| {
            let message = format!("clip {:?}: {words}", own.name);
            let help = format!("the file's clip lasts {} s", length.seconds());
            Diagnostic::error(code::BEYOND_CLIP, file, message).help(help)
        }));
    }
    out
}

/// How long a clip of a model is; none where there is no such clip.
fn length_of(model: &Model, choice: &ClipChoice) -> Option<Tick> {
    let clip = match choice {
        ClipChoice::Named(name) => model.clips.iter().find(|clip| clip.name == *name),
        ClipChoice::Number(number) => model.clips.get(*number),
        ClipChoice::None | ClipChoice::All => None,
    };
    clip.map(|clip| Tick(clip.end.0.saturating_sub(clip.start.0).max(0)))
}

/// Everything that lies beyond a clip's end, in words.
fn beyond(own: &SceneClip, length: Tick) -> impl Iterator<Item = String> {
    let [start, end] = own.part_s.map(|part| part.map(Tick::from_seconds));
    let start_of = start.unwrap_or(Tick::ZERO);
    let part = Tick(end.unwrap_or(length).min(length).0.saturating_sub(start_of.0));
    let mut out = Vec::new();
    if start_of >= length && start_of > Tick::ZERO {
        out.push(format!("`start_s` is {}, but the clip lasts {} s", start_of.seconds(), length.seconds()));
    } else if end.is_some_and(|end| end > length + ROUNDED) {
        let end = end.unwrap_or(length);
        out.push(format!("`end_s` is {}, but the clip lasts {} s", end.seconds(), length.seconds()));
    } else {
        let mut note = |what: &str, name: &str, moment: &Moment| match moment {
            Moment::Seconds(seconds) if Tick::from_seconds(*seconds) > part + ROUNDED => {
                out.push(format!("{what} {name:?} is at {seconds} s, but the clip plays for {} s", part.seconds()));
            }
            _ => {}
        };
        for event in &own.events {
            note("event", &event.name, &event.at);
            event.until.iter().for_each(|until| note("the end of event", &event.name, until));
        }
        own.markers.iter().for_each(|marker| note("marker", &marker.name, &marker.at));
    }
    out.into_iter()
}
