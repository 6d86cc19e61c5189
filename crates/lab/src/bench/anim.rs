//! Anim: poses of clips, mixed and placed; clocks. Names are those of the rows that other runtimes are compared by.

use std::hint::black_box;
use std::ops::ControlFlow;

use stillframe_anim::pose::{Affine, AffineBlock, Blend, BlendLayer, CrowdToModel, JointBlock, LocalToModel, Palette};
use stillframe_anim::sample::{Sample, UniformClip};
use stillframe_anim::time::{Controller, Event, Mode, Playback, Repeat, Signal, Speed, Timeline, Track};
use stillframe_base::lanes::{Isa, ROW};
use stillframe_base::par::Pool;
use stillframe_base::tick::{TICKS_PER_SECOND, Tick};

use super::input::{JOINTS, Numbers, clip, parents};
use super::{Ready, Setting};

/// Poses of one call: enough that the call itself costs nothing.
pub const POSES: usize = 64;

/// Moments sampled before they repeat.
pub const MOMENTS: usize = 4096;

pub const BLOCKS: usize = JointBlock::count_for(JOINTS);

/// The next moment after one.
#[derive(Clone, Copy)]
pub enum Order {
    /// 60 a second.
    Forward,
    Backward,
    Random,
}

/// [`MOMENTS`] moments of a clip.
pub fn moments(order: Order, duration: Tick) -> Vec<Tick> {
    let mut numbers = Numbers::new("moments");
    let forward = |i: usize| Tick(i as i64 * TICKS_PER_SECOND / 60).within(duration);
    let moment = |i: usize| match order {
        Order::Forward => forward(i),
        Order::Backward => duration - forward(i),
        Order::Random => numbers.moment(duration),
    };
    (0..MOMENTS).map(moment).collect()
}

struct Sampling {
    isa: Isa,
    clip: UniformClip,
    moments: Vec<Tick>,
    next: usize,
    /// One pose, or many behind each other.
    out: Vec<JointBlock>,
}

pub fn sample(setting: Setting, order: Order, clip_ms: i64) -> Ready {
    sampling(setting, clip(0, clip_ms, false), order, 1)
}

pub fn sample_all(setting: Setting) -> Ready {
    sampling(setting, clip(0, 15_000, true), Order::Random, 1)
}

pub fn sample_instances(setting: Setting) -> Ready {
    sampling(setting, clip(0, 15_000, false), Order::Random, 1000)
}

fn sampling(setting: Setting, clip: UniformClip, order: Order, instances: usize) -> Ready {
    let moments = moments(order, clip.duration());
    let out = vec![JointBlock::IDENTITY; BLOCKS * instances];
    let state = Sampling { isa: setting.isa, clip, moments, next: 0, out };
    let run = |s: &mut Sampling| {
        let poses = s.out.len() / BLOCKS;
        for pose in 0..poses.max(POSES) {
            s.next = (s.next + 1) % MOMENTS;
            let out = &mut s.out[pose % poses * BLOCKS..][..BLOCKS];
            Sample { isa: s.isa, clip: black_box(&s.clip), at: s.moments[s.next], out }.run();
        }
        black_box(&s.out);
    };
    Ready::new(JOINTS * instances.max(POSES), state, run, |s| bytemuck::cast_slice(&s.out))
}

struct Blending {
    isa: Isa,
    poses: Vec<Vec<JointBlock>>,
    weights: Vec<f32>,
    rest: Vec<JointBlock>,
    out: Vec<JointBlock>,
}

/// More than any case blends.
const LAYERS: usize = 8;

pub fn blend(setting: Setting, count: usize) -> Ready {
    assert!(count <= LAYERS, "{count} layers");
    let mut numbers = Numbers::new("blend");
    let poses = (0..count).map(|_| numbers.pose()).collect();
    let weights = (0..count).map(|_| numbers.unit() + 0.1).collect();
    let rest = numbers.pose();
    let state = Blending { isa: setting.isa, poses, weights, out: rest.clone(), rest };
    let run = |s: &mut Blending| {
        let mut layers = [BlendLayer { pose: &[], weight: 0.0 }; LAYERS];
        for (layer, (pose, weight)) in layers.iter_mut().zip(s.poses.iter().zip(&s.weights)) {
            *layer = BlendLayer { pose, weight: *weight };
        }
        let layers = &layers[..s.poses.len()];
        for _ in 0..POSES {
            Blend { isa: s.isa, layers: black_box(layers), rest: &s.rest, threshold: 0.1, out: &mut s.out }.run();
            black_box(&s.out);
        }
    };
    Ready::new(JOINTS * POSES, state, run, |s| bytemuck::cast_slice(&s.out))
}

struct Placing {
    isa: Isa,
    parents: Vec<u16>,
    locals: Vec<JointBlock>,
    models: Vec<Affine>,
}

pub fn local_to_model(setting: Setting) -> Ready {
    let (locals, models) = (Numbers::new("local").pose(), vec![Affine::IDENTITY; JOINTS]);
    let state = Placing { isa: setting.isa, parents: parents(), locals, models };
    let run = |s: &mut Placing| {
        for _ in 0..POSES {
            let (parents, locals, root) = (&s.parents, black_box(&s.locals), &Affine::IDENTITY);
            LocalToModel { isa: s.isa, parents, locals, root, models: &mut s.models }.run();
            black_box(&s.models);
        }
    };
    Ready::new(JOINTS * POSES, state, run, |s| bytemuck::cast_slice(&s.models))
}

struct PlacingCrowd {
    isa: Isa,
    parents: Vec<u16>,
    /// One a joint, a skeleton a lane.
    locals: Vec<JointBlock>,
    roots: AffineBlock,
    models: Vec<AffineBlock>,
}

pub fn crowd_to_model(setting: Setting) -> Ready {
    let mut numbers = Numbers::new("crowd");
    let mut block = || {
        let mut block = JointBlock::IDENTITY;
        (0..ROW).for_each(|lane| block.set_lane(lane, numbers.joint()));
        block
    };
    let locals = (0..JOINTS).map(|_| block()).collect();
    let (roots, models) = (AffineBlock::splat(Affine::IDENTITY), vec![AffineBlock::ZERO; JOINTS]);
    let state = PlacingCrowd { isa: setting.isa, parents: parents(), locals, roots, models };
    let run = |s: &mut PlacingCrowd| {
        for _ in 0..POSES / ROW {
            let (parents, locals, roots) = (&s.parents, black_box(&s.locals), &s.roots);
            CrowdToModel { isa: s.isa, parents, locals, roots, models: &mut s.models }.run();
            black_box(&s.models);
        }
    };
    Ready::new(JOINTS * POSES, state, run, |s| bytemuck::cast_slice(&s.models))
}

struct Binding {
    isa: Isa,
    joints: Vec<u16>,
    models: Vec<Affine>,
    inverse_binds: Vec<Affine>,
    palette: Vec<Affine>,
}

pub fn palette(setting: Setting) -> Ready {
    let mut numbers = Numbers::new("palette");
    let (models, inverse_binds) = (numbers.affines(), numbers.affines());
    let (joints, palette) = ((0..JOINTS as u16).collect(), vec![Affine::IDENTITY; JOINTS]);
    let state = Binding { isa: setting.isa, joints, models, inverse_binds, palette };
    let run = |s: &mut Binding| {
        for _ in 0..POSES {
            let (joints, inverse_binds) = (&s.joints, &s.inverse_binds);
            Palette { isa: s.isa, models: black_box(&s.models), joints, inverse_binds, palette: &mut s.palette }.run();
            black_box(&s.palette);
        }
    };
    Ready::new(JOINTS * POSES, state, run, |s| bytemuck::cast_slice(&s.palette))
}

/// What characters of one kind share.
struct Kind {
    isa: Isa,
    clips: [UniformClip; 2],
    rest: Vec<JointBlock>,
    parents: Vec<u16>,
    joints: Vec<u16>,
    inverse_binds: Vec<Affine>,
}

/// What each has for itself.
#[derive(Clone)]
struct Character {
    moments: [Tick; 2],
    weight: f32,
}

/// Room to work in, which comes again for every character.
struct Desk {
    poses: [Vec<JointBlock>; 3],
    models: Vec<Affine>,
}

impl Kind {
    fn new(isa: Isa) -> Kind {
        let mut numbers = Numbers::new("kind");
        Kind {
            isa,
            clips: [clip(1, 1300, false), clip(2, 900, false)],
            rest: numbers.pose(),
            parents: parents(),
            joints: (0..JOINTS as u16).collect(),
            inverse_binds: numbers.affines(),
        }
    }

    fn characters(&self, count: usize) -> Vec<Character> {
        let mut numbers = Numbers::new("characters");
        let [a, b] = [0, 1].map(|clip| self.clips[clip].duration());
        let character = |_| Character { moments: [numbers.moment(a), numbers.moment(b)], weight: numbers.unit() };
        (0..count).map(character).collect()
    }

    /// From two clips to what skinning wants.
    fn pose(&self, character: &Character, desk: &mut Desk, palette: &mut [Affine]) {
        let isa = self.isa;
        let [first, second, blended] = &mut desk.poses;
        Sample { isa, clip: &self.clips[0], at: character.moments[0], out: first }.run();
        Sample { isa, clip: &self.clips[1], at: character.moments[1], out: second }.run();
        let layers = [
            BlendLayer { pose: first, weight: 1.0 - character.weight },
            BlendLayer { pose: second, weight: character.weight },
        ];
        Blend { isa, layers: &layers, rest: &self.rest, threshold: 0.1, out: blended }.run();
        let (parents, root, models) = (&self.parents, &Affine::IDENTITY, &mut desk.models);
        LocalToModel { isa, parents, locals: blended, root, models }.run();
        Palette { isa, models, joints: &self.joints, inverse_binds: &self.inverse_binds, palette }.run();
    }
}

impl Desk {
    fn new() -> Desk {
        let pose = || vec![JointBlock::IDENTITY; BLOCKS];
        Desk { poses: [pose(), pose(), pose()], models: vec![Affine::IDENTITY; JOINTS] }
    }
}

struct One {
    kind: Kind,
    characters: Vec<Character>,
    desk: Desk,
    palette: Vec<Affine>,
}

pub fn character(setting: Setting) -> Ready {
    let kind = Kind::new(setting.isa);
    let (characters, palette) = (kind.characters(POSES), vec![Affine::IDENTITY; JOINTS]);
    let state = One { kind, characters, desk: Desk::new(), palette };
    let run = |s: &mut One| {
        for character in &s.characters {
            s.kind.pose(black_box(character), &mut s.desk, &mut s.palette);
            black_box(&s.palette);
        }
    };
    Ready::new(POSES, state, run, |s| bytemuck::cast_slice(&s.palette))
}

struct Many {
    kind: Kind,
    characters: Vec<Character>,
    palettes: Vec<Affine>,
    /// One a thread.
    desks: Vec<Desk>,
    pool: Pool,
}

pub const CROWD: usize = 1000;

/// Characters that one task poses: a palette of them stays in the nearest cache.
const CHARACTERS_A_TASK: usize = 8;

pub fn crowd(setting: Setting) -> Ready {
    let kind = Kind::new(setting.isa);
    let (characters, palettes) = (kind.characters(CROWD), vec![Affine::IDENTITY; CROWD * JOINTS]);
    let desks = (0..setting.threads).map(|_| Desk::new()).collect();
    let state = Many { kind, characters, palettes, desks, pool: Pool::new(setting.threads) };
    let run = |s: &mut Many| {
        let (kind, characters) = (&s.kind, black_box(&s.characters));
        s.pool.for_chunks_mut_with(
            &mut s.palettes,
            CHARACTERS_A_TASK * JOINTS,
            &mut s.desks,
            |desk, chunk, palettes| {
                let characters = &characters[chunk * CHARACTERS_A_TASK..];
                for (character, palette) in characters.iter().zip(palettes.chunks_exact_mut(JOINTS)) {
                    kind.pose(character, desk, palette);
                }
            },
        );
        black_box(&s.palettes);
    };
    Ready::new(CROWD, state, run, |s| bytemuck::cast_slice(&s.palettes))
}

struct Playing {
    timeline: Timeline,
    controller: Controller,
    /// How often each event was heard, and one more, so that silence is a result too.
    heard: [f32; 5],
}

/// Steps of one call.
const STEPS: usize = 512;

pub fn time_loop(_: Setting) -> Ready {
    time(Mode::Loop(Repeat::Forever), Speed::ONE)
}

pub fn time_backward(_: Setting) -> Ready {
    time(Mode::Loop(Repeat::Forever), Speed::whole(-1))
}

pub fn time_times(_: Setting) -> Ready {
    time(Mode::Loop(Repeat::Times(u32::MAX)), Speed::ONE)
}

pub fn time_ping_pong(_: Setting) -> Ready {
    time(Mode::PingPong(Repeat::Forever), Speed::ONE)
}

pub fn time_parked(_: Setting) -> Ready {
    time(Mode::Clamp, Speed::ONE)
}

fn time(mode: Mode, speed: Speed) -> Ready {
    let second = Tick(TICKS_PER_SECOND);
    let events = [0, 1, 2, 4].map(|quarter| Event::share(quarter, 4, Tick::ZERO, second)).to_vec();
    let track = Track::new(Tick::ZERO, second, events).unwrap_or_else(|error| unreachable!("in order: {error}"));
    let timeline = Timeline::new(Playback::new(Tick::ZERO, second, mode), &track);
    let timeline = timeline.unwrap_or_else(|error| unreachable!("a second long: {error}"));
    let controller = Controller { speed, ..Controller::play(&timeline) };
    let run = |s: &mut Playing| {
        let Playing { timeline, controller, heard } = s;
        heard[4] += 1.0;
        for _ in 0..STEPS {
            let done = controller.advance(black_box(timeline), black_box(Tick(TICKS_PER_SECOND / 60)), |fired| {
                if let Signal::Point(event) = fired.signal {
                    heard[event as usize] += 1.0;
                }
                ControlFlow::Continue(())
            });
            // Millions of years lie before the end of time.
            black_box(done.is_ok());
        }
    };
    Ready::new(STEPS, Playing { timeline, controller, heard: [0.0; 5] }, run, |s| &s.heard)
}
