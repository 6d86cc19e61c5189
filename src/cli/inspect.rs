//! `inspect`: what a model file holds.

use std::collections::BTreeSet;

use glam::Vec3;
use serde_json::{Value, json};
use stillframe_base::geom::Aabb;

use super::args::InspectArgs;
use super::status::Failure;
use super::{Surroundings, report, shot, sizes, stdout};
use crate::asset::Texels;
use crate::import::{self, Model, ModelLightKind, ModelProjection};
use crate::pose;
use crate::scene::{Scene, Wishes};
use crate::source::Diagnostic;

pub fn run(args: &InspectArgs, surroundings: &Surroundings) -> Result<(), Failure> {
    if shot::is_scene(&args.file) {
        let help = "`stillframe render SCENE --dump world` tells what a scene holds".to_string();
        return Err(Failure::Usage("models are inspected, this is a scene".into(), Some(help)));
    }
    let files = |diagnostics: Vec<Diagnostic>| Failure::Files { diagnostics, edits: Vec::new() };
    let scene = Scene::for_model(&args.file, &Wishes::default()).map_err(files)?.scene;
    let vfs = scene.vfs().map_err(|d| files(vec![d]))?;
    let file = &scene.models[0].file;
    let model = import::model(file, &|path| vfs.read(path)).map_err(files)?;
    let figures = Figures::of(&model);
    if surroundings.json.is_some() {
        let document = json(&args.file.display().to_string(), &model, &figures);
        stdout::line(&serde_json::to_string_pretty(&document).expect("plain values"))?;
        return Ok(());
    }
    report::diagnostics(&model.warnings, &[], surroundings);
    stdout::write(text(&model, &figures).as_bytes())
}

/// Sums over what the nodes show.
struct Figures {
    /// Of every node that shows it.
    triangle_count: usize,
    vertex_count: usize,
    bounds: Aabb,
}

impl Figures {
    fn of(model: &Model) -> Figures {
        let mut out = Figures { triangle_count: 0, vertex_count: 0, bounds: Aabb::EMPTY };
        let mut counted = BTreeSet::new();
        let pose = pose::pose(model, &[]);
        for (index, node) in model.nodes.iter().enumerate() {
            for part in &node.parts {
                let bent = pose::bend(model, index, part.geometry, &pose);
                let geometry = bent.as_ref().unwrap_or(&model.geometries[part.geometry].surface);
                out.triangle_count += geometry.indices.len() / 3;
                if counted.insert(part.geometry) {
                    out.vertex_count += geometry.positions.len();
                }
                for position in &geometry.positions {
                    let placed = pose.model_from_parts[index].transform_point3(Vec3::from_array(*position));
                    out.bounds = out.bounds.with(placed);
                }
            }
        }
        out
    }
}

fn text(model: &Model, figures: &Figures) -> String {
    let mut out = String::new();
    let mut line = |text: String| {
        out.push_str(&text);
        out.push('\n');
    };
    line(format!(
        "{}, {}, {} shown, {}, {}, {}, {}",
        report::count(model.nodes.len(), "node"),
        report::count(figures.vertex_count, "vertex").replace("vertexs", "vertices"),
        report::count(figures.triangle_count, "triangle"),
        report::count(model.materials.len(), "material"),
        report::count(model.images.len(), "image"),
        report::count(model.cameras.len(), "camera"),
        report::count(model.lights.len(), "light"),
    ));
    if !figures.bounds.is_empty() {
        let Aabb { min, max } = figures.bounds;
        line(format!(
            "bounds ({:.4} {:.4} {:.4}) .. ({:.4} {:.4} {:.4}) metres, +Y up",
            min.x, min.y, min.z, max.x, max.y, max.z
        ));
    }
    line("\nnodes".into());
    let mut depths: Vec<usize> = Vec::with_capacity(model.nodes.len());
    for node in &model.nodes {
        let depth = node.parent.map_or(1, |parent| depths[parent] + 1);
        depths.push(depth);
        // Deep trees stay readable.
        let mut shown = format!("{}{}", "  ".repeat(depth.min(20)), node.name);
        for part in &node.parts {
            let geometry = &model.geometries[part.geometry].surface;
            let material = &model.materials[part.material].name;
            shown.push_str(&format!(
                "  [{} vertices, {} triangles, {material}]",
                geometry.positions.len(),
                geometry.indices.len() / 3
            ));
        }
        line(shown);
    }
    let mut section = |title: &str, lines: Vec<String>| {
        if !lines.is_empty() {
            out.push_str(&format!("\n{title}\n"));
            lines.iter().for_each(|l| out.push_str(&format!("  {l}\n")));
        }
    };
    section("materials", model.materials.iter().map(|m| m.name.clone()).collect());
    section(
        "images",
        model
            .images
            .iter()
            .map(|i| format!("{}  {}x{} {}", i.name, i.width_px, i.height_px, texel_word(&i.texels)))
            .collect(),
    );
    section(
        "cameras",
        model.cameras.iter().map(|c| format!("{}  {}", c.name, projection_words(&c.projection))).collect(),
    );
    section("sizes", sizes::lines(&sizes::of(model)));
    section("lights", model.lights.iter().map(|l| format!("{}  {}", l.name, light_words(&l.kind))).collect());
    out
}

fn texel_word(texels: &Texels) -> &'static str {
    match texels {
        Texels::Rgba8(_) => "8 bit",
        Texels::Rgba16(_) => "16 bit",
        Texels::Rgba32Float(_) => "float",
    }
}

fn projection_words(projection: &ModelProjection) -> String {
    match projection {
        ModelProjection::Perspective { fov_y_rad } => format!("perspective, {:.2} degrees", fov_y_rad.to_degrees()),
        ModelProjection::Orthographic { height_m } => format!("orthographic, {height_m} m high"),
    }
}

fn light_words(kind: &ModelLightKind) -> String {
    match kind {
        ModelLightKind::Directional { illuminance_lux } => format!("directional, {illuminance_lux} lux"),
        ModelLightKind::Point { intensity_cd, .. } => format!("point, {intensity_cd} cd"),
        ModelLightKind::Spot { intensity_cd, .. } => format!("spot, {intensity_cd} cd"),
    }
}

fn json(name: &str, model: &Model, figures: &Figures) -> Value {
    let nodes = model.nodes.iter().map(|node| {
        let parts = node.parts.iter().map(|part| {
            let geometry = &model.geometries[part.geometry].surface;
            json!({
                "vertices": geometry.positions.len(),
                "triangles": geometry.indices.len() / 3,
                "material": model.materials[part.material].name,
            })
        });
        json!({ "name": node.name, "parent": node.parent, "parts": parts.collect::<Vec<_>>() })
    });
    let images = model.images.iter().map(|image| {
        json!({ "name": image.name, "size_px": [image.width_px, image.height_px], "texels": texel_word(&image.texels) })
    });
    let warnings = model.warnings.iter().map(|w| json!({ "code": w.code, "message": w.message }));
    let bounds = (!figures.bounds.is_empty())
        .then(|| json!({ "min": figures.bounds.min.to_array(), "max": figures.bounds.max.to_array() }));
    json!({
        "stillframe": env!("CARGO_PKG_VERSION"),
        "schema": "inspect/1",
        "name": name,
        "up": "y",
        "unit_m": 1.0,
        "vertices": figures.vertex_count,
        "triangles": figures.triangle_count,
        "bounds_m": bounds,
        "nodes": nodes.collect::<Vec<_>>(),
        "materials": model.materials.iter().map(|m| m.name.clone()).collect::<Vec<_>>(),
        "images": images.collect::<Vec<_>>(),
        "cameras": model.cameras.iter().map(|c| json!({ "name": c.name, "projection": projection_words(&c.projection) })).collect::<Vec<_>>(),
        "lights": model.lights.iter().map(|l| json!({ "name": l.name, "kind": light_words(&l.kind), "color": l.color })).collect::<Vec<_>>(),
        "sizes": sizes::json(&sizes::of(model)),
        "warnings": warnings.collect::<Vec<_>>(),
    })
}
