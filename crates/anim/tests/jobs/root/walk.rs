//! Walks: clips that travel, drawn or hand-made, and what the tests measure on them.

use glam::{DQuat, DVec3, Quat, Vec3};
use proptest::prelude::*;
use stillframe_anim::pose::{JointBlock, Trs};
use stillframe_anim::root::{Motion, RootParts, RootRotation, RootTrack};
use stillframe_anim::sample::{DTrs, RawJoint, Skeleton};
use stillframe_anim::time::{Mode, Playback, Repeat, Timeline, Track};
use stillframe_base::tick::Tick;

/// A clip's keys, one a frame, of the root; linear between them.
#[derive(Clone, Debug)]
pub struct Walk {
    pub keys: Vec<DTrs>,
    pub frame_ticks: i64,
    pub above: Trs,
}

pub fn trs(translation: Vec3, rotation: Quat, scale: f32) -> Trs {
    Trs { translation, rotation, scale: Vec3::splat(scale) }
}

impl Walk {
    pub fn duration(&self) -> Tick {
        Tick((self.keys.len() as i64 - 1) * self.frame_ticks)
    }

    /// An armature, the root, and a spine on it.
    pub fn skeleton(&self) -> Skeleton {
        let joint =
            |node: usize, parent: Option<usize>, rest: Trs| RawJoint { node, name: format!("j{node}"), parent, rest };
        Skeleton::new(&[
            joint(0, None, self.above),
            joint(1, Some(0), Trs::IDENTITY),
            joint(2, Some(1), trs(Vec3::Y, Quat::IDENTITY, 1.0)),
        ])
        .expect("three joints")
    }

    /// The root at a moment, in its parent's space.
    pub fn root(&self, at: Tick) -> DTrs {
        let ticks = at.0.clamp(0, self.duration().0);
        let frame = ((ticks / self.frame_ticks) as usize).min(self.keys.len().saturating_sub(2));
        let along = (ticks - frame as i64 * self.frame_ticks) as f64 / self.frame_ticks as f64;
        let (a, b) = (self.keys[frame], self.keys[(frame + 1).min(self.keys.len() - 1)]);
        let b_rotation = if a.rotation.dot(b.rotation) < 0.0 { -b.rotation } else { b.rotation };
        DTrs {
            translation: a.translation.lerp(b.translation, along),
            rotation: (a.rotation * (1.0 - along) + b_rotation * along).normalize(),
            scale: a.scale,
        }
    }

    pub fn track(&self, parts: RootParts) -> RootTrack {
        let mut pose = |at: Tick, joints: &mut [DTrs]| joints[1] = self.root(at);
        RootTrack::extract(&self.skeleton(), 1, parts, (self.duration(), self.frame_ticks), &mut pose)
            .expect("a clip that travels")
    }

    pub fn timeline(&self, mode: Mode, reverse: bool) -> Timeline {
        let playback = Playback { reverse, ..Playback::new(Tick::ZERO, self.duration(), mode) };
        Timeline::new(playback, &Track::new(Tick::ZERO, self.duration(), Vec::new()).expect("no events"))
            .expect("a window")
    }

    pub fn forever(&self) -> Timeline {
        self.timeline(Mode::Loop(Repeat::Forever), false)
    }

    /// Where the root is in the model, not taken apart, by glam's own products.
    pub fn in_model(&self, at: Tick) -> Motion {
        in_model(self.above, self.root(at))
    }

    /// The same of the pose in place, as f32 poses hold it.
    pub fn in_place(&self, track: &RootTrack, at: Tick) -> Motion {
        let f32s = |t: DTrs| Trs {
            translation: t.translation.as_vec3(),
            rotation: t.rotation.as_quat(),
            scale: t.scale.as_vec3(),
        };
        let mut pose = JointBlock::pack(&[self.above, f32s(self.root(at)), Trs::IDENTITY]);
        track.reset(at, &mut pose);
        in_model(self.above, JointBlock::joint(&pose, 1).into())
    }
}

fn in_model(above: Trs, root: DTrs) -> Motion {
    let above = DTrs::from(above);
    Motion {
        translation: above.translation + above.rotation * (above.scale * root.translation),
        rotation: above.rotation * root.rotation,
    }
}

/// How far two motions are from each other: metres, and twice the sine of half the angle, which is the angle where it
/// is small.
pub fn distance(a: Motion, b: Motion) -> f64 {
    let near = if a.rotation.dot(b.rotation) < 0.0 { -b.rotation } else { b.rotation };
    a.translation.distance(b.translation).max(2.0 * (a.rotation - near).length())
}

pub fn yaw(angle_rad: f64) -> DQuat {
    let (sin, cos) = stillframe_base::math::ops64::sin_cos(0.5 * angle_rad);
    DQuat::from_xyzw(0.0, sin, 0.0, cos)
}

pub fn key(translation: [f64; 3], rotation: DQuat) -> DTrs {
    DTrs { translation: DVec3::from_array(translation), rotation, scale: DVec3::ONE }
}

/// A rotation that is not near any axis, of at most about `reach` times a radian from the identity.
fn turn(reach: f64) -> impl Strategy<Value = DQuat> {
    prop::array::uniform3(-0.5 * reach..0.5 * reach).prop_map(|[x, y, z]| DQuat::from_xyzw(x, y, z, 1.0).normalize())
}

pub fn walks() -> impl Strategy<Value = Walk> {
    let key = (prop::array::uniform3(-2.0f64..2.0), turn(0.8)).prop_map(|(t, r)| key(t, r));
    let above = (prop::array::uniform3(-1.0f32..1.0), turn(3.0), 0.5f32..2.0)
        .prop_map(|(t, r, s)| trs(Vec3::from_array(t), r.as_quat().normalize(), s));
    (prop::collection::vec(key, 2..7), 1i64..2000, above).prop_map(|(keys, frame_ticks, above)| Walk {
        keys,
        frame_ticks,
        above,
    })
}

pub fn all_parts() -> impl Strategy<Value = RootParts> {
    let rotation = prop::sample::select(vec![RootRotation::Stay, RootRotation::Yaw, RootRotation::Full]);
    (any::<bool>(), any::<bool>(), rotation).prop_map(|(horizontal, vertical, rotation)| RootParts {
        horizontal,
        vertical,
        rotation,
    })
}
