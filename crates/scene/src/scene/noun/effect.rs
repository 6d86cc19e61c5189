//! `[[effect]]`: what becomes of the picture after it is drawn. Kinds and the keys beside each are the rows of
//! `stillframe_effects::EFFECTS`.

use std::path::PathBuf;

use stillframe_effects::{EFFECTS, EffectId, Param, ParamKind, Read, Space, Values};

use super::accumulate;
use crate::scene::code;
use crate::scene::fields::Fields;
use crate::scene::key::{Key, Moved, flag, number, optional, required, row, rows, words_of};
use crate::scene::printer::Printer;
use crate::scene::resolver::{EFFECTS_MAX, Names, OwnNames, Resolver};
use crate::scene::schema::{Constant, Default, Kind, Row, Type, UNIT, Variant, Variants, kind, range};
use crate::scene::text::syntax::{Place, Table};
use crate::scene::track::Thing;

pub(crate) static TABLE: Kind = Kind {
    variants: Some(&Variants { selector: KIND.name(), default: None, cases: &CASES }),
    thing: Some(|at| Thing::Effect(at[0])),
    ..kind(
        "[[effect]]",
        "What becomes of the picture after it is drawn, one after the other, and ambient occlusion: docs/effects.md. `linear` and other layers do not have it.",
        KEYS,
    )
};

const ROW_COUNT: usize = {
    let (mut at, mut count) = (0, 0);
    while at < EFFECTS.len() {
        count += EFFECTS[at].params.len();
        at += 1;
    }
    count
};

/// Of all effects, one after the other.
static ROWS: [Row; ROW_COUNT] = {
    let nothing = Row { name: "", ty: Type::Bool, default: Default::Required, doc: "", moves: false };
    let (mut out, mut count, mut at) = ([nothing; ROW_COUNT], 0, 0);
    while at < EFFECTS.len() {
        let mut param = 0;
        while param < EFFECTS[at].params.len() {
            out[count] = row_of(&EFFECTS[at].params[param]);
            count += 1;
            param += 1;
        }
        at += 1;
    }
    out
};

static CASES: [Variant; EFFECTS.len()] = {
    let mut out = [Variant { word: "", doc: "", keys: &[] }; EFFECTS.len()];
    let (mut rest, mut at): (&'static [Row], usize) = (&ROWS, 0);
    while at < EFFECTS.len() {
        let (keys, after) = rest.split_at(EFFECTS[at].params.len());
        out[at] = Variant { word: EFFECTS[at].name, doc: EFFECTS[at].doc, keys };
        rest = after;
        at += 1;
    }
    out
};

static WORDS: [&str; EFFECTS.len()] = words_of(&CASES);

const NAME: Key<Option<String>> =
    optional("name", Type::Text, "its kind", "Name for `--set`, `input` and messages. Must be unique.");
const KIND: Key<String> = required("kind", Type::Choice(&WORDS), "What it does.");
const INPUT: Key<Option<String>> = optional(
    "input",
    Type::Name("effect"),
    "the effect before it",
    "The earlier effect whose picture it changes; `scene` is the picture before all effects.",
);
const WITH: Key<Option<String>> =
    optional("with", Type::Name("effect"), "`scene`", "Of `blend`: the other picture, as in `input`.");
const AMOUNT: Key<f32> =
    number("amount", 1.0, UNIT, "How much of it is seen: the mix of its input, at 0, and of its picture, at 1.")
        .moves();
const FORCE: Key<bool> = flag(
    "force",
    false,
    "It is drawn even if its numbers change nothing, and after tone mapping even if it is made for light before that.",
);
static KEYS: &[Row] = rows! { NAME, KIND, INPUT, WITH, AMOUNT, FORCE };

const SCENE: &str = "scene";

/// An effect on the picture.
#[derive(Clone, Debug, PartialEq)]
pub struct SceneEffect {
    pub name: String,
    pub values: Values,
    /// What it changes, and what it is put together with: earlier effects by their positions; `None`: the picture
    /// before all effects.
    pub inputs: [Option<usize>; 2],
    /// What it reads its table from. `values` has the table once that is read.
    pub file: Option<PathBuf>,
    /// From 0, its input, to 1.
    pub amount: f32,
    /// Drawn in any case.
    pub force: bool,
}

impl SceneEffect {
    /// Whether it is drawn, and from motion.
    pub fn reads_motion(&self) -> bool {
        let stages = (self.values.effect.row().stages)(&self.values, [64; 2]);
        !self.is_idle() && stages.iter().any(|stage| stage.reads.contains(&Read::Motion))
    }

    /// Whether it says how much light from around arrives; the picture is its input's.
    pub fn is_occlusion(&self) -> bool {
        self.values.effect.row().space == Space::Occlusion
    }

    /// Whether lighting reads it; the picture is its input's.
    pub fn is_of_lighting(&self) -> bool {
        matches!(self.values.effect.row().space, Space::Occlusion | Space::Reflection)
    }

    /// The same by itself, if it comes before the picture.
    pub fn alone_before(&self) -> Option<SceneEffect> {
        self.is_of_lighting().then(|| SceneEffect { inputs: [None; 2], ..self.clone() })
    }

    /// Whether its picture is its input's.
    pub fn is_idle(&self) -> bool {
        !self.force && (self.amount == 0.0 || self.values.is_identity())
    }
}

/// For each effect whether it comes after tone mapping.
pub fn is_developed(effects: &[SceneEffect]) -> Vec<bool> {
    let mut out: Vec<bool> = Vec::new();
    for effect in effects {
        let is_ldr = match effect.values.effect.row().space {
            Space::Ldr => true,
            _ => effect.inputs.iter().flatten().any(|input| out[*input]),
        };
        out.push(is_ldr);
    }
    out
}

const fn row_of(param: &Param) -> Row {
    let (ty, default) = match param.kind {
        ParamKind::Number { default, min, max } => (Type::Number(range(min, max)), Constant::Number(default)),
        ParamKind::Whole { default, min, max } => (Type::Whole { min, max }, Constant::Whole(default)),
        ParamKind::Pair { default, min, max } => {
            (Type::Numbers { count: 2, range: range(min, max) }, Constant::Numbers(default))
        }
        ParamKind::Color { default, max } => (Type::Color { alpha: false, max }, Constant::Numbers(default)),
        ParamKind::Triple { default, min, max } => {
            (Type::Numbers { count: 3, range: range(min, max) }, Constant::Numbers(default))
        }
        ParamKind::Flag { default } => (Type::Bool, Constant::Flag(default)),
        ParamKind::Choice { default, words } => (Type::Choice(words), Constant::Word(default)),
        ParamKind::File => {
            return Row { name: param.name, ty: Type::File, default: Default::Required, doc: param.doc, moves: false };
        }
    };
    let moves = !matches!(param.kind, ParamKind::Flag { .. } | ParamKind::Whole { .. } | ParamKind::Choice { .. });
    Row { name: param.name, ty, default: Default::Value(default), doc: param.doc, moves }
}

fn key_of<T>(param: &Param) -> Key<T> {
    let Row { name, ty, default, doc, moves } = row_of(param);
    let key = row(name, ty, default, doc);
    if moves { key.moves() } else { key }
}

fn fields(on: &mut Fields<'_, '_>, values: &mut Values) {
    for (param, value) in values.effect.row().params.iter().zip(&mut values.numbers) {
        match param.kind {
            ParamKind::Number { .. } => on.field(key_of::<f32>(param), &mut value[0]),
            ParamKind::Whole { .. } => {
                let mut number = value[0] as i64;
                on.field(key_of::<i64>(param), &mut number);
                value[0] = number as f32;
            }
            ParamKind::Pair { .. } => {
                let mut pair = [value[0], value[1]];
                on.field(key_of::<[f32; 2]>(param), &mut pair);
                value[..2].copy_from_slice(&pair);
            }
            ParamKind::Color { .. } | ParamKind::Triple { .. } => {
                let mut color = [value[0], value[1], value[2]];
                on.field(key_of::<[f32; 3]>(param), &mut color);
                value[..3].copy_from_slice(&color);
            }
            ParamKind::Flag { .. } => {
                let mut flag = value[0] > 0.5;
                on.field(key_of::<bool>(param), &mut flag);
                value[0] = f32::from(u8::from(flag));
            }
            // It is a path, not a number.
            ParamKind::File => {}
            ParamKind::Choice { words, .. } => {
                let mut word = words[value[0] as usize].to_string();
                on.field(key_of::<String>(param), &mut word);
                // An unknown word has been reported.
                value[0] = words.iter().position(|known| *known == word).unwrap_or_default() as f32;
            }
        }
    }
}

pub(crate) fn effects(resolver: &mut Resolver<'_>, tree: &Table) -> Vec<SceneEffect> {
    let is_mean = tree.inner(super::ACCUMULATE).is_some_and(|table| accumulate::accumulate(table).frame_count() > 1);
    let list = resolver.few(tree.list("effect"), EFFECTS_MAX, "effects");
    let mut own = OwnNames::new(resolver, list.iter().map(|(_, table)| *table), "effect");
    let mut names = Names::new();
    let mut out: Vec<SceneEffect> = Vec::new();
    for (place, table) in &list {
        let word = table.ask(KIND);
        // An unknown kind has been reported.
        let effect = EffectId::of_name(&word).unwrap_or(EffectId::BLEND);
        let mut values = Values::new(effect);
        fields(&mut Fields::Read(table), &mut values);
        let file = effect.row().file().map(|param| resolver.file(table, key_of::<String>(param)));
        let before = out.len().checked_sub(1);
        let mut input = |key: Key<Option<String>>, default| match table.placed(key) {
            Some((SCENE, _)) => None,
            Some(_) => resolver.name(table, key, &names),
            None => default,
        };
        let inputs = [input(INPUT, before), input(WITH, None)];
        if !effect.row().has_two() {
            resolver.without_effect(table, WITH, "on kinds other than `blend`", None);
        }
        let is_same =
            |other: &&SceneEffect| other.is_of_lighting() && other.values.effect.row().space == effect.row().space;
        if let Some(other) = out.iter().find(is_same) {
            let message = format!("`{word}` is a second effect that lighting reads, after `{}`", other.name);
            let at = table.entry_of(KIND).map_or(*place, |entry| entry.value.place);
            resolver.complain_with(code::TOO_MANY, at, message, Some("remove one of them".to_string()));
        }
        if is_mean && values.frames() > 1 {
            let message = format!("`{word}` needs frames before this one, and a mean of `[accumulate]` has none");
            let at = table.entry_of(KIND).map_or(*place, |entry| entry.value.place);
            let help = "remove `[accumulate]`, or the effect".to_string();
            resolver.complain_with(code::WITHOUT_EFFECT, at, message, Some(help));
        }
        let force = table.ask(FORCE);
        let name = own.name(table, &word);
        names.insert(name.clone(), out.len());
        out.push(SceneEffect { name, values, inputs, file, amount: table.ask(AMOUNT), force });
        let late = is_developed(&out);
        if effect.row().space == Space::Hdr && late[out.len() - 1] && !force {
            let message = format!("`{word}` is made for light, but comes after tone mapping");
            let help = "move it before the first effect on the picture of the display, or set `force = true`";
            let at = table.entry_of(KIND).map_or(*place, |entry| entry.value.place);
            resolver.complain_with(code::WRONG_ORDER, at, message, Some(help.to_string()));
        }
    }
    if out.iter().zip(&list).all(|(effect, (_, table))| is_known(effect, table)) {
        unseen(resolver, &list, &out);
    }
    out
}

/// Whether all that an effect names is there.
fn is_known(effect: &SceneEffect, table: &Table) -> bool {
    let known = |key: Key<Option<String>>, input: Option<usize>| match table.placed(key) {
        Some((name, _)) => name == SCENE || input.is_some(),
        None => true,
    };
    known(INPUT, effect.inputs[0]) && known(WITH, effect.inputs[1])
}

/// Complains about effects that do not lead to the last one.
fn unseen(resolver: &mut Resolver<'_>, list: &[(Place, &Table)], effects: &[SceneEffect]) {
    // Lighting reads some.
    let mut seen: Vec<bool> = effects.iter().map(SceneEffect::is_of_lighting).collect();
    if let Some(last) = seen.last_mut() {
        *last = true;
    }
    for at in (0..effects.len()).rev() {
        if seen[at] {
            effects[at].inputs.iter().flatten().for_each(|input| seen[*input] = true);
        }
    }
    let each = list.iter().zip(effects).zip(&seen);
    for (((place, _), effect), _) in each.filter(|(_, seen)| !**seen) {
        let message = format!("effect `{}` is not seen: no effect after it reads its picture", effect.name);
        let help = "name it as `input` or `with` of a later effect, or remove it".to_string();
        resolver.complain_with(code::WITHOUT_EFFECT, *place, message, Some(help));
    }
}

pub(crate) fn print(out: &mut Printer<'_>, at: usize, effect: &SceneEffect) {
    let SceneEffect { name, mut values, inputs: [input, with], file, amount, force } = effect.clone();
    let word = |input: Option<usize>| {
        Some(input.map_or_else(|| SCENE.to_string(), |input| out.scene.effects[input].name.clone()))
    };
    let (of_input, of_with) = (word(input), word(with));
    out.line(NAME, Some(name));
    out.line(KIND, values.effect.row().name.to_string());
    if input != at.checked_sub(1) {
        out.line(INPUT, of_input);
    }
    if with.is_some() {
        out.line(WITH, of_with);
    }
    out.line(AMOUNT, amount);
    if force {
        out.line(FORCE, force);
    }
    if let (Some(param), Some(file)) = (values.effect.row().file(), &file) {
        out.file(key_of::<String>(param), file);
    }
    fields(&mut Fields::Print(out), &mut values);
}

pub(crate) fn moved(effect: &mut SceneEffect, moved: Moved<'_>) {
    let mut on = Fields::Move(moved);
    on.field(AMOUNT, &mut effect.amount);
    fields(&mut on, &mut effect.values);
}
