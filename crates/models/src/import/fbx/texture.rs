//! Textures: their pictures, embedded or beside the model, and how they are laid on.

use std::borrow::Cow;

use glam::{DMat4, DVec3, Mat3, Vec3};

use super::Importer;
use super::document::{Object, Properties, short, text};
use crate::asset::{Image, Texels, UvTransform, Wrap};
use crate::import::{EulerOrder, Fault, code, euler, stand_in};

/// Where a picture comes from.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Source {
    /// Id of the video that holds it.
    Embedded(i64),
    /// Names that may lead to it, as the file says them.
    Names(Vec<String>),
    /// Made of channels of other pictures.
    Packed(Pack),
}

/// Channels of pictures that become one picture. Positions in `Model::images`.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Pack {
    /// Roughness to green, metalness to blue; the roughness may be stored as its opposite.
    Surface { roughness: Option<usize>, gloss: bool, metalness: Option<usize> },
    /// Colour of one, and as alpha the alpha of the other where it has any, else its brightness.
    Alpha { color: usize, alpha: usize },
}

/// A texture as a material uses it.
#[derive(Clone, Debug, PartialEq)]
pub struct Slot {
    /// Position in `Model::images`.
    pub image: usize,
    /// Which texture coordinates; empty for the first.
    pub uv_name: String,
    pub transform: UvTransform,
    pub wrap: [Wrap; 2],
}

/// Folders beside the model in which pictures are looked for.
const FOLDERS: [&str; 7] = ["", "textures", "Textures", "texture", "tex", "maps", "images"];

impl<'t> Importer<'t, '_> {
    /// A texture that hangs on a material. `None`, with a warning, where its picture is not found or cannot be read.
    pub fn texture(&mut self, id: i64) -> Option<Slot> {
        self.laid(id, false)
    }

    /// The same of a base colour: a picture that cannot be read has a stand-in.
    pub fn color_texture(&mut self, id: i64) -> Option<Slot> {
        self.laid(id, true)
    }

    fn laid(&mut self, id: i64, is_color: bool) -> Option<Slot> {
        let document = self.document;
        let mut object = *document.object(id)?;
        if object.is("LayeredTexture") {
            let layers: Vec<&Object<'t>> = document.parts(id, "Texture").collect();
            if layers.len() > 1 {
                let message = format!("the texture {:?} has layers; using the first", short(&object.name()));
                self.warn(Fault::new(code::TEXTURE_SKIPPED, message));
            }
            object = **layers.first()?;
        }
        if !object.is("Texture") {
            let message = format!("ignored the procedural texture {:?}", short(&object.name()));
            self.warn(Fault::new(code::TEXTURE_SKIPPED, message));
            return None;
        }
        let image = match self.picture(&object) {
            Some(image) => image,
            None if is_color => self.known.stand_in.image(&mut self.model, &mut self.budget).ok()?,
            None => return None,
        };
        let properties = document.properties(&object);
        let wrap = |name: &str| if properties.integer(name) == Some(1) { Wrap::Clamp } else { Wrap::Repeat };
        let uv_name = properties.text("UVSet").map(text).filter(|name| name != "default").unwrap_or_default();
        Some(Slot { image, uv_name, transform: transform(&properties), wrap: [wrap("WrapModeU"), wrap("WrapModeV")] })
    }

    /// The picture of a texture. Out: position in `Model::images`.
    fn picture(&mut self, texture: &Object<'t>) -> Option<usize> {
        let document = self.document;
        let video = document.parts(texture.id, "Video").next();
        let content = video.and_then(|video| video.at.child("Content")).and_then(|at| at.bytes(0));
        let content = content.filter(|bytes| !bytes.is_empty());
        let mut names: Vec<String> = Vec::new();
        for at in video.map(|video| video.at).into_iter().chain([texture.at]) {
            for key in ["RelativeFilename", "FileName", "Filename"] {
                let name = at.child_text(key).map(text).unwrap_or_default();
                if !name.is_empty() && name.len() < 4096 && !names.contains(&name) {
                    names.push(name);
                }
            }
        }
        let source = match (content, video) {
            (Some(_), Some(video)) => Source::Embedded(video.id),
            _ => Source::Names(names.clone()),
        };
        if let Some(known) = self.known.images.get(&source) {
            return *known;
        }
        let shown = names.first().map_or_else(|| texture.name(), |name| file_name(name).to_string());
        let found = match content {
            Some(bytes) => Ok(Cow::Borrowed(bytes)),
            None => self.find(&names).map(Cow::Owned),
        };
        let read = found.and_then(|bytes| {
            if content.is_none() {
                self.budget.read(bytes.len());
            }
            self.known.pictures.position(shown, &bytes, &mut self.model.images, &mut self.budget)
        });
        let position = match read {
            Ok(position) => Some(position),
            Err(fault) => {
                self.warn(stand_in::warning(format!("the picture of the texture {:?}", short(&texture.name())), fault));
                None
            }
        };
        self.known.images.insert(source, position);
        position
    }

    /// The bytes of a picture file, found the way people keep them: where the file says, seen from the model; by its
    /// own name beside the model; in folders that programs make for textures; in other case.
    fn find(&self, names: &[String]) -> Result<Vec<u8>, Fault> {
        let folder = self.file.parent().unwrap_or(std::path::Path::new(""));
        let mut tried: Vec<String> = Vec::new();
        for path in candidates(names, self.file.file_stem().and_then(|stem| stem.to_str())) {
            if !tried.contains(&path) {
                if let Ok(bytes) = (self.read)(&folder.join(&path)) {
                    return Ok(bytes);
                }
                tried.push(path);
            }
        }
        let name = names.first().map_or("", |name| file_name(name));
        let missing = format!("no file {:?} next to the model or in a folder `textures`", short(name));
        Err(Fault::new(code::IMAGE, missing).help("put it next to the model, or export with embedded media"))
    }

    /// A picture made of others. `None` with a warning where it would be too large.
    pub fn packed(&mut self, pack: Pack) -> Option<usize> {
        let source = Source::Packed(pack.clone());
        if let Some(known) = self.known.images.get(&source) {
            return *known;
        }
        let (first, second) = match &pack {
            Pack::Surface { roughness, metalness, .. } => (*roughness, *metalness),
            Pack::Alpha { color, alpha } => (Some(*color), Some(*alpha)),
        };
        let sides = [first, second].into_iter().flatten().map(|at| &self.model.images[at]);
        let (width, height) = sides.fold((1, 1), |(w, h), image| (w.max(image.width_px), h.max(image.height_px)));
        let made = match self.budget.spend_picture(u64::from(width) * u64::from(height) * 4, "a picture made of two") {
            Ok(()) => {
                let image = |at: Option<usize>| at.map(|at| &self.model.images[at]);
                Some(pack_texels(&pack, image(first), image(second), width, height))
            }
            Err(fault) => {
                self.warn(Fault { code: code::TEXTURE_SKIPPED, ..fault });
                None
            }
        };
        let position = made.map(|image| {
            self.model.images.push(image);
            self.model.images.len() - 1
        });
        self.known.images.insert(source, position);
        position
    }
}

/// The last part of a path of any system.
fn file_name(path: &str) -> &str {
    path.rsplit(['/', '\\']).next().unwrap_or(path)
}

/// Paths to try, seen from the model's folder, best first.
fn candidates(names: &[String], stem: Option<&str>) -> Vec<String> {
    let mut out = Vec::new();
    for name in names {
        let path = name.replace('\\', "/");
        let rooted = path.starts_with('/') || path.as_bytes().get(1) == Some(&b':');
        if !rooted {
            out.push(path.trim_start_matches("./").to_string());
        }
    }
    // The last folders of a foreign path, then the bare name, with the ending and the name in other case.
    for name in names {
        let path = name.replace('\\', "/");
        let parts: Vec<&str> =
            path.split('/').filter(|part| !part.is_empty() && *part != ".." && *part != ".").collect();
        for count in [3, 2] {
            if parts.len() > count {
                out.push(parts[parts.len() - count..].join("/"));
            }
        }
    }
    for name in names {
        let bare = file_name(name);
        let (base, ending) = bare.rsplit_once('.').unwrap_or((bare, ""));
        let mut spellings = vec![bare.to_string()];
        for (base, ending) in [
            (base.to_string(), ending.to_lowercase()),
            (base.to_string(), ending.to_uppercase()),
            (base.to_lowercase(), ending.to_lowercase()),
        ] {
            let spelling = format!("{base}.{ending}");
            if !ending.is_empty() && !spellings.contains(&spelling) {
                spellings.push(spelling);
            }
        }
        let media = stem.map(|stem| format!("{stem}.fbm"));
        for spelling in spellings {
            for folder in FOLDERS.into_iter().chain(media.as_deref()) {
                out.push(if folder.is_empty() { spelling.clone() } else { format!("{folder}/{spelling}") });
            }
        }
    }
    out.retain(|path| !path.is_empty());
    out
}

/// From our texture coordinates (v down) to those of the picture.
///
/// The file's properties say how the picture lies on the surface, so coordinates go the other way; and its v points up.
fn transform(properties: &Properties<'_, '_>) -> UvTransform {
    let vector = |name: &str, other: DVec3| properties.vector(name).map_or(other, DVec3::from_array);
    let at = |name: &str| DMat4::from_translation(vector(name, DVec3::ZERO));
    let (turn_pivot, size_pivot) = (at("TextureRotationPivot"), at("TextureScalingPivot"));
    let turn = DMat4::from_quat(euler(vector("Rotation", DVec3::ZERO), EulerOrder::Xyz));
    let size = DMat4::from_scale(vector("Scaling", DVec3::ONE));
    let mut uv_from_texture =
        at("Translation") * turn_pivot * turn * turn_pivot.inverse() * size_pivot * size * size_pivot.inverse();
    if properties.bool_or("UVSwap", false) {
        let swap = DMat4::from_cols_array(&[0., 1., 0., 0., 1., 0., 0., 0., 0., 0., 1., 0., 0., 0., 0., 1.]);
        uv_from_texture = swap * uv_from_texture;
    }
    let flip = DMat4::from_cols_array(&[1., 0., 0., 0., 0., -1., 0., 0., 0., 0., 1., 0., 0., 1., 0., 1.]);
    let ours = (flip * uv_from_texture.inverse() * flip).as_mat4();
    let ours = Mat3::from_cols(ours.x_axis.truncate(), ours.y_axis.truncate(), ours.w_axis.truncate());
    if !ours.is_finite() || ours.to_cols_array().iter().any(|v| v.abs() > 1e6) {
        return UvTransform::IDENTITY;
    }
    let exact =
        |value: f32| if (value - value.round_ties_even()).abs() < 1e-7 { value.round_ties_even() } else { value };
    let [x, y, offset] = [ours.x_axis, ours.y_axis, ours.z_axis].map(|c: Vec3| [exact(c.x), exact(c.y)]);
    UvTransform { x: [x[0], y[0]], y: [x[1], y[1]], offset }
}

/// A channel of a texel, 0 to 255.
fn channel(image: &Image, texel: usize, channel: usize) -> u8 {
    let at = texel * 4 + channel;
    match &image.texels {
        Texels::Rgba8(texels) => texels[at],
        Texels::Rgba16(texels) => (texels[at] / 257) as u8,
        Texels::Rgba32Float(texels) => (texels[at].clamp(0.0, 1.0) * 255.0 + 0.5) as u8,
    }
}

/// Whether any texel lets something through, and whether all are either clear or solid.
pub fn alpha_of(image: &Image) -> (bool, bool) {
    let count = image.width_px as usize * image.height_px as usize;
    let (mut clear, mut hard) = (false, true);
    for texel in 0..count {
        let alpha = channel(image, texel, 3);
        clear |= alpha < 255;
        hard &= alpha <= 8 || alpha >= 247;
    }
    (clear, hard)
}

/// Whether a picture holds directions (a normal map) rather than heights.
pub fn is_normal_map(image: &Image) -> bool {
    let count = image.width_px as usize * image.height_px as usize;
    let sum = |c: usize| (0..count).map(|texel| u64::from(channel(image, texel, c))).sum::<u64>() / count.max(1) as u64;
    let (red, green, blue) = (sum(0), sum(1), sum(2));
    blue > 160 && red.abs_diff(128) < 64 && green.abs_diff(128) < 64
}

fn pack_texels(pack: &Pack, first: Option<&Image>, second: Option<&Image>, width: u32, height: u32) -> Image {
    // The texel of a picture that lies where a texel of the result does.
    let place = |image: &Image, x: u32, y: u32| {
        let (x, y) = (u64::from(x) * u64::from(image.width_px), u64::from(y) * u64::from(image.height_px));
        (y / u64::from(height)) as usize * image.width_px as usize + (x / u64::from(width)) as usize
    };
    let has_alpha = second.is_some_and(|image| alpha_of(image).0);
    let mut texels = Vec::with_capacity(width as usize * height as usize * 4);
    for y in 0..height {
        for x in 0..width {
            let of = |image: Option<&Image>, c: usize| image.map_or(255, |image| channel(image, place(image, x, y), c));
            texels.extend(match pack {
                Pack::Surface { gloss, .. } => {
                    let roughness = of(first, 1);
                    [255, if *gloss { 255 - roughness } else { roughness }, of(second, 2), 255]
                }
                Pack::Alpha { .. } => {
                    let alpha = if has_alpha { of(second, 3) } else { of(second, 1) };
                    [of(first, 0), of(first, 1), of(first, 2), alpha]
                }
            });
        }
    }
    let name = [first, second].into_iter().flatten().map(|image| image.name.as_str()).collect::<Vec<_>>().join(" + ");
    Image { name, width_px: width, height_px: height, texels: Texels::Rgba8(texels), levels: Vec::new() }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_of_all_systems() {
        let of =
            |names: &[&str]| candidates(&names.iter().map(|name| name.to_string()).collect::<Vec<_>>(), Some("chair"));
        let list = of(&[r"..\maps\Wood.PNG", r"C:\work\chair\maps\Wood.PNG"]);
        let place =
            |path: &str| list.iter().position(|other| other == path).unwrap_or_else(|| panic!("{path}: {list:?}"));
        assert_eq!(place("../maps/Wood.PNG"), 0);
        assert!(place("chair/maps/Wood.PNG") < place("Wood.PNG"));
        for path in ["Wood.PNG", "Wood.png", "wood.png", "textures/Wood.PNG", "chair.fbm/Wood.PNG"] {
            place(path);
        }
        assert!(list.iter().all(|path| !path.contains('\\') && !path.contains(':')), "{list:?}");
    }
}
