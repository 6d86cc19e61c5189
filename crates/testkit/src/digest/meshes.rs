//! Meshes: morphs, skins, boxes and crowds.

use glam::{DQuat, Mat4, Vec3};
use stillframe_anim::bounds::{
    JointBoxes, PaletteBounds, SkinJoints, clip_bounds, dual_quaternion_bounds, point_boxes,
};
use stillframe_anim::crowd::{
    BakedBones, CrowdBaking, CrowdClip, CrowdRig, CullCrowd, SampleCrowd, Storage, TextureLimits, Visible, grid,
    scatter,
};
use stillframe_anim::morph::{Morph, MorphChannel, MorphDirections, MorphSet, MorphTarget, target_weights};
use stillframe_anim::sample::DTrs;
use stillframe_anim::skin::{
    Directions, DualJoint, Influence, InfluenceList, MeshInfluences, SkinBlended, SkinCentres, SkinDualQuaternion,
    SkinMesh, SkinSorted, centres_of_rotation, dual_palette, sort_blocks,
};
use stillframe_base::geom::{Aabb, Frustum};
use stillframe_base::lanes::{Isa, ROW, Row};
use stillframe_base::math::ops64;
use stillframe_base::rng::Rng;
use stillframe_base::tick::{FrameRate, TICKS_PER_SECOND, Tick};

use super::world::{Bits, Numbers, VERTICES, World};
use crate::clips::JOINTS;

const AT: Tick = Tick(TICKS_PER_SECOND / 3);
const DIRECTIONS: [Directions; 3] = [Directions::Carried, Directions::Unit, Directions::InverseTranspose];

/// Joints near each other, up to `count` a vertex.
fn influences(count: usize) -> InfluenceList {
    let mut numbers = Numbers::new("influences");
    let mut list = InfluenceList::new(JOINTS, count);
    for vertex in 0..VERTICES {
        let first = vertex * JOINTS / VERTICES;
        let mut influence = |i: usize| Influence {
            joint: ((first + i) % JOINTS) as u16,
            weight: (numbers.signed() * 0.5 + 0.51) / (i + 1) as f32,
        };
        let raw: Vec<Influence> = (0..count).map(&mut influence).collect();
        list.push(&raw).expect("joints of the body");
    }
    list
}

fn put_box(out: &mut Bits, Aabb { min, max }: &Aabb) {
    out.put(&min.to_array());
    out.put(&max.to_array());
}

pub fn morph(world: &World, isa: Isa, out: &mut Bits) {
    let mut numbers = Numbers::new("morph");
    let mut list = |every: usize| -> (Vec<u32>, [Vec<[f32; 3]>; 3]) {
        let vertices: Vec<u32> = (0..VERTICES as u32).step_by(every).collect();
        let vectors = [(); 3].map(|()| vertices.iter().map(|_| (numbers.vec3() * 0.1).to_array()).collect());
        (vertices, vectors)
    };
    let lists = [1, 3, 50, 333].map(&mut list);
    let targets: Vec<MorphTarget<'_>> = lists
        .iter()
        .map(|(vertices, [positions, normals, tangents])| MorphTarget { vertices, positions, normals, tangents })
        .collect();
    let set = MorphSet::new(VERTICES, &targets).expect("in order");
    let (mut weights, mut moved) = ([0.0; 4], world.vertices.clone());
    for weight in [-0.5, 0.0, 0.25, 0.75, 1.0, 1.5] {
        let channels = [MorphChannel { shapes: &[(0.5, 0), (1.0, 1)] }, MorphChannel { shapes: &[(1.0, 2), (1.5, 3)] }];
        target_weights(&channels, &[weight, 1.0 - weight], &mut weights).expect("finite");
        out.put(&weights);
        let (weights, vertices, directions) = (&weights, &world.vertices, MorphDirections::Unit);
        Morph { isa, set: &set, weights, directions, vertices, out: &mut moved }.run();
        out.put(&moved);
    }
}

/// One, four and eight joints a vertex.
pub fn skin_linear(world: &World, isa: Isa, out: &mut Bits) {
    let (palette, vertices) = (&world.palette(isa, AT), &world.vertices);
    let mut moved = vertices.clone();
    for count in [1, 4, 8] {
        let list = influences(count);
        let blocks = list.blocks();
        let influences = MeshInfluences { count: list.influence_count(), blocks: &blocks };
        for directions in DIRECTIONS {
            SkinMesh { isa, palette, influences, directions, vertices, out: &mut moved }.run();
            out.put(&moved);
        }
    }
}

pub fn skin_sorted(world: &World, isa: Isa, out: &mut Bits) {
    let palette = &world.palette(isa, AT);
    let sorted = sort_blocks(&influences(4), 8).expect("four joints a vertex");
    out.put(&sorted.slots);
    let vertices = &sorted.arrange(&world.vertices);
    let mut moved = vertices.clone();
    for directions in DIRECTIONS {
        let influences = sorted.influences();
        SkinSorted { isa, palette, influences, directions, vertices, out: &mut moved }.run();
        out.put(&moved);
    }
}

pub fn skin_dual_quaternion(world: &World, isa: Isa, out: &mut Bits) {
    let mut rotations = vec![DualJoint::IDENTITY; JOINTS];
    dual_palette(&world.palette(isa, AT), &mut rotations).expect("joints that turn and move");
    out.put(&rotations);
    let (palette, vertices) = (&rotations, &world.vertices);
    let mut moved = vertices.clone();
    for count in [4, 8] {
        let list = influences(count);
        let blocks = list.blocks();
        let influences = MeshInfluences { count: list.influence_count(), blocks: &blocks };
        for directions in DIRECTIONS {
            SkinDualQuaternion { isa, palette, influences, directions, vertices, out: &mut moved }.run();
            out.put(&moved);
        }
    }
}

pub fn skin_centres(world: &World, isa: Isa, out: &mut Bits) {
    let palette = &world.palette(isa, AT);
    let mut rotations = vec![DualJoint::IDENTITY; JOINTS];
    dual_palette(palette, &mut rotations).expect("joints that turn and move");
    let triangles: Vec<[u32; 3]> = (0..VERTICES as u32 - 2).map(|first| [first, first + 1, first + 2]).collect();
    let (list, vertices) = (influences(4), &world.vertices);
    let centres = centres_of_rotation(&triangles, vertices, &list).expect("a strip of triangles");
    out.put(&centres);
    let blocks = list.blocks();
    let influences = MeshInfluences { count: list.influence_count(), blocks: &blocks };
    let mut moved = vertices.clone();
    for directions in DIRECTIONS {
        let (rotations, centres, to) = (&rotations, &centres, &mut moved);
        SkinCentres { isa, palette, rotations, influences, centres, directions, vertices, out: to }.run();
        out.put(&moved);
    }
}

/// Normals that stay with their triangles, under matrices and under both ways at once; shapes that are summed.
pub fn skin_surfaces(world: &World, isa: Isa, out: &mut Bits) {
    let mut numbers = Numbers::new("surfaces");
    let palette = &world.palette(isa, AT);
    let mut rotations = vec![DualJoint::IDENTITY; JOINTS];
    dual_palette(palette, &mut rotations).expect("joints that turn and move");
    let every: Vec<u32> = (0..VERTICES as u32).collect();
    let [positions, normals, tangents] =
        [(); 3].map(|()| every.iter().map(|_| (numbers.vec3() * 0.1).to_array()).collect::<Vec<_>>());
    let target = MorphTarget { vertices: &every, positions: &positions, normals: &normals, tangents: &tangents };
    let set = MorphSet::new(VERTICES, &[target]).expect("in order");
    let (mut shaped, directions) = (world.vertices.clone(), MorphDirections::Summed);
    Morph { isa, set: &set, weights: &[0.75], directions, vertices: &world.vertices, out: &mut shaped }.run();
    out.put(&shaped);
    let shares: Vec<Row> = shaped.iter().map(|_| Row([(); ROW].map(|()| numbers.signed() * 0.5 + 0.5))).collect();
    let (directions, vertices) = (Directions::Surface, &shaped);
    let mut moved = shaped.clone();
    for count in [1, 4, 8] {
        let list = influences(count);
        let blocks = list.blocks();
        let influences = MeshInfluences { count: list.influence_count(), blocks: &blocks };
        SkinMesh { isa, palette, influences, directions, vertices, out: &mut moved }.run();
        out.put(&moved);
        let (rotations, shares, to) = (&rotations, &shares, &mut moved);
        SkinBlended { isa, palette, rotations, influences, shares, directions, vertices, out: to }.run();
        out.put(&moved);
    }
}

pub fn bounds(world: &World, isa: Isa, out: &mut Bits) {
    let blocks = influences(4).blocks();
    let boxes = JointBoxes::of_mesh(&blocks, &point_boxes(&world.vertices, VERTICES)).expect("a mesh");
    for second in 0..10 {
        let palette = &world.palette(isa, Tick(second * TICKS_PER_SECOND));
        put_box(out, &PaletteBounds { isa, palette, boxes: &boxes }.run());
    }
    let skin: Vec<u16> = (0..JOINTS as u16).collect();
    let skin = SkinJoints { joints: &skin, inverse_binds: &world.inverse_binds };
    let of_clip = clip_bounds(&world.uniform[0], world.skeleton.parents(), skin, &boxes);
    put_box(out, &of_clip.expect("a clip of the body"));
    put_box(out, &dual_quaternion_bounds(&world.palette(isa, AT), &boxes).expect("the same joints"));
}

pub fn crowd(storage: Storage, world: &World, isa: Isa, out: &mut Bits) {
    let joints: Vec<u16> = (0..JOINTS as u16).collect();
    let rig = CrowdRig { skeleton: &world.skeleton, joints: &joints, inverse_binds: &world.inverse_binds };
    let swing = |rate: f64| {
        move |at: Tick, pose: &mut [DTrs]| {
            for (joint, pose) in pose.iter_mut().enumerate() {
                let angle = 0.4 * ops64::sin(at.seconds() * rate * std::f64::consts::TAU + joint as f64);
                let (sin, cos) = ops64::sin_cos(angle * 0.5);
                pose.rotation = DQuat::from_xyzw(sin, 0.0, 0.0, cos);
            }
        }
    };
    let (mut walk, mut run) = (swing(1.0), swing(2.0));
    let mut clips = [
        CrowdClip { length: Tick(TICKS_PER_SECOND), looping: true, keys: &[], pose: &mut walk },
        CrowdClip { length: Tick(TICKS_PER_SECOND / 2), looping: true, keys: &[], pose: &mut run },
    ];
    let rate = FrameRate::whole(15);
    let limits = TextureLimits::default();
    let baking = CrowdBaking { storage, error_max_m: 1.0, rate_min: rate, rate_max: rate, limits };
    let (baked, reports) = BakedBones::bake(rig, &mut clips, &baking).expect("two loops");
    let frames = &baked.frames;
    out.put(&frames.texture_bytes());
    out.put_text(&format!("{reports:?}"));
    let mut actors = scatter(&grid(10, 10, 2.0), 2, Rng::new(8));
    actors.iter_mut().step_by(3).enumerate().for_each(|(i, actor)| actor.fade = (i % 5) as f32 * 0.25);
    let bounds = [Aabb::new(Vec3::splat(-1.0), Vec3::splat(2.0)); 2];
    let frustum = Frustum::new(&Mat4::from_scale(Vec3::splat(0.125)));
    let mut visible = vec![Visible::default(); actors.len()];
    let (actors, eye, lod_distances_m) = (&actors[..], Vec3::ZERO, &[4.0, 8.0][..]);
    let cull = CullCrowd { actors, bounds: &bounds, frustum: &frustum, eye, lod_distances_m, visible: &mut visible };
    let count = cull.run();
    assert!(count > 10, "{count} actors are seen");
    visible.truncate(count);
    visible.iter().for_each(|seen| out.put(&[seen.actor, seen.lod]));
    let (mut phases, mut rows) = ([0; 2], vec![Row::ZERO; count * frames.frame_rows()]);
    for now in [0, 123_456_789, 1 << 50] {
        frames.clip_phases(Tick(now), &mut phases);
        SampleCrowd { isa, baked: frames, phases: &phases, actors, visible: &visible, out: &mut rows, stream: false }
            .run();
        out.put(&rows);
    }
}
