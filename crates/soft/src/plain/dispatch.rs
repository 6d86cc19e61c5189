//! Dispatch: workgroup after workgroup, x fastest.

use naga::BuiltIn;

use super::bytes;
use super::group::Group;
use super::io;
use super::value::Value;
use crate::work::{Dispatch, DispatchGroups, Fault};

/// Executes a dispatch; the invocations of a workgroup advance in lock step.
pub fn run_dispatch(dispatch: &Dispatch, step_budget: u64) -> Result<(), Fault> {
    let counts: [u32; 3] = match &dispatch.groups {
        DispatchGroups::Direct(counts) => *counts,
        DispatchGroups::Indirect { arguments, offset_bytes } => {
            std::array::from_fn(|i| bytes::read_u32(&arguments.memory, *offset_bytes as usize + 4 * i))
        }
    };
    for z in 0..counts[2] {
        for y in 0..counts[1] {
            for x in 0..counts[0] {
                run_workgroup(dispatch, counts, [x, y, z], step_budget)?;
            }
        }
    }
    Ok(())
}

fn run_workgroup(dispatch: &Dispatch, counts: [u32; 3], id: [u32; 3], step_budget: u64) -> Result<(), Fault> {
    let stage = &dispatch.pipeline.stage;
    let entry = &stage.shader.module.entry_points[stage.entry_index];
    let size = entry.workgroup_size;
    let lane_count = size.iter().product::<u32>() as usize;
    let mut group = Group::new(stage, &dispatch.bindings, lane_count, step_budget);
    let arguments = io::arguments(&stage.shader.module, &entry.function, lane_count, |binding, _, lane| {
        let index = lane as u32;
        let local = [index % size[0], index / size[0] % size[1], index / size[0] / size[1]];
        let naga::Binding::BuiltIn(builtin) = binding else { unreachable!("{binding:?} in a compute stage") };
        match builtin {
            BuiltIn::LocalInvocationId => Value::uints(&local),
            BuiltIn::LocalInvocationIndex => Value::u32(index),
            BuiltIn::GlobalInvocationId => {
                Value::uints(&std::array::from_fn::<_, 3, _>(|i| id[i].wrapping_mul(size[i]).wrapping_add(local[i])))
            }
            BuiltIn::WorkGroupId => Value::uints(&id),
            BuiltIn::WorkGroupSize => Value::uints(&size),
            BuiltIn::NumWorkGroups => Value::uints(&counts),
            other => unreachable!("{other:?} in a compute stage"),
        }
    });
    group.run(&entry.function, arguments, vec![true; lane_count])?;
    Ok(())
}
