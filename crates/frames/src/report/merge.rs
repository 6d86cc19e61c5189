//! Merge: the parts of a suite that several machines ran, as one run. What is missing is a failure of the whole: a part
//! that never came, one that was cut off, parts that do not belong together.

use std::collections::{BTreeMap, BTreeSet};
use std::io;

use super::json::line;
use super::pictures_of;
use crate::run::{
    CaseRecord, Decision, Run, RunEnd, RunFolder, RunHeader, Status, Tally, clusters, pair_moved, read_picture,
    worst_exit_status,
};
use crate::write_file;

/// Joins runs to one, written to `folder`, with every picture that their records name.
///
/// A case that several runs have counts once: as a failure where they disagree, for a picture that a second run does
/// not give again is nondeterministic, and a failure is not made good by trying again. A part that was cut off counts
/// for nothing where a whole one is there.
///
/// Errors: of the file system.
pub fn merge(runs: &[Run], folder: &RunFolder) -> io::Result<Run> {
    let mut records: BTreeMap<String, CaseRecord> = BTreeMap::new();
    for run in runs {
        for record in &run.records {
            let joined = match records.remove(&record.name) {
                None => record.clone(),
                Some(before) => twice(before, record, &run.header.id),
            };
            records.insert(record.name.clone(), joined);
        }
        copy_files(run, folder)?;
    }
    for complaint in complaints(runs) {
        records.insert(complaint.name.clone(), complaint);
    }
    let mut records: Vec<CaseRecord> = records.into_values().collect();
    // One part may have the new name, and another the reference without a case.
    pair_moved(&mut records);
    let clusters = clusters(&mut records);
    let statuses = || records.iter().map(|record| record.status);
    let ends = || runs.iter().filter_map(|run| run.end.as_ref());
    let exit_statuses = statuses().map(Status::exit_status).chain(ends().map(|end| end.exit_status));
    let end = RunEnd {
        tally: Tally::of(statuses()),
        exit_status: worst_exit_status(exit_statuses),
        // They ran side by side.
        wall_ms: ends().map(|end| end.wall_ms).fold(0.0, f64::max),
        clusters,
    };
    let mut lines = line("run/1", &header(runs, folder, records.len()));
    records.iter().for_each(|record| lines += &line("case/1", record));
    lines += &line("run-end/1", &end);
    folder.add_lines(&lines)?;
    let decisions: BTreeMap<&String, &Decision> = runs.iter().flat_map(|run| &run.decisions).collect();
    if !decisions.is_empty() {
        let decisions: Vec<Decision> = decisions.into_values().cloned().collect();
        folder.decide(&decisions)?;
    }
    Run::read(folder.path()).map_err(io::Error::other)
}

fn header(runs: &[Run], folder: &RunFolder, case_count: usize) -> RunHeader {
    let joined = |of: fn(&RunHeader) -> &String| {
        let all: BTreeSet<&str> =
            runs.iter().map(|run| of(&run.header).as_str()).filter(|text| !text.is_empty()).collect();
        all.into_iter().collect::<Vec<_>>().join(", ")
    };
    RunHeader {
        id: folder.id(),
        command: ["stillframe", "report", "merge"].map(String::from).to_vec(),
        adapter: joined(|header| &header.adapter),
        adapter_details: joined(|header| &header.adapter_details),
        commit: joined(|header| &header.commit),
        fault: joined(|header| &header.fault),
        store: joined(|header| &header.store),
        case_count: case_count as u32,
        ..RunHeader::default()
    }
}

/// One case that two runs have.
fn twice(before: CaseRecord, after: &CaseRecord, id: &str) -> CaseRecord {
    let both = before.hash.zip(after.hash);
    if let Some((_, other)) = both.filter(|(one, other)| one != other) {
        let message = "two of the runs gave different pictures".to_string();
        let mut joined = CaseRecord { status: Status::Nondet, message: Some(message), ..before };
        if !joined.other_hashes.iter().any(|(_, hash)| *hash == other) {
            joined.other_hashes.push((format!("run {id}"), other));
        }
        return joined;
    }
    if before.status == after.status {
        return before;
    }
    let worst = worst_exit_status([before.status.exit_status(), after.status.exit_status()]);
    let (kept, other) =
        if before.status.exit_status() == worst { (before, after.clone()) } else { (after.clone(), before) };
    if !kept.status.is_failure() {
        return kept;
    }
    let said = kept.message.as_deref().map(|message| format!("{message}\n")).unwrap_or_default();
    CaseRecord { message: Some(format!("{said}another run of it ended as {}", other.status)), ..kept }
}

/// What keeps runs from being a whole suite, as records that fail it.
fn complaints(runs: &[Run]) -> Vec<CaseRecord> {
    let mut out = Vec::new();
    let mut tell = |name: String, message: String| {
        out.push(CaseRecord::without_picture(&format!("({name})"), Status::Crash, message));
    };
    let whole = |run: &Run| run.end.is_some() && run.missing() == 0;
    let mut parts: BTreeMap<(u32, u32), bool> = BTreeMap::new();
    for run in runs {
        let partition = &run.header.partition;
        if let Some(part) = parse_part(partition) {
            *parts.entry(part).or_default() |= whole(run);
        } else if !partition.is_empty() {
            tell(format!("part {partition}"), "no part of a whole: INDEX/COUNT is expected".into());
        }
    }
    for run in runs.iter().filter(|run| !whole(run)) {
        let mended = parse_part(&run.header.partition).is_some_and(|part| parts[&part]);
        if !mended {
            let name = if run.header.partition.is_empty() {
                format!("run {}", run.header.id)
            } else {
                format!("part {}", run.header.partition)
            };
            let missing = run.missing();
            tell(name, format!("cut off: {missing} of {} cases have no result", run.header.case_count));
        }
    }
    let counts: BTreeSet<u32> = parts.keys().map(|(_, count)| *count).collect();
    if counts.len() > 1 {
        let all: Vec<String> = parts.keys().map(|(index, count)| format!("{index}/{count}")).collect();
        tell("parts".into(), format!("parts of different wholes: {}", all.join(", ")));
    }
    for count in counts {
        // A count that nobody means must not make a list of millions.
        let missing: Vec<u32> = (1..=count).filter(|index| !parts.contains_key(&(*index, count))).take(100).collect();
        for index in missing {
            tell(format!("part {index}/{count}"), "this part is missing".into());
        }
    }
    for (what, of) in [("adapters", (|h| &h.adapter) as fn(&RunHeader) -> &String), ("commits", |h| &h.commit)] {
        let all: BTreeSet<&str> = runs.iter().map(|run| of(&run.header).as_str()).collect();
        if all.len() > 1 {
            let all: Vec<&str> = all.into_iter().map(|text| if text.is_empty() { "unknown" } else { text }).collect();
            tell(what.into(), format!("the runs are of different {what}: {}", all.join(", ")));
        }
    }
    out
}

/// `slice:2/4`, `hash:2/4` or `2/4`: part 2 of 4, from 1.
fn parse_part(text: &str) -> Option<(u32, u32)> {
    let (index, count) = text.rsplit(':').next()?.split_once('/')?;
    let (index, count) = (index.parse().ok()?, count.parse().ok()?);
    (1..=count).contains(&index).then_some((index, count))
}

/// Files by hash need to be copied once.
fn copy_files(run: &Run, folder: &RunFolder) -> io::Result<()> {
    let pictures = run.records.iter().flat_map(pictures_of).cloned();
    let passes = run.records.iter().filter_map(|record| Some(format!("passes/{}.passes", record.passes_root?.hex())));
    let inputs = run.records.iter().filter_map(|record| Some(format!("inputs/{}.inputs", record.inputs_root?.hex())));
    for name in pictures.chain(passes).chain(inputs).collect::<BTreeSet<_>>() {
        let (from, to) = (run.folder.join(&name), folder.path().join(&name));
        if from == to || to.exists() {
            continue;
        }
        match read_picture(&run.folder, &name) {
            // A record without its picture is still a result; reports say what is missing.
            Err(error) if error.kind() == io::ErrorKind::NotFound => {}
            Err(error) => return Err(error),
            Ok(bytes) => {
                if let Some(parent) = to.parent() {
                    std::fs::create_dir_all(parent)?;
                }
                write_file(&to, &bytes)?;
            }
        }
    }
    Ok(())
}
