//! Graph: nodes in any order, and what feeds the inputs of the material.

use crate::node::Kind;
use crate::row::{Meaning, Setting, Settled};

/// A surface as nodes.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Graph {
    pub nodes: Vec<Node>,
    /// What feeds inputs of the material, each at most once.
    pub outputs: Vec<(Output, Link)>,
    /// The most that corners move, in metres of the mesh; 0 without displacement.
    pub displacement_max_m: f32,
}

/// A node.
#[derive(Clone, Debug, PartialEq)]
pub struct Node {
    /// In messages; of parameters also what makes two of them one.
    pub name: String,
    pub kind: Kind,
    /// In the order of its pins; `None` is the default.
    pub inputs: Vec<Option<Input>>,
    pub setting: Settled,
}

/// What feeds a pin.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Input {
    Numbers { numbers: [f32; 4], width: u8 },
    Link(Link),
}

/// An output of a node, or one of its numbers.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Link {
    pub node: usize,
    /// A position in the outputs of its row.
    pub out: u8,
    pub component: Option<u8>,
}

/// An input of the material: what a graph is for. In the order of their emission.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Output {
    BaseColor,
    Alpha,
    Metallic,
    Roughness,
    Emissive,
    Normal,
    Occlusion,
    /// What one light sends to the eye.
    Radiance,
    /// How far corners move along the mesh's normal, in metres of the mesh.
    Displacement,
    /// How far they move, as a vector.
    DisplacementVector,
}

impl Output {
    pub const ALL: [Output; 10] = [
        Output::BaseColor,
        Output::Alpha,
        Output::Metallic,
        Output::Roughness,
        Output::Emissive,
        Output::Normal,
        Output::Occlusion,
        Output::Radiance,
        Output::Displacement,
        Output::DisplacementVector,
    ];

    /// As scene files and WGSL spell it.
    pub fn word(self) -> &'static str {
        match self {
            Output::BaseColor => "base_color",
            Output::Alpha => "alpha",
            Output::Metallic => "metallic",
            Output::Roughness => "roughness",
            Output::Emissive => "emissive",
            Output::Normal => "normal",
            Output::Occlusion => "occlusion",
            Output::Radiance => "radiance",
            Output::Displacement => "displacement",
            Output::DisplacementVector => "displacement_vector",
        }
    }

    pub fn width(self) -> u8 {
        match self {
            Output::BaseColor => 4,
            Output::Emissive | Output::Normal | Output::Radiance | Output::DisplacementVector => 3,
            _ => 1,
        }
    }

    /// Whether the corners of triangles compute it, not pixels.
    pub fn is_at_corners(self) -> bool {
        matches!(self, Output::Displacement | Output::DisplacementVector)
    }

    pub fn meaning(self) -> Meaning {
        match self {
            Output::BaseColor | Output::Emissive | Output::Radiance => Meaning::Color,
            Output::Normal => Meaning::Direction,
            Output::DisplacementVector => Meaning::Position,
            Output::Alpha => Meaning::Alpha,
            _ => Meaning::Number,
        }
    }
}

/// Why a text names no output of a node.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum NotFound<'a> {
    Node(&'a str),
    /// The node is there.
    Pin {
        node: usize,
        pin: &'a str,
    },
}

/// The output that a text names: `node.output`, or `node.x` (`r`) to `node.w` (`a`) for a number of the node's first
/// output. `position`: of the node of a name, which may have dots.
///
/// Errors: the part that is not there.
pub fn find<'a>(
    text: &'a str,
    position: &dyn Fn(&str) -> Option<usize>,
    kind_of: &dyn Fn(usize) -> Option<Kind>,
) -> Result<Link, NotFound<'a>> {
    let Some((name, pin)) = text.rsplit_once('.') else { return Err(NotFound::Node(text)) };
    let node = position(name).ok_or(NotFound::Node(name))?;
    // What is wrong with its kind has been told.
    let Some(kind) = kind_of(node) else { return Ok(Link { node, out: 0, component: None }) };
    if let Some(out) = kind.row().outputs.iter().position(|out| out.name == pin) {
        return Ok(Link { node, out: out as u8, component: None });
    }
    match ["x", "y", "z", "w"].iter().zip(["r", "g", "b", "a"]).position(|(xyz, rgb)| pin == *xyz || pin == rgb) {
        Some(component) => Ok(Link { node, out: 0, component: Some(component as u8) }),
        None => Err(NotFound::Pin { node, pin }),
    }
}

impl Graph {
    /// The text that `find` reads as a link.
    pub fn text_of(&self, link: Link) -> String {
        let node = &self.nodes[link.node];
        let pin = match link.component {
            Some(component) => ["x", "y", "z", "w"][usize::from(component)],
            None => node.kind.row().outputs[usize::from(link.out)].name,
        };
        format!("{}.{pin}", node.name)
    }

    /// Whether an input of the material or another node reads a node.
    pub fn is_read(&self, node: usize) -> bool {
        let inputs = self.nodes.iter().flat_map(|other| other.inputs.iter().flatten());
        let links = inputs.filter_map(|input| match input {
            Input::Link(link) => Some(*link),
            Input::Numbers { .. } => None,
        });
        links.chain(self.outputs.iter().map(|(_, link)| *link)).any(|link| link.node == node)
    }

    /// Whether a value of it is the moment of the picture.
    pub fn has_time(&self) -> bool {
        self.nodes.iter().any(|node| node.kind.row().setting == Setting::Time)
    }

    /// Turns to a moment.
    pub fn set_time(&mut self, seconds: f64) {
        for node in self.nodes.iter_mut().filter(|node| node.kind.row().setting == Setting::Time) {
            node.setting = Settled::Parameter([seconds as f32, 0.0, 0.0, 0.0]);
        }
    }
}

/// A kind of node that other programs have and materials here have not.
#[derive(Clone, Copy, Debug)]
pub struct Refused {
    pub word: &'static str,
    pub why: &'static str,
    pub instead: &'static str,
}

/// Kinds of nodes that are refused by name.
pub const REFUSED: [Refused; 8] = [
    Refused {
        word: "light_color",
        why: "is an output of another node",
        instead: "use `color` or `irradiance` of `light`, below the key `radiance`",
    },
    Refused {
        word: "light_specular",
        why: "is not a property of lights here",
        instead: "use `color` of `light`, below the key `radiance`",
    },
    Refused {
        word: "light_direction",
        why: "is an output of another node",
        instead: "use `direction` of `light`, below the key `radiance`",
    },
    Refused {
        word: "color_buffer",
        why: "reads the finished picture, which a surface is part of",
        instead: "use `screen` for the place in the picture",
    },
    Refused {
        word: "texture_1d",
        why: "is not offered",
        instead: "use `ramp`, or `texture` with a picture 1 pixel high",
    },
    Refused { word: "texture_cube", why: "is not offered", instead: "use `triplanar`, or the scene's environment" },
    Refused { word: "projected_position", why: "is not offered", instead: "use `screen`, or `position` of `view`" },
    Refused { word: "make_value", why: "is not offered", instead: "use `combine`, or `color_alpha` for a colour" },
];
