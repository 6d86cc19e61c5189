//! The worker's side: a setup on the first line of standard input, then one piece per line; records of each on standard
//! output.

use std::io::{BufRead, stdin};

use stillframe_frames::run::{CaseRecord, Status};

use super::workers::RECORDS;
use crate::cli::status::Failure;
use crate::cli::{Surroundings, stdout};
use crate::harness::{Judge, Piece, Setup};

pub fn run(surroundings: &Surroundings) -> Result<(), Failure> {
    let mut lines = stdin().lock().lines();
    let wrong = || Failure::usage("`--worker` is for internal use");
    let setup = lines.next().and_then(Result::ok).ok_or_else(wrong)?;
    let setup: Setup = serde_json::from_str(&setup).map_err(|_| wrong())?;
    let elapsed_ms = || surroundings.elapsed_ms();
    let mut judge = Judge::new(setup, &elapsed_ms);
    for line in lines.map_while(Result::ok) {
        let piece: Piece = serde_json::from_str(&line).map_err(|_| wrong())?;
        let records: Vec<CaseRecord> = match &mut judge {
            Ok(judge) => judge.piece(&piece),
            Err(error) => {
                let record = |case: &crate::harness::Case| {
                    CaseRecord::without_picture(&case.name, Status::Crash, error.to_string())
                };
                piece.cases.iter().map(record).collect()
            }
        };
        let text = serde_json::to_string(&records).map_err(|error| Failure::Fault(error.to_string()))?;
        stdout::line(&format!("{RECORDS}{text}"))?;
    }
    Ok(())
}
