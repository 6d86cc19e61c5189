//! Merging: parts make the whole, and what is missing fails it.

use stillframe_frames::PixelHash;
use stillframe_frames::report::{json_lines, merge, verdict};
use stillframe_frames::run::*;

use super::{sample, scratch};

fn case(name: &str, status: Status, picture: u8) -> CaseRecord {
    CaseRecord { name: name.into(), status, hash: Some(PixelHash([picture; 32])), ..CaseRecord::default() }
}

fn part(partition: &str, records: Vec<CaseRecord>) -> Run {
    let header = RunHeader {
        id: partition.replace('/', "of"),
        adapter: "soft/1".into(),
        partition: partition.into(),
        case_count: records.len() as u32,
        ..RunHeader::default()
    };
    Run { folder: "".into(), header, records, end: Some(RunEnd::default()), decisions: Default::default() }
}

/// The joined run, as `name status` lines.
fn joined(name: &str, runs: &[Run]) -> (Run, Vec<String>) {
    let run = merge(runs, &RunFolder::create(&scratch(name)).unwrap()).unwrap();
    let lines = run.records.iter().map(|record| format!("{} {}", record.name, record.status)).collect();
    (run, lines)
}

#[test]
fn two_halves_are_the_whole() {
    let whole = sample("whole");
    let (one, two): (Vec<_>, Vec<_>) = whole.records.iter().cloned().partition(|record| record.name.len() % 2 == 0);
    let half = |index: &str, records: Vec<CaseRecord>| Run {
        header: RunHeader { partition: index.into(), case_count: records.len() as u32, ..whole.header.clone() },
        records,
        ..whole.clone()
    };
    let (run, _) = joined("halves", &[half("slice:2/2", two), half("slice:1/2", one)]);
    let lines = |run: &Run| json_lines(run).lines().skip(1).map(String::from).collect::<Vec<_>>();
    assert_eq!(lines(&run), lines(&whole));
    for record in &run.records {
        for picture in record.new_picture.iter().chain(record.old_picture.iter()) {
            let bytes = |run: &Run| std::fs::read(run.folder.join(picture)).unwrap();
            assert_eq!(bytes(&run), bytes(&whole), "{picture}");
        }
    }
}

#[test]
fn what_is_missing_fails() {
    let good = |index: &str| part(index, vec![case(index, Status::Pass, 1)]);
    let (run, lines) = joined("good", &[good("1/2"), good("2/2")]);
    assert!(verdict(&run).green, "{lines:?}");
    assert_eq!(run.end.unwrap().exit_status, 0);

    let cut = Run { end: None, ..good("2/2") };
    let short = Run { header: RunHeader { case_count: 9, ..good("2/2").header }, ..good("2/2") };
    let other = Run { header: RunHeader { adapter: "soft/2".into(), ..good("2/2").header }, ..good("2/2") };
    for (name, runs, want) in [
        ("missing", vec![good("1/3"), good("3/3")], "(part 2/3) crash"),
        ("cut", vec![good("1/2"), cut.clone()], "(part 2/2) crash"),
        ("short", vec![good("1/2"), short], "(part 2/2) crash"),
        ("counts", vec![good("1/2"), good("2/2"), good("1/1")], "(parts) crash"),
        ("nonsense", vec![good("5/2")], "(part 5/2) crash"),
        ("adapters", vec![good("1/2"), other], "(adapters) crash"),
    ] {
        let (run, lines) = joined(name, &runs);
        assert!(lines.iter().any(|line| line == want), "{name}: {lines:?}");
        assert!(!verdict(&run).green && run.end.unwrap().exit_status == 3, "{name}");
    }
    let (run, _) = joined("mended", &[good("1/2"), cut, good("2/2")]);
    assert!(verdict(&run).green, "the part was run again, whole");
    assert!(!verdict(&joined("none", &[]).0).green);
}

#[test]
fn twice_is_once_and_never_better() {
    for (name, first, second, want) in [
        ("equal", case("a", Status::Pass, 1), case("a", Status::Pass, 1), "a pass"),
        ("nondet", case("a", Status::Pass, 1), case("a", Status::Pass, 2), "a nondet"),
        ("retry", case("a", Status::Timeout, 1), case("a", Status::Pass, 1), "a timeout"),
        ("retried", case("a", Status::Pass, 1), case("a", Status::Crash, 1), "a crash"),
        ("unchanged", case("a", Status::Unchanged, 1), case("a", Status::Pass, 1), "a unchanged"),
    ] {
        let (run, lines) = joined(name, &[part("", vec![first]), part("", vec![second])]);
        assert_eq!(lines, [want], "{name}");
        let record = &run.records[0];
        assert_eq!(record.message.is_some(), record.status.is_failure(), "{name}");
    }
}

#[test]
fn decisions_come_along() {
    let mut one = part("1/1", vec![case("a", Status::New, 1)]);
    let said = Decision::new(&one.records[0], Verb::Reject, "no");
    one.decisions.insert("a".into(), said.clone());
    let (run, _) = joined("decided", &[one]);
    assert_eq!(run.decisions.values().collect::<Vec<_>>(), [&said]);
    assert_eq!(run.pending().count(), 0);
}
