//! `[[node]]`: the tree of things, parents first.

use std::collections::BTreeSet;

use glam::Vec3;

use super::super::schema::INHERITS;
use super::super::syntax::{Place, Table};
use super::super::{Content, Node, NodeMorph, Placement, Shape, Show, code};
use super::animator::Heads;
use super::own_names::OwnNames;
use super::{MORPHS_MAX, NODES_MAX, Names, Resolver, SHAPE_VERTICES_MAX, ask, camera, pattern};

/// What nodes refer to, by name.
pub(super) struct Refers<'a> {
    pub models: Names,
    pub materials: Names,
    pub animators: &'a Heads<'a>,
}

/// Nodes, each after its parent, children in the order of the file.
pub(super) struct Placed {
    pub nodes: Vec<Node>,
    /// Position in `nodes` of the node written `n`th; those in circles are in none, and have been told.
    pub place_of: Vec<Option<usize>>,
}

pub(super) fn nodes(resolver: &mut Resolver<'_>, tree: &Table, refers: &Refers<'_>) -> Placed {
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
    let model = resolver.name(table, "model", "model", code::UNKNOWN_MODEL, &refers.models);
    let shape = ask::text(table, "shape");
    let content = match (model, shape.and_then(|word| self::shape(resolver, table, word))) {
        (Some(model), _) => Content::Model(model),
        (None, Some(shape)) => Content::Shape(shape),
        (None, None) => Content::Empty,
    };
    let default_name = shape.or(ask::text(table, "model")).unwrap_or("group");
    let position = ask::vector(table, "position").unwrap_or(Vec3::ZERO);
    Node {
        name: own.name(table, default_name),
        parent: None,
        placement: Placement {
            position,
            rotation: camera::rotation(resolver, table, position),
            scale: ask::scale(table, "scale").unwrap_or(Vec3::ONE),
        },
        content,
        material: resolver.name(table, "material", "material", code::UNKNOWN_MATERIAL, &refers.materials),
        casts_shadow: ask::flag(table, "casts_shadow").unwrap_or(true),
        animator: resolver.name(table, "animator", "animator", code::UNKNOWN_ANIMATOR, &refers.animators.at),
        joint: ask::text(table, "joint").filter(|joint| !joint.is_empty()).map(str::to_string),
        inherits: match table.entry("inherits") {
            Some(_) => std::array::from_fn(|n| ask::words(table, "inherits").contains(&INHERITS[n])),
            None => [true; 3],
        },
        worn: ask::flag(table, "worn").unwrap_or(false),
        morphs: morphs(resolver, table),
        show: ask::words(table, "show").into_iter().filter_map(|word| ask::meaning(word, Show::WORDS)).collect(),
        pattern: pattern::pattern(table),
    }
}

fn morphs(resolver: &mut Resolver<'_>, table: &Table) -> Vec<NodeMorph> {
    let written = resolver.few(table.list("morph"), MORPHS_MAX, "shapes of a node");
    resolver.each_once(&written, "name");
    let morph = |(_, table): &(Place, &Table)| NodeMorph {
        name: ask::text(table, "name").unwrap_or_default().to_string(),
        weight: ask::number(table, "weight").unwrap_or(1.0),
    };
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
        let shows_model = matches!(node.content, Content::Model(_)) || table.entry("model").is_some();
        for key in ["animator", "show", "morph"] {
            let says = match key {
                "show" => !node.show.is_empty(),
                "morph" => !node.morphs.is_empty(),
                _ => true,
            };
            if let (true, false, Some(entry)) = (says, shows_model, table.entry(key)) {
                let message = format!("`{key}` has no effect without `model`");
                resolver.complain(code::WITHOUT_EFFECT, entry.key_place, message);
            }
        }
        let moved = node.animator.and_then(|animator| refers.animators.models[animator]);
        if let (Content::Model(own), Some(moved), Some(entry)) = (&node.content, moved, table.entry("animator"))
            && *own != moved
        {
            let message = format!("node `{}` shows another model than its animator moves", node.name);
            let help = Some("an animator and what wears it name the same `[model.NAME]`".to_string());
            resolver.complain_with(code::OTHER_MODEL, entry.value.place, message, help);
        }
        if let (Some(entry), None) = (table.entry("inherits"), table.entry("joint")) {
            resolver.complain(code::WITHOUT_EFFECT, entry.key_place, "`inherits` has no effect without `joint`");
        }
        let (entry, of_what) = match (table.entry("joint"), table.entry("worn").filter(|_| node.worn)) {
            (Some(entry), _) => (entry, "whose joint it is"),
            (None, Some(entry)) if shows_model => (entry, "who wears it"),
            (None, Some(entry)) => {
                resolver.complain(code::WITHOUT_EFFECT, entry.key_place, "`worn` has no effect without `model`");
                continue;
            }
            (None, None) => continue,
        };
        let (message, help) = match (parent, table.entry("parent")) {
            (Some(parent), _) if matches!(nodes[*parent].content, Content::Model(_)) => continue,
            (Some(parent), _) => {
                (format!("`{}` shows no model: it has no joints", nodes[*parent].name), "name a node with a `model`")
            }
            // An unknown parent has been told.
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
        parents.push(resolver.name(table, "parent", "node", code::UNKNOWN_NODE, &names));
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
            let place = written[index].1.value("parent").map_or(written[index].0, |v| v.place);
            let message = format!("parents run in a circle: {}", path.join(" under "));
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
            let place = table.value("shape").map_or(*place, |v| v.place);
            let message = format!("the shapes have more than {SHAPE_VERTICES_MAX} vertices by here");
            let help = Some("fewer segments, or equal shapes with `scale`: equal ones are made once".to_string());
            resolver.complain_with(code::TOO_MANY, place, message, help);
            return;
        }
    }
}

fn shape(resolver: &mut Resolver<'_>, table: &Table, word: &str) -> Option<Shape> {
    let float = |key: &str, default: f32| ask::float(table, key).unwrap_or(default);
    // Larger ones are out of range, which the check has told.
    let whole = |key: &str, default: u32| ask::whole(table, key).filter(|n| *n <= 1024).unwrap_or(default);
    let radius_m = float("radius_m", 0.5);
    let height_m = float("height_m", 1.0);
    let segments = whole("segments", 64);
    let size_m = || ask::floats(table, "size_m").unwrap_or([1.0; 2]);
    let uv_scale = float("uv_scale", 1.0);
    let shape = match word {
        "box" => Shape::Box { size_m: ask::vector(table, "size_m").unwrap_or(Vec3::ONE) },
        "sphere" => Shape::Sphere { radius_m, segments, rings: whole("rings", 32) },
        "icosphere" => Shape::Icosphere { radius_m, subdivisions: whole("subdivisions", 4).min(7) },
        "plane" => Shape::Plane { size_m: size_m(), uv_scale },
        "disk" => Shape::Disk { radius_m, segments },
        "cylinder" => Shape::Cylinder { radius_m, height_m, segments },
        "cone" => Shape::Cone { radius_m, height_m, segments },
        "capsule" => Shape::Capsule {
            radius_m: float("radius_m", 0.25),
            height_m: float("height_m", 0.5),
            segments,
            rings: whole("rings", 16),
        },
        "torus" => Shape::Torus {
            major_radius_m: float("major_radius_m", 0.35),
            minor_radius_m: float("minor_radius_m", 0.15),
            major_segments: whole("major_segments", 64),
            minor_segments: whole("minor_segments", 32),
        },
        "triangle" => triangle(resolver, table),
        "quad" => Shape::Quad { size_m: size_m(), uv_scale },
        // The check has told.
        _ => return None,
    };
    Some(shape)
}

fn triangle(resolver: &mut Resolver<'_>, table: &Table) -> Shape {
    let defaults = [("a_m", [-0.5, -0.5, 0.0]), ("b_m", [0.5, -0.5, 0.0]), ("c_m", [0.0, 0.5, 0.0])];
    let points_m = defaults.map(|(key, default)| ask::vector(table, key).unwrap_or(Vec3::from_array(default)));
    let [a, b, c] = points_m;
    if (b - a).cross(c - a).length_squared() == 0.0
        && let Some(entry) = defaults.iter().find_map(|(key, _)| table.entry(key))
    {
        let message = "the triangle's points are on one line: it has no face";
        resolver.complain(code::NO_SIZE, entry.value.place, message);
    }
    Shape::Triangle { points_m }
}
