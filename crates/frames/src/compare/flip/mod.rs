//! FLIP: how different two pictures look to somebody who flips between them, pixel by pixel, 0 to 1.
//!
//! In: a reference and a test picture of one size and format. Out: a [`FlipMap`]. 8 and 16 bit: LDR-FLIP; floats:
//! HDR-FLIP. Sources: Andersson, Nilsson, Akenine-Möller, Oskarsson, Åström and Fairchild 2020, "FLIP: A Difference
//! Evaluator for Alternating Images"; Andersson, Nilsson, Shirley and Akenine-Möller 2021, "Visualizing Errors in
//! Rendered High Dynamic Range Images". Checked against NVIDIA's `flip-evaluator` (`ci/flip-peer.py`).
//!
//! Where nothing within the filters' reach differs, FLIP is exactly 0, so only tiles with differing pixels nearby need
//! a look: the map and its mean have the same bits either way, at every thread count and instruction set. For reports
//! and for adapters other than the software one, never for the exact gate.

mod colour;
mod exposure;
mod figures;
mod filter;
mod kernel;
mod source;

use stillframe_base::lanes::Isa;
use stillframe_base::par::Pool;

pub use colour::ToneMap;
pub use exposure::{EXPOSURES_MAX, Exposures};
pub use figures::FlipFigures;

use self::colour::Largest;
use self::filter::Filters;
use self::kernel::{Rect, Rectangle, Scratch, Size, Source};
use self::source::{Bright, Encoded, decode_table};
use super::alike::{CompareError, check_alike};
use super::exact::Exact;
use super::mask::TILE_PX;
use crate::picture::{Picture, Samples};

/// Tiles beside each other that are computed together: they share their halos.
const TILES_TOGETHER: u32 = 4;

/// How FLIP looks at pictures.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct FlipOptions {
    /// Pixels in a degree of the field of view, 5 to 400. A 4K screen 0.7 m wide seen from 0.7 m has 67.
    pub pixels_per_degree: f32,
    /// Of floats.
    pub tone_map: ToneMap,
    /// Of floats; `None`: from the reference's luminances, as the paper says.
    pub exposures: Option<Exposures>,
}

impl Default for FlipOptions {
    fn default() -> FlipOptions {
        let pixels_per_degree = (0.7 * 3840.0 / 0.7 * (std::f64::consts::PI / 180.0)) as f32;
        FlipOptions { pixels_per_degree, tone_map: ToneMap::Aces, exposures: None }
    }
}

/// Where to look.
#[derive(Clone, Copy, Debug)]
pub enum Where<'a> {
    /// Everywhere.
    Everywhere,
    /// Where the comparison of the same two pictures found differences, and as far around as filters reach.
    Differing(&'a Exact),
}

/// The error of every pixel.
#[derive(Clone, Debug, PartialEq)]
pub struct FlipMap {
    pub width_px: u32,
    pub height_px: u32,
    /// One a pixel, rows top to bottom, 0 (none) to 1.
    pub errors: Vec<f32>,
    /// Exposures that were looked at; `None` for 8 and 16 bit.
    pub exposures: Option<Exposures>,
    /// Tiles that were looked at, ascending; all others are 0.
    tiles: Vec<u32>,
}

/// Why there is no FLIP of two pictures.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum FlipError {
    #[error(transparent)]
    Unlike(#[from] CompareError),
    #[error("FLIP looks at colours, not at whole numbers")]
    Numbers,
    #[error("FLIP needs 5 to 400 pixels a degree")]
    Distance,
    #[error("FLIP needs 1 to {EXPOSURES_MAX} exposures, from a first to one no smaller")]
    Exposures,
}

/// FLIP of `test` against `reference`.
///
/// Channels: one is grey; two are grey and alpha (8, 16 bit) or red and green (floats). Colours of 8 and 16 bit are
/// laid on black by their alpha; the alpha of floats is left out. Floats: negative numbers and NaN count as 0. Errors:
/// see [`FlipError`].
pub fn flip(
    reference: &Picture,
    test: &Picture,
    options: &FlipOptions,
    look: Where<'_>,
    pool: &Pool,
) -> Result<FlipMap, FlipError> {
    flip_at(reference, test, options, look, pool, Isa::detect())
}

fn flip_at(
    reference: &Picture,
    test: &Picture,
    options: &FlipOptions,
    look: Where<'_>,
    pool: &Pool,
    isa: Isa,
) -> Result<FlipMap, FlipError> {
    check_alike(reference, test)?;
    if !(5.0..=400.0).contains(&options.pixels_per_degree) {
        return Err(FlipError::Distance);
    }
    let filters = Filters::new(options.pixels_per_degree);
    let (width, height) = (reference.width_px, reference.height_px);
    let tiles = tiles(look, width, height, filters.halo_px() as u32);
    let work = Flip { filters: &filters, width, height, tiles: &tiles, pool, isa };
    let size = Size { width: width as usize, height: height as usize };
    let mut exposures = None;
    let errors = match (&reference.samples, &test.samples) {
        (Samples::U8(a), Samples::U8(b)) => {
            let table = decode_table(255);
            match reference.channel_count {
                1 => work.errors(&[Encoded::<u8, 1>::new([a, b], size, &table)]),
                2 => work.errors(&[Encoded::<u8, 2>::new([a, b], size, &table)]),
                3 => work.errors(&[Encoded::<u8, 3>::new([a, b], size, &table)]),
                _ => work.errors(&[Encoded::<u8, 4>::new([a, b], size, &table)]),
            }
        }
        (Samples::U16(a), Samples::U16(b)) => {
            let table = decode_table(65535);
            match reference.channel_count {
                1 => work.errors(&[Encoded::<u16, 1>::new([a, b], size, &table)]),
                2 => work.errors(&[Encoded::<u16, 2>::new([a, b], size, &table)]),
                3 => work.errors(&[Encoded::<u16, 3>::new([a, b], size, &table)]),
                _ => work.errors(&[Encoded::<u16, 4>::new([a, b], size, &table)]),
            }
        }
        (Samples::F32(a), Samples::F32(b)) => {
            let found = match options.exposures {
                Some(given) => given,
                None => Exposures::of(reference, test, options.tone_map),
            };
            if !found.is_sound() {
                return Err(FlipError::Exposures);
            }
            exposures = Some(found);
            let gains = found.gains();
            macro_rules! bright {
                ($channels:literal) => {{
                    let each = |gain: &f32| Bright::<$channels>::new([a, b], size, *gain, options.tone_map);
                    work.errors(&gains.iter().map(each).collect::<Vec<_>>())
                }};
            }
            match reference.channel_count {
                1 => bright!(1),
                2 => bright!(2),
                3 => bright!(3),
                _ => bright!(4),
            }
        }
        _ => return Err(FlipError::Numbers),
    };
    Ok(FlipMap { width_px: width, height_px: height, errors, exposures, tiles })
}

struct Flip<'a> {
    filters: &'a Filters,
    width: u32,
    height: u32,
    tiles: &'a [u32],
    pool: &'a Pool,
    isa: Isa,
}

/// What one thread has: room, and the rectangles it has done.
#[derive(Default)]
struct Worker {
    scratch: Scratch,
    done: Vec<(Rect, Vec<f32>)>,
}

impl Flip<'_> {
    /// The largest error under any of `sources`, of every pixel.
    fn errors<S: Source>(&self, sources: &[S]) -> Vec<f32> {
        let rects = self.rects();
        let largest = Largest::new();
        let mut workers: Vec<Worker> = (0..self.pool.threads()).map(|_| Worker::default()).collect();
        self.pool.run(rects.len(), &mut workers, |worker, index| {
            let rect = rects[index];
            let mut errors = vec![0.0; (rect.right - rect.left) * (rect.bottom - rect.top)];
            for source in sources {
                let (filters, scratch) = (self.filters, &mut worker.scratch);
                self.isa.run(Rectangle { filters, largest, source, rect, scratch, errors: &mut errors });
            }
            worker.done.push((rect, errors));
        });
        let width = self.width as usize;
        let mut out = vec![0.0; width * self.height as usize];
        for (rect, errors) in workers.iter().flat_map(|worker| &worker.done) {
            for (y, row) in (rect.top..rect.bottom).zip(errors.chunks_exact(rect.right - rect.left)) {
                out[y * width + rect.left..y * width + rect.right].copy_from_slice(row);
            }
        }
        out
    }

    /// Tiles in order, joined to short rows.
    fn rects(&self) -> Vec<Rect> {
        let columns = self.width.div_ceil(TILE_PX);
        let mut out = Vec::new();
        let mut index = 0;
        while index < self.tiles.len() {
            let first = self.tiles[index];
            let beside = |count: u32| self.tiles.get(index + count as usize) == Some(&(first + count));
            let room = (columns - first % columns).min(TILES_TOGETHER);
            let count = (1..room).find(|count| !beside(*count)).unwrap_or(room);
            let (left, top) = (first % columns * TILE_PX, first / columns * TILE_PX);
            out.push(Rect {
                left: left as usize,
                top: top as usize,
                right: (left + count * TILE_PX).min(self.width) as usize,
                bottom: (top + TILE_PX).min(self.height) as usize,
            });
            index += count as usize;
        }
        out
    }
}

/// Tiles to look at, ascending.
fn tiles(look: Where<'_>, width: u32, height: u32, halo: u32) -> Vec<u32> {
    let (columns, rows) = (width.div_ceil(TILE_PX), height.div_ceil(TILE_PX));
    let exact = match look {
        Where::Everywhere => return (0..columns * rows).collect(),
        Where::Differing(exact) => exact,
    };
    assert_eq!((exact.width_px, exact.height_px), (width, height), "a comparison of other pictures");
    let mut near = vec![false; (columns * rows) as usize];
    for tile in exact.mask.tiles().differing {
        let (column, row) = (tile % columns, tile / columns);
        let lines = row * TILE_PX..(row * TILE_PX + TILE_PX).min(height);
        let Some(bounds) = exact.mask.bounds_of(column as usize..column as usize + 1, lines) else { continue };
        let across = bounds.left_px.saturating_sub(halo) / TILE_PX..=(bounds.right_px + halo).min(width - 1) / TILE_PX;
        for y in bounds.top_px.saturating_sub(halo) / TILE_PX..=(bounds.bottom_px + halo).min(height - 1) / TILE_PX {
            across.clone().for_each(|x| near[(y * columns + x) as usize] = true);
        }
    }
    (0..columns * rows).filter(|tile| near[*tile as usize]).collect()
}

#[cfg(test)]
mod tests;
