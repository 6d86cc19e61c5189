//! The terminal's form of a review: one case at a time, insta's keys.

use std::collections::BTreeSet;
use std::io::IsTerminal;

use console::{Key, Term};
use stillframe_frames::compare::in_one_form;
use stillframe_frames::report::{Paint, Surroundings as Around, failure_block};
use stillframe_frames::run::{CaseRecord, Decision, Run, Verb, read_picture};
use stillframe_frames::{Differences, Picture, Samples, decode_png, difference_picture, sheet};

use super::desk::Desk;
use crate::cli::show::Show;
use crate::cli::status::Failure;
use crate::cli::{Surroundings, stderr, stdout};

const KEYS: &str = "a accept   r reject   s skip   A/R the whole cluster   p picture   o paths   q quit";

pub fn review(mut desk: Desk, surroundings: &Surroundings) -> Result<(), Failure> {
    let term = Term::stdout();
    if !std::io::stdin().is_terminal() || !std::io::stdout().is_terminal() {
        let help = "use `stillframe review --web`, or `stillframe accept` and `stillframe reject`".to_string();
        return Err(Failure::Usage("`stillframe review` needs a terminal".into(), Some(help)));
    }
    let mut skipped = BTreeSet::new();
    let total = desk.waiting().len();
    if total == 0 {
        return stdout::line("nothing is pending");
    }
    let mut seen = 0;
    loop {
        let waiting = desk.waiting();
        let Some(record) = waiting.iter().find(|record| !skipped.contains(&record.name)) else { break };
        seen += 1;
        stdout::line(&format!("\n{} of {total}", seen.min(total)))?;
        tell(record, &desk.run, surroundings)?;
        show(record, &desk.run)?;
        stdout::line(KEYS)?;
        loop {
            let failed = |error: std::io::Error| Failure::Environment(format!("cannot read a key: {error}"));
            match term.read_key().map_err(failed)? {
                Key::Char('a') => break decide(&mut desk, &[record], Verb::Accept)?,
                Key::Char('r') => break decide(&mut desk, &[record], Verb::Reject)?,
                Key::Char(key @ ('A' | 'R')) => {
                    let verb = if key == 'A' { Verb::Accept } else { Verb::Reject };
                    let cluster = cluster_of(record);
                    let all: Vec<&CaseRecord> = waiting
                        .iter()
                        .filter(|other| {
                            other.name == record.name || (!cluster.is_empty() && cluster_of(other) == cluster)
                        })
                        .collect();
                    break decide(&mut desk, &all, verb)?;
                }
                Key::Char('s') | Key::ArrowRight | Key::Enter => {
                    skipped.insert(record.name.clone());
                    break;
                }
                Key::Char('p') => show(record, &desk.run)?,
                Key::Char('o') => paths(record, &desk.run)?,
                Key::Char('q') | Key::Escape | Key::CtrlC => return Ok(()),
                _ => {}
            }
        }
    }
    let left = desk.waiting().len();
    stdout::line(&if left == 0 { "nothing is pending any more".to_string() } else { format!("{left} still pending") })
}

fn cluster_of(record: &CaseRecord) -> &str {
    record.why_differs.as_ref().map_or("", |why| why.cluster.as_str())
}

fn decide(desk: &mut Desk, records: &[&CaseRecord], verb: Verb) -> Result<(), Failure> {
    desk.decide(&records.iter().map(|record| Decision::new(record, verb, "")).collect::<Vec<_>>())?;
    let word = if verb == Verb::Accept { "accepted" } else { "rejected" };
    records.iter().try_for_each(|record| stdout::line(&format!("{word} {}", record.name)))
}

fn tell(record: &CaseRecord, run: &Run, surroundings: &Surroundings) -> Result<(), Failure> {
    let clusters = run.clusters();
    let paint = if surroundings.color { Paint::Colored } else { Paint::Plain };
    let folder = run.folder.display().to_string();
    stdout::write(failure_block(record, &Around { clusters, folder: &folder, paint }).as_bytes())
}

fn paths(record: &CaseRecord, run: &Run) -> Result<(), Failure> {
    for (word, name) in [("old", &record.old_picture), ("new", &record.new_picture)] {
        if let Some(name) = name {
            stdout::line(&format!("{word} {}", run.folder.join(name).display()))?;
        }
    }
    Ok(())
}

/// Old, new and difference side by side, where the terminal can.
fn show(record: &CaseRecord, run: &Run) -> Result<(), Failure> {
    let open = |name: &Option<String>| {
        let bytes = read_picture(&run.folder, name.as_ref()?).ok()?;
        decode_png(&bytes).ok()
    };
    let pictures: Vec<Picture> = match (open(&record.old_picture), open(&record.new_picture)) {
        (Some(old), Some(new)) => {
            let difference = {
                let [old, new] = in_one_form(&old, &new);
                Differences::of(&old, &new).ok().map(|found| difference_picture(&found))
            };
            [old, new].into_iter().chain(difference).map(plain).collect()
        }
        (None, Some(new)) => vec![plain(new)],
        _ => return Ok(()),
    };
    let columns = pictures.len() as u32;
    match sheet(&pictures, columns, 1) {
        Ok(picture) => Show::Auto.settled().draw(&picture),
        Err(error) => {
            stderr::note(&error.to_string());
            Ok(())
        }
    }
}

/// 8 bits, without alpha: a sheet's pictures are of one format.
fn plain(picture: Picture) -> Picture {
    let wide = picture.channel_count as usize;
    let bytes: Vec<u8> = match &picture.samples {
        Samples::U8(values) => values.clone(),
        Samples::U16(values) => values.iter().map(|value| (value >> 8) as u8).collect(),
        _ => return picture,
    };
    let samples = bytes.chunks_exact(wide).flat_map(|texel| match wide {
        1 | 2 => [texel[0]; 3],
        _ => [texel[0], texel[1], texel[2]],
    });
    Picture { channel_count: 3, samples: Samples::U8(samples.collect()), ..picture }
}
