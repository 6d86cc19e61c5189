//! What people may type after `test`.

use clap::{Args as ClapArgs, ValueEnum};
use std::path::PathBuf;

use crate::cli::values::{adapter, one_of, timeout};
use crate::harness::Via;
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
  stillframe test --via all                  also by every other route
  stillframe test --identical-to origin/main no pass of any case has changed

Look at failures with `stillframe review`. Decide with `stillframe accept` or
`stillframe reject`.

The last line is `N passed, N failed, N skipped`, then `N new` and `N moved` if
there are any. A case with the inputs of an earlier run is `unchanged`: it
passes without being rendered. Skipped are cases after --max-failures.

Exit status:
    0  success
    1  pictures differ
    2  bad usage or a bad scene
    3  crash or timeout
    4  no test matched
    5  references are missing, extra or moved
    6  nondeterminism
    7  another adapter made the reference
    8  environment: disk full, no permission, store does not respond
If several apply, the first of 3, 6, 7, 8, 2, 1, 5 counts.")]
pub struct TestArgs {
    /// Select cases by a part of their name, a glob (`shadow/*`), `=NAME`, `re:EXPRESSION` or `tag:WORD`. A case
    /// that matches any of them is selected
    pub filter: Vec<String>,

    /// Run one part of the cases: slice:2/4, hash:2/4, or auto to read it from CI, Kubernetes or Slurm
    #[arg(long, value_name = "PART", help_heading = "Selection")]
    pub partition: Option<String>,
    /// Run only the cases that failed in the last run
    #[arg(long, help_heading = "Selection")]
    pub last_failed: bool,
    /// Run only the cases that depend on files changed since a commit
    #[arg(long, value_name = "REF", help_heading = "Selection", require_equals = true)]
    pub only_changed: Option<String>,
    /// Result if no case matches
    #[arg(long, value_name = "WHAT", default_value = "fail", help_heading = "Selection")]
    pub no_tests: NoTests,

    /// Number of rendering processes [default: one per core]
    #[arg(short, long, value_name = "N", help_heading = "Execution", value_parser = clap::value_parser!(u32).range(1..=256))]
    pub jobs: Option<u32>,
    /// Seconds that a case may take [default: the project's]
    #[arg(long, value_name = "S", help_heading = "Execution", value_parser = timeout)]
    pub timeout: Option<f64>,
    /// Start no more cases after N failures
    #[arg(long, value_name = "N", help_heading = "Execution", value_parser = clap::value_parser!(u32).range(1..))]
    pub max_failures: Option<u32>,
    /// Start no more cases after the first failure
    #[arg(long, help_heading = "Execution", conflicts_with = "max_failures")]
    pub fail_fast: bool,
    /// Continue after failures, as by default
    #[arg(long, help_heading = "Execution", conflicts_with = "fail_fast", hide = true)]
    pub no_fail_fast: bool,
    /// Ignore cached results; pictures must still match those of earlier runs
    #[arg(long, help_heading = "Execution")]
    pub no_cache: bool,
    /// Adapter: soft, native, or native:PART of an adapter's name
    #[arg(long, value_name = "WHICH", help_heading = "Execution", default_value = "soft", value_parser = adapter)]
    pub adapter: AdapterChoice,
    /// Hash every pass, every draw, or neither
    #[arg(long, value_name = "WHAT", help_heading = "Execution", default_value = "passes")]
    pub capture: LookWord,

    /// Render each case N times; all must be equal
    #[arg(long, value_name = "N", help_heading = "Further checks", default_value = "1", value_parser = clap::value_parser!(u32).range(1..=1_000_000))]
    pub repeat_each: u32,
    /// Render each case again with one thread and in reverse order
    #[arg(long, help_heading = "Further checks")]
    pub audit: bool,
    /// Also render each case by other routes, or by all of them. Every picture must be the same
    #[arg(long, value_name = "WHICH", value_delimiter = ',', help_heading = "Further checks", value_parser = one_of(Via::WORDS))]
    pub via: Vec<Via>,

    /// Treat warnings about scenes and models as errors
    #[arg(long, help_heading = "Further checks")]
    pub strict: bool,

    /// Check that no picture and no pass differs from the references of a commit
    #[arg(long, value_name = "REF", help_heading = "Further checks")]
    pub identical_to: Option<String>,

    /// Render missing old pictures with another build of stillframe, or from the scenes of a commit. A picture
    /// counts only if it has the reference's hash
    #[arg(long, value_name = "REF|PROGRAM", help_heading = "Reports")]
    pub base: Option<String>,
    /// Write a report: html=PATH, junit=PATH or json=PATH. github: annotations and step summary. Can be repeated
    #[arg(long, value_name = "WHAT", help_heading = "Reports", value_parser = ReportWish::parse)]
    pub report: Vec<ReportWish>,

    /// Plant a fault, to see how it is reported
    #[arg(long, value_name = "NAME", help_heading = "Further checks")]
    pub fault: Option<String>,

    /// Run as a rendering process
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
            _ => Err("expected html=PATH, junit=PATH, json=PATH or github".into()),
        }
    }
}

#[derive(ValueEnum, Clone, Copy, Debug, PartialEq, Eq)]
pub enum NoTests {
    Fail,
    Pass,
}

#[derive(ValueEnum, Clone, Copy, Debug, PartialEq, Eq)]
pub enum LookWord {
    Passes,
    Draws,
    Off,
}
