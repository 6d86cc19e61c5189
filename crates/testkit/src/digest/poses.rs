//! Poses: from clips to matrices.

use stillframe_anim::compress::{CompressedClip, Decompress};
use stillframe_anim::figure::{BlendBinds, NameMap, NameRules, Retarget};
use stillframe_anim::pose::{
    AddDeltas, AddMeshDeltas, Affine, AffineBlock, Blend, BlendLayer, CrowdToModel, DeltaLayer, DeltaReference,
    JointBlock, MakeDelta, MakeMeshDelta, MaskedBlend, MaskedLayer,
};
use stillframe_anim::sample::{Baking, RawPose, Sample, bake_raw};
use stillframe_base::lanes::Isa;
use stillframe_base::tick::{FrameRate, TICKS_PER_SECOND, Tick};

use super::world::{BLOCKS, Bits, Numbers, World};
use crate::clips::JOINTS;

const MOMENTS: usize = 100;

/// Keys as files hold them, in f64.
pub fn raw(world: &World, _: Isa, out: &mut Bits) {
    for raw in &world.raw {
        let source = RawPose::new(raw, &world.skeleton).expect("well formed");
        let mut pose = world.rest();
        for at in Numbers::new("raw").moments(MOMENTS, source.duration()) {
            source.sample(at, &mut pose);
            out.put_pose(&pose);
        }
    }
}

pub fn bake(world: &World, _: Isa, out: &mut Bits) {
    for raw in &world.raw {
        let baking = Baking { rate: FrameRate::whole(24), object_error_max_m: None };
        let (_, report) = bake_raw(raw, &world.skeleton, &baking).expect("well formed");
        out.put_text(&format!("{report:?}"));
    }
}

pub fn sample(world: &World, isa: Isa, out: &mut Bits) {
    let mut pose = [JointBlock::IDENTITY; BLOCKS];
    for clip in &world.uniform {
        for at in Numbers::new("sample").moments(MOMENTS, clip.duration()) {
            Sample { isa, clip, at, out: &mut pose }.run();
            out.put(&pose);
        }
    }
}

/// A clip in frames and one that jumps between them: their files, and what was found.
pub fn compress(world: &World, _: Isa, out: &mut Bits) {
    for (clip, report) in &world.compressed {
        out.put(&clip.to_bytes());
        out.put_text(&format!("{report:?}"));
    }
}

pub fn decompress(world: &World, isa: Isa, out: &mut Bits) {
    let mut pose = [JointBlock::IDENTITY; BLOCKS];
    for (clip, _) in &world.compressed {
        let clip = CompressedClip::from_bytes(&clip.to_bytes()).expect("it was written");
        for at in Numbers::new("decompress").moments(MOMENTS, clip.duration()) {
            Decompress { isa, clip: &clip, at, out: &mut pose }.run();
            out.put(&pose);
        }
    }
}

/// Two, four and eight poses; some have little or no weight.
pub fn blend(_: &World, isa: Isa, out: &mut Bits) {
    let mut numbers = Numbers::new("blend");
    let poses: Vec<Vec<JointBlock>> = (0..9).map(|_| numbers.pose()).collect();
    let mut blended = [JointBlock::IDENTITY; BLOCKS];
    for round in 0..10 {
        for count in [2, 4, 8] {
            let layer = |pose| BlendLayer { pose, weight: if round == 3 { 0.01 } else { numbers.signed() + 0.5 } };
            let layers: Vec<BlendLayer<'_>> = poses[..count].iter().map(|pose| &pose[..]).map(layer).collect();
            Blend { isa, layers: &layers, rest: &poses[8], threshold: 0.3, out: &mut blended }.run();
            out.put(&blended);
        }
    }
}

pub fn masked_blend(_: &World, isa: Isa, out: &mut Bits) {
    let mut numbers = Numbers::new("masked");
    let (poses, masks) = ([(); 5].map(|()| numbers.pose()), [(); 4].map(|()| numbers.mask()));
    let mut blended = [JointBlock::IDENTITY; BLOCKS];
    for _ in 0..10 {
        let layers: Vec<MaskedLayer<'_>> = (0..4)
            .map(|i| MaskedLayer {
                pose: &poses[i],
                weight: numbers.signed() + 0.5,
                mask: (i != 2).then_some(&masks[i][..]),
            })
            .collect();
        MaskedBlend { isa, layers: &layers, rest: &poses[4], threshold: 0.3, out: &mut blended }.run();
        out.put(&blended);
    }
}

pub fn additive(_: &World, isa: Isa, out: &mut Bits) {
    let mut numbers = Numbers::new("additive");
    let (frames, reference, base) = (numbers.pose(), numbers.pose(), numbers.pose());
    let (mut deltas, mut sum) = ([frames.clone(), frames.clone()], frames.clone());
    for (delta, present) in deltas.iter_mut().zip([None, Some(numbers.mask())]) {
        let (present, reference) = (present.as_deref(), DeltaReference::Pose(&reference));
        MakeDelta { isa, frames: &frames, frame_blocks: BLOCKS, reference, present, out: delta }.run();
        out.put(delta);
    }
    let mask = numbers.mask();
    for weight in [0.0, 0.3, 1.0] {
        let layers = [
            DeltaLayer { delta: &deltas[0], weight, mask: None },
            DeltaLayer { delta: &deltas[1], weight: 0.7, mask: Some(&mask) },
        ];
        AddDeltas { isa, base: &base, deltas: &layers, out: &mut sum }.run();
        out.put(&sum);
    }
}

/// Over the body's own tree.
pub fn mesh_additive(world: &World, isa: Isa, out: &mut Bits) {
    let mut numbers = Numbers::new("mesh additive");
    let (frames, reference, base) = (numbers.pose(), numbers.pose(), numbers.pose());
    let (parents, mask) = (world.skeleton.parents(), numbers.mask());
    let (mut delta, mut sum) = (frames.clone(), frames.clone());
    let reference = DeltaReference::Pose(&reference);
    MakeMeshDelta { isa, parents, frames: &frames, reference, out: &mut delta }.run();
    out.put(&delta);
    for weight in [0.0, 0.3, 1.0] {
        let layers = [
            DeltaLayer { delta: &delta, weight, mask: None },
            DeltaLayer { delta: &delta, weight: 0.7, mask: Some(&mask) },
        ];
        for deltas in [&layers[..1], &layers] {
            AddMeshDeltas { isa, parents, base: &base, deltas, out: &mut sum }.run();
            out.put(&sum);
        }
    }
}

pub fn local_to_model(world: &World, isa: Isa, out: &mut Bits) {
    let mut numbers = Numbers::new("models");
    for _ in 0..10 {
        out.put(&world.models(isa, &numbers.pose()));
    }
    let pose = numbers.pose();
    let mut locals = [JointBlock::IDENTITY; JOINTS];
    for (joint, block) in locals.iter_mut().enumerate() {
        (0..16).for_each(|lane| block.set_lane(lane, JointBlock::joint(&pose, (joint * 7 + lane * 5) % JOINTS)));
    }
    let (roots, mut models) = (AffineBlock::splat(Affine::IDENTITY), [AffineBlock::ZERO; JOINTS]);
    let parents = world.skeleton.parents();
    CrowdToModel { isa, parents, locals: &locals, roots: &roots, models: &mut models }.run();
    out.put(&models);
}

pub fn palette(world: &World, isa: Isa, out: &mut Bits) {
    for second in 0..10 {
        out.put(&world.palette(isa, Tick(second * TICKS_PER_SECOND)));
    }
}

/// Binds of other bodies, and a pose on another skeleton.
pub fn figure(world: &World, isa: Isa, out: &mut Bits) {
    let (base, changed) = (&world.inverse_binds, &world.palette(isa, Tick(TICKS_PER_SECOND / 3)));
    let mut binds = vec![Affine::IDENTITY; JOINTS];
    BlendBinds { isa, base, changed, weight: 0.3, out: &mut binds }.run();
    out.put(&binds);
    let map = NameMap::new(&world.skeleton, &world.skeleton, &NameRules::default()).expect("one each");
    let (pose, source_rest) = (Numbers::new("figure").pose(), world.skeleton.rest());
    let mut other = world.skeleton.rest_blocks();
    let mut ratios = [0.0; JOINTS];
    ratios[1] = 1.25;
    Retarget { map: &map, source_rest, target_rest: source_rest, pose: &pose, ratios: &ratios, out: &mut other }.run();
    out.put(&other);
}
