//! Depth: how many cases a property is tried on. The same seeds at every depth, so that more cases are those of before
//! and others.

/// How many times as many cases the nightly run takes.
const NIGHTLY: u32 = 16;

/// Whether this is the nightly run: `STILLFRAME_DEPTH=nightly`.
#[expect(clippy::disallowed_methods, reason = "whoever runs the tests says how deep they go")]
pub fn is_nightly() -> bool {
    std::env::var("STILLFRAME_DEPTH").is_ok_and(|word| word == "nightly")
}

/// Cases of a property: `push` of them in the tests of every push, more in the nightly run, as many as `PROPTEST_CASES`
/// says where it is set.
#[expect(clippy::disallowed_methods, reason = "whoever runs the tests says how deep they go")]
pub fn cases(push: u32) -> u32 {
    let asked = std::env::var("PROPTEST_CASES").ok().map(|count| count.parse().expect("PROPTEST_CASES is a number"));
    asked.unwrap_or(if is_nightly() { push * NIGHTLY } else { push })
}

/// Of cases that take long, those of every push: one in `step`, from the first on. All of them in the nightly run.
pub fn sample<T>(all: Vec<T>, step: usize) -> Vec<T> {
    all.into_iter().step_by(if is_nightly() { 1 } else { step }).collect()
}
