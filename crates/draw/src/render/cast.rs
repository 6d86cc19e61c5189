//! Cast: what depth maps are drawn from. Maps of equal casts are equal: they are drawn once, for all cameras of a
//! picture and for the pictures after it.

use std::collections::BTreeMap;
use std::sync::Arc;

use glam::Mat4;

use crate::asset::{Bent, CrowdPart, Figures, Geometry, GeometryId, Material, MaterialId, Store};
use crate::light::{Bank, MapArray, MapView, Maps};
use crate::view::{DrawItem, Shot};

/// By array; `None`: it has no maps.
pub type Casts = [Option<Cast>; Bank::ALL.len()];

/// What the maps of an array are drawn from.
#[derive(Clone, Debug, PartialEq)]
pub struct Cast {
    array: MapArray,
    maps: Vec<MapView>,
    things: Vec<Thing>,
    /// Numbers stay while what they stand for is made anew.
    geometries: BTreeMap<GeometryId, Same<Geometry>>,
    materials: BTreeMap<MaterialId, Material>,
    /// A view's picture is on something, which no number here knows.
    shows_view: bool,
}

/// Of an item, what its shadow depends on.
#[derive(Clone, Debug, PartialEq)]
struct Thing {
    geometry: GeometryId,
    world_from_local: Mat4,
    mirrored: bool,
    material: MaterialId,
    bent: Option<Same<Bent>>,
    figure: Option<(Same<Figures>, CrowdPart)>,
}

/// Something shared, which is compared only where it is not the same.
#[derive(Clone, Debug)]
struct Same<T>(Arc<T>);

impl<T: PartialEq> PartialEq for Same<T> {
    fn eq(&self, other: &Same<T>) -> bool {
        Arc::ptr_eq(&self.0, &other.0) || self.0 == other.0
    }
}

impl Thing {
    fn new(item: &DrawItem, shot: &Shot) -> Thing {
        Thing {
            geometry: item.geometry,
            world_from_local: item.world_from_local,
            mirrored: item.mirrored,
            material: item.material,
            bent: item.bent.map(|[now, _]| Same(shot.bents[now as usize].clone())),
            figure: item.crowd.map(|([now, _], part)| (Same(shot.crowds[now as usize].clone()), part)),
        }
    }
}

impl Cast {
    /// Of each array of a shot's maps.
    pub fn all(maps: &Maps, shot: &Shot, store: &Store) -> Casts {
        Bank::ALL.map(|bank| {
            let own: Vec<MapView> = maps.views.iter().filter(|view| view.bank == bank).cloned().collect();
            if maps.array(bank).layers == 0 {
                return None;
            }
            let veils = shot.veils.iter().filter(|_| own.iter().any(|map| map.is_veiled));
            let things: Vec<Thing> = shot.casters.iter().chain(veils).map(|item| Thing::new(item, shot)).collect();
            let (mut geometries, mut materials) = (BTreeMap::new(), BTreeMap::new());
            for thing in &things {
                geometries.entry(thing.geometry).or_insert_with(|| Same(store.geometries[thing.geometry].clone()));
                materials.entry(thing.material).or_insert_with(|| store.material(thing.material).clone());
            }
            let shows_view = materials.keys().any(|id| store.views_on(*id).next().is_some());
            Some(Cast { array: maps.array(bank), maps: own, things, geometries, materials, shows_view })
        })
    }

    /// Whether an equal cast of a later picture has equal maps.
    pub fn lasts(&self) -> bool {
        !self.shows_view
    }
}
