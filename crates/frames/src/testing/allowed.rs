//! Allowed: in what a picture may differ from its reference: steps of a channel, and pixels that do not count.

use std::borrow::Cow;

use crate::compare::{Bounds, Mask, Tolerance};
use crate::{Picture, Samples};

/// What is not held to the last bit. By default, everything is.
#[derive(Clone, Debug, Default)]
pub(super) struct Allowed {
    pub tolerance: Option<Tolerance>,
    /// Why the tolerance is needed.
    pub reason: String,
    /// Where it is not empty, only these rectangles count.
    pub only: Vec<Bounds>,
    pub ignored: Vec<Bounds>,
    pub ignored_mask: Option<Mask>,
}

impl Allowed {
    /// The pixels of a picture that do not count; `None` where all do.
    ///
    /// Errors: a rectangle or a mask that is not the picture's, and a choice that leaves nothing to compare.
    pub fn ignored_of(&self, picture: &Picture) -> Result<Option<Mask>, String> {
        let (width, height) = (picture.width_px, picture.height_px);
        let empty = || Mask::empty(width, height);
        for region in self.only.iter().chain(&self.ignored) {
            if region.right_px >= width || region.bottom_px >= height {
                let Bounds { left_px, top_px, right_px, bottom_px } = region;
                return Err(format!(
                    "the region {left_px},{top_px} {right_px},{bottom_px} is not within the picture of {width}x{height}"
                ));
            }
        }
        let mut out = empty();
        if !self.only.is_empty() {
            let mut kept = empty();
            self.only.iter().for_each(|region| kept.insert_all(*region));
            out.insert_all(Bounds::of(0, 0, width, height));
            out.remove_all(&kept);
        }
        self.ignored.iter().for_each(|region| out.insert_all(*region));
        if let Some(mask) = &self.ignored_mask {
            if (mask.width_px, mask.height_px) != (width, height) {
                return Err(format!(
                    "the mask is of {}x{}, the picture of {width}x{height}",
                    mask.width_px, mask.height_px
                ));
            }
            mask.pixels().for_each(|(x, y)| out.insert(x, y));
        }
        match out.pixel_count() {
            0 => Ok(None),
            count if count == picture.pixel_count() as u64 => Err("every pixel is ignored: nothing is compared".into()),
            _ => Ok(Some(out)),
        }
    }

    /// Whether a picture that is not its reference may stay as it is; if not, in what it is too far off.
    ///
    /// Both are of one size and format, with [`blanked`] pixels.
    pub fn judge(&self, old: &Picture, new: &Picture) -> Result<(), Option<String>> {
        if old.hash() == new.hash() {
            return Ok(());
        }
        let Some(tolerance) = &self.tolerance else { return Err(None) };
        let judged = tolerance.judge(old, new).map_err(|error| Some(error.to_string()))?;
        if judged.passed {
            return Ok(());
        }
        Err(Some(format!(
            "{:.3} % of the pixels differ by more than {}/255; {:.3} % are allowed ({})",
            judged.over_share * 100.0,
            tolerance.delta,
            tolerance.share * 100.0,
            self.reason
        )))
    }
}

/// A picture whose ignored pixels are all zero.
pub(super) fn blanked<'a>(picture: &'a Picture, ignored: Option<&Mask>) -> Cow<'a, Picture> {
    fn blank<T: Default + Clone>(values: &mut [T], wide: usize, width: usize, ignored: &Mask) {
        for (x, y) in ignored.pixels() {
            let at = (y as usize * width + x as usize) * wide;
            values[at..at + wide].fill(T::default());
        }
    }
    let Some(ignored) = ignored else { return Cow::Borrowed(picture) };
    let mut out = picture.clone();
    let (wide, width) = (picture.channel_count as usize, picture.width_px as usize);
    match &mut out.samples {
        Samples::U8(values) => blank(values, wide, width, ignored),
        Samples::U16(values) => blank(values, wide, width, ignored),
        Samples::U32(values) => blank(values, wide, width, ignored),
        Samples::F32(values) => blank(values, wide, width, ignored),
    }
    Cow::Owned(out)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn grey(values: [u8; 6]) -> Picture {
        Picture::new(3, 2, 1, Samples::U8(values.to_vec())).unwrap()
    }

    #[test]
    fn ignored_pixels_do_not_count_and_all_others_do() {
        let (old, new) = (grey([1, 2, 3, 4, 5, 6]), grey([9, 2, 3, 4, 5, 7]));
        let mut corner = Mask::empty(3, 2);
        corner.insert(2, 1);
        let judge = |allowed: &Allowed| {
            let ignored = allowed.ignored_of(&new).unwrap();
            allowed.judge(&blanked(&old, ignored.as_ref()), &blanked(&new, ignored.as_ref())).is_ok()
        };
        let first = Bounds::of(0, 0, 1, 1);
        let middle = Bounds::of(1, 0, 1, 2);
        for (allowed, want) in [
            (Allowed::default(), false),
            (Allowed { ignored: vec![first], ..Allowed::default() }, false),
            (Allowed { ignored: vec![first], ignored_mask: Some(corner.clone()), ..Allowed::default() }, true),
            (Allowed { only: vec![middle], ..Allowed::default() }, true),
            (Allowed { only: vec![middle, first], ..Allowed::default() }, false),
            (Allowed { only: vec![middle, first], ignored: vec![first], ..Allowed::default() }, true),
            (Allowed { tolerance: Some(Tolerance { delta: 8.0, share: 0.0 }), ..Allowed::default() }, true),
            (Allowed { tolerance: Some(Tolerance { delta: 7.5, share: 0.0 }), ..Allowed::default() }, false),
            (Allowed { tolerance: Some(Tolerance { delta: 1.0, share: 0.2 }), ..Allowed::default() }, true),
        ] {
            assert_eq!(judge(&allowed), want, "{allowed:?}");
        }
    }

    #[test]
    fn regions_of_another_picture_are_refused() {
        let picture = grey([0; 6]);
        for (allowed, part) in [
            (Allowed { ignored: vec![Bounds::of(2, 0, 2, 1)], ..Allowed::default() }, "within the picture of 3x2"),
            (Allowed { only: vec![Bounds::of(0, 2, 1, 1)], ..Allowed::default() }, "within the picture of 3x2"),
            (Allowed { ignored_mask: Some(Mask::empty(2, 2)), ..Allowed::default() }, "the mask is of 2x2"),
            (Allowed { ignored: vec![Bounds::of(0, 0, 3, 2)], ..Allowed::default() }, "nothing is compared"),
        ] {
            assert!(allowed.ignored_of(&picture).unwrap_err().contains(part), "{part}");
        }
    }
}
