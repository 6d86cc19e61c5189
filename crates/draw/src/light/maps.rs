//! Maps: which lights of a shot get depth maps, how many and how large.

use super::map::{MapArray, MapView, Rays, Wanted};
use super::row;
use super::seen::Seen;
use crate::asset::Store;
use crate::view::{Shot, ShotLight};

/// The maps of one light, among those of its shot.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct MapRange {
    pub first: usize,
    /// 1, or its six sides.
    pub count: u32,
}

/// All maps of a shot.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Maps {
    /// In light order, those of a light in a row.
    pub views: Vec<MapView>,
    /// By light of the shot.
    pub of_light: Vec<Option<MapRange>>,
    /// Of lights with parallel rays.
    pub sun: MapArray,
    /// Of the others.
    pub local: MapArray,
    /// Lights that cast no shadow because there are too many that do.
    pub left_out: u32,
}

impl Maps {
    pub fn array(&self, rays: Rays) -> MapArray {
        match rays {
            Rays::Parallel => self.sun,
            Rays::FromPoint => self.local,
        }
    }

    fn array_mut(&mut self, rays: Rays) -> &mut MapArray {
        match rays {
            Rays::Parallel => &mut self.sun,
            Rays::FromPoint => &mut self.local,
        }
    }
}

const SIZE_MIN_PX: u32 = 128;
/// Of a picture of 1024 pixels and less; wider ones have maps of two texels a pixel.
const SIZE_USUAL_PX: u32 = 2048;
const SIZE_MAX_PX: u32 = 4096;

/// The width of all maps of one kind: a power of two near what the picture can show, and less for many, so that they
/// stay at 64 MiB.
fn size_of(layers: u32, wanted_px: f32, picture_px: u32) -> u32 {
    let usual = (4 * picture_px).next_power_of_two().min(SIZE_USUAL_PX);
    let most = (2 * picture_px).next_power_of_two().clamp(usual, SIZE_MAX_PX);
    let mut size = SIZE_MIN_PX;
    while size < most && (size as f32) < wanted_px * 0.75 {
        size *= 2;
    }
    while size > SIZE_MIN_PX && u64::from(layers) * u64::from(size) * u64::from(size) > 1 << 24 {
        size /= 2;
    }
    size
}

/// The maps of a shot's lights, in arrays of at most `layers_max` layers. `size_px`: of the picture.
pub fn maps(shot: &Shot, store: &Store, size_px: [u32; 2], layers_max: u32) -> Maps {
    let mut maps = Maps { of_light: vec![None; shot.lights.len()], ..Maps::default() };
    let casts = |light: &ShotLight| light.shadow && light.color != [0.0; 3];
    if shot.casters.is_empty() || !shot.lights.iter().any(casts) {
        return maps;
    }
    let seen = Seen::new(shot, store, size_px);
    let mut wanted = Vec::new();
    for (index, light) in shot.lights.iter().enumerate().filter(|(_, light)| casts(light)) {
        let row = row(&light.kind);
        let views = (row.maps)(light, &seen);
        let layers = views.iter().filter(|view| **view != Wanted::Unseen).count() as u32;
        let array = maps.array_mut(row.rays);
        if layers == 0 {
            continue;
        }
        if array.layers + layers > layers_max {
            maps.left_out += 1;
            continue;
        }
        array.layers += layers;
        wanted.push((index, row.rays, views));
    }
    for rays in [Rays::Parallel, Rays::FromPoint] {
        let of_these = wanted.iter().filter(|(_, of, _)| *of == rays).flat_map(|(_, _, views)| views);
        let wanted_px = of_these.map(|view| view.size_px(&seen)).fold(0.0, f32::max);
        let array = maps.array_mut(rays);
        *array = MapArray { layers: 0, size_px: size_of(array.layers, wanted_px, size_px[0].max(size_px[1])) };
    }
    for (index, rays, views) in wanted {
        maps.of_light[index] = Some(MapRange { first: maps.views.len(), count: views.len() as u32 });
        for view in views {
            let array = maps.array_mut(rays);
            let view = view.view(array.size_px, array.layers);
            array.layers += u32::from(view.layer.is_some());
            maps.views.push(view);
        }
    }
    maps
}
