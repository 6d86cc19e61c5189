//! The judge of graphs: it passes the code under test and finds each planted mistake soon; what it finds is made small.

use stillframe_base::rng::Rng;
use stillframe_oracle::Choices;
use stillframe_oracle::graph::{self, GRAPH_MISTAKES, GraphMistake, GraphOp, GraphScript, Modelled, World};
use stillframe_testkit::depth::cases;

const SEEDS: u64 = 21;
const SCRIPTS_MAX: u64 = 200;

fn script(seed: u64, number: u64) -> GraphScript {
    graph::script(&mut Choices::Random(&mut Rng::new(seed).stream("graphs", number)))
}

fn is_found(script: &GraphScript, mistake: GraphMistake) -> bool {
    graph::check(script, Some(mistake)).is_err()
}

#[test]
fn graphs_are_as_the_model_has_them() {
    for number in 0..u64::from(cases(6000)) {
        let script = script(0, number);
        assert_eq!(graph::check(&script, None), Ok(()), "{number}: {script:?}");
    }
}

#[test]
fn what_is_drawn_can_be_played() {
    let (mut played, mut travelling, mut stored) = (0, 0, 0);
    for number in 0..2000 {
        let script = script(1, number);
        let world = World::new(&script).unwrap_or_else(|error| panic!("{number}: {error}: {script:?}"));
        assert_eq!(graph::judge(&world, &mut Modelled::new(&world, None)), Ok(()), "{number}");
        played += script.steps.len();
        travelling += usize::from(script.travels());
        stored += usize::from(script.steps.contains(&GraphOp::Store));
    }
    assert!(played > 10_000, "{played} operations");
    assert!(
        travelling > 1000 && stored > 500,
        "{travelling} scripts in which clips travel, {stored} with stored states"
    );
}

#[test]
fn every_planted_mistake_is_found() {
    for (mistake, name, _) in GRAPH_MISTAKES {
        let until_found = |seed: u64| (0..SCRIPTS_MAX).find(|number| is_found(&script(seed, *number), mistake));
        let mut scripts: Vec<u64> = (0..SEEDS)
            .map(|seed| 1 + until_found(seed).unwrap_or_else(|| panic!("{name}, seed {seed}: not in {SCRIPTS_MAX}")))
            .collect();
        scripts.sort_unstable();
        let (median, worst) = (scripts[scripts.len() / 2], scripts[scripts.len() - 1]);
        println!("{name:18} median {median:3}, worst {worst:3}");
        assert!(median <= 50, "{name}: median {median} scripts");
    }
}

/// What is left of a finding can be read at a glance, and making it small ends by itself: no change is undone by
/// another.
#[test]
fn findings_are_made_small() {
    const TRIES_MAX: usize = 3000;
    for (mistake, name, _) in GRAPH_MISTAKES {
        let found = (0..).map(|number| script(0, number)).find(|script| is_found(script, mistake));
        let mut tries = 0;
        let small = graph::shrink(&found.expect("as many as it takes"), TRIES_MAX, |script| {
            tries += 1;
            is_found(script, mistake)
        });
        assert!(is_found(&small, mistake), "{name}");
        assert!(tries < TRIES_MAX, "{name}: {tries} tries");
        let (nodes, steps) = (small.nodes.len(), small.steps.len());
        assert!(nodes <= 5 && steps <= 7, "{name}: {nodes} nodes, {steps} steps: {small:?}");
    }
}
