//! Contact sheets: pictures laid out in rows.

use crate::picture::{Picture, PictureError, SIDE_MAX_PX, Samples};

/// Why pictures make no sheet.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum SheetError {
    #[error("a sheet needs a picture")]
    Empty,
    #[error("{count} pictures do not fit into {columns}x{rows} cells")]
    TooMany { count: usize, columns: u32, rows: u32 },
    #[error("pictures of one sheet are of one kind, not {0} and {1}")]
    Formats(String, String),
    #[error("the sheet would be {0}")]
    Size(PictureError),
}

/// One picture of `pictures`, left to right and top to bottom, in `columns` x `rows` equal cells.
///
/// A cell is as wide and as high as the widest and the highest of them; smaller ones stand in its middle. Where nothing
/// stands all samples are 0: black, and transparent where there is alpha. Errors: see [`SheetError`].
pub fn sheet(pictures: &[Picture], columns: u32, rows: u32) -> Result<Picture, SheetError> {
    let first = pictures.first().ok_or(SheetError::Empty)?;
    if pictures.len() as u64 > u64::from(columns) * u64::from(rows) {
        return Err(SheetError::TooMany { count: pictures.len(), columns, rows });
    }
    if let Some(other) = pictures.iter().find(|p| p.format() != first.format()) {
        return Err(SheetError::Formats(first.format().to_string(), other.format().to_string()));
    }
    let largest = |side: fn(&Picture) -> u32| pictures.iter().map(side).max().expect("there is one");
    let cell = [largest(|p| p.width_px), largest(|p| p.height_px)];
    let width_px = cell[0].saturating_mul(columns);
    let height_px = cell[1].saturating_mul(rows);
    let sides = 1..=SIDE_MAX_PX;
    if !sides.contains(&width_px) || !sides.contains(&height_px) {
        return Err(SheetError::Size(PictureError::Side { width_px, height_px }));
    }
    let samples = match &first.samples {
        Samples::U8(_) => Samples::U8(laid_out(pictures, columns, cell, width_px, height_px, |p| match &p.samples {
            Samples::U8(values) => values,
            _ => unreachable!("the formats are equal"),
        })),
        Samples::U16(_) => Samples::U16(laid_out(pictures, columns, cell, width_px, height_px, |p| match &p.samples {
            Samples::U16(values) => values,
            _ => unreachable!("the formats are equal"),
        })),
        Samples::U32(_) => Samples::U32(laid_out(pictures, columns, cell, width_px, height_px, |p| match &p.samples {
            Samples::U32(values) => values,
            _ => unreachable!("the formats are equal"),
        })),
        Samples::F32(_) => Samples::F32(laid_out(pictures, columns, cell, width_px, height_px, |p| match &p.samples {
            Samples::F32(values) => values,
            _ => unreachable!("the formats are equal"),
        })),
    };
    Picture::new(width_px, height_px, first.channel_count, samples).map_err(SheetError::Size)
}

fn laid_out<T: Copy + Default>(
    pictures: &[Picture],
    columns: u32,
    cell: [u32; 2],
    width_px: u32,
    height_px: u32,
    samples: impl Fn(&Picture) -> &Vec<T>,
) -> Vec<T> {
    let channels = pictures[0].channel_count as usize;
    let mut out = vec![T::default(); width_px as usize * height_px as usize * channels];
    for (index, picture) in pictures.iter().enumerate() {
        let index = index as u32;
        let left = (index % columns * cell[0] + (cell[0] - picture.width_px) / 2) as usize;
        let top = (index / columns * cell[1] + (cell[1] - picture.height_px) / 2) as usize;
        let row_len = picture.width_px as usize * channels;
        for (row, values) in samples(picture).chunks_exact(row_len).enumerate() {
            let at = ((top + row) * width_px as usize + left) * channels;
            out[at..at + row_len].copy_from_slice(values);
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    fn filled(width: u32, height: u32, value: u8) -> Picture {
        Picture::new(width, height, 1, Samples::U8(vec![value; (width * height) as usize])).unwrap()
    }

    #[test]
    fn cells_are_as_large_as_the_largest() {
        let got = sheet(&[filled(3, 2, 1), filled(1, 2, 2), filled(3, 1, 3)], 2, 2).unwrap();
        #[rustfmt::skip]
        let want = vec![
            1, 1, 1, 0, 2, 0,
            1, 1, 1, 0, 2, 0,
            3, 3, 3, 0, 0, 0,
            0, 0, 0, 0, 0, 0,
        ];
        assert_eq!((got.width_px, got.height_px, got.samples), (6, 4, Samples::U8(want)));
    }

    #[test]
    fn what_does_not_fit_says_so() {
        let one = filled(2, 2, 1);
        assert_eq!(sheet(&[], 1, 1), Err(SheetError::Empty));
        assert_eq!(
            sheet(&[one.clone(), one.clone()], 1, 1),
            Err(SheetError::TooMany { count: 2, columns: 1, rows: 1 })
        );
        let numbers = Picture::new(1, 1, 1, Samples::U32(vec![1])).unwrap();
        assert_eq!(sheet(&[one.clone(), numbers], 2, 1), Err(SheetError::Formats("r8".into(), "r32u".into())));
        assert!(matches!(sheet(std::slice::from_ref(&one), 16384, 1), Err(SheetError::Size(_))));
        assert!(matches!(sheet(&[one], u32::MAX, u32::MAX), Err(SheetError::Size(_))));
    }
}
