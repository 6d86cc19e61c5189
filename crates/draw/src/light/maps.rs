//! Maps: which lights of a shot get depth maps, how many and how large.

use std::collections::BTreeMap;

use glam::Vec3;
use stillframe_base::math::ops;

use super::extent::Extent;
use super::fit::Fit;
use super::map::{Bank, MapArray, MapView, Rays, Wanted};
use super::row;
use super::seen::Seen;
use super::sights::Sights;
use super::warp::Warp;
use crate::asset::Store;
use crate::scene::{MapLayout, Shadow, ShadowFit, ShadowReads};
use crate::view::{Shot, ShotLight};

/// The maps of one light, among those of its shot.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct MapRange {
    pub first: usize,
    /// 1, its six sides, or its cascades.
    pub count: u32,
}

/// All maps of a shot.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Maps {
    /// In light order, those of a light in a row.
    pub views: Vec<MapView>,
    /// Of each, how large its light is, as it looks along the map.
    pub extents: Vec<Extent>,
    /// By light of the shot.
    pub of_light: Vec<Option<MapRange>>,
    /// By bank.
    arrays: [MapArray; Bank::ALL.len()],
}

impl Maps {
    pub fn array(&self, bank: Bank) -> MapArray {
        self.arrays[bank as usize]
    }
}

const SIZE_MIN_PX: u32 = 128;
/// Of a picture of 1024 pixels and less; wider ones have maps of two texels a pixel.
const SIZE_USUAL_PX: u32 = 2048;
const SIZE_MAX_PX: u32 = 4096;

/// The width of all maps of one kind: a power of two near what the picture can show, and less for many, so that they
/// stay at `texels_max`.
fn size_of(layers: u32, wanted_px: f32, picture_px: u32, texels_max: u64) -> u32 {
    let usual = (4 * picture_px).next_power_of_two().min(SIZE_USUAL_PX);
    let most = (2 * picture_px).next_power_of_two().clamp(usual, SIZE_MAX_PX);
    let mut size = SIZE_MIN_PX;
    while size < most && (size as f32) < wanted_px * 0.75 {
        size *= 2;
    }
    while size > SIZE_MIN_PX && u64::from(layers) * u64::from(size) * u64::from(size) > texels_max {
        size /= 2;
    }
    size
}

/// The maps that a light asks for.
struct Asked {
    light: usize,
    shadow: Shadow,
    bank: Bank,
    views: Vec<Wanted>,
}

impl Asked {
    /// Width of its maps; else as fits what is seen, or all of the scene.
    fn size_px(&self, [fitted_px, scene_px]: [u32; 2]) -> u32 {
        self.shadow.size_px.unwrap_or(if is_of_scene(&self.shadow) { scene_px } else { fitted_px })
    }

    /// Those that are drawn.
    fn drawn(&self) -> impl Iterator<Item = &Wanted> {
        self.views.iter().filter(|view| **view != Wanted::Unseen)
    }
}

/// The maps of a shot's lights, in arrays of at most `layers_max` layers: several maps share a layer where there are
/// more. `size_px`: of the picture. `sights`: what is seen in it, where that is known. `air_m`: the depth up to which
/// shadows are seen in the air.
pub fn maps(
    shot: &Shot,
    store: &Store,
    (size_px, layers_max): ([u32; 2], u32),
    (sights, air_m): (Option<&Sights>, Option<f32>),
) -> Maps {
    let mut maps = Maps { of_light: vec![None; shot.lights.len()], ..Maps::default() };
    let is_veiled = |shadow: &Shadow| shadow.transparent && !shot.veils.is_empty();
    let is_cast = |shadow: &Shadow| !shot.casters.is_empty() || is_veiled(shadow);
    let casts = |light: &ShotLight| light.shadow.filter(|shadow| light.color != [0.0; 3] && is_cast(shadow));
    let shadows = || shot.lights.iter().filter_map(casts);
    if shadows().next().is_none() {
        return maps;
    }
    let needs = |shadow: &Shadow| (is_of_scene(shadow), is_veiled(shadow));
    let mut seen = BTreeMap::new();
    for shadow in shadows() {
        let (of_scene, veiled) = needs(&shadow);
        seen.entry((of_scene, veiled)).or_insert_with(|| match of_scene {
            true => Seen::scene(shot, store, size_px, veiled),
            false => {
                let seen = Seen::new(shot, store, size_px, veiled);
                match air_m {
                    Some(air_m) => seen.with_air(air_m),
                    None => seen,
                }
            }
        });
    }
    let seen_by = |shadow: &Shadow| &seen[&needs(shadow)];
    let mut asked = Vec::new();
    for (index, light) in shot.lights.iter().enumerate() {
        let Some(shadow) = casts(light) else { continue };
        let bank = bank_of(&shadow, row(&light.kind).rays);
        let (seen, sights) = (seen_by(&shadow), sights.filter(|_| is_by_sight(light) && air_m.is_none()));
        let views = match sights {
            Some(sights) => wanted_in_sight(light, &shadow, seen, sights),
            None => wanted(light, &shadow, seen),
        };
        let own = Asked { light: index, shadow, bank, views };
        if own.drawn().next().is_some() {
            asked.push(own);
        }
    }
    for bank in Bank::ALL {
        let of_these = || asked.iter().filter(|own| own.bank == bank);
        let count: u32 = of_these().map(|own| own.drawn().count() as u32).sum();
        let fitting = of_these().filter(|own| own.shadow.size_px.is_none() && !is_of_scene(&own.shadow));
        let wanted_px = fitting.flat_map(|own| own.views.iter().map(|view| view.size_px(seen_by(&own.shadow))));
        let wanted_px = wanted_px.fold(0.0, f32::max);
        let fitted_px = size_of(count, wanted_px, size_px[0].max(size_px[1]), bank.texels_max());
        let scene_px = size_of(count, f32::INFINITY, SIZE_USUAL_PX / 4, bank.texels_max());
        let own_px = of_these().map(|own| own.size_px([fitted_px, scene_px])).max();
        let grid = (1..).find(|grid| count <= grid * grid * layers_max).expect("some grid is fine enough");
        let layers = count.div_ceil(grid * grid);
        maps.arrays[bank as usize] =
            MapArray { layers, map_px: own_px.unwrap_or(fitted_px), grid, fitted_px, scene_px };
    }
    let mut counts = [0; Bank::ALL.len()];
    for own in &asked {
        let Asked { light, shadow, bank, ref views } = *own;
        let (array, count) = (maps.array(bank), &mut counts[bank as usize]);
        let size_px = own.size_px([array.fitted_px, array.scene_px]);
        maps.of_light[light] = Some(MapRange { first: maps.views.len(), count: views.len() as u32 });
        for view in views {
            let cell = (*view != Wanted::Unseen).then_some(*count);
            *count += u32::from(cell.is_some());
            let own = view.view(size_px, array.place(cell), shadow, seen_by(&shadow));
            let extent = extent(&shot.lights[light], &shadow, view.forward(shot.lights[light].direction));
            maps.extents.push(extent);
            maps.views.push(MapView { bank, is_veiled: own.layer.is_some() && is_veiled(&shadow), ..own });
        }
    }
    maps
}

/// How large a light is to its shadow's technique, along a map: what the scene writes for it, or its own size.
fn extent(light: &ShotLight, shadow: &Shadow, forward: Vec3) -> Extent {
    let row = row(&light.kind);
    let written = match row.rays {
        Rays::Parallel => shadow.value("light_angle_deg").map(|angle_deg| ops::tan(angle_deg.to_radians() * 0.5)),
        Rays::FromPoint => shadow.value("light_width_m").map(|width_m| width_m * 0.5),
    };
    let extent = written.map_or_else(|| (row.body.extent)(light, forward), |radius| Extent::facing(forward, radius));
    extent.seen_along(forward)
}

/// Whether nothing about a light's maps depends on the camera.
fn is_of_scene(shadow: &Shadow) -> bool {
    shadow.fit == ShadowFit::Scene && shadow.technique.row().layout != MapLayout::Cascades
}

fn bank_of(shadow: &Shadow, rays: Rays) -> Bank {
    match (shadow.technique.row().reads, rays) {
        (ShadowReads::Moments { .. }, _) => Bank::Moments,
        (ShadowReads::Depth, Rays::Parallel) => Bank::Sun,
        (ShadowReads::Depth, Rays::FromPoint) => Bank::Local,
    }
}

/// The maps that a light's technique wants of it.
fn wanted(light: &ShotLight, shadow: &Shadow, seen: &Seen) -> Vec<Wanted> {
    let row = row(&light.kind);
    let fitted = || (row.maps)(light, seen);
    let is_parallel = row.rays == Rays::Parallel;
    match shadow.technique.row().layout {
        MapLayout::Cascades if is_parallel => {
            let [count, lambda, distance_m, _] = shadow.own;
            let depths = seen.depths_m(Some(distance_m).filter(|distance_m| *distance_m > 0.0));
            let splits = splits(depths, count as u32, lambda);
            let fits = splits.windows(2).filter_map(|pair| Fit::stable(light.direction, seen, [pair[0], pair[1]]));
            fits.map(Wanted::Parallel).collect()
        }
        MapLayout::Sides if !is_parallel && !fitted().is_empty() => Wanted::sides(light.position, seen),
        _ if is_parallel && shadow.fit == ShadowFit::Stable => {
            Fit::stable(light.direction, seen, seen.depths_m(None)).map(Wanted::Parallel).into_iter().collect()
        }
        MapLayout::Fitted if is_parallel && shadow.fit == ShadowFit::Lispsm => {
            Warp::new(light.direction, seen).map_or_else(fitted, |warp| vec![Wanted::Warped(warp)])
        }
        _ => fitted(),
    }
}

/// Whether the maps of a light are fitted to what is seen at all points of the picture.
pub fn is_by_sight(light: &ShotLight) -> bool {
    let is_asked = light.shadow.is_some_and(|shadow| shadow.fit == ShadowFit::Seen);
    is_asked && row(&light.kind).rays == Rays::Parallel && light.color != [0.0; 3]
}

/// The maps of a directional light that hold what is seen, and no more.
fn wanted_in_sight(light: &ShotLight, shadow: &Shadow, seen: &Seen, sights: &Sights) -> Vec<Wanted> {
    if shadow.technique.row().layout != MapLayout::Cascades {
        let fit = Fit::in_sight(light.direction, seen, (sights, [0.0, f32::INFINITY]));
        return fit.map(Wanted::Parallel).into_iter().collect();
    }
    let [count, lambda, distance_m, _] = shadow.own;
    let end_m = if distance_m > 0.0 { distance_m } else { f32::INFINITY };
    let Some([near_m, far_m]) = seen.depths_in_sight(sights) else { return Vec::new() };
    let splits = splits([near_m, far_m.min(end_m).max(near_m * 1.01)], count as u32, lambda);
    let mut begin_m = 0.0;
    let fits = splits.windows(2).filter_map(|pair| {
        let fit = Fit::in_sight(light.direction, seen, (sights, [begin_m, pair[1]]));
        // The last tenth of each is mixed with the next.
        begin_m = pair[1] - 0.1 * (pair[1] - pair[0]);
        fit.map(|fit| Wanted::Parallel(fit.between([pair[0], pair[1]])))
    });
    fits.collect()
}

/// Where cascades begin and end (Zhang and others 2006): equal parts and equal ratios, mixed by `lambda`.
fn splits([near_m, far_m]: [f32; 2], count: u32, lambda: f32) -> Vec<f32> {
    let at = |index: u32| {
        let part = index as f32 / count as f32;
        let ratio = near_m * stillframe_base::math::ops::pow(far_m / near_m, part);
        lambda * ratio + (1.0 - lambda) * (near_m + (far_m - near_m) * part)
    };
    (0..=count).map(|index| if index == count { far_m } else { at(index) }).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn splits_lie_between_equal_parts_and_equal_ratios() {
        assert_eq!(splits([1.0, 16.0], 4, 1.0), [1.0, 2.0, 4.0, 8.0, 16.0]);
        assert_eq!(splits([1.0, 17.0], 4, 0.0), [1.0, 5.0, 9.0, 13.0, 17.0]);
        assert_eq!(splits([1.0, 16.0], 2, 0.5), [1.0, 6.25, 16.0]);
        assert_eq!(splits([0.5, 3.0], 1, 0.3), [0.5, 3.0]);
    }
}
