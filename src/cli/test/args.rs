//! What people may type after `test`.

use clap::{Args as ClapArgs, ValueEnum};
use std::path::PathBuf;

use crate::cli::values::{adapter, timeout};
use crate::take::AdapterChoice;

/// Render the project's cases and compare them with their references
#[derive(ClapArgs, Debug)]
#[command(after_help = "\
Examples:
  stillframe test
  stillframe test shadow 'light/*[samples=4]' tag:slow
  stillframe test --last-failed
  stillframe test --only-changed=origin/main
  stillframe test --partition hash:2/4 --report github --report junit=junit.xml
  stillframe test --via all                     by every other route, too
  stillframe test --identical-to origin/main    no pass of any case changed

What fails is looked at with `stillframe review` and settled with `stillframe accept` or `reject`.
The last line reads `N passed, N failed, N skipped`; cases whose inputs are those of an earlier run count as skipped.

Exit status: 0 all well, 1 pictures differ, 2 bad usage or a bad scene, 3 crash or timeout, 4 no test matched,
5 references missing or extra, 6 nondeterminism, 7 not the reference's adapter, 8 environment. Several at once: 3, 6, 7, 1, 5.")]
pub struct TestArgs {
    /// Parts of names, globs (`shadow/*`), `=NAME`, `re:EXPRESSION`, `tag:WORD`; any may match
    pub filter: Vec<String>,

    /// Only this part of the cases: slice:2/4, hash:2/4, or auto for what CI, Kubernetes or Slurm say
    #[arg(long, value_name = "PART", help_heading = "Which")]
    pub partition: Option<String>,
    /// Only what failed in the last run
    #[arg(long, help_heading = "Which")]
    pub last_failed: bool,
    /// Only what files that differ from a commit can reach
    #[arg(long, value_name = "REF", help_heading = "Which", require_equals = true)]
    pub only_changed: Option<String>,
    /// What it means that no test matched
    #[arg(long, value_name = "WHAT", default_value = "fail", help_heading = "Which")]
    pub no_tests: NoTests,

    /// Processes that render [default: one a core]
    #[arg(short, long, value_name = "N", help_heading = "How", value_parser = clap::value_parser!(u32).range(1..=256))]
    pub jobs: Option<u32>,
    /// Seconds that a case may take [default: the project's]
    #[arg(long, value_name = "S", help_heading = "How", value_parser = timeout)]
    pub timeout: Option<f64>,
    /// Begin nothing more after so many failures
    #[arg(long, value_name = "N", help_heading = "How", value_parser = clap::value_parser!(u32).range(1..))]
    pub max_failures: Option<u32>,
    /// Begin nothing more after the first failure
    #[arg(long, help_heading = "How", conflicts_with = "max_failures")]
    pub fail_fast: bool,
    /// Go on after failures; it is so anyway
    #[arg(long, help_heading = "How", conflicts_with = "fail_fast", hide = true)]
    pub no_fail_fast: bool,
    /// Render everything anew; what earlier runs found out must be the same
    #[arg(long, help_heading = "How")]
    pub no_cache: bool,
    /// soft, native, or native:PART of an adapter's name
    #[arg(long, value_name = "WHICH", help_heading = "How", default_value = "soft", value_parser = adapter)]
    pub adapter: AdapterChoice,
    /// How closely passes are looked at: a hash a pass, one a draw, or not at all
    #[arg(long, value_name = "WHAT", help_heading = "How", default_value = "passes")]
    pub capture: LookWord,

    /// Render each case so often; all must be equal
    #[arg(long, value_name = "N", help_heading = "More to ask", default_value = "1", value_parser = clap::value_parser!(u32).range(1..=1_000_000))]
    pub repeat_each: u32,
    /// Render each case again with one thread and in reverse order
    #[arg(long, help_heading = "More to ask")]
    pub audit: bool,
    /// Render each case by all other routes: threads, order, instruction sets, the scene printed and read again
    #[arg(long, value_name = "WHICH", help_heading = "More to ask")]
    pub via: Option<Via>,

    /// Prove that no picture and no pass of any case differs from what a commit's references say
    #[arg(long, value_name = "REF", help_heading = "More to ask")]
    pub identical_to: Option<String>,

    /// Old pictures that no store holds: drawn again by another build of stillframe, or from the scenes of a commit; one counts only where
    /// it has the reference's hash
    #[arg(long, value_name = "REF|PROGRAM", help_heading = "More to know")]
    pub base: Option<String>,
    /// Write html=PATH, junit=PATH or json=PATH; github: annotations and step summary
    #[arg(long, value_name = "WHAT", help_heading = "More to know", value_parser = ReportWish::parse)]
    pub report: Vec<ReportWish>,

    /// Plant a fault, to see what the report makes of it
    #[arg(long, value_name = "NAME", help_heading = "More to ask")]
    pub fault: Option<String>,

    /// Be a process that renders
    #[arg(long, hide = true)]
    pub worker: bool,
}

/// A report that was asked for.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ReportWish {
    Html(PathBuf),
    Junit(PathBuf),
    Json(PathBuf),
    Github,
}

impl ReportWish {
    fn parse(text: &str) -> Result<ReportWish, String> {
        match text.split_once('=') {
            None if text == "github" => Ok(ReportWish::Github),
            Some(("html", path)) if !path.is_empty() => Ok(ReportWish::Html(path.into())),
            Some(("junit", path)) if !path.is_empty() => Ok(ReportWish::Junit(path.into())),
            Some(("json", path)) if !path.is_empty() => Ok(ReportWish::Json(path.into())),
            _ => Err("html=PATH, junit=PATH, json=PATH or github".into()),
        }
    }
}

#[derive(ValueEnum, Clone, Copy, Debug, PartialEq, Eq)]
pub enum NoTests {
    Fail,
    Pass,
}

#[derive(ValueEnum, Clone, Copy, Debug, PartialEq, Eq)]
pub enum Via {
    All,
}

#[derive(ValueEnum, Clone, Copy, Debug, PartialEq, Eq)]
pub enum LookWord {
    Passes,
    Draws,
    Off,
}
