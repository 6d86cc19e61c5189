//! Program: what some outputs of a graph need, in an order that the graph's own order does not decide.
//!
//! Nodes are visited depth first from the outputs, inputs before what reads them. Equal nodes with equal inputs become
//! one (hash-consing); switches become what they choose.

use std::collections::BTreeMap;
use std::sync::Arc;

use crate::form::Pieces;
use crate::graph::{Graph, Input, Link, Node, Output};
use crate::node::Kind;
use crate::row::{Default, Form, Geometry, Meaning, Out, Setting, Settled, Width};

/// What a shader computes of a graph: the structure that a shader's key holds.
#[derive(Clone, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Program {
    /// Each after those that it reads.
    pub steps: Vec<Step>,
    pub outputs: Vec<(Output, Source)>,
    /// What pixels read of the point.
    pub geometry: Vec<Geometry>,
    /// What corners read of themselves.
    pub corner_geometry: Vec<Geometry>,
    /// Bits of f32: the most that corners move.
    pub displacement_max: u32,
    pub parameter_count: u32,
    pub texture_count: u32,
    pub needs_derivative: bool,
}

/// A node that is computed.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Step {
    pub kind: Kind,
    /// Of its pins of the widest width.
    pub width: u8,
    pub inputs: Vec<Source>,
    pub setting: StepSetting,
    /// Which of its outputs are read, by bits.
    pub outs: u8,
}

/// A setting as the text has it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum StepSetting {
    None,
    /// Bits of f32.
    Value {
        bits: [u32; 4],
        width: u8,
    },
    /// A position among the parameters.
    Parameter(u32),
    Whole(u32),
    /// A position among the textures.
    Texture(u32),
}

/// Where a value comes from.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Source {
    /// Bits of f32.
    Numbers {
        bits: [u32; 4],
        width: u8,
    },
    Geometry(Geometry),
    Pin {
        step: u32,
        out: u8,
        component: Option<u8>,
    },
}

/// A program, and what of a graph it binds.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Bound {
    pub program: Arc<Program>,
    /// Nodes of the graph.
    pub parameters: Vec<usize>,
    pub textures: Vec<Sampled>,
}

/// A texture that a program samples.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Sampled {
    /// Position in the material's list.
    pub at: usize,
    /// Whether 8-bit texels are sRGB colours.
    pub is_color: bool,
}

/// Widths of a node.
#[derive(Clone, Debug, Default)]
pub(crate) struct Shape {
    /// Of its pins of the widest width.
    pub width: u8,
    pub is_color: bool,
    /// Width of each output, and whether it is a colour.
    pub outs: Vec<(u8, bool)>,
}

impl Shape {
    /// Of every node of a graph without rings.
    pub fn of(graph: &Graph) -> Vec<Shape> {
        let mut out: Vec<Option<Shape>> = vec![None; graph.nodes.len()];
        for root in 0..graph.nodes.len() {
            let mut stack = vec![root];
            while let Some(at) = stack.last().copied() {
                let node = &graph.nodes[at];
                let open = node.inputs.iter().filter_map(|input| match input {
                    Some(Input::Link(link)) if out[link.node].is_none() => Some(link.node),
                    _ => None,
                });
                let open: Vec<usize> = open.collect();
                if open.is_empty() {
                    out[at] = Some(shape(node, &out));
                    stack.pop();
                } else {
                    stack.extend(open);
                }
            }
        }
        out.into_iter().map(Option::unwrap_or_default).collect()
    }
}

/// The shape of a node whose inputs have theirs.
fn shape(node: &Node, shapes: &[Option<Shape>]) -> Shape {
    let row = node.kind.row();
    let of_input = |pin: usize| match node.inputs[pin] {
        Some(Input::Numbers { width, .. }) => (width, false),
        Some(Input::Link(Link { component: Some(_), .. })) => (1, false),
        Some(Input::Link(link)) => shapes[link.node].as_ref().map_or((1, false), |s| s.outs[usize::from(link.out)]),
        None => match row.inputs[pin].default {
            Default::Vector(numbers) => (numbers.len() as u8, false),
            Default::Geometry(geometry) => (geometry.width(), false),
            Default::Required | Default::Number(_) => (1, false),
        },
    };
    let (mut width, mut is_color) = (row.width_min, false);
    let chosen = chosen(node);
    for (at, pin) in row.inputs.iter().enumerate() {
        if pin.width == Width::Widest && chosen.is_none_or(|chosen| chosen == at) {
            let (own, color) = of_input(at);
            (width, is_color) = (width.max(own), is_color || color);
        }
    }
    if let Settled::Value { width: own, .. } = node.setting {
        width = own;
    }
    let outs = row.outputs.iter().map(|out| match out.width {
        Width::Fixed(width) => (width, out.meaning == Meaning::Color),
        Width::Widest => (width, is_color || out.meaning == Meaning::Color),
    });
    Shape { width, is_color, outs: outs.collect() }
}

/// The pin that a switch passes on.
pub(crate) fn chosen(node: &Node) -> Option<usize> {
    match (node.kind.row().outputs[0].form, node.setting) {
        (Form::Chosen, Settled::Switch(on)) => Some(usize::from(!on)),
        _ => None,
    }
}

/// What an output of a node reads of the point itself.
pub(crate) fn read_by(node: &Node, out: u8) -> impl Iterator<Item = Geometry> {
    let pieces = Pieces::of(node.kind, usize::from(out));
    let set = if let Settled::Whole(number) = node.setting { number } else { 0 };
    let row = node.kind.row();
    let unfed = node.inputs.iter().enumerate().filter_map(move |(at, input)| match (input, row.inputs[at].default) {
        (None, Default::Geometry(geometry)) if pieces.reads_pin(at) => Some(geometry),
        _ => None,
    });
    pieces.geometry(set).chain(unfed)
}

/// What makes two nodes one.
type StepKey = (Kind, u8, Vec<Source>, StepSetting);

struct Builder<'g> {
    graph: &'g Graph,
    shapes: Vec<Shape>,
    out: Program,
    known: BTreeMap<StepKey, u32>,
    of_node: BTreeMap<usize, u32>,
    parameters: Vec<usize>,
    textures: Vec<Sampled>,
}

impl Graph {
    /// What the wanted outputs need. The graph is one that `check` finds nothing wrong with.
    pub fn program(&self, wanted: &dyn Fn(Output) -> bool) -> Bound {
        let mut builder = Builder {
            graph: self,
            shapes: Shape::of(self),
            out: Program::default(),
            known: BTreeMap::new(),
            of_node: BTreeMap::new(),
            parameters: Vec::new(),
            textures: Vec::new(),
        };
        for output in Output::ALL {
            if let Some((_, link)) = self.outputs.iter().find(|(own, _)| *own == output && wanted(output)) {
                let source = builder.source(*link);
                builder.out.outputs.push((output, source));
            }
        }
        let Builder { mut out, parameters, textures, .. } = builder;
        let [corners, pixels] = [true, false].map(|corners| out.needed(&|output| output.is_at_corners() == corners));
        (out.corner_geometry, out.geometry) = (out.read(&corners), out.read(&pixels));
        if out.displaces() {
            out.displacement_max = self.displacement_max_m.to_bits();
        }
        out.parameter_count = parameters.len() as u32;
        out.texture_count = textures.len() as u32;
        out.needs_derivative = out.steps.iter().any(|step| step.kind.row().needs_derivative);
        Bound { program: Arc::new(out), parameters, textures }
    }
}

impl Builder<'_> {
    fn source(&mut self, link: Link) -> Source {
        let node = &self.graph.nodes[link.node];
        if let Some(pin) = chosen(node) {
            let source = self.input(link.node, pin);
            return self.part(source, link.component);
        }
        let step = self.step(link.node);
        self.out.steps[step as usize].outs |= 1 << link.out;
        self.part(Source::Pin { step, out: link.out, component: None }, link.component)
    }

    fn input(&mut self, node: usize, pin: usize) -> Source {
        let row = self.graph.nodes[node].kind.row();
        let numbers = |numbers: &[f32]| Source::Numbers {
            bits: std::array::from_fn(|n| numbers.get(n).map_or(0, |x| x.to_bits())),
            width: numbers.len() as u8,
        };
        match self.graph.nodes[node].inputs[pin] {
            Some(Input::Numbers { numbers: given, width }) => numbers(&given[..usize::from(width)]),
            Some(Input::Link(link)) => self.source(link),
            None => match row.inputs[pin].default {
                Default::Required => numbers(&[0.0]),
                Default::Number(number) => numbers(&[number as f32]),
                Default::Vector(given) => numbers(&given.iter().map(|x| *x as f32).collect::<Vec<_>>()),
                Default::Geometry(geometry) => Source::Geometry(geometry),
            },
        }
    }

    fn step(&mut self, node: usize) -> u32 {
        if let Some(step) = self.of_node.get(&node) {
            return *step;
        }
        let Node { kind, setting, name, .. } = &self.graph.nodes[node];
        let row = kind.row();
        let inputs: Vec<Source> = (0..row.inputs.len()).map(|pin| self.input(node, pin)).collect();
        let setting = match *setting {
            Settled::None | Settled::Switch(_) => StepSetting::None,
            Settled::Value { numbers, width } => StepSetting::Value { bits: numbers.map(f32::to_bits), width },
            Settled::Whole(number) => StepSetting::Whole(number),
            Settled::Parameter(_) => StepSetting::Parameter(self.parameter(node, row.setting, name)),
            Settled::Texture { at } => {
                let is_color = row.word != "texture_data";
                let next = Sampled { at, is_color };
                let known = self.textures.iter().position(|known| *known == next);
                StepSetting::Texture(known.unwrap_or_else(|| {
                    self.textures.push(next);
                    self.textures.len() - 1
                }) as u32)
            }
        };
        let width = self.shapes[node].width;
        let key = (*kind, width, inputs, setting);
        let step = match self.known.get(&key) {
            Some(step) => *step,
            None => {
                let step = self.out.steps.len() as u32;
                self.out.steps.push(Step { kind: *kind, width, inputs: key.2.clone(), setting, outs: 0 });
                self.known.insert(key, step);
                step
            }
        };
        self.of_node.insert(node, step);
        step
    }

    /// One number of a source; the only one of a single number is the number itself.
    fn part(&self, source: Source, component: Option<u8>) -> Source {
        match (source, component) {
            (source, None) => source,
            (source, _) if self.out.width(source) == 1 => source,
            (Source::Pin { step, out, .. }, component) => Source::Pin { step, out, component },
            (Source::Numbers { bits, .. }, Some(component)) => {
                Source::Numbers { bits: [bits[usize::from(component)], 0, 0, 0], width: 1 }
            }
            (Source::Geometry(_), Some(_)) => unreachable!("switches have no default geometry"),
        }
    }

    /// Its position. Two parameters are one if they have one name; the moment is always one.
    fn parameter(&mut self, node: usize, setting: Setting, name: &str) -> u32 {
        let nodes = &self.graph.nodes;
        let same = |other: &usize| {
            nodes[*other].name == name || (setting == Setting::Time && nodes[*other].kind.row().setting == setting)
        };
        let known = self.parameters.iter().position(same);
        known.unwrap_or_else(|| {
            self.parameters.push(node);
            self.parameters.len() - 1
        }) as u32
    }
}

impl Program {
    /// Width of a source, and whether it is a colour.
    pub fn width(&self, source: Source) -> u8 {
        match source {
            Source::Numbers { width, .. } => width,
            Source::Geometry(geometry) => geometry.width(),
            Source::Pin { component: Some(_), .. } => 1,
            Source::Pin { step, out, .. } => {
                let step = &self.steps[step as usize];
                match step.kind.row().outputs[usize::from(out)].width {
                    Width::Fixed(width) => width,
                    Width::Widest => step.width,
                }
            }
        }
    }

    pub fn reads(&self, geometry: Geometry) -> bool {
        self.geometry.contains(&geometry)
    }

    /// For each step the outputs, by bits, that some outputs of the material need.
    pub fn needed(&self, is_wanted: &dyn Fn(Output) -> bool) -> Vec<u8> {
        let mut out = vec![0; self.steps.len()];
        let wanted = self.outputs.iter().filter(|(output, _)| is_wanted(*output));
        let mut stack: Vec<Source> = wanted.map(|(_, source)| *source).collect();
        while let Some(source) = stack.pop() {
            let Source::Pin { step, out: pin, .. } = source else { continue };
            if out[step as usize] == 0 {
                stack.extend(&self.steps[step as usize].inputs);
            }
            out[step as usize] |= 1 << pin;
        }
        out
    }

    /// What these outputs of steps read of the point itself.
    pub(crate) fn read(&self, needed: &[u8]) -> Vec<Geometry> {
        let mut out = std::collections::BTreeSet::new();
        for (step, bits) in self.steps.iter().zip(needed) {
            let set = if let StepSetting::Whole(number) = step.setting { number } else { 0 };
            for pieces in step.outputs(*bits).map(|(_, pieces)| pieces) {
                out.extend(pieces.geometry(set));
                out.extend(step.inputs.iter().enumerate().filter_map(|(at, source)| match source {
                    Source::Geometry(geometry) if pieces.reads_pin(at) => Some(*geometry),
                    _ => None,
                }));
            }
        }
        out.into_iter().collect()
    }

    /// Whether it moves corners.
    pub fn displaces(&self) -> bool {
        self.outputs.iter().any(|(output, _)| output.is_at_corners())
    }

    /// Whether pixels compute something.
    pub fn has_pixels(&self) -> bool {
        self.outputs.iter().any(|(output, _)| !output.is_at_corners())
    }

    /// Steps whose values differ from light to light.
    pub fn of_light(&self) -> Vec<bool> {
        let mut out: Vec<bool> = Vec::with_capacity(self.steps.len());
        for step in &self.steps {
            let reads = step.outputs(u8::MAX).any(|(_, pieces)| pieces.geometry(0).any(Geometry::is_of_light));
            let is_late = step.inputs.iter().any(|input| match *input {
                Source::Pin { step, .. } => out[step as usize],
                Source::Geometry(geometry) => geometry.is_of_light(),
                Source::Numbers { .. } => false,
            });
            out.push(reads || is_late);
        }
        out
    }

    pub fn has(&self, output: Output) -> bool {
        self.outputs.iter().any(|(own, _)| *own == output)
    }
}

impl Step {
    /// Those of its outputs whose bits are set.
    pub(crate) fn outputs(&self, bits: u8) -> impl Iterator<Item = (&'static Out, &'static Pieces)> {
        let outputs = self.kind.row().outputs.iter().enumerate();
        outputs.filter(move |(at, _)| bits >> at & 1 == 1).map(|(at, out)| (out, Pieces::of(self.kind, at)))
    }

    /// The width that a pin's value must have.
    pub fn pin_width(&self, pin: usize) -> u8 {
        match self.kind.row().inputs[pin].width {
            Width::Fixed(width) => width,
            Width::Widest => self.width,
        }
    }
}
