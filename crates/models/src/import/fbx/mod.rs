//! FBX 6.0 to 7.7, binary and text.
//!
//! In: the file's bytes and a way to read the pictures it names. Out: a raw [`Model`], or everything that is wrong.
//! Never here: playing clips, bending skins (`pose`), opinions about quality.
//!
//! Whatever form a file has, [`form`] makes one tree of records of it, which [`tree`] wraps, and which becomes objects
//! and connections ([`document`]). From the tree on, nothing knows the form.
//!
//! - A binary file of version 7 goes through [`guard`], which checks every length and writes the file again in its
//!   plainest form, then through `fbxcel-dom`. The guard stands before the crate because the crate takes lengths on
//!   trust: one changed byte makes it ask for 4 GiB. With it, what the crate reads is sound, and files are read, too,
//!   that the crate alone turns down: with texts that are not UTF-8, cut off behind their last record, with kinds of
//!   values of older versions. `agreement` holds that the guard changes nothing else.
//! - Text is read by [`ascii`], binary files of version 6 by [`old`]. Both give [`record`]s, which [`upgrade`] makes
//!   those of version 7.
//!
//! Sources: what the SDK's documentation says of transforms, layers, curves and deformers (Autodesk, "FBX SDK
//! Programmer's Guide"), what Blender, Maya and 3ds Max write, and the behaviour of `ufbx` 0.11, an independent reader
//! that `benches/peers` compares this one with. docs/import.md lists what is left out.

#[cfg(test)]
mod agreement;
mod ascii;
mod attribute;
mod clip;
mod corner;
mod deform;
mod document;
mod form;
mod guard;
mod layer;
mod material;
mod mesh;
mod node;
mod old;
mod record;
mod reshape;
mod settings;
mod smoothing;
mod tangent_curve;
mod texture;
mod tree;
mod upgrade;

use std::collections::BTreeMap;
use std::path::Path;

use self::document::Document;
use super::image::Seen;
use super::stand_in::StandIn;
use super::{Budget, Fault, Model, Read, Wishes, far};
use crate::source::{Diagnostic, Severity};

/// Mistakes listed at most.
const FAULTS_MAX: usize = 20;

/// State of one import: the document, and what has been made of it.
struct Importer<'t, 'r> {
    document: &'t Document<'t>,
    file: &'r Path,
    read: &'r Read<'r>,
    budget: Budget,
    model: Model,
    warnings: Vec<Fault>,
    faults: Vec<Fault>,
    /// The version of Blender that wrote the file, which uses some properties in its own way.
    blender: Option<[u32; 2]>,
    /// Ticks of the file a second.
    ticks_per_second: i64,
    known: Known,
    /// Triangles and weights looked at for making parts.
    part_effort: u64,
}

/// What has been made of the file's objects: what is used twice is made once.
#[derive(Default)]
struct Known {
    /// Position in `model.nodes` of a model, by its id.
    nodes: BTreeMap<i64, usize>,
    /// What was made of a geometry, by its id; `None` where it cannot be shown.
    meshes: BTreeMap<i64, Option<mesh::Mesh>>,
    /// Materials by id, and whether their backs are drawn, too.
    materials: BTreeMap<(Option<i64>, bool), material::Made>,
    /// Position in `model.images` of a texture's picture, by where it comes from.
    images: BTreeMap<texture::Source, Option<usize>>,
    pictures: Seen,
    stand_in: StandIn,
    /// Nodes and places of sliders that a blend-shape channel moves, by its id.
    sliders: BTreeMap<i64, Vec<(usize, usize)>>,
}

/// Reads an FBX file.
///
/// `file` is its path as the user named it: it goes into messages, and the files it names are looked for beside it.
/// Errors: everything found, at most 20.
pub fn fbx(file: &Path, bytes: &[u8], read: &Read<'_>) -> Result<Model, Vec<Diagnostic>> {
    fbx_within(file, bytes, read, Wishes::default())
}

/// The same as the user wishes.
pub fn fbx_within(file: &Path, bytes: &[u8], read: &Read<'_>, wishes: Wishes) -> Result<Model, Vec<Diagnostic>> {
    let error = |fault: Fault| vec![fault.in_file(file, Severity::Error)];
    let mut budget = Budget::within(bytes.len(), wishes);
    let mut opened = form::open(bytes, &mut budget)
        .map_err(|told| vec![Diagnostic { span: told.span, ..told.fault.in_file(file, Severity::Error) }])?;
    let warnings = std::mem::take(&mut opened.warnings);
    let tree = &opened.tree;
    let document = Document::read(tree).map_err(error)?;
    let generator = settings::generator(tree);
    let mut importer = Importer {
        document: &document,
        file,
        read,
        budget,
        model: Model::default(),
        warnings: Vec::new(),
        faults: Vec::new(),
        blender: generator.as_deref().and_then(settings::blender_version),
        ticks_per_second: settings::ticks_per_second(tree),
        known: Known::default(),
        part_effort: 0,
    };
    warnings.into_iter().for_each(|fault| importer.warn(fault));
    let space = settings::space(tree, &mut importer.warnings);
    importer.model.model_from_file = space.model_from_file;
    importer.model.format = super::Format { name: opened.name(), generator, up: space.up, unit_m: Some(space.unit_m) };
    importer.all();
    let Importer { mut model, warnings, mut faults, .. } = importer;
    if !faults.is_empty() {
        faults.truncate(FAULTS_MAX);
        return Err(faults.into_iter().map(|fault| fault.in_file(file, Severity::Error)).collect());
    }
    far::move_nodes(&mut model);
    model.warnings = warnings.into_iter().map(|fault| fault.in_file(file, Severity::Warning)).collect();
    Ok(model)
}

impl Importer<'_, '_> {
    /// Everything in the file. Mistakes of one thing do not keep others from being looked at.
    fn all(&mut self) {
        self.read_nodes();
        self.read_clips();
    }

    /// Says it once, and not more than 20 of a code.
    fn warn(&mut self, fault: Fault) {
        let alike = self.warnings.iter().filter(|other| other.code == fault.code);
        if alike.clone().count() < FAULTS_MAX && !alike.clone().any(|other| *other == fault) {
            self.warnings.push(fault);
        }
    }

    fn fail(&mut self, fault: Fault) {
        if self.faults.len() < FAULTS_MAX && !self.faults.contains(&fault) {
            self.faults.push(fault);
        }
    }
}
