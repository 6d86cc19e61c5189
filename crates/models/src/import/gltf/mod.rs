//! glTF 2.0 and 1.0, as text or as a GLB container.
//!
//! In: the file's bytes. Out: a raw [`Model`], or everything that is wrong. Never here: validation that has no bearing
//! on the picture.
//!
//! Source: Khronos glTF 2.0 (ISO/IEC 12113) and the extensions in [`EXTENSIONS`] and [`layer::EXTENSIONS`]. The
//! document is read as plain JSON values, each when it is used: the places of mistakes can be named, and memory stays
//! in proportion to the file.

mod accessor;
mod animation;
mod buffer;
mod bytes;
mod draco;
mod gloss;
mod instance;
mod json;
mod layer;
mod material;
mod mesh;
mod meshopt;
mod node;
mod old;
mod packed;
mod skin;
mod texture;
mod variant;

use std::collections::BTreeMap;
use std::path::Path;

use glam::{DMat4, DVec3};
use serde_json::Value;

use self::buffer::Buffer;
use self::bytes::{Bytes, Files};
use self::json::At;
use super::image::Seen;
use super::stand_in::StandIn;
use super::stroke::{self, Strokes};
use super::text::Plain;
use super::{Axis, Budget, Fault, Format, Local, Model, Read, Wishes, code, far};
use crate::source::{Diagnostic, Severity};

/// What is understood, beside [`layer::EXTENSIONS`]. Anything else is an error where the file requires it, and a
/// warning where it does not.
const EXTENSIONS: &[&str] = &[
    "CESIUM_RTC",
    "EXT_mesh_gpu_instancing",
    "EXT_meshopt_compression",
    "EXT_texture_webp",
    "KHR_animation_pointer",
    "KHR_draco_mesh_compression",
    "KHR_lights_punctual",
    "KHR_materials_emissive_strength",
    "KHR_materials_pbrSpecularGlossiness",
    "KHR_materials_unlit",
    "KHR_materials_variants",
    "KHR_mesh_quantization",
    "KHR_meshopt_compression",
    "KHR_node_visibility",
    "KHR_texture_basisu",
    "KHR_texture_transform",
    "MSFT_texture_dds",
];

/// What has no bearing on a picture, and is passed over in silence.
const UNSEEN: &[&str] = &[
    "EXT_instance_features",
    "EXT_mesh_features",
    "EXT_structural_metadata",
    "KHR_node_hoverability",
    "KHR_node_selectability",
    "KHR_xmp",
    "KHR_xmp_json_ld",
];

fn is_known(extension: &str) -> bool {
    EXTENSIONS.contains(&extension) || layer::EXTENSIONS.contains(&extension) || UNSEEN.contains(&extension)
}

/// Mistakes listed at most.
const FAULTS_MAX: usize = 20;

/// Why the import of one thing ended: a fault of this file, or of another that it names.
pub enum Stop {
    Fault(Fault),
    Other(Diagnostic),
}

impl From<Fault> for Stop {
    fn from(fault: Fault) -> Stop {
        Stop::Fault(fault)
    }
}

impl From<Diagnostic> for Stop {
    fn from(diagnostic: Diagnostic) -> Stop {
        Stop::Other(diagnostic)
    }
}

impl Stop {
    fn into_fault(self) -> Fault {
        match self {
            Stop::Fault(fault) => fault,
            Stop::Other(diagnostic) => diagnostic.into(),
        }
    }

    fn in_file(self, file: &Path) -> Diagnostic {
        match self {
            Stop::Fault(fault) => fault.in_file(file, Severity::Error),
            Stop::Other(diagnostic) => diagnostic,
        }
    }
}

/// State of one import: the document, its bytes, and what has been made of it.
struct Importer<'a> {
    root: At<'a>,
    buffers: &'a [Buffer<'a>],
    files: Files<'a>,
    budget: Budget,
    model: Model,
    warnings: Vec<Fault>,
    known: Known<'a>,
    /// Every node's own transform, by its number in the file.
    locals: Vec<Local>,
    /// Position in `model.nodes` by number in the file; `node::NONE` for nodes that are not part of the model.
    positions: Vec<u32>,
    /// Skins that nodes name, by number in the file, with those nodes' positions.
    skin_users: BTreeMap<u32, Vec<usize>>,
    /// Ascending by node.
    mapped: Vec<variant::Mapped<'a>>,
    strokes: Vec<Strokes>,
}

/// What has been made, by what names it in the file: what is named twice is made once.
#[derive(Default)]
struct Known<'a> {
    /// Position in `model.images` of an image, by its number in the file; `None` for one that cannot be read.
    images: BTreeMap<u32, Option<usize>>,
    pictures: Seen,
    stand_in: StandIn,
    /// Position in `model.materials`; `None` is glTF's default material.
    materials: BTreeMap<Option<u32>, usize>,
    /// The same without light, by its position.
    unlit: BTreeMap<usize, usize>,
    /// Position in `model.geometries` of triangles that several primitives name alike.
    geometries: BTreeMap<mesh::Key, usize>,
    /// Buffer views that were compressed, by their number in the file.
    unpacked: BTreeMap<u32, Bytes<'a>>,
}

/// Reads a glTF or GLB file.
///
/// `file` is its path as the user named it: it goes into messages, and the files it names are looked for beside it.
/// Errors: everything found, at most 20.
pub fn gltf(file: &Path, bytes: &[u8], read: &Read<'_>) -> Result<Model, Vec<Diagnostic>> {
    gltf_within(file, bytes, read, Wishes::default())
}

/// The same as the user wishes.
pub fn gltf_within(file: &Path, bytes: &[u8], read: &Read<'_>, wishes: Wishes) -> Result<Model, Vec<Diagnostic>> {
    let mut budget = Budget::within(bytes.len(), wishes);
    let (json, chunk) = if bytes.starts_with(b"glTF") {
        buffer::split_glb(bytes).map_err(|f| vec![f.in_file(file, Severity::Error)])?
    } else {
        (bytes, None)
    };
    let plain = Plain::of(json);
    // Some writers fill the chunk up with zeros instead of spaces.
    let json = &plain.bytes[..plain.bytes.iter().rposition(|b| *b != 0).map_or(0, |last| last + 1)];
    let mut document: Value = serde_json::from_slice(json).map_err(|e| {
        let told = json_fault(file, json, chunk, &e);
        vec![Diagnostic { span: told.span.clone().and_then(|span| plain.span(span)), ..told }]
    })?;
    let told = |fault: Fault| vec![fault.in_file(file, Severity::Error)];
    let old = old::upgrade(&mut document, json, &mut budget).map_err(told)?;
    let made = model_of(file, At::root(&document), chunk, read, budget);
    match old {
        None => made,
        Some(old) => old.told(made, file),
    }
}

/// Reads a document of glTF 2.0.
fn model_of(
    file: &Path,
    root: At<'_>,
    chunk: Option<&[u8]>,
    read: &Read<'_>,
    mut budget: Budget,
) -> Result<Model, Vec<Diagnostic>> {
    let mut files = Files::new(file, read);
    let start = |e: Stop| vec![e.in_file(file)];
    let extensions = check_document(root).map_err(|f| start(f.into()))?;
    let buffers = buffer::read_buffers(root, chunk, &mut files, &mut budget).map_err(start)?;
    let mut importer = Importer {
        root,
        buffers: &buffers,
        files,
        budget,
        model: Model { format: format(root).map_err(|f| start(f.into()))?, ..Model::default() },
        warnings: extensions,
        known: Known::default(),
        locals: Vec::new(),
        positions: Vec::new(),
        skin_users: BTreeMap::new(),
        mapped: Vec::new(),
        strokes: Vec::new(),
    };
    let center = root.key("extensions").key("CESIUM_RTC").key("center");
    if let Some(center) = center.doubles::<3>().map_err(|f| start(f.into()))? {
        importer.model.model_from_file = DMat4::from_translation(DVec3::from(center));
    }
    importer.variants().map_err(|f| start(f.into()))?;
    importer.scene().map_err(|stops| {
        let mut told: Vec<Diagnostic> = stops.into_iter().map(|s| s.in_file(file)).collect();
        // What several things lack is told once.
        told.dedup();
        told
    })?;
    importer.dress_variants().map_err(start)?;
    for fault in buffers.iter().filter_map(Buffer::unused_fault) {
        let message = format!("a buffer that nothing reads is missing: {}", fault.message);
        importer.warn(Fault { code: code::BUFFER_MISSING, message, help: None });
    }
    let mut model = importer.model;
    far::move_nodes(&mut model);
    stroke::widen(&mut model, importer.strokes, importer.budget.wishes());
    model.warnings = importer.warnings.into_iter().map(|f| f.in_file(file, Severity::Warning)).collect();
    Ok(model)
}

impl Importer<'_> {
    fn warn(&mut self, fault: Fault) {
        if self.warnings.len() < FAULTS_MAX {
            self.warnings.push(fault);
        }
    }
}

/// What the file says about itself.
fn format(root: At<'_>) -> Result<Format, Fault> {
    let asset = root.key("asset");
    Ok(Format {
        name: format!("glTF {}", asset.key("version").str()?),
        generator: asset.key("generator").opt_str()?.map(str::to_string),
        up: Some(Axis::Y),
        unit_m: Some(1.0),
    })
}

/// Version and extensions. Out: warnings.
fn check_document(root: At<'_>) -> Result<Vec<Fault>, Fault> {
    let version = root.key("asset").key("version");
    if !version.str()?.starts_with("2.") {
        return Err(version.wrong("\"2.0\" or \"1.0\"").help("export the model again as glTF 2.0"));
    }
    let mut warnings = Vec::new();
    let mut required = Vec::new();
    for at in root.key("extensionsRequired").items()? {
        let name = at.str()?;
        if !is_known(name) {
            let message = format!("the model requires the unsupported extension {name:?}");
            let mut known = [EXTENSIONS, &layer::EXTENSIONS].concat();
            known.sort_unstable();
            let help = format!("export without it; supported are {}", known.join(", "));
            return Err(Fault::new(code::EXTENSION_REQUIRED, message).help(help));
        }
        required.push(name);
    }
    for at in root.key("extensionsUsed").items()? {
        let name = at.str()?;
        if !is_known(name) && warnings.len() < FAULTS_MAX {
            warnings.push(Fault::new(code::EXTENSION_IGNORED, format!("ignored the extension {name:?}")));
        }
    }
    Ok(warnings)
}

/// Broken JSON; with its place where the file is text.
fn json_fault(file: &Path, json: &[u8], chunk: Option<&[u8]>, error: &serde_json::Error) -> Diagnostic {
    let start =
        json.split_inclusive(|b| *b == b'\n').take(error.line().saturating_sub(1)).map(<[u8]>::len).sum::<usize>();
    let at = (start + error.column().saturating_sub(1)).min(json.len());
    let text = std::str::from_utf8(json).ok();
    let looks_like_json = json.iter().find(|b| !b.is_ascii_whitespace()) == Some(&b'{');
    let fault = if looks_like_json || chunk.is_some() {
        Fault::new(code::JSON, format!("broken JSON: {error}"))
    } else {
        Fault::new(code::NOT_A_MODEL, "not a glTF file: neither a GLB container nor a JSON object")
    };
    // The parser counts bytes; a place in a text lies between characters.
    let span = text.filter(|_| looks_like_json && chunk.is_none()).map(|text| {
        let start = (0..=at).rev().find(|at| text.is_char_boundary(*at)).unwrap_or(0);
        start..start + text[start..].chars().next().map_or(0, char::len_utf8)
    });
    Diagnostic { span, ..fault.in_file(file, Severity::Error) }
}
