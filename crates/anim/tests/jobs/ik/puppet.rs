//! Puppet: a trunk with a chain on it, and where its joints are, by matrices.

use glam::{Affine3A, Quat, Vec3};
use proptest::prelude::*;
use stillframe_anim::ik::Rig;
use stillframe_anim::pose::{Affine, JointBlock, LocalToModel, NO_PARENT, Trs};
use stillframe_base::lanes::{Isa, ROW};

#[derive(Clone, Debug)]
pub struct Puppet {
    pub parents: Vec<u16>,
    pub locals: Vec<JointBlock>,
    /// From the start to the end.
    pub chain: Vec<u16>,
}

impl Puppet {
    pub fn new(parents: Vec<u16>, joints: Vec<Trs>, chain: Vec<u16>) -> Puppet {
        Puppet { locals: JointBlock::pack(&joints), parents, chain }
    }

    /// A chain of bones in a row, from the origin, unturned.
    pub fn straight(bones: &[Vec3]) -> Puppet {
        let translations = std::iter::once(Vec3::ZERO).chain(bones.iter().copied());
        let joints: Vec<Trs> = translations.map(|translation| Trs { translation, ..Trs::IDENTITY }).collect();
        let parents = (0..joints.len()).map(|j| if j == 0 { NO_PARENT } else { j as u16 - 1 }).collect();
        let chain = (0..joints.len() as u16).collect();
        Puppet::new(parents, joints, chain)
    }

    pub fn rig(&mut self) -> Rig<'_> {
        Rig { parents: &self.parents, locals: &mut self.locals }
    }

    pub fn local(&self, joint: u16) -> Trs {
        self.locals[usize::from(joint) / ROW].lane(usize::from(joint) % ROW)
    }

    pub fn turned(mut self, joint: u16, rotation: Quat) -> Puppet {
        let turned = Trs { rotation, ..self.local(joint) };
        self.locals[usize::from(joint) / ROW].set_lane(usize::from(joint) % ROW, turned);
        self
    }

    pub fn models(&self) -> Vec<Affine3A> {
        let mut models = vec![Affine::IDENTITY; self.parents.len()];
        let (isa, root) = (Isa::detect(), &Affine::IDENTITY);
        LocalToModel { isa, parents: &self.parents, locals: &self.locals, root, models: &mut models }.run();
        models.into_iter().map(Affine3A::from).collect()
    }

    /// Of the chain.
    pub fn positions(&self) -> Vec<Vec3> {
        let models = self.models();
        self.chain.iter().map(|&joint| Vec3::from(models[usize::from(joint)].translation)).collect()
    }

    pub fn end(&self) -> Vec3 {
        *self.positions().last().expect("a chain")
    }

    pub fn bone_lengths(&self) -> Vec<f32> {
        self.positions().windows(2).map(|pair| pair[0].distance(pair[1])).collect()
    }

    pub fn is_finite_and_unit(&self) -> bool {
        (0..self.parents.len() as u16).all(|joint| {
            let local = self.local(joint);
            local.translation.is_finite() && (local.rotation.length() - 1.0).abs() < 1e-6
        })
    }

    pub fn bits(&self) -> Vec<u32> {
        bytemuck::cast_slice::<_, u32>(&self.locals).to_vec()
    }
}

pub fn vec3(range: std::ops::Range<f32>) -> impl Strategy<Value = Vec3> {
    prop::array::uniform3(range).prop_map(Vec3::from_array)
}

/// A vector of a length of at least `min`.
pub fn long_vec3(min: f32, max: f32) -> impl Strategy<Value = Vec3> {
    vec3(-max..max).prop_filter("too short", move |v| v.length() > min)
}

pub fn rotation() -> impl Strategy<Value = Quat> {
    prop::array::uniform4(-1.0f32..1.0)
        .prop_filter("no direction", |q| Quat::from_array(*q).length() > 0.1)
        .prop_map(|q| Quat::from_array(q).normalize())
}

/// A trunk of two joints with a scale, a chain of `bones` bones in any pose with a rigid joint in the middle of one,
/// and rotations of another pose, for a target within reach.
pub fn puppet(bones: std::ops::Range<usize>) -> impl Strategy<Value = (Puppet, Vec3)> {
    let joint = (long_vec3(0.15, 0.4), rotation(), rotation());
    let trunk = (vec3(-0.5..0.5), rotation(), 0.7f32..1.4);
    (prop::array::uniform2(trunk), prop::collection::vec(joint, bones), any::<bool>()).prop_map(
        |(trunk, bones, twisted)| {
            let mut joints: Vec<Trs> = trunk
                .iter()
                .map(|&(translation, rotation, scale)| Trs { translation, rotation, scale: Vec3::splat(scale) })
                .collect();
            let mut chain = vec![joints.len() as u16];
            joints.push(Trs { rotation: bones[0].1, ..Trs::IDENTITY });
            for (i, (bone, _, _)) in bones.iter().enumerate() {
                if twisted && i == 0 {
                    joints.push(Trs { translation: *bone * 0.5, rotation: bones[0].2, ..Trs::IDENTITY });
                }
                chain.push(joints.len() as u16);
                let rotation = bones.get(i + 1).map_or(Quat::IDENTITY, |next| next.1);
                joints.push(Trs { translation: *bone, rotation, ..Trs::IDENTITY });
            }
            let parents = (0..joints.len()).map(|j| if j == 0 { NO_PARENT } else { j as u16 - 1 }).collect();
            let puppet = Puppet::new(parents, joints, chain);
            let mut other = puppet.clone();
            for (i, bone) in bones.iter().enumerate() {
                other = other.turned(puppet.chain[i], bone.2);
            }
            let target = other.end();
            (puppet, target)
        },
    )
}

/// Lengths before and after, to 1e-5 m.
pub fn same_lengths(before: &[f32], after: &[f32]) -> bool {
    before.len() == after.len() && before.iter().zip(after).all(|(a, b)| (a - b).abs() < 1e-5)
}
