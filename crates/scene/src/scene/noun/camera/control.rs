//! Control: a camera that somebody steers, from a recording of what they did.
//!
//! Between two rows of the recording a camera goes straight and at one speed, so where it is follows from the rows
//! alone, however finely time is cut. What a row says of looking happens at its moment.
//!
//! Source: the free camera of book 2 and the first-person camera that it announces. Theirs are updated once a frame,
//! add up frames' lengths and let two keys go faster than one; the pictures here must not depend on frames.

use glam::{DQuat, DVec3, Quat, Vec3};
use stillframe_base::math::ops64;
use stillframe_base::tick::Tick;

use crate::scene::Scene;
use crate::scene::angle::sin_cos_deg;
use crate::scene::code;
use crate::scene::key::{Key, List, choice, choices, number, numbers, optional, required, rows};
use crate::scene::printer::{Inline, Printer};
use crate::scene::resolver::Resolver;
use crate::scene::schema::{Kind, Row, Type, kind, range};
use crate::scene::text::syntax::Table;
use crate::scene::text::toml::list;
use crate::scene::word::Word;

pub(crate) static TABLE: Kind = kind(
    "[camera.NAME.control]",
    "A recording of how somebody steers the camera. It moves in a straight line between two rows, so no picture depends on the frame rate.",
    KEYS,
);

const KIND: Key<ControlKind> = choice(
    "kind",
    "fly",
    "`fly` moves along the camera's own axes. `walk` stays level and upright, and looks at most 89 degrees up or down.",
);
const SPEED_M_S: Key<f64> =
    number("speed_m_s", 1.0, range(0.0, 1e6), "Metres per second, regardless of how many keys are held.");
const TURN_DEG_PER_PX: Key<f64> = number(
    "turn_deg_per_px",
    0.0573,
    range(-360.0, 360.0),
    "Degrees of rotation per pixel of pointer movement; the default is a thousandth of a radian.",
);
const INPUTS: Key<List> =
    optional("input", Type::List(&INPUT_TABLE), "none", "The rows of the recording, by rising time.");
static KEYS: &[Row] = rows! { KIND, SPEED_M_S, TURN_DEG_PER_PX, INPUTS };

pub(crate) static INPUT_TABLE: Kind = kind(
    "[[camera.NAME.control.input]]",
    "`input = [{ at_s = 0.5, keys = [\"forward\"] }, { at_s = 2.0, look_px = [300, 0] }]`: walks for 1.5 s, stops and turns right.",
    INPUT_KEYS,
);

const AT_S: Key<f64> = required("at_s", Type::Number(range(0.0, 86_400.0)), "When, in seconds of the scene.");
const LOOK_PX: Key<[f64; 2]> = numbers(
    "look_px",
    &[0.0, 0.0],
    range(-1e6, 1e6),
    "How far the pointer moves right and down at that moment. The camera turns at once.",
);
const HELD: Key<Vec<ControlKey>> = choices("keys", &[], "The keys that are held until the next row.");
static INPUT_KEYS: &[Row] = rows! { AT_S, LOOK_PX, HELD };

/// Most rows of what steers a camera: hours of a mouse.
const INPUTS_MAX: usize = 1 << 20;

/// How far up and down somebody on foot can look.
const WALK_PITCH_MAX_DEG: f64 = 89.0;

impl Word for ControlKind {
    const WORDS: &'static [(&'static str, ControlKind)] = &[("fly", ControlKind::Fly), ("walk", ControlKind::Walk)];
}

impl Word for ControlKey {
    const WORDS: &'static [(&'static str, ControlKey)] = &[
        ("forward", ControlKey::Forward),
        ("back", ControlKey::Back),
        ("left", ControlKey::Left),
        ("right", ControlKey::Right),
        ("up", ControlKey::Up),
        ("down", ControlKey::Down),
    ];
}

/// A steered camera: where it begins, and what is done from then on.
#[derive(Clone, Debug, PartialEq)]
pub struct CameraControl {
    pub kind: ControlKind,
    pub speed_m_s: f64,
    /// What a pixel of the pointer's way turns.
    pub turn_deg_per_px: f64,
    /// By rising time.
    pub inputs: Vec<ControlInput>,
    pub start_position: Vec3,
    pub start_rotation: Quat,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ControlKind {
    /// Goes along its own axes, and over the top.
    Fly,
    /// Stays level: goes where it looks on the horizontal plane, upright, and looks at most 89 degrees up or down.
    Walk,
}

/// What is done at a moment, and held until the next.
#[derive(Clone, Debug, PartialEq)]
pub struct ControlInput {
    pub at_s: f64,
    /// How far the pointer goes to the right and down.
    pub look_px: [f64; 2],
    pub keys: Vec<ControlKey>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ControlKey {
    Forward,
    Back,
    Left,
    Right,
    Up,
    Down,
}

pub(super) fn control(resolver: &mut Resolver<'_>, table: &Table, (position, rotation): (Vec3, Quat)) -> CameraControl {
    let kind = table.ask(KIND);
    let mut inputs: Vec<ControlInput> = Vec::new();
    for (place, input) in resolver.few(table.rows(INPUTS), INPUTS_MAX, "rows of input") {
        let at_s = input.ask(AT_S);
        if let Some(before) = inputs.last().filter(|before| Tick::from_seconds(before.at_s) >= Tick::from_seconds(at_s))
        {
            let message = format!("`at_s` is {at_s}, but the row before has {}", before.at_s);
            let place = input.entry_of(AT_S).map_or(place, |entry| entry.value.place);
            resolver.complain(code::KEYS_ORDER, place, message);
        }
        for (word, place) in input.placed_list(HELD) {
            if kind == ControlKind::Walk && matches!(ControlKey::of_word(word), Some(ControlKey::Up | ControlKey::Down))
            {
                let help = Some("`kind = \"fly\"` moves up and down".to_string());
                resolver.complain_with(
                    code::WITHOUT_EFFECT,
                    place,
                    format!("`{word}` has no effect when walking"),
                    help,
                );
            }
        }
        inputs.push(ControlInput { at_s, look_px: input.ask(LOOK_PX), keys: input.ask(HELD) });
    }
    CameraControl {
        kind,
        speed_m_s: table.ask(SPEED_M_S),
        turn_deg_per_px: table.ask(TURN_DEG_PER_PX),
        inputs,
        start_position: position,
        start_rotation: rotation,
    }
}

pub(super) fn print<'a>(out: &Printer<'a>, control: &CameraControl) -> Inline<'a> {
    let input = |input: &ControlInput| {
        let row = out.inline().with(AT_S, input.at_s).with(LOOK_PX, input.look_px);
        row.with(HELD, input.keys.clone()).text()
    };
    out.inline()
        .with(KIND, control.kind)
        .with(SPEED_M_S, control.speed_m_s)
        .with(TURN_DEG_PER_PX, control.turn_deg_per_px)
        .written(INPUTS, &list(control.inputs.iter().map(input)))
}

impl ControlKey {
    /// In the camera's space.
    fn way(self) -> DVec3 {
        match self {
            ControlKey::Forward => DVec3::NEG_Z,
            ControlKey::Back => DVec3::Z,
            ControlKey::Left => DVec3::NEG_X,
            ControlKey::Right => DVec3::X,
            ControlKey::Up => DVec3::Y,
            ControlKey::Down => DVec3::NEG_Y,
        }
    }
}

impl CameraControl {
    /// The book's thousandth of a radian.
    pub const TURN_DEG_PER_PX: f64 = 0.0573;

    /// Place and rotation at a moment. Before the first row it is as it begins.
    pub fn at(&self, tick: Tick) -> (Vec3, Quat) {
        let start = self.start_rotation.as_dquat().normalize();
        let mut look = Look::of(start);
        // What yaw and pitch leave of the start.
        let roll = look.rotation().conjugate() * start;
        let is_level = self.kind == ControlKind::Walk;
        if is_level {
            look.pitch_deg = look.pitch_deg.clamp(-WALK_PITCH_MAX_DEG, WALK_PITCH_MAX_DEG);
        }
        let whole = |look: Look| if is_level { look.rotation() } else { look.rotation() * roll };
        let mut position = self.start_position.as_dvec3();
        let mut has_looked = is_level;
        for (row, input) in self.inputs.iter().enumerate() {
            let from = Tick::from_seconds(input.at_s);
            if from > tick {
                break;
            }
            if input.look_px != [0.0; 2] {
                look.turn(input.look_px.map(|way| way * self.turn_deg_per_px), is_level);
                has_looked = true;
            }
            let until = self.inputs.get(row + 1).map_or(tick, |next| Tick::from_seconds(next.at_s).min(tick));
            let keys: DVec3 = input.keys.iter().map(|key| key.way()).sum();
            let Some(way) = keys.try_normalize() else { continue };
            let axes = if is_level { Look { pitch_deg: 0.0, ..look }.rotation() } else { whole(look) };
            position += axes * way * (self.speed_m_s * (until - from).seconds());
        }
        let rotation = if has_looked { whole(look).normalize().as_quat() } else { self.start_rotation };
        (position.as_vec3(), rotation)
    }
}

impl Scene {
    /// Brings steered cameras to where they are at the scene's moment.
    pub(crate) fn steer(&mut self) {
        let tick = Tick::from_seconds(self.time_s);
        for camera in &mut self.cameras {
            if let Some(control) = &camera.control {
                (camera.position, camera.rotation) = control.at(tick);
            }
        }
    }
}

/// A direction of view without roll.
#[derive(Clone, Copy)]
struct Look {
    /// About +Y, to the left.
    yaw_deg: f64,
    /// Up.
    pitch_deg: f64,
}

impl Look {
    fn of(rotation: DQuat) -> Look {
        let (forward, up) = (rotation * DVec3::NEG_Z, rotation * DVec3::Y);
        // Straight up or down only the other axis tells where one would look.
        let level = if forward.y.abs() < 1.0 - 1e-12 { forward } else { up * -forward.y.signum() };
        Look {
            yaw_deg: ops64::atan2(-level.x, -level.z).to_degrees(),
            pitch_deg: ops64::asin(forward.y.clamp(-1.0, 1.0)).to_degrees(),
        }
    }

    fn turn(&mut self, [right_deg, down_deg]: [f64; 2], is_level: bool) {
        self.yaw_deg = (self.yaw_deg - right_deg).rem_euclid(360.0);
        self.pitch_deg -= down_deg;
        self.pitch_deg = match is_level {
            true => self.pitch_deg.clamp(-WALK_PITCH_MAX_DEG, WALK_PITCH_MAX_DEG),
            false => self.pitch_deg.rem_euclid(360.0),
        };
    }

    /// `Ry(yaw) * Rx(pitch)`.
    fn rotation(self) -> DQuat {
        let ((yaw_sin, yaw_cos), (pitch_sin, pitch_cos)) =
            (sin_cos_deg(self.yaw_deg * 0.5), sin_cos_deg(self.pitch_deg * 0.5));
        DQuat::from_xyzw(0.0, yaw_sin, 0.0, yaw_cos) * DQuat::from_xyzw(pitch_sin, 0.0, 0.0, pitch_cos)
    }
}

#[cfg(test)]
mod tests {
    use stillframe_base::rng::Rng;
    use stillframe_base::tick::TICKS_PER_SECOND;

    use super::*;

    fn control(kind: ControlKind, inputs: &[(f64, [f64; 2], &[ControlKey])]) -> CameraControl {
        let input = |(at_s, look_px, keys): &(f64, [f64; 2], &[ControlKey])| ControlInput {
            at_s: *at_s,
            look_px: *look_px,
            keys: keys.to_vec(),
        };
        CameraControl {
            kind,
            speed_m_s: 2.0,
            turn_deg_per_px: 0.5,
            inputs: inputs.iter().map(input).collect(),
            start_position: Vec3::new(0.0, 1.7, 0.0),
            start_rotation: Quat::IDENTITY,
        }
    }

    fn seconds(s: f64) -> Tick {
        Tick::from_seconds(s)
    }

    use ControlKey::*;

    #[test]
    fn ways_are_those_of_the_keys() {
        let rows: &[(f64, [f64; 2], &[ControlKey])] = &[
            (0.5, [0.0, 0.0], &[Forward]),
            (1.5, [-180.0, 0.0], &[Forward]),
            (2.0, [0.0, 0.0], &[Right, Left]),
            (3.0, [0.0, 0.0], &[Forward, Left]),
        ];
        let control = control(ControlKind::Walk, rows);
        let at = |s| control.at(seconds(s)).0;
        assert_eq!(at(0.5), Vec3::new(0.0, 1.7, 0.0), "it stands until the first row");
        assert_eq!(at(1.5), Vec3::new(0.0, 1.7, -2.0));
        // 90 degrees to the left: forward is now -X; opposite keys hold each other.
        assert_eq!(at(2.0), Vec3::new(-1.0, 1.7, -2.0));
        assert_eq!(at(3.0), at(2.0));
        // Two keys are no faster than one.
        assert!(((at(4.0) - at(3.0)).length() - 2.0).abs() < 1e-6, "{}", at(4.0));
        assert!((at(4.0) - at(3.0)).z > 1.0, "left of -X is +Z: {}", at(4.0));
    }

    #[test]
    fn who_looks_down_and_walks_stays_level_and_who_flies_does_not() {
        let rows: &[(f64, [f64; 2], &[ControlKey])] = &[(0.0, [0.0, 1000.0], &[]), (1.0, [0.0, 0.0], &[Forward])];
        let (walks, flies) = (control(ControlKind::Walk, rows), control(ControlKind::Fly, rows));
        let (position, rotation) = walks.at(seconds(3.0));
        assert_eq!(position, Vec3::new(0.0, 1.7, -4.0));
        let down = f64::from((rotation * Vec3::NEG_Z).y);
        assert!((down + sin_cos_deg(WALK_PITCH_MAX_DEG).0).abs() < 1e-6, "{down}");
        // 500 degrees down are 220 up again, head down.
        let (position, rotation) = flies.at(seconds(3.0));
        assert!((position.y - 1.7).abs() > 1.0, "{position}");
        assert!((rotation * Vec3::Y).y < 0.0);
    }

    #[test]
    fn ten_thousand_looks_never_roll_or_pass_the_limit() {
        let mut random = Rng::new(5).stream("looks", 0);
        let mut number = || random.unit_f64() * 4000.0 - 2000.0;
        let mut control = control(ControlKind::Walk, &[]);
        control.inputs = (0..10_000)
            .map(|row| ControlInput { at_s: f64::from(row) * 0.01, look_px: [number(), number()], keys: vec![Forward] })
            .collect();
        let flies = CameraControl { kind: ControlKind::Fly, ..control.clone() };
        for row in (0..10_000).step_by(7) {
            let (position, rotation) = control.at(seconds(f64::from(row) * 0.01));
            assert_eq!(position.y, 1.7);
            assert!((rotation * Vec3::X).y.abs() < 1e-6, "{row}: rolls");
            let up = f64::from((rotation * Vec3::NEG_Z).y).abs();
            assert!(up <= sin_cos_deg(WALK_PITCH_MAX_DEG).0 + 1e-6, "{row}: {up}");
            assert!((rotation.length() - 1.0).abs() < 1e-6);
        }
        assert_ne!(control.at(seconds(50.0)).0, flies.at(seconds(50.0)).0);
    }

    /// Rows that say again what is held change nothing: where time is cut is no matter.
    #[test]
    fn rows_that_change_nothing_change_nothing() {
        let rows: &[(f64, [f64; 2], &[ControlKey])] = &[(0.0, [31.0, -7.0], &[Forward, Up]), (2.0, [0.0, 0.0], &[])];
        for kind in [ControlKind::Fly, ControlKind::Walk] {
            let whole = control(kind, rows);
            let mut cut = whole.clone();
            for frame in 1..60 {
                let held = ControlInput { at_s: f64::from(frame) / 30.0, look_px: [0.0; 2], keys: vec![Forward, Up] };
                cut.inputs.insert(frame as usize, held);
            }
            for frame in [0, 1, 7, 30, 59, 60, 90] {
                let tick = Tick(frame * TICKS_PER_SECOND / 30);
                let (one, other) = (whole.at(tick), cut.at(tick));
                assert_eq!(one.1, other.1);
                assert!((one.0 - other.0).length() < 1e-6, "{frame}: {} {}", one.0, other.0);
            }
        }
    }

    #[test]
    fn a_start_that_nobody_steers_stays_to_the_bit() {
        let mut control = control(ControlKind::Fly, &[(0.0, [0.0, 0.0], &[Forward])]);
        for rotation in [
            Quat::from_xyzw(0.1, 0.2, 0.3, 0.4).normalize(),
            Quat::from_xyzw(-std::f32::consts::FRAC_1_SQRT_2, 0.0, 0.0, std::f32::consts::FRAC_1_SQRT_2),
            Quat::from_xyzw(std::f32::consts::FRAC_1_SQRT_2, 0.0, 0.0, std::f32::consts::FRAC_1_SQRT_2),
        ] {
            control.start_rotation = rotation;
            let (position, still) = control.at(seconds(1.0));
            assert_eq!(still, rotation);
            let way = position - control.start_position;
            assert!((way - rotation * Vec3::NEG_Z * 2.0).length() < 1e-5, "{way}");
            // A look there and back ends where it began.
            let mut looks = control.clone();
            looks.inputs = [[40.0, 30.0], [-40.0, -30.0]]
                .into_iter()
                .enumerate()
                .map(|(row, look_px)| ControlInput { at_s: row as f64, look_px, keys: Vec::new() })
                .collect();
            let back = looks.at(seconds(2.0)).1;
            assert!(back.dot(rotation).abs() > 1.0 - 1e-6, "{back} {rotation}");
        }
    }
}
