//! Junit: a run as JUnit XML, for Jenkins, GitLab and others. Pictures are told as `[[ATTACHMENT|path]]` lines, which
//! the Jenkins plugin "JUnit Attachments" and GitLab read; other renderings of what is not steady are `rerunFailure`s.

use std::time::Duration;

use quick_junit::{NonSuccessKind, Report, TestCase, TestCaseStatus, TestRerun, TestSuite};

use super::failure::{Surroundings, failure_block, short};
use super::verdict::verdict;
use crate::run::{CaseRecord, Run, Status};

/// A run as JUnit XML: a test case a case, in one suite. What makes a run no good without a case to blame is a test
/// case of its own.
pub fn junit(run: &Run, around: &Surroundings<'_>) -> String {
    let mut suite = TestSuite::new("stillframe");
    for (key, value) in
        [("adapter", &run.header.adapter), ("commit", &run.header.commit), ("partition", &run.header.partition)]
    {
        if !value.is_empty() {
            suite.add_property((key, value.as_str()));
        }
    }
    suite.add_test_cases(run.records.iter().map(|record| test_case(record, around)));
    let said = verdict(run);
    let no_case = (run.records.is_empty()).then_some(&said.words);
    for note in said.notes.iter().chain(no_case) {
        let mut status = TestCaseStatus::non_success(NonSuccessKind::Error);
        status.set_type("run").set_message(note.as_str());
        let mut case = TestCase::new("the run is whole", status);
        case.set_classname("stillframe");
        suite.add_test_case(case);
    }
    if let Some(end) = &run.end {
        suite.set_time(duration(end.wall_ms));
    }
    let mut report = Report::new("stillframe");
    report.add_test_suite(suite);
    report.to_string().expect("a report in memory")
}

fn test_case(record: &CaseRecord, around: &Surroundings<'_>) -> TestCase {
    let mut case = TestCase::new(record.name.as_str(), status(record, around));
    let (family, _) = record.split_name();
    case.set_classname(if family.is_empty() { "stillframe" } else { family });
    case.set_time(duration(record.render_ms + record.overhead_ms));
    let pictures = [&record.new_picture, &record.old_picture, &record.diff_picture];
    let lines: Vec<String> = (pictures.into_iter().flatten())
        .map(|name| match around.folder {
            "" => format!("[[ATTACHMENT|{name}]]"),
            folder => format!("[[ATTACHMENT|{folder}/{name}]]"),
        })
        .collect();
    if !lines.is_empty() {
        case.set_system_out(lines.join("\n"));
    }
    case
}

fn status(record: &CaseRecord, around: &Surroundings<'_>) -> TestCaseStatus {
    let mut status = match record.status {
        Status::Pass | Status::Unchanged => return TestCaseStatus::success(),
        Status::KnownFailure => TestCaseStatus::skipped(),
        Status::Crash | Status::Timeout | Status::Invalid => TestCaseStatus::non_success(NonSuccessKind::Error),
        _ => TestCaseStatus::non_success(NonSuccessKind::Failure),
    };
    status.set_type(record.status.word());
    status.set_message(short(record));
    if record.status.is_failure() {
        status.set_description(failure_block(record, around));
    }
    // What is not steady was rendered again.
    for (route, hash) in &record.other_hashes {
        let mut rerun = TestRerun::new(NonSuccessKind::Failure);
        rerun.set_type(record.status.word()).set_message(format!("{route}: {hash}"));
        status.add_rerun(rerun);
    }
    status
}

/// Times are told to the millisecond; a time that is none is 0.
fn duration(ms: f64) -> Duration {
    Duration::try_from_secs_f64(ms.round() / 1000.0).unwrap_or_default()
}
