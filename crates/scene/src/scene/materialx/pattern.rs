//! Pattern: rows of nodes that draw ramps of several colours and shapes in the plane.
//!
//! Defaults and formulas: MaterialX 1.39, `stdlib_defs.mtlx` and `stdlib_ng.mtlx`.

use super::maker::{Asked, Row};
use super::node::row;
use super::term::{Made, Term};

pub(super) const ROWS: &[Row] = &[
    row("circle", |node| {
        let away = node.away_from_center()?;
        let (far, radius) = (node.single("dot", &[("a", &away), ("b", &away)])?, node.wide_one("radius", 0.5)?);
        let edge = node.single("multiply", &[("a", &radius), ("b", &radius)])?;
        node.unless_more(&far, &edge)
    }),
    row("line", |node| {
        let away = node.away_from_center()?;
        let (from, to) = (node.as_it_is("point1", &[0.25, 0.25])?, node.as_it_is("point2", &[0.75, 0.75])?);
        let (away, way) = (node.pair("subtract", &away, &from)?, node.pair("subtract", &to, &from)?);
        let along = node.single("dot", &[("a", &away), ("b", &way)])?;
        let whole = node.single("dot", &[("a", &way), ("b", &way)])?;
        let share = node.single("divide", &[("a", &along), ("b", &whole)])?;
        let share = node.single("clamp", &[("x", &share)])?;
        let nearest = node.pair("multiply", &way, &share)?;
        let (far, radius) = (node.single("distance", &[("a", &away), ("b", &nearest)])?, node.wide_one("radius", 0.1)?);
        node.unless_more(&far, &radius)
    }),
    row("grid", |node| {
        let uv = node.uv_or_given("texcoord")?;
        let (tiling, offset) = (node.as_it_is("uvtiling", &[1.0, 1.0])?, node.as_it_is("uvoffset", &[0.0, 0.0])?);
        let uv = node.pair("multiply", &uv, &tiling)?;
        let uv = node.pair("subtract", &uv, &offset)?;
        let place = node.place;
        let (mut x, y) = (node.maker.part(&uv, 0, place), node.maker.part(&uv, 1, place));
        if node.fixed("staggered", 0.0)? > 0.5 {
            let row = node.single("modulo", &[("a", &y), ("b", &Term::number(2.0))])?;
            let (one, half, zero) = (Term::number(1.0), Term::number(0.5), Term::number(0.0));
            let shift = node.single("choose", &[("x", &row), ("than", &one), ("if_more", &half), ("if_not", &zero)])?;
            x = node.single("add", &[("a", &x), ("b", &shift)])?;
        }
        let thickness = node.wide_one("thickness", 0.05)?;
        let size = node.single("subtract", &[("a", &Term::number(1.0)), ("b", &thickness)])?;
        let (across, up) = (node.away_from_middle(&x)?, node.away_from_middle(&y)?);
        let far = node.single("max", &[("a", &across), ("b", &up)])?;
        let (one, zero) = (Term::number(1.0), Term::number(0.0));
        let line = node.single("choose", &[("x", &far), ("than", &size), ("if_more", &one), ("if_not", &zero)])?;
        let width = node.width()?;
        Ok(node.maker.widen(line, width, place))
    }),
    row("ramp", |node| {
        let x = node.ramp_place()?;
        let count = node.fixed("num_intervals", 2.0)?.clamp(1.0, 10.0) as usize;
        let stop = |node: &mut Asked<'_, '_, '_>, at: usize| -> Result<[Term; 2], _> {
            let (interval, color) = (INTERVALS[at], COLORS[at]);
            let dark = [0.0, 0.0, 0.0, 1.0];
            let color = node.as_it_is(color, if at == 0 { &dark } else { &[1.0; 4] })?;
            Ok([node.wide_one(interval, if at == 0 { 0.0 } else { 1.0 })?, color])
        };
        let first = stop(node, 0)?;
        let (mut color, mut from) = (first[1].clone(), first);
        for at in 1..count {
            let to = stop(node, at)?;
            color = node.gradient(&x, [&from, &to], &color)?;
            from = to;
        }
        Ok(color)
    }),
    row("ramp_gradient", |node| {
        let before = node.as_it_is("prev_color", &[0.0, 0.0, 0.0, 1.0])?;
        if node.fixed("interval_num", 1.0)? >= node.fixed("num_intervals", 2.0)? {
            return Ok(before);
        }
        let from = [node.wide_one("interval1", 0.0)?, node.as_it_is("color1", &[0.0, 0.0, 0.0, 1.0])?];
        let to = [node.wide_one("interval2", 1.0)?, node.as_it_is("color2", &[1.0; 4])?];
        let x = node.wide_one("x", 0.0)?;
        node.gradient(&x, [&from, &to], &before)
    }),
];

const INTERVALS: [&str; 10] = [
    "interval1",
    "interval2",
    "interval3",
    "interval4",
    "interval5",
    "interval6",
    "interval7",
    "interval8",
    "interval9",
    "interval10",
];
const COLORS: [&str; 10] =
    ["color1", "color2", "color3", "color4", "color5", "color6", "color7", "color8", "color9", "color10"];

/// As MaterialX writes it.
#[expect(clippy::approx_constant, reason = "the last digits are MaterialX's")]
const TWO_PI: f32 = 6.28319;

impl Asked<'_, '_, '_> {
    fn away_from_center(&mut self) -> Made {
        let (uv, center) = (self.uv_or_given("texcoord")?, self.as_it_is("center", &[0.0, 0.0])?);
        self.pair("subtract", &uv, &center)
    }

    /// 1, and 0 where a number is more than another.
    fn unless_more(&mut self, x: &Term, than: &Term) -> Made {
        let (one, zero) = (Term::number(1.0), Term::number(0.0));
        self.single("choose", &[("x", x), ("than", than), ("if_more", &zero), ("if_not", &one)])
    }

    /// From 0 in the middle between two whole numbers to 1 at each.
    fn away_from_middle(&mut self, x: &Term) -> Made {
        let (one, two) = (Term::number(1.0), Term::number(2.0));
        let x = self.single("modulo", &[("a", x), ("b", &one)])?;
        let x = self.single("multiply", &[("a", &x), ("b", &two)])?;
        let x = self.single("subtract", &[("a", &x), ("b", &one)])?;
        self.single("abs", &[("x", &x)])
    }

    /// Where on a ramp a point lies, by the ramp's form.
    fn ramp_place(&mut self) -> Made {
        let (uv, place, form) = (self.uv_or_given("texcoord")?, self.place, self.fixed("type", 0.0)?);
        if form < 1.0 {
            return Ok(self.maker.part(&uv, 0, place));
        }
        let away = self.pair("subtract", &uv, &Term::Numbers(vec![0.5, 0.5]))?;
        let (x, y) = (self.maker.part(&away, 0, place), self.maker.part(&away, 1, place));
        if form < 2.0 {
            // MaterialX names x and y the other way round here.
            let angle = self.single("atan2", &[("a", &x), ("b", &y)])?;
            let share = self.single("divide", &[("a", &angle), ("b", &Term::number(TWO_PI))])?;
            return self.single("add", &[("a", &share), ("b", &Term::number(0.5))]);
        }
        if form < 3.0 {
            let away = self.pair("multiply", &away, &Term::Numbers(vec![1.414, 1.414]))?;
            return self.single("length", &[("v", &away)]);
        }
        let (x, y) = (self.single("abs", &[("x", &x)])?, self.single("abs", &[("x", &y)])?);
        let most = self.single("max", &[("a", &x), ("b", &y)])?;
        self.single("multiply", &[("a", &most), ("b", &Term::number(2.0))])
    }

    /// From one stop of a ramp to the next; below the first stop, the colour before.
    fn gradient(&mut self, x: &Term, [from, to]: [&[Term; 2]; 2], before: &Term) -> Made {
        let ([low, low_color], [high, high_color]) = (from, to);
        let how = self.fixed("interpolation", 1.0)?;
        let color = if how >= 2.0 {
            self.op("choose", &[("x", high), ("than", x), ("if_more", low_color), ("if_not", high_color)])?
        } else {
            let share = if how < 1.0 {
                let x = self.single("clamp", &[("x", x), ("low", low), ("high", high)])?;
                self.single("remap", &[("x", &x), ("low", low), ("high", high)])?
            } else {
                self.single("smoothstep", &[("low", low), ("high", high), ("x", x)])?
            };
            self.op("mix", &[("a", low_color), ("b", high_color), ("t", &share)])?
        };
        self.op("choose", &[("x", x), ("than", low), ("if_more", &color), ("if_not", before)])
    }
}
