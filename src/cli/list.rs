//! `list`: the cases of the project.

use super::status::{self, Failure};
use super::{Surroundings, json as words, messages, project, stdout, test};
use clap::Args as ClapArgs;

/// List the cases of the project: every picture that `test` compares
#[derive(ClapArgs, Debug)]
#[command(after_help = "\
Examples:
  stillframe list
  stillframe list shadow 'light/*' tag:slow
  stillframe list --json")]
pub struct ListArgs {
    /// Select cases by a part of their name, a glob (`shadow/*`), `=NAME`, `re:EXPRESSION` or `tag:WORD`. A case
    /// that matches any of them is selected
    pub filter: Vec<String>,
}

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
        messages::diagnostics(&mistakes, &[], surroundings);
        return Err(Failure::Several(status::USAGE));
    }
    if found.is_empty() { Err(Failure::Several(status::NO_TESTS)) } else { Ok(()) }
}
