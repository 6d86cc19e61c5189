//! Moments: parts, events and markers that a scene gives to clips must lie within what the file has.

use stillframe_base::tick::{TICKS_PER_SECOND, Tick};

use crate::import::Model;
use crate::scene::{ClipChoice, ClipHome, Moment, Owner, Scene, SceneClip};
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
        out.extend(beyond(own, length).map(|Beyond { words, key, name }| {
            let owner = Owner { kind: "clip", name: &own.name };
            let help = format!("the file's clip lasts {} s", length.seconds());
            let error = Diagnostic::error(code::BEYOND_CLIP, file, format!("{owner}: {words}")).help(help);
            scene.written.at(owner, &[key], name, error)
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

/// Something beyond a clip's end.
struct Beyond<'a> {
    words: String,
    /// Under which it is written.
    key: &'static str,
    /// Of an event or a marker.
    name: &'a str,
}

/// Everything that lies beyond a clip's end.
fn beyond(own: &SceneClip, length: Tick) -> impl Iterator<Item = Beyond<'_>> {
    let [start, end] = own.part_s.map(|part| part.map(Tick::from_seconds));
    let start_of = start.unwrap_or(Tick::ZERO);
    let part = Tick(end.unwrap_or(length).min(length).0.saturating_sub(start_of.0));
    let mut out = Vec::new();
    if start_of >= length && start_of > Tick::ZERO {
        let words = format!("`start_s` is {}, but the clip lasts {} s", start_of.seconds(), length.seconds());
        out.push(Beyond { words, key: "start_s", name: "" });
    } else if end.is_some_and(|end| end > length + ROUNDED) {
        let end = end.unwrap_or(length);
        let words = format!("`end_s` is {}, but the clip lasts {} s", end.seconds(), length.seconds());
        out.push(Beyond { words, key: "end_s", name: "" });
    } else {
        let mut moments: Vec<(&str, &'static str, &str, &Moment)> = Vec::new();
        for event in &own.events {
            moments.push(("event", "event", &event.name, &event.at));
            moments.extend(event.until.iter().map(|until| ("the end of event", "event", event.name.as_str(), until)));
        }
        moments.extend(own.markers.iter().map(|own| ("marker", "marker", own.name.as_str(), &own.at)));
        for (what, key, name, moment) in moments {
            if let Moment::Seconds(seconds) = moment
                && Tick::from_seconds(*seconds) > part + ROUNDED
            {
                let plays_s = part.seconds();
                let words = format!("{what} {name:?} is at {seconds} s, but the clip plays for {plays_s} s");
                out.push(Beyond { words, key, name });
            }
        }
    }
    out.into_iter()
}
