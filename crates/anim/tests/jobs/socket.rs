//! Sockets: the joint's matrix times the local one, each switch alone, and names that are refused.

use glam::{Affine3A, DAffine3, DMat3, DVec3, Quat, Vec3};
use proptest::prelude::*;
use stillframe_anim::pose::{Affine, Trs};
use stillframe_anim::sample::{RawJoint, Skeleton};
use stillframe_anim::socket::{Inherit, Socket, SocketError, Sockets};

fn skeleton() -> Skeleton {
    let joint = |node: usize, name: &str| RawJoint {
        node,
        name: name.to_owned(),
        parent: node.checked_sub(1),
        rest: Trs::IDENTITY,
    };
    Skeleton::new(&[joint(0, "root"), joint(1, "hand"), joint(2, "twin"), joint(3, "twin")]).expect("a chain")
}

fn socket(local: Trs, inherit: Inherit) -> Socket {
    let mut sockets = Sockets::default();
    sockets.add(&skeleton(), "grip", "hand", local, inherit).expect("a hand");
    sockets.find("grip").expect("it was added").clone()
}

/// `socket` on a hand with this matrix, other joints elsewhere.
fn at(socket: &Socket, hand: Affine) -> DAffine3 {
    let elsewhere = Affine::from(Affine3A::from_translation(Vec3::splat(77.0)));
    f64s(socket.model_from_socket(&[elsewhere, hand, elsewhere, elsewhere]))
}

fn f64s(affine: Affine) -> DAffine3 {
    let affine = Affine3A::from(affine);
    let column = |i: usize| affine.matrix3.col(i).as_dvec3();
    DAffine3 { matrix3: DMat3::from_cols(column(0), column(1), column(2)), translation: affine.translation.as_dvec3() }
}

fn vector(reach: f32) -> impl Strategy<Value = Vec3> {
    prop::array::uniform3(-reach..reach).prop_map(Vec3::from)
}

fn turn() -> impl Strategy<Value = Quat> {
    prop::array::uniform4(-1.0f32..1.0).prop_map(|q| {
        let q = Quat::from_array(q);
        if q.length_squared() > 1e-2 { q.normalize() } else { Quat::IDENTITY }
    })
}

fn places() -> impl Strategy<Value = Trs> {
    (vector(2.0), turn(), vector(1.5)).prop_map(|(translation, rotation, scale)| Trs { translation, rotation, scale })
}

fn product(trs: Trs) -> DAffine3 {
    DAffine3::from_scale_rotation_translation(trs.scale.as_dvec3(), trs.rotation.as_dquat(), trs.translation.as_dvec3())
}

proptest! {
    /// Also on joints that shear: all their parents' scales are in the matrix.
    #[test]
    fn a_socket_is_the_joint_times_the_local_place(a in places(), b in places(), local in places()) {
        let hand = Affine::from(Affine3A::from_scale_rotation_translation(a.scale, a.rotation, a.translation)
            * Affine3A::from_scale_rotation_translation(b.scale, b.rotation, b.translation));
        let got = at(&socket(local, Inherit::ALL), hand);
        let want = f64s(hand) * product(local);
        // One rounding to f32 of each number.
        for (got, want) in got.to_cols_array().into_iter().zip(want.to_cols_array()) {
            prop_assert!((got - want).abs() <= want.abs() * f64::from(f32::EPSILON) * 0.5 + 1e-15, "{got} and {want}");
        }
    }

    #[test]
    fn each_part_can_be_left_out(
        hand in places(), local in places(), translation in any::<bool>(), rotation in any::<bool>(), scale in any::<bool>(),
    ) {
        // A size that tells its rotation.
        let size = hand.scale.abs() + 0.1;
        let matrix = Affine3A::from_scale_rotation_translation(size, hand.rotation, hand.translation).into();
        let got = at(&socket(local, Inherit { translation, rotation, scale }), matrix);
        let kept = Trs {
            translation: if translation { hand.translation } else { Vec3::ZERO },
            rotation: if rotation { hand.rotation } else { Quat::IDENTITY },
            scale: if scale { size } else { Vec3::ONE },
        };
        prop_assert!(got.abs_diff_eq(product(kept) * product(local), 1e-5), "{got:?}");
    }
}

/// Three boxes on a joint that is turned, large and mirrored.
#[test]
fn a_mirroring_joint_mirrors_by_its_scale() {
    let quarter = Quat::from_xyzw(0.0, 0.0, 0.5f32.sqrt(), 0.5f32.sqrt());
    let hand = Affine::from(Affine3A::from_scale_rotation_translation(Vec3::new(2.0, 3.0, -4.0), quarter, Vec3::X));
    let tip = |inherit| at(&socket(Trs::IDENTITY, inherit), hand).transform_point3(DVec3::ONE);
    let near = |a: DVec3, b: [f64; 3]| assert!(a.distance(DVec3::from_array(b)) < 1e-6, "{a:?} and {b:?}");
    near(tip(Inherit::ALL), [-2.0, 2.0, -4.0]);
    near(tip(Inherit { scale: false, ..Inherit::ALL }), [0.0, 1.0, 1.0]);
    near(tip(Inherit { rotation: false, ..Inherit::ALL }), [3.0, 3.0, -4.0]);
    near(tip(Inherit { translation: false, ..Inherit::ALL }), [-3.0, 2.0, -4.0]);
    near(tip(Inherit::NONE), [1.0, 1.0, 1.0]);
}

/// A joint that is scaled to nothing gives no direction, and no NaN.
#[test]
fn a_joint_of_no_size_turns_nothing() {
    for scale in [Vec3::ZERO, Vec3::new(1.0, 0.0, 1.0), Vec3::new(1.0, 1.0, 0.0)] {
        let hand = Affine3A::from_scale_rotation_translation(scale, Quat::IDENTITY, Vec3::Y).into();
        let got = at(&socket(Trs::IDENTITY, Inherit { scale: false, ..Inherit::ALL }), hand);
        assert_eq!(got, DAffine3::from_translation(DVec3::Y), "{scale}");
    }
}

#[test]
fn names_are_found_or_refused() {
    let (skeleton, mut sockets) = (skeleton(), Sockets::default());
    let add = |sockets: &mut Sockets, name: &str, joint: &str, local| {
        sockets.add(&skeleton, name, joint, local, Inherit::ALL)
    };
    assert_eq!(add(&mut sockets, "grip", "hand", Trs::IDENTITY), Ok(()));
    let before = sockets.clone();
    let socket = || "grip".to_owned();
    assert_eq!(add(&mut sockets, "grip", "root", Trs::IDENTITY), Err(SocketError::Duplicate { socket: socket() }));
    let unknown = SocketError::UnknownJoint { socket: "back".into(), joint: "tail".into() };
    assert_eq!(add(&mut sockets, "back", "tail", Trs::IDENTITY), Err(unknown));
    let twice = SocketError::AmbiguousJoint { socket: "back".into(), joint: "twin".into(), count: 2 };
    assert_eq!(add(&mut sockets, "back", "twin", Trs::IDENTITY), Err(twice));
    for local in [
        Trs { translation: Vec3::NAN, ..Trs::IDENTITY },
        Trs { scale: Vec3::INFINITY, ..Trs::IDENTITY },
        Trs { rotation: Quat::from_xyzw(0.0, 0.0, 0.0, 2.0), ..Trs::IDENTITY },
    ] {
        assert_eq!(add(&mut sockets, "back", "hand", local), Err(SocketError::Place { socket: "back".into() }));
    }
    assert_eq!(sockets, before);
    assert_eq!(sockets.find("grip").map(|grip| (grip.name(), grip.joint())), Ok(("grip", 1)));
    assert_eq!(sockets.find("Grip"), Err(SocketError::Unknown { socket: "Grip".into() }));
    // What was attached to it by name hears of it.
    assert_eq!(sockets.remove("grip").map(|grip| grip.joint()), Ok(1));
    assert_eq!(sockets.find("grip"), Err(SocketError::Unknown { socket: socket() }));
    assert_eq!(sockets.remove("grip"), Err(SocketError::Unknown { socket: socket() }));
    assert!(sockets.all().is_empty());
}
