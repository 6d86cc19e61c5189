//! What the crate computes, to the bit: the same at every instruction set of this machine, and what `digest/table.txt` has from others. A
//! difference is a change of results: look at what has changed and why before the table is made anew by
//! `cargo run -p stillframe-anim --example digest >crates/anim/tests/digest/table.txt`.

#[path = "compress/clips.rs"]
mod clips;
#[path = "digest/mod.rs"]
mod digest;

use digest::{SYSTEMS, line, world::World};
use stillframe_base::lanes::Isa;

const TABLE: &str = include_str!("digest/table.txt");

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
