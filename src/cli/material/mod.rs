//! `material`: the materials of a file, as a list or each on a ball, a plane and a cube.

use std::collections::BTreeSet;
use std::fmt::Write;
use std::path::{Path, PathBuf};

use clap::Args as ClapArgs;
use serde_json::json;
use stillframe_frames::{CodeSpace, Picture, sheet};

use super::encode::encode_looked_at;
use super::form::Form;
use super::session::is_scene;
use super::status::Failure;
use super::{Surroundings, inspect, interrupt, json as words, messages, stdout};
use crate::scene::{
    Resolved, Scene, SceneMaterial, Wishes, parse_size, read, read_around, resolve_text, toml_key, toml_text,
};
use crate::source::{Diagnostic, Vfs};
use crate::take::{Settings, take};

/// What every material is shown in; `SHAPES` wear it.
const STUDIO: &str = include_str!("studio.toml");
const SHAPES: [&str; 3] = ["ball", "plane", "cube"];

/// List the materials of a file, or draw each on a ball, a plane and a cube
#[derive(ClapArgs, Debug)]
#[command(after_help = "\
Examples:
  stillframe material brass.mtlx                     what it holds
  stillframe material brass.mtlx --sheet             into brass.png
  stillframe material model.glb --sheet
  stillframe material scene.toml --sheet -o all.png
  stillframe material scene.toml --sheet --only wall --size 512x512
  stillframe material scene.toml --sheet --set material.wall.roughness=0.2")]
pub struct MaterialArgs {
    /// Scene (.toml), MaterialX file (.mtlx) or model
    pub file: PathBuf,
    /// Draw all materials in one picture, in the order of the list
    #[arg(long)]
    pub sheet: bool,
    /// Output file (.png .jpg .webp) [default: the file's name with .png, in the working folder]
    #[arg(short, long, value_name = "OUT", requires = "sheet")]
    pub output: Option<PathBuf>,
    /// Size of each cell in pixels
    #[arg(long, value_name = "WxH", value_parser = parse_size, default_value = "256x256")]
    pub size: Option<[u32; 2]>,
    /// Materials in a row [default: as many as there are rows]
    #[arg(long, value_name = "N", requires = "sheet", value_parser = clap::value_parser!(u32).range(1..=64))]
    pub columns: Option<u32>,
    /// Take only the material of this name. Can be repeated
    #[arg(long, value_name = "NAME")]
    pub only: Vec<String>,
    /// Change a value first. Can be repeated
    #[arg(long = "set", value_name = "PATH=VALUE")]
    pub edits: Vec<String>,
    /// Treat warnings as errors
    #[arg(long)]
    pub strict: bool,
}

pub fn run(args: &MaterialArgs, surroundings: &Surroundings) -> Result<(), Failure> {
    interrupt::watch(&surroundings.unfinished);
    let resolved = opened(&args.file, &args.edits, surroundings)?;
    messages::warnings(&resolved.warnings, &args.edits, args.strict, surroundings)?;
    let chosen = chosen(args, &resolved.scene)?;
    let drawn = args.sheet.then(|| place(args)).transpose()?;
    for material in &chosen {
        tell(material, surroundings)?;
    }
    let Some((path, form)) = drawn else { return Ok(()) };
    let files = |diagnostics: Vec<Diagnostic>| Failure::Files { diagnostics, edits: args.edits.clone() };
    let studio = studio(&resolved.scene, args.size).map_err(files)?;
    let mut pictures = Vec::new();
    for material in chosen {
        pictures.push(picture(&studio, (&resolved.scene, material), args, surroundings)?);
    }
    let count = pictures.len() as u32;
    let columns = args.columns.unwrap_or_else(|| (1..count).find(|side| side * side >= count).unwrap_or(count));
    let one = sheet(&pictures, columns, count.div_ceil(columns)).map_err(|error| Failure::usage(error.to_string()))?;
    let bytes = encode_looked_at(form, &one, CodeSpace::Srgb)?;
    surroundings.unfinished.write(&path, &bytes).map_err(|error| Failure::of_write(&path, &error))?;
    words::line("file/1", json!({ "file": path.display().to_string() }), surroundings)
}

/// A scene with the file's materials: the studio includes a MaterialX file, and begins materials as those of a model.
fn opened(file: &Path, edits: &[String], surroundings: &Surroundings) -> Result<Resolved, Failure> {
    let files = |diagnostics: Vec<Diagnostic>| Failure::Files { diagnostics, edits: edits.to_vec() };
    if is_scene(file) {
        return read(file, edits).map_err(files);
    }
    if file.extension().is_some_and(|ending| ending == "mtlx") {
        return read_around(file, &|name| format!("include = {name}\n{STUDIO}"), edits).map_err(files);
    }
    let (_, model) = inspect::read(file, &Wishes::default(), surroundings)?;
    let mut own = String::new();
    let mut names = BTreeSet::new();
    for material in model.materials.iter().filter(|material| names.insert(&material.name)) {
        let (key, name) = (toml_key(&material.name), toml_text(&material.name));
        let _ = writeln!(own, "[material.{key}]\nfrom = {name}\nfrom_model = \"file\"");
    }
    read_around(file, &|name| format!("{STUDIO}\n[model.file]\nfile = {name}\n{own}"), edits).map_err(files)
}

fn chosen<'s>(args: &MaterialArgs, scene: &'s Scene) -> Result<Vec<&'s SceneMaterial>, Failure> {
    let is_studio = |material: &SceneMaterial| !is_scene(&args.file) && material.name == FLOOR;
    let all: Vec<&SceneMaterial> = scene.materials.iter().filter(|material| !is_studio(material)).collect();
    if let Some(unknown) = args.only.iter().find(|name| all.iter().all(|material| material.name != **name)) {
        let names: Vec<String> = all.iter().map(|material| format!("`{}`", material.name)).collect();
        let help = format!("it has {}", if names.is_empty() { "none".into() } else { names.join(", ") });
        return Err(Failure::Usage(format!("no material is called `{unknown}`"), Some(help)));
    }
    let is_wanted = |material: &&SceneMaterial| args.only.is_empty() || args.only.contains(&material.name);
    let wanted: Vec<&SceneMaterial> = all.into_iter().filter(is_wanted).collect();
    if wanted.is_empty() {
        return Err(Failure::usage(format!("{} has no material", args.file.display())));
    }
    Ok(wanted)
}

/// The studio's own material.
const FLOOR: &str = "floor of the studio";

fn place(args: &MaterialArgs) -> Result<(PathBuf, Form), Failure> {
    let Some(path) = &args.output else {
        let stem = args.file.file_stem().unwrap_or_default();
        return Ok((Path::new(stem).with_extension("png"), Form::Png));
    };
    let ending = path.extension().and_then(|ending| ending.to_str()).unwrap_or_default().to_ascii_lowercase();
    let form = Form::WORDS.iter().find(|(word, form)| *word == ending && form.is_looked_at() && !form.is_film());
    match form {
        Some((_, form)) => Ok((path.clone(), *form)),
        None => {
            let help = Some("end the name with .png, .jpg or .webp".to_string());
            Err(Failure::Usage(format!("cannot write a sheet to `{}`", path.display()), help))
        }
    }
}

/// A line for people, or an object for programs.
fn tell(material: &SceneMaterial, surroundings: &Surroundings) -> Result<(), Failure> {
    let SceneMaterial { name, from: _, values } = material;
    let model = values.model.unwrap_or_default().row().name;
    let nodes = values.graph.as_ref().map_or(0, |graph| graph.graph.nodes.len());
    if surroundings.json.is_some() {
        return words::line("material/1", json!({ "name": name, "model": model, "nodes": nodes }), surroundings);
    }
    let nodes = match nodes {
        0 => String::new(),
        1 => "  1 node".to_string(),
        nodes => format!("  {nodes} nodes"),
    };
    stdout::line(&format!("{name}  {model}{nodes}"))
}

/// The studio, which finds the files that the scene's materials name.
fn studio(scene: &Scene, size_px: Option<[u32; 2]>) -> Result<Scene, Vec<Diagnostic>> {
    let vfs = Vfs::open(&scene.root).map_err(|diagnostic| vec![diagnostic])?;
    let mut studio = resolve_text(STUDIO, Path::new("studio.toml"), &scene.root, &vfs, &[])?.scene;
    if let Some([width_px, height_px]) = size_px {
        (studio.output.width_px, studio.output.height_px) = (width_px, height_px);
    }
    Ok(studio)
}

fn picture(
    studio: &Scene,
    (of, material): (&Scene, &SceneMaterial),
    args: &MaterialArgs,
    surroundings: &Surroundings,
) -> Result<Picture, Failure> {
    let mut scene = studio.clone();
    let mut material = material.clone();
    if let Some(from) = &mut material.from {
        scene.models = vec![of.models[from.model].clone()];
        from.model = 0;
    }
    scene.materials.push(material);
    let worn = scene.materials.len() - 1;
    for node in scene.nodes.iter_mut().filter(|node| SHAPES.contains(&node.name.as_str())) {
        node.material = Some(worn);
    }
    let taken =
        take(&scene, &Settings::default(), &mut |_| {}).map_err(|error| Failure::of_take(error, &args.edits))?;
    messages::warnings(&taken.warnings, &args.edits, args.strict, surroundings)?;
    Ok(taken.pictures.into_iter().next().expect("colour was asked for").1)
}
