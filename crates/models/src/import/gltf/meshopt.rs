//! Buffer views that meshoptimizer packed.
//!
//! Source: EXT_meshopt_compression and KHR_meshopt_compression; the decoder is that of the `draco-gltf` crate, a port
//! of the reference with every read checked. A view is unpacked when it is first used, at the size it states, within
//! the budget. Buffers that stand in for readers without the extension are not read at all.

use std::rc::Rc;

use draco_gltf::meshopt::{MeshoptFilter, MeshoptMode, decode_buffer_view};

use super::Importer;
use super::bytes::Bytes;
use super::json::At;
use crate::import::{Fault, code, foreign};

type Result<T> = std::result::Result<T, Fault>;

/// The same thing under two names.
const NAMES: [&str; 2] = ["KHR_meshopt_compression", "EXT_meshopt_compression"];

/// What says how a buffer view is packed; `None` where it is not.
pub fn extension(view: At<'_>) -> Option<At<'_>> {
    NAMES.into_iter().find_map(|name| view.key("extensions").key(name).some())
}

/// Whether a buffer holds nothing but what packed views unpack to.
pub fn is_fallback(buffer: At<'_>) -> Result<bool> {
    for name in NAMES {
        if buffer.key("extensions").key(name).key("fallback").bool_or(false)? {
            return Ok(true);
        }
    }
    Ok(false)
}

impl<'a> Importer<'a> {
    /// Unpacks a view.
    pub fn unpack(&mut self, at: At<'a>) -> Result<Bytes<'a>> {
        let packed = self.stretch(at)?;
        let (count, stride) = (at.key("count").u64()?, at.key("byteStride").u64()?);
        let mode_at = at.key("mode");
        let mode = MeshoptMode::from_name(mode_at.str()?)
            .map_err(|_| mode_at.wrong("\"ATTRIBUTES\", \"TRIANGLES\" or \"INDICES\""))?;
        let filter_at = at.key("filter");
        let filter = MeshoptFilter::from_name(filter_at.opt_str()?.unwrap_or("NONE"))
            .map_err(|_| filter_at.wrong("\"NONE\", \"OCTAHEDRAL\", \"QUATERNION\", \"EXPONENTIAL\" or \"COLOR\""))?;
        if !(1..=256).contains(&stride) {
            return Err(at.key("byteStride").wrong("1 to 256"));
        }
        let length = count.saturating_mul(stride);
        self.budget.spend(length, &at.to_string())?;
        let mut out = vec![0; length as usize];
        let decoded =
            foreign::call(|| decode_buffer_view(&mut out, packed, mode, filter, count as usize, stride as usize));
        match decoded {
            Some(Ok(())) => Ok(Bytes::Own(Rc::new(out))),
            Some(Err(error)) => Err(at.fault(code::PACKED, format!("cannot be unpacked: {error}"))),
            None => Err(at.fault(code::PACKED, "cannot be unpacked: its data is broken")),
        }
    }
}
