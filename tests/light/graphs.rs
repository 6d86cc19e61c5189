//! Graphs of materials: every text is valid, does not depend on the order of the file, and computes what f64 computes.

use std::collections::BTreeMap;

use stillframe_base::rng::{Rng, Stream};
use stillframe_graph::{
    Around, Bound, Default, Geometry, Graph, Input, Kind, Link, Node, Output, Program, Setting, Settled, Source, Width,
    check, declarations, expected, functions, probed, read,
};
use stillframe_soft::{Probe, Value};
use stillframe_testkit::depth::cases;

/// Graphs a push.
const GRAPHS: u32 = 60;

/// Points at which a graph is computed.
const POINTS: usize = 8;

/// A graph of 1 to 40 nodes without mistakes. `textures`: whether some of them sample pictures.
fn random(stream: &mut Stream, textures: bool) -> Graph {
    let kinds: Vec<Kind> = Kind::all().filter(|kind| textures || !kind.row().needs_derivative).collect();
    let count = 1 + stream.below(40) as usize;
    let mut graph = Graph::default();
    while graph.nodes.len() < count {
        let before = graph.nodes.len();
        let kind = *stream.pick(&kinds);
        let inputs = kind.row().inputs.iter().map(|pin| {
            let is_required = matches!(pin.default, Default::Required);
            match stream.below(4) {
                0 if !is_required => None,
                0..=2 if before > 0 => Some(Input::Link(link(stream, &graph, before))),
                _ => {
                    let width = match pin.width {
                        Width::Fixed(width) => width,
                        Width::Widest => 1 + stream.below(4) as u8,
                    };
                    Some(Input::Numbers { numbers: numbers(stream, width), width })
                }
            }
        });
        let inputs: Vec<Option<Input>> = inputs.collect();
        let setting = match kind.row().setting {
            Setting::None => Settled::None,
            Setting::Value => {
                let width = 1 + stream.below(4) as u8;
                Settled::Value { numbers: numbers(stream, width), width }
            }
            Setting::Number | Setting::Color | Setting::Time => Settled::Parameter(numbers(stream, 4)),
            Setting::Switch => Settled::Switch(stream.one_in(2)),
            Setting::UvSet => Settled::Whole(stream.below(2)),
            Setting::Octaves => Settled::Whole(1 + stream.below(8)),
            Setting::Texture => Settled::Texture { at: stream.below(2) as usize },
        };
        graph.nodes.push(Node { name: format!("node {before}"), kind, inputs, setting });
        // What does not fit is tried again with other inputs.
        if !check(&graph, false).is_empty() {
            graph.nodes.pop();
        }
    }
    for output in Output::ALL {
        let link = link(stream, &graph, count);
        graph.outputs.push((output, link));
        if !check(&graph, false).is_empty() {
            graph.outputs.pop();
        }
    }
    graph
}

fn link(stream: &mut Stream, graph: &Graph, below: usize) -> Link {
    // Near ones more often, so that graphs are deep.
    let near = below - 1 - stream.below((below as u32).min(4)) as usize;
    let node = if stream.one_in(2) { near } else { stream.below(below as u32) as usize };
    let out = stream.below(graph.nodes[node].kind.row().outputs.len() as u32) as u8;
    let component = (out == 0 && stream.one_in(5)).then(|| stream.below(2) as u8);
    Link { node, out, component }
}

fn numbers(stream: &mut Stream, width: u8) -> [f32; 4] {
    std::array::from_fn(|n| match stream.below(8) {
        _ if n >= usize::from(width) => 0.0,
        0 => 0.0,
        1 => 1.0,
        2 => -2.0,
        3 => stream.range_f32(-40.0, 40.0),
        _ => stream.range_f32(-2.0, 2.0),
    })
}

fn around(stream: &mut Stream, bound: &Bound, graph: &Graph) -> Around {
    let mut out = Around::default();
    for node in &bound.parameters {
        let Settled::Parameter(value) = graph.nodes[*node].setting else { panic!("a parameter") };
        out.parameters.push(value.map(f64::from));
    }
    for geometry in Geometry::ALL {
        let value = numbers(stream, geometry.width());
        out.geometry.insert(geometry, value.map(f64::from));
    }
    out
}

fn value(numbers: &[f64; 4], width: u8) -> Value {
    let n = numbers.map(|x| x as f32);
    match width {
        1 => Value::F32(n[0]),
        2 => Value::Vec2([n[0], n[1]]),
        3 => Value::Vec3([n[0], n[1], n[2]]),
        _ => Value::Vec4(n),
    }
}

fn four(value: Value) -> [f64; 4] {
    let of = |numbers: &[f32]| std::array::from_fn(|n| numbers.get(n).map_or(0.0, |x| f64::from(*x)));
    match value {
        Value::F32(x) => of(&[x]),
        Value::Vec2(v) => of(&v),
        Value::Vec3(v) => of(&v),
        Value::Vec4(v) => of(&v),
        other => panic!("{other:?}"),
    }
}

/// Values of the outputs of steps at one point.
type Values = BTreeMap<(u32, u8), [f64; 4]>;

/// What the software adapter computes for every output that is read, at every point.
fn computed(program: &Program, points: &[Around]) -> Vec<Values> {
    computed_of(program, points, &|text| text)
}

/// The same of texts with a mistake.
fn computed_of(program: &Program, points: &[Around], mistake: &dyn Fn(String) -> String) -> Vec<Values> {
    let mut out = vec![Values::new(); points.len()];
    let parameters: Vec<String> = points[0]
        .parameters
        .iter()
        .map(|p| format!("vec4f({:?}, {:?}, {:?}, {:?})", p[0] as f32, p[1] as f32, p[2] as f32, p[3] as f32))
        .collect();
    let own = match parameters.len() {
        0 => String::new(),
        count => format!(
            "var<private> graph_parameters: array<vec4f, {count}> = array<vec4f, {count}>({});\n",
            parameters.join(", ")
        ),
    };
    for (step, of) in (0..).zip(&program.steps) {
        for pin in (0..8).filter(|pin| of.outs >> pin & 1 == 1) {
            let text = format!("{own}{}", probed(program, step, pin));
            let text = mistake(text);
            let probe = Probe::new(&text).unwrap_or_else(|error| panic!("{error}\n{text}"));
            let rows: Vec<Vec<Value>> = points
                .iter()
                .map(|point| read(program).iter().map(|g| value(&point.geometry[g], g.width())).collect())
                .collect();
            let found = probe.call_many("graph", &rows).unwrap_or_else(|error| panic!("{error}\n{text}"));
            for (values, found) in out.iter_mut().zip(found) {
                values.insert((step, pin), four(found));
            }
        }
    }
    out
}

/// Where a node is further off than its row allows.
fn wrong(program: &Program, point: &Around, values: &Values) -> Vec<String> {
    let mut out = Vec::new();
    for ((step, pin), found) in values {
        let of = |step: u32, pin: u8| values[&(step, pin)];
        let inputs = &program.steps[*step as usize].inputs;
        let is_finite = inputs.iter().all(|source| match source {
            Source::Pin { step, out, .. } => of(*step, *out).iter().all(|x| x.abs() < 1e30),
            _ => true,
        });
        let Some(want) = expected(program, *step, *pin, &of, point).filter(|_| is_finite) else { continue };
        for n in 0..usize::from(want.width) {
            // What does not fit into f32 has no right answer there.
            if want.value[n].abs() < 1e30 && want.bound < 1e22 && !((found[n] - want.value[n]).abs() <= want.bound) {
                let row = program.steps[*step as usize].kind.row();
                out.push(format!(
                    "n{step} {} [{n}]: {} for {} within {}",
                    row.word, found[n], want.value[n], want.bound
                ));
            }
        }
    }
    out
}

#[test]
fn every_node_computes_what_f64_computes() {
    let mut seen: BTreeMap<&str, usize> = BTreeMap::new();
    for case in 0..u64::from(cases(GRAPHS)) {
        let stream = &mut Rng::new(25).stream("graphs", case);
        let graph = random(stream, false);
        let bound = graph.program(&|_| true);
        let points: Vec<Around> = (0..POINTS).map(|_| around(stream, &bound, &graph)).collect();
        for (values, point) in computed(&bound.program, &points).iter().zip(&points) {
            let wrong = wrong(&bound.program, point, values);
            assert!(wrong.is_empty(), "graph {case}: {wrong:#?}\n{}", bound.program);
        }
        for step in &bound.program.steps {
            *seen.entry(step.kind.row().word).or_default() += 1;
        }
    }
    // A switch is gone before there is a program.
    let unseen: Vec<&str> = (Kind::all().map(Kind::row))
        .filter(|row| !row.needs_derivative && row.setting != Setting::Switch)
        .map(|row| row.word)
        .filter(|word| !seen.contains_key(word))
        .collect();
    assert!(unseen.is_empty(), "no graph has {unseen:?}");
}

/// Each node by itself, at points that are likely to be wrong.
#[test]
fn every_node_keeps_its_bound_at_its_edges() {
    let edges = [0.0, -0.0, 1.0, -1.0, 0.5, 2.0, 1e-30, -1e-30, 1e20, 8_388_609.5, -7.25, 88.5, 1.0000001];
    for kind in Kind::all().filter(|kind| !kind.row().needs_derivative) {
        let row = kind.row();
        for case in 0..24u64 {
            let stream = &mut Rng::new(26).stream(row.word, case);
            let inputs = row.inputs.iter().map(|pin| {
                let width = match pin.width {
                    Width::Fixed(width) => width,
                    Width::Widest => 3,
                };
                let numbers = std::array::from_fn(|n| if n < usize::from(width) { *stream.pick(&edges) } else { 0.0 });
                Some(Input::Numbers { numbers, width })
            });
            let inputs: Vec<Option<Input>> = inputs.collect();
            let setting = match row.setting {
                Setting::Value => Settled::Value { numbers: [1e20, -0.0, 0.1, 16_777_217.0], width: 4 },
                Setting::Number | Setting::Color | Setting::Time => Settled::Parameter([0.1; 4]),
                Setting::Switch => continue,
                Setting::UvSet => Settled::Whole(1),
                Setting::Octaves => Settled::Whole(8),
                _ => Settled::None,
            };
            let node = Node { name: "own".into(), kind, inputs, setting };
            for (out, _) in row.outputs.iter().enumerate() {
                let link = Link { node: 0, out: out as u8, component: Some(0).filter(|_| out == 0) };
                let graph =
                    Graph { nodes: vec![node.clone()], outputs: vec![(Output::Roughness, link)], ..Graph::default() };
                let bound = graph.program(&|_| true);
                let points = [around(stream, &bound, &graph)];
                let values = computed(&bound.program, &points);
                let wrong = wrong(&bound.program, &points[0], &values[0]);
                assert!(wrong.is_empty(), "{wrong:#?}\n{}", bound.program);
            }
        }
    }
}

/// Where the oracle is told of another formula, it says so.
#[test]
fn a_wrong_node_is_noticed() {
    let kind = Kind::of_word("multiply").unwrap();
    let inputs = [3.0, 0.1].map(|x| Some(Input::Numbers { numbers: [x, 0.0, 0.0, 0.0], width: 1 }));
    let node = Node { name: "own".into(), kind, inputs: inputs.to_vec(), setting: Settled::None };
    let link = Link { node: 0, out: 0, component: None };
    let graph = Graph { nodes: vec![node], outputs: vec![(Output::Roughness, link)], ..Graph::default() };
    let program = graph.program(&|_| true).program;
    let right = f64::from(3.0f32 * 0.1);
    let told =
        |found: f64| wrong(&program, &Around::default(), &Values::from([((0, 0), [found, 0.0, 0.0, 0.0])])).len();
    assert_eq!([right, right + 1e-6, 3.1].map(told), [0, 1, 1]);
}

/// Mistakes in the functions of every family are noticed at random points.
#[test]
fn a_wrong_function_is_noticed() {
    for (word, find, instead) in [
        ("smoothstep", "t * t * (3.0 - 2.0 * t)", "t * t * (3.0 - 2.0 * t) + 1e-5"),
        ("modulo", "floor(graph_divide(a, b))", "trunc(graph_divide(a, b))"),
        ("length", "most * sqrt(dot(w, w))", "most * dot(w, w)"),
        ("luminance", "0.7152", "0.7153"),
        ("noise", "h < 4u", "h < 5u"),
        ("cells", "random - 0.5", "random - 0.4"),
        ("fresnel", "graph_normalize3(view)", "view"),
        ("uv_transform", "c * scaled.y - s * scaled.x", "c * scaled.y + s * scaled.x"),
        ("normal_map", "texel.z * 2.0 - 1.0", "texel.z"),
    ] {
        let kind = Kind::of_word(word).unwrap();
        let stream = &mut Rng::new(30).stream(word, 0);
        let mut noticed = 0;
        for _ in 0..24 {
            let inputs = kind.row().inputs.iter().map(|pin| {
                let width = if let Width::Fixed(width) = pin.width { width } else { 3 };
                Some(Input::Numbers { numbers: numbers(stream, width), width })
            });
            let node = Node { name: "own".into(), kind, inputs: inputs.collect(), setting: Settled::None };
            let link = Link { node: 0, out: 0, component: None };
            let graph = Graph { nodes: vec![node], outputs: vec![(Output::Roughness, link)], ..Graph::default() };
            let bound = graph.program(&|_| true);
            let points: Vec<Around> = (0..POINTS).map(|_| around(stream, &bound, &graph)).collect();
            let wrong_of = |mistake: &dyn Fn(String) -> String| {
                let values = computed_of(&bound.program, &points, mistake);
                values
                    .iter()
                    .zip(&points)
                    .map(|(values, point)| wrong(&bound.program, point, values).len())
                    .sum::<usize>()
            };
            assert_eq!(wrong_of(&|text| text), 0, "{word}");
            noticed += wrong_of(&|text| {
                assert!(text.contains(find), "{word}: {text}");
                text.replace(find, instead)
            });
        }
        assert!(noticed > 0, "{word}: {find} as {instead}");
    }
}

#[test]
fn every_text_is_valid_with_its_pictures() {
    for case in 0..u64::from(cases(GRAPHS)) {
        let stream = &mut Rng::new(27).stream("pictures", case);
        let graph = random(stream, true);
        for wanted in
            [Output::ALL.to_vec(), vec![Output::BaseColor, Output::Alpha], vec![Output::Normal], vec![Output::Radiance]]
        {
            let program = graph.program(&|output| wanted.contains(&output)).program;
            if program.outputs.is_empty() {
                continue;
            }
            let text = format!("{}{}", declarations(&program, 11), functions(&program));
            stillframe_draw::shader::check(&text).unwrap_or_else(|error| panic!("{error}\n{text}"));
            assert_eq!(stillframe_draw::shader::folded_constants(&text), Vec::<String>::new(), "{text}");
        }
    }
}

/// The same nodes in another order, some of them twice, and others that nothing reads.
fn disguised(stream: &mut Stream, graph: &Graph) -> Graph {
    let mut order: Vec<usize> = (0..graph.nodes.len()).collect();
    stream.shuffle(&mut order);
    let mut nodes: Vec<(usize, bool)> = order.iter().map(|at| (*at, false)).collect();
    // Parameters are known by their names: a copy would be another one.
    nodes.extend(
        order.iter().filter(|at| !matches!(graph.nodes[**at].setting, Settled::Parameter(_))).map(|at| (*at, true)),
    );
    let place = |wanted: usize, copy: bool| {
        let found = nodes.iter().position(|own| *own == (wanted, copy));
        found.or_else(|| nodes.iter().position(|own| *own == (wanted, false))).expect("it is there")
    };
    let moved = |link: Link, copy: bool| Link { node: place(link.node, copy), ..link };
    let mut out = Graph::default();
    for (at, copy) in &nodes {
        let mut node = graph.nodes[*at].clone();
        let mut flip = *copy;
        for input in node.inputs.iter_mut().flatten() {
            if let Input::Link(link) = input {
                *link = moved(*link, flip);
                flip = !flip;
            }
        }
        if *copy {
            node.name = format!("another {}", node.name);
        }
        out.nodes.push(node);
    }
    out.outputs = graph.outputs.iter().map(|(output, link)| (*output, moved(*link, stream.one_in(2)))).collect();
    out
}

#[test]
fn a_text_does_not_depend_on_the_order_of_the_file() {
    for case in 0..u64::from(cases(4 * GRAPHS)) {
        let stream = &mut Rng::new(28).stream("orders", case);
        let graph = random(stream, true);
        let other = disguised(stream, &graph);
        let [one, two] = [&graph, &other].map(|graph| graph.program(&|_| true).program);
        assert_eq!(functions(&one), functions(&two), "graph {case}");
        assert_eq!(one, two, "graph {case}");
    }
}

/// Every number of a text is the shortest that reads back as it is.
#[test]
fn numbers_read_back() {
    let stream = &mut Rng::new(29).stream("numbers", 0);
    for _ in 0..500 {
        let number = f32::from_bits(stream.next_u32());
        if !number.is_finite() {
            continue;
        }
        let kind = Kind::of_word("constant").unwrap();
        let setting = Settled::Value { numbers: [number, 0.0, 0.0, 0.0], width: 1 };
        let nodes = vec![Node { name: "own".into(), kind, inputs: Vec::new(), setting }];
        let graph = Graph {
            nodes,
            outputs: vec![(Output::Roughness, Link { node: 0, out: 0, component: None })],
            ..Graph::default()
        };
        let text = functions(&graph.program(&|_| true).program);
        let written = text.split("n0_value = ").nth(1).and_then(|rest| rest.split(';').next()).expect("a number");
        assert_eq!(written.parse::<f32>().map(f32::to_bits), Ok(number.to_bits()), "{written}");
        stillframe_draw::shader::check(&text).unwrap_or_else(|error| panic!("{error}\n{text}"));
    }
}

/// A program of ours, as its text. All sixteen changes of width are in one of these lines or are refused.
#[test]
fn a_shared_node_is_emitted_once() {
    let node = |name: &str, word: &str, inputs: &[Option<Input>]| {
        let kind = Kind::of_word(word).unwrap();
        let mut all = vec![None; kind.row().inputs.len()];
        all[..inputs.len()].copy_from_slice(inputs);
        Node { name: name.into(), kind, inputs: all, setting: Settled::None }
    };
    let to = |node: usize| Some(Input::Link(Link { node, out: 0, component: None }));
    let number = |x: f32| Some(Input::Numbers { numbers: [x, 0.0, 0.0, 0.0], width: 1 });
    let nodes = vec![
        node("noise", "noise", &[]),
        node("warm", "add", &[to(0), number(0.25)]),
        node("tint", "multiply", &[to(1), Some(Input::Numbers { numbers: [1.0, 0.5, 0.25, 0.0], width: 3 })]),
    ];
    let link = |node: usize| Link { node, out: 0, component: None };
    let graph =
        Graph { nodes, outputs: vec![(Output::BaseColor, link(2)), (Output::Roughness, link(1))], ..Graph::default() };
    let program = graph.program(&|_| true).program;
    let text = functions(&program);
    assert_eq!(text.matches("= graph_noise(").count(), 1, "{text}");
    let own = text.split("fn graph(").nth(1).expect("a function");
    let want = "object_position: vec3f) -> GraphOut {
    let n0_value = graph_noise(object_position);
    let n1_in_b = 0.25;
    let n1_value = n0_value + n1_in_b;
    let n2_in_a = vec3f(n1_value);
    let n2_in_b = vec3f(1.0, 0.5, 0.25);
    let n2_value = vec3f(n2_in_a.x * n2_in_b.x, n2_in_a.y * n2_in_b.y, n2_in_a.z * n2_in_b.z);
    let out_base_color = vec4f(n2_value, 1.0);
    return GraphOut(out_base_color, n1_value);
}
";
    assert_eq!(own.trim_end(), want.trim_end());
    // What only the colour needs is not in the text of the roughness.
    let rough = functions(&graph.program(&|output| output == Output::Roughness).program);
    assert!(!rough.contains("n2_") && rough.contains("n1_value"), "{rough}");
}
