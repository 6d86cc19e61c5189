//! `report`: runs as pages, and several runs as one.

use clap::{Args as ClapArgs, Subcommand};
use std::path::PathBuf;
use stillframe_frames::report as reports;
use stillframe_frames::run::{Run, RunFolder};

use super::status::{self, Failure};
use super::test::output as summary;
use super::{Surroundings, from, stderr, stdout};

/// Rebuild a run's report page, or merge runs from several machines
#[derive(ClapArgs, Debug)]
#[command(subcommand_required = true, arg_required_else_help = true, disable_help_subcommand = true)]
pub struct ReportArgs {
    #[command(subcommand)]
    pub command: ReportCommand,
}

#[derive(Subcommand, Debug)]
pub enum ReportCommand {
    /// Write the page of a run and print its path
    Show {
        /// Folder of a run, or a zip file of it [default: the last run]
        run: Option<PathBuf>,
        /// Output file [default: report.html in the run's folder]
        #[arg(short, long, value_name = "OUT")]
        output: Option<PathBuf>,
    },
    /// Merge the parts of a run from several machines
    #[command(after_help = "\
Examples:
  stillframe report merge stillframe-1 stillframe-2 -o report.html
  stillframe report merge artifacts/*.zip -o report.html

The merged run is next to the page. Review it with
`stillframe review --from FOLDER`. A missing or incomplete part is a failure.")]
    Merge {
        /// Folders or zip files of runs
        #[arg(required = true)]
        runs: Vec<PathBuf>,
        /// Output file
        #[arg(short, long, value_name = "OUT", default_value = "report.html")]
        output: PathBuf,
    },
}

pub fn run(args: &ReportArgs, _surroundings: &Surroundings) -> Result<(), Failure> {
    match &args.command {
        ReportCommand::Show { run, output } => {
            let source = match run {
                Some(run) if run.is_dir() => from::open_path(run)?.pop().expect("at least one"),
                other => from::open_here(other.as_deref())?.1,
            };
            let path = output.clone().unwrap_or_else(|| source.run.folder.join("report.html"));
            summary::write_page(&source.run, &path)?;
            stdout::line(&path.display().to_string())
        }
        ReportCommand::Merge { runs, output } => {
            let mut opened = Vec::new();
            for path in runs {
                opened.push(from::open_path(path)?);
            }
            let all: Vec<Run> =
                opened.iter().flat_map(|sources| sources.iter().map(|source| source.run.clone())).collect();
            let folder = output.with_extension("");
            std::fs::create_dir_all(&folder).map_err(|error| Failure::of_write(&folder, &error))?;
            let into = RunFolder::create(&folder).map_err(|error| Failure::of_write(&folder, &error))?;
            let merged = reports::merge(&all, &into).map_err(|error| Failure::of_write(&folder, &error))?;
            summary::write_page(&merged, output)?;
            let end = merged.end.clone().unwrap_or_default();
            stdout::line(&format!("run     {}", into.path().display()))?;
            stdout::line(&format!("report  {}", output.display()))?;
            for note in reports::verdict(&merged).notes {
                stderr::note(&note);
            }
            stdout::line(&end.tally.to_string())?;
            if end.exit_status == status::OK { Ok(()) } else { Err(Failure::Several(end.exit_status)) }
        }
    }
}
