//! Method: how each method of lighting makes passes of a drawing.
//!
//! In: a [`Drawing`]. Out: its passes, in a plan. What a method is called, which lights its pixels ask and how near it
//! is to `forward` stands in its row in the scene's language. Never here: how passes are recorded.

mod deferred;
mod forward;
mod forward_plus;
mod light_prepass;
mod multipass;
mod visibility;

use super::drawing::Drawing;
use crate::frame::Planner;
use crate::material::Gbuffer;
use crate::scene::LightingMethod;

/// How a method declares the passes of a drawing.
pub fn declare(method: LightingMethod, drawing: &Drawing<'_>, planner: &mut Planner) {
    if drawing.transmits() {
        forward::declare(drawing, planner);
        return;
    }
    match method {
        LightingMethod::Forward | LightingMethod::Clustered => forward::declare(drawing, planner),
        LightingMethod::ForwardPlus => forward_plus::declare(drawing, planner),
        LightingMethod::Deferred | LightingMethod::TiledDeferred => {
            deferred::declare(drawing, Gbuffer::Exact, planner);
        }
        LightingMethod::LightPrepass | LightingMethod::LightPrepassClassic => light_prepass::declare(drawing, planner),
        LightingMethod::Multipass => multipass::declare(drawing, planner),
        LightingMethod::Visibility => visibility::declare(drawing, planner),
        LightingMethod::DeferredPacked => deferred::declare(drawing, Gbuffer::Packed, planner),
    }
}
