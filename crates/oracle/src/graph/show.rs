//! Show: the pose of a character, by going down from the output.

use super::GraphMistake;
use super::model::Character;
use super::own::{Fade, Memory, ONE, Own, weight};
use super::pose::{Joint, MeshFaults, Offset, Pose, add, delta, matrix_mean, mean, mesh_add, mesh_delta, power_mean};
use super::script::{Kind, Mean, Part, Policy, Space, Weighted, rest};
use crate::SUB;

impl Character<'_> {
    /// The local pose that is shown now; what fades from poses shown remembers it.
    pub fn pose(&mut self) -> Pose {
        let mut made = vec![None; self.own.len()];
        self.pose_of(self.own.len() - 1, &mut made)
    }

    fn pose_of(&mut self, node: usize, made: &mut Vec<Option<Pose>>) -> Pose {
        if let Some(pose) = &made[node] {
            return pose.clone();
        }
        let pose = self.make(node, made);
        made[node] = Some(pose.clone());
        pose
    }

    fn sample(&self, clip: usize, at: i128) -> Pose {
        let at = at.clamp(i128::from(i64::MIN), i128::from(i64::MAX)) as i64;
        let joints = self.world.reels[clip].frames.at(stillframe_base::tick::Tick(at), self.world.joint_count());
        joints.into_iter().map(Joint::of).collect()
    }

    fn make(&mut self, node: usize, made: &mut Vec<Option<Pose>>) -> Pose {
        let world = self.world;
        match &world.script.nodes[node] {
            Part::Clip { clip, .. } => {
                let (Own::Clip { u, .. }, Some(oracle)) = (&self.own[node], &world.oracles[node]) else {
                    unreachable!("a clip has a clock")
                };
                self.sample(*clip, oracle.local(*u).div_euclid(SUB))
            }
            Part::Frame { clip, at } => self.sample(*clip, i128::from(*at)),
            Part::Follow { clip, leader } => {
                let length = i128::from(world.script.clips[*clip].ticks);
                self.sample(*clip, self.phase(*leader).map_or(0, |(way, of)| length * way / of))
            }
            Part::Space { .. } => {
                let mut parts = Vec::new();
                let any_order = self.gather(node, 1.0, &mut parts);
                self.blend(&parts, any_order, made)
            }
            Part::SyncSpace { space, .. } => {
                let Own::Sync { lead, .. } = self.own[node] else { unreachable!("a sync space has a clock") };
                let poses: Vec<(f64, Pose)> = self
                    .members(node)
                    .into_iter()
                    .map(|(member, share)| {
                        let clip = world.groups[node][member].clip;
                        let place = self.place(node, lead, member, false);
                        (f64::from(share), self.sample(clip, world.reels[clip].line.local(place).div_euclid(SUB)))
                    })
                    .collect();
                mean_of(&poses, matches!(space, Space::Scatter { .. }))
            }
            Part::Switch { inputs, policy, .. } => self.changing(node, inputs, *policy, made),
            Part::Machine { states, policy, .. } => self.changing(node, states, *policy, made),
            Part::Delta { source, reference, mesh } => {
                let source = self.pose_of(*source, made);
                let reference = match reference {
                    Some(reference) => self.pose_of(*reference, made),
                    None => self.rest(),
                };
                if *mesh {
                    return mesh_delta(&source, &reference, |joint| world.script.parent(joint));
                }
                source.into_iter().zip(reference).map(|(source, reference)| delta(source, reference)).collect()
            }
            Part::Additive { base, deltas } => {
                let mut pose = self.pose_of(*base, made);
                deltas.iter().for_each(|own| self.add_on(&mut pose, own, made));
                pose
            }
            Part::Partial { inputs, joints, mean: how } => {
                let rest = match world.kinds[node] {
                    Kind::Pose => self.rest(),
                    Kind::Delta { .. } => vec![Joint::IDENTITY; world.joint_count()],
                };
                let mut parts: Vec<Vec<(f64, Joint)>> = vec![Vec::new(); rest.len()];
                for (number, own) in inputs.iter().enumerate() {
                    let mut weights: Vec<f64> =
                        (0..rest.len()).map(|joint| self.part_weight((number, own), joints, joint)).collect();
                    if weights.iter().all(|weight| *weight <= 0.0) {
                        continue;
                    }
                    if self.is(GraphMistake::MaskIgnored) && joints.is_empty() {
                        weights.fill(f64::from(own.weight.value(&self.parameters)));
                    }
                    let pose = self.pose_of(own.node, made);
                    for (joint, of) in pose.into_iter().enumerate() {
                        parts[joint].push((weights[joint], of));
                    }
                }
                let joint = |(parts, rest): (Vec<(f64, Joint)>, Joint)| {
                    let mut parts: Vec<(f64, Joint)> = parts.into_iter().filter(|part| part.0 > 0.0).collect();
                    if self.is(GraphMistake::PowersTurned) {
                        parts.reverse();
                    }
                    if self.is(GraphMistake::SumNotOne) && !parts.is_empty() {
                        let (sum, mean) = (parts.iter().map(|part| part.0).sum::<f64>(), mean(&parts, false));
                        return Joint { translation: mean.translation * sum, scale: mean.scale * sum, ..mean };
                    }
                    match (&parts[..], how) {
                        ([], _) => rest,
                        (parts, Mean::Nlerp) => mean(parts, false),
                        (parts, Mean::Powers) => power_mean(parts),
                        (parts, Mean::Matrices) => matrix_mean(parts, !self.is(GraphMistake::SizesIgnored)),
                    }
                };
                parts.into_iter().zip(rest).map(joint).collect()
            }
            Part::Layers { base, layers } => {
                let mut pose = self.pose_of(*base, made);
                for own in layers {
                    if own.add {
                        self.add_on(&mut pose, own, made);
                        continue;
                    }
                    let share = f64::from(own.weight.share(&self.parameters));
                    if share * f64::from(world.mask_max(own.mask)) > 0.0 {
                        let over = self.pose_of(own.node, made);
                        for (joint, below) in pose.iter_mut().enumerate() {
                            let share = share * self.masked(own.mask, joint);
                            *below = mean(&[(share, over[joint]), (1.0 - share, *below)], false);
                        }
                    }
                }
                pose
            }
            Part::Slot { input, mask, .. } => {
                let mut pose = self.pose_of(*input, made);
                let Own::Slot(slot) = self.own[node].clone() else { unreachable!("a slot has room for clips") };
                let mut over: Vec<(f64, Pose)> = Vec::new();
                for playing in slot.iter().flatten().filter(|playing| playing.weight(self.time) > 0) {
                    let oracle = &world.reels[playing.clip].line;
                    let local = if playing.is_at_end() { oracle.length } else { oracle.local(playing.u) };
                    let share = weight(playing.weight(self.time));
                    over.push((share, self.sample(playing.clip, local.div_euclid(SUB))));
                }
                for (joint, below) in pose.iter_mut().enumerate() {
                    let part = |(share, pose): &(f64, Pose)| (share * self.masked(*mask, joint), pose[joint]);
                    let mut parts: Vec<(f64, Joint)> = over.iter().map(part).collect();
                    let sum: f64 = parts.iter().map(|part| part.0).sum();
                    parts.push(((1.0 - sum).max(0.0), *below));
                    *below = mean(&parts, false);
                }
                pose
            }
        }
    }

    fn rest(&self) -> Pose {
        (0..self.world.joint_count()).map(|joint| Joint::of(rest(joint))).collect()
    }

    /// How much of a mask a joint has.
    fn masked(&self, mask: Option<usize>, joint: usize) -> f64 {
        if self.is(GraphMistake::MaskIgnored) { 1.0 } else { self.world.masked(mask, joint) }
    }

    /// A delta on top.
    fn add_on(&mut self, pose: &mut Pose, own: &Weighted, made: &mut Vec<Option<Pose>>) {
        let share = f64::from(own.weight.share(&self.parameters));
        if share * f64::from(self.world.mask_max(own.mask)) <= 0.0 {
            return;
        }
        let delta = self.pose_of(own.node, made);
        let alpha = |joint: usize| share * self.masked(own.mask, joint);
        if self.world.kinds[own.node] == (Kind::Delta { mesh: true }) {
            let faults = MeshFaults {
                in_own_frame: self.is(GraphMistake::MeshInJoint),
                from_old_parent: self.is(GraphMistake::ParentsStay),
            };
            let alphas: Vec<f64> = (0..pose.len()).map(alpha).collect();
            *pose = mesh_add(pose, &delta, &alphas, |joint| self.world.script.parent(joint), faults);
            return;
        }
        for (joint, below) in pose.iter_mut().enumerate() {
            let alpha = alpha(joint);
            *below = add(*below, delta[joint], alpha, self.is(GraphMistake::AddedInParent));
        }
    }

    /// The inputs of a space and of those merged into it; whether their order is open.
    fn gather(&self, node: usize, share: f64, out: &mut Vec<(usize, f64)>) -> bool {
        let Part::Space { space, inputs } = &self.world.script.nodes[node] else { unreachable!("spaces are merged") };
        let mut any_order = matches!(space, Space::Scatter { .. });
        for (point, own) in self.corners(space) {
            if self.world.is_merged[inputs[point]] {
                any_order |= self.gather(inputs[point], share * own, out);
            } else {
                out.push((inputs[point], share * own));
            }
        }
        any_order
    }

    fn blend(&mut self, parts: &[(usize, f64)], any_order: bool, made: &mut Vec<Option<Pose>>) -> Pose {
        let poses: Vec<(f64, Pose)> = parts.iter().map(|(input, share)| (*share, self.pose_of(*input, made))).collect();
        mean_of(&poses, any_order)
    }

    /// A switch or a machine.
    fn changing(&mut self, node: usize, inputs: &[usize], policy: Policy, made: &mut Vec<Option<Pose>>) -> Pose {
        let Own::Change { current, last, fade, .. } = self.own[node] else { unreachable!("it changes over") };
        let time = self.time;
        if policy == Policy::Book {
            let share = fade.map_or(ONE, |fade| fade.weight(time));
            let parts = [(inputs[last], weight(ONE - share)), (inputs[current], weight(share))];
            let parts: Vec<(usize, f64)> = parts.into_iter().filter(|part| part.1 > 0.0).collect();
            return self.blend(&parts, false, made);
        }
        let target = self.pose_of(inputs[current], made);
        let is_jump = self.is(GraphMistake::Jump);
        let memory = &mut self.memories[node];
        if let Some(fade) = memory.pending.take() {
            memory.begin(fade, policy, &target);
        }
        memory.fade = memory.fade.filter(|fade| fade.weight(time) < ONE && !is_jump);
        let shown = match memory.fade {
            None => target,
            Some(fade) if policy == Policy::Frozen => {
                let share = weight(fade.weight(time));
                let both = |(old, new): (&Joint, Joint)| mean(&[(1.0 - share, *old), (share, new)], false);
                memory.frozen.iter().zip(target).map(both).collect()
            }
            Some(fade) => {
                let elapsed = (time - fade.start) as f64 / fade.length as f64;
                memory.offsets.iter().zip(target).map(|(offset, joint)| offset.on(joint, elapsed)).collect()
            }
        };
        memory.remember(time, &shown);
        shown
    }
}

impl Memory {
    /// A change over has been decided since the last look.
    fn begin(&mut self, fade: Fade, policy: Policy, target: &Pose) {
        self.fade = None;
        let Some((last_at, last)) = self.seen.last() else { return };
        if fade.length == 0 {
            return;
        }
        if policy == Policy::Frozen {
            self.frozen.clone_from(last);
            self.fade = Some(fade);
            return;
        }
        let (before_at, before) = &self.seen[0];
        let per_fade = if self.seen.len() < 2 { 0.0 } else { fade.length as f64 / (last_at - before_at) as f64 };
        let joints = before.iter().zip(last).zip(target);
        self.offsets = joints.map(|((before, last), target)| Offset::new(*before, *last, *target, per_fade)).collect();
        self.fade = Some(Fade { start: *last_at, ..fade });
    }

    fn remember(&mut self, time: i64, shown: &Pose) {
        if self.seen.last().is_some_and(|last| last.0 == time) {
            self.seen.pop();
        }
        self.seen.push((time, shown.clone()));
        if self.seen.len() > 2 {
            self.seen.remove(0);
        }
    }
}

fn mean_of(poses: &[(f64, Pose)], any_order: bool) -> Pose {
    let joint =
        |joint: usize| mean(&poses.iter().map(|(share, pose)| (*share, pose[joint])).collect::<Vec<_>>(), any_order);
    (0..poses[0].1.len()).map(joint).collect()
}
