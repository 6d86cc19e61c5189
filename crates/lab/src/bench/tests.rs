//! The table's own: names, results that are the same everywhere, figures of a made-up clock.

use std::cell::Cell;
use std::collections::BTreeSet;

use stillframe_base::lanes::Isa;

use super::*;

#[test]
fn names_are_paths_and_each_is_one() {
    let names: BTreeSet<&str> = CASES.iter().map(|case| case.name).collect();
    assert_eq!(names.len(), CASES.len());
    for case in CASES {
        let letter = |c: char| c.is_ascii_lowercase() || c.is_ascii_digit() || "/_".contains(c);
        assert!(case.name.contains('/') && case.name.chars().all(letter), "{}", case.name);
        assert!(!case.does.is_empty() && !case.unit.name().is_empty(), "{}", case.name);
    }
    assert!(cases("skin").count() >= 9 && cases("anim").count() >= 15 && cases("none").count() == 0);
}

/// Every case at every instruction set and with two threads: finite, and to the same bits.
#[test]
fn results_are_the_same_everywhere() {
    // A million vertices take a test too long; `stillframe bench` looks at them before it times them.
    let quick = |case: &&Case| !case.name.starts_with("machine") && !case.name.ends_with("/1m");
    for case in CASES.iter().filter(quick) {
        let mut wanted = None;
        let isas = if case.by_isa { Isa::available() } else { vec![Isa::detect()] };
        for isa in isas {
            for threads in if case.by_threads { vec![1, 2] } else { vec![1] } {
                let found = (case.prepare)(Setting { isa, threads }).check();
                let found = found.unwrap_or_else(|why| panic!("{} at {isa}: {why}", case.name));
                assert_eq!(*wanted.get_or_insert(found), found, "{} at {isa}, {threads} threads", case.name);
            }
        }
    }
}

#[test]
fn figures_are_time_over_amount() {
    // A clock that goes on by three milliseconds whenever it is read: a sample of n calls takes one.
    let now = Cell::new(0);
    let clock = || {
        now.set(now.get() + 3_000_000);
        now.get()
    };
    let ready = || Ready::new(1000, [1.0_f32], |_| {}, |numbers| numbers);
    let figures = measure(&mut [ready(), ready()], Unit::NsPer("thing"), 5, &clock);
    assert_eq!(figures, [Figure { median: 3000.0, spread: 0.0, min: 3000.0, samples: 5 }; 2]);
    let figures = measure(&mut [ready()], Unit::GbPerS, 3, &clock);
    assert_eq!(figures[0].median, 1000.0 / 3e6);
    assert!(ready().check().is_ok());
    assert!(Ready::new(1, [f32::NAN], |_| {}, |numbers| numbers).check().is_err());
    assert!(Ready::new(1, [0.0], |_| {}, |numbers| numbers).check().is_err());
}
