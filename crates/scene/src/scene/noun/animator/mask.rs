//! `[[animator.mask]]`: weights of joints and of shapes.

use stillframe_anim::graph::{BranchDef, MaskDef};

use crate::scene::key::{Key, List, number, optional, required, rows};
use crate::scene::printer::Printer;
use crate::scene::resolver::{OwnNames, Resolver};
use crate::scene::schema::{Kind, Row, Type, UNIT, kind};
use crate::scene::text::syntax::{Place, Table};

pub(crate) static TABLE: Kind = kind(
    "[[animator.mask]]",
    "`mask = [{ name = \"upper\", branch = [{ joint = \"spine\" }] }]`: weights of joints. Every node of the model counts as a joint. Morph targets have the weight of their node.",
    KEYS,
);

const NAME: Key<String> = required("name", Type::Text, "Must be unique in the animator.");
const DEFAULT: Key<f32> = number("default", 0.0, UNIT, "Weight of the joints that are in none of the branches.");
const BRANCH: Key<List> =
    optional("branch", Type::List(&BRANCH_TABLE), "none", "Branches. A joint's own branch counts, else its parent's.");
const SHAPE: Key<List> =
    optional("shape", Type::List(&SHAPE_TABLE), "none", "Morph targets with a weight other than their node's.");
static KEYS: &[Row] = rows! { NAME, DEFAULT, BRANCH, SHAPE };

pub(crate) static SHAPE_TABLE: Kind = kind(
    "[[animator.mask.shape]]",
    "`shape = [{ name = \"smile\" }]`: the weight of a morph target, regardless of its node's weight.",
    SHAPE_KEYS,
);

const SHAPE_NAME: Key<String> =
    required("name", Type::Text, "A morph target's name in the model, on any of its nodes.");
const SHAPE_WEIGHT: Key<f32> = number("weight", 1.0, UNIT, "Its weight.");
static SHAPE_KEYS: &[Row] = rows! { SHAPE_NAME, SHAPE_WEIGHT };

pub(crate) static BRANCH_TABLE: Kind =
    kind("[[animator.mask.branch]]", "A joint and all joints below it.", BRANCH_KEYS);

const BRANCH_JOINT: Key<String> = required("joint", Type::Text, "A joint's name in the model.");
const BRANCH_WEIGHT: Key<f32> = number("weight", 1.0, UNIT, "Its weight.");
static BRANCH_KEYS: &[Row] = rows! { BRANCH_JOINT, BRANCH_WEIGHT };

const MASKS_MAX: usize = 256;
const BRANCHES_MAX: usize = 4096;

/// How much of a layer reaches the shapes of a name, whichever node wears them.
#[derive(Clone, Debug, PartialEq)]
pub struct MaskShape {
    pub name: String,
    pub weight: f32,
}

pub(super) fn masks(resolver: &mut Resolver<'_>, list: Vec<(Place, &Table)>) -> Vec<(MaskDef, Vec<MaskShape>)> {
    let written = resolver.few(list.into_iter(), MASKS_MAX, "masks of an animator");
    let mut own = OwnNames::new(resolver, written.iter().map(|(_, t)| *t), "mask");
    let mut masks = Vec::new();
    for (_, table) in &written {
        let branches = resolver.few(table.rows(BRANCH), BRANCHES_MAX, "branches of a mask");
        resolver.each_once(&branches, BRANCH_JOINT);
        let branch = |(_, table): &(Place, &Table)| BranchDef {
            joint: table.ask(BRANCH_JOINT),
            weight: table.ask(BRANCH_WEIGHT),
        };
        let shapes = resolver.few(table.rows(SHAPE), BRANCHES_MAX, "shapes of a mask");
        resolver.each_once(&shapes, SHAPE_NAME);
        let shape =
            |(_, table): &(Place, &Table)| MaskShape { name: table.ask(SHAPE_NAME), weight: table.ask(SHAPE_WEIGHT) };
        let mask = MaskDef {
            name: own.name(table, "mask"),
            default: table.ask(DEFAULT),
            branches: branches.iter().map(branch).collect(),
        };
        masks.push((mask, shapes.iter().map(shape).collect()));
    }
    masks
}

pub(super) fn print(out: &mut Printer<'_>, mask: &MaskDef, shapes: &[MaskShape]) {
    let MaskDef { name, default, branches } = mask;
    out.heading("[[animator.mask]]");
    out.name(NAME, Some(name));
    out.line(DEFAULT, *default);
    let branch =
        |branch: &BranchDef| out.inline().with(BRANCH_JOINT, branch.joint.clone()).with(BRANCH_WEIGHT, branch.weight);
    let rows: Vec<_> = branches.iter().map(branch).collect();
    out.rows(BRANCH, rows);
    let shape = |shape: &MaskShape| out.inline().with(SHAPE_NAME, shape.name.clone()).with(SHAPE_WEIGHT, shape.weight);
    let rows: Vec<_> = shapes.iter().map(shape).collect();
    out.rows(SHAPE, rows);
}
