//! Node: a row for each kind of node that is read.
//!
//! Defaults and formulas are those of the standard library (MaterialX 1.39 specification, `stdlib_defs.mtlx` and
//! `stdlib_ng.mtlx`).

use std::f32::consts::PI;

use crate::scene::code;
use crate::scene::text::syntax::{Entry, Kind, Table, Value};

use super::maker::{Asked, Own, Row, Space, channel, width_of};
use super::term::{Made, Term, Trouble};

pub(super) const fn row(name: &'static str, make: fn(&mut Asked<'_, '_, '_>) -> Made) -> Row {
    Row { name, make }
}

pub(super) const ROWS: &[Row] = &[
    // Values.
    row("constant", |node| node.wide("value", 0.0)),
    row("dot", |node| node.wide("in", 0.0)),
    row("convert", |node| node.converted()),
    // Arithmetic, number by number.
    row("add", |node| node.two("add", [("in1", 0.0), ("in2", 0.0)])),
    row("subtract", |node| node.two("subtract", [("in1", 0.0), ("in2", 0.0)])),
    row("multiply", |node| node.two("multiply", [("in1", 0.0), ("in2", 1.0)])),
    row("divide", |node| node.two("divide", [("in1", 0.0), ("in2", 1.0)])),
    row("modulo", |node| node.two("modulo", [("in1", 0.0), ("in2", 1.0)])),
    row("power", |node| node.two("power", [("in1", 0.0), ("in2", 1.0)])),
    row("safepower", |node| {
        let (base, exponent) = (node.wide("in1", 0.0)?, node.wide("in2", 1.0)?);
        node.signed_power(&base, &exponent)
    }),
    row("min", |node| node.two("min", [("in1", 0.0), ("in2", 0.0)])),
    row("max", |node| node.two("max", [("in1", 0.0), ("in2", 0.0)])),
    row("absval", |node| node.one("abs", 0.0)),
    row("sign", |node| node.one("sign", 0.0)),
    row("floor", |node| node.one("floor", 0.0)),
    row("ceil", |node| node.one("ceil", 0.0)),
    row("round", |node| node.one("round", 0.0)),
    row("fract", |node| node.one("fract", 0.0)),
    row("sqrt", |node| node.one("sqrt", 0.0)),
    row("exp", |node| node.one("exp", 0.0)),
    row("ln", |node| node.one("log", 1.0)),
    row("sin", |node| node.one("sin", 0.0)),
    row("cos", |node| node.one("cos", 0.0)),
    row("tan", |node| {
        let x = node.wide("in", 0.0)?;
        let (sin, cos) = (node.op("sin", &[("x", &x)])?, node.op("cos", &[("x", &x)])?);
        node.op("divide", &[("a", &sin), ("b", &cos)])
    }),
    row("asin", |node| node.arc(true)),
    row("acos", |node| node.arc(false)),
    row("atan2", |node| node.two("atan2", [("iny", 0.0), ("inx", 1.0)])),
    row("invert", |node| {
        let (x, amount) = (node.wide("in", 0.0)?, node.wide("amount", 1.0)?);
        node.op("subtract", &[("a", &amount), ("b", &x)])
    }),
    row("clamp", |node| {
        let (x, low, high) = (node.wide("in", 0.0)?, node.wide("low", 0.0)?, node.wide("high", 1.0)?);
        node.op("clamp", &[("x", &x), ("low", &low), ("high", &high)])
    }),
    row("remap", |node| node.remapped(false)),
    row("range", |node| node.remapped(true)),
    row("smoothstep", |node| {
        let (x, low, high) = (node.wide("in", 0.0)?, node.wide("low", 0.0)?, node.wide("high", 1.0)?);
        node.op("smoothstep", &[("low", &low), ("high", &high), ("x", &x)])
    }),
    row("contrast", |node| {
        let (x, amount, pivot) = (node.wide("in", 0.0)?, node.wide("amount", 1.0)?, node.wide("pivot", 0.5)?);
        let x = node.op("subtract", &[("a", &x), ("b", &pivot)])?;
        let x = node.op("multiply", &[("a", &x), ("b", &amount)])?;
        node.op("add", &[("a", &x), ("b", &pivot)])
    }),
    row("trianglewave", |node| {
        let x = node.wide("in", 0.0)?;
        let x = node.op("abs", &[("x", &x)])?;
        let x = node.op("fract", &[("x", &x)])?;
        let half = Term::number(0.5);
        let x = node.op("subtract", &[("a", &x), ("b", &half)])?;
        let x = node.op("abs", &[("x", &x)])?;
        node.op("subtract", &[("a", &half), ("b", &x)])
    }),
    // Vectors.
    row("normalize", |node| {
        let v = node.wide("in", 0.0)?;
        node.op("normalize", &[("v", &v)])
    }),
    row("magnitude", |node| {
        let v = node.as_it_is("in", &[0.0, 0.0])?;
        node.single("length", &[("v", &v)])
    }),
    row("distance", |node| {
        let (a, b) = (node.as_it_is("in1", &[0.0, 0.0])?, node.as_it_is("in2", &[0.0, 0.0])?);
        node.single("distance", &[("a", &a), ("b", &b)])
    }),
    row("dotproduct", |node| {
        let (a, b) = (node.as_it_is("in1", &[0.0, 0.0])?, node.as_it_is("in2", &[0.0, 0.0])?);
        node.single("dot", &[("a", &a), ("b", &b)])
    }),
    row("crossproduct", |node| node.two("cross", [("in1", 0.0), ("in2", 0.0)])),
    row("reflect", |node| {
        let (v, n) = (node.as_it_is("in", &[1.0, 0.0, 0.0])?, node.normal("normal")?);
        node.op("reflect", &[("v", &v), ("n", &n)])
    }),
    row("rotate3d", |node| {
        // v cos + (v x axis) sin + axis (axis . v) (1 - cos): Rodrigues' formula for rows.
        let (v, axis) = (node.as_it_is("in", &[0.0; 3])?, node.as_it_is("axis", &[0.0, 1.0, 0.0])?);
        let amount = node.wide_one("amount", 0.0)?;
        let angle = node.single("multiply", &[("a", &amount), ("b", &Term::number(PI / 180.0))])?;
        let (sin, cos) = (node.single("sin", &[("x", &angle)])?, node.single("cos", &[("x", &angle)])?);
        let axis = node.op("normalize", &[("v", &axis)])?;
        let along = node.op("multiply", &[("a", &v), ("b", &cos)])?;
        let across = node.op("cross", &[("a", &v), ("b", &axis)])?;
        let across = node.op("multiply", &[("a", &across), ("b", &sin)])?;
        let share = node.single("dot", &[("a", &axis), ("b", &v)])?;
        let rest = node.single("subtract", &[("a", &Term::number(1.0)), ("b", &cos)])?;
        let share = node.single("multiply", &[("a", &share), ("b", &rest)])?;
        let share = node.op("multiply", &[("a", &axis), ("b", &share)])?;
        let sum = node.op("add", &[("a", &along), ("b", &across)])?;
        node.op("add", &[("a", &sum), ("b", &share)])
    }),
    row("combine2", |node| node.combined(&["in1", "in2"])),
    row("combine3", |node| node.combined(&["in1", "in2", "in3"])),
    row("combine4", |node| node.combined(&["in1", "in2", "in3", "in4"])),
    row("separate2", |node| node.separated()),
    row("separate3", |node| node.separated()),
    row("separate4", |node| node.separated()),
    row("extract", |node| {
        let (of, index) = (node.as_it_is("in", &[0.0; 3])?, node.fixed("index", 0.0)?);
        let place = node.place;
        Ok(node.maker.part(&of, (index.max(0.0) as usize).min(of.width() - 1), place))
    }),
    row("swizzle", |node| {
        let of = node.as_it_is("in", &[0.0])?;
        let channels = node.word("channels", "");
        let place = node.place;
        node.maker.swizzled(&of, &channels, place)
    }),
    row("rotate2d", |node| {
        let (uv, amount) = (node.as_it_is("in", &[0.0, 0.0])?, node.wide_one("amount", 0.0)?);
        node.turned(&uv, &amount)
    }),
    // Choices.
    row("mix", |node| {
        let (bg, fg) = (node.wide("bg", 0.0)?, node.wide("fg", 0.0)?);
        let mix = node.wide("mix", 0.0)?;
        node.op("mix", &[("a", &bg), ("b", &fg), ("t", &mix)])
    }),
    row("ifgreater", |node| node.chosen(["value1", "value2", "in1", "in2"])),
    row("ifgreatereq", |node| node.chosen(["value2", "value1", "in2", "in1"])),
    row("ifequal", |node| {
        let (x, than) = (node.wide_one("value1", 0.0)?, node.wide_one("value2", 0.0)?);
        let is_truth = node.at.element.attribute("type") == Some("boolean");
        let (same, other) = (node.wide("in1", if is_truth { 1.0 } else { 0.0 })?, node.wide("in2", 0.0)?);
        let x = node.single("distance", &[("a", &x), ("b", &than)])?;
        node.op("choose", &[("x", &x), ("than", &Term::number(0.0)), ("if_more", &other), ("if_not", &same)])
    }),
    row("switch", |node| node.switched()),
    row("and", |node| node.two("min", [("in1", 0.0), ("in2", 0.0)])),
    row("or", |node| node.two("max", [("in1", 0.0), ("in2", 0.0)])),
    row("xor", |node| {
        let (a, b) = (node.wide("in1", 0.0)?, node.wide("in2", 0.0)?);
        let x = node.op("subtract", &[("a", &a), ("b", &b)])?;
        node.op("abs", &[("x", &x)])
    }),
    row("not", |node| {
        let x = node.wide("in", 0.0)?;
        node.op("subtract", &[("a", &Term::number(1.0)), ("b", &x)])
    }),
    // Geometry.
    row("position", |node| match node.word("space", "object").as_str() {
        "world" => Ok(node.read("position", "world", 3)),
        "object" | "model" => Ok(node.read("position", "object", 3)),
        space => node.not_read(&format!("positions in space `{space}`")),
    }),
    row("normal", |node| match node.word("space", "object").as_str() {
        "world" => Ok(node.read("normal", "world", 3)),
        space => node.not_read(&format!("normals in space `{space}`")),
    }),
    row("texcoord", |node| node.uv_up()),
    row("geomcolor", |node| {
        let color = node.read("vertex_color", "color", 4);
        let width = node.width()?;
        let place = node.place;
        Ok(match width {
            1 => node.maker.part(&color, 0, place),
            _ => node.maker.widen(color, width, place),
        })
    }),
    row("geompropvalue", |node| match node.word("geomprop", "").as_str() {
        "UV0" | "UV" | "st" | "UVMap" | "uv" => node.uv_up(),
        name => node.not_read(&format!("the geometry's `{name}`")),
    }),
    row("viewdirection", |node| match node.word("space", "world").as_str() {
        "world" => {
            let view = node.read("view", "direction", 3);
            node.op("multiply", &[("a", &view), ("b", &Term::number(-1.0))])
        }
        space => node.not_read(&format!("directions in space `{space}`")),
    }),
    row("facingratio", |node| {
        let normal = node.normal("normal")?;
        let is_inverted = node.fixed("invert", 0.0)? > 0.5;
        let edge = node.single("fresnel", &[("normal", &normal), ("exponent", &Term::number(1.0))])?;
        match is_inverted {
            true => Ok(edge),
            false => node.single("subtract", &[("a", &Term::number(1.0)), ("b", &edge)]),
        }
    }),
    row("time", |node| Ok(node.read("time", "seconds", 1))),
    row("normalmap", |node| {
        let (texel, scale) = (node.as_it_is("in", &[0.5, 0.5, 1.0])?, node.as_it_is("scale", &[1.0])?);
        let place = node.place;
        let scale = node.maker.part(&scale, 0, place);
        let own = node.own("normal_map", "normal", 3);
        Ok(node.maker.op(own, &[("texel", &texel), ("scale", &scale)]))
    }),
    // Pictures.
    row("image", |node| {
        let uv = node.given_uv("texcoord")?;
        node.picture("file", uv.as_ref(), ["uaddressmode", "vaddressmode"])
    }),
    row("tiledimage", |node| {
        let uv = node.uv_or_given("texcoord")?;
        let [tiling, image, tile] =
            ["uvtiling", "realworldimagesize", "realworldtilesize"].map(|name| node.as_it_is(name, &[1.0, 1.0]));
        let offset = node.as_it_is("uvoffset", &[0.0, 0.0])?;
        let uv = node.pair("multiply", &uv, &tiling?)?;
        let uv = node.pair("subtract", &uv, &offset)?;
        let uv = node.pair("divide", &uv, &image?)?;
        let uv = node.pair("multiply", &uv, &tile?)?;
        node.picture("file", Some(&uv), ["", ""])
    }),
    row("triplanarprojection", |node| node.triplanar()),
    row("place2d", |node| node.placed()),
    row("gltf_image", |node| node.gltf_picture()),
    row("gltf_colorimage", |node| node.gltf_picture()),
    row("gltf_normalmap", |node| {
        let texel = node.gltf_picture()?;
        let own = node.own("normal_map", "normal", 3);
        Ok(node.maker.op(own, &[("texel", &texel)]))
    }),
    row("UsdUVTexture", |node| node.usd_picture()),
    row("UsdPrimvarReader", |node| match node.word("varname", "").as_str() {
        "st" | "st0" | "UV0" | "UVMap" => node.uv_up(),
        "displayColor" => {
            let (color, place) = (node.read("vertex_color", "color", 4), node.place);
            Ok(node.maker.widen(color, 3, place))
        }
        name => node.not_read(&format!("the geometry's `{name}`")),
    }),
    // Patterns.
    row("noise2d", |node| node.noise("texcoord", "noise", "value")),
    row("noise3d", |node| node.noise("position", "noise", "value")),
    row("fractal2d", |node| node.fractal("texcoord")),
    row("fractal3d", |node| node.fractal("position")),
    row("cellnoise2d", |node| node.cells("texcoord", "random", "value")),
    row("cellnoise3d", |node| node.cells("position", "random", "value")),
    row("worleynoise2d", |node| node.cells("texcoord", "cells", "distance")),
    row("worleynoise3d", |node| node.cells("position", "cells", "distance")),
    row("checkerboard", |node| {
        let uv = node.uv_or_given("texcoord")?;
        let (tiling, offset) = (node.as_it_is("uvtiling", &[8.0, 8.0])?, node.as_it_is("uvoffset", &[0.0, 0.0])?);
        let uv = node.pair("multiply", &uv, &tiling)?;
        let uv = node.pair("subtract", &uv, &offset)?;
        let own = node.own("floor", "value", 2);
        let uv = node.maker.op(own, &[("x", &uv)]);
        let sum = node.single("dot", &[("a", &uv), ("b", &Term::Numbers(vec![1.0, 1.0]))])?;
        let odd = node.single("modulo", &[("a", &sum), ("b", &Term::number(2.0))])?;
        let (odd_color, even_color) = (node.wide("color1", 1.0)?, node.wide("color2", 0.0)?);
        node.op("mix", &[("a", &even_color), ("b", &odd_color), ("t", &odd)])
    }),
    row("ramplr", |node| node.ramp(0, ["valuel", "valuer"])),
    row("ramptb", |node| node.ramp(1, ["valueb", "valuet"])),
    row("ramp4", |node| {
        let uv = node.uv_or_given("texcoord")?;
        let [left, right, low_left, low_right] =
            ["valuetl", "valuetr", "valuebl", "valuebr"].map(|name| node.wide(name, 0.0));
        let (x, y) = (node.clamped(&uv, 0)?, node.clamped(&uv, 1)?);
        let top = node.op("mix", &[("a", &left?), ("b", &right?), ("t", &x)])?;
        let bottom = node.op("mix", &[("a", &low_left?), ("b", &low_right?), ("t", &x)])?;
        node.op("mix", &[("a", &bottom), ("b", &top), ("t", &y)])
    }),
    row("splitlr", |node| node.split(0, ["valuel", "valuer"])),
    row("splittb", |node| node.split(1, ["valueb", "valuet"])),
];

impl<'d> Asked<'_, 'd, '_> {
    pub(super) fn name(&self) -> &'d str {
        self.at.element.attribute("name").unwrap_or("node")
    }

    pub(super) fn own(&self, kind: &'static str, output: &'static str, width: usize) -> Own<'d> {
        Own { base: self.name(), place: self.place, kind, output, width }
    }

    /// How many numbers its output has.
    pub(super) fn width(&self) -> Result<usize, Trouble> {
        let ty = self.at.element.attribute("type").unwrap_or("float");
        width_of(ty).ok_or_else(|| Trouble::NotRead(format!("nodes of type `{ty}` are not read"), self.place))
    }

    fn not_read(&self, what: &str) -> Made {
        Err(Trouble::NotRead(format!("{what} are not read"), self.place))
    }

    /// An input of as many numbers as the output.
    pub(super) fn wide(&mut self, name: &str, default: f32) -> Made {
        let width = self.width()?;
        let made = match self.maker.input(self.at, name) {
            Some((made, _)) => made?,
            None => Term::number(default),
        };
        if made.is_wide(width) && (made.width() == width || made.numbers().is_none()) {
            return Ok(made);
        }
        Ok(self.maker.widen(made, width, self.place))
    }

    /// An input of one number.
    pub(super) fn wide_one(&mut self, name: &str, default: f32) -> Made {
        let made = self.as_it_is(name, &[default])?;
        Ok(self.maker.part(&made, 0, self.place))
    }

    pub(super) fn as_it_is(&mut self, name: &str, default: &[f32]) -> Made {
        self.maker.input(self.at, name).map_or(Ok(Term::Numbers(default.to_vec())), |(made, _)| made)
    }

    /// An input that must be a number in the file.
    pub(super) fn fixed(&mut self, name: &str, default: f32) -> Result<f32, Trouble> {
        match self.as_it_is(name, &[default])?.numbers() {
            Some(numbers) => Ok(numbers[0]),
            None => Err(Trouble::NotRead(format!("connections to `{name}` are not read"), self.place)),
        }
    }

    fn word(&self, name: &str, default: &str) -> String {
        self.maker.text(self.at, name).map_or(default, |(text, ..)| text).to_string()
    }

    /// A normal; the surface's own where the file gives none.
    fn normal(&mut self, name: &str) -> Made {
        match self.maker.input(self.at, name) {
            Some((made, _)) => made,
            None => Ok(self.read("normal", "world", 3)),
        }
    }

    /// A node of ours without inputs.
    fn read(&mut self, kind: &'static str, output: &'static str, width: usize) -> Term {
        let own = self.own(kind, output, width);
        self.maker.op(own, &[])
    }

    /// An operation with as many numbers as the output.
    pub(super) fn op(&mut self, kind: &'static str, pins: &[(&str, &Term)]) -> Made {
        let width = self.width()?;
        Ok(self.maker.op(self.own(kind, "value", width), pins))
    }

    /// An operation with one number.
    pub(super) fn single(&mut self, kind: &'static str, pins: &[(&str, &Term)]) -> Made {
        Ok(self.maker.op(self.own(kind, "value", 1), pins))
    }

    pub(super) fn pair(&mut self, kind: &'static str, a: &Term, b: &Term) -> Made {
        Ok(self.maker.op(self.own(kind, "value", 2), &[("a", a), ("b", b)]))
    }

    fn one(&mut self, kind: &'static str, default: f32) -> Made {
        let x = self.wide("in", default)?;
        self.op(kind, &[("x", &x)])
    }

    fn two(&mut self, kind: &'static str, pins: [(&str, f32); 2]) -> Made {
        let (a, b) = (self.wide(pins[0].0, pins[0].1)?, self.wide(pins[1].0, pins[1].1)?);
        self.op(kind, &[("a", &a), ("b", &b)])
    }

    fn signed_power(&mut self, base: &Term, exponent: &Term) -> Made {
        let (sign, size) = (self.op("sign", &[("x", base)])?, self.op("abs", &[("x", base)])?);
        let power = self.op("power", &[("a", &size), ("b", exponent)])?;
        self.op("multiply", &[("a", &sign), ("b", &power)])
    }

    /// asin x = atan2(x, sqrt(1 - x^2)), acos x = atan2(sqrt(1 - x^2), x).
    fn arc(&mut self, is_sine: bool) -> Made {
        let x = self.wide("in", 0.0)?;
        let square = self.op("multiply", &[("a", &x), ("b", &x)])?;
        let rest = self.op("subtract", &[("a", &Term::number(1.0)), ("b", &square)])?;
        let other = self.op("sqrt", &[("x", &rest)])?;
        let (y, x) = if is_sine { (&x, &other) } else { (&other, &x) };
        self.op("atan2", &[("a", y), ("b", x)])
    }

    fn remapped(&mut self, is_range: bool) -> Made {
        let [x, low, to_low] = ["in", "inlow", "outlow"].map(|name| self.wide(name, 0.0));
        let [high, to_high] = ["inhigh", "outhigh"].map(|name| self.wide(name, 1.0));
        let (mut x, low, high, to_low, to_high) = (x?, low?, high?, to_low?, to_high?);
        let gamma = if is_range { self.wide("gamma", 1.0)? } else { Term::number(1.0) };
        let is_plain = gamma.numbers().is_some_and(|numbers| numbers.iter().all(|x| *x == 1.0));
        if is_plain {
            let pins = [("x", &x), ("low", &low), ("high", &high), ("to_low", &to_low), ("to_high", &to_high)];
            x = self.op("remap", &pins)?;
        } else {
            let (zero, one) = (Term::number(0.0), Term::number(1.0));
            x = self.op("remap", &[("x", &x), ("low", &low), ("high", &high)])?;
            let exponent = self.op("divide", &[("a", &one), ("b", &gamma)])?;
            x = self.signed_power(&x, &exponent)?;
            let pins = [("x", &x), ("low", &zero), ("high", &one), ("to_low", &to_low), ("to_high", &to_high)];
            x = self.op("remap", &pins)?;
        }
        if is_range && self.fixed("doclamp", 0.0)? > 0.5 {
            return self.op("clamp", &[("x", &x), ("low", &to_low), ("high", &to_high)]);
        }
        Ok(x)
    }

    fn converted(&mut self) -> Made {
        let (width, place) = (self.width()?, self.place);
        let of = self.as_it_is("in", &[0.0])?;
        Ok(self.maker.widen(of, width, place))
    }

    /// Inputs of one number or more, one behind the other.
    fn combined(&mut self, names: &[&str]) -> Made {
        let (name, place) = (self.name(), self.place);
        let mut parts = Vec::new();
        for input in names {
            let of = self.as_it_is(input, &[0.0])?;
            parts.extend((0..of.width()).map(|at| self.maker.part(&of, at, place)));
        }
        let width = self.width()?;
        parts.resize(width, Term::number(0.0));
        Ok(self.maker.combine(name, place, parts))
    }

    fn separated(&mut self) -> Made {
        let (of, place) = (self.as_it_is("in", &[0.0; 4])?, self.place);
        let last = self.output.chars().last().unwrap_or('x');
        let Some(at) = channel(last).filter(|at| *at < of.width().max(2)) else {
            let message = format!("`{}` has no output `{}`", self.name(), self.output);
            self.maker.found.add(code::UNKNOWN_PART, place, message, None);
            return Err(Trouble::Told);
        };
        Ok(self.maker.part(&of, at, place))
    }

    fn chosen(&mut self, [more, than, if_more, if_not]: [&str; 4]) -> Made {
        // Without numbers to choose from, a truth value is the comparison itself.
        let is_truth = self.at.element.attribute("type") == Some("boolean");
        let default = |name: &str| if name == "value1" || (name == "in1" && is_truth) { 1.0 } else { 0.0 };
        let (x, than) = (self.wide_one(more, default(more))?, self.wide_one(than, default(than))?);
        let (if_more, if_not) = (self.wide(if_more, default(if_more))?, self.wide(if_not, default(if_not))?);
        self.op("choose", &[("x", &x), ("than", &than), ("if_more", &if_more), ("if_not", &if_not)])
    }

    /// `in1` below 1, `in2` below 2, and so on; 0 from 10 on.
    fn switched(&mut self) -> Made {
        const NAMES: [&str; 10] = ["in1", "in2", "in3", "in4", "in5", "in6", "in7", "in8", "in9", "in10"];
        let which = self.wide_one("which", 0.0)?;
        if let Some(number) = which.numbers() {
            return match NAMES.get(number[0].max(0.0) as usize) {
                Some(name) => self.wide(name, 0.0),
                None => Ok(Term::number(0.0)),
            };
        }
        let mut rest = Term::number(0.0);
        for (at, name) in NAMES.iter().enumerate().rev() {
            if self.maker.file.input(self.at.element, name).is_none() && rest == Term::number(0.0) {
                continue;
            }
            let own = self.wide(name, 0.0)?;
            let end = Term::number(at as f32 + 1.0);
            rest = self.op("choose", &[("x", &end), ("than", &which), ("if_more", &own), ("if_not", &rest)])?;
        }
        Ok(rest)
    }

    /// Texture coordinates of the mesh. MaterialX counts v upwards from the lower edge of a picture, glTF and this
    /// program downwards from the upper edge.
    fn uv_up(&mut self) -> Made {
        let set = self.fixed("index", 0.0)?;
        let place = self.place;
        let key = Value { kind: Kind::Whole(if set > 0.5 { 1 } else { 0 }), place };
        let own = self.own("uv", "uv", 2);
        let uv = self.maker.emit(own, &[], vec![("set", key)]);
        self.flipped(&uv)
    }

    fn flipped(&mut self, uv: &Term) -> Made {
        let (name, place) = (self.name(), self.place);
        let (x, y) = (self.maker.part(uv, 0, place), self.maker.part(uv, 1, place));
        let y = self.single("subtract", &[("a", &Term::number(1.0)), ("b", &y)])?;
        Ok(self.maker.combine(name, place, vec![x, y]))
    }

    fn given_uv(&mut self, name: &str) -> Result<Option<Term>, Trouble> {
        self.maker.input(self.at, name).map(|(made, _)| made).transpose()
    }

    pub(super) fn uv_or_given(&mut self, name: &str) -> Made {
        match self.given_uv(name)? {
            Some(uv) => Ok(uv),
            None => self.uv_up(),
        }
    }

    /// Degrees, against the turn of the clock as textures see it: (c x + s y, c y - s x).
    fn turned(&mut self, uv: &Term, amount_deg: &Term) -> Made {
        if amount_deg == &Term::number(0.0) {
            return Ok(uv.clone());
        }
        let (name, place) = (self.name(), self.place);
        let angle = self.single("multiply", &[("a", amount_deg), ("b", &Term::number(PI / 180.0))])?;
        let (sin, cos) = (self.single("sin", &[("x", &angle)])?, self.single("cos", &[("x", &angle)])?);
        let (x, y) = (self.maker.part(uv, 0, place), self.maker.part(uv, 1, place));
        let [cx, sy, cy, sx] = [(&cos, &x), (&sin, &y), (&cos, &y), (&sin, &x)].map(|(a, b)| {
            self.maker.op(Own { base: name, place, kind: "multiply", output: "value", width: 1 }, &[("a", a), ("b", b)])
        });
        let (x, y) =
            (self.single("add", &[("a", &cx), ("b", &sy)])?, self.single("subtract", &[("a", &cy), ("b", &sx)])?);
        Ok(self.maker.combine(name, place, vec![x, y]))
    }

    fn placed(&mut self) -> Made {
        let uv = self.uv_or_given("texcoord")?;
        let [pivot, offset] = ["pivot", "offset"].map(|name| self.as_it_is(name, &[0.0, 0.0]));
        let (pivot, offset, scale) = (pivot?, offset?, self.as_it_is("scale", &[1.0, 1.0])?);
        let amount = self.wide_one("rotate", 0.0)?;
        let mut uv = self.pair("subtract", &uv, &pivot)?;
        if self.fixed("operationorder", 0.0)? < 1.0 {
            uv = self.pair("divide", &uv, &scale)?;
            uv = self.turned(&uv, &amount)?;
            uv = self.pair("subtract", &uv, &offset)?;
        } else {
            uv = self.pair("subtract", &uv, &offset)?;
            uv = self.turned(&uv, &amount)?;
            uv = self.pair("divide", &uv, &scale)?;
        }
        self.pair("add", &uv, &pivot)
    }

    /// A picture at coordinates that count upwards, or at those of the mesh.
    fn picture(&mut self, file: &str, uv: Option<&Term>, modes: [&str; 2]) -> Made {
        let (width, place) = (self.width()?, self.place);
        let sampled = self.sampled(file, uv, modes)?;
        Ok(match width {
            1 => self.maker.part(&sampled, 0, place),
            _ => self.maker.widen(sampled, width, place),
        })
    }

    /// Its four channels.
    fn sampled(&mut self, file: &str, uv: Option<&Term>, modes: [&str; 2]) -> Made {
        let down = uv.map(|uv| self.flipped(uv)).transpose()?;
        self.sampled_at(file, down.as_ref(), modes)
    }

    /// The same at coordinates that count downwards.
    fn sampled_at(&mut self, file: &str, down: Option<&Term>, modes: [&str; 2]) -> Made {
        let (texture, kind) = (self.texture(file, modes)?, self.picture_kind(file)?);
        let pins: Vec<(&str, &Term)> = down.into_iter().map(|uv| ("uv", uv)).collect();
        let own = self.own(kind, "color", 4);
        Ok(self.maker.emit(own, &pins, vec![("texture", texture)]))
    }

    /// Whether a picture's texels are colours in sRGB, or numbers.
    fn picture_kind(&self, file: &str) -> Result<&'static str, Trouble> {
        let is_color =
            self.at.element.attribute("type").is_none_or(|ty| ty.starts_with("color") || ty == "multioutput");
        let input = self.maker.text(self.at, file).map_or(self.at.element, |(.., input)| input);
        let space = self.maker.file.inherited(input, "colorspace").unwrap_or_default();
        match Space::of(space) {
            _ if !is_color => Ok("texture_data"),
            Some(Space::Linear) => Ok("texture_data"),
            Some(Space::Srgb) => Ok("texture"),
            None => Err(Trouble::NotRead(format!("pictures of `{space}` are not read"), self.place)),
        }
    }

    fn texture(&mut self, file: &str, modes: [&str; 2]) -> Result<Value, Trouble> {
        let Some((name, place, input)) = self.maker.text(self.at, file).filter(|(name, ..)| !name.is_empty()) else {
            return Err(Trouble::NotRead("a picture without a file is not read".into(), self.place));
        };
        let path = format!("{}{name}", self.maker.file.file_prefix(input)).replace('\\', "/");
        // What begins with a dollar sign would name a parameter of the scene.
        let path = if path.starts_with('$') { format!("${path}") } else { path };
        let text = |text: &str| Value { kind: Kind::Text(text.to_string()), place };
        let entry = |key: &str, value: Value| Entry { key: key.to_string(), key_place: place, value };
        let mut entries = vec![entry("file", text(&path))];
        let mut wraps = Vec::new();
        for mode in modes {
            wraps.push(match self.word(mode, "periodic").as_str() {
                "periodic" | "repeat" | "useMetadata" => "repeat",
                "mirror" => "mirror",
                "clamp" => "clamp",
                word => {
                    return Err(Trouble::NotRead(format!("pictures with `{mode} = {word}` are not read"), self.place));
                }
            });
        }
        if wraps != ["repeat", "repeat"] {
            let kind = Kind::List(wraps.into_iter().map(text).collect());
            entries.push(entry("wrap", Value { kind, place }));
        }
        if self.word("filtertype", "linear") == "closest" {
            entries.push(entry("filter", text("nearest")));
        }
        Ok(Value { kind: Kind::Table(Table { entries }), place })
    }

    fn triplanar(&mut self) -> Made {
        let files = ["filex", "filey", "filez"].map(|name| self.word(name, ""));
        if files.iter().any(|file| *file != files[0]) {
            return self.not_read("projections of several pictures");
        }
        let (width, place) = (self.width()?, self.place);
        let position = match self.given_uv("position")? {
            Some(position) => position,
            None => self.read("position", "object", 3),
        };
        if self.maker.file.input(self.at.element, "normal").is_none() {
            return self.not_read("normals in space `object`");
        }
        let normal = self.normal("normal")?;
        let texture = self.texture("filex", ["", ""])?;
        let own = self.own("triplanar", "color", 4);
        let sampled = self.maker.emit(own, &[("position", &position), ("normal", &normal)], vec![("texture", texture)]);
        Ok(match width {
            1 => self.maker.part(&sampled, 0, place),
            _ => self.maker.widen(sampled, width, place),
        })
    }

    /// glTF's picture: its offset, turn and scale are those of KHR_texture_transform, and a factor multiplies it.
    fn gltf_picture(&mut self) -> Made {
        let place = self.place;
        let is_two = self.at.element.tag_name().name() == "gltf_colorimage";
        let width = if is_two { 4 } else { self.width()? };
        let uv = self.gltf_uv()?;
        let sampled = self.sampled_at("file", uv.as_ref(), ["uaddressmode", "vaddressmode"])?;
        let mut color = match width {
            1 => self.maker.part(&sampled, 0, place),
            _ => self.maker.widen(sampled, width, place),
        };
        for factor in ["factor", "color", "geomcolor"] {
            let factor = self.as_it_is(factor, &[1.0])?;
            if factor != Term::number(1.0) {
                let own = self.own("multiply", "value", width);
                color = self.maker.op(own, &[("a", &color), ("b", &factor)]);
            }
        }
        Ok(match (is_two, self.output) {
            (false, _) => color,
            (true, "outa") => self.maker.part(&color, 3, place),
            (true, _) => self.maker.widen(color, 3, place),
        })
    }

    /// Coordinates that count downwards; none where they are the mesh's.
    fn gltf_uv(&mut self) -> Result<Option<Term>, Trouble> {
        let [scale, offset] = [("scale", 1.0), ("offset", 0.0)].map(|(name, x)| self.as_it_is(name, &[x, x]));
        let (scale, offset, rotate) = (scale?, offset?, self.wide_one("rotate", 0.0)?);
        let given = self.given_uv("texcoord")?;
        let is_plain = scale == Term::Numbers(vec![1.0; 2]) && offset == Term::Numbers(vec![0.0; 2]);
        if is_plain && rotate == Term::number(0.0) && given.is_none() {
            return Ok(None);
        }
        let down = given.map(|uv| self.flipped(&uv)).transpose()?;
        let mut pins = vec![("scale", &scale), ("offset", &offset), ("rotation_deg", &rotate)];
        pins.extend(down.iter().map(|uv| ("uv", uv)));
        let own = self.own("uv_transform", "uv", 2);
        Ok(Some(self.maker.op(own, &pins)))
    }

    fn usd_picture(&mut self) -> Made {
        let place = self.place;
        let uv = self.given_uv("st")?;
        let mut color = self.sampled("file", uv.as_ref(), ["wrapS", "wrapT"])?;
        for (kind, name, plain) in [("multiply", "scale", 1.0), ("add", "bias", 0.0)] {
            let factor = self.as_it_is(name, &[plain; 4])?;
            if factor != Term::Numbers(vec![plain; 4]) {
                let own = self.own(kind, "value", 4);
                color = self.maker.op(own, &[("a", &color), ("b", &factor)]);
            }
        }
        Ok(match self.output {
            "r" | "g" | "b" | "a" => {
                let at = channel(self.output.chars().next().unwrap_or('r')).unwrap_or(0);
                self.maker.part(&color, at, place)
            }
            "rgba" => color,
            _ => self.maker.widen(color, 3, place),
        })
    }

    /// Where a pattern is read: in the plane, or in the object's space.
    fn where_read(&mut self, name: &str) -> Made {
        let place = self.place;
        match name {
            "position" => match self.given_uv(name)? {
                Some(position) => Ok(position),
                None => Ok(self.read("position", "object", 3)),
            },
            _ => {
                let uv = self.uv_or_given(name)?;
                Ok(self.maker.widen(uv, 3, place))
            }
        }
    }

    /// Patterns of this program: as wide and as strong as MaterialX's, with other random numbers.
    fn noise(&mut self, name: &str, kind: &'static str, output: &'static str) -> Made {
        let (at, amplitude, pivot) = (self.where_read(name)?, self.wide("amplitude", 1.0)?, self.wide("pivot", 0.0)?);
        let width = self.width()?;
        let lanes = self.lanes(&at, width, |node, at| {
            let own = node.own(kind, output, 1);
            Ok(node.maker.op(own, &[("position", at)]))
        })?;
        let noise = self.op("multiply", &[("a", &lanes), ("b", &amplitude)])?;
        self.op("add", &[("a", &noise), ("b", &pivot)])
    }

    /// A pattern for each number of the output, each at another place.
    fn lanes(&mut self, at: &Term, width: usize, make: impl Fn(&mut Self, &Term) -> Made) -> Made {
        let (name, place) = (self.name(), self.place);
        let mut parts = Vec::new();
        for lane in 0..width {
            // Whole cells away, where the random numbers are others.
            let away = Term::Numbers([19.0, 73.0, 29.0].map(|step| step * lane as f32).to_vec());
            let own = self.own("add", "value", 3);
            let moved = if lane == 0 { at.clone() } else { self.maker.op(own, &[("a", at), ("b", &away)]) };
            parts.push(make(self, &moved)?);
        }
        Ok(self.maker.combine(name, place, parts))
    }

    fn fractal(&mut self, name: &str) -> Made {
        let (at, amplitude) = (self.where_read(name)?, self.wide("amplitude", 1.0)?);
        let (octaves, gain) = (self.fixed("octaves", 3.0)?, self.fixed("diminish", 0.5)?);
        let lacunarity = self.wide_one("lacunarity", 2.0)?;
        let octaves = octaves.clamp(1.0, 8.0) as i64;
        // Theirs is the sum itself, this one is divided by the sum of the weights.
        let (mut sum, mut weight) = (0.0, 1.0);
        for _ in 0..octaves {
            sum += weight;
            weight *= gain;
        }
        let (width, place) = (self.width()?, self.place);
        let lanes = self.lanes(&at, width, |node, at| {
            let own = node.own("fractal_noise", "value", 1);
            let key = Value { kind: Kind::Whole(octaves), place };
            let pins = [("position", at), ("gain", &Term::number(gain)), ("lacunarity", &lacunarity)];
            Ok(node.maker.emit(own, &pins, vec![("octaves", key)]))
        })?;
        let sum = self.op("multiply", &[("a", &amplitude), ("b", &Term::number(sum))])?;
        self.op("multiply", &[("a", &lanes), ("b", &sum)])
    }

    fn cells(&mut self, name: &str, kind: &'static str, output: &'static str) -> Made {
        if self.width()? != 1 {
            return self.not_read("cells of several numbers");
        }
        let at = self.where_read(name)?;
        let own = self.own(kind, output, 1);
        let jitter = if kind == "cells" { Some(self.wide_one("jitter", 1.0)?) } else { None };
        if self.fixed("style", 0.0)? > 0.5 {
            return self.not_read("cells of style 1");
        }
        let mut pins = vec![("position", &at)];
        pins.extend(jitter.iter().map(|jitter| ("jitter", jitter)));
        Ok(self.maker.op(own, &pins))
    }

    fn clamped(&mut self, uv: &Term, axis: usize) -> Made {
        let place = self.place;
        let x = self.maker.part(uv, axis, place);
        self.single("clamp", &[("x", &x)])
    }

    fn ramp(&mut self, axis: usize, [low, high]: [&str; 2]) -> Made {
        let uv = self.uv_or_given("texcoord")?;
        let t = self.clamped(&uv, axis)?;
        let (low, high) = (self.wide(low, 0.0)?, self.wide(high, 0.0)?);
        self.op("mix", &[("a", &low), ("b", &high), ("t", &t)])
    }

    fn split(&mut self, axis: usize, [low, high]: [&str; 2]) -> Made {
        let uv = self.uv_or_given("texcoord")?;
        let place = self.place;
        let (x, center) = (self.maker.part(&uv, axis, place), self.wide_one("center", 0.5)?);
        let t = self.single("step", &[("edge", &center), ("x", &x)])?;
        let (low, high) = (self.wide(low, 0.0)?, self.wide(high, 0.0)?);
        self.op("mix", &[("a", &low), ("b", &high), ("t", &t)])
    }
}
