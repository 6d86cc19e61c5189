//! Open: the pictures of a file, whichever kind it is.

use std::path::{Path, PathBuf};

use stillframe_base::mistaken::{LFS_HELP, LFS_POINTER, is_lfs_pointer};
use stillframe_frames::run::newest;
use stillframe_frames::{Animation, DecodeLimits, NamedPicture, Picture, Samples, Window, decode_pictures};

use crate::asset::Texels;
use crate::cli::status::Failure;
use crate::cli::{files, project};
use crate::import;

/// What is in a file.
pub enum Opened {
    /// At least one.
    Layers(Vec<NamedPicture>),
    Animation(Box<Animation>),
}

/// The pictures of a file, or the one that has this hash in the last run.
pub fn open(path: &Path) -> Result<Opened, Failure> {
    let path = &by_hash(path).unwrap_or_else(|| path.to_path_buf());
    let trouble = |message: String| Failure::usage(format!("{}: {message}", path.display()));
    let bytes = files::bytes(path, FILE_MAX_BYTES).map_err(|error| trouble(format!("cannot be read: {error}")))?;
    if is_lfs_pointer(&bytes) {
        return Err(Failure::Usage(format!("{}: {LFS_POINTER}", path.display()), Some(LFS_HELP.into())));
    }
    let limits = DecodeLimits::default();
    if bytes.starts_with(b"\x89PNG")
        && let Some(animation) = Animation::read(&bytes, &limits).map_err(|error| trouble(error.to_string()))?
    {
        return Ok(Opened::Animation(Box::new(animation)));
    }
    if bytes.starts_with(b"\x89PNG") || bytes.starts_with(b"\x93NUMPY") || bytes.starts_with(&[0x76, 0x2F, 0x31, 0x01])
    {
        return decode_pictures(&bytes, &limits).map(Opened::Layers).map_err(|error| trouble(error.to_string()));
    }
    if is_animated_webp(&bytes) {
        let help = "convert it to an animated PNG (.apng)".to_string();
        return Err(Failure::Usage(
            format!("{}: the frames of an animated WebP are not compared", path.display()),
            Some(help),
        ));
    }
    let image = import::picture(path, &bytes)
        .map_err(|diagnostic| Failure::Files { diagnostics: vec![diagnostic], edits: Vec::new() })?;
    let samples = match image.texels {
        Texels::Rgba8(values) => Samples::U8(values),
        Texels::Rgba16(values) => Samples::U16(values),
        Texels::Rgba32Float(values) => Samples::F32(values),
    };
    let picture =
        Picture::new(image.width_px, image.height_px, 4, samples).map_err(|error| trouble(error.to_string()))?;
    let window = Window { left_px: 0, top_px: 0, width_px: picture.width_px, height_px: picture.height_px };
    let channels = ["R", "G", "B", "A"].map(str::to_string).to_vec();
    Ok(Opened::Layers(vec![NamedPicture { name: String::new(), channels, window, picture }]))
}

/// Bytes that a file may have. No picture that is read below needs more.
const FILE_MAX_BYTES: u64 = 4 << 30;

/// Whether an extended WebP file's flags say that it is animated. Its decoder would give the first frame alone.
fn is_animated_webp(bytes: &[u8]) -> bool {
    bytes.starts_with(b"RIFF")
        && bytes.get(8..16) == Some(b"WEBPVP8X")
        && bytes.get(20).is_some_and(|flags| flags & 2 != 0)
}

/// `b3:HEX` names a picture of the project's last run.
fn by_hash(path: &Path) -> Option<PathBuf> {
    let hex = path.to_str()?.strip_prefix("b3:")?;
    let project = project::with_references().ok()?;
    let folder = newest(&project.runs()).ok().flatten()?.join("pictures");
    ["png", "exr"].iter().map(|ending| folder.join(format!("{hex}.{ending}"))).find(|path| path.exists())
}
