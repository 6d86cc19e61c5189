//! Maker: follows connections from an input to the nodes that it needs, and writes those down.

use std::collections::{BTreeMap, BTreeSet};

use stillframe_base::math::colour;
use stillframe_graph::Kind as NodeKind;

use crate::scene::code;
use crate::scene::text::complain::Complaints;
use crate::scene::text::syntax::{Entry, Kind, Place, Table, Value};

use super::document::{Element, File};
use super::term::{Made, Term, Trouble};

/// Nodes that stand one behind the other.
const DEPTH_MAX: usize = 64;
/// Graphs within graphs, all together: a few lines can ask for any number.
const SCOPES_MAX: usize = 256;
/// As many as a material may have; one more is reported by who reads them.
const NODES_MAX: usize = 1024;

/// Where names mean something: the document, a graph, or a graph that defines a node, once for each such node.
struct Scope<'d> {
    graph: Element<'d>,
    /// The node that stands for the graph.
    call: Option<At<'d>>,
    /// Of that node's inputs.
    definition: Option<Element<'d>>,
}

/// A kind of node.
pub(super) struct Row {
    pub name: &'static str,
    pub make: fn(&mut Asked<'_, '_, '_>) -> Made,
}

/// A node whose output is wanted.
pub(super) struct Asked<'a, 'd, 'f> {
    pub maker: &'a mut Maker<'d, 'f>,
    pub at: At<'d>,
    /// Empty: its only one.
    pub output: &'a str,
    pub place: Place,
}

/// An element in a scope.
#[derive(Clone, Copy)]
pub(super) struct At<'d> {
    pub element: Element<'d>,
    pub scope: usize,
}

/// Makes the nodes of one material.
pub(super) struct Maker<'d, 'f> {
    pub file: File<'d>,
    rows: &'static [&'static [Row]],
    pub nodes: Vec<Value>,
    names: BTreeSet<String>,
    scopes: Vec<Scope<'d>>,
    /// Graphs that have a scope, by the scope of their name.
    graphs: BTreeMap<u32, usize>,
    made: BTreeMap<(usize, u32, String), Made>,
    open: Vec<(usize, u32)>,
    /// Connections that are being followed.
    depth: usize,
    pub found: &'f mut Complaints,
}

impl<'d, 'f> Maker<'d, 'f> {
    pub fn new(file: File<'d>, rows: &'static [&'static [Row]], found: &'f mut Complaints) -> Maker<'d, 'f> {
        Maker {
            file,
            rows,
            nodes: Vec::new(),
            names: BTreeSet::new(),
            scopes: vec![Scope { graph: file.root, call: None, definition: None }],
            graphs: BTreeMap::new(),
            made: BTreeMap::new(),
            open: Vec::new(),
            depth: 0,
            found,
        }
    }

    /// A surface shader of the document.
    pub fn at(&self, element: Element<'d>) -> At<'d> {
        At { element, scope: 0 }
    }

    /// What an input of a node is, if the file says it; with the place of what it says.
    pub fn input(&mut self, of: At<'d>, name: &str) -> Option<(Made, Place)> {
        let input = self.file.input(of.element, name)?;
        Some((self.value(At { element: input, ..of }), self.place_of(input)))
    }

    /// Where an input says what it is.
    pub fn place_of(&self, input: Element<'d>) -> Place {
        let written = ["value", "nodename", "nodegraph", "interfacename"];
        let word = written.iter().find_map(|attribute| self.file.word(input, attribute));
        word.map_or_else(|| self.file.place(input), |word| word.place)
    }

    /// The text of an input: a file, or a word.
    pub fn text(&self, of: At<'d>, name: &str) -> Option<(&'d str, Place, Element<'d>)> {
        let mut at = At { element: self.file.input(of.element, name)?, ..of };
        for _ in 0..DEPTH_MAX {
            if let Some(word) = self.file.word(at.element, "value") {
                return Some((word.text, word.place, at.element));
            }
            at = self.outer(at, self.file.word(at.element, "interfacename")?.text)?;
        }
        None
    }

    /// The input that a name of a graph's interface stands for.
    fn outer(&self, of: At<'d>, name: &str) -> Option<At<'d>> {
        let scope = &self.scopes[of.scope];
        if let Some(call) = scope.call {
            if let Some(element) = self.file.input(call.element, name) {
                return Some(At { element, scope: call.scope });
            }
            let element = self.file.input(scope.definition?, name)?;
            return Some(At { element, ..of });
        }
        // A graph of the document has its inputs itself; what they name stands in the document.
        Some(At { element: self.file.input(scope.graph, name)?, scope: 0 })
    }

    /// What an input element says.
    fn value(&mut self, input: At<'d>) -> Made {
        if self.depth > 4 * DEPTH_MAX {
            let place = self.place_of(input.element);
            self.found.add(code::GRAPH_CIRCLE, place, "a connection leads to itself", None);
            return Err(Trouble::Told);
        }
        self.depth += 1;
        let made = self.followed(input);
        self.depth -= 1;
        made
    }

    fn followed(&mut self, input: At<'d>) -> Made {
        let file = self.file;
        if let Some(name) = file.word(input.element, "interfacename") {
            let outer = self.outer(input, name.text).filter(|outer| outer.element != input.element);
            let Some(outer) = outer else {
                let help = Some("add an `input` of this name to the graph".into());
                self.found.add(code::UNKNOWN_PART, name.place, format!("the graph has no input `{}`", name.text), help);
                return Err(Trouble::Told);
            };
            return self.value(outer);
        }
        let output = input.element.attribute("output").unwrap_or_default();
        if let Some(name) = file.word(input.element, "nodegraph") {
            let Some(graph) = file.named(file.root, name.text).filter(|e| e.tag_name().name() == "nodegraph") else {
                file.unknown(file.root, name, self.found);
                return Err(Trouble::Told);
            };
            let scope = match self.graphs.get(&graph.id().get()) {
                Some(scope) => *scope,
                None => {
                    let scope = self.scope(Scope { graph, call: None, definition: None }, name.place)?;
                    self.graphs.insert(graph.id().get(), scope);
                    scope
                }
            };
            return self.output_of(scope, output, name.place);
        }
        if let Some(name) = file.word(input.element, "nodename") {
            let scope = self.scopes[input.scope].graph;
            let Some(element) = file.named(scope, name.text) else {
                file.unknown(scope, name, self.found);
                return Err(Trouble::Told);
            };
            let channels = input.element.attribute("channels");
            let made = self.node(At { element, ..input }, output)?;
            return match channels {
                Some(channels) => self.swizzled(&made, channels, file.place(element)),
                None => Ok(made),
            };
        }
        match file.word(input.element, "value") {
            Some(word) => self.literal(input.element, word.text, word.place),
            None => {
                let place = file.place(input.element);
                self.found.add(code::MISSING_KEY, place, "an input without a value", None);
                Err(Trouble::Told)
            }
        }
    }

    fn scope(&mut self, scope: Scope<'d>, place: Place) -> Result<usize, Trouble> {
        if self.scopes.len() >= SCOPES_MAX {
            self.found.add(code::TOO_MANY, place, format!("a material uses more than {SCOPES_MAX} graphs"), None);
            return Err(Trouble::Told);
        }
        self.scopes.push(scope);
        Ok(self.scopes.len() - 1)
    }

    /// An output of a graph; the first one if it is not named.
    fn output_of(&mut self, scope: usize, name: &str, place: Place) -> Made {
        let graph = self.scopes[scope].graph;
        let outputs = || super::document::elements(graph).filter(|element| element.tag_name().name() == "output");
        let found = match name {
            "" => outputs().next(),
            _ => outputs().find(|output| output.attribute("name") == Some(name)),
        };
        match found {
            Some(output) => self.value(At { element: output, scope }),
            None => {
                let help = super::document::elements(graph)
                    .filter_map(|e| e.attribute("name").filter(|_| e.tag_name().name() == "output"))
                    .next()
                    .map(|first| format!("it has `{first}`"));
                self.found.add(code::UNKNOWN_PART, place, format!("the graph has no output `{name}`"), help);
                Err(Trouble::Told)
            }
        }
    }

    /// An output of a node.
    fn node(&mut self, at: At<'d>, output: &str) -> Made {
        let key = (at.scope, at.element.id().get(), output.to_string());
        if let Some(made) = self.made.get(&key) {
            return made.clone();
        }
        let place = self.file.place(at.element);
        if let Some(first) = self.open.iter().position(|open| *open == (at.scope, at.element.id().get())) {
            let count = self.open.len() - first;
            let message = format!("a node needs itself, by way of {count} node{}", if count == 1 { "" } else { "s" });
            self.found.add(code::GRAPH_CIRCLE, place, message, Some("remove one of the connections".into()));
            return Err(Trouble::Told);
        }
        if self.open.len() >= DEPTH_MAX {
            let message = format!("more than {DEPTH_MAX} nodes stand one behind the other");
            self.found.add(code::TOO_MANY, place, message, None);
            return Err(Trouble::Told);
        }
        self.open.push((at.scope, at.element.id().get()));
        let made = self.made_anew(at, output, place);
        self.open.pop();
        self.made.insert(key, made.clone());
        made
    }

    fn made_anew(&mut self, at: At<'d>, output: &str, place: Place) -> Made {
        let kind = at.element.tag_name().name();
        if kind == "output" {
            return self.value(at);
        }
        // A node that the file itself defines comes first, as in MaterialX.
        let root = self.file.root;
        let wanted = at.element.attribute("type");
        let own = super::document::elements(root).find(|element| {
            element.tag_name().name() == "nodedef"
                && element.attribute("node") == Some(kind)
                && at.element.attribute("nodedef").is_none_or(|name| element.attribute("name") == Some(name))
                && (wanted == Some("multioutput") || type_of(*element).is_none_or(|own| Some(own) == wanted))
        });
        if let Some(definition) = own {
            let name = definition.attribute("name");
            let graph = super::document::elements(root).find(|element| {
                element.tag_name().name() == "nodegraph" && element.attribute("nodedef") == name && name.is_some()
            });
            let Some(graph) = graph else {
                return Err(Trouble::NotRead(format!("`{kind}` has no graph in this file"), place));
            };
            let mut around = Some(at.scope);
            while let Some(scope) = around {
                if self.scopes[scope].graph == graph {
                    let message = format!("`{kind}` needs itself: its graph has a node of its own kind");
                    self.found.add(code::GRAPH_CIRCLE, place, message, Some("use another node".into()));
                    return Err(Trouble::Told);
                }
                around = self.scopes[scope].call.map(|call| call.scope);
            }
            let scope = self.scope(Scope { graph, call: Some(at), definition: Some(definition) }, place)?;
            return self.output_of(scope, output, place);
        }
        match self.rows.iter().copied().flatten().find(|row| row.name == kind) {
            Some(row) => (row.make)(&mut Asked { maker: self, at, output, place }),
            None => Err(Trouble::NotRead(format!("nodes of kind `{kind}` are not read"), place)),
        }
    }

    /// Numbers as an input writes them.
    fn literal(&mut self, input: Element<'d>, text: &str, place: Place) -> Made {
        let ty = input.attribute("type").unwrap_or("float");
        let Some(width) = width_of(ty) else {
            return Err(Trouble::NotRead(format!("values of type `{ty}` are not read"), place));
        };
        let mut numbers: Vec<f32> = Vec::new();
        for part in text.split(',').map(str::trim) {
            let number = match (ty, part) {
                ("boolean", "true") => Some(1.0),
                ("boolean", "false") => Some(0.0),
                _ => part.parse::<f32>().ok().filter(|number| number.is_finite()),
            };
            let Some(number) = number else {
                self.found.add(code::WRONG_TYPE, place, format!("`{part}` is not a number"), None);
                return Err(Trouble::Told);
            };
            numbers.push(number);
        }
        if numbers.len() != width {
            let message = format!("a `{ty}` is {width} number{}", if width == 1 { "" } else { "s" });
            self.found.add(code::WRONG_COUNT, place, message, None);
            return Err(Trouble::Told);
        }
        if ty.starts_with("color") {
            let space = self.file.inherited(input, "colorspace").unwrap_or_default();
            match Space::of(space) {
                Some(Space::Linear) => {}
                Some(Space::Srgb) => {
                    for number in &mut numbers[..3] {
                        *number = colour::linear_from_srgb(*number);
                    }
                }
                None => return Err(Trouble::NotRead(format!("colours of `{space}` are not read"), place)),
            }
        }
        Ok(Term::Numbers(numbers))
    }

    /// Writes down a node with further keys, and names its output.
    pub fn emit(&mut self, own: Own<'_>, pins: &[(&str, &Term)], keys: Vec<(&str, Value)>) -> Term {
        let Own { base, place, kind, output, width } = own;
        let base: String =
            base.chars().map(|c| if c.is_alphanumeric() || "_-:".contains(c) { c } else { '_' }).collect();
        let mut name = base.clone();
        let mut count = 2;
        while !self.names.insert(name.clone()) {
            name = format!("{base}_{count}");
            count += 1;
        }
        let text = |text: &str| Value { kind: Kind::Text(text.to_string()), place };
        let entry = |key: &str, value: Value| Entry { key: key.to_string(), key_place: place, value };
        let mut entries = vec![entry("name", text(&name)), entry("kind", text(kind))];
        entries.extend(keys.into_iter().map(|(key, value)| entry(key, value)));
        entries.extend(pins.iter().map(|(key, term)| entry(key, term.value(place))));
        if self.nodes.len() <= NODES_MAX {
            self.nodes.push(Value { kind: Kind::Table(Table { entries }), place });
        }
        let row = NodeKind::of_word(kind).expect("a kind of node").row();
        let is_first = row.outputs[0].name == output;
        Term::Link { text: format!("{name}.{output}"), width, parts: Vec::new(), is_first }
    }

    /// The same, unless all inputs are numbers and the sum can be done here.
    pub fn op(&mut self, own: Own<'_>, pins: &[(&str, &Term)]) -> Term {
        let numbers: Option<Vec<&[f32]>> = pins.iter().map(|(_, term)| term.numbers()).collect();
        let folded = numbers.and_then(|numbers| {
            let at = |lane: usize| -> Option<f32> {
                let x = |pin: usize| numbers[pin][lane.min(numbers[pin].len() - 1)];
                Some(match own.kind {
                    "add" => x(0) + x(1),
                    "subtract" => x(0) - x(1),
                    "multiply" => x(0) * x(1),
                    "divide" if x(1) != 0.0 => x(0) / x(1),
                    "min" => x(0).min(x(1)),
                    "max" => x(0).max(x(1)),
                    "mix" => x(0) * (1.0 - x(2)) + x(1) * x(2),
                    _ => return None,
                })
            };
            (0..own.width).map(at).collect::<Option<Vec<f32>>>()
        });
        match folded {
            Some(numbers) => Term::Numbers(numbers),
            None => self.emit(own, pins, Vec::new()),
        }
    }

    /// One number of a value.
    pub fn part(&mut self, of: &Term, at: usize, place: Place) -> Term {
        match of {
            Term::Numbers(numbers) => Term::number(numbers[at.min(numbers.len() - 1)]),
            Term::Link { width: 1, .. } => of.clone(),
            Term::Link { parts, .. } if at < parts.len() => parts[at].clone(),
            Term::Link { text, is_first: true, .. } => {
                let name = text.rsplit_once('.').map_or(text.as_str(), |(name, _)| name);
                let letter = ["x", "y", "z", "w"][at];
                Term::Link { text: format!("{name}.{letter}"), width: 1, parts: Vec::new(), is_first: false }
            }
            // Single numbers have names in a node's first output alone.
            Term::Link { text, width, .. } => {
                let base = text.split('.').next().unwrap_or("value").to_string();
                let one = Term::number(1.0);
                let own = Own { base: &base, place, kind: "multiply", output: "value", width: *width };
                let same = self.emit(own, &[("a", of), ("b", &one)], Vec::new());
                self.part(&same, at, place)
            }
        }
    }

    /// A value of single numbers.
    pub fn combine(&mut self, base: &str, place: Place, parts: Vec<Term>) -> Term {
        if parts.len() == 1 {
            return parts.into_iter().next().expect("one");
        }
        let numbers: Option<Vec<f32>> = parts.iter().map(|part| part.numbers().map(|n| n[0])).collect();
        if let Some(numbers) = numbers {
            return Term::Numbers(numbers);
        }
        let pins: Vec<(&str, &Term)> = ["x", "y", "z", "w"].into_iter().zip(&parts).collect();
        let output = ["", "", "xy", "xyz", "xyzw"][parts.len()];
        let own = Own { base, place, kind: "combine", output, width: parts.len() };
        match self.emit(own, &pins, Vec::new()) {
            Term::Link { text, width, is_first, .. } => Term::Link { text, width, parts, is_first },
            numbers => numbers,
        }
    }

    /// A value with as many numbers as are wanted: one is repeated, those too many are left out, and alpha is 1.
    pub fn widen(&mut self, of: Term, width: usize, place: Place) -> Term {
        let has = of.width();
        if has == width {
            return of;
        }
        if has == 1 {
            let parts = vec![of; width];
            return self.combine("wide", place, parts);
        }
        let mut parts: Vec<Term> = (0..has.min(width)).map(|at| self.part(&of, at, place)).collect();
        while parts.len() < width {
            parts.push(Term::number(if parts.len() == 3 { 1.0 } else { 0.0 }));
        }
        self.combine("part", place, parts)
    }

    /// Numbers of a value by their letters, as MaterialX 1.38 writes them; 0 and 1 stand for themselves.
    pub fn swizzled(&mut self, of: &Term, letters: &str, place: Place) -> Made {
        let mut parts = Vec::new();
        for letter in letters.chars() {
            let part = match (letter, channel(letter)) {
                ('0', _) => Term::number(0.0),
                ('1', _) => Term::number(1.0),
                (_, Some(at)) if of.width() == 1 || at < of.width() => self.part(of, at, place),
                _ => {
                    let message = format!("a value of {} numbers has no `{letter}`", of.width());
                    self.found.add(code::UNKNOWN_PART, place, message, None);
                    return Err(Trouble::Told);
                }
            };
            parts.push(part);
        }
        if parts.is_empty() || parts.len() > 4 {
            self.found.add(code::WRONG_COUNT, place, "`channels` names one to four numbers", None);
            return Err(Trouble::Told);
        }
        Ok(self.combine("channels", place, parts))
    }
}

/// A node that is written down: the name that it would have, where it stands, its kind, and which output is meant, with
/// how many numbers.
#[derive(Clone, Copy, Debug)]
pub(super) struct Own<'n> {
    pub base: &'n str,
    pub place: Place,
    pub kind: &'n str,
    pub output: &'n str,
    pub width: usize,
}

/// Colour spaces of values and pictures.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Space {
    Linear,
    Srgb,
}

impl Space {
    pub fn of(word: &str) -> Option<Space> {
        match word {
            "" | "none" | "raw" | "lin_rec709" | "lin_rec709_scene" | "linear" => Some(Space::Linear),
            "srgb_texture" | "srgb_rec709_scene" | "sRGB" => Some(Space::Srgb),
            _ => None,
        }
    }
}

/// The type of a definition's one output.
fn type_of(definition: Element<'_>) -> Option<&str> {
    let mut outputs = super::document::elements(definition).filter(|child| child.tag_name().name() == "output");
    let first = outputs.next()?;
    if outputs.next().is_some() { None } else { first.attribute("type") }
}

/// How many numbers a value of a type has.
pub(super) fn width_of(ty: &str) -> Option<usize> {
    match ty {
        "float" | "integer" | "boolean" => Some(1),
        "vector2" => Some(2),
        "color3" | "vector3" => Some(3),
        "color4" | "vector4" => Some(4),
        _ => None,
    }
}

/// Which number of a value a letter means.
pub(super) fn channel(letter: char) -> Option<usize> {
    match letter {
        'r' | 'x' => Some(0),
        'g' | 'y' => Some(1),
        'b' | 'z' => Some(2),
        'a' | 'w' => Some(3),
        _ => None,
    }
}
