//! Lamp: a point or a spot whose light ends in another way than glTF's. Shadows as theirs.

use super::map::Wanted;
use super::reach::Reach;
use super::row::{Row, Terms};
use super::seen::Seen;
use super::{WINDOW, point, spot};
use crate::scene::{LightKind, Rim, Window};
use crate::view::ShotLight;

pub const ROW: Row =
    Row { name: "lamp", text: include_str!("lamp.wgsl"), needs: &[WINDOW], terms, reach, maps, ..Row::LAMP };

fn terms(light: &ShotLight) -> Terms {
    match light.kind {
        LightKind::Spot { window, rim, falloff, .. } => {
            let falloff = if rim == Rim::Gltf { 2.0 } else { falloff };
            let terms = spot::terms(light);
            let [range, outer, share, _] = terms.own;
            Terms { own: [range, outer, share, falloff], more: window_number(window), ..terms }
        }
        LightKind::Point { window, .. } => {
            let terms = (point::ROW.terms)(light);
            // A cone of all directions: the share is 1 in all of them.
            Terms { own: [terms.own[0], -3.0, 1.0, 1.0], more: window_number(window), ..terms }
        }
        _ => unreachable!("it is of this row"),
    }
}

/// `more.x` of lamps.
pub fn window_number(window: Window) -> f32 {
    match window {
        Window::Gltf => 0.0,
        Window::Smooth => 1.0,
        Window::Linear => 2.0,
    }
}

fn reach(light: &ShotLight) -> Reach {
    if matches!(light.kind, LightKind::Spot { .. }) { spot::reach(light) } else { point::reach(light) }
}

fn maps(light: &ShotLight, seen: &Seen) -> Vec<Wanted> {
    if matches!(light.kind, LightKind::Spot { .. }) { spot::maps(light, seen) } else { (Row::LAMP.maps)(light, seen) }
}
