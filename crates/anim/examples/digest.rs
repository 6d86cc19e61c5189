//! Prints a hash of what each system computes, which is the same on every machine: those of
//! `tests/jobs/digest/table.txt`. Stops where two instruction sets of this machine differ. `cargo run -p
//! stillframe-anim --example digest`.

use std::process::ExitCode;

use stillframe_base::lanes::Isa;
use stillframe_testkit::digest;

fn main() -> ExitCode {
    let world = digest::world::World::new();
    let mut same = true;
    for &(name, system) in digest::SYSTEMS {
        let isas = Isa::available().into_iter();
        let digests: Vec<_> = isas.map(|isa| (isa, digest::digest(&world, system, isa))).collect();
        print!("{}", digest::line(name, digests[0].1));
        for (isa, digest) in digests.iter().filter(|(_, digest)| *digest != digests[0].1) {
            eprintln!("{name}: {isa} gives {digest}");
            same = false;
        }
    }
    if same { ExitCode::SUCCESS } else { ExitCode::FAILURE }
}
