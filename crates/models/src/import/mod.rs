//! Import: other programs' model and picture files become raw types.
//!
//! In: bytes of a file and a way to read the files it names. Out: a [`Model`], a compressed clip or a decoded image, or
//! diagnostics. Never here: welding, tangents, mip levels (`bake`), scenes, wgpu. No input panics, and none makes the
//! importer hold more memory than [`Budget`] allows for its size.

mod base64;
mod budget;
mod clip;
mod cube;
mod far;
mod fbx;
mod flat;
pub mod foreign;
mod gltf;
mod ies;
mod image;
mod model;
mod number;
mod obj;
mod ply;
mod polygon;
mod size;
mod stack;
mod stand_in;
mod stl;
mod stroke;
mod text;
mod trs;
mod wishes;
mod wrong;

use std::path::Path;

pub use self::budget::Budget;
pub use self::clip::clip;
pub use self::cube::table;
pub use self::fbx::fbx;
pub use self::gltf::gltf;
pub use self::ies::profile;
pub use self::image::picture;
pub use self::model::{
    Axis, Format, Influences, Joint, Local, MaterialSwap, Model, ModelCamera, ModelGeometry, ModelLight,
    ModelLightKind, ModelNode, ModelProjection, ModelVariant, MorphChannel, MorphTarget, Part, Skin, SkinMethod,
};
pub use self::obj::obj;
pub use self::ply::ply;
pub use self::stack::{EulerOrder, Inherit, Inherited, TransformStack, angles_of, euler};
pub use self::stl::stl;
pub use self::trs::Trs;
pub use self::wishes::Wishes;

use crate::asset::ModelFormat;
use crate::source::{Diagnostic, Severity};

/// Reads a file that a model names. The path is the model's folder joined with what the model says; the reader decides
/// whether it lies under the root.
pub type Read<'a> = dyn Fn(&Path) -> Result<Vec<u8>, Diagnostic> + 'a;

/// Reads the model file at `file`, and the files that it names.
///
/// Errors: a file that cannot be read, an unknown ending, everything wrong with the file.
pub fn model(file: &Path, read: &Read<'_>) -> Result<Model, Vec<Diagnostic>> {
    model_within(file, read, Wishes::default())
}

/// The same as the user wishes.
pub fn model_within(file: &Path, read: &Read<'_>, wishes: Wishes) -> Result<Model, Vec<Diagnostic>> {
    format_of(file)?;
    let bytes = read(file).map_err(|d| vec![d])?;
    model_of(file, &bytes, read, wishes)
}

/// The same of a model file whose bytes are at hand.
pub fn model_of(file: &Path, bytes: &[u8], read: &Read<'_>, wishes: Wishes) -> Result<Model, Vec<Diagnostic>> {
    match format_of(file)? {
        ModelFormat::Gltf => gltf::gltf_within(file, bytes, read, wishes),
        ModelFormat::Obj => obj::obj_within(file, bytes, read, wishes),
        ModelFormat::Stl => stl::stl_within(file, bytes, wishes),
        ModelFormat::Ply => ply::ply_within(file, bytes, read, wishes),
        ModelFormat::Fbx => fbx::fbx_within(file, bytes, read, wishes),
    }
}

fn format_of(file: &Path) -> Result<ModelFormat, Vec<Diagnostic>> {
    ModelFormat::of(file).ok_or_else(|| {
        let (message, help) = ModelFormat::refusal(file);
        vec![Diagnostic::error(code::NOT_A_MODEL, file, message).help(help)]
    })
}

/// Codes of everything that can be wrong with a model or a picture file.
pub mod code {
    pub const NOT_A_MODEL: &str = "E0401";
    pub const JSON: &str = "E0402";
    pub const CONTAINER: &str = "E0403";
    pub const EXTENSION_REQUIRED: &str = "E0404";
    pub const VALUE: &str = "E0405";
    pub const REFERENCE: &str = "E0406";
    pub const BUFFER: &str = "E0407";
    pub const ACCESSOR_RANGE: &str = "E0408";
    pub const ACCESSOR_KIND: &str = "E0409";
    pub const NOT_FINITE: &str = "E0410";
    pub const VERTEX_INDEX: &str = "E0411";
    pub const VERTEX_COUNT: &str = "E0412";
    pub const NODE_TREE: &str = "E0413";
    pub const TOO_LARGE: &str = "E0414";
    pub const IMAGE: &str = "E0415";
    pub const SKIN: &str = "E0416";
    pub const KEYS: &str = "E0417";
    pub const PACKED: &str = "E0418";
    pub const FBX_VERSION: &str = "E0421";
    pub const ENDS_EARLY: &str = "E0431";
    pub const CLIP_FILE: &str = "E0432";
    pub const LIGHT_PROFILE: &str = "E0433";
    pub const COLOR_TABLE: &str = "E0434";
    pub const EXTENSION_IGNORED: &str = "W0451";
    pub const PRIMITIVE_SKIPPED: &str = "W0452";
    pub const VALUES_REPLACED: &str = "W0453";
    pub const TEXTURE_SKIPPED: &str = "W0454";
    pub const TRACK_SKIPPED: &str = "W0455";
    pub const MORPH_LEFT_OUT: &str = "W0457";
    pub const SCENE_ROOTS: &str = "W0458";
    pub const PICTURE_MISSING: &str = "W0459";
    pub const BUFFER_MISSING: &str = "W0460";
    pub const FBX_SETTINGS: &str = "W0461";
    pub const FBX_LAYER: &str = "W0462";
    pub const FBX_DEFORMER: &str = "W0463";
    pub const FBX_LEFT_OUT: &str = "W0464";
    pub const LIBRARY_MISSING: &str = "W0471";

    /// What a model that was read may have been warned about.
    pub const WARNINGS: [&str; 14] = [
        EXTENSION_IGNORED,
        PRIMITIVE_SKIPPED,
        VALUES_REPLACED,
        TEXTURE_SKIPPED,
        TRACK_SKIPPED,
        MORPH_LEFT_OUT,
        SCENE_ROOTS,
        PICTURE_MISSING,
        BUFFER_MISSING,
        FBX_SETTINGS,
        FBX_LAYER,
        FBX_DEFORMER,
        FBX_LEFT_OUT,
        LIBRARY_MISSING,
    ];
}

/// What is wrong, before it is known which file it stands in.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Fault {
    pub code: &'static str,
    pub message: String,
    pub help: Option<String>,
}

impl From<Diagnostic> for Fault {
    /// What another file's diagnostic says.
    fn from(told: Diagnostic) -> Fault {
        Fault { code: told.code, message: told.message, help: told.help }
    }
}

impl Fault {
    pub fn new(code: &'static str, message: impl Into<String>) -> Fault {
        Fault { code, message: message.into(), help: None }
    }

    pub fn help(mut self, help: impl Into<String>) -> Fault {
        self.help = Some(help.into());
        self
    }

    pub fn in_file(self, file: &Path, severity: Severity) -> Diagnostic {
        Diagnostic { severity, ..Diagnostic::error(self.code, file, self.message) }.help_if(self.help)
    }
}
