//! Weigh: how much of each node is in the output, from the state alone.

use super::GraphMistake;
use super::model::Character;
use super::own::{ONE, Own, weight};
use super::script::{Part, Policy, Space, Weighted};

impl<'w> Character<'w> {
    /// What a node reads that is active with it, and how much of each is in its result.
    pub fn shares(&self, node: usize, at: i64) -> Vec<(usize, f64)> {
        let numbers = &self.parameters[..];
        let most = |mask: Option<usize>| f64::from(self.world.mask_max(mask));
        let share = |own: &Weighted| f64::from(own.weight.share(numbers)) * most(own.mask);
        match self.part(node) {
            Part::Clip { .. } | Part::Frame { .. } | Part::SyncSpace { .. } => Vec::new(),
            Part::Follow { leader, .. } => vec![(*leader, 0.0)],
            Part::Space { space, inputs } => {
                self.corners(space).into_iter().map(|(point, share)| (inputs[point], share)).collect()
            }
            Part::Switch { inputs, policy, .. } => self.shares_of_change(node, inputs, *policy, at),
            Part::Machine { states, policy, .. } => self.shares_of_change(node, states, *policy, at),
            Part::Delta { source, reference, mesh: _ } => {
                [(*source, 1.0)].into_iter().chain(reference.map(|reference| (reference, 0.0))).collect()
            }
            Part::Additive { base, deltas } => {
                let all = deltas.iter().map(|delta| (delta.node, share(delta))).filter(|delta| delta.1 > 0.0);
                [(*base, 1.0)].into_iter().chain(all).collect()
            }
            Part::Partial { inputs, joints, .. } => {
                let weight = |input| {
                    let of = |joint| self.part_weight(input, joints, joint);
                    (0..self.world.joint_count()).map(of).fold(0.0, f64::max)
                };
                let all = inputs.iter().enumerate().map(|input| (input.1.node, weight(input)));
                all.filter(|input| input.1 > 0.0).map(|(node, share)| (node, share.min(1.0))).collect()
            }
            Part::Layers { base, layers } => {
                let (mut left, mut out) = (1.0, Vec::new());
                for layer in layers.iter().rev() {
                    if share(layer) > 0.0 {
                        out.push((layer.node, share(layer) * left));
                    }
                    if !layer.add && layer.mask.is_none() {
                        left *= 1.0 - f64::from(layer.weight.share(numbers));
                    }
                }
                out.push((*base, left));
                out
            }
            Part::Slot { input, mask, .. } => {
                let Own::Slot(slot) = &self.own[node] else { unreachable!("a slot has room for clips") };
                let sum: f64 = slot.iter().flatten().map(|playing| weight(playing.weight(at))).sum();
                vec![(*input, if mask.is_some() { 1.0 } else { (1.0 - sum).max(0.0) })]
            }
        }
    }

    /// The weight of a partial node's input at a joint, before weights are divided by their sum.
    pub fn part_weight(&self, (number, own): (usize, &Weighted), joints: &[(usize, Vec<f32>)], joint: usize) -> f64 {
        if joints.is_empty() {
            return f64::from(own.weight.value(&self.parameters)).max(0.0) * self.world.masked(own.mask, joint);
        }
        let mut at = Some(joint);
        while let Some(named) = at {
            if let Some((_, weights)) = joints.iter().find(|own| own.0 == named) {
                return f64::from(weights[number] / weights.iter().sum::<f32>());
            }
            at = self.world.script.parent(named).filter(|_| !self.is(GraphMistake::JointAlone));
        }
        if number == 0 { 1.0 } else { 0.0 }
    }

    fn shares_of_change(&self, node: usize, inputs: &[usize], policy: Policy, at: i64) -> Vec<(usize, f64)> {
        let Own::Change { current, last, fade, .. } = &self.own[node] else { unreachable!("it changes over") };
        match fade {
            Some(fade) if policy == Policy::Book => {
                let share = fade.weight(at);
                vec![(inputs[*last], weight(ONE - share)), (inputs[*current], weight(share))]
            }
            _ => vec![(inputs[*current], 1.0)],
        }
    }

    /// Points with weight.
    pub fn corners(&self, space: &Space) -> Vec<(usize, f64)> {
        let of = space.corners(&self.parameters).of;
        let of: Vec<(usize, f64)> = of.into_iter().map(|(point, share)| (point, f64::from(share))).collect();
        if self.is(GraphMistake::Nearest)
            && let Some(nearest) = heaviest(&of)
        {
            return vec![(of[nearest].0, 1.0)];
        }
        of
    }

    /// Members of a sync space with weight: one clip may stand at many points.
    pub fn members(&self, node: usize) -> Vec<(usize, f32)> {
        let Part::SyncSpace { space, clips, .. } = self.part(node) else { unreachable!("asked of sync spaces") };
        let mut out: Vec<(usize, f32)> = Vec::new();
        for (point, share) in space.corners(&self.parameters).of {
            let group = &self.world.groups[node];
            let member = group.iter().position(|member| member.clip == clips[point]).expect("a clip of the group");
            match out.iter_mut().find(|own| own.0 == member) {
                Some(own) => own.1 += share,
                None => out.push((member, share)),
            }
        }
        out
    }

    /// How much of a node is in the output at a moment of the present step: the sum over all ways to it.
    pub fn weight_at(&self, node: usize, at: i64) -> f64 {
        let mut weights = vec![0.0; self.own.len()];
        weights[self.own.len() - 1] = 1.0;
        for &reader in self.world.order.iter().rev() {
            if weights[reader] > 0.0 {
                for (input, share) in self.shares(reader, at) {
                    weights[input] += weights[reader] * share;
                }
            }
        }
        weights[node]
    }

    /// Where the heaviest of several is asked for and two are as heavy but for rounding, the definition leaves open
    /// which.
    pub fn doubt(&self, space: &Space, shares: &[f64]) {
        let mut falling = shares.to_vec();
        falling.sort_by(|a, b| b.total_cmp(a));
        let is_near = falling.len() > 1 && falling[0] - falling[1] < 1e-6;
        if is_near && (falling[0] != falling[1] || matches!(space, Space::Scatter { .. })) {
            self.open.set(true);
        }
    }
}

pub fn heaviest(of: &[(usize, f64)]) -> Option<usize> {
    // The first of those that are as heavy.
    (0..of.len()).rev().max_by(|a, b| of[*a].1.total_cmp(&of[*b].1))
}
