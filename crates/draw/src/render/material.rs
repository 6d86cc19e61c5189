//! Material: bind groups of materials, made when a batch first needs them.

use std::collections::BTreeMap;

use stillframe_base::par::Pool;

use super::adapter::Gpu;
use super::bind::{Entry, FRAGMENT, Layouts, SAMPLER, TEXTURE, UNIFORM, filled, group};
use super::texture::Textures;
use crate::asset::{MaterialId, Store};
use crate::material::{Key, Slot, material_uniform, sampler_binding, slots, texture_binding, texture_slot};

/// Groups by material and the textures a key reads of it.
#[derive(Debug, Default)]
pub struct Materials {
    groups: BTreeMap<(MaterialId, [bool; 5]), wgpu::BindGroup>,
    uniforms: BTreeMap<MaterialId, wgpu::Buffer>,
    pub textures: Textures,
}

/// Group 2 of a key.
pub fn material_entries(key: &Key) -> Vec<Entry> {
    let mut entries = vec![(0, FRAGMENT, UNIFORM)];
    for slot in slots(key) {
        entries.push((texture_binding(slot), FRAGMENT, TEXTURE));
        entries.push((sampler_binding(slot), FRAGMENT, SAMPLER));
    }
    entries
}

impl Materials {
    /// Forgets what belongs to numbers of materials; textures stay.
    pub fn forget(&mut self) {
        self.groups.clear();
        self.uniforms.clear();
    }

    /// Makes what takes long for groups that [`Materials::ensure`] will make: mip levels.
    pub fn prepare<'k>(
        &mut self,
        px_max: u32,
        store: &Store,
        wanted: impl Iterator<Item = (MaterialId, &'k Key)>,
        max_mip: Option<u32>,
        pool: &Pool,
    ) {
        let textures = wanted.filter(|(_, key)| key.reads_material()).flat_map(|(id, key)| {
            let material = store.material(id);
            slots(key).into_iter().filter_map(move |slot| Some((slot, texture_slot(material, slot)?)))
        });
        self.textures.make_levels(px_max, store, textures, max_mip, pool);
    }

    /// Makes the group of a material for a key, if it is not there.
    pub fn ensure(
        &mut self,
        gpu: &Gpu,
        layouts: &mut Layouts,
        store: &Store,
        id: MaterialId,
        key: &Key,
        max_mip: Option<u32>,
    ) {
        if !key.reads_material() || self.groups.contains_key(&(id, key.textures)) {
            return;
        }
        let device = &gpu.device;
        let material = store.material(id);
        let uniform = self.uniforms.entry(id).or_insert_with(|| {
            let values = material_uniform(material);
            filled(device, &material.name, wgpu::BufferUsages::UNIFORM, bytemuck::cast_slice(&values))
        });
        let uniform = uniform.clone();
        let bound: Vec<(Slot, wgpu::TextureView, wgpu::Sampler)> = slots(key)
            .into_iter()
            .map(|slot| {
                let texture = texture_slot(material, slot).expect("a key reads only textures that exist");
                let (view, sampler) = self.textures.bind(gpu, store, slot, texture, max_mip);
                (slot, view, sampler)
            })
            .collect();
        let mut entries = vec![(0, uniform.as_entire_binding())];
        for (slot, view, sampler) in &bound {
            entries.push((texture_binding(*slot), wgpu::BindingResource::TextureView(view)));
            entries.push((sampler_binding(*slot), wgpu::BindingResource::Sampler(sampler)));
        }
        let layout = layouts.layout(device, "material", &material_entries(key));
        let made = group(device, &material.name, &layout, &entries);
        self.groups.insert((id, key.textures), made);
    }

    /// The group made by `ensure`.
    pub fn group(&self, id: MaterialId, key: &Key) -> Option<&wgpu::BindGroup> {
        self.groups.get(&(id, key.textures)).filter(|_| key.reads_material())
    }
}
