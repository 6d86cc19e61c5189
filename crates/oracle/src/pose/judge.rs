//! Judge: how far an answer is from the exact one.

use super::exact::answer;
use super::limits::Limits;
use super::task::{Answer, Task};

/// The numbers of a rotation in a row of ten.
const ROTATION: std::ops::Range<usize> = 3..7;

/// Compares an answer with the exact one.
///
/// Errors: the first difference in words.
pub fn judge(task: &Task, limits: &Limits, got: &Answer) -> Result<(), String> {
    let want = answer(task, limits.mean);
    let [rows, width] = task.shape();
    if got.len() != rows {
        return Err(format!("expected {rows} rows, got {}", got.len()));
    }
    for (at, (want, got)) in want.iter().zip(got).enumerate() {
        if got.len() != width {
            return Err(format!("row {at}: expected {width} numbers, got {}", got.len()));
        }
        // Of the two quaternions of a rotation, the nearer one is meant.
        let dot: f64 = ROTATION.map(|place| want.get(place).zip(got.get(place)).map_or(0.0, |(a, b)| a * b)).sum();
        let is_other = task.has_rotations() && dot < 0.0;
        // Rounding grows with the largest number that takes part.
        let most = want.iter().fold(1.0, |most: f64, number| most.max(number.abs()));
        for (place, (want, got)) in want.iter().zip(got).enumerate() {
            let want = if is_other && ROTATION.contains(&place) { -want } else { *want };
            // A number that is none is never near.
            if !((want - got).abs() <= limits.tolerance * most) {
                let what = part(task, place);
                return Err(format!("row {at}, {what}: expected `{want:.6}`, got `{got:.6}`"));
            }
        }
    }
    Ok(())
}

/// What a number of a row is.
fn part(task: &Task, place: usize) -> &'static str {
    match (task, place) {
        (Task::Blend { .. } | Task::Add { .. }, 0..3) => "translation",
        (Task::Blend { .. } | Task::Add { .. }, 3..7) => "rotation",
        (Task::Blend { .. } | Task::Add { .. }, _) => "scale",
        (Task::Model { .. }, 3 | 7 | 11) => "place of the matrix",
        (Task::Model { .. }, _) => "matrix",
        (_, 0..3) => "position",
        _ => "normal",
    }
}
