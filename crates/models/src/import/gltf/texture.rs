//! Textures: which picture, how it is laid on, how it is sampled.
//!
//! A texture may name several pictures of the same: one in a format of an extension, one in PNG or JPEG for who does
//! not know that. The extension's is taken, and the plain one where the other cannot be read.

use super::json::At;
use super::{Importer, Stop};
use crate::asset::{Filter, ImageId, TextureSlot, UvTransform, Wrap};
use crate::import::{Fault, code, stand_in};
use stillframe_base::math::ops;

type Result<T> = std::result::Result<T, Fault>;

/// Extensions of a texture that name another picture, best first.
const SOURCES: [&str; 3] = ["KHR_texture_basisu", "MSFT_texture_dds", "EXT_texture_webp"];

impl<'a> Importer<'a> {
    /// A texture as a material names it. `None`, with a warning, if its picture cannot be read.
    pub fn texture(&mut self, at: At<'a>) -> std::result::Result<Option<TextureSlot>, Stop> {
        self.slot(at, false)
    }

    /// The same of a base colour: a picture that cannot be read has a stand-in.
    pub fn color_texture(&mut self, at: At<'a>) -> std::result::Result<Option<TextureSlot>, Stop> {
        self.slot(at, true)
    }

    fn slot(&mut self, at: At<'a>, is_color: bool) -> std::result::Result<Option<TextureSlot>, Stop> {
        if !at.exists() {
            return Ok(None);
        }
        let texture = self.root.key("textures").entry(at.key("index").index()?, at.key("index"))?;
        let transform = at.key("extensions").key("KHR_texture_transform");
        let uv_set = transform.key("texCoord").opt_index()?.unwrap_or(at.key("texCoord").u64_or(0)? as u32);
        if uv_set > 1 {
            let message = format!("is ignored: it uses texture coordinates {uv_set}, and only 0 and 1 are supported");
            self.warn(at.fault(code::TEXTURE_SKIPPED, message));
            return Ok(None);
        }
        let sampler = match texture.key("sampler").opt_index()? {
            Some(index) => Some(self.root.key("samplers").entry(index, texture.key("sampler"))?),
            None => None,
        };
        let (wrap, mag_filter, min_filter, mip_filter) = read_sampler(sampler)?;
        let transform = uv_transform(transform)?;
        let image = match self.first_image(texture)? {
            Some(image) => image,
            None if is_color => self.known.stand_in.image(&mut self.model, &mut self.budget)?,
            None => return Ok(None),
        };
        let image = ImageId::new(image as u32);
        Ok(Some(TextureSlot {
            image,
            uv_set,
            on_screen: false,
            transform,
            wrap,
            mag_filter,
            min_filter,
            mip_filter,
            anisotropy: 1,
        }))
    }

    /// The first of a texture's pictures that can be read; a warning for each before it.
    fn first_image(&mut self, texture: At<'a>) -> std::result::Result<Option<usize>, Stop> {
        let own = SOURCES.map(|name| texture.key("extensions").key(name).key("source"));
        let sources: Vec<At<'a>> = own.into_iter().chain([texture.key("source")]).filter(|s| s.exists()).collect();
        let Some((last, better)) = sources.split_last() else {
            let why = Fault::new(code::IMAGE, "it names no picture in a supported format").help("convert it to PNG");
            self.warn(stand_in::warning(texture, why));
            return Ok(None);
        };
        for source in better {
            match self.image(source.index()?, *source)? {
                Ok(position) => return Ok(Some(position)),
                Err(why) => {
                    let message = format!("cannot be read; using the plain picture instead: {}", why.message);
                    self.warn(source.fault(code::TEXTURE_SKIPPED, message));
                }
            }
        }
        let number = last.index()?;
        if self.known.images.get(&number) == Some(&None) {
            return Ok(None);
        }
        match self.image(number, *last)? {
            Ok(position) => Ok(Some(position)),
            Err(why) => {
                let at = self.root.key("images").entry(number, *last)?;
                self.warn(stand_in::warning(at, why));
                Ok(None)
            }
        }
    }

    /// Decodes an image, once. Out: why it cannot be read.
    ///
    /// Errors: the document has no such image.
    fn image(&mut self, number: u32, by: At<'a>) -> Result<std::result::Result<usize, Fault>> {
        if let Some(Some(position)) = self.known.images.get(&number) {
            return Ok(Ok(*position));
        }
        let at = self.root.key("images").entry(number, by)?;
        let position = self.decoded(number, at);
        self.known.images.insert(number, position.as_ref().ok().copied());
        Ok(position.map_err(Stop::into_fault))
    }

    fn decoded(&mut self, number: u32, at: At<'a>) -> std::result::Result<usize, Stop> {
        let given = at.key("name").opt_str()?.or(at.key("uri").opt_str()?.filter(|u| !u.starts_with("data:")));
        let name = given.map_or_else(|| format!("image {number}"), str::to_string);
        let bytes = match at.key("bufferView").opt_index()? {
            Some(view) => self.view(view, at.key("bufferView"))?.0,
            None => self.files.fetch(at.key("uri"), &mut self.budget)?,
        };
        Ok(self.known.pictures.position(name, bytes.get(), &mut self.model.images, &mut self.budget)?)
    }
}

type Sampling = ([Wrap; 2], Filter, Filter, Option<Filter>);

/// Wrapping, magnification, minification and level filter. What is left open is linear everywhere.
fn read_sampler(at: Option<At<'_>>) -> Result<Sampling> {
    let Some(at) = at else {
        return Ok(([Wrap::Repeat; 2], Filter::Linear, Filter::Linear, Some(Filter::Linear)));
    };
    let wrap = |at: At<'_>| {
        Ok(match at.u64_or(10497)? {
            10497 => Wrap::Repeat,
            33648 => Wrap::Mirror,
            33071 => Wrap::Clamp,
            _ => return Err(at.wrong("10497, 33648 or 33071")),
        })
    };
    let mag = match at.key("magFilter").u64_or(9729)? {
        9728 => Filter::Nearest,
        9729 => Filter::Linear,
        _ => return Err(at.key("magFilter").wrong("9728 or 9729")),
    };
    let (min, mip) = match at.key("minFilter").u64_or(9987)? {
        9728 => (Filter::Nearest, None),
        9729 => (Filter::Linear, None),
        9984 => (Filter::Nearest, Some(Filter::Nearest)),
        9985 => (Filter::Linear, Some(Filter::Nearest)),
        9986 => (Filter::Nearest, Some(Filter::Linear)),
        9987 => (Filter::Linear, Some(Filter::Linear)),
        _ => return Err(at.key("minFilter").wrong("9728, 9729 or 9984 to 9987")),
    };
    Ok(([wrap(at.key("wrapS"))?, wrap(at.key("wrapT"))?], mag, min, mip))
}

/// KHR_texture_transform: offset * rotation * scale.
///
/// The extension's words ("rotate the UVs counter-clockwise", with v pointing down) and every viewer agree on the
/// matrix used here; the GLSL printed in the extension's text turns the other way (KhronosGroup/glTF issue 1563).
fn uv_transform(at: At<'_>) -> Result<UvTransform> {
    if !at.exists() {
        return Ok(UvTransform::IDENTITY);
    }
    let offset = at.key("offset").floats()?.unwrap_or([0.0; 2]);
    let [scale_x, scale_y] = at.key("scale").floats()?.unwrap_or([1.0; 2]);
    let angle_rad = at.key("rotation").f32_or(0.0)?;
    let (sin, cos) = ops::sin_cos(angle_rad);
    Ok(UvTransform { x: [cos * scale_x, sin * scale_y], y: [-sin * scale_x, cos * scale_y], offset })
}
