//! What people may type: the flags of every command, and one row a command.

use std::path::PathBuf;

use clap::{Parser, Subcommand};

use super::status::Failure;
use super::values::When;
use super::{
    Surroundings, accept, adapters, anim, bench, bisect, check, completions, diff, doctor, fuzz, hash, init, inspect,
    list, log, man, material, mutate, pending, reject, render, report, repro, review, shrink, store, test,
};

/// Render scenes and models to pictures, bit for bit the same on every machine. Needs no window, no GPU and no
/// driver
#[derive(Parser, Debug)]
#[command(name = "stillframe", version, max_term_width = 80, subcommand_required = true)]
#[command(arg_required_else_help = true, disable_help_subcommand = true)]
#[command(after_help = "\
Examples:
  stillframe render model.glb                framed and lit, into model.png
  stillframe render scene.toml -o picture.png
  stillframe hash scene.toml                 the hash of the pixels
  stillframe inspect model.glb               what the file holds
  stillframe init && stillframe test         image tests: every scene is one
  stillframe COMMAND --help                  everything that a command can do

Exit status:
    0  success
    1  pictures differ, or a check found something
    2  bad usage or a bad input file
    3  crash, timeout or internal error
    4  no test matched
    5  references are missing, extra or pending
    6  nondeterminism
    7  the adapter is not available, or did not make the reference
    8  environment: disk full, no permission
  101  a bug in stillframe
  130  interrupted")]
pub struct Args {
    #[command(subcommand)]
    pub command: Command,
    /// Hide progress; warnings and errors are still printed
    #[arg(short, long, global = true, help_heading = "Messages")]
    pub quiet: bool,
    /// Print each step and how long it took
    #[arg(short, long, global = true, help_heading = "Messages", conflicts_with = "quiet")]
    pub verbose: bool,
    /// Print JSON, one object per line, including diagnostics
    // The value is that of `bench --json FILE`, which replaces this one there; elsewhere it is a dash.
    #[arg(long, global = true, help_heading = "Messages", num_args = 0, default_missing_value = "-")]
    pub json: Option<PathBuf>,
    /// Colour messages. auto: on a terminal, unless NO_COLOR is set
    #[arg(long, global = true, value_name = "WHEN", default_value = "auto", help_heading = "Messages")]
    pub color: When,
}

/// A command is a row: its name, its flags, and who runs it.
macro_rules! commands {
    ($($name:ident($flags:ty) => $run:path,)*) => {
        #[derive(Subcommand, Debug)]
        pub enum Command {
            $($name(Box<$flags>),)*
        }

        impl Command {
            pub fn run(self, surroundings: &Surroundings) -> Result<(), Failure> {
                match self {
                    $(Command::$name(flags) => $run(&flags, surroundings),)*
                }
            }
        }
    };
}

commands! {
    Render(render::RenderArgs) => render::run,
    Hash(hash::HashArgs) => hash::run,
    Inspect(inspect::InspectArgs) => inspect::run,
    Material(material::MaterialArgs) => material::run,
    Anim(anim::AnimArgs) => anim::run,
    Check(check::CheckArgs) => check::run,
    Adapters(adapters::AdaptersArgs) => adapters::run,
    Init(init::InitArgs) => init::run,
    List(list::ListArgs) => list::run,
    Test(test::TestArgs) => test::run,
    Accept(accept::AcceptArgs) => accept::run,
    Reject(reject::RejectArgs) => reject::run,
    Pending(pending::PendingArgs) => pending::run,
    Review(review::ReviewArgs) => review::run,
    Report(report::ReportArgs) => report::run,
    Diff(diff::DiffArgs) => diff::run,
    Bisect(bisect::BisectArgs) => bisect::run,
    Shrink(shrink::ShrinkArgs) => shrink::run,
    Mutate(mutate::MutateArgs) => mutate::run,
    Log(log::LogArgs) => log::run,
    Store(store::StoreArgs) => store::run,
    Repro(repro::ReproArgs) => repro::run,
    Doctor(doctor::DoctorArgs) => doctor::run,
    Fuzz(fuzz::FuzzArgs) => fuzz::run,
    Bench(bench::BenchArgs) => bench::run,
    Completions(completions::CompletionsArgs) => completions::run,
    Man(man::ManArgs) => man::run,
}
