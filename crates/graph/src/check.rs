//! Check: what is wrong with a graph, all of it at once, and where.

use std::fmt;

use crate::graph::{Graph, Input, Link, Output};
use crate::program::{Shape, chosen, read_by};
use crate::row::{Default, Geometry, Meaning, Width};

/// Where the text of a graph runs.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Stage {
    /// The pixels of a surface.
    Surface,
    /// The holes of a surface, also as lights see it.
    CutOut,
    /// The corners of triangles.
    Vertex,
    /// One light of the pixels of a surface.
    Light,
}

/// Something wrong, and where.
#[derive(Clone, Debug, PartialEq)]
pub struct Problem {
    pub spot: Spot,
    pub wrong: Wrong,
}

/// A place of a graph.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Spot {
    Node(usize),
    /// A node and the position of one of its pins.
    Pin(usize, usize),
    Output(Output),
}

#[derive(Clone, Debug, PartialEq)]
pub enum Wrong {
    /// The names of the nodes, from the one that closes the ring on.
    Ring(Vec<String>),
    /// A value is not as wide as what it feeds.
    Width {
        have: u8,
        want: u8,
    },
    /// A value has no such number.
    Component {
        component: u8,
        width: u8,
    },
    /// Nothing feeds a pin that has no default.
    Missing(&'static str),
    /// A light sees the surface, too.
    OfCamera(String),
    Derivative(String),
    /// Corners do not know what it reads.
    NotAtCorners(String),
    /// It differs from light to light.
    OfLight(String),
    /// It compares neighbouring pixels by what differs from light to light.
    DerivativeOfLight(String),
}

impl fmt::Display for Wrong {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Wrong::Ring(names) => {
                let names: Vec<String> = names.iter().map(|name| format!("`{name}`")).collect();
                write!(f, "the graph runs in a circle: {}", names.join(" reads "))
            }
            Wrong::Width { have, want } => write!(f, "{have} numbers cannot become {want}"),
            Wrong::Component { component, width } => {
                write!(f, "there is no number `{}` among {width}", ["x", "y", "z", "w"][usize::from(*component)])
            }
            Wrong::Missing(pin) => write!(f, "`{pin}` is missing"),
            Wrong::OfCamera(name) => {
                write!(f, "the holes of a surface depend on node `{name}`, which depends on the camera")
            }
            Wrong::Derivative(name) => {
                write!(f, "node `{name}` compares neighbouring pixels, which there are none of here")
            }
            Wrong::NotAtCorners(name) => {
                write!(f, "node `{name}` reads what is known of pixels, and this moves the corners of triangles")
            }
            Wrong::OfLight(name) => {
                write!(f, "node `{name}` belongs to one light, and this is the same for all of them")
            }
            Wrong::DerivativeOfLight(name) => {
                write!(f, "node `{name}` compares neighbouring pixels, and what it reads differs from light to light")
            }
        }
    }
}

impl Wrong {
    pub fn help(&self) -> &'static str {
        match self {
            Wrong::Ring(_) => "remove one of the links",
            Wrong::Width { have, want } if have < want => {
                "use `combine`, `color_alpha`, or a single number, which is repeated"
            }
            Wrong::Width { .. } => "take a number of it: `\"name.x\"`",
            Wrong::Component { .. } => "`x` to `w`, or `r` to `a`, are the numbers of a node's first output",
            Wrong::Missing(_) => "give it a number, a colour or `\"node.output\"`",
            Wrong::OfCamera(_) => "shadows of the surface are seen from lights; make its alpha of other nodes",
            Wrong::Derivative(_) => "use it for the surface alone",
            Wrong::NotAtCorners(_) => "corners know `position`, `normal`, `uv` and `vertex_color`",
            Wrong::OfLight(_) => "use it below `radiance`",
            Wrong::DerivativeOfLight(_) => "use `ramp` or `mix`, or feed it without the node `light`",
        }
    }
}

/// What is wrong with a graph. `cut_out`: whether alpha makes holes.
pub fn check(graph: &Graph, cut_out: bool) -> Vec<Problem> {
    let mut out = Vec::new();
    if rings(graph, &mut out) {
        // Widths follow from what feeds a node, and that has no end.
        return out;
    }
    missing(graph, &mut out);
    widths(graph, &mut out);
    for (output, link) in &graph.outputs {
        let stage = match output {
            Output::Radiance => Stage::Light,
            _ if output.is_at_corners() => Stage::Vertex,
            _ => Stage::Surface,
        };
        reach(graph, *link, Spot::Output(*output), stage, &mut out);
        let makes_holes = match output {
            Output::Alpha => cut_out,
            Output::BaseColor => cut_out && graph.outputs.iter().all(|(other, _)| *other != Output::Alpha),
            _ => false,
        };
        if makes_holes {
            reach(graph, *link, Spot::Output(*output), Stage::CutOut, &mut out);
        }
    }
    out
}

/// Links of a node that count, with their pins: of a switch, both.
fn links(graph: &Graph, node: usize) -> impl DoubleEndedIterator<Item = (usize, Link)> {
    graph.nodes[node].inputs.iter().enumerate().filter_map(|(pin, input)| match input {
        Some(Input::Link(link)) => Some((pin, *link)),
        _ => None,
    })
}

#[derive(Clone, Copy, PartialEq)]
enum Color {
    White,
    Grey,
    Black,
}

/// Depth-first search in three colours, without recursion: a link to a grey node closes a ring.
fn rings(graph: &Graph, out: &mut Vec<Problem>) -> bool {
    let before = out.len();
    let mut color = vec![Color::White; graph.nodes.len()];
    for root in 0..graph.nodes.len() {
        if color[root] != Color::White {
            continue;
        }
        // Each entry: a node and how many of its links have been followed.
        let mut path: Vec<(usize, usize)> = vec![(root, 0)];
        color[root] = Color::Grey;
        while let Some((node, followed)) = path.last_mut() {
            let node = *node;
            let Some((pin, link)) = links(graph, node).nth(*followed) else {
                color[node] = Color::Black;
                path.pop();
                continue;
            };
            *followed += 1;
            match color[link.node] {
                Color::White => {
                    color[link.node] = Color::Grey;
                    path.push((link.node, 0));
                }
                Color::Grey => {
                    let from = path.iter().position(|(on, _)| *on == link.node).unwrap_or(0);
                    let mut names: Vec<String> =
                        path[from..].iter().map(|(on, _)| graph.nodes[*on].name.clone()).collect();
                    names.push(graph.nodes[link.node].name.clone());
                    out.push(Problem { spot: Spot::Pin(node, pin), wrong: Wrong::Ring(names) });
                }
                Color::Black => {}
            }
        }
    }
    out.len() > before
}

fn missing(graph: &Graph, out: &mut Vec<Problem>) {
    for (at, node) in graph.nodes.iter().enumerate() {
        for (pin, input) in node.kind.row().inputs.iter().zip(&node.inputs) {
            if input.is_none() && matches!(pin.default, Default::Required) {
                out.push(Problem { spot: Spot::Node(at), wrong: Wrong::Missing(pin.name) });
            }
        }
    }
}

fn widths(graph: &Graph, out: &mut Vec<Problem>) {
    let shapes = Shape::of(graph);
    let mut feed = |spot: Spot, input: Input, want: u8, grows: bool| {
        let have = match input {
            Input::Numbers { width, .. } => width,
            Input::Link(Link { node, out: pin, component }) => {
                let have = shapes[node].outs[usize::from(pin)].0;
                if let Some(component) = component.filter(|component| *component >= have) {
                    out.push(Problem { spot, wrong: Wrong::Component { component, width: have } });
                }
                if component.is_some() { 1 } else { have }
            }
        };
        if !fits(have, want, grows) {
            out.push(Problem { spot, wrong: Wrong::Width { have, want } });
        }
    };
    for (at, node) in graph.nodes.iter().enumerate() {
        let is_switch = chosen(node).is_some();
        for (number, pin) in node.kind.row().inputs.iter().enumerate() {
            let (want, grows) = match pin.width {
                Width::Fixed(width) => (width, pin.meaning == Meaning::Color),
                // A switch passes on what it is given.
                Width::Widest if is_switch => (1, false),
                Width::Widest => (shapes[at].width, shapes[at].is_color),
            };
            if let Some(input) = node.inputs[number] {
                feed(Spot::Pin(at, number), input, want, grows);
            }
        }
    }
    for (output, link) in &graph.outputs {
        feed(Spot::Output(*output), Input::Link(*link), output.width(), output.meaning() == Meaning::Color);
    }
}

/// Whether a value of `have` numbers can feed `want`: one is repeated, more are cut, and a colour gets alpha 1.
pub(crate) fn fits(have: u8, want: u8, is_color: bool) -> bool {
    have == 1 || have >= want || (is_color && (have, want) == (3, 4))
}

/// Nodes below a link that must not be there.
fn reach(graph: &Graph, link: Link, spot: Spot, stage: Stage, out: &mut Vec<Problem>) {
    let mut seen = vec![false; graph.nodes.len()];
    let mut stack = vec![(link, spot)];
    while let Some((link, from)) = stack.pop() {
        let node = &graph.nodes[link.node];
        if let Some(wrong) = illegal(graph, link, stage) {
            // Where the graph names what cannot be there.
            out.push(Problem { spot: from, wrong });
            return;
        }
        if std::mem::replace(&mut seen[link.node], true) {
            continue;
        }
        let at = link.node;
        let chosen = chosen(node);
        for (pin, next) in links(graph, at).rev() {
            if chosen.is_none_or(|chosen| chosen == pin) {
                stack.push((next, Spot::Pin(at, pin)));
            }
        }
    }
}

/// Whether what a link brings differs from light to light. The graph has no rings.
fn is_of_light(graph: &Graph, link: Link) -> bool {
    let mut seen = vec![false; graph.nodes.len()];
    let mut stack = vec![link];
    while let Some(link) = stack.pop() {
        let node = &graph.nodes[link.node];
        if read_by(node, link.out).any(Geometry::is_of_light) {
            return true;
        }
        // The node `light` has no inputs: another output of a node that was seen tells nothing new.
        if !std::mem::replace(&mut seen[link.node], true) {
            let chosen = chosen(node);
            let links = links(graph, link.node).filter(|(pin, _)| chosen.is_none_or(|chosen| chosen == *pin));
            stack.extend(links.map(|(_, next)| next));
        }
    }
    false
}

/// Why a node cannot stand at a stage, seen from an output of it.
fn illegal(graph: &Graph, link: Link, stage: Stage) -> Option<Wrong> {
    let node = &graph.nodes[link.node];
    if stage == Stage::Vertex && node.kind.row().needs_derivative {
        return Some(Wrong::Derivative(node.name.clone()));
    }
    if stage == Stage::Light {
        let is_wrong = node.kind.row().needs_derivative && is_of_light(graph, link);
        return is_wrong.then(|| Wrong::DerivativeOfLight(node.name.clone()));
    }
    let reads = |is: fn(Geometry) -> bool| read_by(node, link.out).any(is);
    if reads(Geometry::is_of_light) {
        return Some(Wrong::OfLight(node.name.clone()));
    }
    if stage == Stage::Vertex && reads(|geometry| !geometry.is_at_corners()) {
        return Some(Wrong::NotAtCorners(node.name.clone()));
    }
    if stage == Stage::CutOut && reads(Geometry::is_of_camera) {
        return Some(Wrong::OfCamera(node.name.clone()));
    }
    None
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::graph::Node;
    use crate::node::Kind;
    use crate::row::Settled;

    fn node(word: &str, inputs: &[Option<Input>]) -> Node {
        let kind = Kind::of_word(word).unwrap();
        let mut all = vec![None; kind.row().inputs.len()];
        all[..inputs.len()].copy_from_slice(inputs);
        Node { name: word.to_string(), kind, inputs: all, setting: Settled::None }
    }

    fn link(node: usize) -> Link {
        Link { node, out: 0, component: None }
    }

    fn to(node: usize) -> Option<Input> {
        Some(Input::Link(link(node)))
    }

    fn problems(nodes: Vec<Node>, output: Output, cut_out: bool) -> Vec<Wrong> {
        let last = nodes.len() - 1;
        let graph = Graph { nodes, outputs: vec![(output, link(last))], ..Graph::default() };
        check(&graph, cut_out).into_iter().map(|problem| problem.wrong).collect()
    }

    #[test]
    fn rings_are_told_with_their_names() {
        let ring = problems(vec![node("sin", &[to(1)]), node("cos", &[to(0)])], Output::Roughness, false);
        let names = ["sin", "cos", "sin"].map(str::to_string).to_vec();
        assert_eq!(ring, [Wrong::Ring(names)]);
        let own = problems(vec![node("sin", &[to(0)])], Output::Roughness, false);
        assert_eq!(own, [Wrong::Ring(vec!["sin".into(), "sin".into()])]);
        // A diamond is none.
        let nodes =
            vec![node("position", &[]), node("sin", &[to(0)]), node("cos", &[to(0)]), node("add", &[to(1), to(2)])];
        assert_eq!(problems(nodes, Output::Emissive, false), []);
    }

    #[test]
    fn a_long_chain_needs_no_deep_stack() {
        let mut nodes = vec![node("position", &[])];
        nodes.extend((0..1000).map(|at| node("sin", &[to(at)])));
        assert_eq!(problems(nodes, Output::Emissive, false), []);
    }

    #[test]
    fn widths_that_mean_nothing_are_told() {
        let uv = || node("screen", &[]);
        let position = || node("position", &[]);
        let wrong = |nodes, output| problems(nodes, output, false);
        assert_eq!(
            wrong(vec![uv(), position(), node("add", &[to(0), to(1)])], Output::Emissive),
            [Wrong::Width { have: 2, want: 3 }]
        );
        // To a colour, three numbers are enough; what is wider is cut.
        assert_eq!(wrong(vec![position()], Output::BaseColor), []);
        assert_eq!(wrong(vec![position()], Output::Roughness), []);
        assert_eq!(wrong(vec![uv()], Output::Normal), [Wrong::Width { have: 2, want: 3 }]);
        assert_eq!(wrong(vec![node("add", &[])], Output::Roughness), [Wrong::Missing("a"), Wrong::Missing("b")]);
    }

    #[test]
    fn holes_do_not_depend_on_the_camera() {
        let nodes = || vec![node("fresnel", &[])];
        assert_eq!(problems(nodes(), Output::Alpha, false), []);
        assert_eq!(problems(nodes(), Output::Alpha, true), [Wrong::OfCamera("fresnel".into())]);
        assert_eq!(problems(nodes(), Output::BaseColor, true), [Wrong::OfCamera("fresnel".into())]);
        assert_eq!(problems(nodes(), Output::Roughness, true), []);
    }

    #[test]
    fn corners_have_no_neighbours() {
        let graph = Graph { nodes: vec![node("texture", &[])], ..Graph::default() };
        assert_eq!(illegal(&graph, link(0), Stage::Vertex), Some(Wrong::Derivative("texture".into())));
        assert_eq!(illegal(&graph, link(0), Stage::Surface), None);
    }
}
