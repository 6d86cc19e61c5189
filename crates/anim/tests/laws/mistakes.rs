//! The judge: it passes the controller and finds each planted mistake soon.

use proptest::prelude::*;
use proptest::strategy::ValueTree;
use proptest::test_runner::{Config, RngAlgorithm, TestRng, TestRunner};

use crate::player::{MISTAKES, Mistake, Planted, Real, judge};
use crate::script::scripts;

const SEEDS: u64 = 21;
const SCRIPTS_MAX: usize = 400;

proptest! {
    #![proptest_config(ProptestConfig::with_cases(4096))]

    #[test]
    fn the_controller_plays_every_script_as_the_oracle(script in scripts()) {
        prop_assert_eq!(judge(&script, &mut Real::new(&script)), Ok(()));
    }

    #[test]
    fn a_player_without_a_mistake_is_right(script in scripts()) {
        prop_assert_eq!(judge(&script, &mut Planted::new(&script, Mistake::Nothing)), Ok(()));
    }
}

/// Scripts until a mistake is found, the one that finds it counted.
fn scripts_until_found(mistake: Mistake, seed: u64) -> usize {
    let mut bytes = [0; 32];
    bytes[..8].copy_from_slice(&seed.to_le_bytes());
    let rng = TestRng::from_seed(RngAlgorithm::ChaCha, &bytes);
    let mut runner = TestRunner::new_with_rng(Config::default(), rng);
    let strategy = scripts();
    for number in 1..=SCRIPTS_MAX {
        let script = strategy.new_tree(&mut runner).expect("scripts have no filter").current();
        if judge(&script, &mut Planted::new(&script, mistake)).is_err() {
            return number;
        }
    }
    panic!("{mistake:?}, seed {seed}: not found in {SCRIPTS_MAX} scripts");
}

#[test]
fn every_planted_mistake_is_found() {
    for (mistake, name) in MISTAKES {
        let mut scripts: Vec<usize> = (0..SEEDS).map(|seed| scripts_until_found(mistake, seed)).collect();
        scripts.sort_unstable();
        let (median, worst) = (scripts[scripts.len() / 2], scripts[scripts.len() - 1]);
        println!("{name}: median {median}, worst {worst}");
        assert!(median <= 100, "{name}: median {median} scripts");
    }
}
