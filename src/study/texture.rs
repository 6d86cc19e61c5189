//! Texture: the numbers in the texels of clips that are baked for vertex shaders.

use stillframe_anim::crowd::{BakedFrames, Texels};

/// Four numbers per texel, as a shader computes them. Shape: height, width, 4, row by row from the top; texels of no
/// clip are 0.
pub fn texel_values(baked: &BakedFrames) -> Vec<f32> {
    let [width, height] = baked.size();
    let mut out = vec![0.0; width as usize * height as usize * 4];
    let frame_texels = baked.frame_texels();
    for clip in baked.clips() {
        let texel_count = (clip.segment_count as usize + 1) * frame_texels;
        for texel in 0..texel_count {
            let at = clip.first_texel as usize + texel;
            let range = clip.first_range as usize + texel % frame_texels;
            let out = &mut out[4 * at..4 * at + 4];
            match baked.texels() {
                Texels::F32(texels) => out.copy_from_slice(&texels[at]),
                Texels::U16(texels) => {
                    let (min, step) = (baked.range_texels()[range], baked.range_texels()[range + frame_texels]);
                    (0..4).for_each(|i| out[i] = min[i] + step[i] * f32::from(texels[at][i]));
                }
            }
        }
    }
    out
}
