//! `[[material.NAME.node]]`: the nodes of a material's graph.
//!
//! Kinds, pins and defaults are those of the rows of `stillframe_graph`: a new row there is a new kind here. In: tables
//! of nodes, and keys of the material that name their outputs. Out: a graph without mistakes. Never here: what nodes
//! compute.

use std::collections::BTreeMap;

use stillframe_graph::{
    self as graph, Graph, Input, Kind as NodeKind, Node, NotFound, Output, Pin, REFUSED, ROWS, Refused, Setting,
    Settled, Spot, Wrong,
};

use super::texture::{self, TABLE as TEXTURE_TABLE, Texture, TextureChoice, TexturePath};
use crate::scene::code;
use crate::scene::key::{Key, List, Moved, flag, key, number, optional, required, rows, whole, words_of};
use crate::scene::printer::Printer;
use crate::scene::resolver::{Names, OwnNames, Resolver};
use crate::scene::schema::{
    ANY, Constant, Default, Kind, NUMBER_MAX, Row, Type, Variant, Variants, is_link, kind, range,
};
use crate::scene::text::syntax::{Kind as Written, Place, Table, Value};
use crate::scene::text::toml;
use crate::scene::track::Thing;
use crate::source::did_you_mean;

pub(crate) static TABLE: Kind = Kind {
    variants: Some(&Variants { selector: KIND.name(), default: None, cases: &VARIANTS }),
    thing: Some(|at| match at {
        [material, node] => Thing::MaterialNode(*material, *node),
        [model, at, node] => Thing::OverrideNode(*model, *at, *node),
        _ => unreachable!("nodes are in a material or in an override"),
    }),
    ..kind(
        "[[material.NAME.node]]",
        "A node of a material's graph: numbers for every point of a surface, from other nodes. Keys of the material and inputs of nodes name its outputs as `\"node.output\"`, and single numbers of its first output as `\"node.x\"`. docs/materials.md lists every output. Overrides of models' materials have nodes, too.",
        KEYS,
    )
};

pub(super) const NODE: Key<List> = optional("node", Type::List(&TABLE), "none", "Nodes that the keys above can name.");
const NAME: Key<Option<String>> =
    optional("name", Type::Text, "its kind", "Name for other nodes. Must be unique in the material.");
const KIND: Key<String> = required("kind", Type::Choice(&WORDS), "The kind of node.");
static KEYS: &[Row] = rows! { NAME, KIND };

const VALUE: Key<f32> = required("value", Type::Literal, "The numbers, or the colour.");
const VALUE_NUMBER: Key<f32> = number("value", 0.0, ANY, "The number.").moves();
const VALUE_COLOR: Key<[f32; 4]> =
    key("value", Type::Color { alpha: true, max: NUMBER_MAX }, Constant::Numbers(&[1.0, 1.0, 1.0, 1.0]), "The colour.")
        .moves();
const ON: Key<bool> = flag("on", true, "Which input counts.");
const SET: Key<u32> = key("set", Type::ChoiceOf(&[0, 1]), Constant::Whole(0), "Which set of texture coordinates.");
const OCTAVES: Key<u32> = whole("octaves", 4, 1, 8, "How many layers.");
const TEXTURE: Key<Texture> = required(
    "texture",
    Type::Texture(&TEXTURE_TABLE),
    "The picture. Where it is read is `uv`, not a key of the texture.",
);

pub(super) const DISPLACEMENT_MAX_M: Key<f32> = number(
    "displacement_max_m",
    0.1,
    range(1e-6, 1e6),
    "The most that `displacement` moves a corner, in metres of the mesh. The object's bounds grow by it.",
);

const NODES_MAX: usize = 1024;
/// WebGPU has 16 textures a stage; materials, shadows and environments take the others.
const TEXTURES_MAX: usize = 6;

const fn setting_row(setting: Setting) -> Option<Row> {
    match setting {
        Setting::None | Setting::Time => None,
        Setting::Value => Some(VALUE.row),
        Setting::Number => Some(VALUE_NUMBER.row),
        Setting::Color => Some(VALUE_COLOR.row),
        Setting::Switch => Some(ON.row),
        Setting::UvSet => Some(SET.row),
        Setting::Octaves => Some(OCTAVES.row),
        Setting::Texture => Some(TEXTURE.row),
    }
}

const fn pin_row(pin: &Pin) -> Row {
    let default = match pin.default {
        graph::Default::Required => Default::Required,
        graph::Default::Number(number) => Default::Value(Constant::Number(number)),
        graph::Default::Vector(numbers) => Default::Value(Constant::Numbers(numbers)),
        graph::Default::Geometry(geometry) => Default::Words(geometry.doc()),
    };
    Row { name: pin.name, ty: Type::Pin, default, doc: pin.doc, moves: false }
}

const fn key_count(at: usize) -> usize {
    ROWS[at].inputs.len() + setting_row(ROWS[at].setting).is_some() as usize
}

const KEY_COUNT: usize = {
    let (mut sum, mut at) = (0, 0);
    while at < ROWS.len() {
        sum += key_count(at);
        at += 1;
    }
    sum
};

/// The keys of all kinds, one kind behind the other.
static NODE_KEYS: [Row; KEY_COUNT] = {
    let mut out = [NAME.row; KEY_COUNT];
    let (mut at, mut next) = (0, 0);
    while at < ROWS.len() {
        if let Some(row) = setting_row(ROWS[at].setting) {
            out[next] = row;
            next += 1;
        }
        let mut pin = 0;
        while pin < ROWS[at].inputs.len() {
            out[next] = pin_row(&ROWS[at].inputs[pin]);
            (next, pin) = (next + 1, pin + 1);
        }
        at += 1;
    }
    out
};

static VARIANTS: [Variant; ROWS.len()] = {
    let mut out = [Variant { word: "", doc: "", keys: &[] }; ROWS.len()];
    let mut rest: &'static [Row] = &NODE_KEYS;
    let mut at = 0;
    while at < ROWS.len() {
        let (own, after) = rest.split_at(key_count(at));
        out[at] = Variant { word: ROWS[at].word, doc: ROWS[at].doc, keys: own };
        rest = after;
        at += 1;
    }
    out
};
static WORDS: [&str; ROWS.len()] = words_of(&VARIANTS);

/// The kind of node that materials do not have, if `words` are those of nodes.
pub(crate) fn refused(words: &[&str], text: &str) -> Option<&'static Refused> {
    if std::ptr::eq(words.as_ptr(), WORDS.as_ptr()) {
        REFUSED.iter().find(|refused| refused.word == text)
    } else {
        None
    }
}

/// A graph, and the pictures that its nodes name by position.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct MaterialGraph {
    pub graph: Graph,
    pub textures: Vec<TexturePath>,
}

/// Keys of a material that can name an output of a node.
const LINKS: [Output; 10] = Output::ALL;

/// The graph of a material; `None` where no key names a node. `cut_out`: whether alpha makes holes.
pub(super) fn read(resolver: &mut Resolver<'_>, table: &Table, cut_out: bool) -> Option<MaterialGraph> {
    let written = resolver.few(table.rows(NODE), NODES_MAX, "nodes of a material");
    let mut own = OwnNames::new(resolver, written.iter().map(|(_, t)| *t), "node");
    let own: Vec<String> =
        written.iter().map(|(_, table)| own.name(table, table.placed(KIND).map_or("node", |(word, _)| word))).collect();
    let names: Names = own.iter().enumerate().map(|(at, name)| (name.clone(), at)).collect();
    let kinds: Vec<Option<NodeKind>> =
        written.iter().map(|(_, table)| NodeKind::of_word(table.placed(KIND)?.0)).collect();
    let before = resolver.found.list.len();
    let mut reader = Reader { resolver, names: &names, kinds: &kinds, textures: Vec::new(), places: BTreeMap::new() };
    let mut graph = Graph::default();
    for (at, ((_, table), name)) in written.iter().zip(own).enumerate() {
        graph.nodes.extend(reader.node(at, table, name));
    }
    for output in LINKS {
        let Some(value) = table.value(output.word()) else { continue };
        let Some(text) = value.kind.text().filter(|text| is_link(text)) else { continue };
        if let Some(link) = reader.link(text, value.place) {
            graph.outputs.push((output, link));
        }
    }
    if graph.outputs.iter().any(|(output, _)| output.is_at_corners()) {
        graph.displacement_max_m = table.ask(DISPLACEMENT_MAX_M);
    } else {
        let help = Some("add `displacement`, or remove it");
        reader.resolver.without_effect(table, DISPLACEMENT_MAX_M, "without `displacement`", help);
    }
    let Reader { textures, places, .. } = reader;
    // A node of an unknown kind has no place in the graph, and the check has reported it.
    if graph.nodes.len() < written.len() || resolver.found.list.len() > before {
        return None;
    }
    for problem in graph::check(&graph, cut_out) {
        let place = match problem.spot {
            Spot::Node(at) => written[at].0,
            Spot::Pin(at, pin) => places.get(&(at, pin)).copied().unwrap_or(written[at].0),
            Spot::Output(output) => {
                table.value(output.word()).map_or(Place { source: 0, start: 0, end: 0 }, |v| v.place)
            }
        };
        let code = match problem.wrong {
            Wrong::Ring(_) => code::GRAPH_CIRCLE,
            Wrong::Width { .. } | Wrong::Component { .. } => code::WRONG_WIDTH,
            Wrong::OfCamera(_)
            | Wrong::Derivative(_)
            | Wrong::NotAtCorners(_)
            | Wrong::OfLight(_)
            | Wrong::DerivativeOfLight(_) => code::NOT_HERE,
            // The check of keys has reported it.
            Wrong::Missing(_) => continue,
        };
        resolver.complain_with(code, place, problem.wrong.to_string(), Some(problem.wrong.help().to_string()));
    }
    if resolver.found.list.len() > before {
        return None;
    }
    if graph.program(&|_| true).textures.len() > TEXTURES_MAX {
        let place = table.entry_of(NODE).map_or(Place { source: 0, start: 0, end: 0 }, |entry| entry.key_place);
        let message = format!("a material's nodes sample more than {TEXTURES_MAX} pictures");
        resolver.complain(code::TOO_MANY, place, message);
        return None;
    }
    let is_sound = resolver.found.list.iter().all(|complaint| complaint.code.starts_with('W'));
    for (at, (place, table)) in written.iter().enumerate() {
        if is_sound && !graph.is_read(at) {
            let message = format!("nothing reads node `{}`", graph.nodes[at].name);
            let help = "name it in a key of the material or in another node, or remove it".to_string();
            let place = table.placed(NAME).map_or(*place, |(_, place)| place);
            resolver.complain_with(code::NOT_READ, place, message, Some(help));
        }
    }
    (!graph.outputs.is_empty()).then_some(MaterialGraph { graph, textures })
}

/// Reads nodes.
struct Reader<'r, 'a> {
    resolver: &'r mut Resolver<'a>,
    names: &'r Names,
    kinds: &'r [Option<NodeKind>],
    textures: Vec<TexturePath>,
    /// Where pins are written, by node and pin.
    places: BTreeMap<(usize, usize), Place>,
}

impl Reader<'_, '_> {
    /// `None` for one of an unknown kind, which has been reported.
    fn node(&mut self, at: usize, table: &Table, name: String) -> Option<Node> {
        let kind = self.kinds[at]?;
        let row = kind.row();
        let mut inputs = Vec::with_capacity(row.inputs.len());
        for (number, pin) in row.inputs.iter().enumerate() {
            let value = table.value(pin.name);
            if let Some(value) = value {
                self.places.insert((at, number), value.place);
            }
            inputs.push(value.and_then(|value| self.input(value)));
        }
        let setting = match row.setting {
            Setting::None => Settled::None,
            Setting::Value => table.value(VALUE.name()).and_then(numbers).map_or(
                Settled::Value { numbers: [0.0; 4], width: 1 },
                |(numbers, width)| Settled::Value { numbers, width },
            ),
            Setting::Number => Settled::Parameter([table.ask(VALUE_NUMBER), 0.0, 0.0, 0.0]),
            Setting::Color => Settled::Parameter(table.ask(VALUE_COLOR)),
            Setting::Time => Settled::Parameter([0.0; 4]),
            Setting::Switch => Settled::Switch(table.ask(ON)),
            Setting::UvSet => Settled::Whole(table.ask(SET)),
            Setting::Octaves => Settled::Whole(table.ask(OCTAVES)),
            Setting::Texture => Settled::Texture { at: self.texture(table) },
        };
        Some(Node { name, kind, inputs, setting })
    }

    fn input(&mut self, value: &Value) -> Option<Input> {
        match value.kind.text().filter(|text| is_link(text)) {
            Some(text) => self.link(text, value.place).map(Input::Link),
            None => numbers(value).map(|(numbers, width)| Input::Numbers { numbers, width }),
        }
    }

    fn link(&mut self, text: &str, place: Place) -> Option<graph::Link> {
        let found = graph::find(text, &|name| self.names.get(name).copied(), &|node| self.kinds[node]);
        let (message, help) = match found {
            Ok(link) => return Some(link),
            Err(NotFound::Node(name)) => {
                let none = || "the material has none; add [[material.NAME.node]]".to_string();
                let thing = format!("node `{name}` here");
                self.resolver.find(name, place, &thing, code::UNKNOWN_PART, self.names, &none);
                return None;
            }
            Err(NotFound::Pin { node, pin }) => {
                let row = self.kinds[node].expect("its outputs are known").row();
                let outputs: Vec<&str> = row.outputs.iter().map(|out| out.name).collect();
                let help = match did_you_mean(pin, outputs.iter().copied()) {
                    Some(near) => format!("did you mean `{near}`?"),
                    None => format!(
                        "`{}` has {}, and `x` to `w`",
                        row.word,
                        outputs.iter().map(|name| format!("`{name}`")).collect::<Vec<_>>().join(", ")
                    ),
                };
                (format!("unknown output `{pin}` of a node `{}`", row.word), help)
            }
        };
        self.resolver.complain_with(code::UNKNOWN_PART, place, message, Some(help));
        None
    }

    /// Its position; equal ones are one.
    fn texture(&mut self, table: &Table) -> usize {
        let Some(texture) = texture::sampled(self.resolver, table, TEXTURE) else { return 0 };
        let known = self.textures.iter().position(|known| *known == texture);
        known.unwrap_or_else(|| {
            self.textures.push(texture);
            self.textures.len() - 1
        })
    }
}

/// One to four numbers, or a colour; what is none has been reported.
fn numbers(value: &Value) -> Option<([f32; 4], u8)> {
    use crate::scene::key::Plain;
    if let Some(text) = value.kind.text() {
        let color = <[f32; 4]>::read(value)?;
        return Some((color, if text.len() == 9 { 4 } else { 3 }));
    }
    let Written::List(values) = &value.kind else { return Some(([f32::read(value)?, 0.0, 0.0, 0.0], 1)) };
    let numbers: Vec<f32> = values.iter().map(f32::read).collect::<Option<_>>()?;
    let mut out = [0.0; 4];
    out.get_mut(..numbers.len())?.copy_from_slice(&numbers);
    Some((out, numbers.len() as u8))
}

/// The keys that name nodes.
pub(super) fn print_links(out: &mut Printer<'_>, own: &MaterialGraph) {
    for (output, link) in &own.graph.outputs {
        out.write(output.word(), &toml::scene_text(&own.graph.text_of(*link)));
    }
    if own.graph.displacement_max_m > 0.0 {
        out.line(DISPLACEMENT_MAX_M, own.graph.displacement_max_m);
    }
}

/// The nodes, below the table that they belong to.
pub(super) fn print_nodes(out: &mut Printer<'_>, own: &MaterialGraph) {
    let owner = out.thing;
    for (at, node) in own.graph.nodes.iter().enumerate() {
        let (thing, heading) = match owner {
            Thing::Override(model, number) => {
                let of = &out.scene.models[model];
                let heading = format!("model.{}.override.{}", toml::key(&of.name), toml::key(&of.overrides[number].0));
                (Thing::OverrideNode(model, number, at), heading)
            }
            Thing::Material(material) => {
                let heading = format!("material.{}", toml::key(&out.scene.materials[material].name));
                (Thing::MaterialNode(material, at), heading)
            }
            _ => unreachable!("graphs are in materials and overrides"),
        };
        out.begin(thing, &format!("[[{heading}.node]]"));
        out.name(NAME, Some(&node.name));
        let row = node.kind.row();
        out.name(KIND, Some(row.word));
        match (row.setting, node.setting) {
            (Setting::Number, Settled::Parameter(numbers)) => out.line(VALUE_NUMBER, numbers[0]),
            (Setting::Color, Settled::Parameter(numbers)) => out.line(VALUE_COLOR, numbers),
            (_, Settled::Value { numbers, width }) => out.write(VALUE.name(), &numbers_text(&numbers, width)),
            (_, Settled::Switch(on)) => out.line(ON, on),
            (Setting::UvSet, Settled::Whole(set)) => out.line(SET, set),
            (_, Settled::Whole(octaves)) => out.line(OCTAVES, octaves),
            (_, Settled::Texture { at }) => {
                texture::print(out, TEXTURE, &TextureChoice::File(own.textures[at].clone()));
            }
            _ => {}
        }
        for (pin, input) in row.inputs.iter().zip(&node.inputs) {
            match input {
                None => {}
                Some(Input::Numbers { numbers, width }) => out.write(pin.name, &numbers_text(numbers, *width)),
                Some(Input::Link(link)) => out.write(pin.name, &toml::scene_text(&own.graph.text_of(*link))),
            }
        }
    }
}

fn numbers_text(numbers: &[f32; 4], width: u8) -> String {
    match width {
        1 => toml::float32(numbers[0]),
        _ => toml::list(numbers[..usize::from(width)].iter().map(|number| toml::float32(*number))),
    }
}

/// Turns a node's value to another moment.
pub(super) fn moved(own: &mut MaterialGraph, node: usize, moved: Moved<'_>) {
    let Some(node) = own.graph.nodes.get_mut(node) else { return };
    let value = match node.kind.row().setting {
        Setting::Number => moved.of(VALUE_NUMBER).map(|number| [number, 0.0, 0.0, 0.0]),
        Setting::Color => moved.of(VALUE_COLOR),
        _ => None,
    };
    if let Some(value) = value {
        node.setting = Settled::Parameter(value);
    }
}
