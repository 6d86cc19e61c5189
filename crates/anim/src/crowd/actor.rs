//! Actor: one of a crowd, as plain numbers that a shader reads too, and its time in whole numbers.

use glam::{Affine3A, Mat3A, Vec3A};
use stillframe_base::tick::Tick;

/// The speed at which a clip plays as it was made.
pub const SPEED_ONE: i32 = 256;

/// A clip that plays on an actor.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, bytemuck::Zeroable, bytemuck::Pod)]
#[repr(C)]
pub struct Track {
    /// Number of the baked clips.
    pub clip: u32,
    /// Where in the clip it is at time 0, in 2^-32 of its length.
    pub phase: u32,
    /// In 256ths ([`SPEED_ONE`]); backward where negative. With 0 the phase stands: clips that play once
    /// ([`phase_once`]).
    pub speed: i32,
}

impl Track {
    /// Where in the clip it is, in 2^-32 of its length; `clip_phase` is that of its clip at the moment.
    #[inline]
    pub fn phase_at(&self, clip_phase: u32) -> u32 {
        self.phase.wrapping_add(clip_phase.wrapping_mul(self.speed as u32))
    }
}

/// One of a crowd: 80 bytes without gaps.
#[derive(Clone, Copy, Debug, PartialEq, bytemuck::Zeroable, bytemuck::Pod)]
#[repr(C)]
pub struct Actor {
    /// Three rows of the matrix from the model to the world.
    pub world: [[f32; 4]; 3],
    /// What plays, and what it fades to.
    pub tracks: [Track; 2],
    /// Share of the second track, 0 to 1. At 0 the second track is not read.
    pub fade: f32,
    /// The least level of detail, which distance raises ([`CullCrowd`](super::CullCrowd)).
    pub lod_min: u32,
}

impl Actor {
    /// An actor at a place, that plays one clip.
    pub fn new(world: Affine3A, track: Track) -> Actor {
        let Affine3A { matrix3, translation } = world;
        let rows = matrix3.transpose();
        let row = |axis: Vec3A, offset: f32| [axis.x, axis.y, axis.z, offset];
        let world = [row(rows.x_axis, translation.x), row(rows.y_axis, translation.y), row(rows.z_axis, translation.z)];
        Actor { world, tracks: [track; 2], fade: 0.0, lod_min: 0 }
    }

    pub fn world_from_model(&self) -> Affine3A {
        let [x, y, z] = self.world.map(|[x, y, z, _]| Vec3A::new(x, y, z));
        Affine3A {
            matrix3: Mat3A::from_cols(x, y, z).transpose(),
            translation: Vec3A::new(self.world[0][3], self.world[1][3], self.world[2][3]),
        }
    }
}

/// Where a clip of this length is at a moment, in 2^-32 of [`SPEED_ONE`] loops, rounded down: what tracks multiply by
/// their speed.
///
/// It repeats exactly after `SPEED_ONE` loops, for any moment that ticks can tell; a track's phase is at most `|speed|`
/// below that of unlimited precision, at any time. 0 for a clip of no length.
pub fn clip_phase(now: Tick, length: Tick) -> u32 {
    let span = i128::from(length.0) * i128::from(SPEED_ONE);
    if span <= 0 { 0 } else { ((i128::from(now.0).rem_euclid(span) << 32) / span) as u32 }
}

/// The phase of a clip that plays once, for a track of speed 0: its end holds.
pub fn phase_once(elapsed: Tick, length: Tick) -> u32 {
    if elapsed >= length {
        return u32::MAX;
    }
    ((i128::from(elapsed.0.max(0)) << 32) / i128::from(length.0)) as u32
}

/// The fade that began at `start` and lasts `length`, 0 to 1: the f32 nearest to the quotient.
pub fn fade_at(now: Tick, start: Tick, length: Tick) -> f32 {
    let elapsed = i128::from(now.0) - i128::from(start.0);
    if elapsed < 0 {
        0.0
    } else if elapsed >= i128::from(length.0) {
        1.0
    } else {
        (elapsed as f64 / length.0 as f64) as f32
    }
}

/// The frame of a phase, and how far it is to the next one, 0 to 1 in 2^-16. The next frame is always there.
#[inline]
pub fn frame_of_phase(phase: u32, segment_count: u32) -> (u32, f32) {
    debug_assert!((1..=0xffff).contains(&segment_count), "{segment_count} segments");
    let fixed = (phase >> 16) * segment_count + (((phase & 0xffff) * segment_count) >> 16);
    (fixed >> 16, (fixed & 0xffff) as f32 * (1.0 / 65536.0))
}
