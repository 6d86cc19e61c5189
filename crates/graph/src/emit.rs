//! Emit: a program as WGSL.
//!
//! Every node has its number in the program in its names: `n3_value` is the output `value` of the fourth, and
//! `n3_in_a` its input `a` where that is a number or another width. No expression has two plain numbers for naga to
//! fold: they get names first.

use std::fmt::Write;

use crate::form::{Piece, Pieces, uv_set};
use crate::graph::Output;
use crate::library;
use crate::program::{Program, Source, Step, StepSetting};
use crate::row::{Form, Geometry, Width};

/// The uniform of parameters and the textures, in group 2 from a binding on.
pub fn declarations(program: &Program, binding: u32) -> String {
    let mut out = String::new();
    if program.parameter_count > 0 {
        _ = writeln!(
            out,
            "@group(2) @binding({binding}) var<uniform> graph_parameters: array<vec4f, {}>;",
            program.parameter_count
        );
    }
    for at in 0..program.texture_count {
        let (texture, sampler) = (texture_binding(binding, at), sampler_binding(binding, at));
        _ = writeln!(out, "@group(2) @binding({texture}) var graph_texture_{at}: texture_2d<f32>;");
        _ = writeln!(out, "@group(2) @binding({sampler}) var graph_sampler_{at}: sampler;");
    }
    out
}

/// Binding of a texture, if the parameters have `binding`.
pub fn texture_binding(binding: u32, at: u32) -> u32 {
    binding + 1 + 2 * at
}

pub fn sampler_binding(binding: u32, at: u32) -> u32 {
    binding + 2 + 2 * at
}

/// What `graph` wants to be called with.
pub fn arguments(program: &Program) -> impl Iterator<Item = Geometry> {
    program.geometry.iter().copied().filter(|geometry| !geometry.is_of_light())
}

/// The functions that nodes call, `GraphOut`, and `graph`, which returns it; with [`Output::Radiance`] also `radiance`,
/// which is asked for each light. What is the same for all lights is computed by `graph` and read from its result.
pub fn functions(program: &Program) -> String {
    let mut fields = String::new();
    let mut ends = String::new();
    let mut values = Vec::new();
    let late = program.of_light();
    for (output, source) in program.outputs.iter().filter(|(output, _)| is_surface(*output)) {
        let word = output.word();
        _ = writeln!(fields, "    {word}: {},", type_name(output.width()));
        let (have, name) = (program.width(*source), name(program, *source));
        if have == output.width() && !matches!(source, Source::Numbers { .. }) {
            values.push(name);
        } else {
            _ = writeln!(ends, "    let out_{word} = {};", widened(&name, have, output.width()));
            values.push(format!("out_{word}"));
        }
    }
    let radiance = program.outputs.iter().find(|(output, _)| *output == Output::Radiance).map(|(_, source)| *source);
    for source in radiance.iter().flat_map(|radiance| shared(program, &late, *radiance)) {
        let (field, value) = (field(program, source), name(program, source));
        _ = writeln!(fields, "    {field}: {},", type_name(program.width(source)));
        values.push(value);
    }
    if fields.is_empty() {
        // All of it differs from light to light.
        fields.push_str("    nothing: f32,\n");
        values.push("0.0".to_string());
    }
    let once: Vec<u8> = program.needed(&|output| !output.is_at_corners());
    let once: Vec<u8> = once.iter().zip(&late).map(|(outs, late)| if *late { 0 } else { *outs }).collect();
    let body = format!("{}{ends}    return GraphOut({});\n", body(program, &once), values.join(", "));
    let each = radiance.map(|radiance| radiance_of(program, &late, radiance)).unwrap_or_default();
    let corners = displaced(program);
    let library = library::functions(&format!("{body}{each}{corners}"));
    if !program.has_pixels() {
        return format!("{library}{corners}");
    }
    let given: Vec<Geometry> = arguments(program).collect();
    format!(
        "{library}struct GraphOut {{\n{fields}}}\n\nfn graph({}) -> GraphOut {{\n{body}}}\n\n{each}{corners}",
        parameters(&given)
    )
}

/// Whether `graph` returns it.
fn is_surface(output: Output) -> bool {
    output != Output::Radiance && !output.is_at_corners()
}

/// `displaced`: how far a corner moves in the space of the mesh, by what it knows and the mesh's normal; at most as far
/// as the material says.
fn displaced(program: &Program) -> String {
    if !program.displaces() {
        return String::new();
    }
    let needed = program.needed(&Output::is_at_corners);
    let mut given = parameters(&program.corner_geometry);
    if !given.is_empty() {
        given.push_str(", ");
    }
    let mut out = format!("fn displaced({given}mesh_normal_local: vec3f) -> vec3f {{\n{}", body(program, &needed));
    let most = literal(&[f32::from_bits(program.displacement_max)]);
    _ = writeln!(out, "    let most = {most};\n    var way = vec3f(0.0);");
    for (output, source) in program.outputs.iter().filter(|(output, _)| output.is_at_corners()) {
        let value = widened(&name(program, *source), program.width(*source), output.width());
        let along = if *output == Output::Displacement { " * mesh_normal_local" } else { "" };
        _ = writeln!(out, "    way += {value}{along};");
    }
    out.push_str(
        "    let length2 = dot(way, way);
    // What has no number moves nothing.
    if !(length2 > 0.0) {
        return vec3f(0.0);
    }
    return way * min(1.0, most * inverseSqrt(length2));
}

",
    );
    out
}

/// The outputs of steps that differ from light to light, by bits.
fn of_each(program: &Program, late: &[bool]) -> Vec<u8> {
    program.steps.iter().zip(late).map(|(step, late)| if *late { step.outs } else { 0 }).collect()
}

/// The values that are the same for all lights and that the text of one light reads, each once.
fn shared(program: &Program, late: &[bool], radiance: Source) -> Vec<Source> {
    let geometry = program.read(&of_each(program, late)).into_iter().filter(|geometry| !geometry.is_of_light());
    let mut out: Vec<Source> = geometry.map(Source::Geometry).collect();
    let inputs = program.steps.iter().zip(late).filter(|(_, late)| **late).flat_map(|(step, _)| step.inputs.iter());
    for source in inputs.copied().chain([radiance]) {
        let whole = match source {
            Source::Pin { step, out, .. } if !late[step as usize] => Source::Pin { step, out, component: None },
            Source::Geometry(geometry) if !geometry.is_of_light() => source,
            _ => continue,
        };
        if !out.contains(&whole) {
            out.push(whole);
        }
    }
    out
}

/// The member of `GraphOut` that holds a shared value.
fn field(program: &Program, source: Source) -> String {
    format!("shared_{}", name(program, source))
}

/// `radiance`: what a light sends to the eye; nothing where nothing of it arrives.
fn radiance_of(program: &Program, late: &[bool], radiance: Source) -> String {
    let mut out = String::from(
        "fn radiance(g: GraphOut, light_direction: vec3f, light_irradiance: vec3f, light_color: vec3f, light_shadow: f32, lit_normal: vec3f) -> vec3f {
    if all(light_irradiance == vec3f(0.0)) {
        return vec3f(0.0);
    }\n",
    );
    for source in shared(program, late, radiance) {
        _ = writeln!(out, "    let {} = g.{};", name(program, source), field(program, source));
    }
    out.push_str(&body(program, &of_each(program, late)));
    let sent = widened(&name(program, radiance), program.width(radiance), Output::Radiance.width());
    _ = write!(out, "    let sent = {sent};\n    return clamp(sent, vec3f(0.0), vec3f(1e9));\n}}\n\n");
    out
}

/// The same functions, and `graph`, which returns one output of one node: for tests.
pub fn probed(program: &Program, step: u32, out: u8) -> String {
    let all: Vec<u8> = program.steps.iter().map(|step| step.outs).collect();
    let source = Source::Pin { step, out, component: None };
    let body = format!("{}    return {};\n", body(program, &all), name(program, source));
    let library = library::functions(&body);
    format!("{library}fn graph({}) -> {} {{\n{body}}}\n", parameters(&read(program)), type_name(program.width(source)))
}

fn parameters(geometry: &[Geometry]) -> String {
    let each = geometry.iter().map(|geometry| format!("{}: {}", geometry.word(), type_name(geometry.width())));
    each.collect::<Vec<_>>().join(", ")
}

/// Everything that the program reads, in order: what [`probed`] is called with.
pub fn read(program: &Program) -> Vec<Geometry> {
    let all = program.geometry.iter().chain(&program.corner_geometry).copied();
    all.collect::<std::collections::BTreeSet<_>>().into_iter().collect()
}

/// The steps of which some outputs are wanted, by bits.
fn body(program: &Program, wanted: &[u8]) -> String {
    let mut out = String::new();
    for (number, step) in program.steps.iter().enumerate().filter(|(number, _)| wanted[*number] != 0) {
        self::step(program, number, step, wanted[number], &mut out);
    }
    out
}

fn step(program: &Program, number: usize, step: &Step, outs: u8, out: &mut String) {
    let row = step.kind.row();
    let mut inputs = Vec::with_capacity(row.inputs.len());
    for (at, pin) in row.inputs.iter().enumerate() {
        let source = step.inputs[at];
        let (have, want) = (program.width(source), step.pin_width(at));
        let mut own = name(program, source);
        let needs_name = have != want || matches!(source, Source::Numbers { .. });
        if needs_name && step.outputs(outs).any(|(_, pieces)| pieces.reads_pin(at)) {
            let named = format!("n{number}_in_{}", pin.name);
            _ = writeln!(out, "    let {named} = {};", widened(&own, have, want));
            own = named;
        }
        inputs.push(own);
    }
    for (output, pieces) in step.outputs(outs) {
        _ = write!(out, "    let n{number}_{} = ", output.name);
        if matches!(output.form, Form::Each(_)) && step.width > 1 {
            for (at, part) in PARTS[..usize::from(step.width)].iter().enumerate() {
                out.push_str(if at == 0 { type_name(step.width) } else { ", " });
                out.push_str(if at == 0 { "(" } else { "" });
                written(pieces, step, &inputs, part, out);
            }
            out.push(')');
        } else {
            written(pieces, step, &inputs, "", out);
        }
        out.push_str(";\n");
    }
}

const PARTS: [&str; 4] = [".x", ".y", ".z", ".w"];

/// The value of an output; `part`: which number is read of the pins of the widest width.
fn written(pieces: &Pieces, step: &Step, inputs: &[String], part: &str, out: &mut String) {
    for piece in pieces.iter() {
        _ = match (piece, step.setting) {
            (Piece::Text(text), _) => out.write_str(text),
            (Piece::Geometry(geometry), _) => out.write_str(geometry.word()),
            (Piece::Pin(at), _) => {
                let is_widest = step.kind.row().inputs[at].width == Width::Widest;
                write!(out, "{}{}", inputs[at], if is_widest { part } else { "" })
            }
            (Piece::Width, _) => write!(out, "{}", step.width),
            (Piece::UvSet, StepSetting::Whole(set)) => out.write_str(uv_set(set).word()),
            (Piece::Setting, StepSetting::Whole(number)) => write!(out, "{number}u"),
            (Piece::Setting, StepSetting::Value { bits, width }) => {
                out.write_str(&literal(&bits.map(f32::from_bits)[..usize::from(width)]))
            }
            (Piece::Parameter, StepSetting::Parameter(at)) => write!(out, "graph_parameters[{at}]"),
            (Piece::Texture, StepSetting::Texture(at)) => write!(out, "graph_texture_{at}"),
            (Piece::Sampler, StepSetting::Texture(at)) => write!(out, "graph_sampler_{at}"),
            (piece, setting) => unreachable!("{}: {piece:?} of {setting:?}", step.kind.row().word),
        };
    }
}

/// A source's name, or its numbers.
pub(crate) fn name(program: &Program, source: Source) -> String {
    match source {
        Source::Numbers { bits, width } => literal(&bits.map(f32::from_bits)[..usize::from(width)]),
        Source::Geometry(geometry) => geometry.word().to_string(),
        Source::Pin { step, out, component } => {
            let output = &program.steps[step as usize].kind.row().outputs[usize::from(out)];
            let component = component.map_or("", |at| PARTS[usize::from(at)]);
            format!("n{step}_{}{component}", output.name)
        }
    }
}

/// A value in another width: one number is repeated, more are cut, three become a colour that hides what is behind.
fn widened(value: &str, have: u8, want: u8) -> String {
    match (have, want) {
        _ if have == want => value.to_string(),
        (1, _) => format!("{}({value})", type_name(want)),
        (3, 4) => format!("vec4f({value}, 1.0)"),
        _ => format!("{value}.{}", ["", "x", "xy", "xyz"][usize::from(want)]),
    }
}

/// The shortest text that reads back as the same number; a vector of several.
pub(crate) fn literal(numbers: &[f32]) -> String {
    match numbers {
        [number] => format!("{number:?}"),
        _ => {
            let each: Vec<String> = numbers.iter().map(|number| format!("{number:?}")).collect();
            format!("{}({})", type_name(numbers.len() as u8), each.join(", "))
        }
    }
}

pub(crate) fn type_name(width: u8) -> &'static str {
    ["", "f32", "vec2f", "vec3f", "vec4f"][usize::from(width)]
}
