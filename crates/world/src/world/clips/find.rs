//! Find: which clip a name means, and how it comes to the model that plays it.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use stillframe_anim::figure::{FigureError, NameRules};
use stillframe_base::tick::Tick;

use super::Finder;
use crate::animate::{Borrowed, Lender, RigPart, Source, Unfit};
use crate::import::Model;
use crate::scene::{ClipChoice, ClipHome, ClipNaming, Owner, SceneClip};
use crate::source::{Diagnostic, near};
use crate::world::code;

/// Keys under which animators and crowds name clips.
const CLIP_KEYS: &[&str] = &["clip", "clips"];

/// So many names stand in a complaint.
const NAMED_MAX: usize = 4;

/// How clips that no `[[clip]]` names are found on another model.
static PLAIN: ClipNaming = ClipNaming { renames: Vec::new(), strip: Vec::new(), loose: false, retarget: false };

/// A clip that somebody wants to play.
#[derive(Clone, Copy)]
pub struct Wanted<'a> {
    /// For complaints.
    pub owner: Owner<'a>,
    /// The model of the scene that plays it.
    pub model: usize,
    /// Another one for levels of detail: the model whose clips they play.
    pub home: usize,
    pub name: &'a str,
}

/// A clip, and what the scene says of it.
pub struct Found<'a> {
    pub part: RigPart,
    pub facts: Option<&'a SceneClip>,
    /// The file that has it.
    pub file: &'a Path,
}

/// A clip in its file.
#[derive(Clone, Copy, PartialEq)]
pub enum Place<'a> {
    Model(&'a PathBuf, usize),
    File(&'a PathBuf),
}

/// The file of a clip, that of the model that borrows it, and what of the one the other lacks.
pub type Lack<'a> = (&'a PathBuf, &'a PathBuf, Vec<String>);

/// A clip, the file of the model that borrows it, and by which rules.
pub type BorrowedKey<'a> = (Place<'a>, &'a PathBuf, &'a ClipNaming);

impl<'a> Finder<'a> {
    /// A clip by the name that the scene gives it, else by that of the model's file; of a level of detail (`home` is
    /// another model) by that of its own file first, and last by that of `home`'s.
    pub fn find(&mut self, wanted: &Wanted<'_>) -> Option<Found<'a>> {
        let Wanted { owner, model: number, home, name } = *wanted;
        let scene = self.scene;
        let file = &scene.models[number].file;
        let declared = scene.clips.iter().find(|clip| clip.name == name);
        let is_own = declared.is_some_and(|clip| matches!(clip.home, ClipHome::Model(of, _) if of == number));
        let has = |file: &Path| {
            let model = self.files.models.get(file);
            model.is_some_and(|model| model.clips.iter().any(|clip| clip.name == *name))
        };
        let facts = declared.filter(|_| is_own || home == number || !has(file));
        let named = ClipChoice::Named(name.to_string());
        let place = match facts.map(|clip| &clip.home) {
            Some(ClipHome::File(file)) => Place::File(file),
            Some(ClipHome::Model(of, choice)) => self.place(owner, Some(name), (&scene.models[*of].file, choice))?,
            None if home != number && !has(file) && has(&scene.models[home].file) => {
                self.place(owner, None, (&scene.models[home].file, &named))?
            }
            None => self.place(owner, None, (file, &named))?,
        };
        let source = match place {
            Place::Model(of, clip) if of == file => Source::Own(clip),
            _ => {
                let naming = facts.map_or(&PLAIN, |clip| &clip.naming);
                Source::Borrowed(self.borrow(owner, name, (place, file, naming))?)
            }
        };
        let part = facts.map_or([None; 2], |clip| clip.part_s.map(|s| s.map(Tick::from_seconds)));
        let (Place::Model(of, _) | Place::File(of)) = place;
        Some(Found { part: (source, part), facts, file: of })
    }

    /// A clip of a model's file; none where that could not be read, which has been reported. `declared`: the name of
    /// the `[[clip]]` that says which.
    fn place(
        &mut self,
        owner: Owner<'_>,
        declared: Option<&str>,
        (file, choice): (&'a PathBuf, &ClipChoice),
    ) -> Option<Place<'a>> {
        let model = self.files.models.get(file)?;
        let at = match choice {
            ClipChoice::Named(name) => model.clips.iter().position(|clip| clip.name == *name),
            ClipChoice::Number(number) => Some(*number).filter(|number| *number < model.clips.len()),
            ClipChoice::None | ClipChoice::All => None,
        };
        if at.is_none() {
            let words = choice.words();
            let message = format!("{owner}: the file has no clip {words:?}");
            let of_scene = self.scene.clips.iter().map(|clip| clip.name.as_str()).filter(|name| *name != words);
            let names: Vec<&str> = of_scene.chain(model.clips.iter().map(|clip| clip.name.as_str())).collect();
            let help = match choice {
                ClipChoice::Number(_) if !model.clips.is_empty() => format!("its last is #{}", model.clips.len() - 1),
                _ => near(&words, &names),
            };
            let error = Diagnostic::error(code::MODEL_CLIP, file, message).help(help);
            let written = &self.scene.written;
            let error = match declared {
                Some(name) => {
                    let owner = Owner { kind: "clip", name };
                    written.at(owner, &["name"], &words, written.at(owner, &["source"], &words, error))
                }
                None => error,
            };
            self.errors.push(written.at(owner, CLIP_KEYS, &words, error));
        }
        Some(Place::Model(file, at?))
    }

    /// A clip of another file, each once by the same rules.
    fn borrow(&mut self, owner: Owner<'_>, name: &str, key: BorrowedKey<'a>) -> Option<Arc<Borrowed>> {
        if let Some((_, known)) = self.borrowed.iter().find(|(own, _)| *own == key) {
            return known.clone();
        }
        let (place, file, naming) = key;
        let model = self.files.models.get(file)?;
        let (of, lender) = match place {
            Place::Model(of, clip) => (of, Lender::of_model(self.files.models.get(of)?, clip)),
            Place::File(of) => (of, Lender::File(self.files.clips.get(of)?.clone())),
        };
        let own = file.file_name().unwrap_or_default().to_string_lossy();
        let what = format!("{owner}: clip {name:?}");
        let made = match Borrowed::new(lender, model, naming) {
            Ok((borrowed, unmet)) => {
                let lack = (of, file, unmet);
                if let (Some(first), false) = (lack.2.first(), self.lacks.contains(&lack)) {
                    let names = names_of(model);
                    let count = lack.2.len();
                    let message = format!("{what} moves {count} that `{own}` does not have: {}", listed(&lack.2));
                    let help = advice(naming, &lack.2, &names).unwrap_or_else(|| near(first, &strs(&names)));
                    self.warnings.push(Diagnostic::warning(code::CLIP_UNMET, of, message).help(help));
                    self.lacks.push(lack);
                }
                Some(Arc::new(borrowed))
            }
            Err(unfit) => {
                let renamed = match &unfit {
                    Unfit::From { name, .. } | Unfit::To { name, .. } => name.clone(),
                    _ => String::new(),
                };
                let (words, help) = told(unfit, naming, &own);
                let message = format!("{what} {words}");
                let mut error = Diagnostic::error(code::CLIP_NAMES, of, message).help(help);
                if !renamed.is_empty() {
                    error = self.scene.written.at(Owner { kind: "clip", name }, &["rename"], &renamed, error);
                }
                self.errors.push(self.scene.written.at(owner, CLIP_KEYS, name, error));
                None
            }
        };
        self.borrowed.push((key, made.clone()));
        made
    }
}

/// Nodes and shapes.
fn names_of(model: &Model) -> Vec<String> {
    let shapes = model.nodes.iter().flat_map(|node| &node.morphs).map(|channel| channel.name.clone());
    model.nodes.iter().map(|node| node.name.clone()).chain(shapes).collect()
}

fn strs(names: &[String]) -> Vec<&str> {
    names.iter().map(String::as_str).collect()
}

/// What is wrong, after the clip's name, and what to do.
fn told(unfit: Unfit, naming: &ClipNaming, own: &str) -> (String, String) {
    match unfit {
        Unfit::Nothing { moved, names } => {
            let words = format!("moves no joint of `{own}`: {}", listed(&moved));
            let help = advice(naming, &moved, &names).unwrap_or_else(|| {
                let nearest = moved.first().map_or(String::new(), |first| near(first, &strs(&names)));
                format!("{nearest}; map the names with `rename`")
            });
            (words, help)
        }
        Unfit::From { name, moved } => (format!("moves no joint or morph target {name:?}"), near(&name, &strs(&moved))),
        Unfit::To { name, names } => {
            (format!("would move {name:?}, which `{own}` does not have"), near(&name, &strs(&names)))
        }
        Unfit::Names(error) => {
            let help = match error {
                FigureError::Rule { .. } => "each joint must match one other",
                _ => "distinguish them with `rename`",
            };
            (format!("does not match `{own}`: {error}"), help.to_string())
        }
        Unfit::Joints(words) => (format!("cannot be matched by name: {words}"), "move fewer nodes".to_string()),
        Unfit::Mirrored { joint } => {
            let help = "export one of the two without mirroring";
            (format!("does not match `{own}`: {joint:?} is mirrored in one of the two"), help.to_string())
        }
    }
}

/// A rule by which names of both would meet.
fn advice(naming: &ClipNaming, moved: &[String], names: &[String]) -> Option<String> {
    let meet = |rules: &NameRules<'_>| {
        moved.iter().any(|moved| names.iter().any(|name| rules.key(name) == rules.key(moved) && name != moved))
    };
    // Of both sides: `mixamorig:Hips` may be the clip's, or the model's.
    let prefixes = moved.iter().chain(names).filter_map(|name| Some(&name[..=name.rfind([':', '|'])?]));
    let mut prefixes = prefixes.filter(|prefix| !naming.strip.iter().any(|own| own == prefix));
    if let Some(prefix) = prefixes.find(|prefix| meet(&NameRules { prefixes: &[prefix], ..NameRules::default() })) {
        return Some(format!("write `strip = [{prefix:?}]`"));
    }
    let loosely = !naming.loose && meet(&NameRules { loose: true, ..NameRules::default() });
    loosely.then(|| "write `loose_names = true`".to_string())
}

/// The first few, and how many more there are.
fn listed(names: &[String]) -> String {
    let first: Vec<String> = names.iter().take(NAMED_MAX).map(|name| format!("{name:?}")).collect();
    match names.len().saturating_sub(NAMED_MAX) {
        0 => first.join(", "),
        more => format!("{} and {more} more", first.join(", ")),
    }
}
