//! Ready: work that is prepared to be timed, and how it is to be done.

use stillframe_base::hash::Digest;
use stillframe_base::lanes::Isa;

/// How work is to be done.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Setting {
    pub isa: Isa,
    pub threads: usize,
}

/// Work that is prepared: what a call does, how much of it, and where its result lies.
pub struct Ready {
    /// Joints, vertices, bytes ... of one call.
    pub amount: f64,
    work: Box<dyn Work>,
}

trait Work {
    fn run(&mut self);
    fn result(&self) -> &[f32];
}

struct Made<S> {
    state: S,
    run: fn(&mut S),
    result: fn(&S) -> &[f32],
}

impl<S> Work for Made<S> {
    fn run(&mut self) {
        (self.run)(&mut self.state);
    }
    fn result(&self) -> &[f32] {
        (self.result)(&self.state)
    }
}

impl Ready {
    /// `amount` is of one call of `run`. Other people's ways to do the same are made so, too, and timed in turn with
    /// ours.
    pub fn new<S: 'static>(amount: usize, state: S, run: fn(&mut S), result: fn(&S) -> &[f32]) -> Ready {
        Ready { amount: amount as f64, work: Box::new(Made { state, run, result }) }
    }

    pub fn run(&mut self) {
        self.work.run();
    }

    /// What the newest call came to.
    pub fn result(&self) -> &[f32] {
        self.work.result()
    }

    /// Does the work once and looks at the result: equal for every instruction set and number of threads.
    ///
    /// Errors: words about a number that is not finite, or a result of nothing.
    pub fn check(&mut self) -> Result<Digest, String> {
        self.run();
        let result = self.work.result();
        if let Some(place) = result.iter().position(|number| !number.is_finite()) {
            return Err(format!("number {place} of the result is {}", result[place]));
        }
        if result.iter().all(|number| *number == 0.0) {
            return Err("the result is nothing".to_string());
        }
        Ok(Digest::of_bytes(bytemuck::cast_slice(result)))
    }
}
