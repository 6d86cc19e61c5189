//! Profile: a point light that is not alike in all directions. Shadows as a point's.

use super::lamp::window_number;
use super::row::{Row, Terms};
use super::{VALUES, WINDOW, point};
use crate::asset::Profile;
use crate::scene::LightKind;
use crate::view::ShotLight;

pub const ROW: Row = Row {
    name: "profile",
    text: include_str!("profile.wgsl"),
    needs: &[VALUES, WINDOW],
    values,
    terms,
    reach: point::reach,
    ..Row::LAMP
};

fn of(light: &ShotLight) -> &Profile {
    light.file.as_ref().expect("the world reads the file that the scene names").profile()
}

fn terms(light: &ShotLight) -> Terms {
    let LightKind::Point { intensity_cd, range_m, window, normalize, .. } = light.kind else {
        unreachable!("it is of this row")
    };
    let profile = of(light);
    let strength = if normalize { intensity_cd } else { 1.0 };
    let own = [point::inverse_range2(range_m), profile.columns() as f32, 0.0, 0.0];
    Terms { own, more: window_number(window), ..Terms::new(light, strength) }
}

/// Candela, or shares of the most.
fn values(light: &ShotLight) -> Vec<f32> {
    let profile = of(light);
    let LightKind::Point { normalize: true, .. } = light.kind else { return profile.candela.clone() };
    let most = profile.most_cd().max(f32::MIN_POSITIVE);
    profile.candela.iter().map(|candela| candela / most).collect()
}
