//! WGSL: random typed programs. Types, scopes, expressions and statements, read off a tape.
//!
//! Values come from buffers and variables, seldom from literals: naga folds constants, and an overflow there is an
//! error.

use std::fmt::Write;

use crate::tape::Tape;

#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Kind {
    F,
    I,
    U,
    B,
}

#[derive(Clone, Debug, PartialEq)]
pub enum Ty {
    Scalar(Kind),
    Vector(usize, Kind),
    /// Columns, rows.
    Matrix(usize, usize),
    Array(Box<Ty>, usize),
    Struct(usize),
}

use Kind::{B, F, I, U};

impl Kind {
    fn name(self) -> &'static str {
        match self {
            F => "f32",
            I => "i32",
            U => "u32",
            B => "bool",
        }
    }
}

impl Ty {
    pub fn name(&self) -> String {
        match self {
            Ty::Scalar(kind) => kind.name().into(),
            Ty::Vector(n, kind) => format!("vec{n}<{}>", kind.name()),
            Ty::Matrix(c, r) => format!("mat{c}x{r}<f32>"),
            Ty::Array(of, n) => format!("array<{}, {n}>", of.name()),
            Ty::Struct(index) => format!("S{index}"),
        }
    }

    /// A scalar or vector type of a kind with `n` parts.
    pub fn parts(n: usize, kind: Kind) -> Ty {
        if n == 1 { Ty::Scalar(kind) } else { Ty::Vector(n, kind) }
    }
}

/// A name in scope.
#[derive(Clone, Debug)]
pub(crate) struct Name {
    pub text: String,
    pub ty: Ty,
    pub assignable: bool,
}

struct Function {
    name: String,
    /// Types of arguments; the first is a pointer if `by_pointer`.
    arguments: Vec<Ty>,
    by_pointer: bool,
    result: Ty,
}

mod expressions;

/// What the stage offers beyond plain arithmetic.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Stage {
    Compute,
    Fragment,
    Vertex,
}

/// Writes one program.
pub struct Writer<'t> {
    pub tape: Tape<'t>,
    pub(crate) stage: Stage,
    structs: Vec<Vec<Ty>>,
    functions: Vec<Function>,
    pub(crate) scope: Vec<Name>,
    next: usize,
    /// Statements left; stops growth.
    budget: usize,
    loops: usize,
    /// Loops around that are no switches: `continue` has somewhere to go.
    real_loops: usize,
    pub(crate) in_continuing: bool,
    pub(crate) result: Option<Ty>,
    /// How the entry point returns early.
    pub early_return: String,
    /// Runtime arrays: text, type of an element, whether it may be written.
    pub(crate) runtime: Vec<(&'static str, Ty, bool)>,
    /// Nothing that invocations share is written, but for workgroup memory.
    pub apart: bool,
    /// The module has the textures of `effects`.
    pub(crate) has_textures: bool,
    pub(crate) has_stored: bool,
    text: String,
    pub(crate) indent: usize,
}

const FLOAT_ONE: &[&str] = &[
    "abs",
    "floor",
    "ceil",
    "round",
    "trunc",
    "fract",
    "sqrt",
    "inverseSqrt",
    "sign",
    "saturate",
    "sin",
    "cos",
    "tan",
    "exp",
    "exp2",
    "log",
    "log2",
    "asin",
    "acos",
    "atan",
    "sinh",
    "cosh",
    "tanh",
    "asinh",
    "acosh",
    "atanh",
    "radians",
    "degrees",
    "quantizeToF16",
];
const INT_ONE: &[&str] = &[
    "abs",
    "countOneBits",
    "countLeadingZeros",
    "countTrailingZeros",
    "reverseBits",
    "firstLeadingBit",
    "firstTrailingBit",
];
const COMPARE: &[&str] = &["<", "<=", ">", ">=", "==", "!="];

impl<'t> Writer<'t> {
    pub fn new(words: &'t [u32], stage: Stage) -> Writer<'t> {
        Writer {
            tape: Tape::new(words),
            stage,
            structs: vec![],
            functions: vec![],
            scope: vec![],
            next: 0,
            budget: 14,
            loops: 0,
            real_loops: 0,
            in_continuing: false,
            result: None,
            early_return: String::new(),
            runtime: vec![],
            apart: false,
            has_textures: false,
            has_stored: false,
            text: String::new(),
            indent: 0,
        }
    }

    pub fn finish(self) -> String {
        self.text
    }

    pub fn line(&mut self, text: &str) {
        let _ = writeln!(self.text, "{:width$}{text}", "", width = 4 * self.indent);
    }

    pub(crate) fn fresh(&mut self, prefix: &str) -> String {
        self.next += 1;
        format!("{prefix}{}", self.next)
    }

    fn scalar_kind(&mut self) -> Kind {
        self.tape.pick(&[F, F, I, U, F, B])
    }

    pub(crate) fn value_type(&mut self) -> Ty {
        match self.tape.below(12) {
            0..=3 => Ty::Scalar(self.scalar_kind()),
            4..=7 => Ty::Vector(2 + self.tape.below(3), self.scalar_kind()),
            8 => Ty::Matrix(2 + self.tape.below(3), 2 + self.tape.below(3)),
            9 | 10 => {
                let of = match self.tape.below(5) {
                    4 => Ty::Array(Box::new(Ty::Scalar(self.scalar_kind())), 1 + self.tape.below(3)),
                    0 => Ty::Scalar(self.scalar_kind()),
                    1 => Ty::Vector(2 + self.tape.below(3), self.scalar_kind()),
                    2 if !self.structs.is_empty() => Ty::Struct(self.tape.below(self.structs.len())),
                    _ => Ty::Matrix(2 + self.tape.below(3), 2 + self.tape.below(3)),
                };
                Ty::Array(Box::new(of), 1 + self.tape.below(4))
            }
            _ if !self.structs.is_empty() => Ty::Struct(self.tape.below(self.structs.len())),
            _ => Ty::Scalar(F),
        }
    }

    /// Structs for everyone.
    pub fn declare_structs(&mut self) {
        for _ in 0..self.tape.below(3) {
            let members: Vec<Ty> = (0..1 + self.tape.below(4)).map(|_| self.value_type()).collect();
            self.declare_struct(members);
        }
    }

    /// A struct that buffers may hold: no bools; its text and its members' names join the scope.
    pub fn declare_blob(&mut self, name: &'static str, uniform: bool) {
        let inner = (!uniform && self.tape.chance(40)).then(|| {
            let members: Vec<Ty> = (0..1 + self.tape.below(3)).map(|_| self.plain_member(false)).collect();
            self.declare_struct(members)
        });
        let members: Vec<Ty> = (0..1 + self.tape.below(5))
            .map(|_| match inner {
                Some(index) if self.tape.chance(30) => match self.tape.below(2) {
                    0 => Ty::Struct(index),
                    _ => Ty::Array(Box::new(Ty::Struct(index)), 1 + self.tape.below(3)),
                },
                _ => self.plain_member(uniform),
            })
            .collect();
        self.line(&format!("struct {name}Type {{"));
        for (i, member) in members.iter().enumerate() {
            let align = if self.tape.chance(10) { "@align(32) " } else { "" };
            self.line(&format!("    {align}m{i}: {},", member.name()));
            let assignable = !uniform && !self.apart;
            self.scope.push(Name { text: format!("{name}.m{i}"), ty: member.clone(), assignable });
        }
        if !uniform {
            self.line("    tail: array<vec3<f32>>,");
            self.runtime.push(("blob.tail", Ty::Vector(3, F), !self.apart));
        }
        self.line("}");
    }

    /// A type that buffers may hold, without structs.
    fn plain_member(&mut self, uniform: bool) -> Ty {
        let kind = self.tape.pick(&[F, I, U]);
        let n = 2 + self.tape.below(3);
        match self.tape.below(7) {
            0 => Ty::Scalar(kind),
            1 => Ty::Vector(n, kind),
            2 => Ty::Matrix(2 + self.tape.below(3), n),
            3 if uniform => Ty::Array(Box::new(Ty::Vector(4, kind)), n),
            3 => Ty::Array(Box::new(Ty::Vector(n, kind)), 1 + self.tape.below(4)),
            // Columns of a multiple of 16 bytes, as uniforms want them.
            4 if uniform => Ty::Array(Box::new(Ty::Matrix(n, 3 + self.tape.below(2))), 2),
            4 => Ty::Array(Box::new(Ty::Matrix(n, 2 + self.tape.below(3))), 2),
            5 if !uniform => {
                let row = Ty::Array(Box::new(Ty::Scalar(kind)), n);
                Ty::Array(Box::new(row), 1 + self.tape.below(3))
            }
            _ if uniform => Ty::Vector(4, kind),
            _ => Ty::Array(Box::new(Ty::Scalar(kind)), n),
        }
    }

    fn declare_struct(&mut self, members: Vec<Ty>) -> usize {
        let index = self.structs.len();
        self.line(&format!("struct S{index} {{"));
        for (i, member) in members.iter().enumerate() {
            self.line(&format!("    m{i}: {},", member.name()));
        }
        self.line("}");
        self.structs.push(members);
        index
    }

    /// Private variables: seen and changed by all functions.
    pub fn declare_privates(&mut self) {
        for _ in 0..self.tape.below(3) {
            let ty = self.value_type();
            let name = self.fresh("p");
            self.line(&format!("var<private> {name}: {};", ty.name()));
            self.scope.push(Name { text: name, ty, assignable: true });
        }
    }

    /// Puts a vector of four words into scope.
    pub fn see_words(&mut self, text: &str) {
        self.scope.push(Name { text: text.into(), ty: Ty::Vector(4, U), assignable: false });
    }

    /// Constant tables, and a private variable that starts as one.
    pub fn declare_tables(&mut self) {
        for _ in 0..self.tape.below(3) {
            let (kind, n, rows) = (self.tape.pick(&[F, I, U]), 1 + self.tape.below(4), 2 + self.tape.below(5));
            let ty = Ty::Array(Box::new(Ty::parts(n, kind)), rows);
            let elements: Vec<String> = (0..rows)
                .map(|_| {
                    let parts: Vec<String> = (0..n).map(|_| self.literal(kind)).collect();
                    format!("{}({})", Ty::parts(n, kind).name(), parts.join(", "))
                })
                .collect();
            let name = self.fresh("t");
            self.line(&format!("const {name} = {}({});", ty.name(), elements.join(", ")));
            if self.tape.chance(30) {
                let copy = self.fresh("p");
                self.line(&format!("var<private> {copy}: {} = {name};", ty.name()));
                self.scope.push(Name { text: copy, ty: ty.clone(), assignable: true });
            }
            self.scope.push(Name { text: name, ty, assignable: false });
        }
    }

    /// Functions that the entry point may call.
    pub fn declare_functions(&mut self) {
        for _ in 0..self.tape.below(3) {
            let arguments: Vec<Ty> = (0..1 + self.tape.below(3)).map(|_| self.value_type()).collect();
            let by_pointer = self.tape.chance(30);
            let result = self.value_type();
            let name = self.fresh("f");
            let outer = self.scope.len();
            let mut list = vec![];
            for (i, ty) in arguments.iter().enumerate() {
                let argument = self.fresh("a");
                if i == 0 && by_pointer {
                    list.push(format!("{argument}: ptr<function, {}>", ty.name()));
                    self.scope.push(Name { text: format!("(*{argument})"), ty: ty.clone(), assignable: true });
                } else {
                    list.push(format!("{argument}: {}", ty.name()));
                    self.scope.push(Name { text: argument, ty: ty.clone(), assignable: false });
                }
            }
            self.line(&format!("fn {name}({}) -> {} {{", list.join(", "), result.name()));
            self.result = Some(result.clone());
            let budget = std::mem::replace(&mut self.budget, 5);
            self.block(3);
            let value = self.expression(&result, 2);
            self.line(&format!("    return {value};"));
            self.line("}");
            self.budget = budget;
            self.result = None;
            self.scope.truncate(outer);
            self.functions.push(Function { name, arguments, by_pointer, result });
        }
    }

    /// Statements of the entry point, then every variable it has given to `put`.
    pub fn body(&mut self) {
        self.indent = 1;
        let outer = self.scope.len();
        for _ in 0..2 {
            self.declare_variable();
        }
        let count = 2 + self.tape.below(8);
        self.statements(count);
        let names: Vec<Name> = self.scope[outer..].to_vec();
        for name in names {
            self.put(&name.text, &name.ty);
        }
        let ty = Ty::Vector(4, F);
        let last = self.expression(&ty, 4);
        let name = self.fresh("l");
        self.line(&format!("let {name} = {last};"));
        self.put(&name, &ty);
        self.indent = 0;
        self.scope.truncate(outer);
    }

    /// Gives every scalar of a value to `put`.
    fn put(&mut self, text: &str, ty: &Ty) {
        match ty {
            Ty::Scalar(F | I | U) => self.line(&format!("put(bitcast<u32>({text}));")),
            Ty::Scalar(B) => self.line(&format!("put(u32({text}));")),
            Ty::Vector(n, kind) => {
                for i in 0..*n {
                    self.put(&format!("{text}[{i}]"), &Ty::Scalar(*kind));
                }
            }
            Ty::Matrix(columns, rows) => {
                for i in 0..*columns {
                    self.put(&format!("{text}[{i}]"), &Ty::Vector(*rows, F));
                }
            }
            Ty::Array(of, n) => {
                for i in 0..*n {
                    self.put(&format!("{text}[{i}]"), of);
                }
            }
            Ty::Struct(index) => {
                for (i, member) in self.structs[*index].clone().iter().enumerate() {
                    self.put(&format!("{text}.m{i}"), member);
                }
            }
        }
    }

    fn block(&mut self, most: usize) {
        self.indent += 1;
        let outer = self.scope.len();
        let count = self.tape.below(most + 1);
        self.statements(count);
        self.scope.truncate(outer);
        self.indent -= 1;
    }

    fn statements(&mut self, count: usize) {
        for _ in 0..count {
            if self.budget == 0 || self.tape.is_over() {
                return;
            }
            self.budget -= 1;
            self.statement();
        }
    }

    fn declare_variable(&mut self) {
        let ty = self.value_type();
        let value = self.expression(&ty, 3);
        let assignable = !self.tape.chance(30);
        let name = self.fresh(if assignable { "v" } else { "l" });
        match (assignable, self.tape.chance(15)) {
            (true, true) => self.line(&format!("var {name}: {};", ty.name())),
            (true, false) => self.line(&format!("var {name}: {} = {value};", ty.name())),
            _ => self.line(&format!("let {name}: {} = {value};", ty.name())),
        }
        self.scope.push(Name { text: name, ty, assignable });
    }

    /// A place that can be assigned to: a variable or a part of one.
    fn place(&mut self) -> Option<(String, Ty)> {
        let candidates: Vec<Name> = self.scope.iter().filter(|n| n.assignable).cloned().collect();
        if candidates.is_empty() {
            return None;
        }
        // The newest first, so that a shrunken tape uses what is near.
        let name = candidates[candidates.len() - 1 - self.tape.below(candidates.len())].clone();
        let (mut text, mut ty) = (name.text, name.ty);
        for _ in 0..self.tape.below(4) {
            (text, ty) = match ty {
                Ty::Vector(n, kind) if self.tape.chance(50) => {
                    (format!("{text}.{}", ["x", "y", "z", "w"][self.tape.below(n)]), Ty::Scalar(kind))
                }
                Ty::Vector(n, kind) => (format!("{text}[{}]", self.index(n)), Ty::Scalar(kind)),
                Ty::Matrix(columns, rows) => (format!("{text}[{}]", self.index(columns)), Ty::Vector(rows, F)),
                Ty::Array(of, n) => (format!("{text}[{}]", self.index(n)), *of),
                Ty::Struct(index) => {
                    let members = self.structs[index].clone();
                    let i = self.tape.below(members.len());
                    (format!("{text}.m{i}"), members[i].clone())
                }
                scalar => (text, scalar),
            };
        }
        Some((text, ty))
    }

    /// An index, in bounds most of the time.
    pub(crate) fn index(&mut self, n: usize) -> String {
        match self.tape.below(6) {
            0..=2 => format!("{}", self.tape.below(n)),
            3 | 4 => format!("({}) % {n}u", self.expression(&Ty::Scalar(U), 1)),
            _ => {
                let kind = self.tape.pick(&[U, I]);
                self.expression(&Ty::Scalar(kind), 1)
            }
        }
    }

    fn statement(&mut self) {
        match self.tape.below(19) {
            16 => self.point(),
            17 => self.while_loop(),
            18 => self.write_runtime(),
            0..=2 => self.declare_variable(),
            3..=6 => self.assign(),
            7 | 8 => {
                let condition = self.expression(&Ty::Scalar(B), 2);
                self.line(&format!("if ({condition}) {{"));
                self.block(3);
                if self.tape.chance(60) {
                    self.line("} else {");
                    self.block(3);
                }
                self.line("}");
            }
            9 => self.counted_loop(),
            10 => self.free_loop(),
            11 => self.switch(),
            12 if self.loops > 0 && !self.in_continuing => {
                let condition = self.expression(&Ty::Scalar(B), 1);
                let word = if self.tape.chance(50) && self.real_loops > 0 { "continue" } else { "break" };
                self.line(&format!("if ({condition}) {{ {word}; }}"));
            }
            13 if self.result.is_some() && !self.in_continuing => {
                let condition = self.expression(&Ty::Scalar(B), 1);
                let ty = self.result.clone().expect("just asked");
                let value = self.expression(&ty, 1);
                self.line(&format!("if ({condition}) {{ return {value}; }}"));
            }
            13 if self.result.is_none()
                && !self.in_continuing
                && !self.early_return.is_empty()
                && self.tape.chance(50) =>
            {
                let condition = self.expression(&Ty::Scalar(B), 1);
                let text = format!("if ({condition}) {{ return {}; }}", self.early_return);
                self.line(&text);
            }
            14 => self.stage_statement(),
            _ => self.call_by_pointer(),
        }
    }

    pub(crate) fn assign(&mut self) {
        let Some((place, ty)) = self.place() else { return self.declare_variable() };
        let compound = match &ty {
            Ty::Scalar(F) | Ty::Vector(_, F) => Some(self.tape.pick(&["+=", "-=", "*=", "/="])),
            Ty::Scalar(I | U) | Ty::Vector(_, I | U) => {
                Some(self.tape.pick(&["+=", "-=", "*=", "/=", "&=", "|=", "^=", "%="]))
            }
            Ty::Matrix(..) => Some(self.tape.pick(&["+=", "-="])),
            _ => None,
        };
        let value = self.expression(&ty, 3);
        match compound {
            Some(operator) if self.tape.chance(35) => self.line(&format!("{place} {operator} {value};")),
            _ if matches!(ty, Ty::Scalar(I | U)) && self.tape.chance(10) => {
                let step = self.tape.pick(&["++", "--"]);
                self.line(&format!("{place}{step};"));
            }
            Some(_) if matches!(ty, Ty::Scalar(I | U) | Ty::Vector(_, I | U)) && self.tape.chance(10) => {
                let (operator, n) = (self.tape.pick(&["<<=", ">>="]), if let Ty::Vector(n, _) = ty { n } else { 1 });
                let count = self.expression(&Ty::parts(n, U), 1);
                self.line(&format!("{place} {operator} {count};"));
            }
            Some(_) if matches!(ty, Ty::Vector(..)) && self.tape.chance(15) => {
                let Ty::Vector(_, kind) = ty else { unreachable!("just asked") };
                let scalar = self.expression(&Ty::Scalar(kind), 2);
                self.line(&format!("{place} *= {scalar};"));
            }
            _ => self.line(&format!("{place} = {value};")),
        }
    }

    /// A pointer to a part of something, and a write through it.
    fn point(&mut self) {
        let Some((place, ty)) = self.place() else { return self.declare_variable() };
        // Components of vectors have no address.
        let base = match place.rfind(['.', '[']) {
            Some(at) if matches!(ty, Ty::Scalar(_)) => place[..at].to_string(),
            _ => place.clone(),
        };
        let known = self.scope.iter().find(|n| n.text == base).map(|n| n.ty.clone());
        let (base, ty) = match known {
            Some(ty) => (base, ty),
            None if base == place => (base, ty),
            None => return self.assign(),
        };
        let name = self.fresh("q");
        self.line(&format!("let {name} = &{base};"));
        let value = self.expression(&ty, 2);
        self.line(&format!("*{name} = {value};"));
        self.scope.push(Name { text: format!("(*{name})"), ty, assignable: true });
    }

    fn while_loop(&mut self) {
        if self.loops >= 2 {
            return self.assign();
        }
        let counter = self.fresh("n");
        self.line(&format!("var {counter} = 0;"));
        let (condition, end) = (self.expression(&Ty::Scalar(B), 1), 1 + self.tape.below(6));
        self.line(&format!("while ({counter} < {end} && ({condition})) {{"));
        self.line(&format!("    {counter} += 1;"));
        self.in_loop(|w| w.block(3));
        self.line("}");
    }

    /// A write into a runtime array, inside or outside of it.
    fn write_runtime(&mut self) {
        let writable: Vec<_> = self.runtime.iter().filter(|r| r.2).cloned().collect();
        if writable.is_empty() {
            return self.assign();
        }
        let (text, ty, _) = self.tape.pick(&writable);
        let (index, value) = (self.runtime_index(text), self.expression(&ty, 2));
        self.line(&format!("{text}[{index}] = {value};"));
    }

    fn runtime_index(&mut self, text: &str) -> String {
        match self.tape.below(4) {
            0 | 1 => self.index(8),
            2 => format!("arrayLength(&{text}) - {}u", self.tape.below(3)),
            _ => self.expression(&Ty::Scalar(U), 1),
        }
    }

    fn counted_loop(&mut self) {
        if self.loops >= 2 {
            return self.assign();
        }
        let (counter, end) = (self.fresh("i"), 1 + self.tape.below(5));
        self.line(&format!("for (var {counter} = 0u; {counter} < {end}u; {counter} += 1u) {{"));
        self.scope.push(Name { text: counter, ty: Ty::Scalar(U), assignable: false });
        self.in_loop(|w| w.block(4));
        self.scope.pop();
        self.line("}");
    }

    fn in_loop(&mut self, f: impl FnOnce(&mut Self)) {
        self.loops += 1;
        self.real_loops += 1;
        f(self);
        self.loops -= 1;
        self.real_loops -= 1;
    }

    fn free_loop(&mut self) {
        if self.loops >= 2 {
            return self.assign();
        }
        let counter = self.fresh("n");
        self.line(&format!("var {counter} = 0;"));
        self.line("loop {");
        self.in_loop(|w| {
            w.block(3);
            w.line("    continuing {");
            w.indent += 1;
            let outer = std::mem::replace(&mut w.in_continuing, true);
            w.block(1);
            w.in_continuing = outer;
            w.line(&format!("    {counter} = {counter} + 1;"));
            let early = w.expression(&Ty::Scalar(B), 1);
            let end = 1 + w.tape.below(6);
            w.line(&format!("    break if ({counter} >= {end} || ({early}));"));
            w.indent -= 1;
            w.line("    }");
        });
        self.line("}");
        self.scope.push(Name { text: counter, ty: Ty::Scalar(I), assignable: false });
    }

    fn switch(&mut self) {
        let kind = self.tape.pick(&[I, U]);
        let selector = self.expression(&Ty::Scalar(kind), 2);
        self.line(&format!("switch ({selector}) {{"));
        self.indent += 1;
        let loops = self.loops;
        self.loops += 1;
        let suffix = if kind == U { "u" } else { "i" };
        let cases = self.tape.below(4);
        let default_at = self.tape.below(cases + 1);
        let mut value = 0;
        for i in 0..=cases {
            let mut values: Vec<String> = vec![];
            for _ in 0..1 + self.tape.below(2) {
                values.push(format!("{value}{suffix}"));
                value += 1;
            }
            if i == default_at {
                if self.tape.chance(50) {
                    self.line("default {");
                } else {
                    values.push("default".into());
                    self.line(&format!("case {} {{", values.join(", ")));
                }
            } else {
                self.line(&format!("case {} {{", values.join(", ")));
            }
            self.block(2);
            self.line("}");
        }
        self.loops = loops;
        self.indent -= 1;
        self.line("}");
    }

    fn call_by_pointer(&mut self) {
        let candidates: Vec<usize> = (0..self.functions.len()).filter(|&i| self.functions[i].by_pointer).collect();
        if candidates.is_empty() {
            return self.assign();
        }
        let index = self.tape.pick(&candidates);
        let (name, arguments) = (self.functions[index].name.clone(), self.functions[index].arguments.clone());
        let target = self.scope.iter().rev().find(|n| n.text.starts_with('v') && n.ty == arguments[0]).cloned();
        let variable = match target {
            Some(found) => found.text,
            None => {
                let variable = self.fresh("v");
                let value = self.expression(&arguments[0], 2);
                self.line(&format!("var {variable}: {} = {value};", arguments[0].name()));
                self.scope.push(Name { text: variable.clone(), ty: arguments[0].clone(), assignable: true });
                variable
            }
        };
        let mut list = vec![format!("&{variable}")];
        for ty in &arguments[1..] {
            list.push(self.expression(ty, 2));
        }
        let result = self.fresh("l");
        self.line(&format!("let {result} = {name}({});", list.join(", ")));
        let ty = self.functions[index].result.clone();
        self.scope.push(Name { text: result, ty, assignable: false });
    }
}
