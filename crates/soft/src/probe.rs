//! Probe: runs one WGSL function on the CPU and gives its value. How shader maths is unit-tested.
//!
//! In: WGSL text, a function's name, arguments. Out: the value, computed by the same lowering and kernels as in a
//! pipeline. Never here: textures and buffers; a function that reads `@group` resources is refused.

use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::sync::{Arc, Mutex, PoisonError};

use naga::back::pipeline_constants::process_overrides;
use naga::{ScalarKind, TypeInner};

use crate::Options;
use crate::engine::Engine;
use crate::store::{Buffer, Memory};
use crate::work::{BindGroup, Binding, Bindings, ComputePipeline, Dispatch, DispatchGroups, Shader, Stage};

/// A value of WGSL. Matrices are column after column.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Value {
    Bool(bool),
    I32(i32),
    U32(u32),
    F32(f32),
    Vec2([f32; 2]),
    Vec3([f32; 3]),
    Vec4([f32; 4]),
    IVec2([i32; 2]),
    IVec3([i32; 3]),
    IVec4([i32; 4]),
    UVec2([u32; 2]),
    UVec3([u32; 3]),
    UVec4([u32; 4]),
    BVec2([bool; 2]),
    BVec3([bool; 3]),
    BVec4([bool; 4]),
    /// Columns, rows, and the first `columns * rows` numbers.
    Mat {
        columns: u8,
        rows: u8,
        values: [f32; 16],
    },
}

/// Why there is no value.
#[derive(Clone, Debug, thiserror::Error, PartialEq, Eq)]
pub enum ProbeError {
    /// The text does not parse or validate; the message shows where.
    #[error("{0}")]
    Wgsl(String),
    #[error("no function `{0}`")]
    NoFunction(String),
    /// Neither scalars, vectors nor matrices of 32-bit numbers and bools.
    #[error("`{function}`: {what} cannot be probed")]
    Type { function: String, what: String },
    #[error("`{function}` takes {want}, got {have}")]
    Arguments { function: String, want: String, have: String },
    #[error("`{function}` reads the resource `{resource}`")]
    Resource { function: String, resource: String },
    #[error("`{function}`: {message}")]
    Fault { function: String, message: String },
}

/// A compiled WGSL text whose functions can be called.
#[derive(Debug)]
pub struct Probe {
    wgsl: String,
    module: naga::Module,
    engine: Engine,
    compiled: Mutex<BTreeMap<String, Arc<Call>>>,
}

/// One function behind its generated entry point.
#[derive(Debug)]
struct Call {
    pipeline: Arc<ComputePipeline>,
    arguments: Vec<Shape>,
    result: Shape,
}

/// Type of a parameter or result: what its words mean.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Shape {
    kind: ScalarKind,
    /// 1 for scalars and vectors.
    columns: u8,
    /// Components of a column; 1 for scalars.
    rows: u8,
}

/// Calls in one workgroup.
const CALLS_PER_GROUP: usize = 64;

/// The flat program of every entry point of `wgsl`, as text: one instruction a line. Overrides have their defaults.
///
/// For people who wonder what a shader costs; the form may change with any version.
///
/// Errors: text that does not parse or validate, an override without a default, what the lowering cannot do.
pub fn listing(wgsl: &str) -> Result<String, ProbeError> {
    let (module, info) = compile(wgsl)?;
    let mut out = String::new();
    for point in &module.entry_points {
        let fault = |message: String| ProbeError::Fault { function: point.name.clone(), message };
        let entry = Some((point.stage, point.name.as_str()));
        let (settled, info) =
            process_overrides(&module, &info, entry, &Default::default()).map_err(|error| fault(error.to_string()))?;
        let is_entry = |e: &naga::EntryPoint| e.stage == point.stage && e.name == point.name;
        let index = settled.entry_points.iter().position(is_entry).expect("it was asked for");
        let shader = Shader { module: settled.into_owned(), info: info.into_owned() };
        let program = crate::program::lower(&shader, index).map_err(|error| fault(error.to_string()))?;
        out.push_str(&program.disassemble());
    }
    Ok(out)
}

/// Calls `function` of `wgsl` once. Compile once with [`Probe::new`] to call often.
pub fn probe(wgsl: &str, function: &str, args: &[Value]) -> Result<Value, ProbeError> {
    Probe::new(wgsl)?.call(function, args)
}

impl Probe {
    /// Parses and validates `wgsl`. Options that matter: none but the instruction set, which changes no bit.
    pub fn new(wgsl: &str) -> Result<Probe, ProbeError> {
        Probe::with_options(wgsl, &Options { threads: 1, ..Options::DEFAULT })
    }

    /// As `new`, on the instruction set (or oracle) that `options` name.
    pub fn with_options(wgsl: &str, options: &Options) -> Result<Probe, ProbeError> {
        let (module, _) = compile(wgsl)?;
        let engine = options.settle().engine();
        Ok(Probe { wgsl: wgsl.to_owned(), module, engine, compiled: Mutex::default() })
    }

    /// Calls `function` once.
    pub fn call(&self, function: &str, args: &[Value]) -> Result<Value, ProbeError> {
        Ok(self.call_many(function, &[args])?[0])
    }

    /// Calls `function` once for each row of arguments, side by side in lanes.
    pub fn call_many<A: AsRef<[Value]>>(&self, function: &str, rows: &[A]) -> Result<Vec<Value>, ProbeError> {
        let call = self.compiled(function)?;
        let mut words = Vec::new();
        for row in rows {
            let row = row.as_ref();
            let have: Vec<Shape> = row.iter().map(|v| v.shape()).collect();
            if have != call.arguments {
                let list = |shapes: &[Shape]| shapes.iter().map(|s| s.wgsl()).collect::<Vec<_>>().join(", ");
                return Err(ProbeError::Arguments {
                    function: function.to_owned(),
                    want: format!("({})", list(&call.arguments)),
                    have: format!("({})", list(&have)),
                });
            }
            row.iter().for_each(|v| v.push_words(&mut words));
        }
        if rows.is_empty() {
            return Ok(Vec::new());
        }
        let fault = |message: String| ProbeError::Fault { function: function.to_owned(), message };
        let result_words = call.result.word_count();
        let input = buffer_of(&words).ok_or_else(|| fault("out of memory".into()))?;
        let output = buffer_of(&vec![0; rows.len() * result_words]).ok_or_else(|| fault("out of memory".into()))?;
        let whole = |buffer: &Arc<Buffer>| Binding::Buffer {
            buffer: buffer.clone(),
            offset_bytes: 0,
            size_bytes: buffer.size_bytes,
        };
        let group = BindGroup { entries: vec![(0, whole(&input)), (1, whole(&output))] };
        let mut groups = vec![None; GROUP as usize + 1];
        groups[GROUP as usize] = Some(Arc::new(group));
        let dispatch = Dispatch {
            pipeline: call.pipeline.clone(),
            bindings: Arc::new(Bindings { groups, ..Default::default() }),
            groups: DispatchGroups::Direct([rows.len().div_ceil(CALLS_PER_GROUP) as u32, 1, 1]),
        };
        self.engine.run_dispatch(&dispatch).map_err(|f| fault(f.to_string()))?;
        let mut bytes = vec![0; rows.len() * result_words * 4];
        output.memory.read(0, &mut bytes);
        let words: Vec<u32> = bytes.chunks_exact(4).map(|b| u32::from_le_bytes([b[0], b[1], b[2], b[3]])).collect();
        Ok(words.chunks_exact(result_words).map(|w| call.result.value(w)).collect())
    }

    fn compiled(&self, function: &str) -> Result<Arc<Call>, ProbeError> {
        let mut known = self.compiled.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(call) = known.get(function) {
            return Ok(call.clone());
        }
        let call = Arc::new(self.compile_call(function)?);
        known.insert(function.to_owned(), call.clone());
        Ok(call)
    }

    fn compile_call(&self, function: &str) -> Result<Call, ProbeError> {
        let found = self.module.functions.iter().find(|(_, f)| f.name.as_deref() == Some(function));
        let (_, target) = found.ok_or_else(|| ProbeError::NoFunction(function.to_owned()))?;
        let shape = |ty: naga::Handle<naga::Type>, what: &str| {
            Shape::of(&self.module.types[ty].inner)
                .ok_or_else(|| ProbeError::Type { function: function.to_owned(), what: what.to_owned() })
        };
        let mut arguments = Vec::new();
        for argument in &target.arguments {
            arguments.push(shape(argument.ty, argument.name.as_deref().unwrap_or("an argument"))?);
        }
        let nothing = || ProbeError::Type { function: function.to_owned(), what: "a result of no type".to_owned() };
        let result = shape(target.result.as_ref().ok_or_else(nothing)?.ty, "its result")?;
        let wgsl = format!("{}\n{}", self.wgsl, entry_text(function, &arguments, result));
        let (module, info) = compile(&wgsl)?;
        let entry_index = module.entry_points.iter().position(|e| e.name == ENTRY).expect("just added");
        let uses = info.get_entry_point(entry_index);
        for (handle, variable) in module.global_variables.iter() {
            let ours = variable.binding.is_some_and(|b| b.group == GROUP);
            if variable.binding.is_some() && !ours && !uses[handle].is_empty() {
                let resource = variable.name.clone().unwrap_or_default();
                return Err(ProbeError::Resource { function: function.to_owned(), resource });
            }
        }
        let shader = Arc::new(Shader { module, info });
        let program = crate::program::lower(&shader, entry_index)
            .map_err(|error| ProbeError::Fault { function: function.to_owned(), message: error.to_string() })?;
        let stage = Stage { shader, entry_index, program };
        Ok(Call { pipeline: Arc::new(ComputePipeline { stage }), arguments, result })
    }
}

const ENTRY: &str = "stillframe_probe";
/// Group of the generated buffers, out of the way of the text's own.
const GROUP: u32 = 7;

/// The entry point that calls `function` for invocation after invocation.
fn entry_text(function: &str, arguments: &[Shape], result: Shape) -> String {
    let argument_words: usize = arguments.iter().map(|a| a.word_count()).sum();
    let mut at = 0;
    let mut list = Vec::new();
    for shape in arguments {
        list.push(shape.read_text("stillframe_probe_in", "a", at));
        at += shape.word_count();
    }
    let mut text = format!(
        "@group({GROUP}) @binding(0) var<storage, read> stillframe_probe_in: array<u32>;
@group({GROUP}) @binding(1) var<storage, read_write> stillframe_probe_out: array<u32>;
@compute @workgroup_size({CALLS_PER_GROUP}) fn {ENTRY}(@builtin(global_invocation_id) id: vec3<u32>) {{
    let r0 = id.x * {words}u;
    if r0 >= arrayLength(&stillframe_probe_out) {{ return; }}
    let a = id.x * {argument_words}u;
    let r = {function}({arguments});
",
        words = result.word_count(),
        arguments = list.join(", "),
    );
    for (k, part) in result.parts("r").iter().enumerate() {
        let word = if result.kind == ScalarKind::Bool {
            format!("select(0u, 1u, {part})")
        } else {
            format!("bitcast<u32>({part})")
        };
        writeln!(text, "    stillframe_probe_out[r0 + {k}u] = {word};").expect("text");
    }
    text.push_str("}\n");
    // Without arguments the binding must still be used, or it is not bound.
    text.replace("let a = id.x * 0u;", "let a = arrayLength(&stillframe_probe_in);")
}

pub(crate) fn compile(wgsl: &str) -> Result<(naga::Module, naga::valid::ModuleInfo), ProbeError> {
    let module = naga::front::wgsl::parse_str(wgsl).map_err(|e| ProbeError::Wgsl(e.emit_to_string(wgsl)))?;
    let flags = naga::valid::ValidationFlags::all();
    use naga::valid::Capabilities;
    let info = naga::valid::Validator::new(flags, Capabilities::default() | Capabilities::SHADER_FLOAT16_IN_FLOAT32)
        .validate(&module)
        .map_err(|e| ProbeError::Wgsl(e.emit_to_string(wgsl)))?;
    Ok((module, info))
}

/// A buffer that holds `words`, at least one.
fn buffer_of(words: &[u32]) -> Option<Arc<Buffer>> {
    let bytes: Vec<u8> = words.iter().flat_map(|w| w.to_le_bytes()).collect();
    let size_bytes = bytes.len().max(4);
    let memory = Memory::zeroed(size_bytes)?;
    memory.write(0, &bytes);
    Some(Arc::new(Buffer { memory, size_bytes: size_bytes as u64 }))
}

impl Shape {
    fn of(inner: &TypeInner) -> Option<Shape> {
        let (scalar, columns, rows) = match *inner {
            TypeInner::Scalar(scalar) => (scalar, 1, 1),
            TypeInner::Vector { size, scalar } => (scalar, 1, size as u8),
            TypeInner::Matrix { columns, rows, scalar } => (scalar, columns as u8, rows as u8),
            _ => return None,
        };
        let known = scalar.kind == ScalarKind::Bool || scalar.width == 4;
        known.then_some(Shape { kind: scalar.kind, columns, rows })
    }

    fn word_count(self) -> usize {
        usize::from(self.columns) * usize::from(self.rows)
    }

    fn wgsl(self) -> String {
        let scalar = match self.kind {
            ScalarKind::Bool => "bool",
            ScalarKind::Sint => "i32",
            ScalarKind::Uint => "u32",
            _ => "f32",
        };
        match (self.columns, self.rows) {
            (1, 1) => scalar.to_owned(),
            (1, n) => format!("vec{n}<{scalar}>"),
            (c, r) => format!("mat{c}x{r}<{scalar}>"),
        }
    }

    /// WGSL that makes the value of the words from `first` on.
    fn read_text(self, array: &str, base: &str, first: usize) -> String {
        let words = (first..first + self.word_count()).map(|k| {
            let word = format!("{array}[{base} + {k}u]");
            match self.kind {
                ScalarKind::Bool => format!("({word} != 0u)"),
                ScalarKind::Sint => format!("bitcast<i32>({word})"),
                ScalarKind::Uint => word,
                _ => format!("bitcast<f32>({word})"),
            }
        });
        format!("{}({})", self.wgsl(), words.collect::<Vec<_>>().join(", "))
    }

    /// WGSL of each scalar of the value `name`.
    fn parts(self, name: &str) -> Vec<String> {
        match (self.columns, self.rows) {
            (1, 1) => vec![name.to_owned()],
            (1, n) => (0..n).map(|k| format!("{name}[{k}]")).collect(),
            (c, n) => (0..c).flat_map(|i| (0..n).map(move |k| format!("{name}[{i}][{k}]"))).collect(),
        }
    }

    fn value(self, words: &[u32]) -> Value {
        fn take<T, const N: usize>(words: &[u32], read: impl Fn(u32) -> T) -> [T; N] {
            std::array::from_fn(|k| read(words[k]))
        }
        let (f, i, u, b) = (f32::from_bits, |w: u32| w as i32, |w: u32| w, |w: u32| w != 0);
        match (self.kind, self.columns, self.rows) {
            (ScalarKind::Bool, _, 1) => Value::Bool(b(words[0])),
            (ScalarKind::Bool, _, 2) => Value::BVec2(take(words, b)),
            (ScalarKind::Bool, _, 3) => Value::BVec3(take(words, b)),
            (ScalarKind::Bool, _, _) => Value::BVec4(take(words, b)),
            (ScalarKind::Sint, _, 1) => Value::I32(i(words[0])),
            (ScalarKind::Sint, _, 2) => Value::IVec2(take(words, i)),
            (ScalarKind::Sint, _, 3) => Value::IVec3(take(words, i)),
            (ScalarKind::Sint, _, _) => Value::IVec4(take(words, i)),
            (ScalarKind::Uint, _, 1) => Value::U32(u(words[0])),
            (ScalarKind::Uint, _, 2) => Value::UVec2(take(words, u)),
            (ScalarKind::Uint, _, 3) => Value::UVec3(take(words, u)),
            (ScalarKind::Uint, _, _) => Value::UVec4(take(words, u)),
            (_, 1, 1) => Value::F32(f(words[0])),
            (_, 1, 2) => Value::Vec2(take(words, f)),
            (_, 1, 3) => Value::Vec3(take(words, f)),
            (_, 1, _) => Value::Vec4(take(words, f)),
            (_, columns, rows) => {
                let mut values = [0.0; 16];
                values.iter_mut().zip(words).for_each(|(v, w)| *v = f(*w));
                Value::Mat { columns, rows, values }
            }
        }
    }
}

impl Value {
    /// A matrix from its columns.
    pub fn mat<const R: usize>(columns: &[[f32; R]]) -> Value {
        assert!((2..=4).contains(&columns.len()) && (2..=4).contains(&R), "{} columns of {R}", columns.len());
        let mut values = [0.0; 16];
        values.iter_mut().zip(columns.iter().flatten()).for_each(|(v, c)| *v = *c);
        Value::Mat { columns: columns.len() as u8, rows: R as u8, values }
    }

    /// The float of an `F32`.
    pub fn f32(self) -> f32 {
        match self {
            Value::F32(x) => x,
            other => panic!("{other:?} is no f32"),
        }
    }

    /// The floats of an `F32`, a float vector or a matrix.
    pub fn floats(self) -> Vec<f32> {
        let mut words = Vec::new();
        self.push_words(&mut words);
        assert_eq!(self.shape().kind, ScalarKind::Float, "{self:?} holds no floats");
        words.into_iter().map(f32::from_bits).collect()
    }

    fn shape(&self) -> Shape {
        use ScalarKind::{Bool, Float, Sint, Uint};
        let (kind, columns, rows) = match *self {
            Value::Bool(_) => (Bool, 1, 1),
            Value::BVec2(_) => (Bool, 1, 2),
            Value::BVec3(_) => (Bool, 1, 3),
            Value::BVec4(_) => (Bool, 1, 4),
            Value::I32(_) => (Sint, 1, 1),
            Value::IVec2(_) => (Sint, 1, 2),
            Value::IVec3(_) => (Sint, 1, 3),
            Value::IVec4(_) => (Sint, 1, 4),
            Value::U32(_) => (Uint, 1, 1),
            Value::UVec2(_) => (Uint, 1, 2),
            Value::UVec3(_) => (Uint, 1, 3),
            Value::UVec4(_) => (Uint, 1, 4),
            Value::F32(_) => (Float, 1, 1),
            Value::Vec2(_) => (Float, 1, 2),
            Value::Vec3(_) => (Float, 1, 3),
            Value::Vec4(_) => (Float, 1, 4),
            Value::Mat { columns, rows, .. } => (Float, columns, rows),
        };
        Shape { kind, columns, rows }
    }

    fn push_words(&self, words: &mut Vec<u32>) {
        match *self {
            Value::Bool(b) => words.push(u32::from(b)),
            Value::BVec2(v) => words.extend(v.map(u32::from)),
            Value::BVec3(v) => words.extend(v.map(u32::from)),
            Value::BVec4(v) => words.extend(v.map(u32::from)),
            Value::I32(i) => words.push(i as u32),
            Value::IVec2(v) => words.extend(v.map(|i| i as u32)),
            Value::IVec3(v) => words.extend(v.map(|i| i as u32)),
            Value::IVec4(v) => words.extend(v.map(|i| i as u32)),
            Value::U32(u) => words.push(u),
            Value::UVec2(v) => words.extend(v),
            Value::UVec3(v) => words.extend(v),
            Value::UVec4(v) => words.extend(v),
            Value::F32(f) => words.push(f.to_bits()),
            Value::Vec2(v) => words.extend(v.map(f32::to_bits)),
            Value::Vec3(v) => words.extend(v.map(f32::to_bits)),
            Value::Vec4(v) => words.extend(v.map(f32::to_bits)),
            Value::Mat { columns, rows, values } => {
                words.extend(values[..usize::from(columns) * usize::from(rows)].iter().map(|f| f.to_bits()));
            }
        }
    }
}
