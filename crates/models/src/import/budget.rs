//! What a file may unpack to.

use std::cell::Cell;

use super::{Fault, Wishes, code};

/// Bytes that decoded geometry and pictures may still take, so that a small file cannot fill the machine.
///
/// A model under 1 MiB (with everything it names) may unpack to 120 MiB. A larger one may unpack to 512 times its size
/// and never less than that. What is counted is what is kept, plus the largest thing needed only while decoding.
///
/// Pictures are counted apart: each may be as large as if it were a file alone, and all of them 1 GiB or 512 times the
/// model's size. Flat pictures pack to almost nothing, and nine ordinary ones of 2048 x 2048 are 144 MiB.
#[derive(Clone, Debug)]
pub struct Budget {
    wishes: Wishes,
    read_bytes: u64,
    spent_bytes: u64,
    /// The most that baking one geometry will hold for a moment, when everything else is loaded.
    reserved_bytes: u64,
    /// Unpacked so far, kept or not.
    unpacked_bytes: Cell<u64>,
    /// Of pictures that are kept.
    picture_bytes: u64,
    /// No more than this, whatever else holds.
    ceiling_bytes: u64,
}

/// Memory that baking a triangle may need for a moment: the tangent space generator's corners, edges and groups.
const BAKE_BYTES_PER_TRIANGLE: u64 = 900;

const SMALL_FILE_BYTES: u64 = 1 << 20;
const SMALL_FILE_LIMIT_BYTES: u64 = 120 << 20;
const RATIO_MAX: u64 = 512;
const PICTURES_LIMIT_BYTES: u64 = 1 << 30;
/// The same bytes may be unpacked for several uses, but not for ever.
const UNPACK_TIMES_MAX: u64 = 16;

impl Budget {
    /// A budget for a file of this size.
    pub fn for_file(size_bytes: usize) -> Budget {
        Budget::within(size_bytes, Wishes::default())
    }

    /// The same as the user wishes.
    pub fn within(size_bytes: usize, wishes: Wishes) -> Budget {
        Budget {
            wishes,
            read_bytes: size_bytes as u64,
            spent_bytes: 0,
            reserved_bytes: 0,
            unpacked_bytes: Cell::new(0),
            picture_bytes: 0,
            ceiling_bytes: u64::MAX,
        }
    }

    /// A budget for one picture of this size: [`Budget::keep_picture`] takes what it has spent.
    pub(crate) fn for_picture(&self, size_bytes: usize) -> Budget {
        Budget { ceiling_bytes: self.left_picture_bytes(), ..Budget::within(size_bytes, self.wishes) }
    }

    /// Takes what a picture's own budget has spent.
    pub(crate) fn keep_picture(&mut self, picture: &Budget) {
        self.picture_bytes += picture.spent_bytes;
    }

    /// Takes `bytes` for a picture that is made of others.
    pub(crate) fn spend_picture(&mut self, bytes: u64, what: &str) -> Result<(), Fault> {
        let left = self.left_picture_bytes();
        if bytes > left {
            return Err(too_large(format!(
                "{what} needs {} MiB, and {} MiB are left for pictures",
                bytes.div_ceil(1 << 20),
                left >> 20
            )));
        }
        self.picture_bytes += bytes;
        Ok(())
    }

    fn left_picture_bytes(&self) -> u64 {
        match self.wishes.max_bytes {
            Some(_) => self.left_bytes(),
            None => {
                let limit = PICTURES_LIMIT_BYTES.max(self.read_bytes.saturating_mul(RATIO_MAX));
                limit.saturating_sub(self.picture_bytes)
            }
        }
    }

    /// Another file was read.
    pub(crate) fn read(&mut self, size_bytes: usize) {
        self.read_bytes += size_bytes as u64;
    }

    /// What the user says about the model.
    pub fn wishes(&self) -> &Wishes {
        &self.wishes
    }

    pub fn limit_bytes(&self) -> u64 {
        let limit = match self.wishes.max_bytes {
            Some(bytes) => bytes,
            None if self.read_bytes < SMALL_FILE_BYTES => SMALL_FILE_LIMIT_BYTES,
            None => SMALL_FILE_LIMIT_BYTES.max(self.read_bytes.saturating_mul(RATIO_MAX)),
        };
        limit.min(self.ceiling_bytes)
    }

    pub(crate) fn left_bytes(&self) -> u64 {
        // What the user allows holds for everything together.
        let pictures = self.wishes.max_bytes.map_or(0, |_| self.picture_bytes);
        self.limit_bytes().saturating_sub(self.spent_bytes + self.reserved_bytes + pictures)
    }

    /// Whether `bytes` more may be held for a moment.
    pub(crate) fn allow(&self, bytes: u64, what: &str) -> Result<(), Fault> {
        if bytes <= self.left_bytes() {
            return Ok(());
        }
        let message = format!(
            "{what} needs {} MiB, which exceeds the limit for this file ({} MiB for {} KiB read, {} MiB used)",
            bytes.div_ceil(1 << 20),
            self.limit_bytes() >> 20,
            self.read_bytes.div_ceil(1024),
            (self.spent_bytes + self.reserved_bytes) >> 20
        );
        Err(too_large(message))
    }

    /// Counts the work of unpacking: things that are named again and again must not take for ever.
    pub(crate) fn unpack(&self, bytes: u64, what: &str) -> Result<(), Fault> {
        let unpacked = self.unpacked_bytes.get().saturating_add(bytes);
        self.unpacked_bytes.set(unpacked);
        if unpacked <= self.limit_bytes().saturating_mul(UNPACK_TIMES_MAX) {
            return Ok(());
        }
        Err(Fault::new(code::TOO_LARGE, format!("{what}: the file unpacks to more than its size allows")))
    }

    /// How many triangles can still be baked.
    pub(crate) fn left_triangles(&self) -> u64 {
        self.left_bytes() / BAKE_BYTES_PER_TRIANGLE
    }

    /// Makes sure that one geometry of this many triangles can be baked once everything is loaded.
    pub(crate) fn reserve_baking(&mut self, triangle_count: u64, what: &str) -> Result<(), Fault> {
        let bytes = triangle_count.saturating_mul(BAKE_BYTES_PER_TRIANGLE);
        self.allow(bytes.saturating_sub(self.reserved_bytes), what)?;
        self.reserved_bytes = self.reserved_bytes.max(bytes);
        Ok(())
    }

    /// Takes `bytes` for good.
    pub(crate) fn spend(&mut self, bytes: u64, what: &str) -> Result<(), Fault> {
        self.allow(bytes, what)?;
        self.spent_bytes += bytes;
        Ok(())
    }
}

fn too_large(message: String) -> Fault {
    Fault::new(code::TOO_LARGE, message).help("make it smaller, or allow more: `--memory 2GiB`")
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Pictures have room of their own, each no more than it would have alone; what the user allows is for everything.
    #[test]
    fn pictures_are_counted_apart() {
        let mib = 1 << 20;
        let mut budget = Budget::for_file(25_000);
        budget.spend(100 * mib, "geometry").expect("fits");
        let mut count = 0;
        let refused = loop {
            let mut picture = budget.for_picture(17_000);
            assert_eq!(picture.spend(121 * mib, "a bomb").expect_err("too large alone").code, code::TOO_LARGE);
            if let Err(fault) = picture.spend(64 * mib, "a picture") {
                break fault;
            }
            budget.keep_picture(&picture);
            count += 1;
        };
        assert_eq!((count, refused.code), (16, code::TOO_LARGE));
        assert!(refused.help.is_some_and(|help| help.contains("--memory")));
        assert!(budget.spend_picture(1, "another").is_err());
        budget.allow(20 * mib, "geometry still").expect("fits");
        for (allowed, count) in [(256, 2), (512, 6)] {
            let mut budget = Budget::within(25_000, Wishes { max_bytes: Some(allowed * mib), ..Wishes::default() });
            budget.spend(100 * mib, "geometry").expect("fits");
            let mut kept = 0;
            while budget.for_picture(17_000).spend(64 * mib, "a picture").is_ok() {
                budget.spend_picture(64 * mib, "a picture").expect("the same room");
                kept += 1;
            }
            assert_eq!(kept, count, "{allowed}");
            assert!(budget.allow(64 * mib, "more geometry").is_err());
        }
    }

    #[test]
    fn limits_grow_with_the_file() {
        for (read, limit) in [(0, 120 << 20), (1_000_000, 120 << 20), (1 << 20, 512 << 20), (1 << 24, 512_u64 << 24)] {
            assert_eq!(Budget::for_file(read).limit_bytes(), limit, "{read}");
        }
        let mut budget = Budget::for_file(10);
        budget.spend(100 << 20, "one").expect("fits");
        assert_eq!(budget.spend(100 << 20, "two").expect_err("does not fit").code, code::TOO_LARGE);
        budget.allow(20 << 20, "three").expect("fits");
    }
}
