//! Simpler: making a task small while its answer stays wrong.

use super::limits::Limits;
use super::task::{Joint, Task};

/// The simplest task found, within limits, that `still` holds for; `task` itself must. `still` is asked at most
/// `tries_max` times.
pub fn shrink(task: &Task, limits: &Limits, tries_max: usize, mut still: impl FnMut(&Task) -> bool) -> Task {
    let (mut best, mut tries_left) = (task.clone(), tries_max);
    loop {
        let before = best.clone();
        let (mut index, mut candidates) = (0, simpler(&best));
        while let Some(candidate) = candidates.get(index) {
            if tries_left == 0 {
                return best;
            }
            index += 1;
            if *candidate == best || !limits.holds(candidate) {
                continue;
            }
            tries_left -= 1;
            if still(candidate) {
                best = candidate.clone();
                (index, candidates) = (0, simpler(&best));
            }
        }
        if best == before {
            return best;
        }
    }
}

/// Tasks with one thing less.
fn simpler(task: &Task) -> Vec<Task> {
    let mut out = Vec::new();
    let mut change = |change: &dyn Fn(&mut Task)| {
        let mut task = task.clone();
        change(&mut task);
        out.push(task);
    };
    match task {
        Task::Blend { layers } => {
            let count = layers[0].pose.len();
            for at in (1..layers.len()).rev() {
                change(&|task| drop(of_layers(task).remove(at)));
                change(&|task| of_layers(task)[at].mask = None);
            }
            for joint in (0..count).rev().filter(|_| count > 1) {
                change(&|task| {
                    for layer in of_layers(task) {
                        layer.pose.remove(joint);
                        if let Some(mask) = &mut layer.mask {
                            mask.remove(joint);
                        }
                    }
                });
            }
            for at in 0..layers.len() {
                change(&|task| of_layers(task)[at].weight = 1.0);
                for joint in 0..count {
                    each_plain(|plain| change(&|task| plain(&mut of_layers(task)[at].pose[joint])));
                }
            }
        }
        Task::Add { pose, .. } => {
            for joint in (0..pose.len()).rev().filter(|_| pose.len() > 1) {
                change(&|task| {
                    let Task::Add { pose, delta, .. } = task else { return };
                    pose.remove(joint);
                    delta.remove(joint);
                });
            }
            for joint in 0..pose.len() {
                each_plain(|plain| {
                    change(&|task| {
                        if let Task::Add { pose, .. } = task {
                            plain(&mut pose[joint])
                        }
                    });
                    change(&|task| {
                        if let Task::Add { delta, .. } = task {
                            plain(&mut delta[joint])
                        }
                    });
                });
            }
            change(&|task| {
                if let Task::Add { weight, .. } = task {
                    *weight = 1.0
                }
            });
        }
        Task::Model { pose, parents } => {
            // A joint without children can go.
            for joint in (0..pose.len()).rev().filter(|joint| pose.len() > 1 && !parents.contains(&Some(*joint))) {
                change(&|task| {
                    let Task::Model { pose, parents } = task else { return };
                    pose.remove(joint);
                    parents.remove(joint);
                    let after = |parent: &mut usize| *parent -= usize::from(*parent > joint);
                    parents.iter_mut().flatten().for_each(after);
                });
            }
            for joint in 0..pose.len() {
                each_plain(|plain| {
                    change(&|task| {
                        if let Task::Model { pose, .. } = task {
                            plain(&mut pose[joint])
                        }
                    })
                });
            }
        }
        Task::Skin { vertices, matrices } | Task::SkinDual { vertices, matrices } => {
            for at in (0..vertices.len()).rev().filter(|_| vertices.len() > 1) {
                change(&|task| drop(of_vertices(task).0.remove(at)));
            }
            for (at, vertex) in vertices.iter().enumerate() {
                for place in (1..vertex.joints.len()).rev() {
                    change(&|task| {
                        let vertex = &mut of_vertices(task).0[at];
                        vertex.joints.remove(place);
                        let weight = vertex.weights.remove(place);
                        vertex.weights[0] += weight;
                    });
                }
                change(&|task| of_vertices(task).0[at].position = [0.0; 3]);
            }
            let still = [1.0, 0.0, 0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 0.0, 1.0, 0.0];
            for at in 0..matrices.len() {
                change(&|task| of_vertices(task).1[at] = still);
            }
        }
    }
    out
}

/// Ways to make a joint plain.
fn each_plain(mut each: impl FnMut(&dyn Fn(&mut Joint))) {
    each(&|joint| joint.translation = [0.0; 3]);
    each(&|joint| joint.rotation = Joint::IDENTITY.rotation);
    each(&|joint| joint.scale = [1.0; 3]);
}

fn of_layers(task: &mut Task) -> &mut Vec<super::Layer> {
    match task {
        Task::Blend { layers } => layers,
        _ => unreachable!("asked of blends"),
    }
}

fn of_vertices(task: &mut Task) -> (&mut Vec<super::Vertex>, &mut Vec<[f64; 12]>) {
    match task {
        Task::Skin { vertices, matrices } | Task::SkinDual { vertices, matrices } => (vertices, matrices),
        _ => unreachable!("asked of skins"),
    }
}
