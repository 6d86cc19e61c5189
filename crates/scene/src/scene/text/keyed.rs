//! Key frames of a checked tree: each becomes a track, and the value it has at the scene's moment takes its place, so
//! that resolution sees plain values only.

use stillframe_base::tick::Tick;

use crate::scene::angle::{direction, rotation_xyz, unit};
use crate::scene::code;
use crate::scene::curve::{Curve, Extend, Form, Interpolation};
use crate::scene::key::{Key, choice, required};
use crate::scene::noun::placement::{DIRECTION, LOOK_AT, POSITION, ROTATION_DEG, ROTATION_QUAT};
use crate::scene::schema::{Default, Kind, NUMBER_MAX, Rising, Row, Type, kind};
use crate::scene::text::color::parse_hex;
use crate::scene::text::complain::Complaints;
use crate::scene::text::syntax::{Kind as Written, Place, Table, Value};
use crate::scene::track::{Thing, Track};

/// `{ keys = ... }` in the place of a value.
pub(crate) static TABLE: Kind = kind(
    "{ keys = ... }",
    "A value that changes with time, for any key marked \"moves\". Rotations take the shortest way round, colours mix as linear light.",
    KEYS,
);

const FRAMES: Key<FrameList> = required("keys", Type::KeyFrames, "`[[seconds, value], ...]`, by rising time.");
const INTERPOLATION: Key<Interpolation> = choice(
    "interpolation",
    "linear",
    "Between key frames: the value of the previous one, a straight line, or a curve that starts and ends gently (3 t^2 - 2 t^3).",
);
const EXTEND: Key<Extend> = choice(
    "extend",
    "hold",
    "Before the first and after the last key frame: hold their values, repeat the whole, or play it back and forth.",
);
static KEYS: &[Row] = &[FRAMES.row, INTERPOLATION.row, EXTEND.row];

/// What `keys` holds.
enum FrameList {}

/// Whether a value is written with key frames.
pub(crate) fn is_keyed(value: &Value) -> bool {
    matches!(&value.kind, Written::Table(table) if table.has(FRAMES))
}

/// Takes the tracks out of `tree`, whose moment is `time_s`. Nodes and lights are numbered as they are written.
pub(crate) fn take_tracks(tree: &mut Table, kind: &'static Kind, time_s: f64, found: &mut Complaints) -> Vec<Track> {
    let mut taking = Taking { tick: Tick::from_seconds(time_s), tracks: Vec::new(), found };
    taking.below(tree, kind, &mut Vec::new());
    taking.tracks
}

struct Taking<'a> {
    tick: Tick,
    tracks: Vec<Track>,
    found: &'a mut Complaints,
}

impl Taking<'_> {
    /// Every table below `table` that has moving values of its own. `at`: the positions of the tables above in their
    /// lists.
    fn below(&mut self, table: &mut Table, kind: &'static Kind, at: &mut Vec<usize>) {
        for entry in &mut table.entries {
            let Some(key) = kind.key_anywhere(&entry.key) else { continue };
            match (key.ty, &mut entry.value.kind) {
                (Type::Table(inner), Written::Table(table)) => self.own(table, inner, at),
                (Type::Named(inner), Written::Table(names)) => {
                    let values = names.entries.iter_mut().map(|entry| &mut entry.value);
                    self.each(values, inner, at);
                }
                (Type::List(inner), Written::List(values)) => self.each(values.iter_mut(), inner, at),
                _ => {}
            }
        }
    }

    fn each<'v>(&mut self, values: impl Iterator<Item = &'v mut Value>, kind: &'static Kind, at: &mut Vec<usize>) {
        let tables = values.filter_map(|value| match &mut value.kind {
            Written::Table(table) => Some(table),
            _ => None,
        });
        for (number, table) in tables.enumerate() {
            at.push(number);
            self.own(table, kind, at);
            at.pop();
        }
    }

    fn own(&mut self, table: &mut Table, kind: &'static Kind, at: &mut Vec<usize>) {
        if let Some(thing) = kind.thing {
            self.table(table, kind, thing(at), "");
        }
        self.below(table, kind, at);
    }

    /// Takes those of one table.
    fn table(&mut self, table: &mut Table, kind: &'static Kind, thing: Thing, prefix: &str) {
        let word = kind.variants.and_then(|v| table.value(v.selector)).and_then(|v| v.kind.text()).map(str::to_owned);
        let first = self.tracks.len();
        for entry in &mut table.entries {
            let Some(key) = kind.keys_beside(word.as_deref()).find(|k| k.name == entry.key) else { continue };
            if let (Type::Table(inner), Written::Table(inside)) = (key.ty, &mut entry.value.kind) {
                // Tables in tables with values that move: a sky, a gradient.
                self.table(inside, inner, thing, &format!("{prefix}{}.", entry.key));
                continue;
            }
            if !key.moves || !is_keyed(&entry.value) {
                continue;
            }
            let Some(curve) = self.curve(&entry.value, key) else { continue };
            if entry.key == ROTATION_DEG.name() && curve.form == Form::Rotation {
                entry.key = ROTATION_QUAT.name().to_string();
            }
            entry.value = plain(&curve, self.tick, entry.value.place);
            self.tracks.push(Track { thing, key: format!("{prefix}{}", entry.key), curve });
        }
        let moves = |key: &str, tracks: &[Track]| tracks[first..].iter().any(|t| t.key == key);
        // What looks at a point turns as it moves, though the point stands.
        if prefix.is_empty()
            && moves(POSITION.name(), &self.tracks)
            && !moves(LOOK_AT.name(), &self.tracks)
            && let Some(numbers) = table.value(LOOK_AT.name()).and_then(numbers)
            && numbers.len() == 3
        {
            let curve = Curve::constant(Form::Vector(3), four(&numbers));
            self.tracks.push(Track { thing, key: LOOK_AT.name().to_string(), curve });
        }
        for pair in kind.rising {
            if moves(pair.low, &self.tracks) || moves(pair.high, &self.tracks) {
                self.check_order(table, first, kind, pair);
            }
        }
    }

    /// At no time may two values change their order; reported for all times at once, since any may be asked for.
    /// `first`: where the thing's tracks begin.
    fn check_order(&mut self, table: &Table, first: usize, kind: &'static Kind, pair: &Rising) {
        let Rising { low, high, beside } = *pair;
        let of = |key: &str| -> Option<Vec<f64>> {
            match self.tracks[first..].iter().find(|t| t.key == key) {
                Some(track) => Some(track.curve.keys.iter().map(|k| k.1[0]).collect()),
                None => match table.value(key) {
                    Some(value) => numbers(value),
                    None => match (kind.key_anywhere(key)?.default, beside) {
                        (Default::Value(constant), _) => numbers(&constant.value()),
                        (_, Some((other, counts))) if key == high => table.value(other).map(|_| vec![counts]),
                        _ => None,
                    },
                },
            }
        };
        let (Some(lows), Some(highs)) = (of(low), of(high)) else { return };
        let most = lows.into_iter().fold(f64::MIN, f64::max);
        let least = highs.into_iter().fold(f64::MAX, f64::min);
        if most >= least
            && let Some(entry) = table.entry(high).or(table.entry(low))
        {
            let message = format!("`{high}` falls to {least}, but must stay above `{low}`, which reaches {most}");
            self.found.add(code::WRONG_ORDER, entry.value.place, message, None);
        }
    }

    /// The curve of a keyed value; `None` where it is wrong, which the check has reported.
    fn curve(&mut self, value: &Value, key: &Row) -> Option<Curve> {
        let Written::Table(table) = &value.kind else { return None };
        let (interpolation, extend) = (table.ask(INTERPOLATION), table.ask(EXTEND));
        let form = form_of(key)?;
        let Written::List(pairs) = &table.value(FRAMES.name())?.kind else { return None };
        let mut keys: Vec<(Tick, [f64; 4])> = Vec::with_capacity(pairs.len());
        for pair in pairs {
            let Written::List(pair) = &pair.kind else { return None };
            let [time, value] = pair.as_slice() else { return None };
            let tick = Tick::from_seconds(time.kind.number()?);
            if keys.last().is_some_and(|(last, _)| *last >= tick) {
                return None;
            }
            keys.push((tick, self.key_value(value, key, form)?));
        }
        if keys.is_empty() {
            return None;
        }
        let flips = |a: &[f64; 4], b: &[f64; 4]| a.iter().zip(b).any(|(a, b)| a * b < 0.0);
        if matches!(key.ty, Type::Scale)
            && interpolation != Interpolation::Step
            && keys.windows(2).any(|pair| flips(&pair[0].1, &pair[1].1))
        {
            let help = Some("keep its sign, or use `interpolation = \"step\"`".to_string());
            self.found.add(code::NO_SIZE, value.place, "`scale` passes through 0 between two key frames", help);
        }
        Some(Curve { form, keys, interpolation, extend })
    }

    /// The numbers of one key's value.
    fn key_value(&mut self, value: &Value, key: &Row, form: Form) -> Option<[f64; 4]> {
        if let (Type::Color { alpha, .. }, Some(text)) = (key.ty.unlinked(), value.kind.text()) {
            return Some(four(&parse_hex(text, *alpha)?.map(f64::from)[..form.count()]));
        }
        let mut numbers = numbers(value)?;
        match (key.name, form) {
            ("rotation_deg", Form::Rotation) => {
                let angles: [f64; 3] = numbers.try_into().ok()?;
                return Some(rotation_xyz(angles).to_array().map(f64::from));
            }
            ("rotation_quat", Form::Rotation) => {
                let written: [f64; 4] = numbers.try_into().ok()?;
                let unit = unit(written.map(|x| x as f32));
                if unit.is_none() {
                    let message = "`rotation_quat` has no length";
                    self.found.add(code::NO_DIRECTION, value.place, message, None);
                }
                return unit.map(|q| q.to_array().map(f64::from));
            }
            ("scale", _) if numbers.len() == 1 => numbers = vec![numbers[0]; 3],
            // Alpha is 1 where none is written.
            (_, Form::Vector(4)) if numbers.len() == 3 => numbers.push(1.0),
            _ => {}
        }
        if numbers.len() != form.count() {
            return None;
        }
        let four = four(&numbers);
        let vector = glam::Vec3::new(four[0] as f32, four[1] as f32, four[2] as f32);
        if key.name == DIRECTION.name() && direction(vector).is_none() {
            self.found.add(code::NO_DIRECTION, value.place, "`direction` has no length", None);
            return None;
        }
        Some(four)
    }
}

/// What a key's numbers are; `None` for keys that hold none.
fn form_of(key: &Row) -> Option<Form> {
    Some(match (key.ty.unlinked(), key.name) {
        (Type::Numbers { .. }, "rotation_deg" | "rotation_quat") => Form::Rotation,
        (Type::Number(_), _) => Form::Number,
        (Type::Numbers { count, .. }, _) => Form::Vector(*count),
        (Type::Scale, _) | (Type::Color { alpha: false, .. }, _) => Form::Vector(3),
        (Type::Color { alpha: true, .. }, _) => Form::Vector(4),
        _ => return None,
    })
}

/// One number or a list of them, sound ones only.
fn numbers(value: &Value) -> Option<Vec<f64>> {
    let sound = |value: &Value| value.kind.number().filter(|n| n.abs() <= NUMBER_MAX);
    match &value.kind {
        Written::List(values) => values.iter().map(sound).collect(),
        _ => Some(vec![sound(value)?]),
    }
}

fn four(numbers: &[f64]) -> [f64; 4] {
    std::array::from_fn(|n| numbers.get(n).copied().unwrap_or(0.0))
}

/// The value at a time as it would be written.
fn plain(curve: &Curve, tick: Tick, place: Place) -> Value {
    let numbers = curve.at(tick);
    let float = |x: f64| Value { kind: Written::Float(x), place };
    match curve.form {
        Form::Number => float(numbers[0]),
        form => Value { kind: Written::List(numbers[..form.count()].iter().map(|x| float(*x)).collect()), place },
    }
}
