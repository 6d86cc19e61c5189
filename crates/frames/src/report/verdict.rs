//! Verdict: one line on a whole run. A run that was cut off, or that ran nothing, is no good run.

use crate::run::{Run, Status};

/// What a run comes to.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Verdict {
    pub green: bool,
    /// One sentence without its full stop.
    pub words: String,
    /// Why the figures are not the whole story, a sentence each.
    pub notes: Vec<String>,
}

/// Judges a run by its records, not by its last line alone.
pub fn verdict(run: &Run) -> Verdict {
    let counts = counts(run);
    let total = run.records.len();
    let failed: usize = counts.iter().filter(|(status, _)| status.is_failure()).map(|(_, count)| count).sum();
    let waiting: usize = (counts.iter())
        .filter(|(status, _)| matches!(status, Status::New | Status::Moved))
        .map(|(_, count)| count)
        .sum();
    let mut notes = Vec::new();
    let (wanted, missing) = (run.header.case_count as usize, run.missing());
    match &run.end {
        None if missing > 0 => {
            notes.push(format!("The run was cut off: {missing} of {wanted} cases have no result"));
        }
        None if run.header.is_open => {
            notes.push("Tests join this run when they fail; those that pass are not part of it".to_string());
        }
        None => notes.push("The run was cut off before its end was written".to_string()),
        Some(_) if missing > 0 => notes.push(format!("{missing} of {wanted} cases have no result")),
        Some(end) if end.exit_status != 0 && failed == 0 && total > 0 => {
            notes.push(format!("The run ended with exit status {}, though no case failed", end.exit_status));
        }
        Some(_) => {}
    }
    let cases =
        |count: usize| if count == 1 { "1 case".to_string() } else { format!("{} cases", grouped(count as u64)) };
    let words = if total == 0 {
        "No case was run".to_string()
    } else if failed > 0 {
        let parts: Vec<String> = (counts.iter().filter(|(status, _)| status.is_failure()))
            .map(|(status, count)| format!("{} {status}", grouped(*count as u64)))
            .collect();
        match failed == waiting {
            // A case without a reference has not failed.
            true => format!("{} of {}", parts.join(", "), cases(total)),
            false => format!("{} of {} failed: {}", grouped(failed as u64), cases(total), parts.join(", ")),
        }
    } else {
        let unchanged = counts.iter().find(|(status, _)| *status == Status::Unchanged).map_or(0, |(_, count)| *count);
        let known = counts.iter().find(|(status, _)| *status == Status::KnownFailure).map_or(0, |(_, count)| *count);
        let mut words = format!("{} passed", cases(total));
        let beside = [(unchanged, "unchanged"), (known, "failing as known")];
        let beside: Vec<String> = (beside.iter().filter(|(count, _)| *count > 0))
            .map(|(count, what)| format!("{} {what}", grouped(*count as u64)))
            .collect();
        if !beside.is_empty() {
            words += &format!(" ({})", beside.join(", "));
        }
        words
    };
    Verdict { green: failed == 0 && total > 0 && notes.is_empty(), words, notes }
}

/// Cases by how they ended, in the order of [`Status::ALL`], those that there are.
pub fn counts(run: &Run) -> Vec<(Status, usize)> {
    let count = |status: Status| run.records.iter().filter(|record| record.status == status).count();
    Status::ALL.into_iter().map(|status| (status, count(status))).filter(|(_, count)| *count > 0).collect()
}

/// `1204` is `1,204`.
pub fn grouped(number: u64) -> String {
    let digits = number.to_string();
    let mut out = String::new();
    for (at, digit) in digits.chars().enumerate() {
        if at > 0 && (digits.len() - at).is_multiple_of(3) {
            out.push(',');
        }
        out.push(digit);
    }
    out
}

/// A share of 0..=1 for people: `0.46 %`; what is there is never 0.
pub fn percent(share: f64) -> String {
    match share * 100.0 {
        percent if percent > 0.0 && percent < 0.01 => "< 0.01 %".to_string(),
        percent if percent < 10.0 => format!("{percent:.2} %"),
        percent => format!("{percent:.0} %"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::run::{CaseRecord, RunEnd, RunHeader};

    fn run(statuses: &[Status], case_count: u32, ended: bool) -> Run {
        let record = |status: &Status| CaseRecord { status: *status, ..CaseRecord::default() };
        Run {
            folder: "".into(),
            header: RunHeader { case_count, ..RunHeader::default() },
            records: statuses.iter().map(record).collect(),
            end: ended.then(RunEnd::default),
            decisions: Default::default(),
        }
    }

    #[test]
    fn nothing_passes_because_it_is_absent() {
        let good = verdict(&run(&[Status::Pass; 2], 2, true));
        assert!(good.green && good.notes.is_empty());
        assert_eq!(good.words, "2 cases passed");
        for (bad, note) in [
            (run(&[Status::Pass; 2], 2, false), "The run was cut off before its end was written"),
            (run(&[Status::Pass; 2], 5, false), "The run was cut off: 3 of 5 cases have no result"),
            (run(&[Status::Pass; 2], 3, true), "1 of 3 cases have no result"),
        ] {
            let said = verdict(&bad);
            assert!(!said.green);
            assert_eq!(said.notes, [note]);
        }
        assert!(!verdict(&run(&[], 0, true)).green);
    }

    /// A run of a program's tests has no end, and is not cut off.
    #[test]
    fn open_runs_are_not_cut_off() {
        let mut open = run(&[Status::Differs], 0, false);
        open.header.is_open = true;
        let said = verdict(&open);
        assert_eq!(said.notes, ["Tests join this run when they fail; those that pass are not part of it"]);
        assert!(!said.green);
    }

    #[test]
    fn all_statuses_are_counted() {
        let words = verdict(&run(&Status::ALL, 18, true)).words;
        assert!(words.starts_with("15 of 18 cases failed: 1 differs, 1 new, 1 moved, 1 gone,"), "{words}");
        let words = verdict(&run(&[Status::Pass, Status::Unchanged, Status::KnownFailure], 3, true)).words;
        assert_eq!(words, "3 cases passed (1 unchanged, 1 failing as known)");
    }

    /// A new case is no fault of anybody's.
    #[test]
    fn new_cases_have_not_failed() {
        let said = verdict(&run(&[Status::Pass, Status::New, Status::New, Status::Moved], 4, true));
        assert!(!said.green);
        assert_eq!(said.words, "2 new, 1 moved of 4 cases");
        assert_eq!(verdict(&run(&[Status::New], 1, true)).words, "1 new of 1 case");
        assert!(verdict(&run(&[Status::New, Status::Crash], 2, true)).words.starts_with("2 of 2 cases failed"));
    }

    #[test]
    fn figures_are_for_people() {
        assert_eq!([0, 999, 1204, 1234567].map(grouped), ["0", "999", "1,204", "1,234,567"]);
        assert_eq!([0.0, 0.00001, 0.0046, 0.5].map(percent), ["0.00 %", "< 0.01 %", "0.46 %", "50 %"]);
    }
}
