//! Figures of crowds become items.

use std::sync::Arc;

use stillframe_base::tick::Tick;

use super::super::crowd::{self, BakedModel};
use super::super::{Item, code};
use super::{CROWD_ORIGIN, Placing, local_transform, matrix, shown_nodes};
use crate::asset::{CrowdPart, Form, Geometry, GeometryId, MaterialId};
use crate::bake::{self, TangentWish};
use crate::scene::Crowd;
use crate::source::Diagnostic;

impl Placing<'_> {
    /// Figures of a crowd: each level of detail at its distances.
    pub(super) fn crowd(&mut self, crowd: &Crowd, baked: &[BakedModel], time: Tick) {
        let looks = std::iter::once((0.0, Some(crowd.model)));
        let looks: Vec<(f64, Option<usize>)> =
            looks.chain(crowd.lods.iter().map(|lod| (lod.from_m, lod.model))).collect();
        let placed = local_transform(&crowd.placement);
        let first_id = self.world.object_names.len() as u32 + 1;
        for number in 0..crowd.count {
            self.name_object(format!("{}/{number}", crowd.name));
        }
        // All levels of detail go where the first one does.
        let travels = crowd::travels(crowd, &baked[0], time).unwrap_or_else(|words| {
            let message = format!("crowd {:?}: {words}", crowd.name);
            self.errors.push(Diagnostic::error(code::CROWD, &self.scene.root, message));
            Vec::new()
        });
        let first_model = self.node_from_model(crowd.model);
        let mut baked = baked.iter();
        for (at, (from_m, model)) in looks.iter().enumerate() {
            let Some(model_index) = *model else { continue };
            let to_m = looks.get(at + 1).map_or(f32::INFINITY, |(next_m, _)| *next_m as f32);
            let baked = baked.next().expect("baked as listed");
            let place = self.world.crowds.len() as u32;
            self.world.crowds.push(Arc::new(crowd::figures(crowd, baked, time)));
            let model = self.models[model_index];
            let shown = shown_nodes(model, &self.scene.models[model_index]);
            let seen = self.poses[model_index].seen.clone();
            let parts: Vec<(usize, usize, GeometryId, MaterialId)> = model
                .nodes
                .iter()
                .enumerate()
                .filter(|(node, _)| shown[*node] && seen[*node])
                .flat_map(|(node, of)| (0..of.parts.len()).map(move |part| (node, part)))
                .map(|(node, part)| {
                    let material = match crowd.material {
                        Some(material) => self.scene_materials[material],
                        None => self.model_material(model_index, model.nodes[node].parts[part].material),
                    };
                    (node, part, self.figure_geometry((model_index, node, part), baked, material), material)
                })
                .collect();
            let node_from_model = self.node_from_model(model_index);
            for number in 0..crowd.count {
                let mut stands = placed * crowd::place(crowd, number);
                if let Some(travel) = travels.get(number as usize) {
                    stands = stands * first_model * matrix(*travel) * first_model.inverse();
                }
                let world_from_local = stands * node_from_model;
                let bounds = baked.bounds.transformed(&world_from_local);
                self.world.bounds = self.world.bounds.union(bounds);
                for (node, part, geometry, material) in &parts {
                    let first_joint = baked.firsts[&(*node, *part)];
                    let first_share = baked.shapes.get(node).map_or(0, |shapes| shapes.first_share);
                    self.world.items.push(Item {
                        geometry: *geometry,
                        bent: None,
                        crowd: Some(CrowdPart { crowd: place, figure: number, first_joint, first_share }),
                        distances_m: [*from_m as f32, to_m],
                        material: *material,
                        world_from_local,
                        object_id: first_id + number,
                        origin: [CROWD_ORIGIN - place, number, (*node * 64 + *part) as u32],
                        bounds,
                        casts_shadow: crowd.casts_shadow,
                    });
                }
            }
        }
    }

    /// A part of a model as figures of crowds wear it, at rest.
    fn figure_geometry(
        &mut self,
        (model_index, node, part): (usize, usize, usize),
        baked: &BakedModel,
        material: MaterialId,
    ) -> GeometryId {
        let model = self.models[model_index];
        let kept = baked.shapes.get(&node).map_or(&[][..], |shapes| &shapes.kept);
        let form = (baked.form == Form::Places, kept.to_vec());
        let number = model.nodes[node].parts[part].geometry;
        let wish = TangentWish::of(self.store.material(material));
        let key = (self.file_number(model_index), node, number, wish, form);
        if let Some(id) = self.made.figure_geometries.get(&key) {
            return *id;
        }
        let file = &self.scene.models[model_index].file;
        let surface = match self.made.surface(model, file, number, self.read) {
            Ok(surface) => surface,
            Err(errors) => {
                self.errors.extend(errors);
                return self.store.add_geometry(Geometry::default());
            }
        };
        let bend = match baked.form {
            Form::Places => crowd::own_places(surface.positions.len()),
            _ => crowd::bend_of(model, node, number, kept),
        };
        let (completed, bend) = bake::complete_bending(surface, &bend, wish);
        self.tell(model_index, &completed);
        let id = self.store.add_figure(completed.geometry, bend);
        self.made.figure_geometries.insert(key, id);
        id
    }
}
