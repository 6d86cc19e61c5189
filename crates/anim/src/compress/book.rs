//! Book: the textbook's compression, to compare with.
//!
//! Source: the book's clip compression (our specification, animation 1.13): fewer frames, the inside of runs of equal
//! keys left out, 16 bits a number, translations and scales in one range for all joints of the clip, rotations in [-1,
//! 1]. Changed, where the book is wrong:
//!
//! - Times are ticks, not whole milliseconds.
//! - What never changes has one key, not three.
//! - There are 2^16 - 2 steps, an even number, so that 0 is in the middle of a range about it and no rotation stays
//!   none; a range of no width has one value; decoded rotations are made unit again.
//!
//! What it costs remains: a joint that hardly moves has the steps of the one that moves furthest, and no bound is asked
//! for.

use glam::{DQuat, DVec3};
use stillframe_base::tick::{FrameRate, Tick};

use super::grid::Grid;
use crate::sample::source::Source;
use crate::sample::{ClipError, DTrs, Skeleton};
use crate::slerp;

/// Steps of a range: an even number.
const STEPS: f64 = 65_534.0;

/// Smallest and largest value of a number.
type Range = (f64, f64);

/// Bytes of a key's time: what a file of the book has.
const TIME_BYTES: usize = 4;

/// Keys of one property of one joint.
#[derive(Clone, Debug, PartialEq)]
struct Keys<const N: usize> {
    times: Vec<Tick>,
    values: Vec<[u16; N]>,
}

/// A clip as the book packs it.
#[derive(Clone, Debug, PartialEq)]
pub struct BookClip {
    /// Translation and scale, by axis.
    ranges: [Range; 6],
    rotations: Vec<Keys<4>>,
    translations: Vec<Keys<3>>,
    scales: Vec<Keys<3>>,
}

fn encode(value: f64, (min, max): Range) -> u16 {
    if max > min { ((value - min) / (max - min) * STEPS).round_ties_even().clamp(0.0, STEPS) as u16 } else { 0 }
}

fn decode(value: u16, (min, max): Range) -> f64 {
    // Around the middle, so that a range about 0 has it.
    0.5 * (min + max) + (f64::from(value) - 0.5 * STEPS) * ((max - min) / STEPS)
}

impl<const N: usize> Keys<N> {
    /// Of a run of equal values the first and the last are kept; of a whole track of them, one.
    fn new(times: &[Tick], values: impl Iterator<Item = [u16; N]>) -> Keys<N> {
        let values: Vec<[u16; N]> = values.collect();
        let inside =
            |i: usize| i > 0 && i + 1 < values.len() && values[i - 1] == values[i] && values[i] == values[i + 1];
        let mut kept: Vec<usize> = (0..values.len()).filter(|i| !inside(*i)).collect();
        if values.iter().all(|value| *value == values[0]) {
            kept.truncate(1);
        }
        Keys { times: kept.iter().map(|i| times[*i]).collect(), values: kept.iter().map(|i| values[*i]).collect() }
    }

    fn bytes(&self) -> usize {
        self.times.len() * (TIME_BYTES + 2 * N)
    }

    /// The keys around a moment, and how far it is from the first to the second.
    fn around(&self, at: Tick) -> ([u16; N], [u16; N], f64) {
        let next = self.times.partition_point(|time| *time <= at).clamp(1, self.times.len());
        let (from, to) = (next - 1, next.min(self.times.len() - 1));
        let span = self.times[to].0 - self.times[from].0;
        let along = if span > 0 { (at.0 - self.times[from].0).max(0) as f64 / span as f64 } else { 0.0 };
        (self.values[from], self.values[to], along)
    }
}

impl BookClip {
    /// Packs a pose over time, asked for as by [`compress`](super::compress).
    pub fn new(
        skeleton: &Skeleton,
        duration: Tick,
        rate: FrameRate,
        pose: &mut dyn FnMut(Tick, &mut [DTrs]),
    ) -> Result<BookClip, ClipError> {
        let grid = Grid::of(duration, &[], rate, skeleton.joint_count())?;
        let mut source = Source::new(skeleton, duration, pose);
        let times: Vec<Tick> = (0..=grid.interval_count).map(|frame| grid.moment(frame, duration)).collect();
        let mut poses = Vec::new();
        for at in &times {
            source.push(*at, &mut poses)?;
        }
        let mut ranges = [(f64::INFINITY, f64::NEG_INFINITY); 6];
        for pose in &poses {
            let numbers = pose.translation.to_array().into_iter().chain(pose.scale.to_array());
            for ((min, max), number) in ranges.iter_mut().zip(numbers) {
                (*min, *max) = (min.min(number), max.max(number));
            }
        }
        let joints = 0..skeleton.joint_count();
        let of = |joint: usize| poses.iter().skip(joint).step_by(skeleton.joint_count());
        let vector = |v: DVec3, first: usize| [0, 1, 2].map(|i| encode(v[i], ranges[first + i]));
        let turn = |q: DQuat| q.to_array().map(|number| encode(number, (-1.0, 1.0)));
        Ok(BookClip {
            rotations: joints.clone().map(|j| Keys::new(&times, of(j).map(|pose| turn(pose.rotation)))).collect(),
            translations: joints.clone().map(|j| Keys::new(&times, of(j).map(|p| vector(p.translation, 0)))).collect(),
            scales: joints.map(|j| Keys::new(&times, of(j).map(|pose| vector(pose.scale, 3)))).collect(),
            ranges,
        })
    }

    /// What a file of it takes: keys with their times, and the ranges as f32.
    pub fn bytes(&self) -> usize {
        let rotations: usize = self.rotations.iter().map(Keys::bytes).sum();
        let vectors: usize = self.translations.iter().chain(&self.scales).map(Keys::bytes).sum();
        rotations + vectors + 12 * size_of::<f32>()
    }

    /// Keys of all properties of all joints.
    pub fn key_count(&self) -> usize {
        let rotations: usize = self.rotations.iter().map(|keys| keys.times.len()).sum();
        rotations + self.translations.iter().chain(&self.scales).map(|keys| keys.times.len()).sum::<usize>()
    }

    /// Writes the pose at a moment.
    ///
    /// Shapes: `out` has an entry a joint.
    pub fn sample(&self, at: Tick, out: &mut [DTrs]) {
        let vector = |keys: &Keys<3>, first: usize| {
            let (from, to, along) = keys.around(at);
            let number = |value: [u16; 3], i: usize| decode(value[i], self.ranges[first + i]);
            DVec3::from_array([0, 1, 2].map(|i| number(from, i) + (number(to, i) - number(from, i)) * along))
        };
        for (joint, out) in out.iter_mut().enumerate() {
            let (from, to, along) = self.rotations[joint].around(at);
            let turn = |value: [u16; 4]| DQuat::from_array(value.map(|v| decode(v, (-1.0, 1.0)))).normalize();
            out.rotation = slerp(turn(from), turn(to), along);
            out.translation = vector(&self.translations[joint], 0);
            out.scale = vector(&self.scales[joint], 3);
        }
    }
}
