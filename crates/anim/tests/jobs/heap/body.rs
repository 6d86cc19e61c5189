//! Morphs, boxes of palettes, bodies, parts, poses for other skeletons, root motion and sockets take nothing from the
//! heap.

use glam::{Affine3A, DQuat, Quat, Vec3};
use stillframe_anim::bounds::{JointBoxes, PaletteBounds, point_boxes};
use stillframe_anim::figure::{BlendBinds, Figure, NameMap, NameRules, RawPart, Retarget};
use stillframe_anim::morph::{Morph, MorphChannel, MorphDirections, MorphSet, MorphTarget, target_weights};
use stillframe_anim::pose::{Affine, Trs};
use stillframe_anim::root::{RootParts, RootTrack, blend_motions, move_actor};
use stillframe_anim::sample::{DTrs, RawJoint, Skeleton};
use stillframe_anim::skin::{InfluenceBlock, VertexBlock};
use stillframe_anim::socket::{Inherit, Sockets};
use stillframe_anim::time::{Controller, Mode, Playback, Position, Repeat, Speed, Timeline, Track};
use stillframe_base::lanes::{Isa, ROW, Row};
use stillframe_base::tick::Tick;

use super::HEAP;

#[test]
fn a_body_does_not_allocate() {
    let joint = |node| RawJoint { node, name: format!("j{node}"), parent: None, rest: Trs::IDENTITY };
    let skeleton = Skeleton::new(&(0..20).map(joint).collect::<Vec<_>>()).expect("twenty roots");
    let vertices = vec![VertexBlock { position: [Row([0.5; ROW]); 3], ..VertexBlock::ZERO }; 4];
    let influences = [InfluenceBlock { joints: [[1, 3, 5, 7]; ROW], weights: [[0.25; 4]; ROW] }; 4];
    let boxes = JointBoxes::of_mesh(&influences, &point_boxes(&vertices, 64)).expect("a mesh");
    let (moved, delta) = ([3, 17, 40], [[0.1; 3]; 3]);
    let target = MorphTarget { vertices: &moved, positions: &delta, normals: &delta, tangents: &[] };
    let set = MorphSet::new(64, &[target; 2]).expect("in order");
    let shapes = [(0.5, 0), (1.0, 1)];
    let (mut weights, mut out) = ([0.0; 2], vertices.clone());
    let parts = [RawPart { name: "body", joints: &["j1", "j2"], inverse_binds: &[Affine::IDENTITY; 2] }];
    let figure = Figure::new(&skeleton, &parts).expect("two joints");
    let models = vec![Affine::from(Affine3A::from_translation(Vec3::X)); 20];
    let (mut palette, mut binds) = ([Affine::IDENTITY; 2], [Affine::IDENTITY; 2]);
    let map = NameMap::new(&skeleton, &skeleton, &NameRules::default()).expect("one each");
    let (mut pose, mut other) = (skeleton.rest_blocks(), skeleton.rest_blocks());
    let mut walk = |at: Tick, joints: &mut [DTrs]| joints[0].translation.z = at.seconds();
    let track = RootTrack::extract(&skeleton, 0, RootParts::ALL, (Tick(64), 16), &mut walk).expect("a walk");
    let playback = Playback::new(Tick(0), Tick(64), Mode::Loop(Repeat::Forever));
    let none = Track::new(Tick(0), Tick(64), Vec::new()).expect("no events");
    let timeline = Timeline::new(playback, &none).expect("a window");
    let mut sockets = Sockets::default();
    let place = Trs { rotation: Quat::from_xyzw(1.0, 0.0, 0.0, 0.0), ..Trs::IDENTITY };
    sockets.add(&skeleton, "grip", "j4", place, Inherit { scale: false, ..Inherit::ALL }).expect("a joint");
    let mut actor = DTrs::from(Trs::IDENTITY);
    for isa in Isa::available() {
        let ((), bytes) = HEAP.watch_thread(|| {
            target_weights(&[MorphChannel { shapes: &shapes }], &[0.75], &mut weights).expect("in order");
            let directions = MorphDirections::Unit;
            Morph { isa, set: &set, weights: &weights, directions, vertices: &vertices, out: &mut out }.run();
            PaletteBounds { isa, palette: &models, boxes: &boxes }.run();
            figure.palette(isa, &models, &mut palette).run();
            BlendBinds { isa, base: figure.inverse_binds(), changed: &palette, weight: 0.5, out: &mut binds }.run();
            let rest = skeleton.rest();
            let ratios = &[0.5; 20];
            Retarget { map: &map, source_rest: rest, target_rest: rest, pose: &pose, ratios, out: &mut other }.run();
            let mut controller = Controller::at(Position::ZERO, Speed::whole(3));
            let step = controller.leap(&timeline, Tick(1 << 40)).expect("a long step");
            let motion = track.step(&timeline, &step);
            let mean = blend_motions(&[(motion, 0.5), (motion.inverse(), 0.25)]).expect("finite");
            move_actor(&mut actor, &mean);
            track.reset(Tick(40), &mut pose);
            let _ = sockets.find("grip").map(|grip| grip.model_from_socket(&models));
        });
        assert_eq!(bytes, 0, "{isa}");
    }
    assert_eq!(actor.rotation, DQuat::IDENTITY);
}
