//! Which part of the work is this machine's.

use stillframe_frames::{Partition, Split};

use super::status::Failure;

/// The variables by which systems number their jobs: index, count, and whether the index counts from 1.
const SYSTEMS: &[(&str, &str, &str, u32)] = &[
    ("GitLab", "CI_NODE_INDEX", "CI_NODE_TOTAL", 1),
    ("Buildkite", "BUILDKITE_PARALLEL_JOB", "BUILDKITE_PARALLEL_JOB_COUNT", 0),
    ("CircleCI", "CIRCLE_NODE_INDEX", "CIRCLE_NODE_TOTAL", 0),
    ("GitHub", "STRATEGY_JOB_INDEX", "STRATEGY_JOB_TOTAL", 0),
    ("Slurm", "SLURM_ARRAY_TASK_ID", "SLURM_ARRAY_TASK_COUNT", 0),
    ("Kubernetes", "JOB_COMPLETION_INDEX", "JOB_COMPLETIONS", 0),
];

/// The part that the command line asks for; `auto`: the one that the environment says, by hash.
pub fn wished(text: Option<&str>) -> Result<Option<Partition>, Failure> {
    match text {
        None => Ok(None),
        Some("auto") => from_environment(&read).map(Some),
        Some(text) => match Partition::parse(text) {
            Ok(partition) => Ok(Some(partition)),
            Err(message) => Err(Failure::usage(format!("`--partition {text}`: {message}, or `auto`"))),
        },
    }
}

#[expect(clippy::disallowed_methods, reason = "the command line reads what CI systems and schedulers say")]
fn read(name: &str) -> Option<String> {
    std::env::var(name).ok().filter(|value| !value.is_empty())
}

fn from_environment(read: &dyn Fn(&str) -> Option<String>) -> Result<Partition, Failure> {
    for (system, index, count, first) in SYSTEMS {
        let (Some(index_text), Some(count_text)) = (read(index), read(count)) else { continue };
        let wrong = || {
            Failure::usage(format!("{system}: {index}={index_text} and {count}={count_text} are not a valid partition"))
        };
        let number = |text: &str| text.trim().parse::<u32>().map_err(|_| wrong());
        // Arrays of Slurm may begin anywhere.
        let first = match (*system, read("SLURM_ARRAY_TASK_MIN")) {
            ("Slurm", Some(min)) => number(&min)?,
            _ => *first,
        };
        let (at, count) = (number(&index_text)?, number(&count_text)?);
        let part =
            at.checked_sub(first).map(|at| at + 1).filter(|part| (1..=count).contains(part)).ok_or_else(wrong)?;
        return Ok(Partition { how: Split::Hash, part, count });
    }
    let known: Vec<String> =
        SYSTEMS.iter().map(|(system, index, count, _)| format!("{system} ({index}, {count})")).collect();
    let help = Some(format!("reads the variables of {}", known.join("; ")));
    Err(Failure::Usage("`--partition auto`: no environment variable says which part to run".into(), help))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_system_is_understood() {
        let of = |pairs: &[(&str, &str)]| {
            let pairs: Vec<(String, String)> = pairs.iter().map(|(a, b)| (a.to_string(), b.to_string())).collect();
            let read = move |name: &str| pairs.iter().find(|(known, _)| known == name).map(|(_, value)| value.clone());
            from_environment(&read).map(|partition| (partition.part, partition.count)).ok()
        };
        assert_eq!(of(&[("CI_NODE_INDEX", "1"), ("CI_NODE_TOTAL", "4")]), Some((1, 4)));
        assert_eq!(of(&[("BUILDKITE_PARALLEL_JOB", "3"), ("BUILDKITE_PARALLEL_JOB_COUNT", "4")]), Some((4, 4)));
        assert_eq!(of(&[("CIRCLE_NODE_INDEX", "0"), ("CIRCLE_NODE_TOTAL", "2")]), Some((1, 2)));
        assert_eq!(of(&[("STRATEGY_JOB_INDEX", "1"), ("STRATEGY_JOB_TOTAL", "2")]), Some((2, 2)));
        assert_eq!(of(&[("JOB_COMPLETION_INDEX", "4"), ("JOB_COMPLETIONS", "5")]), Some((5, 5)));
        let slurm = [("SLURM_ARRAY_TASK_ID", "12"), ("SLURM_ARRAY_TASK_COUNT", "3"), ("SLURM_ARRAY_TASK_MIN", "10")];
        assert_eq!(of(&slurm), Some((3, 3)));
        assert_eq!(of(&slurm[..2]), None, "12 of 3");
        assert_eq!(of(&[("CI_NODE_INDEX", "0"), ("CI_NODE_TOTAL", "4")]), None, "counted from 1");
        assert_eq!(of(&[]), None);
    }
}
