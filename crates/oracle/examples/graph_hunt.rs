//! Hunt: plays graph scripts of fresh seeds beside the model, and counts how many scripts each planted mistake lives.
//!
//! ```text
//! cargo run --release -p stillframe-oracle --example graph_hunt -- SEED COUNT      differences, made small
//! cargo run --release -p stillframe-oracle --example graph_hunt -- mistakes SEED COUNT
//! ```

use stillframe_base::rng::Rng;
use stillframe_oracle::Choices;
use stillframe_oracle::graph::{self, GRAPH_MISTAKES, GraphScript};

fn script(seed: u64, number: u64) -> GraphScript {
    graph::script(&mut Choices::Random(&mut Rng::new(seed).stream("graphs", number)))
}

/// What differs, without what it was.
fn kind(words: &str) -> &str {
    words.split_once('`').map_or(words, |(kind, _)| kind)
}

fn hunt(seed: u64, count: u64) {
    let mut found: Vec<String> = Vec::new();
    for number in 0..count {
        let script = script(seed, number);
        let Err(difference) = graph::check(&script, None) else { continue };
        let kind = kind(&difference.words).to_string();
        if found.contains(&kind) {
            continue;
        }
        let is_same =
            |script: &GraphScript| graph::check(script, None).is_err_and(|other| other.words.starts_with(&kind));
        let small = graph::shrink(&script, 4000, is_same);
        println!("{number}: {:?}\n{small:?}\n", graph::check(&small, None));
        found.push(kind);
    }
    println!("seed {seed}: {count} scripts, {} kinds of differences", found.len());
}

fn mistakes(seed: u64, count: u64) {
    const SCRIPTS_MAX: u64 = 2000;
    for (mistake, name, _) in GRAPH_MISTAKES {
        let until_found = |seed: u64| {
            let is_found = |number: &u64| graph::check(&script(seed, *number), Some(mistake)).is_err();
            (0..SCRIPTS_MAX).find(is_found).map_or(SCRIPTS_MAX, |number| number + 1)
        };
        let mut scripts: Vec<u64> = (seed..seed + count).map(until_found).collect();
        scripts.sort_unstable();
        let (median, worst) = (scripts[scripts.len() / 2], scripts[scripts.len() - 1]);
        println!("{name:18} median {median:3}, worst {worst:3}");
    }
}

fn main() {
    let words: Vec<String> = std::env::args().skip(1).collect();
    let number = |place: usize| words.get(place).and_then(|word| word.parse().ok());
    match words.first().map(String::as_str) {
        Some("mistakes") => mistakes(number(1).unwrap_or(0), number(2).unwrap_or(21)),
        _ => hunt(number(0).unwrap_or(0), number(1).unwrap_or(10_000)),
    }
}
