//! Pictures of OpenEXR files, ours and other people's: every layer of every part.
//!
//! In: bytes. Out: [`Exr`], whose layers are pictures of 1 to 4 channels in a settled order. Half floats become floats;
//! mip levels below the largest, deep data and subsampled channels are not read (the last two are errors). The crate
//! `exr` takes the file apart; what it takes on trust is checked first, and a panic of it is a broken file.

use std::collections::BTreeMap;
use std::io::Cursor;
use std::panic::{AssertUnwindSafe, catch_unwind};

use exr::meta::attribute::AttributeValue;
use exr::meta::{BlockDescription, MetaData};
use exr::prelude::{FlatSamples, ReadChannels, ReadLayers, read};

use crate::picture::{Picture, SIDE_MAX_PX, Samples};
use crate::png_file::DecodeLimits;

/// Why an EXR file could not be read.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum ExrReadError {
    #[error("not an EXR file")]
    Signature,
    #[error("the EXR file is cut short or broken: {0}")]
    Broken(String),
    #[error("the EXR file holds {0}, which is not read")]
    Unread(&'static str),
    #[error("the EXR file holds more pixels than are accepted")]
    TooLarge,
}

/// A rectangle in the plane of an EXR file, whose origin files choose freely.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Window {
    pub left_px: i32,
    pub top_px: i32,
    pub width_px: u32,
    pub height_px: u32,
}

impl Window {
    /// The smallest window around both.
    pub fn around(self, other: Window) -> Window {
        let end = |start: i32, size: u32| i64::from(start) + i64::from(size);
        let (left_px, top_px) = (self.left_px.min(other.left_px), self.top_px.min(other.top_px));
        let right = end(self.left_px, self.width_px).max(end(other.left_px, other.width_px));
        let bottom = end(self.top_px, self.height_px).max(end(other.top_px, other.height_px));
        let side = |end: i64, start: i32| (end - i64::from(start)).min(i64::from(u32::MAX)) as u32;
        Window { left_px, top_px, width_px: side(right, left_px), height_px: side(bottom, top_px) }
    }
}

/// One picture of a file that may hold several.
#[derive(Clone, Debug, PartialEq)]
pub struct NamedPicture {
    /// Dotted, empty for the main one: ``, `depth`, `beauty.diffuse`.
    pub name: String,
    /// One a channel of the picture, without the layer's name: `["R", "G", "B", "A"]`, `["Z"]`.
    pub channels: Vec<String>,
    /// Where the picture lies: the data window, of EXR files; at the origin, of others.
    pub window: Window,
    pub picture: Picture,
}

/// What an EXR file holds.
#[derive(Clone, Debug, PartialEq)]
pub struct Exr {
    /// What is shown of the plane.
    pub display: Window,
    /// Floats or whole numbers, sorted by name, the main one (if there is one) first.
    pub layers: Vec<NamedPicture>,
    /// Texts of the header (`stillframe.ids` ...), sorted by name.
    pub texts: Vec<(String, String)>,
}

impl Exr {
    /// The layer of that name.
    pub fn layer(&self, name: &str) -> Option<&NamedPicture> {
        self.layers.iter().find(|layer| layer.name == name)
    }

    /// The layer to show when nobody asks for one: that without a name, else the first of three or four channels, else
    /// the first.
    pub fn main(&self) -> &NamedPicture {
        let colour = self.layers.iter().find(|layer| layer.picture.channel_count >= 3);
        self.layer("").or(colour).unwrap_or(&self.layers[0])
    }
}

impl NamedPicture {
    /// The picture as it lies in another window: zeros where it has no pixels, cut where it goes beyond. `None` if the
    /// window's sides are not those of a picture.
    pub fn within(&self, window: Window) -> Option<Picture> {
        if window == self.window {
            return Some(self.picture.clone());
        }
        let Picture { channel_count, samples, .. } = &self.picture;
        let sides = 1..=SIDE_MAX_PX;
        if !sides.contains(&window.width_px) || !sides.contains(&window.height_px) {
            return None;
        }
        let samples = match samples {
            Samples::U8(v) => Samples::U8(self.moved(v, window)),
            Samples::U16(v) => Samples::U16(self.moved(v, window)),
            Samples::U32(v) => Samples::U32(self.moved(v, window)),
            Samples::F32(v) => Samples::F32(self.moved(v, window)),
        };
        Picture::new(window.width_px, window.height_px, *channel_count, samples).ok()
    }

    fn moved<T: Copy + Default>(&self, samples: &[T], window: Window) -> Vec<T> {
        let channels = self.picture.channel_count as usize;
        let (width, height) = (window.width_px as usize, window.height_px as usize);
        let mut out = vec![T::default(); width * height * channels];
        let shift = |to: i32, from: i32| i64::from(from) - i64::from(to);
        let (dx, dy) = (shift(window.left_px, self.window.left_px), shift(window.top_px, self.window.top_px));
        // Columns of ours that lie inside.
        let own_width = i64::from(self.window.width_px);
        let (first, end) = ((-dx).clamp(0, own_width), (width as i64 - dx).clamp(0, own_width));
        if first >= end {
            return out;
        }
        for (y, row) in samples.chunks_exact(own_width as usize * channels).enumerate() {
            let to_y = y as i64 + dy;
            if (0..height as i64).contains(&to_y) {
                let row = &row[first as usize * channels..end as usize * channels];
                let at = (to_y as usize * width + (first + dx) as usize) * channels;
                out[at..at + row.len()].copy_from_slice(row);
            }
        }
        out
    }
}

/// Samples over the file's bytes. Deflate reaches 1032.
const RATIO_MAX: u64 = 1100;

/// The layers of an EXR file, with the usual limits.
pub fn decode_exr(bytes: &[u8]) -> Result<Exr, ExrReadError> {
    decode_exr_with(bytes, &DecodeLimits::default())
}

/// The layers of an EXR file.
///
/// A channel's layer is what stands before the last dot of its name, or the part's name in files of several parts.
/// Within a layer, R G B A, X Y Z and U V belong together, in this order; every other channel is a layer of its own
/// (named like the channel unless it is alone), and so is what has samples of another kind. Errors: not an EXR, broken
/// anywhere, deep or subsampled data, over `limits` (their ratio is 1100 here). Never panics (though a panic of the
/// decoder is told by the panic hook), and never allocates out of proportion.
pub fn decode_exr_with(bytes: &[u8], limits: &DecodeLimits) -> Result<Exr, ExrReadError> {
    if !bytes.starts_with(&[0x76, 0x2F, 0x31, 0x01]) {
        return Err(ExrReadError::Signature);
    }
    let meta = guarded(|| MetaData::read_from_buffered(Cursor::new(bytes), false))?;
    check(&meta, bytes.len() as u64, limits)?;
    let image = guarded(|| {
        let layers = read().no_deep_data().largest_resolution_level().all_channels().all_layers().all_attributes();
        layers.non_parallel().from_buffered(Cursor::new(bytes))
    })?;

    let bounds = image.attributes.display_window;
    let display = window(bounds.position.x(), bounds.position.y(), bounds.size.width(), bounds.size.height());
    let mut texts = BTreeMap::new();
    let mut groups: BTreeMap<(String, usize), Group> = BTreeMap::new();
    let several = image.layer_data.len() > 1;
    let others = image.layer_data.iter().flat_map(|layer| &layer.attributes.other).chain(&image.attributes.other);
    for (name, value) in others {
        if let AttributeValue::Text(text) = value {
            texts.insert(name.to_string(), text.to_string());
        }
    }
    for (part, layer) in image.layer_data.into_iter().enumerate() {
        let part_name = layer.attributes.layer_name.as_ref().filter(|_| several).map(|name| name.to_string());
        let at = layer.attributes.layer_position;
        let window = window(at.x(), at.y(), layer.size.width(), layer.size.height());
        for channel in layer.channel_data.list {
            let full = channel.name.to_string();
            let (prefix, short) = match full.rsplit_once('.') {
                Some((prefix, short)) => (prefix.to_owned(), short.to_owned()),
                None => (part_name.clone().unwrap_or_default(), full),
            };
            let group = groups.entry((prefix, part)).or_insert_with(|| Group { window, channels: Vec::new() });
            group.channels.push((short, Values::of(channel.sample_data)));
        }
    }
    let mut layers: Vec<NamedPicture> = Vec::new();
    for ((name, _), group) in groups {
        split(&name, group, &mut layers)?;
    }
    if layers.is_empty() {
        return Err(ExrReadError::Broken("no channels".into()));
    }
    layers.sort_by(|a, b| a.name.cmp(&b.name));
    // Parts may share a name; each layer must be findable.
    for index in 1..layers.len() {
        let mut number = 2;
        let name = layers[index].name.clone();
        while layers[..index].iter().any(|layer| layer.name == layers[index].name) {
            layers[index].name = format!("{name}#{number}");
            number += 1;
        }
    }
    Ok(Exr { display, layers, texts: texts.into_iter().collect() })
}

/// Channels of one layer name of one part.
struct Group {
    window: Window,
    channels: Vec<(String, Values)>,
}

enum Values {
    Float(Vec<f32>),
    Whole(Vec<u32>),
}

impl Values {
    fn of(samples: FlatSamples) -> Values {
        match samples {
            FlatSamples::F16(values) => Values::Float(values.into_iter().map(|v| v.to_f32()).collect()),
            FlatSamples::F32(values) => Values::Float(values),
            FlatSamples::U32(values) => Values::Whole(values),
        }
    }
}

/// Channels that make one picture, in their order.
const FAMILIES: [&[&str]; 6] =
    [&["R", "G", "B", "A"], &["r", "g", "b", "a"], &["X", "Y", "Z"], &["x", "y", "z"], &["U", "V"], &["u", "v"]];

fn split(name: &str, group: Group, layers: &mut Vec<NamedPicture>) -> Result<(), ExrReadError> {
    let alone = group.channels.len() == 1;
    let (floats, wholes): (Vec<_>, Vec<_>) =
        group.channels.into_iter().partition(|(_, values)| matches!(values, Values::Float(_)));
    for mut channels in [floats, wholes] {
        for family in FAMILIES {
            let count = channels.iter().filter(|(short, _)| family.contains(&short.as_str())).count();
            // One coordinate alone is no vector: `Z` beside colours is depth.
            if count == 0 || (count == 1 && !alone && !matches!(family[0], "R" | "r")) {
                continue;
            }
            let mut taken: Vec<(String, Values)> = Vec::new();
            for member in family {
                if let Some(at) = channels.iter().position(|(short, _)| short == member) {
                    taken.push(channels.remove(at));
                }
            }
            layers.push(picture(name.to_owned(), group.window, taken)?);
        }
        for (short, values) in channels {
            let name = match (alone, name) {
                (true, name) => name.to_owned(),
                (false, "") => short.clone(),
                (false, name) => format!("{name}.{short}"),
            };
            layers.push(picture(name, group.window, vec![(short, values)])?);
        }
    }
    Ok(())
}

fn picture(name: String, window: Window, channels: Vec<(String, Values)>) -> Result<NamedPicture, ExrReadError> {
    let (names, values): (Vec<String>, Vec<Values>) = channels.into_iter().unzip();
    let count = names.len();
    let samples = match &values[0] {
        Values::Float(_) => Samples::F32(interleaved(&values, |v| match v {
            Values::Float(v) => v,
            Values::Whole(_) => unreachable!("groups have one kind"),
        })),
        Values::Whole(_) => Samples::U32(interleaved(&values, |v| match v {
            Values::Whole(v) => v,
            Values::Float(_) => unreachable!("groups have one kind"),
        })),
    };
    let picture = Picture::new(window.width_px, window.height_px, count as u32, samples);
    let picture = picture.map_err(|error| ExrReadError::Broken(error.to_string()))?;
    Ok(NamedPicture { name, channels: names, window, picture })
}

fn interleaved<T: Copy + Default>(values: &[Values], of: impl Fn(&Values) -> &Vec<T>) -> Vec<T> {
    let count = values.len();
    let mut out = vec![T::default(); values.iter().map(|v| of(v).len()).sum()];
    for (offset, values) in values.iter().enumerate() {
        out[offset..].iter_mut().step_by(count).zip(of(values)).for_each(|(to, from)| *to = *from);
    }
    out
}

fn window(left: i32, top: i32, width: usize, height: usize) -> Window {
    // Sides were checked; a display window may be of any size and is not allocated.
    let side = |s: usize| u32::try_from(s).unwrap_or(u32::MAX);
    Window { left_px: left, top_px: top, width_px: side(width), height_px: side(height) }
}

/// What the decoder takes on trust: sides, tiles, and how much memory samples ask for.
fn check(meta: &MetaData, file_bytes: u64, limits: &DecodeLimits) -> Result<(), ExrReadError> {
    let side_max = limits.side_max_px.min(SIDE_MAX_PX) as usize;
    let mut total_bytes = 0u64;
    for header in &meta.headers {
        if header.deep {
            return Err(ExrReadError::Unread("deep data"));
        }
        if header.channels.list.iter().any(|c| c.sampling.0 != 1 || c.sampling.1 != 1) {
            return Err(ExrReadError::Unread("subsampled channels"));
        }
        let tile = match header.blocks {
            BlockDescription::ScanLines => (1, 1),
            BlockDescription::Tiles(tiles) => (tiles.tile_size.0, tiles.tile_size.1),
        };
        let sides = [header.layer_size.0, header.layer_size.1, tile.0, tile.1];
        if sides.iter().any(|side| *side == 0 || *side > side_max) {
            return Err(ExrReadError::TooLarge);
        }
        let area = header.layer_size.area() as u64;
        let block = header.max_block_byte_size() as u64;
        total_bytes = total_bytes
            .saturating_add(area.saturating_mul(4).saturating_mul(header.channels.list.len() as u64))
            .saturating_add(block);
    }
    let ratio_over = total_bytes > limits.ratio_free_bytes && total_bytes / file_bytes.max(1) > RATIO_MAX;
    if total_bytes > limits.decoded_max_bytes || ratio_over { Err(ExrReadError::TooLarge) } else { Ok(()) }
}

/// What the decoder gives, or a broken file: also where it panics.
fn guarded<T>(decode: impl FnOnce() -> exr::error::Result<T>) -> Result<T, ExrReadError> {
    match catch_unwind(AssertUnwindSafe(decode)) {
        Ok(Ok(found)) => Ok(found),
        Ok(Err(error)) => Err(ExrReadError::Broken(error.to_string())),
        Err(_) => Err(ExrReadError::Broken("the decoder stumbled".into())),
    }
}
