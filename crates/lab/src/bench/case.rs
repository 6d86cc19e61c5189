//! Case: the table of what is timed, and what its figures count.

use stillframe_anim::crowd::Storage;

use super::reach::{Solver, reach};
use super::ready::{Ready, Setting};
use super::{anim, machine, play, skin};

/// What a figure counts.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Unit {
    /// Nanoseconds a joint, a vertex, a step: less is better.
    NsPer(&'static str),
    /// Nanoseconds / 1000 a thing.
    UsPer(&'static str),
    /// Gigabytes a second, read and written: more is better.
    GbPerS,
    /// Megabytes a second: more is better.
    MbPerS,
}

impl Unit {
    pub fn name(self) -> String {
        match self {
            Unit::NsPer(what) => format!("ns/{what}"),
            Unit::UsPer(what) => format!("us/{what}"),
            Unit::GbPerS => "GB/s".to_string(),
            Unit::MbPerS => "MB/s".to_string(),
        }
    }

    /// The figure of a call that takes so long and does so much.
    pub fn of(self, call_ns: f64, amount: f64) -> f64 {
        match self {
            Unit::NsPer(_) => call_ns / amount,
            Unit::UsPer(_) => call_ns / amount / 1000.0,
            Unit::GbPerS => amount / call_ns,
            Unit::MbPerS => amount / call_ns * 1000.0,
        }
    }

    pub fn more_is_better(self) -> bool {
        matches!(self, Unit::GbPerS | Unit::MbPerS)
    }
}

/// Something that is timed.
#[derive(Clone, Copy)]
pub struct Case {
    /// The first part is its group.
    pub name: &'static str,
    pub unit: Unit,
    /// In words.
    pub does: &'static str,
    /// Whether instruction sets differ: it runs kernels of ours.
    pub by_isa: bool,
    /// Whether more threads than one take part.
    pub by_threads: bool,
    pub prepare: fn(Setting) -> Ready,
}

const fn case(name: &'static str, unit: Unit, does: &'static str, prepare: fn(Setting) -> Ready) -> Case {
    Case { name, unit, does, by_isa: true, by_threads: false, prepare }
}

impl Case {
    const fn without_isa(self) -> Case {
        Case { by_isa: false, ..self }
    }
    const fn with_threads(self) -> Case {
        Case { by_threads: true, ..self }
    }
}

const JOINT: Unit = Unit::NsPer("joint");
const VERTEX: Unit = Unit::NsPer("vertex");
const CHAIN: Unit = Unit::NsPer("chain");
const STEP: Unit = Unit::NsPer("step");

/// Everything that is timed, in the order in which it is told.
#[rustfmt::skip]
pub const CASES: &[Case] = &[
    case("anim/sample/forward", JOINT, "a pose of a clip of 1.3 s, 60 a second", |s| anim::sample(s, anim::Order::Forward, 1300)),
    case("anim/sample/backward", JOINT, "the same, backward", |s| anim::sample(s, anim::Order::Backward, 1300)),
    case("anim/sample/random", JOINT, "the same, at any moment", |s| anim::sample(s, anim::Order::Random, 1300)),
    case("anim/sample/random_15s", JOINT, "at any moment of a clip of 15 s", |s| anim::sample(s, anim::Order::Random, 15_000)),
    case("anim/sample/all_move", JOINT, "translations and scales move, too", anim::sample_all),
    case("anim/sample/instances", JOINT, "1,000 poses, each at a moment of its own", anim::sample_instances),
    case("anim/blend/2", JOINT, "the weighted mean of 2 poses", |s| anim::blend(s, 2)),
    case("anim/blend/4", JOINT, "the weighted mean of 4 poses", |s| anim::blend(s, 4)),
    case("anim/blend/8", JOINT, "the weighted mean of 8 poses", |s| anim::blend(s, 8)),
    case("anim/model/one", JOINT, "local to model, one skeleton", anim::local_to_model),
    case("anim/model/lanes", JOINT, "local to model, 16 skeletons in lanes", anim::crowd_to_model),
    case("anim/palette", JOINT, "model matrices times inverse binds", anim::palette),
    case("anim/character", Unit::UsPer("character"), "2 clips, blend, local to model, palette", anim::character),
    case("anim/crowd", Unit::UsPer("character"), "1,000 such characters", anim::crowd).with_threads(),
    case("anim/compress", Unit::MbPerS, "a clip of 1.3 s to 0.1 mm, of 40 bytes a joint and frame", play::compression).without_isa(),
    case("anim/decompress/forward", JOINT, "a pose of such a clip, 60 a second", |s| play::decompress(s, anim::Order::Forward)),
    case("anim/decompress/random", JOINT, "the same, at any moment", |s| play::decompress(s, anim::Order::Random)),
    case("anim/graph/50", Unit::UsPer("character"), "a graph of 50 nodes that all count, 1,000 characters", play::graph).with_threads(),
    case("anim/actors/f32", Unit::NsPer("actor"), "palettes of 10,000 actors from baked frames", |s| play::actors(s, Storage::F32)).with_threads(),
    case("anim/actors/16_bit", Unit::NsPer("actor"), "the same, from frames of 16 bits", |s| play::actors(s, Storage::Ranged16)).with_threads(),
    case("anim/ik/ccd", CHAIN, "chains of 5 bones to a target, to 1 mm", |s| reach(s, Solver::Ccd)).without_isa(),
    case("anim/ik/fabrik", CHAIN, "the same, by FABRIK", |s| reach(s, Solver::Fabrik)).without_isa(),
    case("anim/ik/jacobian", CHAIN, "the same, by the Jacobian transpose", |s| reach(s, Solver::Jacobian)).without_isa(),
    case("anim/time/loop", STEP, "a controller's step of 1/60 s, 4 events", anim::time_loop).without_isa(),
    case("anim/time/backward", STEP, "the same, backward", anim::time_backward).without_isa(),
    case("anim/time/times", STEP, "the same, of N loops", anim::time_times).without_isa(),
    case("anim/time/ping_pong", STEP, "the same, to and fro", anim::time_ping_pong).without_isa(),
    case("anim/time/parked", STEP, "the same, at the end", anim::time_parked).without_isa(),
    case("skin/pnt1/mesh/10k", VERTEX, "any mesh, 1 joint a vertex: position, normal, tangent", |s| skin::mesh(s, 10_000, 1)),
    case("skin/pnt1/mesh/100k", VERTEX, "the same", |s| skin::mesh(s, 100_000, 1)),
    case("skin/pnt1/mesh/1m", VERTEX, "the same", |s| skin::mesh(s, 1_000_000, 1)),
    case("skin/pnt2/mesh/10k", VERTEX, "the same, 2 joints a vertex", |s| skin::mesh(s, 10_000, 2)),
    case("skin/pnt2/mesh/100k", VERTEX, "the same", |s| skin::mesh(s, 100_000, 2)),
    case("skin/pnt2/mesh/1m", VERTEX, "the same", |s| skin::mesh(s, 1_000_000, 2)),
    case("skin/pnt3/mesh/10k", VERTEX, "the same, 3 joints a vertex", |s| skin::mesh(s, 10_000, 3)),
    case("skin/pnt3/mesh/100k", VERTEX, "the same", |s| skin::mesh(s, 100_000, 3)),
    case("skin/pnt3/mesh/1m", VERTEX, "the same", |s| skin::mesh(s, 1_000_000, 3)),
    case("skin/pnt4/mesh/10k", VERTEX, "the same, 4 joints a vertex", |s| skin::mesh(s, 10_000, 4)),
    case("skin/pnt4/mesh/100k", VERTEX, "the same", |s| skin::mesh(s, 100_000, 4)),
    case("skin/pnt4/mesh/1m", VERTEX, "the same", |s| skin::mesh(s, 1_000_000, 4)),
    case("skin/pnt5/mesh/10k", VERTEX, "the same, 5 joints a vertex", |s| skin::mesh(s, 10_000, 5)),
    case("skin/pnt5/mesh/100k", VERTEX, "the same", |s| skin::mesh(s, 100_000, 5)),
    case("skin/pnt5/mesh/1m", VERTEX, "the same", |s| skin::mesh(s, 1_000_000, 5)),
    case("skin/pnt6/mesh/10k", VERTEX, "the same, 6 joints a vertex", |s| skin::mesh(s, 10_000, 6)),
    case("skin/pnt6/mesh/100k", VERTEX, "the same", |s| skin::mesh(s, 100_000, 6)),
    case("skin/pnt6/mesh/1m", VERTEX, "the same", |s| skin::mesh(s, 1_000_000, 6)),
    case("skin/pnt7/mesh/10k", VERTEX, "the same, 7 joints a vertex", |s| skin::mesh(s, 10_000, 7)),
    case("skin/pnt7/mesh/100k", VERTEX, "the same", |s| skin::mesh(s, 100_000, 7)),
    case("skin/pnt7/mesh/1m", VERTEX, "the same", |s| skin::mesh(s, 1_000_000, 7)),
    case("skin/pnt8/mesh/10k", VERTEX, "the same, 8 joints a vertex", |s| skin::mesh(s, 10_000, 8)),
    case("skin/pnt8/mesh/100k", VERTEX, "the same", |s| skin::mesh(s, 100_000, 8)),
    case("skin/pnt8/mesh/1m", VERTEX, "the same", |s| skin::mesh(s, 1_000_000, 8)),
    case("skin/pnt4/sorted/10k", VERTEX, "sorted into blocks of 16 that share 4 joints", |s| skin::sorted(s, 10_000, 4)),
    case("skin/pnt4/sorted/100k", VERTEX, "the same", |s| skin::sorted(s, 100_000, 4)),
    case("skin/pnt4/sorted/1m", VERTEX, "the same", |s| skin::sorted(s, 1_000_000, 4)),
    case("skin/pnt8/sorted/10k", VERTEX, "sorted into blocks of 16 that share 8 joints", |s| skin::sorted(s, 10_000, 8)),
    case("skin/pnt8/sorted/100k", VERTEX, "the same", |s| skin::sorted(s, 100_000, 8)),
    case("skin/pnt8/sorted/1m", VERTEX, "the same", |s| skin::sorted(s, 1_000_000, 8)),
    case("skin/dual4/mesh/10k", VERTEX, "any mesh, 4 joints a vertex, as dual quaternions", |s| skin::dual(s, 10_000, 4)),
    case("skin/dual4/mesh/100k", VERTEX, "the same", |s| skin::dual(s, 100_000, 4)),
    case("skin/dual4/mesh/1m", VERTEX, "the same", |s| skin::dual(s, 1_000_000, 4)),
    case("skin/centres4/mesh/10k", VERTEX, "the same, about centres of rotation", |s| skin::centres(s, 10_000, 4)),
    case("skin/centres4/mesh/100k", VERTEX, "the same", |s| skin::centres(s, 100_000, 4)),
    case("skin/centres4/mesh/1m", VERTEX, "the same", |s| skin::centres(s, 1_000_000, 4)),
    case("machine/copy/l1", Unit::GbPerS, "copies 16 KiB, as std does", |_| machine::copy(16 << 10)).without_isa(),
    case("machine/copy/l2", Unit::GbPerS, "copies 256 KiB", |_| machine::copy(256 << 10)).without_isa(),
    case("machine/copy/l3", Unit::GbPerS, "copies 4 MiB", |_| machine::copy(4 << 20)).without_isa(),
    case("machine/copy/memory", Unit::GbPerS, "copies 128 MiB", |_| machine::copy(128 << 20)).without_isa(),
];

/// Cases whose names begin so.
pub fn cases(prefix: &str) -> impl Iterator<Item = &'static Case> {
    CASES.iter().filter(move |case| case.name.starts_with(prefix))
}
