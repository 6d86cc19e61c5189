//! Texels of the device become pictures.

use stillframe_frames::{Picture, Samples};

use crate::render::Drawn;
use crate::scene::{Aov, Output};

/// The texels of one output as a picture.
pub fn picture(aov: Aov, drawn: &Drawn, output: &Output, transparent: bool) -> Picture {
    let planned = "planned with the outputs";
    let exact = || drawn.normal_depth.as_ref().expect(planned).chunks_exact(4);
    let bits = || drawn.albedo_id.as_ref().expect(planned).chunks_exact(4);
    let (channel_count, samples) = match aov {
        Aov::Color => {
            let bytes = drawn.encoded.as_ref().expect(planned);
            let pixel_bytes = bytes.len() / (output.width_px as usize * output.height_px as usize);
            match pixel_bytes {
                4 => channels(bytes, transparent, Samples::U8),
                8 => channels(&bytemuck::pod_collect_to_vec(bytes), transparent, Samples::U16),
                _ => (4, Samples::F32(bytemuck::pod_collect_to_vec(bytes))),
            }
        }
        Aov::Depth => (1, Samples::F32(exact().map(|texel| texel[3]).collect())),
        Aov::Normal => (3, Samples::F32(exact().flat_map(|texel| [texel[0], texel[1], texel[2]]).collect())),
        Aov::Albedo => {
            let values = bits().flat_map(|texel| [texel[0], texel[1], texel[2]].map(f32::from_bits));
            (3, Samples::F32(values.collect()))
        }
        Aov::Id => (1, Samples::U32(bits().map(|texel| texel[3]).collect())),
        Aov::Motion => (2, Samples::F32(drawn.motion.clone().expect(planned))),
    };
    Picture { width_px: output.width_px, height_px: output.height_px, channel_count, samples }
}

/// Alpha stays only where it can differ from 1.
fn channels<T: Copy>(texels: &[T], transparent: bool, wrap: fn(Vec<T>) -> Samples) -> (u32, Samples) {
    if transparent {
        return (4, wrap(texels.to_vec()));
    }
    (3, wrap(texels.chunks_exact(4).flat_map(|texel| [texel[0], texel[1], texel[2]]).collect()))
}
