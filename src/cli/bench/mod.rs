//! `bench`: times the table of `stillframe_lab::bench`, and pictures, on this machine.
//!
//! `draw` has the rows of pictures, `own` those of somebody's character, `record` is what is kept of a run, `machine`
//! what it ran on.

mod draw;
mod machine;
mod own;
mod record;

use clap::Args as ClapArgs;
use std::path::{Path, PathBuf};

use record::{Character, Record, Row};
use stillframe_base::lanes::Isa;
use stillframe_frames::Filter;

use super::status::{FINDING, Failure};
use super::{Surroundings, clock, isa, stderr, stdout};
use crate::scene::{ClipChoice, parse_clip};
use stillframe_lab::bench::{CASES, Case, Figure, ROUNDS, Ready, Setting, Unit, measure};

/// Time the program's building blocks: animation, skinning, memory, pictures
#[derive(ClapArgs, Debug)]
#[command(after_help = "\
Examples:
  stillframe bench --list
  stillframe bench anim/blend --rounds 5
  stillframe bench 'skin/*/10k' --rounds 5 --json skin.json
  stillframe bench anim/palette --isa all --rounds 5
  stillframe bench anim/time --save a && stillframe bench anim/time --against a
  stillframe bench skin --model figure.glb --clip walk --rounds 5

A time is the median of all rounds. The spread is the share of the median that
lies between the quartiles. The settings of a case are measured in turn, so that
a disturbance affects all of them. Every output is checked first: it must be
finite, and have the same bits for all instruction sets and thread counts.

The ratio is the new time over the old: above 1 is slower. Compare only ratios
of one run. Times from different or busy machines are not comparable. --save
writes to target/stillframe/bench.

With --model, the cases do their work on a clip of a file instead of made-up
input, and on the meshes that a skin bends, half way through the clip.")]
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
    /// With --against: exit status 1 if a ratio is above R
    #[arg(long, value_name = "R", requires = "against", value_parser = ratio)]
    pub fail_above: Option<f64>,
    /// Time a model of your own (.glb .gltf .fbx)
    #[arg(long, value_name = "FILE")]
    pub model: Option<PathBuf>,
    /// Clip of the model by name, or `#N` counted from 0 [default: the only one]
    #[arg(long, value_name = "CLIP", requires = "model", value_parser = parse_clip)]
    pub clip: Option<ClipChoice>,
    /// Treat warnings about the model as errors
    #[arg(long, requires = "model")]
    pub strict: bool,
}

/// Above 0.
fn ratio(text: &str) -> Result<f64, String> {
    let ratio = text.parse::<f64>().ok().filter(|ratio| ratio.is_finite() && *ratio > 0.0);
    ratio.ok_or_else(|| "expected a number above 0, such as 1.05".to_string())
}

/// Something that is timed.
struct Work {
    name: String,
    unit: Unit,
    does: String,
    by_isa: bool,
    by_threads: bool,
    prepare: Box<dyn Fn(Setting) -> Ready>,
}

impl From<&Case> for Work {
    fn from(case: &Case) -> Work {
        let Case { name, unit, does, by_isa, by_threads, prepare } = *case;
        Work { name: name.to_string(), unit, does: does.to_string(), by_isa, by_threads, prepare: Box::new(prepare) }
    }
}

pub fn run(args: &BenchArgs, surroundings: &Surroundings) -> Result<(), Failure> {
    let (works, character) = works(args, surroundings)?;
    if args.list {
        return list(&works);
    }
    let isas = isas(args.isa.as_deref())?;
    let against = args.against.as_deref().map(|name| before(name, character.as_ref())).transpose()?;
    let save = args.save.as_deref().map(record::file).transpose()?;
    // Standard output holds either a table or a document.
    let table = args.json.as_deref() != Some(Path::new("-"));
    if table {
        head(&isas, args.against.as_deref(), surroundings)?;
    }
    let (mut rows, mut slower, mut compared) = (Vec::new(), Vec::new(), 0);
    for work in &works {
        for row in timed(work, &isas, args, surroundings)? {
            let before = against.as_ref().and_then(|record| record.like(&row));
            compared += usize::from(before.is_some());
            if table {
                told(&row, before, against.is_some())?;
            }
            if let Some((ratio, most)) = before.map(|before| row.ratio(before)).zip(args.fail_above)
                && ratio > most
            {
                slower.push(format!(
                    "{} {}: the ratio {ratio:.3} is above {most}",
                    row.name,
                    row.isa.as_deref().unwrap_or("")
                ));
            }
            rows.push(row);
        }
    }
    let record = Record::new(rows, character);
    for file in args.json.iter().chain(&save).filter(|file| *file != Path::new("-")) {
        record.write(file, surroundings)?;
    }
    if !table {
        stdout::write(record.text().as_bytes())?;
    }
    if args.fail_above.is_some() && compared == 0 {
        let help = "save the same cases, instruction sets and threads first".to_string();
        return Err(Failure::NoMatch("nothing was compared".into(), Some(help)));
    }
    slower.iter().for_each(|line| stderr::note(line));
    if slower.is_empty() { Ok(()) } else { Err(Failure::Several(FINDING)) }
}

/// A saved run, if it timed the same character.
fn before(name: &str, character: Option<&Character>) -> Result<Record, Failure> {
    let record = record::load(name)?;
    if record.character.as_ref() == character {
        return Ok(record);
    }
    let of = |character: Option<&Character>| match character {
        None => "the table".to_string(),
        Some(Character { model, clip }) => format!("{model}, clip {clip}"),
    };
    Err(Failure::usage(format!("{name} has figures of {}, not of {}", of(record.character.as_ref()), of(character))))
}

/// Those that are meant, in the order of the table.
fn works(args: &BenchArgs, surroundings: &Surroundings) -> Result<(Vec<Work>, Option<Character>), Failure> {
    let filters: Vec<(&String, Filter)> = args
        .filter
        .iter()
        .map(|text| Ok((text, Filter::parse(text).map_err(|error| Failure::usage(error.to_string()))?)))
        .collect::<Result<_, Failure>>()?;
    let is_pattern = |text: &str| text.contains(['*', '?', '{']) || text.starts_with('=') || text.starts_with("re:");
    let matches = |(text, filter): &(&String, Filter), name: &str| match is_pattern(text) {
        true => filter.matches(name, &[]),
        false => name.starts_with(text.as_str()),
    };
    let (mut works, character): (Vec<Work>, _) = match &args.model {
        None => (CASES.iter().chain(draw::CASES).map(Work::from).collect(), None),
        Some(model) => {
            let (works, character) = own::works(model, args.clip.as_ref(), args.strict, surroundings)?;
            (works, Some(character))
        }
    };
    works.retain(|work| filters.is_empty() || filters.iter().any(|filter| matches(filter, &work.name)));
    if !works.is_empty() {
        return Ok((works, character));
    }
    let own = args.model.as_ref().map_or(String::new(), |model| format!(" --model {}", model.display()));
    Err(Failure::NoMatch(
        format!("no case matches {}", args.filter.join(" or ")),
        Some(format!("`stillframe bench --list{own}` lists the cases")),
    ))
}

fn list(works: &[Work]) -> Result<(), Failure> {
    works.iter().try_for_each(|work| stdout::line(&format!("{:24}{:14}{}", work.name, work.unit.name(), work.does)))
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
fn timed(case: &Work, isas: &[Isa], args: &BenchArgs, surroundings: &Surroundings) -> Result<Vec<Row>, Failure> {
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
        name: case.name.clone(),
        unit: case.unit.name(),
        isa: case.by_isa.then(|| setting.isa.name().to_string()),
        threads: setting.threads,
        median: figure.median,
        spread: Some(figure.spread),
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
        "{:26}{:8}{:>8}{:>10}{:>8}{:>10}  {:14}{against}",
        "case", "isa", "threads", "median", "spread", "best", "unit"
    ))
}

/// A row of the table.
fn told(row: &Row, before: Option<&Row>, compared: bool) -> Result<(), Failure> {
    let Row { name, unit, threads, median, min, .. } = row;
    let isa = row.isa.as_deref().unwrap_or("-");
    let spread = row.spread.map_or("-".to_string(), |spread| format!("{:.1} %", spread * 100.0));
    let (median, min) = (digits(*median), digits(*min));
    let mut line = format!("{name:26}{isa:8}{threads:8}{median:>10}{spread:>8}{min:>10}  {unit:14}");
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
