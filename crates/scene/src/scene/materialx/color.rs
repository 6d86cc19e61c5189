//! Color: rows of nodes that change or mix colours.
//!
//! Formulas: MaterialX 1.39 specification and `stdlib_ng.mtlx`; Porter, Duff 1984 (one colour over another); Foley, van
//! Dam 1990 (hue, saturation, value).

use super::maker::{Asked, Row};
use super::node::row;
use super::term::{Made, Term};

pub(super) const ROWS: &[Row] = &[
    row("luminance", |node| {
        let color = node.as_it_is("in", &[0.0; 3])?;
        let grey = node.grey(&color)?;
        node.like(&grey, &color)
    }),
    row("saturate", |node| {
        let (color, amount) = (node.as_it_is("in", &[0.0; 3])?, node.wide_one("amount", 1.0)?);
        let grey = node.grey(&color)?;
        let grey = node.like(&grey, &color)?;
        node.op("mix", &[("a", &grey), ("b", &color), ("t", &amount)])
    }),
    row("premult", |node| node.with_alpha("multiply")),
    row("unpremult", |node| node.with_alpha("divide")),
    row("plus", |node| node.composed(|node, fg, bg| node.op("add", &[("a", bg), ("b", fg)]))),
    row("minus", |node| node.composed(|node, fg, bg| node.op("subtract", &[("a", bg), ("b", fg)]))),
    row("difference", |node| {
        node.composed(|node, fg, bg| {
            let x = node.op("subtract", &[("a", bg), ("b", fg)])?;
            node.op("abs", &[("x", &x)])
        })
    }),
    row("screen", |node| {
        node.composed(|node, fg, bg| {
            let one = Term::number(1.0);
            let (a, b) =
                (node.op("subtract", &[("a", &one), ("b", fg)])?, node.op("subtract", &[("a", &one), ("b", bg)])?);
            let both = node.op("multiply", &[("a", &a), ("b", &b)])?;
            node.op("subtract", &[("a", &one), ("b", &both)])
        })
    }),
    row("inside", |node| {
        let (x, mask) = (node.wide("in", 0.0)?, node.wide_one("mask", 1.0)?);
        node.op("multiply", &[("a", &x), ("b", &mask)])
    }),
    row("outside", |node| {
        let (x, mask) = (node.wide("in", 0.0)?, node.wide_one("mask", 0.0)?);
        let rest = node.rest(&mask)?;
        node.op("multiply", &[("a", &x), ("b", &rest)])
    }),
    row("burn", |node| {
        node.composed(|node, fg, bg| {
            let one = Term::number(1.0);
            let rest = node.op("subtract", &[("a", &one), ("b", bg)])?;
            let rest = node.op("divide", &[("a", &rest), ("b", fg)])?;
            let burnt = node.op("subtract", &[("a", &one), ("b", &rest)])?;
            // 0 where there is nothing in front, else 1.
            let is_there = node.op("divide", &[("a", fg), ("b", fg)])?;
            node.op("multiply", &[("a", &burnt), ("b", &is_there)])
        })
    }),
    row("dodge", |node| {
        node.composed(|node, fg, bg| {
            let rest = node.op("subtract", &[("a", &Term::number(1.0)), ("b", fg)])?;
            node.op("divide", &[("a", bg), ("b", &rest)])
        })
    }),
    row("overlay", |node| node.composed(Asked::overlaid)),
    row("in", |node| node.composed(|node, fg, bg| node.weighed(fg, bg, false))),
    row("out", |node| node.composed(|node, fg, bg| node.weighed(fg, bg, true))),
    row("mask", |node| node.composed(|node, fg, bg| node.weighed(bg, fg, false))),
    row("over", |node| {
        node.composed(|node, fg, bg| {
            let rest = node.weighed(bg, fg, true)?;
            node.op("add", &[("a", fg), ("b", &rest)])
        })
    }),
    row("matte", |node| node.composed(Asked::matted)),
    row("disjointover", |node| node.composed(Asked::disjoint)),
    row("rgbtohsv", |node| node.changed(&[0.0; 3], Asked::hsv_of)),
    row("hsvtorgb", |node| node.changed(&[0.0; 3], Asked::rgb_of)),
    row("hsvadjust", |node| {
        let amount = node.as_it_is("amount", &[0.0, 1.0, 1.0])?;
        node.changed(&[0.0; 3], |node, color| node.hue_moved(color, &amount))
    }),
    row("colorcorrect", |node| node.corrected()),
];

impl Asked<'_, '_, '_> {
    fn grey(&mut self, color: &Term) -> Made {
        let weights = self.as_it_is("lumacoeffs", &[0.272_228_7, 0.674_081_8, 0.053_689_5])?;
        let place = self.place;
        let rgb = self.maker.widen(color.clone(), 3, place);
        self.single("dot", &[("a", &rgb), ("b", &weights)])
    }

    /// A grey as a colour, with the alpha of another one.
    fn like(&mut self, grey: &Term, color: &Term) -> Made {
        let (name, place) = (self.name(), self.place);
        let mut parts = vec![grey.clone(); 3];
        if color.width() == 4 {
            parts.push(self.maker.part(color, 3, place));
        }
        Ok(self.maker.combine(name, place, parts))
    }

    fn with_alpha(&mut self, kind: &'static str) -> Made {
        let (color, place) = (self.as_it_is("in", &[0.0, 0.0, 0.0, 1.0])?, self.place);
        let alpha = self.alpha(&color);
        let rgb = self.maker.widen(color, 3, place);
        let rgb = self.three(kind, &[("a", &rgb), ("b", &alpha)]);
        Ok(self.with(&rgb, alpha))
    }

    /// `mix(bg, what is made of both, mix)`.
    fn composed(&mut self, make: fn(&mut Self, &Term, &Term) -> Made) -> Made {
        let (fg, bg, mix) = (self.wide("fg", 0.0)?, self.wide("bg", 0.0)?, self.wide_one("mix", 1.0)?);
        let made = make(self, &fg, &bg)?;
        if mix == Term::number(1.0) {
            return Ok(made);
        }
        self.op("mix", &[("a", &bg), ("b", &made), ("t", &mix)])
    }

    fn alpha(&mut self, color: &Term) -> Term {
        let place = self.place;
        self.maker.part(color, 3, place)
    }

    /// `color` times the alpha of another one, or times one minus it.
    fn weighed(&mut self, color: &Term, by: &Term, is_rest: bool) -> Made {
        let alpha = self.alpha(by);
        let weight = if is_rest { self.rest(&alpha)? } else { alpha };
        self.op("multiply", &[("a", color), ("b", &weight)])
    }

    /// One minus a number.
    fn rest(&mut self, x: &Term) -> Made {
        self.single("subtract", &[("a", &Term::number(1.0)), ("b", x)])
    }

    /// Three numbers and an alpha.
    fn with(&mut self, rgb: &Term, alpha: Term) -> Term {
        let (name, place) = (self.name(), self.place);
        let mut parts: Vec<Term> = (0..3).map(|at| self.maker.part(rgb, at, place)).collect();
        parts.push(alpha);
        self.maker.combine(name, place, parts)
    }

    /// `2 fg bg` in the dark half of the background, `1 - 2 (1 - fg) (1 - bg)` in the bright one, channel by channel.
    fn overlaid(&mut self, fg: &Term, bg: &Term) -> Made {
        let (name, place) = (self.name(), self.place);
        let mut parts = Vec::new();
        for at in 0..self.width()? {
            let (fg, bg) = (self.maker.part(fg, at, place), self.maker.part(bg, at, place));
            let both = self.single("multiply", &[("a", &fg), ("b", &bg)])?;
            let dark = self.single("multiply", &[("a", &both), ("b", &Term::number(2.0))])?;
            let (fg, rest) = (self.rest(&fg)?, self.rest(&bg)?);
            let both = self.single("multiply", &[("a", &fg), ("b", &rest)])?;
            let both = self.single("multiply", &[("a", &both), ("b", &Term::number(2.0))])?;
            let bright = self.rest(&both)?;
            let pins = [("x", &Term::number(0.5)), ("than", &bg), ("if_more", &dark), ("if_not", &bright)];
            parts.push(self.single("choose", &pins)?);
        }
        Ok(self.maker.combine(name, place, parts))
    }

    fn matted(&mut self, fg: &Term, bg: &Term) -> Made {
        let (front, back) = (self.weighed(fg, fg, false)?, self.weighed(bg, fg, true)?);
        let sum = self.op("add", &[("a", &front), ("b", &back)])?;
        let (alpha, back) = (self.alpha(fg), self.alpha(&back));
        let alpha = self.single("add", &[("a", &alpha), ("b", &back)])?;
        Ok(self.with(&sum, alpha))
    }

    fn disjoint(&mut self, fg: &Term, bg: &Term) -> Made {
        let (front, back) = (self.alpha(fg), self.alpha(bg));
        let both = self.single("add", &[("a", &front), ("b", &back)])?;
        let rest = self.rest(&front)?;
        let share = self.single("divide", &[("a", &rest), ("b", &back)])?;
        let one = Term::number(1.0);
        let pins = [("x", &both), ("than", &one), ("if_more", &share), ("if_not", &one)];
        let share = self.single("choose", &pins)?;
        let back = self.op("multiply", &[("a", bg), ("b", &share)])?;
        let sum = self.op("add", &[("a", fg), ("b", &back)])?;
        let alpha = self.single("min", &[("a", &both), ("b", &one)])?;
        Ok(self.with(&sum, alpha))
    }

    /// The first three numbers of `in`, made into others; its alpha stays.
    fn changed(&mut self, default: &[f32], make: impl Fn(&mut Self, &Term) -> Made) -> Made {
        let (color, place) = (self.as_it_is("in", default)?, self.place);
        let alpha = (color.width() == 4).then(|| self.alpha(&color));
        let rgb = self.maker.widen(color, 3, place);
        let made = make(self, &rgb)?;
        Ok(match alpha {
            Some(alpha) => self.with(&made, alpha),
            None => made,
        })
    }

    fn three(&mut self, kind: &'static str, pins: &[(&str, &Term)]) -> Term {
        let own = self.own(kind, "value", 3);
        self.maker.op(own, pins)
    }

    /// Red, green and blue rise and fall over the circle of hues, a third of it apart.
    fn rgb_of(&mut self, hsv: &Term) -> Made {
        let place = self.place;
        let [hue, saturation, value] = [0, 1, 2].map(|at| self.maker.part(hsv, at, place));
        let [one, three, six] = [1.0, 3.0, 6.0].map(Term::number);
        let x = self.three("add", &[("a", &hue), ("b", &Term::Numbers(vec![0.0, 2.0 / 3.0, 1.0 / 3.0]))]);
        let x = self.three("fract", &[("x", &x)]);
        let x = self.three("multiply", &[("a", &x), ("b", &six)]);
        let x = self.three("subtract", &[("a", &x), ("b", &three)]);
        let x = self.three("abs", &[("x", &x)]);
        let x = self.three("subtract", &[("a", &x), ("b", &one)]);
        let x = self.three("clamp", &[("x", &x)]);
        let x = self.three("mix", &[("a", &one), ("b", &x), ("t", &saturation)]);
        Ok(self.three("multiply", &[("a", &x), ("b", &value)]))
    }

    fn hsv_of(&mut self, rgb: &Term) -> Made {
        let (name, place) = (self.name(), self.place);
        let [r, g, b] = [0, 1, 2].map(|at| self.maker.part(rgb, at, place));
        let [mut least, mut most] = [r.clone(), r.clone()];
        for x in [&g, &b] {
            least = self.single("min", &[("a", &least), ("b", x)])?;
            most = self.single("max", &[("a", &most), ("b", x)])?;
        }
        let chroma = self.single("subtract", &[("a", &most), ("b", &least)])?;
        // 0 where the greatest is 0, as a division by 0 has it here.
        let saturation = self.single("divide", &[("a", &chroma), ("b", &most)])?;
        let mut hue = Term::number(0.0);
        // Of the last first: red counts before green, and green before blue.
        for (x, a, b, sixths) in [(&b, &r, &g, 4.0), (&g, &b, &r, 2.0), (&r, &g, &b, 0.0)] {
            let difference = self.single("subtract", &[("a", a), ("b", b)])?;
            let part = self.single("divide", &[("a", &difference), ("b", &chroma)])?;
            let part = self.single("add", &[("a", &part), ("b", &Term::number(sixths))])?;
            let pins = [("x", &most), ("than", x), ("if_more", &hue), ("if_not", &part)];
            hue = self.single("choose", &pins)?;
        }
        let hue = self.single("divide", &[("a", &hue), ("b", &Term::number(6.0))])?;
        let hue = self.single("fract", &[("x", &hue)])?;
        let zero = Term::number(0.0);
        let hue = self.single("choose", &[("x", &chroma), ("than", &zero), ("if_more", &hue), ("if_not", &zero)])?;
        Ok(self.maker.combine(name, place, vec![hue, saturation, most]))
    }

    /// The hue is moved by the first number, saturation and value are multiplied by the others.
    fn hue_moved(&mut self, color: &Term, amount: &Term) -> Made {
        let (name, place) = (self.name(), self.place);
        let hsv = self.hsv_of(color)?;
        let [hue, saturation, value] = [0, 1, 2].map(|at| self.maker.part(&hsv, at, place));
        let [turn, more, brighter] = [0, 1, 2].map(|at| self.maker.part(amount, at, place));
        let hue = self.single("add", &[("a", &hue), ("b", &turn)])?;
        let saturation = self.single("multiply", &[("a", &saturation), ("b", &more)])?;
        let value = self.single("multiply", &[("a", &value), ("b", &brighter)])?;
        let hsv = self.maker.combine(name, place, vec![hue, saturation, value]);
        self.rgb_of(&hsv)
    }

    /// Hue, saturation, gamma, lift, gain, contrast and exposure, in this order.
    fn corrected(&mut self) -> Made {
        let [hue, lift, exposure] = ["hue", "lift", "exposure"].map(|name| self.wide_one(name, 0.0));
        let [saturation, gamma, gain, contrast] =
            ["saturation", "gamma", "gain", "contrast"].map(|name| self.wide_one(name, 1.0));
        let (lift, exposure, saturation, gamma, gain) = (lift?, exposure?, saturation?, gamma?, gain?);
        let (contrast, pivot) = (contrast?, self.wide_one("contrastpivot", 0.5)?);
        let (name, place) = (self.name(), self.place);
        let amount = self.maker.combine(name, place, vec![hue?, Term::number(1.0), Term::number(1.0)]);
        let one = Term::number(1.0);
        let inverse = self.single("divide", &[("a", &one), ("b", &gamma)])?;
        let (unlifted, brighter) =
            (self.rest(&lift)?, self.single("power", &[("a", &Term::number(2.0)), ("b", &exposure)])?);
        self.changed(&[1.0; 3], |node, color| {
            let x = node.hue_moved(color, &amount)?;
            let grey = node.grey(&x)?;
            let x = node.three("mix", &[("a", &grey), ("b", &x), ("t", &saturation)]);
            let (sign, size) = (node.three("sign", &[("x", &x)]), node.three("abs", &[("x", &x)]));
            let size = node.three("power", &[("a", &size), ("b", &inverse)]);
            let x = node.three("multiply", &[("a", &sign), ("b", &size)]);
            let x = node.three("multiply", &[("a", &x), ("b", &unlifted)]);
            let x = node.three("add", &[("a", &x), ("b", &lift)]);
            let x = node.three("multiply", &[("a", &x), ("b", &gain)]);
            let x = node.three("subtract", &[("a", &x), ("b", &pivot)]);
            let x = node.three("multiply", &[("a", &x), ("b", &contrast)]);
            let x = node.three("add", &[("a", &x), ("b", &pivot)]);
            Ok(node.three("multiply", &[("a", &x), ("b", &brighter)]))
        })
    }
}
