//! Input: numbers of fixed seeds, a skeleton of 67 joints and clips for it.

use glam::{Affine3A, DQuat, DVec3, Quat, Vec3};
use stillframe_anim::pose::{Affine, JointBlock, NO_PARENT, Trs};
use stillframe_anim::sample::{Baking, DTrs, RawJoint, Skeleton, UniformClip, bake};
use stillframe_anim::skin::VertexBlock;
use stillframe_base::lanes::{ROW, Row};
use stillframe_base::math::ops64;
use stillframe_base::rng::{Rng, Stream};
use stillframe_base::tick::{FrameRate, TICKS_PER_SECOND, Tick};

/// As many as the skeleton that other runtimes are measured with.
pub const JOINTS: usize = 67;

/// Random numbers of a named stream.
pub struct Numbers(Stream);

impl Numbers {
    pub fn new(name: &str) -> Numbers {
        Numbers(Rng::new(7).stream(name, 0))
    }

    pub fn unit(&mut self) -> f32 {
        self.0.unit_f32()
    }

    pub fn joint_index(&mut self) -> u16 {
        self.0.below(JOINTS as u32) as u16
    }

    /// A moment of a clip.
    pub fn moment(&mut self, duration: Tick) -> Tick {
        Tick((self.0.unit_f64() * duration.0 as f64) as i64)
    }

    fn vec3(&mut self) -> Vec3 {
        Vec3::from_array([(); 3].map(|()| self.unit() * 2.0 - 1.0))
    }

    pub fn joint(&mut self) -> Trs {
        let [x, y, z, w] = [(); 4].map(|()| self.unit() - 0.5);
        let scale = Vec3::ONE + self.vec3() * 0.1;
        Trs { translation: self.vec3(), rotation: Quat::from_xyzw(x, y, z, w + 0.1).normalize(), scale }
    }

    pub fn pose(&mut self) -> Vec<JointBlock> {
        JointBlock::pack(&(0..JOINTS).map(|_| self.joint()).collect::<Vec<_>>())
    }

    pub fn affines(&mut self) -> Vec<Affine> {
        let affine = |joint: Trs| {
            Affine3A::from_scale_rotation_translation(joint.scale, joint.rotation, joint.translation).into()
        };
        (0..JOINTS).map(|_| affine(self.joint())).collect()
    }

    /// Matrices that turn and move, and scale alike in all directions.
    pub fn rigids(&mut self) -> Vec<Affine> {
        let affine = |joint: Trs| {
            let scale = Vec3::splat(joint.scale.x);
            Affine3A::from_scale_rotation_translation(scale, joint.rotation, joint.translation).into()
        };
        (0..JOINTS).map(|_| affine(self.joint())).collect()
    }

    pub fn vertices(&mut self, count: usize) -> Vec<VertexBlock> {
        let mut row = || Row([(); ROW].map(|()| self.unit() * 2.0 - 1.0));
        let block = |_| VertexBlock {
            position: [(); 3].map(|()| row()),
            normal: [(); 3].map(|()| row()),
            tangent: [(); 3].map(|()| row()),
        };
        (0..VertexBlock::count_for(count)).map(block).collect()
    }
}

/// A body: chains of five that begin at some earlier joint, parents first.
pub fn parents() -> Vec<u16> {
    let parent = |joint: u16| match joint {
        0 => NO_PARENT,
        _ if joint % 5 == 1 => joint / 3,
        _ => joint - 1,
    };
    (0..JOINTS as u16).map(parent).collect()
}

/// The body with a tenth of a metre from joint to joint.
pub fn skeleton() -> Skeleton {
    let parents = parents();
    let rest = Trs { translation: Vec3::new(0.0, 0.1, 0.0), rotation: Quat::IDENTITY, scale: Vec3::ONE };
    let joint = |node: usize| {
        let parent = (parents[node] != NO_PARENT).then_some(usize::from(parents[node]));
        RawJoint { node, name: format!("joint {node}"), parent, rest }
    };
    let joints: Vec<RawJoint> = (0..JOINTS).map(joint).collect();
    Skeleton::new(&joints).unwrap_or_else(|error| unreachable!("parents come first: {error}"))
}

/// Joints that swing, each in its own time: all rotations move, and the translations of one block of joints; or all of
/// everything.
pub fn swinging(seed: u64, all: bool) -> impl FnMut(Tick, &mut [DTrs]) {
    let mut random = Rng::new(3).stream("swing", seed);
    let mut three = |size: f64| DVec3::from_array([(); 3].map(|()| (random.unit_f64() - 0.5) * size));
    let swings: Vec<(DVec3, DVec3)> = (0..JOINTS).map(|_| (three(6.0), three(1.0))).collect();
    move |at: Tick, pose: &mut [DTrs]| {
        for (joint, (out, (rate, size))) in pose.iter_mut().zip(&swings).enumerate() {
            let phase = *rate * at.seconds();
            let wave = DVec3::new(ops64::sin(phase.x), ops64::sin(phase.y), ops64::sin(phase.z)) * *size;
            out.rotation = DQuat::from_xyzw(wave.x, wave.y, wave.z, 1.0).normalize();
            if all || joint < ROW {
                out.translation = DVec3::new(0.0, 0.1, 0.0) + wave * 0.02;
            }
            if all {
                out.scale = DVec3::ONE + wave * 0.02;
            }
        }
    }
}

/// A clip of joints that swing.
pub fn clip(seed: u64, clip_ms: i64, all: bool) -> UniformClip {
    let duration = Tick(clip_ms * TICKS_PER_SECOND / 1000);
    let baking = Baking { rate: FrameRate::whole(30), object_error_max_m: None };
    let baked = bake(&skeleton(), duration, &[], &baking, &mut swinging(seed, all));
    baked.unwrap_or_else(|error| unreachable!("numbers are small: {error}")).0
}
