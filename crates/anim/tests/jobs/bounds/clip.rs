//! Boxes of meshes over a whole clip.

use glam::{Affine3A, DQuat, DVec3, Quat, Vec3};
use proptest::prelude::*;
use stillframe_anim::bounds::{BoundsError, JointBoxes, PaletteBounds, SkinJoints, clip_bounds};
use stillframe_anim::pose::{Affine, JobError, JointBlock, LocalToModel, Palette, Trs};
use stillframe_anim::sample::{Baking, DTrs, RawJoint, Sample, Skeleton, UniformClip, bake};
use stillframe_base::geom::Aabb;
use stillframe_base::lanes::Isa;
use stillframe_base::tick::{FrameRate, TICKS_PER_SECOND, Tick};
use stillframe_testkit::depth::cases;

use super::mesh::{Mesh, meshes, vector};

const JOINTS: usize = 4;
const FRAME: i64 = TICKS_PER_SECOND / 30;

/// A chain of joints with a key a frame.
#[derive(Clone, Debug)]
struct Dance {
    keys: Vec<[DTrs; JOINTS]>,
    inverse_binds: Vec<Affine>,
    /// The clip's last frame may be cut short.
    cut_ticks: i64,
}

impl Dance {
    fn skeleton(&self) -> Skeleton {
        let joint = |node: usize| RawJoint {
            node,
            name: String::new(),
            parent: node.checked_sub(1),
            rest: Trs { translation: Vec3::Y, ..Trs::IDENTITY },
        };
        Skeleton::new(&(0..JOINTS).map(joint).collect::<Vec<_>>()).expect("a chain")
    }

    fn clip(&self) -> UniformClip {
        let duration = Tick((self.keys.len() as i64 - 1) * FRAME - self.cut_ticks);
        let mut pose = |at: Tick, out: &mut [DTrs]| {
            let frame = ((at.0 + FRAME / 2) / FRAME) as usize;
            out.copy_from_slice(&self.keys[frame.min(self.keys.len() - 1)]);
        };
        let baking = Baking { rate: FrameRate::whole(30), object_error_max_m: None };
        bake(&self.skeleton(), duration, &[], &baking, &mut pose).expect("a clip").0
    }

    fn palette(&self, clip: &UniformClip, at: Tick) -> Vec<Affine> {
        let skeleton = self.skeleton();
        let mut locals = vec![JointBlock::IDENTITY; JointBlock::count_for(JOINTS)];
        let (mut models, mut palette) = (vec![Affine::IDENTITY; JOINTS], vec![Affine::IDENTITY; JOINTS]);
        let isa = Isa::detect();
        Sample { isa, clip, at, out: &mut locals }.run();
        let (parents, root) = (skeleton.parents(), &Affine::IDENTITY);
        LocalToModel { isa, parents, locals: &locals, root, models: &mut models }.run();
        let (joints, inverse_binds) = (&[0, 1, 2, 3], &self.inverse_binds);
        Palette { isa, models: &models, joints, inverse_binds, palette: &mut palette }.run();
        palette
    }

    fn bounds(&self, clip: &UniformClip, boxes: &JointBoxes) -> Aabb {
        let skin = SkinJoints { joints: &[0, 1, 2, 3], inverse_binds: &self.inverse_binds };
        clip_bounds(clip, self.skeleton().parents(), skin, boxes).expect("shapes fit")
    }
}

fn key(translation: Vec3, rotation: Quat, scale: Vec3) -> DTrs {
    Trs { translation, rotation, scale }.into()
}

fn dances(turn: f32) -> impl Strategy<Value = Dance> {
    let rotation = prop::array::uniform3(-turn..turn)
        .prop_map(|[x, y, z]| DQuat::from_xyzw(f64::from(x), f64::from(y), f64::from(z), 1.0).normalize());
    let joint = (vector(1.0), rotation, vector(0.4)).prop_map(|(t, rotation, s)| DTrs {
        translation: t.as_dvec3(),
        rotation,
        scale: DVec3::ONE + s.as_dvec3(),
    });
    let bind = vector(2.0).prop_map(|t| Affine::from(Affine3A::from_translation(t)));
    (
        prop::collection::vec(prop::array::uniform4(joint), 2..6),
        prop::collection::vec(bind, JOINTS),
        prop_oneof![3 => Just(0), 1 => 1..FRAME / 2 - 1],
    )
        .prop_map(|(keys, inverse_binds, cut_ticks)| Dance { keys, inverse_binds, cut_ticks })
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(cases(400)))]

    /// At any moment, also between frames, with turns from small to nearly opposite ones.
    #[test]
    fn no_moment_is_outside(
        dance in prop_oneof![dances(0.2), dances(1.0), dances(6.0)], mesh in meshes(JOINTS as u16, 4),
        moments in prop::collection::vec(0.0f64..=1.0, 30),
    ) {
        let clip = dance.clip();
        let bounds = dance.bounds(&clip, &mesh.boxes());
        for along in moments {
            let at = Tick((clip.duration().0 as f64 * along) as i64);
            for vertex in mesh.skinned(&dance.palette(&clip, at)) {
                prop_assert!(bounds.contains(vertex), "{vertex:?} at {at:?} in {bounds:?}");
            }
        }
    }
}

/// A point on a wheel, at 45 degrees in one frame and at 135 in the next: the box of the two frames lacks the top of
/// the wheel.
fn wheel() -> (Dance, Mesh) {
    let half = 0.5f32.sqrt();
    let [from, to] =
        [Quat::IDENTITY, Quat::from_xyzw(0.0, 0.0, half, half)].map(|turn| key(Vec3::ZERO, turn, Vec3::ONE));
    let still = key(Vec3::ZERO, Quat::IDENTITY, Vec3::ONE);
    let keys = vec![[from, still, still, still], [to, still, still, still]];
    let dance = Dance { keys, inverse_binds: vec![Affine::IDENTITY; JOINTS], cut_ticks: 0 };
    (dance, Mesh::rigid(&[Vec3::new(half, half, 0.0)]))
}

#[test]
fn arcs_bulge_between_frames() {
    let (dance, mesh) = wheel();
    let clip = dance.clip();
    let frames = [0, FRAME].map(|at| {
        let palette = dance.palette(&clip, Tick(at));
        PaletteBounds { isa: Isa::detect(), palette: &palette, boxes: &mesh.boxes() }.run()
    });
    let top = mesh.skinned(&dance.palette(&clip, Tick(FRAME / 2)))[0];
    assert!((top - Vec3::Y).length() < 1e-3);
    assert!(!frames[0].union(frames[1]).contains(top));
    assert!(dance.bounds(&clip, &mesh.boxes()).contains(top));
}

/// Two joints that turn together turn by the sum: their bulge is four times that of one, not twice.
#[test]
fn turns_of_a_chain_add_up() {
    let still = key(Vec3::ZERO, Quat::IDENTITY, Vec3::ONE);
    let frame = |angle: f32| {
        let turned = key(Vec3::ZERO, Quat::from_xyzw(0.0, 0.0, angle, 1.0).normalize(), Vec3::ONE);
        [turned, turned, still, still]
    };
    let keys = vec![frame(-0.05), frame(0.05)];
    let dance = Dance { keys, inverse_binds: vec![Affine::IDENTITY; JOINTS], cut_ticks: 0 };
    let mesh = Mesh::new(&[Vec3::Y], &[vec![(1, 1.0)]]);
    let clip = dance.clip();
    let top = mesh.skinned(&dance.palette(&clip, Tick(FRAME / 2)))[0];
    let bounds = dance.bounds(&clip, &mesh.boxes());
    assert!(bounds.contains(top), "{top:?} in {bounds:?}");
    // No more than a tenth of the bulge is given away: 1 - cos(2 * 5.7 degrees).
    assert!(bounds.max.y < 1.0 + 0.1 * 0.02, "{bounds:?}");
}

/// At the turns of real clips boxes are hardly larger than the least ones: the sides of a wave of four joints, 6
/// degrees a frame.
#[test]
fn boxes_are_tight_where_frames_are_near() {
    let frame = |n: usize| {
        let angle = 0.05 * (n as f32 - 10.0);
        let turn = Quat::from_xyzw(0.0, 0.0, angle, 1.0).normalize();
        [(); JOINTS].map(|()| key(Vec3::Y, turn, Vec3::ONE))
    };
    let dance =
        Dance { keys: (0..20).map(frame).collect(), inverse_binds: vec![Affine::IDENTITY; JOINTS], cut_ticks: 0 };
    let bound: Vec<Vec<(u16, f32)>> = (0..JOINTS as u16).map(|joint| vec![(joint, 1.0)]).collect();
    let mesh = Mesh::new(&[Vec3::splat(0.1); JOINTS], &bound);
    let clip = dance.clip();
    let bounds = dance.bounds(&clip, &mesh.boxes());
    let mut least = Aabb::EMPTY;
    for step in 0..=19 * 8 {
        let palette = dance.palette(&clip, Tick(step * FRAME / 8));
        least = mesh.skinned(&palette).into_iter().fold(least, Aabb::with);
    }
    let more = (bounds.size() - least.size()).max_element();
    // 24 degrees a frame at the end of the chain, 3 m from its root: a path of 1 m, whose half would be added without
    // derivatives.
    assert!((0.0..0.2).contains(&more), "{more} m more than {:?}", least.size());
}

#[test]
fn more_clips_are_never_less() {
    let (dance, mesh) = wheel();
    let one = dance.bounds(&dance.clip(), &mesh.boxes());
    let both = one.union(
        Dance { keys: vec![dance.keys[0], dance.keys[0]], ..dance.clone() }.bounds(&dance.clip(), &mesh.boxes()),
    );
    assert_eq!(both, both.union(one));
}

#[test]
fn shapes_are_checked() {
    let (dance, mesh) = wheel();
    let (clip, boxes) = (dance.clip(), mesh.boxes());
    let skin = SkinJoints { joints: &[0, 1, 2, 3], inverse_binds: &dance.inverse_binds };
    let skeleton = dance.skeleton();
    let parents = skeleton.parents();
    let length = |what, count, want| Err(BoundsError::from(JobError::Length { what, count, want }));
    assert_eq!(clip_bounds(&clip, &parents[..3], skin, &boxes), length("parents", 3, 4));
    let short = SkinJoints { joints: &[0], ..skin };
    assert_eq!(clip_bounds(&clip, parents, short, &boxes), length("inverse bind matrices", 4, 1));
    let other = SkinJoints { joints: &[0, 1, 2, 4], ..skin };
    let index = JobError::JointIndex { what: "joints of the skin", entry: 3, joint: 4, count: 4 };
    assert_eq!(clip_bounds(&clip, parents, other, &boxes), Err(index.into()));
    let nothing = SkinJoints { joints: &[], inverse_binds: &[] };
    let index = JobError::JointIndex { what: "joints of the boxes", entry: 0, joint: 0, count: 0 };
    assert_eq!(clip_bounds(&clip, parents, nothing, &boxes), Err(index.into()));
}
