//! Which cases are run: filters, partitions, what failed last, what changed.

use std::collections::BTreeSet;

use stillframe_frames::run::{CaseRecord, Status, split_name};
use stillframe_frames::{Filter, Partition};

use super::args::TestArgs;
use super::workers::Task;
use super::{failed_names, timeout};
use crate::cli::status::Failure;
use crate::cli::{from, git, partition, project};
use crate::harness::{Listed, Piece, Project, diagnostic_lines};

/// What is run, and what is judged without being rendered.
pub struct Chosen {
    pub tasks: Vec<Task>,
    /// Scenes that cannot be read, and references without a case.
    pub records: Vec<CaseRecord>,
    pub partition: Option<Partition>,
    /// Selected references that tests of a program compare with, and no scene.
    pub of_tests: usize,
    /// Whether choosing nothing is not a failure: nothing failed last, nothing changed, or another part has it.
    pub excused: bool,
}

pub fn choose(args: &TestArgs, project: &Project, listed: &[Listed]) -> Result<Chosen, Failure> {
    let filters = project::filters(&args.filter)?;
    let partition = partition::wished(args.partition.as_deref())?;
    let mut wanted = Wanted { filters, failed: None, changed: None };
    if args.last_failed {
        wanted.failed = Some(failed_names(&from::open(project, None)?.run).into_iter().collect());
    }
    if let Some(reference) = &args.only_changed {
        wanted.changed = Some(git::changed_since(&project.root, reference)?.into_iter().collect());
    }
    let Unasked { gone, of_tests } = unasked(project, listed)?;
    let of_tests = of_tests.iter().filter(|name| Filter::any_matches(&wanted.filters, name, &[])).count();
    // Everything that has a name takes part in the division, so that each machine sees the same list.
    let mut names: Vec<(&str, &[String])> = Vec::new();
    for piece in listed.iter().flat_map(|scene| &scene.pieces) {
        names.extend(piece.cases.iter().map(|case| (case.name.as_str(), piece.tags.as_slice())));
    }
    names.extend(gone.iter().map(|name| (name.as_str(), &[][..])));
    names.retain(|(name, tags)| Filter::any_matches(&wanted.filters, name, tags));
    names.sort();
    let matched = names.len();
    let ours: BTreeSet<&str> = names
        .iter()
        .enumerate()
        .filter(|(index, (name, _))| partition.is_none_or(|partition| partition.holds(*index, name)))
        .map(|(_, (name, _))| *name)
        .collect();

    let mut chosen = Chosen { tasks: Vec::new(), records: Vec::new(), partition, of_tests, excused: false };
    let groups = groups(project)?;
    for scene in listed {
        for piece in &scene.pieces {
            let mut piece = piece.clone();
            let reachable = wanted.changed.as_ref().is_none_or(|changed| touches(changed, &piece, project));
            piece.cases.retain(|case| reachable && ours.contains(case.name.as_str()) && wanted.holds(&case.name));
            if piece.cases.is_empty() {
                continue;
            }
            if !scene.mistakes.is_empty() {
                let message = diagnostic_lines(&scene.mistakes);
                let record = CaseRecord::without_picture(&piece.cases[0].name, Status::Invalid, message);
                chosen.records.push(CaseRecord { scene: piece.scene.clone(), ..record });
                continue;
            }
            let weight = |(filter, weight): &(Filter, u32)| {
                piece.cases.iter().any(|case| filter.matches(&case.name, &piece.tags)).then_some(*weight)
            };
            let weight = groups.iter().filter_map(weight).max().unwrap_or(1);
            let timeout = timeout(args, project, piece.cases.len());
            chosen.tasks.push(Task { piece, weight, timeout });
        }
    }
    if wanted.failed.is_none() && wanted.changed.is_none() {
        let of_ours = gone.iter().filter(|name| ours.contains(name.as_str()));
        chosen.records.extend(of_ours.map(|name| {
            CaseRecord::without_picture(
                name,
                Status::Gone,
                "no case for this reference: its scene was removed or changed",
            )
        }));
    }
    chosen.excused = matched > 0;
    Ok(chosen)
}

/// What the command line selects, before partitioning.
struct Wanted {
    filters: Vec<Filter>,
    failed: Option<BTreeSet<String>>,
    /// Files, from the project's folder.
    changed: Option<BTreeSet<String>>,
}

impl Wanted {
    fn holds(&self, name: &str) -> bool {
        self.failed.as_ref().is_none_or(|failed| failed.contains(name))
    }
}

/// Whether a change can reach a piece: its scene's file, a file that the scene may read, or the project's own changed.
/// Which files it reads is known for sure only after it has; so everything below the scenes' folders that is not a
/// scene counts for all, but files that belong to other families of references do not.
fn touches(changed: &BTreeSet<String>, piece: &Piece, project: &Project) -> bool {
    let references = format!("{}/", project.config.references);
    let (family, _) = split_name(&piece.cases[0].name);
    changed.iter().any(|file| {
        if let Some(rest) = file.strip_prefix(&references) {
            // Files of the family without a name lie beside the folders of the others.
            return match family {
                "" => !rest.contains('/'),
                family => rest.strip_prefix(family).is_some_and(|rest| rest.starts_with('/')),
            };
        }
        let is_other_scene = file.ends_with(".toml")
            && file.starts_with(&format!("{}/", project.config.scenes))
            && !file.contains("/assets/")
            && *file != piece.scene;
        !is_other_scene
    })
}

/// Names of references that no case asks for.
#[derive(Default)]
struct Unasked {
    gone: Vec<String>,
    /// Tests of a program ask for them.
    of_tests: Vec<String>,
}

/// Of a scene that cannot be read, nobody knows its cases.
fn unasked(project: &Project, listed: &[Listed]) -> Result<Unasked, Failure> {
    let store = project::store(project)?;
    let known: BTreeSet<&str> =
        listed.iter().flat_map(|s| &s.pieces).flat_map(|p| &p.cases).map(|case| case.name.as_str()).collect();
    let broken: BTreeSet<&str> = listed
        .iter()
        .filter(|scene| !scene.mistakes.is_empty())
        .flat_map(|scene| &scene.pieces)
        .flat_map(|piece| &piece.cases)
        .map(|case| case.name.as_str())
        .collect();
    let mut out = Unasked::default();
    for family in store.families().map_err(project::of_store)? {
        for line in store.lock(&family).map_err(project::of_store)?.lines() {
            let name = if family.is_empty() { line.name.clone() } else { format!("{family}/{}", line.name) };
            let base = &name[..name.find(['[', '@', '#']).unwrap_or(name.len())];
            if !line.owner().is_scene() {
                out.of_tests.push(name);
            } else if !known.contains(name.as_str()) && !broken.contains(base) {
                out.gone.push(name);
            }
        }
    }
    Ok(out)
}

fn groups(project: &Project) -> Result<Vec<(Filter, u32)>, Failure> {
    let mut out = Vec::new();
    for group in &project.config.groups {
        for filter in project::filters(&group.filters)? {
            out.push((filter, group.weight));
        }
    }
    Ok(out)
}
