//! Told: two files' pictures laid on each other, layer by layer or frame by frame, and what there is to say of each.

use std::path::Path;

use serde_json::{Value, json};
use stillframe_base::par::Pool;
use stillframe_frames::compare::{CompareOptions, Comparison, FlipOptions, Where, flip, heat_picture, in_one_form};
use stillframe_frames::{Animation, Exact, NamedPicture, Picture, PngError, difference_picture};

use super::limits::Limits;
use super::open::{Opened, open};
use super::{DiffArgs, MetricWord};
use crate::cli::status::Failure;

/// What the comparison of one layer or frame came to.
pub struct Told {
    layer: String,
    /// Of an animation: its number from 0. `None` also for what is said of the animation as a whole.
    frame: Option<usize>,
    comparison: Option<Comparison>,
    /// Why there is none, or what differs beside the pixels.
    unlike: Option<String>,
    /// Whether it is the same, or near enough.
    within: bool,
    /// What shows the difference: kept for the first that differs.
    pub picture: Option<Picture>,
    /// Old and new, kept for a page of the first few that are not near enough.
    pair: Option<Box<[Picture; 2]>>,
}

/// Layers or frames of two files whose pictures are kept for a page.
const KEPT_MAX: usize = 8;

impl Told {
    fn unlike(layer: &str, frame: Option<usize>, words: String) -> Told {
        Told {
            layer: layer.to_string(),
            frame,
            comparison: None,
            unlike: Some(words),
            within: false,
            picture: None,
            pair: None,
        }
    }

    pub fn is_same(&self) -> bool {
        self.unlike.is_none() && self.comparison.as_ref().is_some_and(Comparison::is_same)
    }

    /// Whether it is the same, or differs within the limits.
    pub fn is_within(&self) -> bool {
        self.unlike.is_none() && self.within
    }

    pub fn has_figures(&self) -> bool {
        self.comparison.is_some()
    }

    /// What differs beside the pixels, or why they cannot be compared.
    pub fn words(&self) -> Option<&str> {
        self.unlike.as_deref()
    }

    pub fn pair(&self) -> Option<&[Picture; 2]> {
        self.pair.as_deref()
    }

    /// Which layer or frame it is; empty where a file has one.
    pub fn place(&self) -> String {
        self.frame.map_or_else(|| self.layer.clone(), |frame| format!("frame {frame}"))
    }

    /// Lines for people; none where nothing differs beyond the limits.
    pub fn lines(&self) -> Vec<String> {
        let place = match self.place() {
            place if place.is_empty() => place,
            place => format!("{place}: "),
        };
        let differing = self.comparison.as_ref().filter(|_| !self.within);
        let said = self.unlike.iter().cloned().chain(differing.map(figures));
        said.map(|words| format!("{place}{words}")).collect()
    }

    pub fn json(&self) -> Value {
        json!({
            "layer": self.layer, "frame": self.frame, "unlike": self.unlike, "within": self.is_within(),
            "comparison": self.comparison,
        })
    }
}

/// Pictures that somebody asked for.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Wanted {
    /// What shows the first difference.
    pub difference: bool,
    /// Old and new, for a page, which shows their difference itself.
    pub pairs: bool,
}

/// Every layer, or every frame, of both files.
pub fn compare_files(
    args: &DiffArgs,
    old_file: &Path,
    new_file: &Path,
    wanted: Wanted,
    pool: &Pool,
) -> Result<Vec<Told>, Failure> {
    let bench = Bench { metric: args.metric, limits: args.limits, wanted, pool };
    // Unpacking is most of the work, and each file is unpacked by itself.
    let files = [old_file, new_file];
    let mut opened = pool.map(2, |index| open(files[index])).into_iter();
    let mut next = || opened.next().expect("one for each file");
    match (next()?, next()?) {
        (Opened::Layers(old), Opened::Layers(new)) => bench.layers(args.layer.as_deref(), [&old, &new], files),
        (old, new) => {
            if args.layer.is_some() {
                return Err(Failure::usage("`--layer` chooses a layer of EXR files, and an animation has none"));
            }
            let (old, new) = (Film::of(old, old_file)?, Film::of(new, new_file)?);
            bench.films(&old, &new)
        }
    }
}

/// What all comparisons of a command have in common.
struct Bench<'a> {
    metric: MetricWord,
    limits: Limits,
    wanted: Wanted,
    pool: &'a Pool,
}

/// What is kept of one comparison.
#[derive(Clone, Copy, Debug)]
struct Kept {
    difference: bool,
    pair: bool,
}

impl Bench<'_> {
    fn layers(
        &self,
        wanted: Option<&str>,
        [old, new]: [&[NamedPicture]; 2],
        [old_file, new_file]: [&Path; 2],
    ) -> Result<Vec<Told>, Failure> {
        let is_wanted = |layer: &&NamedPicture| wanted.is_none_or(|wanted| *wanted == layer.name);
        let alone =
            |layer: &NamedPicture, file: &Path| Told::unlike(&layer.name, None, format!("only in {}", file.display()));
        let mut all: Vec<Told> = Vec::new();
        for layer in old.iter().filter(is_wanted) {
            let kept = self.kept(&all);
            all.push(match new.iter().find(|other| other.name == layer.name) {
                Some(other) => Told { layer: layer.name.clone(), ..self.compare(&layer.picture, &other.picture, kept) },
                None => alone(layer, old_file),
            });
        }
        let is_new = |layer: &&NamedPicture| is_wanted(layer) && old.iter().all(|other| other.name != layer.name);
        all.extend(new.iter().filter(is_new).map(|layer| alone(layer, new_file)));
        if all.is_empty() {
            let names: Vec<&str> = old.iter().map(|layer| layer.name.as_str()).collect();
            let help = Some(format!("{} holds: {}", old_file.display(), names.join(", ")));
            return Err(Failure::Usage(format!("no layer `{}`", wanted.unwrap_or_default()), help));
        }
        Ok(all)
    }

    /// Frames beside each other as far as both files have them, then what holds for the animations as a whole.
    fn films(&self, old: &Film<'_>, new: &Film<'_>) -> Result<Vec<Told>, Failure> {
        let mut all: Vec<Told> = Vec::new();
        let mut pairs = old.frames().zip(new.frames()).enumerate();
        let several = old.frame_count() > 1 && new.frame_count() > 1;
        pairs.try_for_each(|(frame, (old_picture, new_picture))| -> Result<(), Failure> {
            let trouble = |film: &Film<'_>, error: PngError| {
                Failure::usage(format!("{}: frame {frame}: {error}", film.file.display()))
            };
            let old_picture = old_picture.map_err(|error| trouble(old, error))?;
            let new_picture = new_picture.map_err(|error| trouble(new, error))?;
            let kept = self.kept(&all);
            let mut told = Told { frame: Some(frame), ..self.compare(&old_picture, &new_picture, kept) };
            // What is shown alone is shown for ever.
            let delays = [old, new].map(|film| film.delay(frame));
            if let ([Some(before), Some(now)], true) = (delays, several)
                && before != now
            {
                let words = format!(
                    "shown for {}/{} s against {}/{} s",
                    before.numerator, before.denominator, now.numerator, now.denominator
                );
                told.unlike = Some(told.unlike.map_or(words.clone(), |first| format!("{first}; {words}")));
            }
            all.push(told);
            Ok(())
        })?;
        let mut of_all = |words: String| all.push(Told::unlike("", None, words));
        if old.frame_count() != new.frame_count() {
            of_all(format!("{} against {}", counted(old.frame_count()), counted(new.frame_count())));
        } else if several && old.play_count() != new.play_count() {
            of_all(format!("played {} against {}", times(old.play_count()), times(new.play_count())));
        }
        if old.has_still() || new.has_still() {
            let kept = self.kept(&all);
            let told = self.compare(&old.standing()?, &new.standing()?, kept);
            all.push(Told { layer: "still picture".into(), ..told });
        }
        Ok(all)
    }

    /// What is still to be kept after these.
    fn kept(&self, before: &[Told]) -> Kept {
        let pair_count = before.iter().filter(|told| told.pair.is_some()).count();
        let difference = self.wanted.difference && before.iter().all(|told| told.picture.is_none());
        Kept { difference, pair: self.wanted.pairs && pair_count < KEPT_MAX }
    }

    /// Equal is what has equal pixels, however they are stored.
    fn compare(&self, old: &Picture, new: &Picture, kept: Kept) -> Told {
        let [old, new] = &in_one_form(old, new);
        let pair = || kept.pair.then(|| Box::new([old.as_ref().clone(), new.as_ref().clone()]));
        let exact = match Exact::of(old, new) {
            Ok(exact) => exact,
            Err(error) => return Told { pair: pair(), ..Told::unlike("", None, error.to_string()) },
        };
        let asks_flip = self.metric == MetricWord::Flip || self.limits.flip.is_some();
        let options = CompareOptions { flip: asks_flip.then(FlipOptions::default) };
        let comparison = Comparison::of_exact(old, new, &exact, &options, self.pool);
        let within = self.limits.hold(old, new, &comparison);
        let picture = (kept.difference && !comparison.is_same()).then(|| self.picture(old, new, &exact));
        let pair = if within { None } else { pair() };
        Told { layer: String::new(), frame: None, comparison: Some(comparison), unlike: None, within, picture, pair }
    }

    /// The heat of FLIP where that was asked for, else how far each pixel is off.
    fn picture(&self, old: &Picture, new: &Picture, exact: &Exact) -> Picture {
        let map = match self.metric {
            MetricWord::Flip => flip(old, new, &FlipOptions::default(), Where::Differing(exact), self.pool).ok(),
            MetricWord::Exact => None,
        };
        match map {
            Some(map) => heat_picture(&map),
            None => difference_picture(&stillframe_frames::Differences::of(old, new).expect("compared before")),
        }
    }
}

/// A file as a list of frames. A still picture is one of them.
struct Film<'a> {
    file: &'a Path,
    shown: Shown,
}

enum Shown {
    Still(Picture),
    Frames(Box<Animation>),
}

impl<'a> Film<'a> {
    fn of(opened: Opened, file: &'a Path) -> Result<Film<'a>, Failure> {
        let shown = match opened {
            Opened::Animation(animation) => Shown::Frames(animation),
            Opened::Layers(mut layers) if layers.len() == 1 => Shown::Still(layers.remove(0).picture),
            Opened::Layers(layers) => {
                let message = format!("{} has {} layers, and an animation has one", file.display(), layers.len());
                return Err(Failure::usage(message));
            }
        };
        Ok(Film { file, shown })
    }

    fn frame_count(&self) -> usize {
        match &self.shown {
            Shown::Still(_) => 1,
            Shown::Frames(animation) => animation.frame_count(),
        }
    }

    fn frames(&self) -> Box<dyn Iterator<Item = Result<Picture, PngError>> + '_> {
        match &self.shown {
            Shown::Still(picture) => Box::new(std::iter::once(Ok(picture.clone()))),
            Shown::Frames(animation) => Box::new(animation.frames()),
        }
    }

    fn delay(&self, frame: usize) -> Option<stillframe_frames::Delay> {
        match &self.shown {
            Shown::Still(_) => None,
            Shown::Frames(animation) => Some(animation.delay(frame)),
        }
    }

    fn play_count(&self) -> u32 {
        match &self.shown {
            Shown::Still(_) => 0,
            Shown::Frames(animation) => animation.play_count(),
        }
    }

    fn has_still(&self) -> bool {
        matches!(&self.shown, Shown::Frames(animation) if animation.still().is_some())
    }

    /// What programs without animation show: a picture beside the frames, or the first frame.
    fn standing(&self) -> Result<Picture, Failure> {
        let found = match &self.shown {
            Shown::Still(picture) => Ok(picture.clone()),
            Shown::Frames(animation) => {
                animation.still().or_else(|| animation.frames().next()).expect("an animation has a frame")
            }
        };
        found.map_err(|error| Failure::usage(format!("{}: {error}", self.file.display())))
    }
}

fn counted(frame_count: usize) -> String {
    if frame_count == 1 { "1 frame".into() } else { format!("{frame_count} frames") }
}

fn times(play_count: u32) -> String {
    match play_count {
        0 => "for ever".into(),
        1 => "once".into(),
        count => format!("{count} times"),
    }
}

fn figures(found: &Comparison) -> String {
    let mut out = format!(
        "{} of {} px differ ({:.2} %)",
        found.differing_pixel_count,
        found.pixel_count,
        found.differing_share * 100.0
    );
    out += &match found.format.ends_with("32f") {
        true => format!(", max {:e}", found.delta_max),
        false => format!(", max {}/{}", found.delta_max, found.full_scale),
    };
    if found.ulp_max > 0 {
        out += &format!(" ({} ulp)", found.ulp_max);
    }
    out += &format!(", class {}", found.classes);
    if let Some(sign) = found.sign {
        out += &format!(", {}", sign.name());
    }
    if let Some(bounds) = found.bounds {
        out += &format!(", box {},{} {},{}", bounds.left_px, bounds.top_px, bounds.right_px, bounds.bottom_px);
    }
    if let Some(flip) = &found.flip {
        out += &format!(", FLIP mean {:.6}", flip.mean);
    }
    out
}
