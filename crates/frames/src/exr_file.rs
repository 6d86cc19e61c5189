//! OpenEXR files of pictures: one part, named channels, 32 bits a sample, scanlines, lossless (ZIP), top row first.
//!
//! Source: "The OpenEXR File Layout" and "Technical Introduction to OpenEXR", openexr.com. Written here rather than by
//! the crate `exr`, which keeps attributes of one's own in a hash map: their order, and with it the file, would change
//! from run to run. Reading is other people's part; the tests read with that crate.

use stillframe_base::par::Pool;

use crate::picture::{Channels, Picture, Samples, canonical_bits};

/// Channels of one picture.
#[derive(Clone, Debug)]
pub struct ExrLayer<'a> {
    /// One a channel of the picture: `["R", "G", "B", "A"]`, `["depth.Z"]`, `["normal.X", "normal.Y", "normal.Z"]`.
    pub channels: &'a [&'a str],
    /// F32, or U32 for numbers. NaN is folded to one.
    pub picture: &'a Picture,
}

/// Why layers make no EXR file.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum ExrError {
    #[error("an EXR file needs a channel")]
    Empty,
    #[error("an EXR file's pictures are of one size, not {0}")]
    Sizes(String),
    #[error("an EXR file is written with 32-bit samples, not {0}")]
    Samples(&'static str),
    #[error("{got} channel names for a picture of {want} channels")]
    ChannelCount { got: usize, want: usize },
    #[error("`{0}` is not a name in an EXR file: 1 to 31 bytes, each once")]
    Name(String),
    #[error("the picture is too large for an EXR file")]
    TooLarge,
}

/// Rows that are compressed together: what ZIP means in this format.
const BLOCK_ROWS: usize = 16;
/// What the OpenEXR library uses: higher levels gain a few parts in a hundred and take many times as long.
const ZIP_LEVEL: u8 = 4;
const NAME_MAX_BYTES: usize = 31;

/// The bytes of an EXR file of `layers`, with texts (such as `stillframe.scene`) in its header, in name order.
///
/// The same layers and texts give the same bytes, whatever the threads of `pool`. Errors: see [`ExrError`].
pub fn encode_exr(layers: &[ExrLayer<'_>], texts: &[(&str, &str)], pool: &Pool) -> Result<Vec<u8>, ExrError> {
    let channels = channels(layers)?;
    let (width, height) = (layers[0].picture.width_px as usize, layers[0].picture.height_px as usize);
    let header = header(&channels, width, height, texts)?;
    let block_count = height.div_ceil(BLOCK_ROWS);
    let row_bytes = width * channels.len() * 4;
    if i32::try_from(row_bytes * BLOCK_ROWS).is_err() {
        return Err(ExrError::TooLarge);
    }
    let blocks = pool.map(block_count, |index| {
        let rows = index * BLOCK_ROWS..height.min((index + 1) * BLOCK_ROWS);
        let mut raw = Vec::with_capacity(row_bytes * rows.len());
        for row in rows {
            channels.iter().for_each(|channel| channel.push_row(row, width, &mut raw));
        }
        zipped(raw)
    });
    let table_end = header.len() + block_count * 8;
    let mut out = Vec::with_capacity(table_end + blocks.iter().map(|block| block.len() + 8).sum::<usize>());
    out.extend_from_slice(&header);
    let mut at = table_end as u64;
    for block in &blocks {
        out.extend_from_slice(&at.to_le_bytes());
        at += block.len() as u64 + 8;
    }
    for (index, block) in blocks.iter().enumerate() {
        out.extend_from_slice(&((index * BLOCK_ROWS) as i32).to_le_bytes());
        out.extend_from_slice(&(block.len() as i32).to_le_bytes());
        out.extend_from_slice(block);
    }
    Ok(out)
}

/// A picture of 32 bits per sample as a file of one layer. Its channels are `V`, `X Y`, `R G B` or `R G B A`.
pub fn encode_plain_exr(picture: &Picture, pool: &Pool) -> Result<Vec<u8>, ExrError> {
    encode_exr(&[ExrLayer { channels: plain_channels(picture.format().channels), picture }], &[], pool)
}

/// Names for channels of a picture that has no names for them.
pub(crate) fn plain_channels(channels: Channels) -> &'static [&'static str] {
    match channels {
        Channels::R => &["V"],
        Channels::Rg => &["X", "Y"],
        Channels::Rgb => &["R", "G", "B"],
        Channels::Rgba => &["R", "G", "B", "A"],
    }
}

/// One channel of one picture.
struct Channel<'a> {
    name: &'a str,
    samples: Words<'a>,
    /// Of the picture.
    channel_count: usize,
    /// Within a pixel.
    offset: usize,
}

enum Words<'a> {
    Whole(&'a [u32]),
    Float(&'a [f32]),
}

impl Channel<'_> {
    fn push_row(&self, row: usize, width: usize, out: &mut Vec<u8>) {
        let range = row * width * self.channel_count..(row + 1) * width * self.channel_count;
        let (offset, step) = (self.offset, self.channel_count);
        match self.samples {
            Words::Whole(values) => {
                let row = values[range].iter().skip(offset).step_by(step);
                out.extend(row.flat_map(|value| value.to_le_bytes()));
            }
            Words::Float(values) => {
                let row = values[range].iter().skip(offset).step_by(step);
                out.extend(row.flat_map(|value| canonical_bits(*value).to_le_bytes()));
            }
        }
    }
}

/// All channels in the order the format asks for: by the bytes of their names.
fn channels<'a>(layers: &'a [ExrLayer<'a>]) -> Result<Vec<Channel<'a>>, ExrError> {
    let mut out: Vec<Channel<'_>> = Vec::new();
    for layer in layers {
        let first = layers[0].picture;
        if (layer.picture.width_px, layer.picture.height_px) != (first.width_px, first.height_px) {
            let size = |p: &Picture| format!("{} x {}", p.width_px, p.height_px);
            return Err(ExrError::Sizes(format!("{} and {}", size(first), size(layer.picture))));
        }
        let channel_count = layer.picture.channel_count as usize;
        if layer.channels.len() != channel_count {
            return Err(ExrError::ChannelCount { got: layer.channels.len(), want: channel_count });
        }
        for (offset, name) in layer.channels.iter().enumerate() {
            let samples = match &layer.picture.samples {
                Samples::U32(values) => Words::Whole(values),
                Samples::F32(values) => Words::Float(values),
                Samples::U8(_) => return Err(ExrError::Samples("8")),
                Samples::U16(_) => return Err(ExrError::Samples("16")),
            };
            check_name(name)?;
            out.push(Channel { name, samples, channel_count, offset });
        }
    }
    out.sort_by_key(|channel| channel.name.as_bytes());
    if let Some(twice) = out.windows(2).find(|pair| pair[0].name == pair[1].name) {
        return Err(ExrError::Name(twice[0].name.to_string()));
    }
    if out.is_empty() { Err(ExrError::Empty) } else { Ok(out) }
}

fn check_name(name: &str) -> Result<(), ExrError> {
    let good = !name.is_empty() && name.len() <= NAME_MAX_BYTES && !name.contains('\0');
    if good { Ok(()) } else { Err(ExrError::Name(name.to_string())) }
}

fn header(channels: &[Channel<'_>], width: usize, height: usize, texts: &[(&str, &str)]) -> Result<Vec<u8>, ExrError> {
    let mut list = Vec::new();
    for channel in channels {
        list.extend_from_slice(channel.name.as_bytes());
        list.push(0);
        let kind: i32 = match channel.samples {
            Words::Whole(_) => 0,
            Words::Float(_) => 2,
        };
        list.extend_from_slice(&kind.to_le_bytes());
        // Not perceptually linear, three reserved bytes, one sample a pixel both ways.
        list.extend_from_slice(&[0, 0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0]);
    }
    list.push(0);
    let window: Vec<u8> =
        [0, 0, width as i32 - 1, height as i32 - 1].iter().flat_map(|side: &i32| side.to_le_bytes()).collect();
    let one = 1f32.to_le_bytes();
    let zip = [3];
    let top_first = [0];
    let mut attributes: Vec<(&str, &str, &[u8])> = vec![
        ("channels", "chlist", &list),
        ("compression", "compression", &zip),
        ("dataWindow", "box2i", &window),
        ("displayWindow", "box2i", &window),
        ("lineOrder", "lineOrder", &top_first),
        ("pixelAspectRatio", "float", &one),
        ("screenWindowCenter", "v2f", &[0; 8]),
        ("screenWindowWidth", "float", &one),
    ];
    for (name, text) in texts {
        check_name(name)?;
        if i32::try_from(text.len()).is_err() {
            return Err(ExrError::TooLarge);
        }
        attributes.push((name, "string", text.as_bytes()));
    }
    attributes.sort_by_key(|(name, ..)| name.as_bytes());
    if let Some(twice) = attributes.windows(2).find(|pair| pair[0].0 == pair[1].0) {
        return Err(ExrError::Name(twice[0].0.to_string()));
    }
    // Magic number; version 2, one part, scanlines, short names.
    let mut out = vec![0x76, 0x2F, 0x31, 0x01, 2, 0, 0, 0];
    for (name, kind, value) in attributes {
        for word in [name, kind] {
            out.extend_from_slice(word.as_bytes());
            out.push(0);
        }
        out.extend_from_slice(&(value.len() as i32).to_le_bytes());
        out.extend_from_slice(value);
    }
    out.push(0);
    Ok(out)
}

/// A block as it stands in the file: bytes at even places, then those at odd ones, each as the step from the one
/// before, deflated; as it was where that is no shorter.
fn zipped(raw: Vec<u8>) -> Vec<u8> {
    let (even, odd) = (raw.iter().step_by(2), raw.iter().skip(1).step_by(2));
    let mut sorted: Vec<u8> = even.chain(odd).copied().collect();
    let mut before = None;
    for byte in &mut sorted {
        let value = *byte;
        if let Some(before) = before {
            *byte = value.wrapping_sub(before).wrapping_add(128);
        }
        before = Some(value);
    }
    let packed = miniz_oxide::deflate::compress_to_vec_zlib(&sorted, ZIP_LEVEL);
    if packed.len() < raw.len() { packed } else { raw }
}
