//! `list`: the cases of the project.

use super::args::ListArgs;
use super::status::{self, Failure};
use super::{Surroundings, json as words, project, report, stdout, test};

pub fn run(args: &ListArgs, surroundings: &Surroundings) -> Result<(), Failure> {
    let project = project::project()?;
    let listed = project::cases(&project)?;
    let found = test::names(&listed, &project::filters(&args.filter)?);
    let mistakes: Vec<_> = listed.iter().flat_map(|scene| scene.mistakes.clone()).collect();
    for row in &found {
        if surroundings.json.is_some() {
            words::line("list/1", row.clone(), surroundings)?;
        } else {
            stdout::line(row["name"].as_str().unwrap_or_default())?;
        }
    }
    if !mistakes.is_empty() {
        report::diagnostics(&mistakes, &[], surroundings);
        return Err(Failure::Several(status::USAGE));
    }
    if found.is_empty() { Err(Failure::Several(status::NO_TESTS)) } else { Ok(()) }
}
