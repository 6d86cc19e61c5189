//! `adapters`: what can draw on this machine.

use clap::Args as ClapArgs;
use serde_json::json;
use stillframe_base::lanes::Isa;

use super::status::Failure;
use super::{Surroundings, json as words, stdout};
use crate::render;

/// List the adapters of this machine
#[derive(ClapArgs, Debug)]
#[command(after_help = "\
Examples:
  stillframe adapters
  stillframe adapters --json

The `--adapter` flag of other commands takes `soft`, `native`, or `native:`
followed by a part of an adapter's name.")]
pub struct AdaptersArgs {}

pub fn run(_: &AdaptersArgs, surroundings: &Surroundings) -> Result<(), Failure> {
    let levels: Vec<&str> = Isa::available().iter().map(|isa| isa.name()).collect();
    let contract = stillframe_soft::PIXEL_CONTRACT;
    let chosen = super::isa()?.name();
    let native = render::adapters();
    if surroundings.json.is_some() {
        let native = native.iter().map(|(name, driver)| json!({ "name": name, "driver": driver }));
        let document = words::document(
            "adapters/1",
            json!({
                "soft": { "name": "stillframe-soft", "contract": contract, "isa_levels": levels, "isa": chosen },
                "native": native.collect::<Vec<_>>(),
            }),
        );
        return stdout::line(&format!("{document:#}"));
    }
    stdout::line(&format!(
        "soft    stillframe-soft  contract {contract}, isa {chosen} (this machine runs {})",
        levels.join(", ")
    ))?;
    native.iter().try_for_each(|(name, driver)| stdout::line(&format!("native  {name}  {driver}")))
}
