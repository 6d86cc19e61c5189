//! `render`: a scene or a model becomes a picture.

use std::io::IsTerminal;
use std::path::{Path, PathBuf};

use stillframe_frames::{Picture, PngEffort, encode_npy, encode_png, write_file};

use super::args::RenderArgs;
use super::stats::Stats;
use super::status::Failure;
use super::{Surroundings, shot, stdout};
use crate::scene::Aov;
use crate::take::for_looking;

/// Where the picture goes.
#[derive(Debug, PartialEq)]
enum Out {
    Stdout,
    Png(PathBuf),
    Npy(PathBuf),
}

pub fn run(args: &RenderArgs, surroundings: &Surroundings) -> Result<(), Failure> {
    if args.sheet.is_some() {
        return Err(Failure::not_yet("`--sheet`"));
    }
    let aovs = shot::aovs(&args.shot)?;
    let out = out(args.output.as_deref(), &args.input)?;
    let aov = match aovs[..] {
        [aov] => aov,
        _ => {
            let help = "write one at a time; several go into one .exr file, which is not yet supported";
            return Err(Failure::Usage("a .png or .npy file holds one picture".into(), Some(help.into())));
        }
    };
    if out == Out::Stdout && args.dump.is_none() && std::io::stdout().is_terminal() {
        let help = "write `-o - > picture.png`, or name a file".to_string();
        return Err(Failure::Usage("a picture is not for the terminal".into(), Some(help)));
    }
    let resolved = shot::scene(&args.input, &args.shot)?;
    let bits = match &out {
        Out::Npy(_) => 32,
        _ => args.shot.bits as u8,
    };
    let settings = shot::settings(&args.shot, aovs, bits, args.dump);
    let name = args.input.display().to_string();
    let (taken, stats) = shot::timed_take(&name, &resolved, &settings, &args.shot.edits, surroundings)?;
    if let Some(text) = &taken.dump {
        return stdout::write(text.as_bytes());
    }
    let Some((_, picture)) = taken.pictures.first() else {
        return Err(Failure::Fault("no picture came of it".into()));
    };
    let written_bytes = bytes(aov, picture, &out)?;
    let mut all = Stats::new(surroundings.start);
    all.takes.push(stats);
    match &out {
        Out::Stdout => stdout::write(&written_bytes)?,
        Out::Png(path) | Out::Npy(path) => {
            write_file(path, &written_bytes).map_err(|error| Failure::of_write(path, &error))?;
        }
    }
    if args.hash {
        let line = super::hash::line(picture, &name);
        match out {
            // Standard output holds the picture.
            Out::Stdout => super::report::note(&line),
            _ => stdout::line(&line)?,
        }
    }
    all.write(args.shot.stats.as_deref())
}

fn out(asked: Option<&Path>, input: &Path) -> Result<Out, Failure> {
    let path = match asked {
        Some(path) if path == Path::new("-") => return Ok(Out::Stdout),
        Some(path) => path.to_path_buf(),
        None => PathBuf::from(input.file_name().unwrap_or_default()).with_extension("png"),
    };
    let ending = path.extension().map(|e| e.to_string_lossy().to_lowercase()).unwrap_or_default();
    match ending.as_str() {
        "png" => Ok(Out::Png(path)),
        "npy" => Ok(Out::Npy(path)),
        "exr" => Err(Failure::not_yet("writing .exr files")),
        "apng" => Err(Failure::not_yet("writing .apng files")),
        _ => {
            let message = format!("`{}`: pictures are .png or .npy files", path.display());
            Err(Failure::Usage(message, Some("end the name with .png, or use `-o -` for standard output".into())))
        }
    }
}

fn bytes(aov: Aov, picture: &Picture, out: &Out) -> Result<Vec<u8>, Failure> {
    match out {
        Out::Npy(_) => Ok(encode_npy(picture)),
        Out::Png(_) | Out::Stdout => {
            let png = match aov {
                Aov::Color => encode_png(picture, PngEffort::Fast),
                _ => encode_png(&for_looking(aov, picture), PngEffort::Fast),
            };
            png.map_err(|error| Failure::Fault(error.to_string()))
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_ending_says_what_is_written() {
        let input = Path::new("scenes/a.toml");
        let of = |name: &str| out(Some(Path::new(name)), input).map_err(|f| f.status());
        assert_eq!(of("-"), Ok(Out::Stdout));
        assert_eq!(of("x/b.PNG"), Ok(Out::Png("x/b.PNG".into())));
        assert_eq!(of("b.npy"), Ok(Out::Npy("b.npy".into())));
        assert_eq!(out(None, input).map_err(|f| f.status()), Ok(Out::Png("a.png".into())));
        for name in ["b.exr", "b.apng", "b.jpg", "b", ""] {
            assert_eq!(of(name), Err(2), "{name}");
        }
    }
}
