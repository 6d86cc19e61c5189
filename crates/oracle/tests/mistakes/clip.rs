//! The judge of clips: it passes the code under test and finds each planted mistake soon.

use stillframe_base::rng::Rng;
use stillframe_oracle::Choices;
use stillframe_oracle::clip::{self, CLIP_MISTAKES, ClipMistake};
use stillframe_testkit::depth::cases;

const SEEDS: u64 = 7;
const CLIPS_MAX: u64 = 2000;

fn check(seed: u64, number: u64, mistake: Option<ClipMistake>) -> Result<(), String> {
    clip::check(&mut Choices::Random(&mut Rng::new(seed).stream("clips", number)), mistake)
}

#[test]
fn clips_are_as_a_slow_sampler_has_them() {
    for number in 0..u64::from(cases(4000)) {
        let checked = check(0, number, None);
        assert_eq!(checked, Ok(()), "{number}");
    }
}

#[test]
fn every_planted_mistake_is_found() {
    for (mistake, name, _) in CLIP_MISTAKES {
        let until_found = |seed: u64| (0..CLIPS_MAX).find(|number| check(seed, *number, Some(mistake)).is_err());
        let mut clips: Vec<u64> = (1..=SEEDS)
            .map(|seed| 1 + until_found(seed).unwrap_or_else(|| panic!("{name}, seed {seed}: not in {CLIPS_MAX}")))
            .collect();
        clips.sort_unstable();
        println!("{name:18} median {:3}, worst {:3}", clips[clips.len() / 2], clips[clips.len() - 1]);
        assert!(clips[clips.len() / 2] <= 200, "{name}: {clips:?}");
    }
}
