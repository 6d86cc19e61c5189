//! Place: where pictures go.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use super::discover::Input;
use super::form::Form;
use super::status::Failure;

/// Where the pictures of one input go.
#[derive(Clone, Debug, PartialEq)]
pub enum Place {
    Stdout,
    File(PathBuf),
    /// A file a frame.
    Numbered(Numbered),
}

/// `name.####.png`: the run of `#` is the frame's number, with zeros in front.
#[derive(Clone, Debug, PartialEq)]
pub struct Numbered {
    folder: PathBuf,
    before: String,
    digits: usize,
    after: String,
}

impl Numbered {
    /// The last run of `#` in the name of `path`; `None` where there is none.
    fn of(path: &Path) -> Option<Numbered> {
        let name = path.file_name()?.to_str()?;
        let end = name.rfind('#')? + 1;
        let start = name[..end].trim_end_matches('#').len();
        Some(Numbered {
            folder: path.parent().unwrap_or(Path::new("")).to_path_buf(),
            before: name[..start].to_string(),
            digits: end - start,
            after: name[end..].to_string(),
        })
    }

    pub fn file(&self, frame: i32) -> PathBuf {
        let sign = if frame < 0 { "-" } else { "" };
        let number = format!("{sign}{:0width$}", frame.unsigned_abs(), width = self.digits);
        self.folder.join(format!("{}{number}{}", self.before, self.after))
    }
}

impl Place {
    /// Where a view's pictures go: its name stands before the ending, and before the number of a frame.
    pub fn of_view(&self, name: &str) -> Place {
        let is_plain = |c: char| c.is_alphanumeric() || matches!(c, '_' | '-' | '.');
        let name: String = name.chars().map(|c| if is_plain(c) { c } else { '_' }).collect();
        match self {
            Place::Stdout => Place::Stdout,
            Place::File(path) => {
                let ending = path.extension().map(|ending| format!(".{}", ending.to_string_lossy()));
                let stem = path.file_stem().unwrap_or_default().to_string_lossy().into_owned();
                Place::File(path.with_file_name(format!("{stem}.{name}{}", ending.unwrap_or_default())))
            }
            Place::Numbered(numbered) => {
                let before = format!("{}.{name}.", numbered.before.trim_end_matches('.'));
                Place::Numbered(Numbered { before, ..numbered.clone() })
            }
        }
    }
}

/// What people asked for.
#[derive(Clone, Copy, Debug)]
pub struct Wish<'a> {
    pub output: Option<&'a Path>,
    pub format: Option<Form>,
    /// All inputs and frames become one picture.
    pub sheet: bool,
    /// Frames of every input; `None`: no frames were asked for.
    pub frame_count: Option<usize>,
}

/// What is written, and where the pictures of each input go; of a sheet there is one place.
///
/// Errors: places that do not fit what was asked for, or that two inputs would share.
pub fn places(wish: &Wish<'_>, inputs: &[Input]) -> Result<(Form, Vec<Place>), Failure> {
    let count = if wish.sheet { 1 } else { inputs.len() };
    match wish.output {
        Some(path) if path == Path::new("-") => {
            let form = wish.format.unwrap_or(Form::Png);
            let whole = wish.sheet || form.is_film();
            let several = count > 1 || (!whole && wish.frame_count.is_some_and(|count| count > 1));
            // Players take one PNG after the other; nothing takes the others so.
            if several && form != Form::Png {
                let help = "name a folder (`-o DIR/`) or a file with a number (`-o name.####.exr`)".to_string();
                let message = format!("standard output can hold only one .{} file", form.word());
                return Err(Failure::Usage(message, Some(help)));
            }
            Ok((form, vec![Place::Stdout; count]))
        }
        Some(path) if !is_folder(path) => {
            let form = Form::of(path)?;
            if wish.format.is_some_and(|wanted| wanted != form) {
                let wanted = wish.format.map_or("", Form::word);
                return Err(Failure::usage(format!("`--format {wanted}` and `{}` disagree", path.display())));
            }
            if count > 1 {
                let help = Some("name a folder: `-o DIR/`".to_string());
                return Err(Failure::Usage(format!("cannot write {count} inputs to one file"), help));
            }
            Ok((form, vec![place(path.to_path_buf(), form, wish)?]))
        }
        folder => {
            let form = wish.format.unwrap_or(Form::Png);
            let folder = folder.unwrap_or(Path::new(""));
            if wish.sheet {
                return Ok((form, vec![Place::File(folder.join("sheet").with_extension(form.word()))]));
            }
            let numbered = wish.frame_count.is_some() && !form.is_film();
            let places = names(inputs)?.into_iter().map(|name| {
                let number = if numbered { ".####" } else { "" };
                place(folder.join(format!("{name}{number}.{}", form.word())), form, wish)
            });
            Ok((form, places.collect::<Result<_, _>>()?))
        }
    }
}

/// Whether pictures go into `path` rather than over it.
fn is_folder(path: &Path) -> bool {
    let text = path.as_os_str().to_string_lossy();
    path.is_dir() || text.ends_with('/') || text.ends_with(std::path::MAIN_SEPARATOR)
}

fn place(path: PathBuf, form: Form, wish: &Wish<'_>) -> Result<Place, Failure> {
    let Some(count) = wish.frame_count.filter(|_| !form.is_film() && !wish.sheet) else {
        return Ok(Place::File(path));
    };
    match Numbered::of(&path) {
        Some(numbered) => Ok(Place::Numbered(numbered)),
        None if count == 1 => Ok(Place::File(path)),
        None => {
            let stem = path.with_extension("");
            let help = format!("add the frame number: `-o {}.####.{}`", stem.display(), form.word());
            Err(Failure::Usage(format!("cannot write {count} frames to `{}`", path.display()), Some(help)))
        }
    }
}

/// A name for the pictures of each input, below the folder they go into: its own without the ending, with it where two
/// would be the same.
fn names(inputs: &[Input]) -> Result<Vec<String>, Failure> {
    let stems: Vec<String> = inputs.iter().map(|input| without_ending(&input.short).to_string()).collect();
    let mut counts: BTreeMap<&str, usize> = BTreeMap::new();
    stems.iter().for_each(|stem| *counts.entry(stem).or_default() += 1);
    let names: Vec<String> = inputs
        .iter()
        .zip(&stems)
        .map(|(input, stem)| if counts[stem.as_str()] > 1 { input.short.clone() } else { stem.clone() })
        .collect();
    for (index, name) in names.iter().enumerate() {
        if let Some(other) = names[..index].iter().position(|other| other == name) {
            let message =
                format!("`{}` and `{}` would be written to the same file", inputs[other].name, inputs[index].name);
            return Err(Failure::Usage(message, Some("render them separately, with `-o`".into())));
        }
    }
    Ok(names)
}

fn without_ending(name: &str) -> &str {
    let start = name.rfind('/').map_or(0, |at| at + 1);
    match name[start..].rfind('.') {
        Some(at) if at > 0 => &name[..start + at],
        _ => name,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn inputs(names: &[&str]) -> Vec<Input> {
        let short = |name: &str| name.rsplit('/').next().unwrap_or(name).to_string();
        names.iter().map(|name| Input { name: name.to_string(), short: short(name), path: name.into() }).collect()
    }

    const PLAIN: Wish<'_> = Wish { output: None, format: None, sheet: false, frame_count: None };

    fn files(wish: Wish<'_>, names: &[&str]) -> Result<Vec<String>, String> {
        let (_, places) = places(&wish, &inputs(names)).map_err(|failure| format!("{failure:?}"))?;
        let text = |place: &Place| match place {
            Place::Stdout => "-".to_string(),
            Place::File(path) => path.display().to_string(),
            Place::Numbered(numbered) => numbered.file(-7).display().to_string(),
        };
        Ok(places.iter().map(text).collect())
    }

    #[test]
    fn names_are_made_from_inputs() {
        let to = |output| Wish { output: Some(Path::new(output)), ..PLAIN };
        for (wish, names, want) in [
            (PLAIN, vec!["scenes/a.toml"], vec!["a.png"]),
            (PLAIN, vec!["a.glb", "b.toml"], vec!["a.png", "b.png"]),
            (PLAIN, vec!["a.glb", "a.fbx", "b.x.toml"], vec!["a.glb.png", "a.fbx.png", "b.x.png"]),
            (to("out/"), vec!["a.glb", "b.glb"], vec!["out/a.png", "out/b.png"]),
            (Wish { format: Some(Form::Exr), ..to("out/") }, vec!["a.glb"], vec!["out/a.exr"]),
            (Wish { frame_count: Some(9), ..PLAIN }, vec!["a.glb"], vec!["a.-0007.png"]),
            (Wish { frame_count: Some(9), format: Some(Form::Apng), ..PLAIN }, vec!["a.glb"], vec!["a.apng"]),
            (Wish { frame_count: Some(9), ..to("x/f_##.png") }, vec!["a.glb"], vec!["x/f_-07.png"]),
            (Wish { frame_count: Some(1), ..to("x.png") }, vec!["a.glb"], vec!["x.png"]),
            (to("f_##.png"), vec!["a.glb"], vec!["f_##.png"]),
            (Wish { sheet: true, ..to("s.png") }, vec!["a.glb", "b.glb"], vec!["s.png"]),
            (Wish { sheet: true, ..PLAIN }, vec!["a.glb", "b.glb"], vec!["sheet.png"]),
            (Wish { frame_count: Some(9), ..to("-") }, vec!["a.glb"], vec!["-"]),
        ] {
            assert_eq!(files(wish, &names), Ok(want.iter().map(|w| w.to_string()).collect()), "{wish:?}");
        }
    }

    #[test]
    fn what_does_not_fit_says_what_to_do() {
        let to = |output| Wish { output: Some(Path::new(output)), ..PLAIN };
        for (wish, names, part) in [
            (to("x.png"), vec!["a.glb", "b.glb"], "-o DIR/"),
            (to("x.bmp"), vec!["a.glb"], ".png"),
            (Wish { frame_count: Some(9), ..to("x.png") }, vec!["a.glb"], "-o x.####.png"),
            (Wish { format: Some(Form::Exr), ..to("x.png") }, vec!["a.glb"], "disagree"),
            (Wish { format: Some(Form::Exr), frame_count: Some(2), ..to("-") }, vec!["a.glb"], "one .exr file"),
            (PLAIN, vec!["x/a.toml", "y/a.toml"], "the same file"),
        ] {
            let got = files(wish, &names).expect_err("an error");
            assert!(got.contains(part), "{wish:?}: {got}");
        }
    }
}
