//! Instances: one mesh at many places.
//!
//! Source: EXT_mesh_gpu_instancing. Each copy becomes a node of its own below the one that lists them, so that it has
//! its own id and its own name, `tree[3]`.

use glam::{DQuat, DVec3, Mat4};

use super::json::At;
use super::mesh::CHANNEL_BYTES;
use super::node::{NODE_BYTES, unit};
use super::variant::Mapped;
use super::{Importer, Stop};
use crate::import::{Local, ModelNode, Trs, code};

impl<'a> Importer<'a> {
    /// Hands what node `position` shows to a new node for each of its instances, where it lists any.
    pub fn instances(&mut self, node: At<'a>, position: usize) -> Result<(), Stop> {
        let Some(at) = node.key("extensions").key("EXT_mesh_gpu_instancing").some() else { return Ok(()) };
        if node.key("skin").exists() {
            // Joints place what hangs on them, so that all copies would stand in one place.
            self.warn(at.fault(code::EXTENSION_IGNORED, "instances of a skinned mesh are shown as one"));
            return Ok(());
        }
        let attributes = at.key("attributes");
        let mut count = None;
        let mut vectors = [Vec::new(), Vec::new()];
        for (vectors, name) in vectors.iter_mut().zip(["TRANSLATION", "SCALE"]) {
            let at = attributes.key(name);
            let Some(index) = at.opt_index()? else { continue };
            let accessor = self.accessor(index, at)?;
            agree(&mut count, accessor.count, at)?;
            *vectors = accessor.floats::<3>(&mut self.budget)?;
        }
        let at_rotation = attributes.key("ROTATION");
        let mut rotations = Vec::new();
        if let Some(index) = at_rotation.opt_index()? {
            let accessor = self.accessor(index, at_rotation)?;
            agree(&mut count, accessor.count, at_rotation)?;
            rotations = accessor.floats::<4>(&mut self.budget)?;
        }
        let Some(count) = count else { return Ok(()) };
        let numbers = vectors.iter().flatten().flatten().chain(rotations.iter().flatten());
        if let Some(broken) = numbers.into_iter().position(|v| !v.is_finite()) {
            return Err(at.fault(code::NOT_FINITE, format!("instance {broken} is not finite")).into());
        }
        let shown = &mut self.model.nodes[position];
        let (name, mesh) = (shown.name.clone(), shown.mesh.clone());
        let (parts, morphs) = (std::mem::take(&mut shown.parts), std::mem::take(&mut shown.morphs));
        // Those of the newest node are the last.
        let mapped = self.mapped.split_off(self.mapped.partition_point(|mapped| mapped.node < position));
        let held = (size_of_val(parts.as_slice()) + size_of_val(mapped.as_slice())) as u64;
        let bytes = NODE_BYTES + name.len() as u64 + held + morphs.len() as u64 * CHANNEL_BYTES;
        self.budget.spend(bytes.saturating_mul(count as u64), &at.to_string())?;
        let [translations, scales] = vectors;
        let vector = |list: &[[f32; 3]], index: usize, default| {
            list.get(index).map_or(default, |v| DVec3::from_array(v.map(f64::from)))
        };
        for index in 0..count {
            let rotation = rotations.get(index).map_or(DQuat::IDENTITY, |q| DQuat::from_array(q.map(f64::from)));
            let local = Trs {
                translation: vector(&translations, index, DVec3::ZERO),
                rotation: unit(rotation),
                scale: vector(&scales, index, DVec3::ONE),
            };
            let node = self.model.nodes.len();
            self.mapped.extend(mapped.iter().map(|of| Mapped { node, ..*of }));
            self.model.nodes.push(ModelNode {
                name: format!("{name}[{index}]"),
                parent: Some(position),
                local: Local::Trs(local),
                local_from_parts: Mat4::IDENTITY,
                shown: true,
                mesh: mesh.clone(),
                parts: parts.clone(),
                skin: None,
                morphs: morphs.clone(),
            });
        }
        Ok(())
    }
}

/// Every attribute has one element an instance.
fn agree(count: &mut Option<usize>, found: usize, at: At<'_>) -> Result<(), Stop> {
    let wanted = *count.get_or_insert(found);
    if wanted == found {
        return Ok(());
    }
    Err(at.fault(code::VERTEX_COUNT, format!("has {found} instances, but the previous attribute has {wanted}")).into())
}
