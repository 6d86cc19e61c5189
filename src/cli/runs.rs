//! `report`: runs as pages, and several runs as one.

use super::args::{ReportArgs, ReportCommand};
use super::status::{self, Failure};
use super::test::told;
use super::{Surroundings, from, project, report, stdout};
use stillframe_frames::report as reports;
use stillframe_frames::run::{Run, RunFolder};

pub fn run(args: &ReportArgs, _surroundings: &Surroundings) -> Result<(), Failure> {
    match &args.command {
        ReportCommand::Show { run, output } => {
            let project = project::project()?;
            let source = from::open(&project, run.as_deref())?;
            let path = output.clone().unwrap_or_else(|| source.run.folder.join("report.html"));
            told::write_page(&source.run, &path)?;
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
            told::write_page(&merged, output)?;
            let end = merged.end.clone().unwrap_or_default();
            stdout::line(&format!("run     {}", into.path().display()))?;
            stdout::line(&format!("report  {}", output.display()))?;
            for note in reports::verdict(&merged).notes {
                report::note(&note);
            }
            stdout::line(&end.tally.to_string())?;
            if end.exit_status == status::OK { Ok(()) } else { Err(Failure::Several(end.exit_status)) }
        }
    }
}
