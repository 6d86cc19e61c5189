//! Sample: the formula of the module's page, written a second time and plainly, gives the same bits; order and
//! neighbours do not count.

use proptest::prelude::*;
use stillframe_anim::crowd::{
    Actor, BakedFrames, CrowdError, SPEED_ONE, SampleCrowd, Storage, Texels, Track, Visible, affine_of, scatter,
};
use stillframe_anim::pose::Affine;
use stillframe_base::lanes::{Isa, ROW, Row};
use stillframe_base::rng::Rng;
use stillframe_base::tick::{TICKS_PER_SECOND, Tick};
use stillframe_testkit::depth::cases;

use super::puppet::{FALL, Puppet, RUN, WALK, baking};

/// What a shader does: texels by column and row of the texture's bytes, u32 and f32 alone.
struct Shader<'a> {
    frames: &'a BakedFrames,
    bytes: Vec<u8>,
    width: u32,
    phases: Vec<u32>,
}

impl Shader<'_> {
    fn load(&self, i: u32) -> [f32; 4] {
        let (x, y) = (i % self.width, i / self.width);
        let place = (y * self.width + x) as usize;
        match self.frames.texels() {
            Texels::F32(_) => bytemuck::pod_read_unaligned::<[f32; 4]>(&self.bytes[place * 16..place * 16 + 16]),
            Texels::U16(_) => {
                bytemuck::pod_read_unaligned::<[u16; 4]>(&self.bytes[place * 8..place * 8 + 8]).map(f32::from)
            }
        }
    }

    fn row(&self, track: &Track, texel: u32) -> [f32; 4] {
        let clip = self.frames.clips()[track.clip as usize];
        let phase = track.phase.wrapping_add(self.phases[track.clip as usize].wrapping_mul(track.speed as u32));
        let n = clip.segment_count;
        let fixed = (phase >> 16) * n + (((phase & 0xffff) * n) >> 16);
        let along = (fixed & 0xffff) as f32 * (1.0 / 65536.0);
        let frame_texels = self.frames.frame_texels() as u32;
        let i = clip.first_texel + (fixed >> 16) * frame_texels + texel;
        let (a, b) = (self.load(i), self.load(i + frame_texels));
        let q = [0, 1, 2, 3].map(|c| a[c] + (b[c] - a[c]) * along);
        match self.frames.texels() {
            Texels::F32(_) => q,
            Texels::U16(_) => {
                let k = (clip.first_range + texel) as usize;
                let (min, step) =
                    (self.frames.range_texels()[k], self.frames.range_texels()[k + frame_texels as usize]);
                [0, 1, 2, 3].map(|c| min[c] + step[c] * q[c])
            }
        }
    }

    fn palette(&self, actor: &Actor) -> Vec<f32> {
        let row = |texel: u32| {
            let v0 = self.row(&actor.tracks[0], texel);
            if actor.fade == 0.0 {
                return v0;
            }
            let v1 = self.row(&actor.tracks[1], texel);
            [0, 1, 2, 3].map(|c| v0[c] + (v1[c] - v0[c]) * actor.fade)
        };
        (0..self.frames.item_count() as u32 * 3).flat_map(row).collect()
    }
}

fn run(isa: Isa, frames: &BakedFrames, now: Tick, actors: &[Actor], order: &[u32]) -> Vec<Row> {
    run_as(isa, frames, now, actors, order, false)
}

fn run_as(isa: Isa, frames: &BakedFrames, now: Tick, actors: &[Actor], order: &[u32], stream: bool) -> Vec<Row> {
    let mut phases = vec![0; frames.clips().len()];
    frames.clip_phases(now, &mut phases);
    let visible: Vec<Visible> = order.iter().map(|actor| Visible { actor: *actor, lod: 0 }).collect();
    let mut out = vec![Row::ZERO; order.len() * frames.frame_rows()];
    let job = SampleCrowd { isa, baked: frames, phases: &phases, actors, visible: &visible, out: &mut out, stream };
    assert_eq!(job.validate(), Ok(()));
    job.run();
    out
}

fn crowd(seed: u64, count: usize, clip_count: u32) -> Vec<Actor> {
    let rng = Rng::new(seed);
    let mut actors = scatter(&vec![glam::Vec3::ZERO; count], clip_count, rng);
    for (number, actor) in actors.iter_mut().enumerate() {
        let mut random = rng.stream("fade", number as u64);
        actor.tracks[1] = Track { clip: random.below(clip_count), phase: random.next_u32(), speed: -SPEED_ONE };
        actor.fade = [0.0, random.unit_f32(), 1.0][random.below(3) as usize];
    }
    actors
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(cases(40)))]
    #[test]
    fn a_shader_would_give_these_bits(seed in any::<u64>(), joints in 1usize..20, now in any::<i64>(), ranged in any::<bool>()) {
        let storage = if ranged { Storage::Ranged16 } else { Storage::F32 };
        let (baked, _) = Puppet::new(joints).bake(&[FALL, WALK, RUN], &baking(storage, 10e-3)).expect("clips");
        let frames = &baked.frames;
        let actors = crowd(seed, 20, 3);
        let mut phases = vec![0; 3];
        frames.clip_phases(Tick(now), &mut phases);
        let shader = Shader { frames, bytes: frames.texture_bytes(), width: frames.size()[0], phases };
        let order: Vec<u32> = (0..20).collect();
        for isa in Isa::available() {
            let out = run(isa, frames, Tick(now), &actors, &order);
            for (actor, rows) in actors.iter().zip(out.chunks_exact(frames.frame_rows())) {
                let got: Vec<u32> = rows.iter().flat_map(|row| row.0).map(f32::to_bits).collect();
                let want: Vec<u32> = shader.palette(actor).into_iter().map(f32::to_bits).collect();
                prop_assert_eq!(&got[..want.len()], &want[..], "{}", isa);
                prop_assert!(got[want.len()..].iter().all(|bits| *bits == 0));
                let last = affine_of(rows, frames.item_count() - 1);
                prop_assert_eq!(last.0.0[11].to_bits(), want[want.len() - 1]);
                prop_assert_eq!(&last.0.0[12..], &[0.0, 0.0, 0.0, 1.0][..]);
            }
        }
    }

    /// Alone, among others, in any order: an actor is the same.
    #[test]
    fn order_does_not_count(seed in any::<u64>(), now in 0i64..1 << 50) {
        let (baked, _) = Puppet::new(7).bake(&[WALK, RUN], &baking(Storage::Ranged16, 10e-3)).expect("clips");
        let frames = &baked.frames;
        let actors = crowd(seed, 30, 2);
        let mut order: Vec<u32> = (0..30).collect();
        Rng::new(seed).stream("order", 0).shuffle(&mut order);
        let all = run(Isa::detect(), frames, Tick(now), &actors, &order);
        for (place, actor) in order.iter().enumerate() {
            let rows = frames.frame_rows();
            let alone = run(Isa::detect(), frames, Tick(now), &actors[*actor as usize..=*actor as usize], &[0]);
            prop_assert_eq!(&all[place * rows..(place + 1) * rows], &alone[..]);
        }
    }
}

/// What lies next to a clip in the texture does not matter: alone it gives the same bits as between others.
#[test]
fn clips_do_not_bleed() {
    let puppet = Puppet::new(6);
    for storage in [Storage::F32, Storage::Ranged16] {
        let baking = baking(storage, 5e-3);
        let (alone, _) = puppet.bake(&[RUN], &baking).expect("a clip");
        let (among, _) = puppet.bake(&[FALL, RUN, WALK], &baking).expect("clips");
        for k in 0..1000 {
            let phase = (k * 4_294_968) as u32 + if k == 999 { 3000 } else { 0 };
            let actor = |clip| [Actor::new(glam::Affine3A::IDENTITY, Track { clip, phase, speed: SPEED_ONE })];
            let now = Tick(k * 1_000_003);
            assert_eq!(
                run(Isa::detect(), &alone.frames, now, &actor(0), &[0]),
                run(Isa::detect(), &among.frames, now, &actor(1), &[0])
            );
        }
    }
}

#[test]
fn fades_end_in_their_clips() {
    let (baked, _) = Puppet::new(6).bake(&[WALK, RUN], &baking(Storage::F32, 5e-3)).expect("clips");
    let frames = &baked.frames;
    let mut actor = crowd(1, 1, 2)[0];
    let at = |actor: &Actor| run(Isa::detect(), frames, Tick(TICKS_PER_SECOND / 7), &[*actor], &[0]);
    actor.tracks[0].clip = 0;
    actor.tracks[1].clip = 1;
    let alone = |track: Track| at(&Actor { tracks: [track; 2], fade: 0.0, ..actor });
    actor.fade = 0.0;
    assert_eq!(at(&actor), alone(actor.tracks[0]));
    // The second clip is not read then, whatever it says.
    let mut nowhere = actor;
    nowhere.tracks[1].clip = 99;
    assert_eq!(at(&nowhere), at(&actor));
    actor.fade = 1.0;
    let numbers = |rows: Vec<Row>| rows.into_iter().flat_map(|row| row.0).collect::<Vec<f32>>();
    for (a, b) in numbers(at(&actor)).into_iter().zip(numbers(alone(actor.tracks[1]))) {
        assert!((a - b).abs() <= 1e-6 * (1.0 + b.abs()), "{a} {b}");
    }
}

/// A picture takes what it wants from any moment: in any order of moments each is the same.
#[test]
fn moments_do_not_depend_on_each_other() {
    let (baked, _) = Puppet::new(6).bake(&[WALK, RUN], &baking(Storage::F32, 5e-3)).expect("clips");
    let actors = crowd(4, 10, 2);
    let order: Vec<u32> = (0..10).collect();
    let loops = WALK.length.0 * i64::from(SPEED_ONE) * 3;
    for now in [0, 12_345_678, 705_600_001] {
        // 768 walks and 1152 runs later, which is both a multiple of 256.
        let later = run(Isa::detect(), &baked.frames, Tick(now + 2 * loops), &actors, &order);
        assert_eq!(run(Isa::detect(), &baked.frames, Tick(now), &actors, &order), later);
    }
}

#[test]
fn crowds_that_cannot_be_sampled() {
    let (baked, _) = Puppet::new(6).bake(&[WALK, RUN], &baking(Storage::F32, 5e-3)).expect("clips");
    let frames = &baked.frames;
    let good = crowd(1, 2, 2);
    let validate = |actors: &[Actor], visible: &[u32], phases: usize, rows: usize| {
        let visible: Vec<Visible> = visible.iter().map(|actor| Visible { actor: *actor, lod: 0 }).collect();
        let (phases, mut out) = (vec![0; phases], vec![Row::ZERO; rows]);
        let isa = Isa::detect();
        SampleCrowd { isa, baked: frames, phases: &phases, actors, visible: &visible, out: &mut out, stream: false }
            .validate()
    };
    let rows = frames.frame_rows();
    assert_eq!(validate(&good, &[1, 0], 2, 2 * rows), Ok(()));
    assert_eq!(validate(&good, &[1], 1, rows), Err(CrowdError::Count { what: "phases of clips", count: 1, want: 2 }));
    let want = Err(CrowdError::Count { what: "rows of palettes", count: rows, want: 2 * rows });
    assert_eq!(validate(&good, &[1, 0], 2, rows), want);
    let want = Err(CrowdError::Actor { actor: 2, what: "there is none of this number" });
    assert_eq!(validate(&good, &[2], 2, rows), want);
    for fade in [-0.1, 1.1, f32::NAN] {
        let mut bad = good.clone();
        bad[1].fade = fade;
        let want = Err(CrowdError::Actor { actor: 1, what: "its fade is not in 0 to 1" });
        assert_eq!(validate(&bad, &[1], 2, rows), want);
    }
    let mut bad = good.clone();
    (bad[0].fade, bad[0].tracks[1].clip) = (0.5, 2);
    assert_eq!(validate(&bad, &[0], 2, rows), Err(CrowdError::Clip { actor: 0, track: 1, clip: 2, count: 2 }));
}

/// A row of a palette ends where sixteen numbers end, not where a joint does.
#[test]
fn joints_cross_rows() {
    let rows: Vec<Row> = (0..3).map(|r| Row(std::array::from_fn(|lane| (r * ROW + lane) as f32))).collect();
    let Affine(row) = affine_of(&rows, 2);
    assert_eq!(&row.0[..12], &(24..36).map(|n| n as f32).collect::<Vec<f32>>()[..]);
}

/// Results may take another way to memory; the bits are the same. 21 rows of a puppet are no multiple of those that are
/// streamed at once.
#[test]
fn crowds_are_streamed_with_the_same_bits() {
    for (joint_count, storage) in [(67, Storage::Ranged16), (28, Storage::F32)] {
        let (baked, _) = Puppet::new(joint_count).bake(&[WALK, RUN], &baking(storage, 10e-3)).expect("clips");
        let (actors, order) = (crowd(9, 500, 2), (0..500).collect::<Vec<u32>>());
        for isa in Isa::available() {
            let kept = run(isa, &baked.frames, Tick(77), &actors, &order);
            assert!(kept == run_as(isa, &baked.frames, Tick(77), &actors, &order, true), "{isa}");
        }
    }
}
