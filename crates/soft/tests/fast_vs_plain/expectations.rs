//! Small shaders with their expectations in comments: `// run: schlick(0.0, 0.04) == 1.0`. Every line runs on the
//! oracle and on every instruction set of this machine, and the bits must be those of the right side.
//!
//! Numbers are written as in WGSL (`1`, `2u`, `0.5`, `true`, `nan`, `inf`, `0x7fc00000_f` for the bits of an f32);
//! vectors and matrices as `[1.0, 2.0]` and `[[1.0, 0.0], [0.0, 1.0]]` (columns).

use stillframe_base::lanes::Isa;
use stillframe_soft::{Options, Probe, Value};

#[derive(Clone, Debug, PartialEq)]
enum Literal {
    Bool(bool),
    I32(i32),
    U32(u32),
    F32(f32),
    List(Vec<Literal>),
}

#[test]
fn every_expectation_holds() {
    let folder = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/wgsl");
    let mut files: Vec<_> =
        std::fs::read_dir(folder).expect("tests/wgsl").map(|e| e.expect("readable").path()).collect();
    files.sort();
    let (mut count, mut complaints) = (0, Vec::new());
    for file in files.iter().filter(|f| f.extension().is_some_and(|e| e == "wgsl")) {
        let name = file.file_name().expect("a file").to_string_lossy();
        let text = std::fs::read_to_string(file).expect("readable");
        let mut ways: Vec<(String, Options)> =
            Isa::available().into_iter().map(|isa| (isa.to_string(), on(Some(isa), false))).collect();
        ways.push(("oracle".to_owned(), on(None, true)));
        for (way, options) in ways {
            let probe = match Probe::with_options(&text, &options) {
                Ok(probe) => probe,
                Err(error) => panic!("{name}: {error}"),
            };
            let mut lines = 0;
            for (number, line) in text.lines().enumerate() {
                let Some(run) = line.trim().strip_prefix("// run: ") else { continue };
                lines += 1;
                if let Err(words) = check(&probe, run) {
                    complaints.push(format!("{name}:{} ({way}): {run}: {words}", number + 1));
                }
            }
            assert!(lines > 0, "{name} expects nothing");
            count += lines;
        }
    }
    assert!(count > 200, "only {count} expectations ran");
    assert!(complaints.is_empty(), "{} of {count} failed:\n{}", complaints.len(), complaints.join("\n"));
}

fn on(isa: Option<Isa>, plain: bool) -> Options {
    Options { threads: 1, isa, plain, ..Options::DEFAULT }
}

fn check(probe: &Probe, run: &str) -> Result<(), String> {
    let (call, want) = run.rsplit_once(" == ").ok_or("no ` == `")?;
    let (function, arguments) = call.split_once('(').ok_or("no call")?;
    let arguments = arguments.strip_suffix(')').ok_or("no `)`")?;
    let mut reader = Reader { rest: arguments };
    let mut args = Vec::new();
    while !reader.rest.trim().is_empty() {
        args.push(value(&reader.literal()?)?);
        reader.eat(',');
    }
    let want = value(&Reader { rest: want }.literal()?)?;
    let have = probe.call(function, &args).map_err(|e| e.to_string())?;
    if same(have, want) { Ok(()) } else { Err(format!("have {have:?}, want {want:?}")) }
}

/// Equal bits; every NaN is one.
fn same(a: Value, b: Value) -> bool {
    let bits = |v: Value| match v {
        Value::F32(_) | Value::Vec2(_) | Value::Vec3(_) | Value::Vec4(_) | Value::Mat { .. } => {
            Some(v.floats().iter().map(|f| if f.is_nan() { 0x7FC0_0000 } else { f.to_bits() }).collect::<Vec<_>>())
        }
        _ => None,
    };
    std::mem::discriminant(&a) == std::mem::discriminant(&b)
        && match (bits(a), bits(b)) {
            (Some(a), Some(b)) => a == b,
            _ => a == b,
        }
}

struct Reader<'a> {
    rest: &'a str,
}

impl Reader<'_> {
    fn eat(&mut self, c: char) -> bool {
        match self.rest.trim_start().strip_prefix(c) {
            Some(rest) => {
                self.rest = rest;
                true
            }
            None => false,
        }
    }

    fn literal(&mut self) -> Result<Literal, String> {
        if self.eat('[') {
            let mut list = vec![self.literal()?];
            while self.eat(',') {
                list.push(self.literal()?);
            }
            return if self.eat(']') { Ok(Literal::List(list)) } else { Err("no `]`".into()) };
        }
        let text = self.rest.trim_start();
        let end = text.find([',', ']']).unwrap_or(text.len());
        self.rest = &text[end..];
        scalar(text[..end].trim())
    }
}

fn scalar(word: &str) -> Result<Literal, String> {
    let bad = || format!("`{word}` is no literal");
    Ok(match word {
        "true" => Literal::Bool(true),
        "false" => Literal::Bool(false),
        "nan" => Literal::F32(f32::NAN),
        "inf" => Literal::F32(f32::INFINITY),
        "-inf" => Literal::F32(f32::NEG_INFINITY),
        _ if word.starts_with("0x") && word.ends_with('u') => {
            Literal::U32(u32::from_str_radix(&word[2..word.len() - 1], 16).map_err(|_| bad())?)
        }
        _ if word.starts_with("0x") && word.ends_with("_f") => {
            Literal::F32(f32::from_bits(u32::from_str_radix(&word[2..word.len() - 2], 16).map_err(|_| bad())?))
        }
        _ if word.ends_with('u') => Literal::U32(word[..word.len() - 1].parse().map_err(|_| bad())?),
        _ if word.contains(['.', 'e']) => Literal::F32(word.parse().map_err(|_| bad())?),
        _ => Literal::I32(word.parse().map_err(|_| bad())?),
    })
}

fn value(literal: &Literal) -> Result<Value, String> {
    let Literal::List(list) = literal else {
        return Ok(match *literal {
            Literal::Bool(b) => Value::Bool(b),
            Literal::I32(i) => Value::I32(i),
            Literal::U32(u) => Value::U32(u),
            Literal::F32(f) => Value::F32(f),
            Literal::List(_) => unreachable!("just excluded"),
        });
    };
    macro_rules! vector {
        ($variant:ident, $two:ident, $three:ident, $four:ident) => {{
            let v: Vec<_> =
                list.iter().filter_map(|l| if let Literal::$variant(x) = l { Some(*x) } else { None }).collect();
            match v[..] {
                [a, b] => Ok(Value::$two([a, b])),
                [a, b, c] => Ok(Value::$three([a, b, c])),
                [a, b, c, d] => Ok(Value::$four([a, b, c, d])),
                _ => Err("a vector has 2 to 4 components of one kind".to_owned()),
            }
        }};
    }
    match &list[0] {
        Literal::Bool(_) => vector!(Bool, BVec2, BVec3, BVec4),
        Literal::I32(_) => vector!(I32, IVec2, IVec3, IVec4),
        Literal::U32(_) => vector!(U32, UVec2, UVec3, UVec4),
        Literal::F32(_) => vector!(F32, Vec2, Vec3, Vec4),
        Literal::List(_) => {
            let columns: Vec<Vec<f32>> =
                list.iter().map(|c| value(c).map(Value::floats)).collect::<Result<_, String>>()?;
            let rows = columns[0].len();
            let mut values = [0.0; 16];
            values.iter_mut().zip(columns.iter().flatten()).for_each(|(v, c)| *v = *c);
            Ok(Value::Mat { columns: columns.len() as u8, rows: rows as u8, values })
        }
    }
}

#[test]
fn a_wrong_expectation_is_seen() {
    let probe = Probe::new("fn twice(x: f32) -> f32 { return x + x; }").expect("valid");
    assert!(check(&probe, "twice(1.5) == 3.0").is_ok());
    assert!(check(&probe, "twice(1.5) == 3.5").is_err());
    assert!(check(&probe, "twice(1.5) == 3").is_err(), "kinds differ");
    assert!(check(&probe, "twice(1) == 2.0").is_err(), "wrong argument");
    assert!(check(&probe, "thrice(1.0) == 3.0").is_err());
}
