//! Channel: sliders, and what they give the targets behind them.
//!
//! Source: in-between shapes of FBX blend-shape channels; a glTF target is a channel of one shape that is full at 1.

use super::MorphError;
use crate::pose::check_length;

/// One slider: the weight at which each shape is full, growing from above 0, and its target. In-between shapes come first.
#[derive(Clone, Copy, Debug)]
pub struct MorphChannel<'a> {
    pub shapes: &'a [(f64, usize)],
}

/// Writes the weights of targets for those of channels.
///
/// Between two full weights the two shapes share by distance; below the first, and below 0, it is in proportion; past the last that
/// one goes on in proportion. At a full weight that shape alone counts, to the bit. Channels of one target add.
///
/// Shapes: `weights` has one entry a channel; `out` one a target, which no channel names is 0. Units: 1 is whole (FBX's 100 %).
/// Errors: [`MorphError::ChannelWeight`] for NaN and infinity, [`MorphError::Full`], [`MorphError::Target`]; then `out` holds anything.
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

/// Blends the weights of channels that clips give, by the weights of the clips' poses: the mean; `rest`, where a clip says nothing, and
/// altogether where no weight is above 0. Negative weights count as 0.
///
/// Shapes: `rest` and `out` have one entry a channel; so has each layer, NaN where its clip has no track for the channel: there the value of
/// `rest` takes its part.
/// Exactness: one layer alone comes back to the bit. Errors: [`MorphError::ChannelWeight`] for infinity, [`MorphError::Layer`] for a layer's
/// weight that is not finite; then `out` holds anything.
pub fn blend_channels(layers: &[(&[f64], f32)], rest: &[f64], out: &mut [f64]) -> Result<(), MorphError> {
    check_length("weights written", out.len(), rest.len())?;
    for (layer, &(weights, weight)) in layers.iter().enumerate() {
        check_length("weights of a layer", weights.len(), rest.len())?;
        if !weight.is_finite() {
            return Err(MorphError::Layer { layer, weight });
        }
        if let Some(channel) = weights.iter().position(|weight| weight.is_infinite()) {
            return Err(MorphError::ChannelWeight { channel, weight: weights[channel] });
        }
    }
    let counted = || layers.iter().filter(|(_, weight)| *weight > 0.0);
    let sum: f64 = counted().map(|(_, weight)| f64::from(*weight)).sum();
    for (channel, (&rest, out)) in rest.iter().zip(out).enumerate() {
        let value = |weights: &[f64]| if weights[channel].is_nan() { rest } else { weights[channel] };
        *out = match (counted().next(), counted().nth(1)) {
            (None, _) => rest,
            (Some((only, _)), None) => value(only),
            _ => counted().map(|(weights, weight)| value(weights) * (f64::from(*weight) / sum)).sum(),
        };
    }
    Ok(())
}
