//! What the crate computes, to the bit: the same at every instruction set of this machine, and what `table.txt` has
//! from others. A difference is a change of results: look at what has changed and why before the table is made anew by
//! `cargo run -p stillframe-anim --example digest >crates/anim/tests/jobs/digest/table.txt`.

use stillframe_base::lanes::Isa;
use stillframe_testkit::digest::{self, SYSTEMS, line, world::World};

const TABLE: &str = include_str!("table.txt");

#[test]
fn results_are_those_of_the_table_at_every_instruction_set() {
    let world = World::new();
    let mut found = String::new();
    for &(name, system) in SYSTEMS {
        let digests = Isa::available().into_iter().map(|isa| (isa, digest::digest(&world, system, isa)));
        let digests: Vec<_> = digests.collect();
        for (isa, digest) in &digests {
            assert_eq!(*digest, digests[0].1, "{name}: {isa} and {}", digests[0].0);
        }
        found += &line(name, digests[0].1);
    }
    assert_eq!(found, TABLE, "the example `digest` prints the table anew");
}
