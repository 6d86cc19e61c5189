//! `model`: lighting models and the keys beside each, which are the rows of `asset::MODELS`.

use std::collections::BTreeMap;

use crate::asset::{MODELS, ModelId, Param, ParamKind, Slot};
use crate::scene::fields::Fields;
use crate::scene::key::{Key, Plain, key, row, words_of};
use crate::scene::schema::{ANY, Constant, Default, Row, Type, Variant, Variants, range};
use crate::scene::text::syntax::Value;
use crate::scene::text::toml;

/// What is written of parameters, by their place in the model's row; a number has its value first.
pub type Parameters = BTreeMap<usize, [f32; 3]>;

const ROW_COUNT: usize = {
    let (mut at, mut count) = (0, 0);
    while at < MODELS.len() {
        count += MODELS[at].params.len() + MODELS[at].slots.len();
        at += 1;
    }
    count
};

/// Of all models, one after the other.
static ROWS: [Row; ROW_COUNT] = {
    let nothing = Row { name: "", ty: Type::Bool, default: Default::Required, doc: "", moves: false };
    let (mut out, mut count, mut at) = ([nothing; ROW_COUNT], 0, 0);
    while at < MODELS.len() {
        let mut param = 0;
        while param < MODELS[at].params.len() {
            out[count] = row_of(&MODELS[at].params[param]);
            count += 1;
            param += 1;
        }
        let mut slot = 0;
        while slot < MODELS[at].slots.len() {
            let row = MODELS[at].slots[slot].row();
            let (ty, default) = (Type::Texture(&super::TEXTURE_TABLE), Default::Words("none"));
            out[count] = Row { name: row.key, ty, default, doc: row.doc, moves: false };
            count += 1;
            slot += 1;
        }
        at += 1;
    }
    out
};

static CASES: [Variant; MODELS.len()] = {
    let mut out = [Variant { word: "", doc: "", keys: &[] }; MODELS.len()];
    let (mut rest, mut at): (&'static [Row], usize) = (&ROWS, 0);
    while at < MODELS.len() {
        let (keys, after) = rest.split_at(MODELS[at].params.len() + MODELS[at].slots.len());
        out[at] = Variant { word: MODELS[at].name, doc: MODELS[at].doc, keys };
        rest = after;
        at += 1;
    }
    out
};

static WORDS: [&str; MODELS.len()] = words_of(&CASES);
const DEFAULT: &str = MODELS[0].name;

pub(super) static VARIANTS: Variants = Variants { selector: MODEL.name(), default: Some(DEFAULT), cases: &CASES };

pub(super) const MODEL: Key<ModelId> = key(
    "model",
    Type::Choice(&WORDS),
    Constant::Word(DEFAULT),
    "How the surface turns light that arrives into light that leaves. docs/lighting-models.md has the formulas.",
);

const fn row_of(param: &Param) -> Row {
    let (ty, default) = match param.kind {
        ParamKind::Number { default, min, max } => (Type::Number(range(min, max)), Constant::Number(default)),
        ParamKind::Color { default, max } => (Type::Color { alpha: false, max }, Constant::Numbers(default)),
        ParamKind::Flag { default } => (Type::Bool, Constant::Flag(default)),
        ParamKind::Turn { default } => (Type::Number(ANY), Constant::Number(default)),
    };
    let moves = !matches!(param.kind, ParamKind::Flag { .. });
    Row { name: param.name, ty, default: Default::Value(default), doc: param.doc, moves }
}

impl Plain for ModelId {
    fn read(value: &Value) -> Option<ModelId> {
        ModelId::of_name(value.kind.text()?)
    }

    fn print(&self) -> Option<String> {
        Some(toml::text(self.row().name))
    }

    fn blank() -> ModelId {
        ModelId::GLTF
    }
}

pub(super) fn fields(on: &mut Fields<'_, '_>, model: &mut Option<ModelId>, parameters: &mut Parameters) {
    on.written(MODEL, model);
    for (at, param) in model.unwrap_or_default().row().params.iter().enumerate() {
        let known = parameters.get(&at).copied();
        let value = match param.kind {
            ParamKind::Number { .. } | ParamKind::Turn { .. } => {
                let mut number = known.map(|value| value[0]);
                on.written(key_of::<f32>(param), &mut number);
                number.map(|number| [number, 0.0, 0.0])
            }
            ParamKind::Color { .. } => {
                let mut color = known;
                on.written(key_of::<[f32; 3]>(param), &mut color);
                color
            }
            ParamKind::Flag { .. } => {
                let mut flag = known.map(|value| value[0] > 0.5);
                on.written(key_of::<bool>(param), &mut flag);
                flag.map(|flag| [f32::from(u8::from(flag)), 0.0, 0.0])
            }
        };
        if let Some(value) = value {
            parameters.insert(at, value);
        }
    }
}

fn key_of<T>(param: &Param) -> Key<T> {
    let Row { name, ty, default, doc, moves } = row_of(param);
    let key = row(name, ty, default, doc);
    if moves { key.moves() } else { key }
}

/// Every parameter of a model that is named; of glTF's only what is written, since a layer that nobody wants is no
/// layer.
pub(super) fn filled(
    model: Option<ModelId>,
    mut written: Parameters,
    has_texture: &dyn Fn(Slot) -> bool,
) -> Parameters {
    let model = model.unwrap_or_default();
    for slot in model.row().slots.iter().filter(|slot| has_texture(**slot)) {
        // So that the texture is seen as it is.
        if let Some(at) = model.row().param(slot.row().fills) {
            let is_color = matches!(model.row().params[at].kind, ParamKind::Color { .. });
            written.entry(at).or_insert(if is_color { [1.0; 3] } else { [1.0, 0.0, 0.0] });
        }
    }
    if model != ModelId::GLTF {
        for (at, param) in model.row().params.iter().enumerate() {
            written.entry(at).or_insert_with(|| param.kind.default());
        }
    }
    written
}
