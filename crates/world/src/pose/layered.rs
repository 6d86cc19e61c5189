//! Layers: components of properties, curve by curve, laid over each other.
//!
//! Source: FBX SDK, `FbxAnimLayer` (blend and accumulation modes); where it is silent, `ufbx` 0.11: the first layer
//! sets values, those above are mixed in; rotations that are not added as angles are mixed along the shortest arc;
//! scales that are not added are mixed as powers.

use glam::{DQuat, DVec3};
use stillframe_anim::{Curve, LayerBlend, Property, RawClip, RawLayer, TrackValues};
use stillframe_base::math::ops64;
use stillframe_base::tick::Tick;

use super::local::State;
use crate::import::{EulerOrder, Local, TransformStack, angles_of, euler};

/// Puts the moment `at` (of the clip's own time) into the nodes that its curves move.
pub fn play(clip: &RawClip, at: Tick, states: &mut [State]) {
    for (place, layer) in clip.layers.iter().enumerate() {
        let weight = layer.weight.sample(at).unwrap_or(1.0).clamp(0.0, 1.0);
        for track in &layer.tracks {
            if let TrackValues::Components { curves, rest } = &track.values {
                let value = sample(curves, rest, at);
                // What lets nothing through keeps its angles as they are: layers above may add to them one by one.
                let alone = place == 0 || layer.blend == LayerBlend::Override;
                let mix = if alone { None } else { Some((layer, weight)) };
                put(&mut states[track.node], &track.property, value, mix);
            }
        }
    }
}

/// A value a component: of its curve, else at rest; what is missing is 0.
fn sample(curves: &[Option<Curve>], rest: &[f64], at: Tick) -> DVec3 {
    let mut out = DVec3::ZERO;
    for place in 0..curves.len().min(3) {
        let moved = curves[place].as_ref().and_then(|curve| curve.sample(at));
        out[place] = moved.unwrap_or_else(|| rest.get(place).copied().unwrap_or(0.0));
    }
    out
}

/// Lays a value over what a node has; takes its place where there is nothing to mix with.
fn put(state: &mut State, property: &Property, value: DVec3, mix: Option<(&RawLayer, f64)>) {
    let plain = |below: DVec3| mix.map_or(value, |(layer, weight)| mixed(layer, weight, below, value));
    match property {
        Property::Translation => {
            let stack = stack_of(&mut state.local);
            stack.translation = plain(stack.translation);
        }
        Property::Rotation => {
            let stack = stack_of(&mut state.local);
            stack.rotation_deg = match mix {
                Some((layer, weight)) if !layer.rotations_add_by_channel => {
                    turned(layer, weight, stack.rotation_deg, value, stack.order)
                }
                _ => plain(stack.rotation_deg),
            };
        }
        Property::Scale => {
            let stack = stack_of(&mut state.local);
            stack.scale = match mix {
                Some((layer, weight)) if layer.scales_multiply => scaled(layer, weight, stack.scale, value),
                _ => plain(stack.scale),
            };
        }
        Property::MorphWeight(channel) => {
            if let Some(slot) = state.morph_weights.get_mut(*channel) {
                *slot = plain(DVec3::splat(*slot)).x;
            }
        }
        Property::Visibility => {
            let below = if state.visible { 1.0 } else { 0.0 };
            state.visible = plain(DVec3::splat(below)).x > 0.0;
        }
        Property::MorphWeights | Property::Other(_) => {}
    }
}

fn mixed(layer: &RawLayer, weight: f64, below: DVec3, value: DVec3) -> DVec3 {
    match layer.blend {
        LayerBlend::Additive => below + value * weight,
        LayerBlend::Override | LayerBlend::OverridePassthrough => below * (1.0 - weight) + value * weight,
    }
}

fn turned(layer: &RawLayer, weight: f64, below: DVec3, value: DVec3, order: EulerOrder) -> DVec3 {
    let (low, high) = (euler(below, order), euler(value, order));
    let rotation = match layer.blend {
        LayerBlend::Additive => low * stillframe_anim::slerp(DQuat::IDENTITY, high, weight),
        LayerBlend::Override | LayerBlend::OverridePassthrough => stillframe_anim::slerp(low, high, weight),
    };
    angles_of(rotation, order)
}

fn scaled(layer: &RawLayer, weight: f64, below: DVec3, value: DVec3) -> DVec3 {
    // Mirroring scales keep their sign.
    let power = |base: f64, exponent: f64| match exponent {
        e if e <= 0.0 => 1.0,
        e if e >= 1.0 => base,
        e => ops64::pow(base.abs(), e) * if base < 0.0 { -1.0 } else { 1.0 },
    };
    let powers = |v: DVec3, e: f64| DVec3::new(power(v.x, e), power(v.y, e), power(v.z, e));
    match layer.blend {
        LayerBlend::Additive => below * powers(value, weight),
        LayerBlend::Override | LayerBlend::OverridePassthrough => powers(below, 1.0 - weight) * powers(value, weight),
    }
}

/// The stack that components are written to; other forms become one.
fn stack_of(local: &mut Local) -> &mut TransformStack {
    if !matches!(local, Local::Stack(_)) {
        let trs = *super::local::moved(local);
        *local = Local::Stack(Box::new(TransformStack {
            translation: trs.translation,
            rotation_deg: angles_of(trs.rotation, EulerOrder::Xyz),
            scale: trs.scale,
            ..TransformStack::default()
        }));
    }
    match local {
        Local::Stack(stack) => stack,
        _ => unreachable!("made above"),
    }
}
