//! `bench`: times the table of `stillframe_lab::bench`, and pictures, on this machine.
//!
//! `draw` has the rows of pictures, `record` is what is kept of a run, `machine` what it ran on.

mod draw;
mod machine;
mod record;

use clap::Args as ClapArgs;
use std::path::{Path, PathBuf};

use record::{Record, Row};
use stillframe_base::lanes::Isa;
use stillframe_frames::Filter;

use super::status::Failure;
use super::{Surroundings, clock, isa, stdout};
use stillframe_lab::bench::{CASES, Case, Figure, ROUNDS, Ready, Setting, measure};

/// Time the program's building blocks: animation, skinning, memory, pictures
#[derive(ClapArgs, Debug)]
#[command(after_help = "\
Examples:
  stillframe bench --list
  stillframe bench anim/blend --rounds 5
  stillframe bench 'skin/*/10k' --rounds 5 --json skin.json
  stillframe bench anim/palette --isa all --rounds 5
  stillframe bench anim/time --save a && stillframe bench anim/time --against a

A time is the median of all rounds. The settings of a case are measured in turn,
so that a disturbance affects all of them. Every output is checked first: it
must be finite, and have the same bits for all instruction sets and thread
counts.

The ratio is the new time over the old: above 1 is slower. Compare only ratios
of one run. Times from different or busy machines are not comparable. --save
writes to target/stillframe/bench.")]
pub struct BenchArgs {
    /// Select cases by the start of their name, a glob (`skin/*/1m`), `=NAME` or `re:EXPRESSION`. A case that
    /// matches any of them is selected
    pub filter: Vec<String>,
    /// List the cases
    #[arg(long)]
    pub list: bool,
    /// Instruction sets, separated by commas, or all [default: the fastest, or STILLFRAME_ISA]
    #[arg(long, value_name = "NAME")]
    pub isa: Option<String>,
    /// Threads of cases that use several; one thread is also timed [default: one per core]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..=1024))]
    pub threads: Option<u32>,
    /// Rounds per case [default: 101]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..=100_000))]
    pub rounds: Option<u32>,
    /// Write the results as JSON; - is standard output, without the table
    #[arg(long, value_name = "FILE")]
    pub json: Option<PathBuf>,
    /// Save the results under a name
    #[arg(long, value_name = "NAME")]
    pub save: Option<String>,
    /// Compare with results saved under a name
    #[arg(long, value_name = "NAME")]
    pub against: Option<String>,
}

pub fn run(args: &BenchArgs, surroundings: &Surroundings) -> Result<(), Failure> {
    let cases = cases(args)?;
    if args.list {
        return list(&cases);
    }
    let isas = isas(args.isa.as_deref())?;
    let against = args.against.as_deref().map(record::load).transpose()?;
    let save = args.save.as_deref().map(record::file).transpose()?;
    // Standard output holds either a table or a document.
    let table = args.json.as_deref() != Some(Path::new("-"));
    if table {
        head(&isas, args.against.as_deref(), surroundings)?;
    }
    let mut rows = Vec::new();
    for case in cases {
        for row in timed(case, &isas, args, surroundings)? {
            let before = against.as_ref().and_then(|record| record.like(&row));
            if table {
                told(&row, before, against.is_some())?;
            }
            rows.push(row);
        }
    }
    let record = Record::new(rows);
    for file in args.json.iter().chain(&save).filter(|file| *file != Path::new("-")) {
        record.write(file, surroundings)?;
    }
    if table { Ok(()) } else { stdout::write(record.text().as_bytes()) }
}

/// Those that are meant, in the order of the table.
fn cases(args: &BenchArgs) -> Result<Vec<&'static Case>, Failure> {
    let filters: Vec<(&String, Filter)> = args
        .filter
        .iter()
        .map(|text| Ok((text, Filter::parse(text).map_err(|error| Failure::usage(error.to_string()))?)))
        .collect::<Result<_, Failure>>()?;
    let is_pattern = |text: &str| text.contains(['*', '?', '{']) || text.starts_with('=') || text.starts_with("re:");
    let matches = |(text, filter): &(&String, Filter), case: &Case| match is_pattern(text) {
        true => filter.matches(case.name, &[]),
        false => case.name.starts_with(text.as_str()),
    };
    let wanted = |case: &&Case| filters.is_empty() || filters.iter().any(|filter| matches(filter, case));
    let found: Vec<&Case> = CASES.iter().chain(draw::CASES).filter(wanted).collect();
    match found.is_empty() {
        true => Err(Failure::NoMatch(
            format!("no case matches {}", args.filter.join(" or ")),
            Some("`stillframe bench --list` lists the cases".into()),
        )),
        false => Ok(found),
    }
}

fn list(cases: &[&Case]) -> Result<(), Failure> {
    cases.iter().try_for_each(|case| stdout::line(&format!("{:24}{:14}{}", case.name, case.unit.name(), case.does)))
}

/// `None`: what the environment says, else the fastest.
fn isas(name: Option<&str>) -> Result<Vec<Isa>, Failure> {
    let one = |name: &str| name.parse::<Isa>().map_err(|error| Failure::usage(error.to_string()));
    match name {
        None => Ok(vec![isa()?]),
        Some("all") => Ok(Isa::available()),
        Some(names) => names.split(',').map(one).collect(),
    }
}

/// A case in all its settings, in turn; results are compared first.
fn timed(case: &Case, isas: &[Isa], args: &BenchArgs, surroundings: &Surroundings) -> Result<Vec<Row>, Failure> {
    let cores = std::thread::available_parallelism().map_or(1, |count| count.get());
    let most = args.threads.map_or(cores, |threads| threads as usize);
    let threads = match case.by_threads && most > 1 {
        true => vec![1, most],
        false => vec![1],
    };
    let isas = if case.by_isa { isas } else { &isas[..1] };
    let settings: Vec<Setting> =
        isas.iter().flat_map(|isa| threads.iter().map(|threads| Setting { isa: *isa, threads: *threads })).collect();
    let mut works: Vec<Ready> = Vec::with_capacity(settings.len());
    let mut first = None;
    for setting in &settings {
        let mut work = (case.prepare)(*setting);
        let wrong = |why: String| Failure::Fault(format!("{} at {}: {why}", case.name, setting.isa));
        let found = work.check().map_err(wrong)?;
        if *first.get_or_insert(found) != found {
            return Err(wrong(format!("the result differs from that of {}", settings[0].isa)));
        }
        works.push(work);
    }
    let now = || clock::now().duration_since(surroundings.start).as_nanos() as u64;
    let rounds = args.rounds.map_or(ROUNDS, |rounds| rounds as usize);
    let figures = measure(&mut works, case.unit, rounds, &now);
    let row = |(setting, figure): (&Setting, Figure)| Row {
        name: case.name.to_string(),
        unit: case.unit.name(),
        isa: case.by_isa.then(|| setting.isa.name().to_string()),
        threads: setting.threads,
        median: figure.median,
        min: figure.min,
        samples: figure.samples,
        peer: None,
    };
    Ok(settings.iter().zip(figures).map(row).collect())
}

fn head(isas: &[Isa], against: Option<&str>, surroundings: &Surroundings) -> Result<(), Failure> {
    if !surroundings.quiet {
        stdout::line(&machine::words())?;
        if cfg!(debug_assertions) {
            stdout::line("! a development build: most figures are slower than in a release build")?;
        }
        stdout::line(&format!(
            "instruction sets: {}",
            isas.iter().map(|isa| isa.name()).collect::<Vec<_>>().join(", ")
        ))?;
        stdout::line("")?;
    }
    let against = against.map_or(String::new(), |name| format!("{name:>10} {:>8}", "ratio"));
    stdout::line(&format!(
        "{:26}{:8}{:>8}{:>10}{:>10}  {:14}{against}",
        "case", "isa", "threads", "median", "best", "unit"
    ))
}

/// A row of the table.
fn told(row: &Row, before: Option<&Row>, compared: bool) -> Result<(), Failure> {
    let Row { name, unit, threads, median, min, .. } = row;
    let isa = row.isa.as_deref().unwrap_or("-");
    let mut line = format!("{name:26}{isa:8}{threads:8}{:>10}{:>10}  {unit:14}", digits(*median), digits(*min));
    if compared {
        let words = before.map_or("-".to_string(), |before| digits(before.median));
        let ratio = before.map_or("-".to_string(), |before| format!("{:.2}", row.ratio(before)));
        line.push_str(&format!("{words:>10} {ratio:>8}"));
    }
    stdout::line(line.trim_end())
}

/// Three digits that count.
fn digits(value: f64) -> String {
    match value {
        v if v >= 100.0 => format!("{v:.0}"),
        v if v >= 10.0 => format!("{v:.1}"),
        v if v >= 1.0 => format!("{v:.2}"),
        v => format!("{v:.3}"),
    }
}
