//! Place: where the actors of a crowd stand, from a seed. The ground is y = 0, the middle of the crowd the origin.

use glam::{Affine3A, Quat, Vec3};
use stillframe_base::math::ops;
use stillframe_base::rng::Rng;

use super::{Actor, SPEED_ONE, Track};

/// Rows along x, one behind the other along z.
pub fn grid(columns: u32, rows: u32, spacing_m: f32) -> Vec<Vec3> {
    let middle = |count: u32| count.saturating_sub(1) as f32 * 0.5;
    let at = |number: u32| {
        let (column, row) = (number % columns, number / columns);
        Vec3::new((column as f32 - middle(columns)) * spacing_m, 0.0, (row as f32 - middle(rows)) * spacing_m)
    };
    (0..columns * rows).map(at).collect()
}

/// An actor at each place, facing anywhere, playing one of `clip_count` clips from anywhere, at 90 to 110 % of its
/// speed.
pub fn scatter(places: &[Vec3], clip_count: u32, rng: Rng) -> Vec<Actor> {
    let actor = |(number, place): (usize, &Vec3)| {
        let mut stream = rng.stream("crowd/actor", number as u64);
        let half_turn = stream.range_f32(0.0, std::f32::consts::PI);
        let rotation = Quat::from_xyzw(0.0, ops::sin(half_turn), 0.0, ops::cos(half_turn));
        let (clip, phase) = (stream.below(clip_count), stream.next_u32());
        let tenth = SPEED_ONE / 10;
        let speed = SPEED_ONE - tenth + stream.below(2 * tenth as u32 + 1) as i32;
        Actor::new(Affine3A::from_rotation_translation(rotation, *place), Track { clip, phase, speed })
    };
    places.iter().enumerate().map(actor).collect()
}
