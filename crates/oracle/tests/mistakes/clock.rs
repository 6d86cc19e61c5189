//! The judge: it passes the controller and finds each planted mistake soon; what it finds is made small.

use stillframe_base::rng::Rng;
use stillframe_oracle::{
    Choices, MISTAKES, Mistake, Planted, Profile, Real, Script, draw, judge, judge_within, shrink, shrink_within,
};
use stillframe_testkit::depth::cases;

const SEEDS: u64 = 21;
const SCRIPTS_MAX: u64 = 400;

fn script(seed: u64, number: u64) -> Script {
    draw::script(&mut Choices::Random(&mut Rng::new(seed).stream("scripts", number)))
}

fn is_found(script: &Script, mistake: Mistake) -> bool {
    judge(script, &mut Planted::new(script, mistake)).is_err()
}

#[test]
fn the_controller_and_a_player_without_a_mistake_are_right() {
    for number in 0..u64::from(cases(20_000)) {
        let script = script(0, number);
        assert_eq!(judge(&script, &mut Real::new(&script)), Ok(()), "{number}: {script:?}");
        assert_eq!(judge(&script, &mut Planted::new(&script, Mistake::Nothing)), Ok(()), "{number}: {script:?}");
    }
}

#[test]
fn every_planted_mistake_is_found() {
    for (mistake, name, _) in MISTAKES {
        let until_found = |seed: u64| (0..SCRIPTS_MAX).find(|number| is_found(&script(seed, *number), mistake));
        let mut scripts: Vec<u64> = (0..SEEDS)
            .map(|seed| 1 + until_found(seed).unwrap_or_else(|| panic!("{name}, seed {seed}: not in {SCRIPTS_MAX}")))
            .collect();
        scripts.sort_unstable();
        let (median, worst) = (scripts[scripts.len() / 2], scripts[scripts.len() - 1]);
        println!("{name:18} median {median:3}, worst {worst:3}");
        assert!(median <= 100, "{name}: median {median} scripts");
    }
}

/// A tolerance hides no mistake. (Those that sum floats also do not stop them at ends.)
#[test]
fn every_planted_mistake_is_found_within_a_tolerance() {
    let profile = Profile::seconds();
    let script = |seed: u64, number: u64| {
        let stream = &mut Rng::new(seed).stream("scripts", number);
        draw::script_within(&mut Choices::Random(stream), &profile)
    };
    for (mistake, name, _) in MISTAKES {
        let is_found = |script: &Script| judge_within(script, &profile, &mut Planted::new(script, mistake)).is_err();
        let until_found = |seed: u64| (0..SCRIPTS_MAX).find(|number| is_found(&script(seed, *number)));
        let mut scripts: Vec<u64> = (0..SEEDS)
            .map(|seed| 1 + until_found(seed).unwrap_or_else(|| panic!("{name}, seed {seed}: not in {SCRIPTS_MAX}")))
            .collect();
        scripts.sort_unstable();
        let (median, worst) = (scripts[scripts.len() / 2], scripts[scripts.len() - 1]);
        println!("{name:18} median {median:3}, worst {worst:3}");
        assert!(median <= 100, "{name}: median {median} scripts");
        let found = (0..).map(|number| script(0, number)).find(|script| is_found(script));
        let small = shrink_within(&found.expect("found above"), &profile, 5000, is_found);
        let (ops, events) = (small.ops.len(), small.case.events.len());
        assert!(
            profile.holds(&small) && ops <= 4 && events <= 2,
            "{name}: {ops} operations, {events} events: {small:?}"
        );
    }
}

/// What is left of a finding can be read at a glance.
#[test]
fn findings_are_made_small() {
    for (mistake, name, _) in MISTAKES {
        for seed in 0..5 {
            let found = (0..).map(|number| script(seed, number)).find(|script| is_found(script, mistake));
            let small = shrink(&found.expect("as many as it takes"), 5000, |script| is_found(script, mistake));
            let (ops, events) = (small.ops.len(), small.case.events.len());
            assert!(is_found(&small, mistake));
            assert!(ops <= 3 && events <= 1, "{name}, seed {seed}: {small:?}");
            // Only what has to be large is: floats, and steps of more than 250 ms.
            let large = [Mistake::SinglePrecision, Mistake::SecondsInDouble, Mistake::LongStepsCut].contains(&mistake);
            assert!(large || small.case.length() <= 8, "{name}, seed {seed}: {small:?}");
        }
    }
}
