//! Target `effect`: graphs of effects, every kind with any numbers, drawn small and looked at stage by stage.

use std::fmt::Write as _;
use std::fs;
use std::path::Path;

use stillframe_base::rng::Stream;
use stillframe_effects::{EFFECTS, Effect, EffectId, ParamKind, Space};
use stillframe_lab::fuzz::{Case, Mutant, Target, law};

use crate::render::Capture;
use crate::scene::{PlanOptions, Resolved, Scene, resolve_text};
use crate::source::{Diagnostic, Vfs};
use crate::take::{Settings, Take, TakeError, is_finite, take};

const NAME: &str = "effects.toml";

pub static EFFECT: Target = Target {
    name: "effect",
    doc: "graphs of post effects: every stage gives numbers, whatever was in its memory",
    make,
    check,
    of_bytes: |bytes| case(String::from_utf8_lossy(bytes).into_owned()),
    refusal: Some(refusal),
    to_bytes: Some(|case| case.bytes.clone()),
    own_shrink: Some(shrink),
    own_mutants: &[Mutant::LostLine, Mutant::Nan],
};

/// What scenes of others are made small to.
const SIDE_MAX_PX: u32 = 48;
const TABLE: (&str, &[u8]) = ("table.cube", b"LUT_1D_SIZE 3\n0 0 0\n0.4 0.5 0.7\n1 0.9 0.8\n");

/// Things before each other, some of them smooth, in all kinds of light, behind a camera that may turn.
const STAGE: &str = "
[camera.main]
position = [0.4, 1.3, 4.0]
look_at = [0.0, 0.4, 0.0]

[environment]
sky = { sun_elevation_deg = 30.0 }

[[light]]
name = 'sun'
direction = [-1.0, -2.0, -1.0]
illuminance_lux = 3.0

[[light]]
name = 'lamp'
kind = 'point'
position = [0.8, 1.0, 1.0]
intensity_cd = 2.0

[material.smooth]
base_color = [0.9, 0.6, 0.4]
metallic = 1.0
roughness = 0.1

[material.glass]
base_color = [0.3, 0.5, 0.9, 0.5]
alpha_mode = 'blend'

[[node]]
name = 'floor'
shape = 'plane'
size_m = [6.0, 6.0]
material = 'smooth'

[[node]]
name = 'ball'
shape = 'sphere'
radius_m = 0.5
position = { keys = [[0.0, [-0.5, 0.5, 0.0]], [1.0, [0.5, 0.6, 0.2]]] }

[[node]]
name = 'pane'
shape = 'quad'
size_m = [0.8, 0.8]
position = [0.6, 0.5, 0.8]
material = 'glass'
";

fn case(text: String) -> Case {
    let (name, bytes) = TABLE;
    Case { beside: vec![(name.to_string(), bytes.to_vec())], ..Case::new(NAME, text.into_bytes()) }
}

fn make(stream: &mut Stream) -> Case {
    let background = *stream.pick(&["transparent", "#204060", "environment"]);
    let (width_px, height_px) = (8 + stream.below(24), 8 + stream.below(16));
    let (samples, time_s) = (*stream.pick(&[1, 1, 4]), stream.unit_f64());
    let mut out = format!(
        "title = 'effects'\n\n[output]\nsize_px = [{width_px}, {height_px}]\nsamples = {samples}\n\
         background = '{background}'\ntime_s = {time_s:?}\n{STAGE}"
    );
    let mut earlier: Vec<&Effect> = Vec::new();
    for _ in 0..1 + stream.below(6) {
        let row = row(stream, &earlier);
        write_effect(stream, row, earlier.len(), &mut out);
        earlier.push(row);
    }
    case(out)
}

/// Any kind. What lighting reads comes once.
fn row(stream: &mut Stream, earlier: &[&'static Effect]) -> &'static Effect {
    let row = stream.pick(EFFECTS);
    let is_of_lighting = matches!(row.space, Space::Occlusion | Space::Reflection);
    let is_again = is_of_lighting && earlier.iter().any(|earlier| earlier.space == row.space);
    if is_again { EffectId::BLEND.row() } else { row }
}

fn write_effect(stream: &mut Stream, row: &Effect, at: usize, out: &mut String) {
    _ = writeln!(out, "\n[[effect]]\nkind = '{}'\nname = 'e{at}'", row.name);
    if !stream.one_in(4) {
        // Whatever the order, and at the identity.
        _ = writeln!(out, "force = true");
    }
    if stream.one_in(2) {
        _ = writeln!(out, "amount = {:?}", stream.unit_f64());
    }
    let mut pin = |name: &str, stream: &mut Stream| {
        if at > 0 {
            _ = writeln!(out, "{name} = 'e{}'", stream.below(at as u32));
        }
    };
    if stream.one_in(4) {
        pin("input", stream);
    }
    if row.has_two() {
        pin("with", stream);
    }
    for param in row.params {
        if param.kind == ParamKind::File || stream.one_in(2) {
            let value = value(stream, param.name, param.kind);
            _ = writeln!(out, "{} = {value}", param.name);
        }
    }
}

/// What a parameter may be: near what is usual, or at a bound.
fn value(stream: &mut Stream, name: &str, kind: ParamKind) -> String {
    let number = |stream: &mut Stream, min: f64, max: f64| match stream.below(10) {
        0 => min,
        1 => max,
        _ => min + (max.min(min.max(0.0) + 4.0) - min) * stream.unit_f64(),
    };
    let list = |stream: &mut Stream, count: usize, min: f64, max: f64| {
        let numbers: Vec<f64> = (0..count).map(|_| number(stream, min, max)).collect();
        format!("{numbers:?}")
    };
    match kind {
        ParamKind::Number { min, max, .. } => format!("{:?}", number(stream, min, max)),
        // Each costs a picture.
        ParamKind::Whole { min, .. } if name == "frames" => (min + i64::from(stream.below(3))).to_string(),
        ParamKind::Whole { min, max, .. } => {
            (min + i64::from(stream.below((max - min).min(16) as u32 + 1))).to_string()
        }
        ParamKind::Pair { min, max, .. } => list(stream, 2, min, max),
        ParamKind::Triple { min, max, .. } => list(stream, 3, min, max),
        ParamKind::Color { max, .. } => list(stream, 3, 0.0, max),
        ParamKind::Flag { .. } => stream.one_in(2).to_string(),
        ParamKind::File => format!("'{}'", TABLE.0),
        ParamKind::Choice { words, .. } => format!("'{}'", stream.pick(words)),
    }
}

/// Errors: what is wrong with a case's files, as complaints.
fn read(case: &Case, text: &str, vfs: &Vfs, folder: &Path) -> Result<Resolved, Vec<Diagnostic>> {
    resolve_text(text, Path::new(NAME), folder, vfs, &case.edits)
}

fn refusal(case: &Case) -> Option<String> {
    let folder = std::env::temp_dir();
    let vfs = Vfs::open(&folder).ok()?;
    // A table is all that such files name.
    let text = String::from_utf8_lossy(&case.bytes).into_owned();
    let found = read(case, &text, &vfs, &folder).err()?;
    let is_of_file = |found: &Diagnostic| found.message.contains(TABLE.0);
    found.iter().find(|found| !is_of_file(found)).map(|found| found.message.clone())
}

fn check(case: &Case, scratch: &Path, mutant: Option<Mutant>) -> Result<(), String> {
    let files = case.beside.iter().filter_map(|(name, bytes)| Some((Path::new(name).file_name()?, bytes)));
    for (name, bytes) in files {
        fs::write(scratch.join(name), bytes).map_err(|error| format!("cannot write the folder: {error}"))?;
    }
    let mutant = mutant.filter(|mutant| mutant.meets(case));
    let text = String::from_utf8_lossy(&case.bytes).into_owned();
    let vfs = Vfs::open(scratch).map_err(|found| found.message)?;
    let words = |_: &Path| Some(text.clone());
    let scene = match read(case, &text, &vfs, scratch) {
        Ok(resolved) => resolved.scene,
        Err(found) => return law::complaints(&found, words),
    };
    let mut printed = scene.print();
    if mutant == Some(Mutant::LostLine) {
        printed = printed.replacen("kind = ", "# kind = ", 1).replacen("force = true\n", "", 1);
    }
    let again = read(&Case::default(), &printed, &vfs, scratch);
    if again.as_ref().map(|again| &again.scene.effects) != Ok(&scene.effects) {
        return Err("the printed effects are others".into());
    }
    let mut scene = scene;
    let Scene { output, .. } = &mut scene;
    (output.width_px, output.height_px) = (output.width_px.min(SIDE_MAX_PX), output.height_px.min(SIDE_MAX_PX));
    let Some(mut drawn) = picture(&scene, Capture::Draws)? else { return Ok(()) };
    if mutant == Some(Mutant::Nan)
        && let Some(texels) = drawn.captures.iter_mut().find_map(|pass| pass.texels.as_mut())
    {
        texels.bytes.fill(0xFF);
    }
    for pass in &drawn.captures {
        let Some(texels) = &pass.texels else { continue };
        if !is_finite(texels) {
            return Err(format!("pass `{}` leaves an infinite or undefined number", pass.name));
        }
    }
    let poisoned = Scene { plan: PlanOptions { alias: false, poison: true }, ..scene };
    let again = picture(&poisoned, Capture::Off)?;
    match again.is_some_and(|again| again.pictures == drawn.pictures) {
        true => Ok(()),
        false => Err("pixels depend on what was in memory".into()),
    }
}

/// `None`: it is refused. Errors: a fault of ours.
fn picture(scene: &Scene, capture: Capture) -> Result<Option<Take>, String> {
    let settings = Settings { bits: 16, capture, ..Settings::default() };
    match take(scene, &settings, &mut |_| ()) {
        Ok(taken) => Ok(Some(taken)),
        Err(TakeError::Scene(found)) if !found.is_empty() => Ok(None),
        Err(error) => Err(error.to_string()),
    }
}

/// Leaves out effects, one after the other, and then their lines. What is drawn stays so.
fn shrink(whole: &Case, tries_max: usize, still: &mut dyn FnMut(&Case) -> bool) -> Option<Case> {
    let text = String::from_utf8(whole.bytes.clone()).ok()?;
    let (stage, effects) = text.split_once("\n[[effect]]")?;
    let mut effects: Vec<Vec<String>> =
        effects.split("\n[[effect]]").map(|effect| effect.lines().map(str::to_string).collect()).collect();
    let of = |effects: &[Vec<String>]| {
        let parts = effects.iter().map(|lines| format!("\n[[effect]]{}\n", lines.join("\n")));
        Case { bytes: format!("{stage}{}", parts.collect::<String>()).into_bytes(), ..whole.clone() }
    };
    let is_drawn = refusal(whole).is_none();
    let mut still = |case: Case| (!is_drawn || refusal(&case).is_none()) && still(&case);
    if of(&effects) != *whole && !still(of(&effects)) {
        return None;
    }
    let mut tries = 0;
    let mut at = effects.len();
    while at > 0 && tries < tries_max {
        at -= 1;
        let mut fewer = effects.clone();
        fewer.remove(at);
        tries += 1;
        if !fewer.is_empty() && still(of(&fewer)) {
            effects = fewer;
            continue;
        }
        for line in (0..effects[at].len()).rev().take(tries_max.saturating_sub(tries)) {
            let mut shorter = effects.clone();
            shorter[at].remove(line);
            tries += 1;
            if still(of(&shorter)) {
                effects = shorter;
            }
        }
    }
    Some(of(&effects))
}
