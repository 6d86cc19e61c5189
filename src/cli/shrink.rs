//! `shrink`: a case's scene as small as can be while it still fails.

use clap::{Args as ClapArgs, ValueEnum};
use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, ExitStatus, Stdio};
use std::time::Duration;

use serde_json::json;

use super::progress::Count;
use super::status::Failure;
use super::values::{adapter, timeout};
use super::{Surroundings, bisect, interrupt, json as words, mutate, project, stderr, stdout};
use crate::harness::{Ask, Judge, Look, Project, Question, Shrunk, Subject, shrink};
use crate::source::count;
use crate::take::AdapterChoice;

/// Make a failing case's scene as small as possible while it still fails
#[derive(ClapArgs, Debug)]
#[command(after_help = "\
Examples:
  stillframe shrink shadow/cascade --against ../old/stillframe
  stillframe shrink shadow/cascade --fault shadow-bias-zero
  stillframe shrink shadow/cascade --while panics
  stillframe shrink shadow/cascade --while native-differs

Removes nodes, lights, cameras, materials, models, key frames and single values,
and halves the number of pixels, as long as the scene still fails. The small
scene becomes a test next to the old one.

Exit status: 0 the small scene was written, 2 the scene does not fail.")]
pub struct ShrinkArgs {
    /// Name of the case
    pub name: String,
    /// How the scene must still fail
    #[arg(long = "while", value_name = "WHAT", default_value = "differs")]
    pub what: ShrinkWhile,
    /// Build of stillframe whose picture must differ. With another --while, the build to run instead of this one
    #[arg(long, value_name = "PROGRAM")]
    pub against: Option<PathBuf>,
    /// Planted fault that must change the picture
    #[arg(long, value_name = "NAME", conflicts_with = "against")]
    pub fault: Option<String>,
    /// File of your own faults [default: the built-in ones]
    #[arg(long, value_name = "FILE", requires = "fault")]
    pub faults: Option<PathBuf>,
    /// Adapter for `native-differs`: native, or native:PART of its name
    #[arg(long, value_name = "WHICH", default_value = "native", value_parser = adapter)]
    pub adapter: AdapterChoice,
    /// Stop after this many seconds and keep the smallest scene so far
    #[arg(long, value_name = "S", default_value = "60", value_parser = timeout)]
    pub time_limit: f64,
    /// Output file [default: next to the old scene, with `_shrunk` in its name]
    #[arg(short, long, value_name = "FILE")]
    pub output: Option<PathBuf>,
}

/// What a shrunk scene must go on doing.
#[derive(ValueEnum, Clone, Copy, Debug, PartialEq, Eq)]
pub enum ShrinkWhile {
    /// Another build, or a planted fault, gives another picture
    Differs,
    /// Another thread count or order gives another picture
    Nondet,
    /// The program panics or is killed by a signal
    Panics,
    /// A native adapter gives another picture, beyond the scene's tolerance
    NativeDiffers,
}

/// Who decides whether a scene still fails.
enum Asked {
    /// This program, here.
    Here(Ask),
    /// Another program draws another picture than this one.
    Differs(PathBuf),
    /// A program draws other pictures with other threads.
    Unsteady(PathBuf),
    Panics(PathBuf),
}

pub fn run(args: &ShrinkArgs, surroundings: &Surroundings) -> Result<(), Failure> {
    interrupt::watch(&surroundings.unfinished);
    let project = project::project()?;
    let piece = bisect::piece(&project, &args.name)?;
    let asked = asked(args)?;
    let output = output(args, &project, &piece.scene)?;
    let deadline_ms = surroundings.elapsed_ms() + args.time_limit * 1000.0;
    let (before, shrunk, subject) = project::with_judge(&project, Look::Off, surroundings, |judge| {
        let folder = output.parent().expect("a file is in a folder").to_path_buf();
        let subject = judge.subject(&piece, folder)?;
        let progress = Count::start("tries", 0, surroundings);
        let mut questioner =
            Questioner { judge, subject: &subject, asked: &asked, surroundings, deadline_ms, progress };
        if !questioner.holds(&subject.text) {
            return Err(format!("{} does not {}: nothing to shrink", args.name, verb(args)));
        }
        let shrunk = shrink(&subject.text, &mut questioner);
        questioner.progress.end();
        Ok((sizes(&subject.text), shrunk, subject))
    })?;
    let title = format!("The smallest scene found that still does what {} does: {}", args.name, verb(args));
    let test = format!("\n[test]\nwhy = {}\naov = [\"{}\"]\n", json!(title), subject.aov);
    let text = format!("{}\n{test}", shrunk.text.trim());
    surroundings.unfinished.write(&output, text.as_bytes()).map_err(|error| Failure::of_write(&output, &error))?;
    tell(&project, &output, before, &shrunk, surroundings)
}

fn verb(args: &ShrinkArgs) -> String {
    let against = args.against.as_ref().map_or(String::new(), |program| format!(" {}", program.display()));
    match (args.what, &args.fault) {
        (ShrinkWhile::Differs, Some(fault)) => format!("differ with the fault {fault}"),
        (ShrinkWhile::Differs, None) => format!("differ from what{against} draws"),
        (ShrinkWhile::Nondet, _) => "draw several pictures".into(),
        (ShrinkWhile::Panics, _) => "panic".into(),
        (ShrinkWhile::NativeDiffers, _) => "differ on a native adapter".into(),
    }
}

fn asked(args: &ShrinkArgs) -> Result<Asked, Failure> {
    let program = args.against.as_ref().map(|path| {
        path.canonicalize().map_err(|error| Failure::usage(format!("{} cannot be run: {error}", path.display())))
    });
    let own = || std::env::current_exe().map_err(|error| Failure::Environment(format!("this program: {error}")));
    Ok(match (args.what, program.transpose()?, &args.fault) {
        (ShrinkWhile::Differs, _, Some(name)) => {
            let faults = mutate::faults(args.faults.as_deref(), std::slice::from_ref(name))?;
            Asked::Here(Ask::Fault(Box::new(faults.into_iter().next().expect("unknown names are errors"))))
        }
        (ShrinkWhile::Differs, Some(program), None) => Asked::Differs(program),
        (ShrinkWhile::Differs, None, None) => {
            let help = "add `--against PROGRAM` (another build of stillframe) or `--fault NAME`".to_string();
            return Err(Failure::Usage("`--while differs` needs something to differ from".into(), Some(help)));
        }
        (_, _, Some(_)) => return Err(Failure::usage("`--fault` needs `--while differs`")),
        (ShrinkWhile::Nondet, None, _) => Asked::Here(Ask::Unsteady),
        (ShrinkWhile::Nondet, Some(program), _) => Asked::Unsteady(program),
        (ShrinkWhile::Panics, program, _) => Asked::Panics(program.map_or_else(own, Ok)?),
        (ShrinkWhile::NativeDiffers, Some(_), _) => {
            return Err(Failure::usage("`--against` cannot be used with `--while native-differs`"));
        }
        (ShrinkWhile::NativeDiffers, None, _) => match &args.adapter {
            AdapterChoice::Native(part) => Asked::Here(Ask::Native(part.clone().unwrap_or_default())),
            AdapterChoice::Soft => return Err(Failure::usage("`--while native-differs` needs a native adapter")),
        },
    })
}

/// Where the small scene goes: into a folder that is there, below the project's.
fn output(args: &ShrinkArgs, project: &Project, scene: &str) -> Result<PathBuf, Failure> {
    let old = project.root.join(scene);
    let file = match &args.output {
        Some(path) => path.clone(),
        None => {
            let stem = old.file_stem().unwrap_or_default().to_string_lossy();
            let file = old.with_file_name(format!("{stem}_shrunk.toml"));
            if file.exists() {
                let help = "remove it, or name another with `-o FILE`".to_string();
                return Err(Failure::Usage(format!("{} already exists", project.name_of(&file)), Some(help)));
            }
            file
        }
    };
    let parent = file.parent().filter(|parent| !parent.as_os_str().is_empty()).unwrap_or(Path::new("."));
    let folder = parent
        .canonicalize()
        .map_err(|error| Failure::Environment(format!("{} cannot be read: {error}", parent.display())))?;
    let root = project.root.canonicalize().unwrap_or_else(|_| project.root.clone());
    if !folder.starts_with(&root) {
        return Err(Failure::usage(format!("{} is outside the project", file.display())));
    }
    // The project's own name of the folder, in case a link leads to it.
    let inside = folder.strip_prefix(&root).expect("just looked at");
    let name = file.file_name().ok_or_else(|| Failure::usage(format!("{} is not a file", file.display())))?;
    Ok(project.root.join(inside).join(name))
}

struct Questioner<'a, 'b> {
    judge: &'a mut Judge<'b>,
    subject: &'a Subject,
    asked: &'a Asked,
    surroundings: &'a Surroundings,
    deadline_ms: f64,
    progress: Count,
}

impl Question for Questioner<'_, '_> {
    fn holds(&mut self, text: &str) -> bool {
        self.progress.step(0);
        match self.asked {
            Asked::Here(ask) => self.judge.answer(self.subject, text, ask),
            Asked::Differs(program) => {
                let Some(own) = self.judge.hash_of(self.subject, text) else { return false };
                self.hash_by(program, text, &[]).is_some_and(|other| other != own.to_string())
            }
            Asked::Unsteady(program) => {
                let hash = |threads: &str| self.hash_by(program, text, &["--threads", threads]);
                matches!((hash("1"), hash("2")), (Some(one), Some(two)) if one != two)
            }
            Asked::Panics(program) => {
                self.ask(program, text, &[]).is_some_and(|(status, _)| status.code().is_none_or(|code| code == 101))
            }
        }
    }

    fn has_time(&mut self) -> bool {
        self.surroundings.elapsed_ms() < self.deadline_ms
    }
}

impl Questioner<'_, '_> {
    /// The pixel hash that a program prints; `None`: it has no picture.
    fn hash_by(&self, program: &Path, text: &str, more: &[&str]) -> Option<String> {
        let (status, told) = self.ask(program, text, more)?;
        status.success().then(|| told.split_whitespace().next().unwrap_or_default().to_string())
    }

    /// What `PROGRAM hash -` makes of a scene, and says; `None`: it could not be run, or time is up.
    fn ask(&self, program: &Path, text: &str, more: &[&str]) -> Option<(ExitStatus, String)> {
        let folder = &self.subject.folder;
        let mut command = Command::new(program);
        command.args(["hash", "-", "--from", "toml", "--aov", &self.subject.aov.to_string()]).args(more);
        command.current_dir(folder).stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::null());
        let mut child = command.spawn().ok()?;
        let mut input = child.stdin.take()?;
        // A program that ends before reading everything has answered, too.
        let _ = input.write_all(text.as_bytes());
        drop(input);
        let status = self.wait(&mut child)?;
        let told = std::io::read_to_string(child.stdout.take()?).unwrap_or_default();
        Some((status, told))
    }

    fn wait(&self, child: &mut Child) -> Option<ExitStatus> {
        loop {
            if let Some(status) = child.try_wait().ok()? {
                return Some(status);
            }
            if self.surroundings.elapsed_ms() > self.deadline_ms {
                let _ = child.kill();
                let _ = child.wait();
                return None;
            }
            std::thread::sleep(Duration::from_millis(1));
        }
    }
}

/// How much there is in a scene.
#[derive(Clone, Copy, Debug, serde::Serialize)]
struct Sizes {
    nodes: usize,
    lights: usize,
    lines: usize,
}

fn sizes(text: &str) -> Sizes {
    let count = |heading: &str| text.lines().filter(|line| line.trim() == heading).count();
    let lines = text.lines().filter(|line| !line.trim().is_empty()).count();
    Sizes { nodes: count("[[node]]"), lights: count("[[light]]"), lines }
}

fn tell(
    project: &Project,
    output: &Path,
    before: Sizes,
    shrunk: &Shrunk,
    surroundings: &Surroundings,
) -> Result<(), Failure> {
    let (after, file) = (sizes(&shrunk.text), project.name_of(output));
    if surroundings.json.is_some() {
        let fields = json!({ "file": file, "before": before, "after": after, "tries": shrunk.tries, "smallest": shrunk.is_smallest });
        return words::line("shrink/1", fields, surroundings);
    }
    let of = |one: &str, many: &str, new: usize, old: usize| format!("{new} of {}", count(old, one, many));
    stdout::line(&format!(
        "wrote {file}: {}, {}, {}; {}",
        of("node", "nodes", after.nodes, before.nodes),
        of("light", "lights", after.lights, before.lights),
        of("line", "lines", after.lines, before.lines),
        match shrunk.tries {
            1 => "1 try".to_string(),
            tries => format!("{tries} tries"),
        }
    ))?;
    if !shrunk.is_smallest {
        stderr::note("stopped at the time limit; raise it with `--time-limit`");
    }
    Ok(())
}
