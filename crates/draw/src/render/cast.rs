//! Cast: what depth maps are drawn from. Maps of equal casts are equal: they are drawn once, for all cameras of a
//! picture and for the pictures after it.

use std::sync::Arc;

use glam::Mat4;

use crate::asset::{Bent, CrowdPart, Figures, GeometryId, Material, Store};
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
}

/// Of an item, what its shadow depends on.
#[derive(Clone, Debug, PartialEq)]
struct Thing {
    geometry: GeometryId,
    world_from_local: Mat4,
    mirrored: bool,
    material: Material,
    bent: Option<Arc<Bent>>,
    figure: Option<(Arc<Figures>, CrowdPart)>,
    /// A view's picture is on it, which no number here knows.
    shows_view: bool,
}

impl Thing {
    fn new(item: &DrawItem, shot: &Shot, store: &Store) -> Thing {
        let material = store.material(item.material);
        Thing {
            geometry: item.geometry,
            world_from_local: item.world_from_local,
            mirrored: item.mirrored,
            material: material.clone(),
            bent: item.bent.map(|[now, _]| shot.bents[now as usize].clone()),
            figure: item.crowd.map(|([now, _], part)| (shot.crowds[now as usize].clone(), part)),
            shows_view: {
                let of_nodes = material.graph.iter().flat_map(|graph| &graph.textures);
                material.textures.values().chain(of_nodes).any(|texture| store.view_of(texture.image).is_some())
            },
        }
    }
}

impl Cast {
    /// Of each array of a shot's maps.
    pub fn all(maps: &Maps, shot: &Shot, store: &Store) -> Casts {
        Bank::ALL.map(|bank| {
            let own: Vec<MapView> = maps.views.iter().filter(|view| view.bank == bank).cloned().collect();
            let veils = || shot.veils.iter().filter(|_| own.iter().any(|map| map.is_veiled));
            let things = shot.casters.iter().chain(veils()).map(|item| Thing::new(item, shot, store)).collect();
            (maps.array(bank).layers > 0).then(|| Cast { array: maps.array(bank), maps: own, things })
        })
    }

    /// Whether an equal cast of a later picture has equal maps.
    pub fn lasts(&self) -> bool {
        !self.things.iter().any(|thing| thing.shows_view)
    }
}
