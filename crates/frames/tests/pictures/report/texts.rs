//! Texts: failure blocks, JUnit, JSON, GitHub.

use stillframe_frames::report::*;
use stillframe_frames::run::*;

use super::{hold, sample};

fn around<'a>(run: &'a Run, folder: &'a str, paint: Paint) -> Surroundings<'a> {
    Surroundings { clusters: &run.end.as_ref().unwrap().clusters, folder, paint }
}

/// Pictures by hash do not change from day to day, but their names would drown what is looked at.
const FOLDER: &str = "target/stillframe/runs/000001";

fn blocks(run: &Run, paint: Paint) -> String {
    let around = around(run, FOLDER, paint);
    let shown = run.records.iter().filter(|record| record.status.is_failure());
    shown.map(|record| failure_block(record, &around)).collect()
}

#[test]
fn failure_blocks() {
    let run = sample("blocks");
    hold("failures.txt", &blocks(&run, Paint::Plain));
    let colored = blocks(&run, Paint::Colored);
    assert!(!blocks(&run, Paint::Plain).contains('\x1b'));
    hold("failures.ansi", &colored);
}

#[test]
fn every_status_says_what_to_do() {
    let mut seen = std::collections::BTreeSet::new();
    for status in Status::ALL {
        assert!(seen.insert(advice(status)), "{status} has words of another");
        let record = CaseRecord { name: "a/it's [b]".into(), status, ..CaseRecord::default() };
        let block = failure_block(&record, &Surroundings { clusters: &[], folder: "", paint: Paint::Plain });
        let first = block.lines().next().unwrap();
        assert_eq!(first, format!("{} a/it's [b]", status.word().to_uppercase()));
        assert!(block.contains(advice(status)), "{block}");
        assert_eq!(block.contains(r"stillframe accept '=a/it'\''s [b]'"), status.is_pending(), "{block}");
    }
}

#[test]
fn junit_xml() {
    let run = sample("junit");
    hold("junit.xml", &junit(&run, &around(&run, FOLDER, Paint::Plain)));
    let cut = Run { end: None, ..run };
    let text = junit(&cut, &Surroundings { clusters: &[], folder: FOLDER, paint: Paint::Plain });
    assert!(text.contains("The run was cut off before its end was written"));
    let none = Run { records: Vec::new(), ..cut };
    let text = junit(&none, &Surroundings { clusters: &[], folder: FOLDER, paint: Paint::Plain });
    assert!(text.contains("No case was run"), "{text}");
}

#[test]
fn json_as_document_and_lines() {
    let run = sample("json");
    hold("run.json", &json(&run));
    hold("run.jsonl", &json_lines(&run));
    // Lines are what a run is read from.
    let again = RunFolder::create(&super::scratch("json-again")).unwrap();
    again.add_lines(&json_lines(&run)).unwrap();
    assert_eq!(Run { folder: run.folder.clone(), ..Run::read(again.path()).unwrap() }, run);
}

#[test]
fn github_shows_nine_and_says_how_many_more() {
    let run = sample("github");
    let text = github(&run, &around(&run, FOLDER, Paint::Colored));
    hold("github.txt", &text);
    let lines: Vec<&str> = text.lines().collect();
    assert_eq!(lines.len(), 10);
    assert!(lines.iter().all(|line| line.starts_with("::error ")));
    let failed = run.records.iter().filter(|record| record.status.is_failure()).count();
    assert!(lines[9].contains(&format!("{} more failures", failed - 9)), "{}", lines[9]);

    let green =
        Run { records: run.records.iter().filter(|r| !r.status.is_failure()).cloned().collect(), ..run.clone() };
    let header = RunHeader { case_count: green.records.len() as u32, ..green.header.clone() };
    let end = green.end.clone().map(|end| RunEnd { exit_status: 0, clusters: Vec::new(), ..end });
    let green = Run { header, end, ..green };
    assert_eq!(github(&green, &around(&green, FOLDER, Paint::Plain)), "");
    hold("summary-green.md", &step_summary(&green, &around(&green, FOLDER, Paint::Plain)));
    let cut = Run { end: None, ..green };
    let nothing = Surroundings { clusters: &[], folder: FOLDER, paint: Paint::Plain };
    assert_eq!(github(&cut, &nothing).lines().count(), 1, "cut off");
    let none = Run { records: Vec::new(), ..cut };
    assert!(github(&none, &nothing).contains("No case was run"));
}

#[test]
fn summaries_and_comments_fit() {
    let run = sample("summary");
    hold("summary.md", &step_summary(&run, &around(&run, FOLDER, Paint::Plain)));
    hold("comment.md", &comment(&run));
    let mut many = run.clone();
    let long = run.records.iter().find(|record| record.name.starts_with("shadow/")).unwrap();
    for number in 0..4000 {
        let message = Some("m".repeat(500));
        many.records.push(CaseRecord { name: format!("z/{number}"), message, ..long.clone() });
    }
    let text = step_summary(&many, &around(&run, FOLDER, Paint::Plain));
    assert!((900_000..=1 << 20).contains(&text.len()), "{}", text.len());
    assert!(text.trim_end().ends_with("more failures are in the report."));
    assert_eq!(text.matches("\n```").count() % 2, 0, "no block is left open");
    many.records.iter_mut().for_each(|record| record.message = Some("m".repeat(9000)));
    assert!(comment(&many).len() <= 65_536);
}
