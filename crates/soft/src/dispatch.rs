//! Dispatch: one compute grid.
//!
//! In: a `work::Dispatch`. Out: what its workgroups write. Workgroups run in ascending x, then y, then z; on several
//! threads only where the program's traits say that nobody can tell.

use std::sync::{Mutex, PoisonError};

use crate::exec::{Machine, Prepared, Processor};
use crate::work::{Dispatch, DispatchGroups, Fault};

/// Machines at rest, kept with their memory between dispatches.
#[derive(Debug, Default)]
pub struct Machines(Mutex<Vec<Machine>>);

impl Machines {
    /// `count` machines; the missing ones are made.
    fn take(&self, count: usize, make: impl Fn() -> Machine) -> Vec<Machine> {
        let mut kept = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let from = kept.len().saturating_sub(count);
        let mut out = kept.split_off(from);
        out.resize_with(count, make);
        out
    }

    /// Puts machines to rest.
    fn give(&self, machines: Vec<Machine>) {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).extend(machines);
    }
}

/// Workgroups that one task runs: enough that fetching a task does not show.
const GROUPS_PER_TASK: u64 = 16;

/// An indirect dispatch over this many groups in a direction is no dispatch (WebGPU, `dispatchWorkgroupsIndirect`).
const GROUPS_MAX: u32 = 65535;

/// Runs every workgroup of `dispatch`.
pub fn run(processor: &Processor, kept: &Machines, dispatch: &Dispatch) -> Result<(), Fault> {
    let counts = group_counts(&dispatch.groups);
    let total = counts.iter().map(|n| u64::from(*n)).product::<u64>();
    if total == 0 {
        return Ok(());
    }
    let program = &dispatch.pipeline.stage.program;
    let prepared = Prepared::new(program, &dispatch.bindings, counts)?;
    let ordered = prepared.is_ordered(program, counts);
    let threads = if ordered { 1 } else { processor.pool.threads() };
    let tasks = if threads == 1 { 1 } else { total.div_ceil(GROUPS_PER_TASK) };
    let per_task = total.div_ceil(tasks);
    let mut machines = kept.take(threads, || processor.machine());
    // The fault of the lowest workgroup is reported, whichever thread met one first.
    let fault: Mutex<Option<(u64, Fault)>> = Mutex::new(None);
    processor.pool.run(tasks as usize, &mut machines, |machine, task| {
        machine.begin(program, &prepared);
        let first = task as u64 * per_task;
        let end = total.min(first + per_task);
        let together = if ordered { 1 } else { program.groups_per_run as usize };
        let mut groups: Vec<[u32; 3]> = Vec::with_capacity(together);
        for index in (first..end).step_by(together) {
            groups.clear();
            groups.extend((index..end).take(together).map(|i| group_id(i, counts)));
            if let Err(new) = machine.run_workgroups(program, &prepared, &groups) {
                let mut known = fault.lock().unwrap_or_else(PoisonError::into_inner);
                if known.as_ref().is_none_or(|(at, _)| index < *at) {
                    *known = Some((index, new));
                }
                return;
            }
        }
    });
    kept.give(machines);
    match fault.into_inner().unwrap_or_else(PoisonError::into_inner) {
        Some((_, fault)) => Err(fault),
        None => Ok(()),
    }
}

fn group_counts(groups: &DispatchGroups) -> [u32; 3] {
    match groups {
        DispatchGroups::Direct(counts) => *counts,
        DispatchGroups::Indirect { arguments, offset_bytes } => {
            let mut words = [[0; 4]; 3];
            for (k, word) in words.iter_mut().enumerate() {
                arguments.memory.read(*offset_bytes as usize + 4 * k, word);
            }
            let counts = words.map(u32::from_le_bytes);
            if counts.iter().any(|n| *n > GROUPS_MAX) { [0; 3] } else { counts }
        }
    }
}

/// The group with this number in the order of execution.
fn group_id(index: u64, counts: [u32; 3]) -> [u32; 3] {
    let (x, y) = (u64::from(counts[0]), u64::from(counts[1]));
    [(index % x) as u32, (index / x % y) as u32, (index / x / y) as u32]
}

#[cfg(test)]
mod tests {
    use super::group_id;

    #[test]
    fn groups_run_x_first() {
        let ids: Vec<_> = (0..8).map(|i| group_id(i, [3, 2, 2])).collect();
        assert_eq!(ids[..4], [[0, 0, 0], [1, 0, 0], [2, 0, 0], [0, 1, 0]]);
        assert_eq!(ids[6..], [[0, 0, 1], [1, 0, 1]]);
    }
}
