//! `[[node]]`: the tree of things with a place, parents first.

mod pattern;
mod shape;

use std::collections::BTreeSet;

use glam::Vec3;

use super::animator::Heads;
use super::placement::{self, DIRECTIONS, LOOK_AT, POSITION, Placement, ROTATION_DEG, ROTATION_QUAT};
use crate::scene::code;
use crate::scene::fields::{Fields, case_fields, read_case, word_of};
use crate::scene::key::{Key, List, Moved, choices, flag, key, number, optional, required, rows};
use crate::scene::printer::Printer;
use crate::scene::resolver::{MORPHS_MAX, NODES_MAX, Names, OwnNames, Resolver, SHAPE_VERTICES_MAX};
use crate::scene::schema::{Constant, Kind, Range, Row, Type, Variants, kind, range};
use crate::scene::text::syntax::{Place, Table};
use crate::scene::track::Thing;
use crate::scene::word::Word;

use crate::asset::Shape;
pub use pattern::{Area, Pattern};
use pattern::{GRID, LINE, RING, SCATTER};
pub(crate) use pattern::{GRID_TABLE, LINE_TABLE, RING_TABLE, SCATTER_TABLE, check_counts};

pub(crate) static TABLE: Kind = Kind {
    exclusive: &[
        &[MODEL.name(), SHAPE.name()],
        DIRECTIONS,
        &[LINE.name(), GRID.name(), RING.name(), SCATTER.name(), WORN.name()],
        &[ANIMATOR.name(), WORN.name()],
        &[JOINT.name(), WORN.name()],
    ],
    variants: Some(&Variants { selector: SHAPE.name(), default: None, cases: &shape::VARIANTS }),
    thing: Some(|at| Thing::Node(at[0])),
    ..kind(
        "[[node]]",
        "A node shows a model, a built-in shape, or nothing (a group). It is placed by scale, then rotation, then position, in its parent's space.",
        KEYS,
    )
};

const NAME: Key<Option<String>> = optional(
    "name",
    Type::Text,
    "the shape's or model's name",
    "Name for `parent`, `--set` and messages. Must be unique.",
);
const PARENT: Key<Option<String>> = optional("parent", Type::Name("node"), "none", "The node it moves with.");
const MODEL: Key<Option<String>> = optional("model", Type::Name("model"), "none", "The `[model.NAME]` to show.");
const SHAPE: Key<Option<String>> = optional(
    "shape",
    Type::Choice(&shape::WORDS),
    "none",
    "A built-in shape to show, centred on the origin, with +Y up.",
);
const MATERIAL: Key<Option<String>> = optional(
    "material",
    Type::Name("material"),
    "grey, roughness 0.5; a model's own",
    "The `[material.NAME]` to use. On a model, it replaces all materials.",
);
const ANIMATOR: Key<Option<String>> = optional(
    "animator",
    Type::Name("animator"),
    "as the model is stored, or its `clip`",
    "The `[[animator]]` that poses the model; it must be for the same model.",
);
const JOINT: Key<Option<String>> =
    optional("joint", Type::Text, "none", "Attaches the node to this joint of the model that `parent` shows.");
const INHERITS: Key<Vec<String>> = key(
    "inherits",
    Type::Choices(INHERITED),
    Constant::Words(INHERITED),
    "Which parts of that joint's transform it follows.",
);
const WORN: Key<bool> = flag(
    "worn",
    false,
    "Whether its model is a part that the model of `parent` wears: clothes, armour, a head. Its joints follow that model's joints of the same names, whatever moves those. Every joint of its skins must exist there.",
);
const SHOW: Key<Vec<Show>> = choices(
    "show",
    &[],
    "What to draw in addition to the model's surface: bones, axes of attached nodes, targets and poles of solvers, the paths of limbs in the last second, boxes around parts.",
);
const MORPH: Key<List> = optional(
    "morph",
    Type::List(&MORPH_TABLE),
    "as clips and animators have them",
    "Weights of the model's morph targets, which override clips and animators. A worn part follows the figure's morph targets of the same names.",
);
const SCALE: Key<Vec3> =
    key("scale", Type::Scale, Constant::Number(1.0), "One number, or one per axis; negative ones mirror.").moves();
const CASTS_SHADOW: Key<bool> = flag("casts_shadow", true, "Whether it casts shadows.");
static KEYS: &[Row] = rows! {
    NAME, PARENT, MODEL, SHAPE, MATERIAL, ANIMATOR, JOINT, INHERITS, WORN, SHOW, MORPH, POSITION, LOOK_AT, ROTATION_DEG,
    ROTATION_QUAT, SCALE, CASTS_SHADOW, LINE, GRID, RING, SCATTER
};

/// What of a joint can be followed, in the order of [`Node::inherits`].
const INHERITED: &[&str] = &["translation", "rotation", "scale"];
/// Weights of shapes: far more than any face wants.
pub(crate) const MORPH_RANGE: Range = range(-100.0, 100.0);

pub(crate) static MORPH_TABLE: Kind = Kind {
    thing: Some(|at| Thing::Morph(at[0], at[1])),
    ..kind(
        "[[node.morph]]",
        "`morph = [{ name = \"smile\", weight = 0.8 }]`: 0 is the surface as stored, 1 is the full morph target. A weight above 1 goes further, one below 0 goes the other way. In-between shapes are passed on the way.",
        MORPH_KEYS,
    )
};

const MORPH_NAME: Key<String> =
    required("name", Type::Text, "A morph target's name in the model, on any of its nodes. Must be unique.");
const MORPH_WEIGHT: Key<f64> = number("weight", 1.0, MORPH_RANGE, "Its weight.").moves();
static MORPH_KEYS: &[Row] = rows! { MORPH_NAME, MORPH_WEIGHT };

#[derive(Clone, Debug, PartialEq)]
pub struct Node {
    pub name: String,
    /// Position in `Scene::nodes`; less than this node's own.
    pub parent: Option<usize>,
    pub placement: Placement,
    pub content: Content,
    /// Position in `Scene::materials`; replaces the shape's (or every one of the model's) materials.
    pub material: Option<usize>,
    pub casts_shadow: bool,
    /// Position in `Scene::animators`: what moves the model shown here.
    pub animator: Option<usize>,
    /// A joint of the model that `parent` shows: the node hangs on it.
    pub joint: Option<String>,
    /// What of that joint it follows: translation, rotation, scale.
    pub inherits: [bool; 3],
    /// Its model is a part of the body that `parent` shows: joints go where that one's joints of the same name go.
    pub worn: bool,
    /// Shapes of its model that have weights of their own here, over whatever moves it.
    pub morphs: Vec<NodeMorph>,
    /// What is drawn beside the model's surface.
    pub show: Vec<Show>,
    /// Shows the node, and all that hangs below it, several times; see [`crate::scene::Scene::expanded`].
    pub pattern: Option<Pattern>,
}

/// How much of the shapes (morph targets) of a name is shown, on whichever nodes of the model.
#[derive(Clone, Debug, PartialEq)]
pub struct NodeMorph {
    pub name: String,
    /// 1 is the whole shape.
    pub weight: f64,
}

impl Node {
    /// Nothing but a place, at the origin.
    pub fn group(name: String) -> Node {
        Node {
            name,
            parent: None,
            placement: Placement::IDENTITY,
            content: Content::Empty,
            material: None,
            casts_shadow: true,
            animator: None,
            joint: None,
            inherits: [true; 3],
            worn: false,
            morphs: Vec::new(),
            show: Vec::new(),
            pattern: None,
        }
    }
}

#[derive(Clone, Debug, PartialEq)]
pub enum Content {
    /// A group.
    Empty,
    /// Position in `Scene::models`.
    Model(usize),
    Shape(Shape),
}

/// What is drawn of a model beside its surface.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Show {
    /// A bone from each joint to its parent, and the joint's axes.
    Skeleton,
    /// Axes of the nodes that hang on its joints.
    Sockets,
    /// Targets and poles of its solvers, and what misses them.
    Targets,
    /// Where its root and the tips of its limbs were in the last second.
    Trails,
    /// A box around each part as it is bent.
    Bounds,
}

impl Word for Show {
    const WORDS: &'static [(&'static str, Show)] = &[
        ("skeleton", Show::Skeleton),
        ("sockets", Show::Sockets),
        ("targets", Show::Targets),
        ("trails", Show::Trails),
        ("bounds", Show::Bounds),
    ];
}

/// What nodes refer to, by name.
pub(crate) struct Refers<'a> {
    pub models: Names,
    pub materials: Names,
    pub animators: &'a Heads<'a>,
}

/// Nodes, each after its parent, children in the order of the file.
pub(crate) struct Placed {
    pub nodes: Vec<Node>,
    /// Position in `nodes` of the node written `n`th; those in circles are in none, and have been reported.
    pub place_of: Vec<Option<usize>>,
}

pub(crate) fn nodes(resolver: &mut Resolver<'_>, tree: &Table, refers: &Refers<'_>) -> Placed {
    let mut written: Vec<(Place, &Table)> = tree.list("node").collect();
    if written.len() > NODES_MAX {
        resolver.complain(code::TOO_MANY, written[NODES_MAX].0, format!("more than {NODES_MAX} nodes"));
        written.truncate(NODES_MAX);
    }
    let mut own = OwnNames::new(resolver, written.iter().map(|(_, t)| *t), "node");
    let mut nodes: Vec<Node> = Vec::with_capacity(written.len());
    for (_, table) in &written {
        nodes.push(node(resolver, table, refers, &mut own));
    }
    check_vertex_count(resolver, &nodes, &written);
    let parents = parents(resolver, &written, &nodes);
    check_models(resolver, &nodes, &parents, &written, refers);
    let order = depth_first(&parents);
    let mut place_of = vec![None; nodes.len()];
    for (at, index) in order.iter().enumerate() {
        place_of[*index] = Some(at);
    }
    let mut slots: Vec<Option<Node>> = nodes.into_iter().map(Some).collect();
    let mut out = Vec::with_capacity(order.len());
    for index in order {
        let mut node = slots[index].take().expect("each node once");
        node.parent = parents[index].and_then(|parent| place_of[parent]);
        out.push(node);
    }
    Placed { nodes: out, place_of }
}

fn node(resolver: &mut Resolver<'_>, table: &Table, refers: &Refers<'_>, own: &mut OwnNames) -> Node {
    let model = resolver.name(table, MODEL, &refers.models);
    let word = table.ask(SHAPE);
    let shape = word.as_deref().and_then(|word| read_case(&shape::CASES, table, word));
    let content = match (model, shape) {
        (Some(model), _) => Content::Model(model),
        (None, Some(shape)) => Content::Shape(shape),
        (None, None) => Content::Empty,
    };
    if let Some(shape) = &shape {
        shape::check(resolver, table, shape);
    }
    let default_name = word.or(table.ask(MODEL)).unwrap_or("group".to_string());
    let inherits = table.ask(INHERITS);
    Node {
        name: own.name(table, &default_name),
        parent: None,
        placement: Placement { scale: table.ask(SCALE), ..placement::placement(resolver, table, POSITION) },
        content,
        material: resolver.name(table, MATERIAL, &refers.materials),
        casts_shadow: table.ask(CASTS_SHADOW),
        animator: resolver.name(table, ANIMATOR, &refers.animators.at),
        joint: table.ask(JOINT).filter(|joint| !joint.is_empty()),
        inherits: std::array::from_fn(|n| inherits.iter().any(|word| word == INHERITED[n])),
        worn: table.ask(WORN),
        morphs: morphs(resolver, table),
        show: table.ask(SHOW),
        pattern: pattern::pattern(table),
    }
}

fn morphs(resolver: &mut Resolver<'_>, table: &Table) -> Vec<NodeMorph> {
    let written = resolver.few(table.rows(MORPH), MORPHS_MAX, "shapes of a node");
    resolver.each_once(&written, MORPH_NAME);
    let morph =
        |(_, table): &(Place, &Table)| NodeMorph { name: table.ask(MORPH_NAME), weight: table.ask(MORPH_WEIGHT) };
    written.iter().map(morph).collect()
}

/// What of a node needs a model: its own, or its parent's.
fn check_models(
    resolver: &mut Resolver<'_>,
    nodes: &[Node],
    parents: &[Option<usize>],
    written: &[(Place, &Table)],
    refers: &Refers<'_>,
) {
    for ((node, parent), (_, table)) in nodes.iter().zip(parents).zip(written) {
        let shows_model = matches!(node.content, Content::Model(_)) || table.entry_of(MODEL).is_some();
        if !shows_model {
            resolver.without_effect(table, ANIMATOR, "without `model`", None);
            if !node.show.is_empty() {
                resolver.without_effect(table, SHOW, "without `model`", None);
            }
            if !node.morphs.is_empty() {
                resolver.without_effect(table, MORPH, "without `model`", None);
            }
        }
        let moved = node.animator.and_then(|animator| refers.animators.models[animator]);
        if let (Content::Model(own), Some(moved), Some(entry)) = (&node.content, moved, table.entry_of(ANIMATOR))
            && *own != moved
        {
            let message = format!("node `{}` shows another model than its animator moves", node.name);
            let help = Some("an animator and its node must use the same `[model.NAME]`".to_string());
            resolver.complain_with(code::OTHER_MODEL, entry.value.place, message, help);
        }
        if !table.has(JOINT) {
            resolver.without_effect(table, INHERITS, "without `joint`", None);
        }
        let (entry, of_what) = match (table.entry_of(JOINT), table.entry_of(WORN).filter(|_| node.worn)) {
            (Some(entry), _) => (entry, "whose joint it is"),
            (None, Some(entry)) if shows_model => (entry, "who wears it"),
            (None, Some(_)) => {
                resolver.without_effect(table, WORN, "without `model`", None);
                continue;
            }
            (None, None) => continue,
        };
        let (message, help) = match (parent, table.entry_of(PARENT)) {
            (Some(parent), _) if matches!(nodes[*parent].content, Content::Model(_)) => continue,
            (Some(parent), _) => {
                (format!("`{}` shows no model, so it has no joints", nodes[*parent].name), "name a node with a `model`")
            }
            // An unknown parent has been reported.
            (None, Some(_)) => continue,
            (None, None) => (format!("`{}` without a `parent`: {of_what}, is not said", entry.key), "add `parent`"),
        };
        resolver.complain_with(code::OTHER_MODEL, entry.value.place, message, Some(help.to_string()));
    }
}

/// Position of each written node's parent.
fn parents(resolver: &mut Resolver<'_>, written: &[(Place, &Table)], nodes: &[Node]) -> Vec<Option<usize>> {
    let names: Names = nodes.iter().enumerate().map(|(at, n)| (n.name.clone(), at)).collect();
    let mut parents: Vec<Option<usize>> = Vec::with_capacity(nodes.len());
    for (_, table) in written {
        parents.push(resolver.name(table, PARENT, &names));
    }
    // Walking up from every node, marking: 0 unseen, 1 on this walk, 2 known to end.
    let mut state = vec![0u8; nodes.len()];
    for start in 0..nodes.len() {
        let mut walk = Vec::new();
        let mut at = Some(start);
        while let Some(index) = at.filter(|index| state[*index] == 0) {
            state[index] = 1;
            walk.push(index);
            at = parents[index];
        }
        if let Some(index) = at.filter(|index| state[*index] == 1) {
            let first = walk.iter().position(|i| *i == index).expect("it is on this walk");
            let circle = &walk[first..];
            let mut path: Vec<String> = circle.iter().take(8).map(|i| format!("`{}`", nodes[*i].name)).collect();
            if circle.len() > 8 {
                path.push("...".into());
            }
            path.push(format!("`{}`", nodes[index].name));
            let place = written[index].1.value(PARENT.name()).map_or(written[index].0, |v| v.place);
            let message = format!("cycle of parents: {}", path.join(" under "));
            resolver.complain(code::PARENT_CIRCLE, place, message);
        }
        walk.iter().for_each(|index| state[*index] = 2);
    }
    parents
}

/// Every node after its parent and before its next sibling; nodes in circles are left out.
fn depth_first(parents: &[Option<usize>]) -> Vec<usize> {
    let mut children: Vec<Vec<usize>> = vec![Vec::new(); parents.len()];
    let mut stack = Vec::new();
    for (index, parent) in parents.iter().enumerate().rev() {
        match parent {
            Some(parent) => children[*parent].push(index),
            None => stack.push(index),
        }
    }
    let mut order = Vec::with_capacity(parents.len());
    while let Some(index) = stack.pop() {
        order.push(index);
        // Pushed in falling order, so that the first child comes off first.
        stack.extend(&children[index]);
    }
    order
}

/// Equal shapes are made once, so they count once.
fn check_vertex_count(resolver: &mut Resolver<'_>, nodes: &[Node], written: &[(Place, &Table)]) {
    let mut seen = BTreeSet::new();
    let mut total = 0;
    for (node, (place, table)) in nodes.iter().zip(written) {
        let Content::Shape(shape) = &node.content else { continue };
        if !seen.insert(format!("{shape:?}")) {
            continue;
        }
        total += shape.vertex_count_max();
        if total > SHAPE_VERTICES_MAX {
            let place = table.value(SHAPE.name()).map_or(*place, |v| v.place);
            let message = format!("the shapes have more than {SHAPE_VERTICES_MAX} vertices by here");
            let help =
                Some("use fewer segments, or equal shapes with `scale`; equal shapes are stored once".to_string());
            resolver.complain_with(code::TOO_MANY, place, message, help);
            return;
        }
    }
}

pub(crate) fn print(out: &mut Printer<'_>, at: usize, node: &Node) {
    let scene = out.scene;
    let Node {
        name,
        parent,
        placement,
        content,
        material,
        casts_shadow,
        animator,
        joint,
        inherits,
        worn,
        morphs,
        show,
        pattern,
    } = node;
    out.begin(Thing::Node(at), "[[node]]");
    out.name(NAME, Some(name));
    out.name(PARENT, parent.map(|parent| scene.nodes[parent].name.as_str()));
    match content {
        Content::Empty => {}
        Content::Model(model) => out.name(MODEL, Some(&scene.models[*model].name)),
        Content::Shape(shape) => {
            let mut shape = *shape;
            out.name(SHAPE, Some(word_of(&shape::CASES, &mut shape)));
            case_fields(&shape::CASES, &mut Fields::Print(out), &mut shape);
        }
    }
    out.name(ANIMATOR, animator.map(|animator| scene.animators[animator].name.as_str()));
    if let Some(joint) = joint {
        out.name(JOINT, Some(joint));
        let words = INHERITED.iter().zip(inherits).filter(|(_, does)| **does);
        out.line(INHERITS, words.map(|(word, _)| word.to_string()).collect());
    }
    if *worn {
        out.line(WORN, true);
    }
    if !show.is_empty() {
        out.line(SHOW, show.clone());
    }
    out.name(MATERIAL, material.map(|material| scene.materials[material].name.as_str()));
    placement::print(out, placement);
    out.line(SCALE, placement.scale);
    out.line(CASTS_SHADOW, *casts_shadow);
    if let Some(pattern) = pattern {
        pattern::print(out, pattern);
    }
    let morph = |(number, morph): (usize, &NodeMorph)| {
        let row = out.inline().of(Thing::Morph(at, number));
        row.with(MORPH_NAME, morph.name.clone()).with(MORPH_WEIGHT, morph.weight)
    };
    let rows: Vec<_> = morphs.iter().enumerate().map(morph).collect();
    out.rows(MORPH, rows);
}

pub(crate) fn moved(node: &mut Node, moved: Moved<'_>) {
    placement::moved(&mut node.placement, &moved);
    let mut on = Fields::Move(moved);
    on.field(SCALE, &mut node.placement.scale);
    if let Content::Shape(shape) = &mut node.content {
        case_fields(&shape::CASES, &mut on, shape);
    }
}

pub(crate) fn morph_moved(morph: &mut NodeMorph, moved: Moved<'_>) {
    Fields::Move(moved).field(MORPH_WEIGHT, &mut morph.weight);
}
