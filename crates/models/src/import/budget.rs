//! What a file may unpack to.

use std::cell::Cell;

use super::{Fault, code};

/// Bytes that decoded geometry and pictures may still take, so that a small file cannot fill the machine.
///
/// A model under 1 MiB (with everything it names) may unpack to 120 MiB. A larger one may unpack to 512 times its size
/// and never less than that. What is counted is what is kept, plus the largest thing needed only while decoding.
#[derive(Clone, Debug)]
pub struct Budget {
    read_bytes: u64,
    spent_bytes: u64,
    /// The most that baking one geometry will hold for a moment, when everything else is loaded.
    reserved_bytes: u64,
    /// Unpacked so far, kept or not.
    unpacked_bytes: Cell<u64>,
}

/// Memory that baking a triangle may need for a moment: the tangent space generator's corners, edges and groups.
const BAKE_BYTES_PER_TRIANGLE: u64 = 900;

const SMALL_FILE_BYTES: u64 = 1 << 20;
const SMALL_FILE_LIMIT_BYTES: u64 = 120 << 20;
const RATIO_MAX: u64 = 512;
/// The same bytes may be unpacked for several uses, but not for ever.
const UNPACK_TIMES_MAX: u64 = 16;

impl Budget {
    /// A budget for a file of this size.
    pub fn for_file(size_bytes: usize) -> Budget {
        Budget { read_bytes: size_bytes as u64, spent_bytes: 0, reserved_bytes: 0, unpacked_bytes: Cell::new(0) }
    }

    /// Another file was read.
    pub(crate) fn read(&mut self, size_bytes: usize) {
        self.read_bytes += size_bytes as u64;
    }

    pub fn limit_bytes(&self) -> u64 {
        if self.read_bytes < SMALL_FILE_BYTES {
            SMALL_FILE_LIMIT_BYTES
        } else {
            SMALL_FILE_LIMIT_BYTES.max(self.read_bytes.saturating_mul(RATIO_MAX))
        }
    }

    pub(crate) fn left_bytes(&self) -> u64 {
        self.limit_bytes().saturating_sub(self.spent_bytes + self.reserved_bytes)
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
        Err(Fault::new(code::TOO_LARGE, message))
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

#[cfg(test)]
mod tests {
    use super::*;

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
