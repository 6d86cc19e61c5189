//! Track: the travel of a clip, frame by frame, and motions between positions of a time line.

use glam::{DQuat, DVec3};
use stillframe_base::lanes::ROW;
use stillframe_base::tick::Tick;

use super::motion::{product, turned, unit};
use super::{Motion, RootError};
use crate::pose::{JointBlock, NO_PARENT, Trs};
use crate::sample::{DTrs, Skeleton};
use crate::time::{Mode, Position, Step, Timeline};

/// Frames of a track; two hours at 120 a second are fewer.
const FRAMES_MAX: i64 = 1 << 20;

/// How much of the root's rotation is travel.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum RootRotation {
    /// None: the pose turns.
    Stay,
    /// The turn about the vertical (+Y), relative to the first key: the twist of the swing-twist decomposition.
    #[default]
    Yaw,
    /// All of it.
    Full,
}

/// What of the root's motion is travel; the rest stays in the pose. The default is that of walking.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct RootParts {
    /// Along X and Z of the model.
    pub horizontal: bool,
    /// Along Y: on for jumps and stairs that the actor shall take, off where only the body bobs.
    pub vertical: bool,
    pub rotation: RootRotation,
}

impl Default for RootParts {
    fn default() -> RootParts {
        RootParts { horizontal: true, vertical: false, rotation: RootRotation::Yaw }
    }
}

impl RootParts {
    /// Everything: the root stands still as it does in the first key.
    pub const ALL: RootParts = RootParts { horizontal: true, vertical: true, rotation: RootRotation::Full };
    /// Nothing: a clip that stays in place.
    pub const NONE: RootParts = RootParts { horizontal: false, vertical: false, rotation: RootRotation::Stay };

    fn pick(self, translation: DVec3) -> DVec3 {
        let part = |taken: bool, number: f64| if taken { number } else { 0.0 };
        DVec3::new(
            part(self.horizontal, translation.x),
            part(self.vertical, translation.y),
            part(self.horizontal, translation.z),
        )
    }

    fn turn(self, turn: DQuat) -> DQuat {
        match self.rotation {
            RootRotation::Stay => DQuat::IDENTITY,
            RootRotation::Full => turn,
            // Half a turn about a horizontal axis has no twist to speak of.
            RootRotation::Yaw if turn.y * turn.y + turn.w * turn.w < 1e-24 => DQuat::IDENTITY,
            RootRotation::Yaw => unit(DQuat::from_xyzw(0.0, turn.y, 0.0, turn.w)),
        }
    }
}

/// How far a clip travels: frames a fixed time apart, of the motion since the first key.
#[derive(Clone, Debug, PartialEq)]
pub struct RootTrack {
    joint: u16,
    /// From the space of the root's parent to the model's: fixed, its scale even.
    above: DTrs,
    duration: Tick,
    frame_ticks: i64,
    /// Where the root is, as far as it travels, and how far it has turned since the first key. At least 2, signs of
    /// rotations running on.
    frames: Vec<Motion>,
}

impl RootTrack {
    /// Takes the travel of `joint` out of poses over time, in frames of `frame_ticks`.
    ///
    /// Shapes: `pose` writes one entry a joint of the skeleton. Units: ticks from the clip's start.
    /// A [`UniformClip`](crate::sample::UniformClip) and its track have the same frames where `frame_ticks` is the
    /// clip's. Errors: joints above the root must stand still, with even scales.
    pub fn extract(
        skeleton: &Skeleton,
        joint: u16,
        parts: RootParts,
        (duration, frame_ticks): (Tick, i64),
        pose: &mut dyn FnMut(Tick, &mut [DTrs]),
    ) -> Result<RootTrack, RootError> {
        let count = skeleton.joint_count();
        if usize::from(joint) >= count {
            return Err(RootError::Joint { joint, count });
        }
        if duration < Tick::ZERO || frame_ticks < 1 {
            return Err(RootError::Span { duration, frame_ticks });
        }
        let segments = (duration.0 / frame_ticks + i64::from(duration.0 % frame_ticks != 0)).max(1);
        if segments >= FRAMES_MAX {
            return Err(RootError::TooLong { frames: segments.saturating_add(1), max: FRAMES_MAX });
        }
        let mut joints: Vec<DTrs> = Vec::with_capacity(count);
        let mut frames: Vec<Motion> = Vec::with_capacity(segments as usize + 1);
        let mut sample = |at: Tick, joints: &mut Vec<DTrs>| {
            joints.clear();
            joints.extend(skeleton.rest().iter().map(|rest| DTrs::from(*rest)));
            pose(at, joints);
            check(joints[usize::from(joint)], joint, at)
        };
        sample(Tick::ZERO, &mut joints)?;
        let above = above_of(skeleton, joint, &joints)?;
        let (first, first_joints) = (in_model(above, joints[usize::from(joint)]), joints.clone());
        for frame in 0..=segments {
            let at = Tick(frame.saturating_mul(frame_ticks)).min(duration);
            sample(at, &mut joints)?;
            let moved = |above: &u16| joints[usize::from(*above)] != first_joints[usize::from(*above)];
            if let Some(joint) = ancestors(skeleton, joint).find(moved) {
                return Err(RootError::AboveMoves { joint, at });
            }
            let now = in_model(above, joints[usize::from(joint)]);
            let turn = parts.turn(product(now.rotation, first.rotation.conjugate()));
            let turn = if frames.last().is_some_and(|last| last.rotation.dot(turn) < 0.0) { -turn } else { turn };
            frames.push(Motion { translation: parts.pick(now.translation), rotation: turn });
        }
        Ok(RootTrack { joint, above, duration, frame_ticks, frames })
    }

    /// The joint that the travel was taken from.
    pub fn joint(&self) -> u16 {
        self.joint
    }
    pub fn duration(&self) -> Tick {
        self.duration
    }

    /// The travel from the first key to a moment of the clip; outside the clip that of the nearer end. Between frames
    /// translations are interpolated linearly and rotations by nlerp, as clips' are.
    pub fn travel(&self, at: Tick) -> Motion {
        let ticks = at.0.clamp(0, self.duration.0);
        let frame = (ticks / self.frame_ticks).min(self.frames.len() as i64 - 2);
        // The last frame is the pose at the clip's end, also where that is no whole number of frames.
        let span = self.frame_ticks.min(self.duration.0 - frame * self.frame_ticks).max(1);
        let along = (ticks - frame * self.frame_ticks) as f64 / span as f64;
        let (from, to) = (self.frames[frame as usize], self.frames[frame as usize + 1]);
        let now = if along == 0.0 {
            from
        } else if along == 1.0 {
            to
        } else {
            Motion {
                translation: from.translation + (to.translation - from.translation) * along,
                rotation: unit(from.rotation * (1.0 - along) + to.rotation * along),
            }
        };
        // From the first key: (shift to now, turn) * (shift to first)^-1. Interpolated, a product would sway where the
        // root turns.
        let first = self.frames[0].translation;
        Motion { translation: now.translation - turned(now.rotation, first), rotation: now.rotation }
    }

    /// The motion from one position of a time line to another, in the actor's frame at the first: what lies between the
    /// poses that a sampler shows there, and the travel of every loop between them. Any number of loops costs a power.
    ///
    /// Ping-pongs come back the way they went; what is held at an end does not move.
    pub fn between(&self, timeline: &Timeline, from: Position, to: Position) -> Motion {
        let loops = pass_of(timeline, to) - pass_of(timeline, from);
        let [from, to] = [from, to].map(|position| self.travel(timeline.local(position).tick()));
        if loops == 0 {
            return from.until(to);
        }
        from.until(self.seam(timeline).power(loops).then(to))
    }

    /// The motion of a controller's step. Seeking is no step and has none.
    pub fn step(&self, timeline: &Timeline, step: &Step) -> Motion {
        self.between(timeline, step.from, step.to)
    }

    /// From where a pass starts to where the next one does, seen from the clip's first key.
    fn seam(&self, timeline: &Timeline) -> Motion {
        let playback = timeline.playback();
        let (start, end) = if playback.reverse { (playback.max, playback.min) } else { (playback.min, playback.max) };
        self.travel(end).then(self.travel(start).inverse())
    }

    /// Takes the travel out of a pose: with all parts taken, the root stands as in the first key.
    ///
    /// Shapes: the pose has the root's lane. Its root is divided in f64 and rounded once.
    pub fn reset(&self, at: Tick, pose: &mut [JointBlock]) {
        let (block, lane) = (usize::from(self.joint) / ROW, usize::from(self.joint) % ROW);
        let root = pose[block].lane(lane);
        let DTrs { translation, rotation, .. } = self.in_place(at, root.into());
        pose[block].set_lane(lane, Trs { translation: translation.as_vec3(), rotation: rotation.as_quat(), ..root });
    }

    /// The root in its parent's space, without the travel until `at`: what [`bake`](crate::sample::bake) makes a clip
    /// in place of.
    #[must_use]
    pub fn in_place(&self, at: Tick, root: DTrs) -> DTrs {
        let travel = self.travel(at);
        let above = self.above;
        // above^-1 * travel^-1 * above * root
        let model = travel.until(in_model(above, root));
        let back = above.rotation.conjugate();
        DTrs {
            translation: turned(back, model.translation - above.translation) / above.scale,
            rotation: product(back, model.rotation),
            scale: root.scale,
        }
    }
}

/// The number of the pass whose travel a position has, where passes go on from each other.
fn pass_of(timeline: &Timeline, position: Position) -> i128 {
    let playback = timeline.playback();
    let Mode::Loop(_) = playback.mode else { return 0 };
    let min = Position::of_tick(playback.min).sub_ticks();
    let length = Position::of_tick(playback.max).sub_ticks() - min;
    if length == 0 {
        return 0;
    }
    let number = |x: i128| (x - min).div_euclid(length);
    match timeline.end() {
        None => number(position.sub_ticks()),
        // The end is that of the last pass, not the start of another.
        Some(end) => number(position.sub_ticks().clamp(min, end.sub_ticks() - 1)),
    }
}

fn check(root: DTrs, joint: u16, at: Tick) -> Result<(), RootError> {
    let length = root.rotation.length();
    let good = root.translation.is_finite() && length.is_finite() && length > 0.0;
    if good { Ok(()) } else { Err(RootError::NotFinite { joint, at }) }
}

/// From the parent up.
fn ancestors(skeleton: &Skeleton, joint: u16) -> impl Iterator<Item = u16> + '_ {
    let parent = |joint: u16| Some(skeleton.parents()[usize::from(joint)]).filter(|parent| *parent != NO_PARENT);
    std::iter::successors(parent(joint), move |joint| parent(*joint))
}

/// From the root's parent's space to the model's.
fn above_of(skeleton: &Skeleton, joint: u16, joints: &[DTrs]) -> Result<DTrs, RootError> {
    let mut above = DTrs::from(Trs::IDENTITY);
    for joint in ancestors(skeleton, joint) {
        let parent = joints[usize::from(joint)];
        check(parent, joint, Tick::ZERO)?;
        if !(parent.scale.x > 0.0 && parent.scale.is_finite() && parent.scale == DVec3::splat(parent.scale.x)) {
            return Err(RootError::AboveScale { joint });
        }
        let rotation = unit(parent.rotation);
        above = DTrs {
            translation: parent.translation + turned(rotation, parent.scale * above.translation),
            rotation: product(rotation, above.rotation),
            scale: parent.scale * above.scale,
        };
    }
    Ok(above)
}

/// Where the root is in the model, and how it is turned.
fn in_model(above: DTrs, root: DTrs) -> Motion {
    Motion {
        translation: above.translation + turned(above.rotation, above.scale * root.translation),
        rotation: product(above.rotation, unit(root.rotation)),
    }
}
