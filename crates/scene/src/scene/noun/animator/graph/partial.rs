//! `kind = "partial"`: a mean of poses with weights joint by joint.

use stillframe_anim::graph::{NodeKind, PartialMode, PartialNode, PartialWeights, Value};
use stillframe_anim::pose::LAYERS_MAX;

use super::{NODE_NAME, NODE_NAMES, NodeCase, ON_MASK, Reader, Want};
use crate::scene::code;
use crate::scene::key::{Key, List, choice, key, optional, required, rows};
use crate::scene::schema::{Constant, Kind, POINTS_MAX, Row, Type, Variant, kind, range};
use crate::scene::text::syntax::Table;

const INPUT: Key<List> =
    optional("input", Type::List(&INPUT_TABLE), "none", "The poses, with their weights and masks.");
const JOINT_INPUTS: Key<Vec<String>> = optional("inputs", NODE_NAMES, "none", "The poses that `joint` weights.");
const JOINT: Key<List> =
    optional("joint", Type::List(&JOINT_TABLE), "none", "Weights for joints. All other joints use the first input.");
const MODE: Key<PartialMode> = choice(
    "mode",
    "nlerp",
    "How rotations are blended: a sum of quaternions, a product of their powers, or a sum of matrices.",
);

pub(crate) static INPUT_TABLE: Kind = kind(
    "[[animator.node.input]]",
    "`input = [{ node = \"walk\" }, { node = \"wave\", mask = \"arm\" }]`: the weights of each joint are normalised.",
    INPUT_KEYS,
);

const NODE: Key<String> = required("node", NODE_NAME, "The node that gives the pose.");
const WEIGHT: Key<Value> =
    key("weight", Type::Value(range(0.0, 1e6)), Constant::Number(1.0), "Its weight relative to the others.");
static INPUT_KEYS: &[Row] = rows! { NODE, WEIGHT, ON_MASK };

pub(crate) static JOINT_TABLE: Kind = kind(
    "[[animator.node.joint]]",
    "`joint = [{ name = \"spine\", weights = [0.0, 1.0] }]`: applies to the joint and all joints below it, down to the next one listed.",
    JOINT_KEYS,
);

const NAME: Key<String> = required("name", Type::Text, "A joint's name in the model.");
const WEIGHTS: Key<Vec<f32>> = required(
    "weights",
    Type::NumbersUpTo { max: POINTS_MAX, range: range(0.0, 1e6) },
    "One for each input, not all of them 0.",
);
static JOINT_KEYS: &[Row] = rows! { NAME, WEIGHTS };

pub(super) const CASE: NodeCase = NodeCase {
    variant: Variant {
        word: "partial",
        doc: "Blends poses with weights per joint: an `input` list with weights and masks, or `inputs` with a `joint` list.",
        keys: rows! { INPUT, JOINT_INPUTS, JOINT, MODE },
    },
    is: |kind| matches!(kind, NodeKind::Partial(_)),
    read: |reader, table| {
        let mode = table.ask(MODE);
        let (inputs, weights) = match table.has(INPUT) {
            true => masked(reader, table),
            false => by_joints(reader, table),
        };
        NodeKind::Partial(PartialNode { inputs, weights, mode })
    },
    print: |out, kind| {
        let NodeKind::Partial(PartialNode { inputs, weights, mode }) = kind else { return };
        match weights {
            PartialWeights::Masks(weights) => {
                let row = |(input, (weight, mask)): (&String, &(Value, Option<String>))| {
                    let row = out.inline().with(NODE, input.clone()).with(WEIGHT, weight.clone());
                    row.with(ON_MASK, mask.clone())
                };
                let rows: Vec<_> = inputs.iter().zip(weights).map(row).collect();
                out.all_rows(INPUT, rows);
            }
            PartialWeights::Joints(joints) => {
                out.line(JOINT_INPUTS, inputs.clone());
                let row = |(name, weights): &(String, Vec<f32>)| {
                    out.inline().with(NAME, name.clone()).with(WEIGHTS, weights.clone())
                };
                let rows: Vec<_> = joints.iter().map(row).collect();
                out.all_rows(JOINT, rows);
            }
        }
        out.line(MODE, *mode);
    },
};

/// `input = [...]`, with a weight and a mask each.
fn masked(reader: &mut Reader<'_, '_>, table: &Table) -> (Vec<String>, PartialWeights) {
    let list: Vec<_> = table.rows(INPUT).collect();
    reader.at_most(table, INPUT, LAYERS_MAX);
    reader.not_empty(table, INPUT, list.len());
    let (mut inputs, mut weights) = (Vec::new(), Vec::new());
    for (_, part) in list {
        inputs.push(reader.input(part, NODE, Want::Alike));
        weights.push((reader.value(part, WEIGHT), reader.mask(part)));
    }
    (inputs, PartialWeights::Masks(weights))
}

/// `inputs = [...]`, with weights by joint.
fn by_joints(reader: &mut Reader<'_, '_>, table: &Table) -> (Vec<String>, PartialWeights) {
    let inputs = reader.inputs(table, JOINT_INPUTS);
    if inputs.len() > LAYERS_MAX {
        let message = format!("`inputs` has {} names, but at most {LAYERS_MAX} are supported here", inputs.len());
        reader.resolver.complain_of(table, &[JOINT_INPUTS.name()], code::TOO_MANY, message);
    }
    if let (Some(entry), false) = (table.entry_of(JOINT_INPUTS), table.has(JOINT)) {
        let help = Some("or write `input = [{ node = \"...\" }]`, with a weight and a mask each".to_string());
        let message = "`inputs` needs `joint`, which names the joints that weigh them";
        reader.resolver.complain_with(code::MISSING_KEY, entry.key_place, message, help);
    }
    let list: Vec<_> = table.rows(JOINT).collect();
    reader.not_empty(table, JOINT, list.len());
    reader.resolver.each_once(&list, NAME);
    let mut joints = Vec::new();
    for (_, joint) in list {
        let weights = joint.ask(WEIGHTS);
        reader.count(joint, WEIGHTS, joint.length(WEIGHTS), table.length(JOINT_INPUTS), "the inputs are");
        if !weights.is_empty() && weights.iter().all(|w| *w == 0.0) {
            let message = "all of `weights` are 0";
            reader.resolver.complain_of(joint, &[WEIGHTS.name()], code::OUT_OF_RANGE, message);
        }
        joints.push((joint.ask(NAME), weights));
    }
    (inputs, PartialWeights::Joints(joints))
}
