//! Channel: sliders, and what they give the targets behind them.
//!
//! Source: in-between shapes of FBX blend-shape channels; a glTF target is a channel of one shape that is full at 1.

use super::MorphError;
use crate::pose::check_length;

/// One slider: the weight at which each shape is full, growing from above 0, and its target. In-between shapes come
/// first.
#[derive(Clone, Copy, Debug)]
pub struct MorphChannel<'a> {
    pub shapes: &'a [(f64, usize)],
}

/// Writes the weights of targets for those of channels.
///
/// Between two full weights the two shapes share by distance; below the first, and below 0, it is in proportion; past
/// the last that one goes on in proportion. At a full weight that shape alone counts, to the bit. Channels of one
/// target add.
///
/// Shapes: `weights` has one entry a channel; `out` one a target, which no channel names is 0. Units: 1 is whole (FBX's
///         100 %).
/// Errors: [`MorphError::ChannelWeight`] for NaN and infinity, [`MorphError::Full`], [`MorphError::Target`]; then `out`
///         holds anything.
pub fn target_weights(channels: &[MorphChannel<'_>], weights: &[f64], out: &mut [f32]) -> Result<(), MorphError> {
    check_length("weights of channels", weights.len(), channels.len())?;
    out.fill(0.0);
    for (channel, (MorphChannel { shapes }, &weight)) in channels.iter().zip(weights).enumerate() {
        if !weight.is_finite() {
            return Err(MorphError::ChannelWeight { channel, weight });
        }
        let mut above = 0.0;
        for (shape, &(full, target)) in shapes.iter().enumerate() {
            if !(full > above && full.is_finite()) {
                return Err(MorphError::Full { channel, shape, full, above });
            }
            if target >= out.len() {
                return Err(MorphError::Target { channel, shape, target, count: out.len() });
            }
            above = full;
        }
        let high = shapes.partition_point(|(full, _)| *full < weight);
        match (high.checked_sub(1).map(|low| shapes[low]), shapes.get(high)) {
            (None, None) => {}
            (None, Some(&(full, target))) | (Some((full, target)), None) => out[target] += (weight / full) as f32,
            (Some((low, below)), Some(&(high, target))) => {
                let along = (weight - low) / (high - low);
                out[below] += (1.0 - along) as f32;
                out[target] += along as f32;
            }
        }
    }
    Ok(())
}
