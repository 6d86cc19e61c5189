//! The judge of poses: it passes the jobs, finds each planted mistake soon, and makes it small.

use stillframe_base::lanes::Isa;
use stillframe_base::rng::Rng;
use stillframe_oracle::Choices;
use stillframe_oracle::pose::{
    Limits, Mean, POSE_MISTAKES, Scales, Task, TaskKind, answer, judge, own, planted, shrink, task,
};
use stillframe_testkit::depth::cases;

const SEEDS: u64 = 7;
const TASKS_MAX: u64 = 2000;

fn drawn(limits: &Limits, seed: u64, number: u64) -> Task {
    task(&mut Choices::Random(&mut Rng::new(seed).stream("poses", number)), limits)
}

/// Limits that leave away one thing each.
fn limits() -> Vec<Limits> {
    use TaskKind::{Add, Blend, Model, Skin, SkinDual};
    let all = Limits::default;
    let kinds = [Blend, Add, Model, Skin, SkinDual].map(|kind| Limits { kinds: vec![kind], ..all() });
    let others = [
        Limits { mean: Mean::Slerp, ..all() },
        Limits { scales: Scales::None, ..all() },
        Limits { scales: Scales::Even, ..all() },
        Limits { any_weights: false, ..all() },
        Limits { masks: false, ..all() },
        Limits { signs: false, ..all() },
        Limits { layers_max: 2, joints_max: 1, influences_max: 1, ..all() },
    ];
    kinds.into_iter().chain(others).chain([all()]).collect()
}

#[test]
fn jobs_blend_and_skin_as_the_oracle_does() {
    let limits = Limits::default();
    let mut answered = 0;
    for number in 0..u64::from(cases(5000)) {
        let task = drawn(&limits, 0, number);
        for isa in Isa::available() {
            let Some(answer) = own(&task, isa).expect("a task that jobs take") else { continue };
            assert_eq!(judge(&task, &limits, &answer), Ok(()), "{number} at {}: {task:?}", isa.name());
            answered += 1;
        }
    }
    assert!(answered > 4000, "{answered} answers");
}

#[test]
fn tasks_are_drawn_within_their_limits_and_made_small_within_them() {
    for limits in limits() {
        assert_eq!(limits.validate(), Ok(()));
        for number in 0..300 {
            let task = drawn(&limits, 3, number);
            assert!(limits.holds(&task), "{number}: {task:?} {limits:?}");
            assert_eq!(task.check(), Ok(()), "{number}: {task:?}");
            assert_eq!(judge(&task, &limits, &answer(&task, limits.mean)), Ok(()), "{number}");
        }
        let small = shrink(&drawn(&limits, 3, 5), &limits, 500, |task| limits.holds(task) && task.check().is_ok());
        assert_eq!(small.shape()[0], 1, "{small:?}");
    }
}

#[test]
fn every_planted_mistake_is_found() {
    let limits = Limits::default();
    for (mistake, name, _) in POSE_MISTAKES {
        let is_found = |task: &Task| judge(task, &limits, &planted(task, limits.mean, mistake)).is_err();
        let until_found = |seed: u64| (0..TASKS_MAX).find(|number| is_found(&drawn(&limits, seed, *number)));
        let mut tasks: Vec<u64> = (1..=SEEDS)
            .map(|seed| 1 + until_found(seed).unwrap_or_else(|| panic!("{name}, seed {seed}: not in {TASKS_MAX}")))
            .collect();
        tasks.sort_unstable();
        println!("{name:18} median {:3}, worst {:3}", tasks[tasks.len() / 2], tasks[tasks.len() - 1]);
        assert!(tasks[tasks.len() - 1] <= 400, "{name}: {tasks:?}");
        let small = shrink(&drawn(&limits, 1, until_found(1).expect("as above")), &limits, 3000, is_found);
        assert!(is_found(&small) && small.shape()[0] <= 3, "{name}: {small:?}");
    }
}

#[test]
fn what_is_off_by_less_than_the_tolerance_is_right() {
    let limits = Limits::default();
    for number in 0..300 {
        let task = drawn(&limits, 4, number);
        for (off, is_right) in [(0.5 * limits.tolerance, true), (40.0 * limits.tolerance, false), (f64::NAN, false)] {
            let mut answer = answer(&task, limits.mean);
            answer[0][0] += off;
            assert_eq!(judge(&task, &limits, &answer).is_ok(), is_right, "{number}, {off}: {task:?}");
        }
        // Of a rotation's two quaternions either is right.
        if task.has_rotations() {
            let mut other = answer(&task, limits.mean);
            other.iter_mut().for_each(|row| row[3..7].iter_mut().for_each(|number| *number = -*number));
            assert_eq!(judge(&task, &limits, &other), Ok(()), "{number}");
        }
    }
}
