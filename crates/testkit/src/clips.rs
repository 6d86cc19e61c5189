//! Clips: twelve of 67 joints, each hard in its own way, with keys at 30 a second.

use std::f64::consts::TAU;

use glam::{DQuat, DVec3, Quat, Vec3};
use stillframe_anim::pose::Trs;
use stillframe_anim::sample::{RawJoint, Skeleton};
use stillframe_anim::{Interpolation, Keyed, Property, RawClip, RawLayer, RawTrack, TrackValues};
use stillframe_base::math::ops64;
use stillframe_base::rng::{Rng, Stream};
use stillframe_base::tick::{TICKS_PER_SECOND, Tick};

pub const KEYS_PER_SECOND: i64 = 30;

/// Ticks from key to key.
pub const KEY_TICKS: i64 = TICKS_PER_SECOND / KEYS_PER_SECOND;

/// Rows of a body: how many joints in a chain, from which joint, and the bone between them in metres.
const CHAINS: &[(usize, usize, [f32; 3])] = &[
    (1, 0, [0.0, 0.0, 0.0]),
    (1, 0, [0.0, 0.95, 0.0]),
    (3, 1, [0.0, 0.13, 0.0]),
    (2, 4, [0.0, 0.12, 0.01]),
    (2, 6, [0.03, 0.06, 0.08]),
    (4, 4, [0.19, 0.03, 0.0]),
    (4, 4, [-0.19, 0.03, 0.0]),
    (4, 1, [0.08, -0.24, 0.02]),
    (4, 1, [-0.08, -0.24, 0.02]),
    (3, 12, [0.03, -0.01, 0.025]),
    (3, 12, [0.032, 0.0, 0.012]),
    (3, 12, [0.033, 0.0, 0.0]),
    (3, 12, [0.031, 0.0, -0.012]),
    (3, 12, [0.028, 0.0, -0.022]),
    (3, 16, [-0.03, -0.01, 0.025]),
    (3, 16, [-0.032, 0.0, 0.012]),
    (3, 16, [-0.033, 0.0, 0.0]),
    (3, 16, [-0.031, 0.0, -0.012]),
    (3, 16, [-0.028, 0.0, -0.022]),
    (6, 1, [0.0, 0.02, -0.11]),
    (2, 12, [0.02, 0.12, 0.0]),
    (2, 10, [0.05, 0.0, 0.0]),
    (2, 14, [-0.05, 0.0, 0.0]),
];

pub const ROOT: usize = 0;
pub const HIPS: usize = 1;
pub const BODY: std::ops::Range<usize> = 1..25;
pub const FINGERS: std::ops::Range<usize> = 25..55;
pub const JOINTS: usize = 67;

pub fn joints() -> Vec<RawJoint> {
    let mut joints: Vec<RawJoint> = Vec::new();
    for (count, from, bone) in CHAINS {
        for i in 0..*count {
            let node = joints.len();
            let parent = if node == 0 { None } else { Some(if i == 0 { *from } else { node - 1 }) };
            let rest = Trs { translation: Vec3::from_array(*bone), ..Trs::IDENTITY };
            joints.push(RawJoint { node, name: format!("joint {node}"), parent, rest });
        }
    }
    assert_eq!(joints.len(), JOINTS);
    joints
}

pub fn skeleton() -> Skeleton {
    Skeleton::new(&joints()).expect("a body")
}

/// What a joint does at a time in seconds.
type Motion = Box<dyn Fn(f64) -> DVec3>;

/// A clip as it is put together.
struct Maker {
    seconds: i64,
    random: Stream,
    tracks: Vec<RawTrack>,
}

impl Maker {
    fn new(name: &str, seconds: i64) -> Maker {
        Maker { seconds, random: Rng::new(11).stream(name, 0), tracks: Vec::new() }
    }

    fn times(&self) -> Vec<Tick> {
        (0..=self.seconds * KEYS_PER_SECOND).map(|key| Tick(key * KEY_TICKS)).collect()
    }

    fn keys(&mut self, node: usize, property: Property, interpolation: Interpolation, value: impl Fn(f64) -> Vec<f32>) {
        let times = self.times();
        let values = times.iter().flat_map(|time| value(time.seconds())).collect();
        let width = if property == Property::Rotation { 4 } else { 3 };
        let keyed = Keyed::new(times, interpolation, width, values).expect("in order");
        self.tracks.push(RawTrack { node, property, values: TrackValues::Keyed(keyed) });
    }

    /// Rotations by a rotation vector.
    fn turns(&mut self, node: usize, motion: Motion) {
        self.keys(node, Property::Rotation, Interpolation::Linear, |at| turn(motion(at)).to_array().to_vec());
    }

    fn moves(&mut self, node: usize, motion: Motion) {
        let rest = joints()[node].rest.translation;
        self.keys(node, Property::Translation, Interpolation::Linear, |at| {
            (rest.as_dvec3() + motion(at)).as_vec3().to_array().to_vec()
        });
    }

    fn scales(&mut self, node: usize, motion: Motion) {
        self.keys(node, Property::Scale, Interpolation::Linear, |at| {
            (DVec3::ONE + motion(at)).as_vec3().to_array().to_vec()
        });
    }

    fn axis(&mut self) -> DVec3 {
        let mut number = || self.random.unit_f64() * 2.0 - 1.0;
        DVec3::new(number(), number(), number() + 0.01).normalize()
    }

    fn between(&mut self, low: f64, high: f64) -> f64 {
        low + (high - low) * self.random.unit_f64()
    }

    /// A sum of waves about one main axis and a little about others.
    fn wave(&mut self, size: f64, rate_hz: f64, waves: usize) -> Motion {
        let main = self.axis();
        let waves: Vec<(DVec3, f64, f64)> = (0..waves)
            .map(|i| {
                let axis = (main + self.axis() * 0.3).normalize();
                let rate = TAU * rate_hz * (i + 1) as f64;
                (axis * size * self.between(0.4, 1.0) / ((i + 1) * (i + 1)) as f64, rate, self.between(0.0, TAU))
            })
            .collect();
        Box::new(move |at| waves.iter().map(|(axis, rate, phase)| *axis * ops64::sin(at * rate + phase)).sum())
    }

    /// Waves whose rates have nothing to do with each other.
    fn wander(&mut self, size: f64, rate_hz: f64) -> Motion {
        let waves: Vec<(DVec3, f64, f64)> = (0..5)
            .map(|_| {
                let rate = rate_hz * self.between(0.2, 1.0);
                (self.axis() * size * self.between(0.2, 0.6), TAU * rate, self.between(0.0, TAU))
            })
            .collect();
        Box::new(move |at| waves.iter().map(|(axis, rate, phase)| *axis * ops64::sin(at * rate + phase)).sum())
    }

    /// A value for each key that has nothing to do with the next.
    fn noise(&mut self, node: usize, size: f64) -> Motion {
        let stream = Rng::new(23).stream("noise", node as u64);
        Box::new(move |at| {
            let key = (at * KEYS_PER_SECOND as f64).round() as u64 * 3;
            let number = |i: u64| f64::from(stream.at(key + i)) / f64::from(u32::MAX) - 0.5;
            DVec3::new(number(0), number(1), number(2)) * 2.0 * size
        })
    }

    /// Keys that say the same again and again for all joints that have none, as exporters write them.
    fn finish(mut self, name: &str) -> RawClip {
        for (node, joint) in joints().iter().enumerate() {
            let bend = turn(self.axis() * 0.2).to_array().to_vec();
            let has = |tracks: &[RawTrack], property| {
                tracks.iter().any(|track| track.node == node && track.property == property)
            };
            if !has(&self.tracks, Property::Rotation) {
                self.keys(node, Property::Rotation, Interpolation::Linear, |_| bend.clone());
            }
            if !has(&self.tracks, Property::Translation) {
                let rest = joint.rest.translation.to_array().to_vec();
                self.keys(node, Property::Translation, Interpolation::Linear, |_| rest.clone());
            }
            if !has(&self.tracks, Property::Scale) {
                self.keys(node, Property::Scale, Interpolation::Linear, |_| vec![1.0; 3]);
            }
        }
        let end = Tick(self.seconds * TICKS_PER_SECOND);
        RawClip { name: name.into(), start: Tick::ZERO, end, layers: vec![RawLayer::base(self.tracks)] }
    }
}

fn turn(vector: DVec3) -> Quat {
    let angle = vector.length();
    if angle < 1e-12 {
        return Quat::IDENTITY;
    }
    let (sin, cos) = ops64::sin_cos(angle * 0.5);
    let axis = vector / angle * sin;
    DQuat::from_xyzw(axis.x, axis.y, axis.z, cos).normalize().as_quat()
}

fn still() -> RawClip {
    Maker::new("static", 10).finish("static")
}

fn idle() -> RawClip {
    let mut maker = Maker::new("idle", 20);
    for node in BODY {
        let wave = maker.wave(0.03, 0.25, 2);
        maker.turns(node, wave);
    }
    for node in FINGERS {
        let wave = maker.wave(0.02, 0.2, 1);
        maker.turns(node, wave);
    }
    let wave = maker.wave(0.01, 0.25, 2);
    maker.moves(HIPS, wave);
    maker.finish("idle")
}

/// A cycle of waves, and forward.
fn gait(name: &'static str, rate_hz: f64, size: f64, speed_m: f64) -> RawClip {
    let mut maker = Maker::new(name, 10);
    for node in BODY {
        let size = if (9..25).contains(&node) { size } else { size * 0.25 };
        let wave = maker.wave(size, rate_hz, 3);
        maker.turns(node, wave);
    }
    for node in 55..61 {
        let wave = maker.wave(0.15, rate_hz, 2);
        maker.turns(node, wave);
    }
    let wave = maker.wave(0.03, 2.0 * rate_hz, 2);
    maker.moves(HIPS, wave);
    maker.moves(ROOT, Box::new(move |at| DVec3::Z * (at * speed_m)));
    maker.finish(name)
}

/// Eight joints turn by 160 to 179.9 degrees from key to key, about an axis that wanders.
fn fast() -> RawClip {
    let mut maker = Maker::new("fast", 10);
    for node in BODY {
        let wave = maker.wave(0.3, 1.5, 3);
        maker.turns(node, wave);
    }
    for node in [12, 16, 20, 24, 61, 63, 65, 8] {
        let axis = maker.axis();
        let wander = maker.wander(0.4, 0.5);
        let degrees = maker.between(160.0, 179.9);
        maker.tracks.retain(|track| track.node != node);
        maker.keys(node, Property::Rotation, Interpolation::Linear, |at| {
            let key = (at * KEYS_PER_SECOND as f64).round() * degrees;
            let spin = turn(axis * (key % 720.0).to_radians());
            (turn(wander(at)) * spin).normalize().to_array().to_vec()
        });
    }
    maker.finish("fast")
}

fn far_root() -> RawClip {
    let mut maker = Maker::new("far root", 20);
    for node in BODY {
        let wave = maker.wave(0.3, 1.2, 3);
        maker.turns(node, wave);
    }
    maker.moves(ROOT, Box::new(|at| DVec3::new(at * 50.0, 3.0 * ops64::sin(at), 20.0 * ops64::sin(at * 0.3))));
    maker.finish("far root")
}

/// As a suit or cameras give it: wandering, with a rest of noise.
fn noisy() -> RawClip {
    let mut maker = Maker::new("noisy", 30);
    for node in BODY {
        let (wander, noise) = (maker.wander(0.35, 0.9), maker.noise(node, 0.0015));
        maker.turns(node, Box::new(move |at| wander(at) + noise(at)));
    }
    for node in FINGERS {
        let (wander, noise) = (maker.wander(0.2, 0.4), maker.noise(node, 0.002));
        maker.turns(node, Box::new(move |at| wander(at) + noise(at)));
    }
    let (wander, noise) = (maker.wander(0.4, 0.3), maker.noise(HIPS, 0.0005));
    maker.moves(HIPS, Box::new(move |at| wander(at) + noise(at)));
    maker.finish("noisy")
}

fn fingers() -> RawClip {
    let mut maker = Maker::new("fingers", 20);
    for node in FINGERS {
        let wander = maker.wander(0.5, 1.5);
        maker.turns(node, wander);
    }
    for node in [10, 11, 12, 14, 15, 16] {
        let wander = maker.wander(0.1, 0.5);
        maker.turns(node, wander);
    }
    maker.finish("fingers")
}

/// Joints that jump every few keys and stay in between, under others that move.
fn steps() -> RawClip {
    let mut maker = Maker::new("steps", 10);
    for node in BODY {
        let wave = maker.wave(0.2, 0.7, 2);
        let every = maker.random.below(9) + 3;
        if node % 2 == 0 {
            maker.turns(node, wave);
            continue;
        }
        maker.keys(node, Property::Rotation, Interpolation::Step, |at| {
            let key = (at * KEYS_PER_SECOND as f64).round() as i64;
            turn(wave((key - key % i64::from(every)) as f64 / KEYS_PER_SECOND as f64)).to_array().to_vec()
        });
    }
    maker.finish("steps")
}

fn scales() -> RawClip {
    let mut maker = Maker::new("scales", 10);
    for node in BODY {
        let wave = maker.wave(0.25, 0.8, 3);
        maker.turns(node, wave);
    }
    for node in [1, 3, 6, 10, 14, 20, 57] {
        let wander = maker.wander(0.15, 0.8);
        maker.scales(node, wander);
    }
    maker.finish("scales")
}

/// A minute of standing, walking and reaching.
fn long() -> RawClip {
    let mut maker = Maker::new("long", 60);
    for node in BODY.chain(FINGERS) {
        let (slow, quick) = (maker.wander(0.1, 0.2), maker.wave(0.4, 1.0, 3));
        let (start, length) = (maker.between(0.0, 40.0), maker.between(5.0, 20.0));
        let moves = node < 25 || node % 3 == 0;
        maker.turns(
            node,
            Box::new(move |at| {
                let along = ((at - start) / length).clamp(0.0, 1.0);
                let inside = 16.0 * along * along * (1.0 - along) * (1.0 - along);
                slow(at) + if moves { quick(at) * inside } else { DVec3::ZERO }
            }),
        );
    }
    let wander = maker.wander(0.5, 0.2);
    maker.moves(HIPS, wander);
    maker.finish("long")
}

/// Everything turns.
fn random() -> RawClip {
    let mut maker = Maker::new("random", 15);
    for node in 0..JOINTS {
        let wander = maker.wander(0.4, 1.0);
        maker.turns(node, wander);
    }
    for node in [ROOT, HIPS, 8, 24] {
        let wander = maker.wander(0.1, 1.0);
        maker.moves(node, wander);
    }
    maker.finish("random")
}

pub fn all() -> Vec<RawClip> {
    vec![
        still(),
        idle(),
        gait("walk", 0.9, 0.4, 1.4),
        gait("run", 1.6, 0.7, 4.5),
        fast(),
        far_root(),
        noisy(),
        fingers(),
        steps(),
        scales(),
        long(),
        random(),
    ]
}

pub fn named(name: &str) -> RawClip {
    all().into_iter().find(|clip| clip.name == name).expect("one of the twelve")
}
