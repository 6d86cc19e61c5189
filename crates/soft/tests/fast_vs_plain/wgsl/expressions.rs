//! Expressions: random values of a type, at most so many operators deep.

use super::Kind::{B, F, I, U};
use super::{COMPARE, FLOAT_ONE, INT_ONE, Kind, Stage, Ty, Writer};

impl Writer<'_> {
    /// Names and parts of names of a type.
    pub(super) fn name_of(&mut self, ty: &Ty) -> Option<String> {
        let found: Vec<String> = self.scope.iter().rev().filter(|n| n.ty == *ty).map(|n| n.text.clone()).collect();
        (!found.is_empty()).then(|| self.tape.pick(&found))
    }

    /// A value without operands.
    pub(super) fn leaf(&mut self, ty: &Ty) -> String {
        if self.tape.chance(70)
            && let Some(name) = self.name_of(ty)
        {
            return name;
        }
        match ty {
            Ty::Scalar(kind) => {
                if self.tape.chance(12) {
                    return self.literal(*kind);
                }
                format!("in_{}({}u)", kind.name(), self.tape.below(16))
            }
            Ty::Vector(n, kind) => format!("in_vec4_{}({}u).{}", kind.name(), self.tape.below(16), &"xyzw"[..*n]),
            composite => self.construct(composite, 0),
        }
    }

    pub(super) fn literal(&mut self, kind: Kind) -> String {
        let word = self.tape.word();
        match kind {
            F => format!("{:?}f", (word % 64) as f32 / 8.0),
            I => format!("{}i", word % 17),
            U => format!("{}u", word % 40),
            B => format!("{}", word % 2 == 1),
        }
    }

    pub(super) fn construct(&mut self, ty: &Ty, depth: usize) -> String {
        let members: Vec<Ty> = match ty {
            Ty::Scalar(_) => return self.expression(ty, depth),
            Ty::Vector(n, kind) => {
                // Parts of different sizes.
                let mut left = *n;
                let mut members = vec![];
                while left > 0 {
                    let size = (1 + self.tape.below(3)).min(left);
                    let size = if size == *n { 1 } else { size };
                    members.push(Ty::parts(size, *kind));
                    left -= size;
                }
                members
            }
            Ty::Matrix(columns, rows) => vec![Ty::Vector(*rows, F); *columns],
            Ty::Array(of, n) => vec![(**of).clone(); *n],
            Ty::Struct(index) => self.structs[*index].clone(),
        };
        let parts: Vec<String> = members.iter().map(|m| self.expression(m, depth.saturating_sub(1))).collect();
        format!("{}({})", ty.name(), parts.join(", "))
    }

    /// An expression of a type; at most `depth` operators deep.
    pub fn expression(&mut self, ty: &Ty, depth: usize) -> String {
        if depth == 0 || self.tape.is_over() {
            return self.leaf(ty);
        }
        let d = depth - 1;
        // Ways that fit every type.
        match self.tape.below(14) {
            0 | 1 => return self.leaf(ty),
            2 => return self.construct(ty, d),
            3 => {
                let fits: Vec<usize> = (0..self.functions.len())
                    .filter(|&i| !self.functions[i].by_pointer && self.functions[i].result == *ty)
                    .collect();
                if let Some(&index) = fits.first() {
                    let (name, arguments) =
                        (self.functions[index].name.clone(), self.functions[index].arguments.clone());
                    let list: Vec<String> = arguments.iter().map(|a| self.expression(a, d.min(1))).collect();
                    return format!("{name}({})", list.join(", "));
                }
            }
            4 => {
                if let Some(part) = self.part_of(ty) {
                    return part;
                }
            }
            _ => {}
        }
        match *ty {
            Ty::Scalar(F) => self.float(1, d),
            Ty::Vector(n, F) => self.float(n, d),
            Ty::Scalar(B) => self.boolean(1, d),
            Ty::Vector(n, B) => self.boolean(n, d),
            Ty::Scalar(kind) => self.integer(1, kind, d),
            Ty::Vector(n, kind) => self.integer(n, kind, d),
            Ty::Matrix(columns, rows) => self.matrix(columns, rows, d),
            _ => self.construct(ty, d),
        }
    }

    /// An element of something in scope.
    pub(super) fn part_of(&mut self, ty: &Ty) -> Option<String> {
        let mut found: Vec<(String, usize)> = vec![];
        for name in self.scope.iter().rev() {
            match &name.ty {
                Ty::Vector(n, kind) if Ty::Scalar(*kind) == *ty => found.push((format!("{}[@]", name.text), *n)),
                // Only a matrix behind a reference takes a computed index.
                Ty::Matrix(columns, rows) if Ty::Vector(*rows, F) == *ty && name.assignable => {
                    found.push((format!("{}[@]", name.text), *columns));
                }
                Ty::Array(of, n) if **of == *ty => found.push((format!("{}[@]", name.text), *n)),
                Ty::Struct(index) => {
                    for (i, member) in self.structs[*index].iter().enumerate().filter(|(_, m)| *m == ty) {
                        let _ = member;
                        found.push((format!("{}.m{i}", name.text), 0));
                    }
                }
                _ => {}
            }
        }
        for (text, of, _) in self.runtime.clone() {
            if of == *ty {
                found.push((format!("{text}[@]"), usize::MAX));
            }
        }
        if found.is_empty() {
            return None;
        }
        let (text, n) = self.tape.pick(&found);
        if n == usize::MAX {
            let array = text.trim_end_matches("[@]");
            return Some(format!("{array}[{}]", self.runtime_index(array)));
        }
        Some(if n == 0 { text } else { text.replace('@', &self.index(n)) })
    }

    pub(super) fn float(&mut self, n: usize, d: usize) -> String {
        let ty = Ty::parts(n, F);
        let e = |w: &mut Self| w.expression(&ty, d);
        match self.tape.below(28) {
            26 if n == 4 && self.has_textures => self.texture_float(d),
            27 if n == 1 => match self.tape.below(2) {
                0 => format!("length({})", e(self)),
                _ => format!("distance({}, {})", e(self), e(self)),
            },
            0..=5 => {
                let operator = self.tape.pick(&["+", "*", "-", "/", "%"]);
                format!("({} {operator} {})", e(self), e(self))
            }
            6 if n > 1 => {
                let operator = self.tape.pick(&["*", "+", "/", "-"]);
                let scalar = self.expression(&Ty::Scalar(F), d);
                if self.tape.chance(50) {
                    format!("({scalar} {operator} {})", e(self))
                } else {
                    format!("({} {operator} {scalar})", e(self))
                }
            }
            7 if n > 1 => {
                let other = 2 + self.tape.below(3);
                let vector = self.expression(&Ty::Vector(other, F), d);
                if self.tape.chance(50) {
                    format!("({} * {vector})", self.expression(&Ty::Matrix(other, n), d))
                } else {
                    format!("({vector} * {})", self.expression(&Ty::Matrix(n, other), d))
                }
            }
            8 => format!("(-{})", e(self)),
            9..=12 => format!("{}({})", self.tape.pick(FLOAT_ONE), e(self)),
            13 => format!("{}({}, {})", self.tape.pick(&["min", "max", "pow", "atan2", "step"]), e(self), e(self)),
            14 => {
                let name = self.tape.pick(&["clamp", "mix", "smoothstep", "fma"]);
                format!("{name}({}, {}, {})", e(self), e(self), e(self))
            }
            15 => {
                let kind = self.tape.pick(&[I, U, B]);
                format!("{}({})", ty.name(), self.expression(&Ty::parts(n, kind), d))
            }
            16 => {
                let parts = self.tape.pick(&[1, n]);
                let condition = self.expression(&Ty::parts(parts, B), d);
                format!("select({}, {}, {condition})", e(self), e(self))
            }
            17 if n == 1 => {
                let other = Ty::Vector(2 + self.tape.below(3), F);
                match self.tape.below(4) {
                    0 => format!("dot({}, {})", self.expression(&other, d), self.expression(&other, d)),
                    1 => format!("length({})", self.expression(&other, d)),
                    2 => format!("distance({}, {})", self.expression(&other, d), self.expression(&other, d)),
                    _ => {
                        let size = 2 + self.tape.below(3);
                        format!("determinant({})", self.expression(&Ty::Matrix(size, size), d))
                    }
                }
            }
            17 => match self.tape.below(5) {
                0 => format!("normalize({})", e(self)),
                1 => format!("reflect({}, {})", e(self), e(self)),
                2 => format!("refract({}, {}, {})", e(self), e(self), self.expression(&Ty::Scalar(F), d)),
                3 if n == 3 => format!("cross({}, {})", e(self), e(self)),
                _ => format!("faceForward({}, {}, {})", e(self), e(self), e(self)),
            },
            18 => {
                let kind = self.tape.pick(&[I, U]);
                format!("bitcast<{}>({})", ty.name(), self.expression(&Ty::parts(n, kind), d))
            }
            19 => format!("ldexp({}, {})", e(self), self.expression(&Ty::parts(n, I), d)),
            20 => {
                let member = self.tape.pick(&["modf(@).fract", "modf(@).whole", "frexp(@).fract"]);
                member.replace('@', &e(self))
            }
            21 => self.swizzle(n, F, d),
            22 if n == 2 || n == 4 => {
                let name = match n {
                    2 => self.tape.pick(&["unpack2x16float", "unpack2x16snorm", "unpack2x16unorm"]),
                    _ => self.tape.pick(&["unpack4x8snorm", "unpack4x8unorm"]),
                };
                format!("{name}({})", self.expression(&Ty::Scalar(U), d))
            }
            23 if self.stage == Stage::Fragment => {
                let name = self.tape.pick(&[
                    "dpdx",
                    "dpdy",
                    "fwidth",
                    "dpdxFine",
                    "dpdyFine",
                    "dpdxCoarse",
                    "dpdyCoarse",
                    "fwidthFine",
                    "fwidthCoarse",
                ]);
                format!("{name}({})", e(self))
            }
            24 if n == 1 => format!("mix({}, {}, {})", e(self), e(self), e(self)),
            24 => format!("mix({}, {}, {})", e(self), e(self), self.expression(&Ty::Scalar(F), d)),
            _ => format!("({} + {})", e(self), e(self)),
        }
    }

    /// A choice of parts of a vector.
    pub(super) fn swizzle(&mut self, n: usize, kind: Kind, d: usize) -> String {
        let size = 2 + self.tape.below(3);
        let letters = self.tape.pick(&["xyzw", "rgba"]);
        let pattern: String = (0..n).map(|_| letters.as_bytes()[self.tape.below(size)] as char).collect();
        format!("{}.{pattern}", self.expression(&Ty::Vector(size, kind), d))
    }

    pub(super) fn integer(&mut self, n: usize, kind: Kind, d: usize) -> String {
        let ty = Ty::parts(n, kind);
        let e = |w: &mut Self| w.expression(&ty, d);
        match self.tape.below(21) {
            0..=4 => {
                let operator = self.tape.pick(&["+", "-", "*", "&", "|", "^", "/", "%"]);
                format!("({} {operator} {})", e(self), e(self))
            }
            5 if n > 1 => {
                let operator = self.tape.pick(&["*", "+", "/", "-", "%"]);
                let scalar = self.expression(&Ty::Scalar(kind), d);
                if self.tape.chance(50) {
                    format!("({scalar} {operator} {})", e(self))
                } else {
                    format!("({} {operator} {scalar})", e(self))
                }
            }
            20 if n == 4 && kind == U && self.has_textures => self.texture_uint(d),
            20 if n == 2 && kind == U && self.has_textures => "textureDimensions(tex, u32(in_i32(3u)))".into(),
            6 => {
                let operator = self.tape.pick(&["<<", ">>"]);
                format!("({} {operator} {})", e(self), self.expression(&Ty::parts(n, U), d))
            }
            7 if kind == I => format!("(-{})", e(self)),
            7 | 8 => format!("(~{})", e(self)),
            9 | 10 => format!("{}({})", self.tape.pick(INT_ONE), e(self)),
            11 => format!("{}({}, {})", self.tape.pick(&["min", "max"]), e(self), e(self)),
            12 => format!("clamp({}, {}, {})", e(self), e(self), e(self)),
            13 => {
                let (offset, count) =
                    (self.expression(&Ty::Scalar(U), d.min(1)), self.expression(&Ty::Scalar(U), d.min(1)));
                let small = |text: String| format!("({text} % 40u)");
                if self.tape.chance(50) {
                    format!("extractBits({}, {}, {})", e(self), small(offset), small(count))
                } else {
                    format!("insertBits({}, {}, {}, {})", e(self), e(self), small(offset), small(count))
                }
            }
            14 => {
                let from = self.tape.pick(&[F, if kind == I { U } else { I }, B, F]);
                format!("{}({})", ty.name(), self.expression(&Ty::parts(n, from), d))
            }
            15 => {
                let from = self.tape.pick(&[F, if kind == I { U } else { I }]);
                format!("bitcast<{}>({})", ty.name(), self.expression(&Ty::parts(n, from), d))
            }
            16 => {
                let parts = self.tape.pick(&[1, n]);
                let condition = self.expression(&Ty::parts(parts, B), d);
                format!("select({}, {}, {condition})", e(self), e(self))
            }
            17 => self.swizzle(n, kind, d),
            18 if n == 1 => self.packed(kind, d),
            18 if n == 4 => {
                let name = if kind == I { "unpack4xI8" } else { "unpack4xU8" };
                format!("{name}({})", self.expression(&Ty::Scalar(U), d))
            }
            19 if kind == I && n > 0 => {
                if self.tape.chance(50) {
                    format!("sign({})", e(self))
                } else {
                    format!("frexp({}).exp", self.expression(&Ty::parts(n, F), d))
                }
            }
            _ => format!("({} + {})", e(self), e(self)),
        }
    }

    pub(super) fn packed(&mut self, kind: Kind, d: usize) -> String {
        if kind == I || self.tape.chance(25) {
            let word = Ty::Scalar(U);
            if self.tape.chance(50) {
                let other = Ty::Vector(2 + self.tape.below(3), kind);
                return format!("dot({}, {})", self.expression(&other, d), self.expression(&other, d));
            }
            let name = if kind == I { "dot4I8Packed" } else { "dot4U8Packed" };
            return format!("{name}({}, {})", self.expression(&word, d), self.expression(&word, d));
        }
        let (name, ty) = self.tape.pick(&[
            ("pack4x8snorm", Ty::Vector(4, F)),
            ("pack4x8unorm", Ty::Vector(4, F)),
            ("pack2x16snorm", Ty::Vector(2, F)),
            ("pack2x16unorm", Ty::Vector(2, F)),
            ("pack2x16float", Ty::Vector(2, F)),
            ("pack4xI8", Ty::Vector(4, I)),
            ("pack4xU8", Ty::Vector(4, U)),
            ("pack4xI8Clamp", Ty::Vector(4, I)),
            ("pack4xU8Clamp", Ty::Vector(4, U)),
        ]);
        format!("{name}({})", self.expression(&ty, d))
    }

    pub(super) fn boolean(&mut self, n: usize, d: usize) -> String {
        let ty = Ty::parts(n, B);
        match self.tape.below(10) {
            0..=4 => {
                let other = Ty::parts(n, self.tape.pick(&[F, I, U]));
                let operator = self.tape.pick(COMPARE);
                format!("({} {operator} {})", self.expression(&other, d), self.expression(&other, d))
            }
            5 => format!("(!{})", self.expression(&ty, d)),
            6 => {
                let operators: &[&str] =
                    if n == 1 { &["&&", "||", "&", "|", "==", "!="] } else { &["&", "|", "==", "!="] };
                let operator = self.tape.pick(operators);
                format!("({} {operator} {})", self.expression(&ty, d), self.expression(&ty, d))
            }
            7 if n == 1 => {
                let other = Ty::parts(1 + self.tape.below(4), B);
                format!("{}({})", self.tape.pick(&["all", "any"]), self.expression(&other, d))
            }
            8 => {
                let other = Ty::parts(n, self.tape.pick(&[F, I, U]));
                format!("{}({})", ty.name(), self.expression(&other, d))
            }
            _ => format!("select({0}, {1}, {2})", self.leaf(&ty), self.leaf(&ty), self.expression(&ty, d)),
        }
    }

    pub(super) fn matrix(&mut self, columns: usize, rows: usize, d: usize) -> String {
        let ty = Ty::Matrix(columns, rows);
        match self.tape.below(7) {
            0 => format!("transpose({})", self.expression(&Ty::Matrix(rows, columns), d)),
            1 => {
                let inner = 2 + self.tape.below(3);
                let left = self.expression(&Ty::Matrix(inner, rows), d);
                format!("({left} * {})", self.expression(&Ty::Matrix(columns, inner), d))
            }
            2 => format!("({} * {})", self.expression(&ty, d), self.expression(&Ty::Scalar(F), d)),
            3 => format!("({} * {})", self.expression(&Ty::Scalar(F), d), self.expression(&ty, d)),
            4 => {
                let operator = self.tape.pick(&["+", "-"]);
                format!("({} {operator} {})", self.expression(&ty, d), self.expression(&ty, d))
            }
            _ => self.construct(&ty, d),
        }
    }
}
