//! `doctor`: whether this machine draws what every other one draws.

use clap::Args as ClapArgs;
use serde_json::json;
use stillframe_base::lanes::Isa;

use super::status::{self, Failure};
use super::{Surroundings, json as words, stdout};
use crate::harness::examine;

/// Render built-in scenes by every available route and compare with built-in hashes
#[derive(ClapArgs, Debug)]
#[command(after_help = "\
Examples:
  stillframe doctor
  stillframe doctor --json

Exit status: 0 all pictures are right, 1 some picture is wrong.")]
pub struct DoctorArgs {}

pub fn run(_: &DoctorArgs, surroundings: &Surroundings) -> Result<(), Failure> {
    let cores = std::thread::available_parallelism().map_or(1, |count| count.get());
    let mut ways: Vec<(Isa, usize)> = Isa::available().into_iter().map(|isa| (isa, 1)).collect();
    let best = Isa::detect();
    ways.extend([(best, cores.max(2)), (best, 8)]);
    ways.dedup();
    let mut well = true;
    for (isa, threads) in ways {
        let found = examine(isa, threads).map_err(Failure::Fault)?;
        well &= found.wrong.is_empty();
        if surroundings.json.is_some() {
            let fields = json!({
                "contract": stillframe_soft::PIXEL_CONTRACT, "isa": isa.name(), "threads": threads,
                "scenes": found.count, "wrong": found.wrong,
            });
            words::line("doctor/1", fields, surroundings)?;
        } else {
            let equal = found.count - found.wrong.len();
            stdout::line(&format!("{:<8} {threads} threads: {equal} of {} scenes are right", isa.name(), found.count))?;
            found.wrong.iter().take(5).try_for_each(|name| stdout::line(&format!("   wrong: {name}")))?;
        }
    }
    if surroundings.json.is_none() {
        let word = if well {
            "this machine draws what every other one draws"
        } else {
            "this machine draws something else: please report it"
        };
        stdout::line(&format!("{word} (pixel contract {})", stillframe_soft::PIXEL_CONTRACT))?;
    }
    if well { Ok(()) } else { Err(Failure::Several(status::FINDING)) }
}
