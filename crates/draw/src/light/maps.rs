//! Maps: which lights of a shot get depth maps, how many and how large.

use super::map::{MapArray, MapView, Rays};
use super::row;
use super::seen::Seen;
use crate::view::Shot;

/// All maps of a shot.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Maps {
    /// In light order, those of a light in a row.
    pub views: Vec<MapView>,
    /// For each light of the shot, its first map.
    pub first_of_light: Vec<Option<usize>>,
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

/// The width of all maps of one kind: 2048 or 1024 for a few, less for many, so that they stay below 64 MiB or so.
fn size_of(layers: u32, best: u32) -> u32 {
    let mut size = best;
    while size > 256 && u64::from(layers) * u64::from(size) * u64::from(size) > 1 << 24 {
        size /= 2;
    }
    size
}

/// The maps of a shot's lights, in arrays of at most `layers_max` layers.
pub fn maps(shot: &Shot, layers_max: u32) -> Maps {
    let mut maps = Maps { first_of_light: vec![None; shot.lights.len()], ..Maps::default() };
    if shot.casters.is_empty() {
        return maps;
    }
    let mut wanted = Vec::new();
    for (index, light) in shot.lights.iter().enumerate() {
        if !light.shadow || light.color == [0.0; 3] {
            continue;
        }
        let row = row(&light.kind);
        let array = maps.array_mut(row.rays);
        if array.layers + row.map_count > layers_max {
            maps.left_out += 1;
            continue;
        }
        array.layers += row.map_count;
        wanted.push((index, light, row));
    }
    for (array, best) in [(&mut maps.sun, 2048), (&mut maps.local, 1024)] {
        *array = MapArray { layers: 0, size_px: size_of(array.layers, best) };
    }
    let seen = Seen::new(shot);
    for (index, light, row) in wanted {
        let array = maps.array_mut(row.rays);
        let views = (row.maps)(light, &seen, array.size_px, array.layers);
        if views.is_empty() {
            continue;
        }
        array.layers += views.len() as u32;
        maps.first_of_light[index] = Some(maps.views.len());
        maps.views.extend(views);
    }
    maps
}
