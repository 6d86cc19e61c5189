//! Play: what a script does, row by row, beside the oracle if that is asked for.

use std::path::Path;

use stillframe_anim::time::Position;
use stillframe_oracle::{Answer, Heard, Judge, Model, Op, Player, Profile, Real, SIGNALS_MAX, SUB};

use super::{Loaded, code};
use crate::source::Diagnostic;

/// What one step did.
#[derive(Clone, Debug)]
pub struct Row<'a> {
    /// The number of the step, from 0.
    pub number: usize,
    pub op: &'a Op,
    /// Ticks of time played so far, this step's included.
    pub elapsed_ticks: i128,
    pub position: Position,
    /// In sub-ticks of clip time.
    pub local: i128,
    /// Whole passes behind the position, negative before the first.
    pub loops: i128,
    pub heard: Heard,
}

/// Why a script was not played to its end.
#[derive(Debug)]
pub enum Fault<E> {
    /// What it asks for cannot be played.
    Script(Diagnostic),
    /// The controller did something else than the oracle.
    Oracle { number: usize, difference: String },
    /// Whoever is told does not want more.
    Told(E),
}

/// Plays a script and tells every row.
///
/// Errors: the first fault; rows before it have been told.
pub fn play<E>(
    loaded: &Loaded,
    file: &Path,
    against_oracle: bool,
    tell: &mut dyn FnMut(Row<'_>) -> Result<(), E>,
) -> Result<(), Fault<E>> {
    let script = &loaded.script;
    let mut real = Real::new(script);
    let profile = Profile::default();
    let (mut model, mut judge) = (Model::new(script), Judge::new(script, &profile));
    let mut elapsed_ticks = 0;
    for (number, op) in script.ops.iter().enumerate() {
        let complaint =
            |code, message: String| Diagnostic::error(code, file, message).at(loaded.places[number].clone());
        // It knows how much a step would fire.
        (model.u, model.speed) = (real.position(), real.controller.speed);
        (model.paused, model.armed) = (real.controller.paused, real.controller.armed);
        if model.is_too_much(op) && (against_oracle || !matches!(op, Op::Leap(_))) {
            let message = format!("this step would fire more than {SIGNALS_MAX} events");
            let help = "take shorter steps, or use `leap_ticks`, which only counts the events";
            return Err(Fault::Script(complaint(code::TOO_MANY_SIGNALS, message).help(help)));
        }
        let heard = real.play(op);
        if against_oracle {
            let answer = Answer { heard: heard.clone(), position: real.position(), local: real.local() };
            if let Err(difference) = judge.compare(op, &answer) {
                return Err(Fault::Oracle { number, difference: difference.words });
            }
        }
        if let Some(error) = heard.error {
            return Err(Fault::Script(complaint(code::TOO_FAR, error.to_string())));
        }
        if let Op::Step(step) | Op::Until(step, _) | Op::Leap(step) = op {
            elapsed_ticks += i128::from(*step) - i128::from(heard.unspent);
        }
        let position = real.controller.position;
        let row =
            Row { number, op, elapsed_ticks, position, local: real.local(), loops: loops(loaded, position), heard };
        tell(row).map_err(Fault::Told)?;
    }
    Ok(())
}

/// Whole passes from the window's start.
fn loops(loaded: &Loaded, position: Position) -> i128 {
    let playback = loaded.script.case.playback;
    let length = (i128::from(playback.max.0) - i128::from(playback.min.0)) * SUB;
    if length == 0 { 0 } else { (position.sub_ticks() - i128::from(playback.min.0) * SUB).div_euclid(length) }
}
