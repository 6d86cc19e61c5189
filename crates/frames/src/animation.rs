//! Animation: the frames of an animated PNG, as programs show them.
//!
//! Source: "Animated PNG", PNG Specification (Third Edition), W3C. Ours: each frame's data is laid out as a PNG file of
//! its own and decoded like one, so that frames have the limits and the checks of still pictures. Frames are decoded
//! when they are asked for, and none is kept.

use std::ops::Range;

use crate::picture::{Picture, Samples};
use crate::png_file::{DecodeLimits, PngError, SIGNATURE, broken, decode_png_with, unfolds_too_far};

/// Samples of all frames together, in bytes: hours of drawing must not fit into a file of a few kilobytes.
const SHOWN_MAX_BYTES: u64 = 64 << 30;

/// An animated PNG, taken apart and not yet decoded.
#[derive(Clone, Debug)]
pub struct Animation {
    bytes: Vec<u8>,
    header: Header,
    pieces: Vec<Piece>,
    /// Data of a still picture that is no frame.
    still: Option<Vec<Range<usize>>>,
    play_count: u32,
    limits: DecodeLimits,
}

/// What every frame's file begins with.
#[derive(Clone, Debug, Default)]
struct Header {
    width_px: u32,
    height_px: u32,
    /// Depth, colour type and three methods: the end of IHDR.
    form: [u8; 5],
    /// PLTE and tRNS, whole.
    colours: Vec<u8>,
}

/// Whether a PNG file says that it is animated. Nothing else of it is looked at.
pub(crate) fn is_animated(bytes: &[u8]) -> bool {
    let mut rest = bytes.strip_prefix(SIGNATURE).unwrap_or_default();
    while let Some((head, after)) = rest.split_first_chunk::<8>() {
        match &head[4..] {
            b"acTL" => return true,
            // Later it would say nothing.
            b"IDAT" => return false,
            _ => rest = after.get((number(head, 0) as usize).saturating_add(4)..).unwrap_or_default(),
        }
    }
    false
}

/// How long a frame stays: a fraction of seconds.
#[derive(Clone, Copy, Debug)]
pub struct Delay {
    pub numerator: u16,
    /// Never 0.
    pub denominator: u16,
}

impl PartialEq for Delay {
    /// 1/10 is 10/100.
    fn eq(&self, other: &Delay) -> bool {
        u32::from(self.numerator) * u32::from(other.denominator)
            == u32::from(other.numerator) * u32::from(self.denominator)
    }
}

impl Eq for Delay {}

/// A part of the canvas that is drawn anew.
#[derive(Clone, Debug)]
struct Piece {
    left_px: u32,
    top_px: u32,
    width_px: u32,
    height_px: u32,
    delay: Delay,
    afterwards: Afterwards,
    /// Whether it is laid over what is there, instead of replacing it.
    over: bool,
    data: Vec<Range<usize>>,
}

/// What becomes of a piece before the next one is drawn.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Afterwards {
    Stays,
    Cleared,
    TakenBack,
}

impl Animation {
    /// Takes a PNG file apart; `None` if it is not animated.
    ///
    /// Errors: not a PNG, broken between its chunks, frames that are missing or out of order, or over `limits`.
    pub fn read(bytes: &[u8], limits: &DecodeLimits) -> Result<Option<Animation>, PngError> {
        if !bytes.starts_with(SIGNATURE) {
            return Err(PngError::Signature);
        }
        if !is_animated(bytes) {
            return Ok(None);
        }
        let mut out = Animation {
            bytes: bytes.to_vec(),
            header: Header::default(),
            pieces: Vec::new(),
            still: None,
            play_count: 0,
            limits: *limits,
        };
        let mut announced = None;
        let mut sequence = 0;
        let mut at = SIGNATURE.len();
        loop {
            let chunk = Chunk::at(bytes, at)?;
            at = chunk.end;
            let data = &bytes[chunk.data.clone()];
            match &chunk.kind {
                b"IHDR" if out.header.width_px == 0 => out.header.begin(data)?,
                b"IHDR" => return Err(broken("a second header")),
                b"PLTE" | b"tRNS" if !out.has_data() => {
                    out.header.colours.extend_from_slice(&bytes[chunk.start..chunk.end]);
                }
                b"acTL" if !out.has_data() => {
                    let numbers = data.as_chunks::<4>().0;
                    let [frame_count, play_count] = numbers else { return Err(broken("acTL of a wrong length")) };
                    announced = Some(u32::from_be_bytes(*frame_count));
                    out.play_count = u32::from_be_bytes(*play_count);
                }
                b"fcTL" if announced.is_some() => {
                    in_order(data, &mut sequence)?;
                    out.pieces.push(Piece::read(data, &out.header, out.pieces.is_empty())?);
                }
                b"IDAT" => match (out.pieces.last_mut(), &mut out.still) {
                    (Some(piece), _) => piece.data.push(chunk.data),
                    (None, still) => still.get_or_insert_default().push(chunk.data),
                },
                b"fdAT" if announced.is_some() => {
                    in_order(data, &mut sequence)?;
                    let piece = out.pieces.last_mut().ok_or_else(|| broken("data of a frame before its beginning"))?;
                    piece.data.push(chunk.data.start + 4..chunk.data.end);
                }
                b"IEND" => break,
                _ => {}
            }
        }
        let announced = announced.unwrap_or_default();
        out.check(announced)?;
        Ok(Some(out))
    }

    fn has_data(&self) -> bool {
        self.still.is_some() || self.pieces.first().is_some_and(|piece| !piece.data.is_empty())
    }

    fn check(&self, announced: u32) -> Result<(), PngError> {
        let found = self.pieces.len();
        if found != announced as usize || found == 0 {
            return Err(broken(format!("it announces {announced} frames and holds {found}")));
        }
        if let Some(index) = self.pieces.iter().position(|piece| piece.data.is_empty()) {
            return Err(broken(format!("frame {index} has no data")));
        }
        let Header { width_px, height_px, .. } = self.header;
        // Two bytes of four channels are the most that a pixel has.
        let canvas_bytes = u64::from(width_px) * u64::from(height_px) * 8;
        if unfolds_too_far(canvas_bytes, self.bytes.len(), &self.limits) {
            return Err(PngError::TooLarge { width_px, height_px });
        }
        if canvas_bytes.saturating_mul(found as u64) > SHOWN_MAX_BYTES {
            return Err(broken(format!("{found} frames of {width_px} x {height_px} pixels are more than is accepted")));
        }
        Ok(())
    }

    pub fn frame_count(&self) -> usize {
        self.pieces.len()
    }

    /// How long a frame stays.
    pub fn delay(&self, frame: usize) -> Delay {
        self.pieces[frame].delay
    }

    /// How often it is played; 0: for ever.
    pub fn play_count(&self) -> u32 {
        self.play_count
    }

    /// What programs without animation show, where it is no frame.
    pub fn still(&self) -> Option<Result<Picture, PngError>> {
        let Header { width_px, height_px, .. } = self.header;
        self.still.as_ref().map(|data| self.decode([width_px, height_px], data))
    }

    /// The frames in order, each as it is shown. After an error there are no more.
    pub fn frames(&self) -> Frames<'_> {
        Frames { animation: self, next: 0, canvas: None, before: None }
    }

    /// Decodes some of the file's data as a picture of its own.
    fn decode(&self, [width_px, height_px]: [u32; 2], data: &[Range<usize>]) -> Result<Picture, PngError> {
        let mut file = SIGNATURE.to_vec();
        let mut header = Vec::with_capacity(13);
        header.extend_from_slice(&width_px.to_be_bytes());
        header.extend_from_slice(&height_px.to_be_bytes());
        header.extend_from_slice(&self.header.form);
        push_chunk(&mut file, b"IHDR", &header);
        file.extend_from_slice(&self.header.colours);
        for range in data {
            push_chunk(&mut file, b"IDAT", &self.bytes[range.clone()]);
        }
        push_chunk(&mut file, b"IEND", &[]);
        decode_png_with(&file, &self.limits)
    }
}

impl Header {
    fn begin(&mut self, data: &[u8]) -> Result<(), PngError> {
        let Ok::<[u8; 13], _>(data) = data.try_into() else { return Err(broken("IHDR of a wrong length")) };
        (self.width_px, self.height_px) = (number(&data, 0), number(&data, 4));
        self.form.copy_from_slice(&data[8..]);
        Ok(())
    }
}

impl Piece {
    fn read(data: &[u8], header: &Header, is_first: bool) -> Result<Piece, PngError> {
        if data.len() != 26 {
            return Err(broken("fcTL of a wrong length"));
        }
        let [width_px, height_px, left_px, top_px] = [4, 8, 12, 16].map(|at| number(data, at));
        let fits = |from: u32, size: u32, of: u32| size > 0 && from.checked_add(size).is_some_and(|end| end <= of);
        if !fits(left_px, width_px, header.width_px) || !fits(top_px, height_px, header.height_px) {
            return Err(broken("a frame lies outside the picture"));
        }
        let [numerator, denominator] = [20, 22].map(|at| u16::from_be_bytes([data[at], data[at + 1]]));
        // The format says so: a denominator of 0 is 100.
        let delay = Delay { numerator, denominator: if denominator == 0 { 100 } else { denominator } };
        let afterwards = match data[24] {
            0 => Afterwards::Stays,
            1 => Afterwards::Cleared,
            // Before the first frame there is nothing to go back to.
            2 if is_first => Afterwards::Cleared,
            2 => Afterwards::TakenBack,
            _ => return Err(broken("fcTL with an unknown way to dispose of a frame")),
        };
        let over = match data[25] {
            0 => false,
            1 => true,
            _ => return Err(broken("fcTL with an unknown way to blend a frame")),
        };
        Ok(Piece { left_px, top_px, width_px, height_px, delay, afterwards, over, data: Vec::new() })
    }
}

/// Where a chunk lies in the file.
struct Chunk {
    start: usize,
    kind: [u8; 4],
    data: Range<usize>,
    end: usize,
}

impl Chunk {
    /// Errors: a chunk that is cut short; one of those that frames are made of with a wrong checksum.
    fn at(bytes: &[u8], start: usize) -> Result<Chunk, PngError> {
        let cut = || broken("a chunk is cut short");
        let head = bytes[start..].first_chunk::<8>().ok_or_else(cut)?;
        let kind = [head[4], head[5], head[6], head[7]];
        let data_start = start + 8;
        // Chunks in which nothing lies end the file; what they lack is nobody's loss.
        if &kind == b"IEND" {
            return Ok(Chunk { start, kind, data: data_start..data_start, end: bytes.len() });
        }
        let data_end = data_start.checked_add(number(head, 0) as usize).ok_or_else(cut)?;
        let end = data_end.checked_add(4).filter(|end| *end <= bytes.len()).ok_or_else(cut)?;
        let is_ours = matches!(&kind, b"IHDR" | b"PLTE" | b"tRNS" | b"acTL" | b"fcTL" | b"IDAT" | b"fdAT");
        if is_ours && number(&bytes[data_end..], 0) != checksum(&[&bytes[start + 4..data_end]]) {
            return Err(broken(format!("{} with a wrong checksum", String::from_utf8_lossy(&kind))));
        }
        Ok(Chunk { start, kind, data: data_start..data_end, end })
    }
}

fn push_chunk(out: &mut Vec<u8>, kind: &[u8; 4], data: &[u8]) {
    out.extend_from_slice(&(data.len() as u32).to_be_bytes());
    out.extend_from_slice(kind);
    out.extend_from_slice(data);
    out.extend_from_slice(&checksum(&[kind, data]).to_be_bytes());
}

/// The number at a place that is there.
fn number(bytes: &[u8], at: usize) -> u32 {
    u32::from_be_bytes([bytes[at], bytes[at + 1], bytes[at + 2], bytes[at + 3]])
}

/// Chunks of frames are numbered together.
fn in_order(data: &[u8], sequence: &mut u32) -> Result<(), PngError> {
    let found = data.first_chunk::<4>().map(|bytes| u32::from_be_bytes(*bytes));
    if found != Some(*sequence) {
        return Err(broken("its frames are out of order"));
    }
    *sequence = sequence.wrapping_add(1);
    Ok(())
}

/// The checksum of chunks (PNG Specification, annex D), of parts one after the other.
fn checksum(parts: &[&[u8]]) -> u32 {
    let mut sum = crc32fast::Hasher::new();
    parts.iter().for_each(|part| sum.update(part));
    sum.finalize()
}

/// Decodes frames one after the other.
#[derive(Debug)]
pub struct Frames<'a> {
    animation: &'a Animation,
    next: usize,
    /// What is shown; `None` before the first frame.
    canvas: Option<Canvas>,
    /// What the last piece covered, where it is to be taken back.
    before: Option<Vec<u16>>,
}

impl Iterator for Frames<'_> {
    type Item = Result<Picture, PngError>;

    fn next(&mut self) -> Option<Result<Picture, PngError>> {
        let piece = self.animation.pieces.get(self.next)?;
        let picture = self.animation.decode([piece.width_px, piece.height_px], &piece.data);
        let shown = picture.and_then(|picture| self.show(piece, &picture));
        self.next = if shown.is_ok() { self.next + 1 } else { self.animation.pieces.len() };
        Some(shown)
    }
}

impl Frames<'_> {
    fn show(&mut self, piece: &Piece, picture: &Picture) -> Result<Picture, PngError> {
        let Header { width_px, height_px, .. } = self.animation.header;
        let mut canvas = match self.canvas.take() {
            Some(canvas) => canvas,
            None => Canvas::empty([width_px, height_px], picture)?,
        };
        // The piece before this one is disposed of only now, since until now it was shown.
        if let Some(last) = self.next.checked_sub(1).map(|last| &self.animation.pieces[last]) {
            match (last.afterwards, self.before.take()) {
                (Afterwards::Stays, _) => {}
                (Afterwards::TakenBack, Some(before)) => canvas.put_back(last, &before),
                (Afterwards::Cleared | Afterwards::TakenBack, _) => canvas.clear(last),
            }
        }
        if piece.afterwards == Afterwards::TakenBack {
            self.before = Some(canvas.part(piece));
        }
        canvas.draw(piece, picture);
        let shown = canvas.picture();
        self.canvas = Some(canvas);
        shown
    }
}

/// What is shown: texels with straight alpha, of as many colours as the file has.
#[derive(Debug)]
struct Canvas {
    width_px: u32,
    height_px: u32,
    /// Colours and alpha.
    channels: usize,
    /// The greatest sample: 255 or 65535.
    full: u16,
    /// Whether the file has no alpha.
    is_opaque: bool,
    samples: Vec<u16>,
}

impl Canvas {
    /// Transparent, for frames like `picture`.
    fn empty([width_px, height_px]: [u32; 2], picture: &Picture) -> Result<Canvas, PngError> {
        let full = match &picture.samples {
            Samples::U8(_) => 255,
            Samples::U16(_) => 65535,
            Samples::U32(_) | Samples::F32(_) => unreachable!("a PNG has 8 or 16 bits a sample"),
        };
        let is_opaque = picture.channel_count % 2 == 1;
        let channels = picture.channel_count as usize + usize::from(is_opaque);
        let samples = vec![0; width_px as usize * height_px as usize * channels];
        Ok(Canvas { width_px, height_px, channels, full, is_opaque, samples })
    }

    /// Samples of a row of a piece, by the row's number.
    fn row(&self, piece: &Piece, row: u32) -> Range<usize> {
        let start = (piece.top_px + row) as usize * self.width_px as usize + piece.left_px as usize;
        start * self.channels..(start + piece.width_px as usize) * self.channels
    }

    fn part(&self, piece: &Piece) -> Vec<u16> {
        (0..piece.height_px).flat_map(|row| self.samples[self.row(piece, row)].iter().copied()).collect()
    }

    fn put_back(&mut self, piece: &Piece, part: &[u16]) {
        for (row, samples) in (0..piece.height_px).zip(part.chunks_exact(piece.width_px as usize * self.channels)) {
            let to = self.row(piece, row);
            self.samples[to].copy_from_slice(samples);
        }
    }

    fn clear(&mut self, piece: &Piece) {
        for row in 0..piece.height_px {
            let to = self.row(piece, row);
            self.samples[to].fill(0);
        }
    }

    fn draw(&mut self, piece: &Piece, picture: &Picture) {
        let wide = picture.channel_count as usize;
        let sample: &dyn Fn(usize) -> u16 = match &picture.samples {
            Samples::U8(values) => &|at| u16::from(values[at]),
            Samples::U16(values) => &|at| values[at],
            Samples::U32(_) | Samples::F32(_) => unreachable!("a PNG has 8 or 16 bits a sample"),
        };
        let mut from = 0;
        for row in 0..piece.height_px {
            let to = self.row(piece, row);
            for texel in self.samples[to].chunks_exact_mut(self.channels) {
                let mut drawn = [self.full; 4];
                // Without alpha in the file, the texel's stays full.
                let alpha = if self.is_opaque { 3 } else { wide - 1 };
                for c in 0..wide {
                    drawn[if c == alpha { 3 } else { c }] = sample(from + c);
                }
                from += wide;
                if piece.over {
                    lay_over(texel, drawn, self.full);
                } else {
                    let (alpha, colours) = texel.split_last_mut().expect("a texel has alpha");
                    colours.copy_from_slice(&drawn[..colours.len()]);
                    *alpha = drawn[3];
                }
            }
        }
    }

    /// As it is shown: with alpha if the file has alpha, or if a pixel is not opaque all the same.
    fn picture(&self) -> Result<Picture, PngError> {
        let drops =
            self.is_opaque && self.samples.chunks_exact(self.channels).all(|texel| texel.ends_with(&[self.full]));
        let kept = self.channels - usize::from(drops);
        let samples = self.samples.chunks_exact(self.channels).flat_map(|texel| texel[..kept].iter().copied());
        let samples = match self.full {
            255 => Samples::U8(samples.map(|sample| sample as u8).collect()),
            _ => Samples::U16(samples.collect()),
        };
        Picture::new(self.width_px, self.height_px, kept as u32, samples).map_err(broken)
    }
}

/// Lays a texel (colours, alpha last of four) over another with straight alpha, in whole numbers: the same in every
/// file that shows the same.
fn lay_over(below: &mut [u16], drawn: [u16; 4], full: u16) {
    let (alpha_below, colours) = below.split_last_mut().expect("a texel has alpha");
    if drawn[3] == 0 {
        return;
    }
    let full = u64::from(full);
    let ours = u64::from(drawn[3]) * full;
    let theirs = (full - u64::from(drawn[3])) * u64::from(*alpha_below);
    let both = ours + theirs;
    for (colour, drawn) in colours.iter_mut().zip(drawn) {
        *colour = ((u64::from(drawn) * ours + u64::from(*colour) * theirs + both / 2) / both) as u16;
    }
    *alpha_below = ((both + full / 2) / full) as u16;
}
