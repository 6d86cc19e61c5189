//! Key frames of a checked tree: each becomes a track, and the value it has at the scene's moment takes its place, so that
//! resolution sees plain values only.

use stillframe_base::tick::Tick;

use super::angle::{direction, rotation_xyz, unit};
use super::camera::ORTHOGRAPHIC_FAR_M;
use super::complain::Complaints;
use super::code;
use super::color::parse_hex;
use super::curve::{Curve, Extend, Form, Interpolation};
use super::schema::{
    CAMERA, ENVIRONMENT, Key, Kind, LIGHT, MATERIAL, NODE, NODE_MORPH, NUMBER_MAX, OUTPUT, PARAMETER, PROPORTION, SHOT,
    Type,
};
use super::syntax::{Kind as Written, Place, Table, Value};
use super::track::{Thing, Track};

/// Whether a value is written with key frames.
pub(super) fn is_keyed(value: &Value) -> bool {
    matches!(&value.kind, Written::Table(table) if table.entry("keys").is_some())
}

/// Takes the tracks out of `tree`, whose moment is `time_s`. Nodes and lights are numbered as they are written.
pub(super) fn take_tracks(tree: &mut Table, time_s: f64, found: &mut Complaints) -> Vec<Track> {
    let mut taking = Taking { tick: Tick::from_seconds(time_s), tracks: Vec::new(), found };
    for entry in &mut tree.entries {
        match (entry.key.as_str(), &mut entry.value.kind) {
            ("output", Written::Table(table)) => taking.table(table, &OUTPUT, Thing::Output, ""),
            ("environment", Written::Table(table)) => taking.table(table, &ENVIRONMENT, Thing::Environment, ""),
            ("shot", Written::Table(names)) => taking.named(names, &SHOT, Thing::Shot),
            ("camera", Written::Table(names)) => taking.named(names, &CAMERA, Thing::Camera),
            ("material", Written::Table(names)) => taking.named(names, &MATERIAL, Thing::Material),
            ("model", Written::Table(names)) => {
                for (model, table) in tables(names).enumerate() {
                    taking.below(table, "proportion", &PROPORTION, |at| Thing::Proportion(model, at));
                    let overrides = table.entries.iter_mut().find(|e| e.key == "override").map(|e| &mut e.value.kind);
                    if let Some(Written::Table(names)) = overrides {
                        taking.named(names, &MATERIAL, |at| Thing::Override(model, at));
                    }
                }
            }
            ("animator", Written::List(values)) => {
                for (animator, table) in listed(values).enumerate() {
                    taking.below(table, "parameter", &PARAMETER, |at| Thing::Parameter(animator, at));
                }
            }
            ("node", Written::List(values)) => {
                taking.list(values, &NODE, Thing::Node);
                for (node, table) in listed(values).enumerate() {
                    taking.below(table, "morph", &NODE_MORPH, |at| Thing::Morph(node, at));
                }
            }
            ("light", Written::List(values)) => taking.list(values, &LIGHT, Thing::Light),
            _ => {}
        }
    }
    taking.tracks
}

fn tables(names: &mut Table) -> impl Iterator<Item = &mut Table> {
    names.entries.iter_mut().filter_map(|entry| match &mut entry.value.kind {
        Written::Table(table) => Some(table),
        _ => None,
    })
}

fn listed(values: &mut [Value]) -> impl Iterator<Item = &mut Table> {
    values.iter_mut().filter_map(|value| match &mut value.kind {
        Written::Table(table) => Some(table),
        _ => None,
    })
}

struct Taking<'a> {
    tick: Tick,
    tracks: Vec<Track>,
    found: &'a mut Complaints,
}

impl Taking<'_> {
    fn named(&mut self, names: &mut Table, kind: &'static Kind, thing: impl Fn(usize) -> Thing) {
        for (at, table) in tables(names).enumerate() {
            self.table(table, kind, thing(at), "");
        }
    }

    fn list(&mut self, values: &mut [Value], kind: &'static Kind, thing: impl Fn(usize) -> Thing) {
        for (at, table) in listed(values).enumerate() {
            self.table(table, kind, thing(at), "");
        }
    }

    /// A list under `key` of `table`.
    fn below(&mut self, table: &mut Table, key: &str, kind: &'static Kind, thing: impl Fn(usize) -> Thing) {
        let list = table.entries.iter_mut().find(|entry| entry.key == key).map(|entry| &mut entry.value.kind);
        if let Some(Written::List(values)) = list {
            self.list(values, kind, thing);
        }
    }

    fn table(&mut self, table: &mut Table, kind: &'static Kind, thing: Thing, prefix: &str) {
        let word = kind.variants.and_then(|v| table.value(v.selector)).and_then(|v| v.kind.text()).map(str::to_owned);
        let first = self.tracks.len();
        for entry in &mut table.entries {
            let Some(key) = kind.keys_beside(word.as_deref()).find(|k| k.name == entry.key) else { continue };
            if let (Type::Table(inner), Written::Table(inside)) = (&key.ty, &mut entry.value.kind) {
                // Tables in tables with values that move: a sky, a gradient.
                self.table(inside, inner, thing, &format!("{prefix}{}.", entry.key));
                continue;
            }
            if !key.moves || !is_keyed(&entry.value) {
                continue;
            }
            let Some(curve) = self.curve(&entry.value, key) else { continue };
            if entry.key == "rotation_deg" && curve.form == Form::Rotation {
                entry.key = "rotation_quat".to_string();
            }
            entry.value = plain(&curve, self.tick, entry.value.place);
            self.tracks.push(Track { thing, key: format!("{prefix}{}", entry.key), curve });
        }
        let moves = |key: &str, tracks: &[Track]| tracks[first..].iter().any(|t| t.key == key);
        // What looks at a point turns as it moves, though the point stands.
        if prefix.is_empty()
            && moves("position", &self.tracks)
            && !moves("look_at", &self.tracks)
            && let Some(numbers) = table.value("look_at").and_then(numbers)
            && numbers.len() == 3
        {
            let curve = Curve::constant(Form::Vector(3), four(&numbers));
            self.tracks.push(Track { thing, key: "look_at".to_string(), curve });
        }
        for (low, high) in [("near_m", "far_m"), ("inner_deg", "outer_deg")] {
            if moves(low, &self.tracks) || moves(high, &self.tracks) {
                self.check_order(table, first, kind, low, high);
            }
        }
    }

    /// At no time may two values change their order; told for all times at once, since any may be asked for. `first`: where the
    /// thing's tracks begin.
    fn check_order(&mut self, table: &Table, first: usize, kind: &'static Kind, low: &str, high: &str) {
        let of = |key: &str| -> Option<Vec<f64>> {
            match self.tracks[first..].iter().find(|t| t.key == key) {
                Some(track) => Some(track.curve.keys.iter().map(|k| k.1[0]).collect()),
                None => match table.value(key) {
                    Some(value) => numbers(value),
                    None if key == "far_m" => table.value("height_m").map(|_| vec![f64::from(ORTHOGRAPHIC_FAR_M)]),
                    None => {
                        let cases = kind.variants.map_or(&[][..], |v| v.cases);
                        let mut keys = kind.keys.iter().chain(cases.iter().flat_map(|c| c.keys));
                        match keys.find(|k| k.name == key)?.default {
                            super::schema::Default::Toml(text) => Some(vec![text.parse().ok()?]),
                            _ => None,
                        }
                    }
                },
            }
        };
        let (Some(lows), Some(highs)) = (of(low), of(high)) else { return };
        let most = lows.into_iter().fold(f64::MIN, f64::max);
        let least = highs.into_iter().fold(f64::MAX, f64::min);
        if most >= least
            && let Some(entry) = table.entry(high).or(table.entry(low))
        {
            let message =
                format!("`{high}` comes down to {least}, but must stay more than `{low}`, which reaches {most}");
            self.found.add(code::WRONG_ORDER, entry.value.place, message, None);
        }
    }

    /// The curve of a keyed value; `None` where it is wrong, which the check has told.
    fn curve(&mut self, value: &Value, key: &Key) -> Option<Curve> {
        let Written::Table(table) = &value.kind else { return None };
        let word = |name: &str| table.value(name).and_then(|v| v.kind.text());
        let interpolation = word("interpolation").unwrap_or("linear");
        let interpolation = Interpolation::WORDS.iter().find(|(known, _)| *known == interpolation)?.1;
        let extend = Extend::WORDS.iter().find(|(known, _)| *known == word("extend").unwrap_or("hold"))?.1;
        let form = form_of(key)?;
        let Written::List(pairs) = &table.value("keys")?.kind else { return None };
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
            self.found.add(code::NO_SIZE, value.place, "`scale` passes 0 between two keys", help);
        }
        Some(Curve { form, keys, interpolation, extend })
    }

    /// The numbers of one key's value.
    fn key_value(&mut self, value: &Value, key: &Key, form: Form) -> Option<[f64; 4]> {
        if let (Type::Color { alpha, .. }, Some(text)) = (&key.ty, value.kind.text()) {
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
        if key.name == "direction" && direction(vector).is_none() {
            self.found.add(code::NO_DIRECTION, value.place, "`direction` has no length", None);
            return None;
        }
        Some(four)
    }
}

/// What a key's numbers are; `None` for keys that hold none.
fn form_of(key: &Key) -> Option<Form> {
    Some(match (&key.ty, key.name) {
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
