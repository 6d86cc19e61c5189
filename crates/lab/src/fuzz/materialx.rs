//! MaterialX files: graphs of every kind of node, and surfaces that read them, mostly sound.

use std::fmt::Write as _;

use stillframe_base::rng::Stream;

use super::mutate::{self, between, number_text};
use crate::scene::materialx;

const TYPES: &[(&str, usize)] =
    &[("float", 1), ("color3", 3), ("color4", 4), ("vector2", 2), ("vector3", 3), ("vector4", 4), ("boolean", 0)];
/// Names that inputs of nodes have.
const INPUTS: &[&str] = &[
    "in", "in1", "in2", "in3", "in4", "value", "value1", "value2", "fg", "bg", "mix", "low", "high", "amount",
    "texcoord", "position", "normal", "inlow", "inhigh", "outlow", "outhigh", "gamma", "center", "valuel", "valuer",
    "which", "index", "octaves", "scale", "axis",
];
const WORDS: &[&str] = &[
    "<",
    "/>",
    "\"",
    "&amp;",
    "&#0;",
    "<!--",
    "-->",
    "<![CDATA[",
    "name=\"n0\"",
    "type=\"matrix44\"",
    "nodename=\"n1\"",
    "interfacename=\"x\"",
    "nodegraph=\"G\"",
    "value=\"1, 2\"",
    "<nodedef name=\"ND\" node=\"add\"/>",
    "<!DOCTYPE a>",
    "\u{1F980}",
];

/// A file with a graph and a material or two.
pub fn mtlx(stream: &mut Stream) -> String {
    let kinds = materialx::nodes();
    let mut out = String::from("<?xml version=\"1.0\"?>\n<materialx version=\"1.39\">\n<nodegraph name=\"G\">\n");
    let count = between(stream, 1, 9);
    for at in 0..count {
        let kind = *stream.pick(&kinds);
        let (ty, _) = *stream.pick(TYPES);
        let _ = write!(out, "<{kind} name=\"n{at}\" type=\"{ty}\">");
        for _ in 0..between(stream, 0, 5) {
            let name = *stream.pick(INPUTS);
            input(stream, name, at, &mut out);
        }
        let _ = writeln!(out, "</{kind}>");
    }
    let (ty, _) = *stream.pick(TYPES);
    let _ = writeln!(out, "<output name=\"out\" type=\"{ty}\" nodename=\"n{}\"/>\n</nodegraph>", count - 1);
    for at in 0..between(stream, 1, 3) {
        let surfaces = materialx::surfaces();
        let (shader, inputs) = stream.pick(&surfaces);
        let _ = write!(out, "<{shader} name=\"s{at}\" type=\"surfaceshader\">");
        for _ in 0..between(stream, 0, 6) {
            let name = stream.pick(inputs);
            let (ty, _) = *stream.pick(TYPES);
            if stream.one_in(2) {
                let _ = write!(out, "<input name=\"{name}\" type=\"{ty}\" nodegraph=\"G\" output=\"out\"/>");
            } else {
                value(stream, name, &mut out);
            }
        }
        let _ = writeln!(out, "</{shader}>");
        let _ = writeln!(
            out,
            "<surfacematerial name=\"m{at}\" type=\"material\"><input name=\"surfaceshader\" type=\"surfaceshader\" nodename=\"s{at}\"/></surfacematerial>"
        );
    }
    out.push_str("</materialx>\n");
    if stream.one_in(3) {
        mutate::text(stream, &mut out, WORDS);
    }
    out
}

/// A connection to a node that stands before, or once in a while to any, or a value.
fn input(stream: &mut Stream, name: &str, at: usize, out: &mut String) {
    if stream.one_in(2) && at > 0 {
        let to = if stream.one_in(20) { between(stream, 0, 9) } else { stream.below(at as u32) as usize };
        let (ty, _) = *stream.pick(TYPES);
        let output = stream.pick(&["", "", "", " output=\"outx\"", " output=\"outa\"", " output=\"none\""]);
        let _ = write!(out, "<input name=\"{name}\" type=\"{ty}\" nodename=\"n{to}\"{output}/>");
    } else {
        value(stream, name, out);
    }
}

fn value(stream: &mut Stream, name: &str, out: &mut String) {
    let (ty, count) = *stream.pick(TYPES);
    let text = match count {
        0 => ["true", "false"][stream.below(2) as usize].to_string(),
        _ => {
            let one = |stream: &mut Stream| match stream.one_in(20) {
                true => number_text(stream),
                false => format!("{:?}", stream.unit_f32()),
            };
            let numbers: Vec<String> = (0..count).map(|_| one(stream)).collect();
            numbers.join(", ")
        }
    };
    let _ = write!(out, "<input name=\"{name}\" type=\"{ty}\" value=\"{text}\"/>");
}
