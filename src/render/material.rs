//! Material: bind groups of materials, made when a batch first needs them.

use std::collections::BTreeMap;

use stillframe_base::par::Pool;

use super::bind::{FRAGMENT, SAMPLER, TEXTURE, UNIFORM, filled, group, layout};
use super::texture::Textures;
use crate::asset::{MaterialId, Store};
use crate::material::{Key, Slot, material_uniform, sampler_binding, slots, texture_binding, texture_slot};

/// Groups by material and the textures a key reads of it; layouts by those textures.
#[derive(Debug, Default)]
pub struct Materials {
    layouts: BTreeMap<[bool; 5], wgpu::BindGroupLayout>,
    groups: BTreeMap<(MaterialId, [bool; 5]), wgpu::BindGroup>,
    uniforms: BTreeMap<MaterialId, wgpu::Buffer>,
    pub textures: Textures,
}

impl Materials {
    /// Forgets what belongs to numbers of materials; layouts and textures stay.
    pub fn forget(&mut self) {
        self.groups.clear();
        self.uniforms.clear();
    }

    /// The layout of group 2 for a key.
    pub fn layout(&mut self, device: &wgpu::Device, key: &Key) -> wgpu::BindGroupLayout {
        let make = || {
            let mut entries = vec![(0, FRAGMENT, UNIFORM)];
            for slot in slots(key) {
                entries.push((texture_binding(slot), FRAGMENT, TEXTURE));
                entries.push((sampler_binding(slot), FRAGMENT, SAMPLER));
            }
            layout(device, "material", &entries)
        };
        self.layouts.entry(key.textures).or_insert_with(make).clone()
    }

    /// Makes what takes long for groups that [`Materials::ensure`] will make: mip levels.
    pub fn prepare<'k>(
        &mut self,
        device: &wgpu::Device,
        store: &Store,
        wanted: impl Iterator<Item = (MaterialId, &'k Key)>,
        max_mip: Option<u32>,
        pool: &Pool,
    ) {
        let textures = wanted.filter(|(_, key)| key.reads_material()).flat_map(|(id, key)| {
            let material = store.material(id);
            slots(key).into_iter().filter_map(move |slot| Some((slot, texture_slot(material, slot)?)))
        });
        self.textures.make_levels(device, store, textures, max_mip, pool);
    }

    /// Makes the group of a material for a key, if it is not there.
    pub fn ensure(
        &mut self,
        (device, queue): (&wgpu::Device, &wgpu::Queue),
        store: &Store,
        id: MaterialId,
        key: &Key,
        max_mip: Option<u32>,
    ) {
        if !key.reads_material() || self.groups.contains_key(&(id, key.textures)) {
            return;
        }
        let material = store.material(id);
        let uniform = self.uniforms.entry(id).or_insert_with(|| {
            let values = material_uniform(material);
            filled(device, &material.name, wgpu::BufferUsages::UNIFORM, bytemuck::cast_slice(&values))
        });
        let uniform = uniform.clone();
        let bound: Vec<(Slot, wgpu::TextureView, wgpu::Sampler)> = slots(key)
            .into_iter()
            .map(|slot| {
                let texture = texture_slot(material, slot).expect("a key reads only textures that are there");
                let (view, sampler) = self.textures.bind((device, queue), store, slot, texture, max_mip);
                (slot, view, sampler)
            })
            .collect();
        let mut entries = vec![(0, uniform.as_entire_binding())];
        for (slot, view, sampler) in &bound {
            entries.push((texture_binding(*slot), wgpu::BindingResource::TextureView(view)));
            entries.push((sampler_binding(*slot), wgpu::BindingResource::Sampler(sampler)));
        }
        let layout = self.layout(device, key);
        let made = group(device, &material.name, &layout, &entries);
        self.groups.insert((id, key.textures), made);
    }

    /// The group made by `ensure`.
    pub fn group(&self, id: MaterialId, key: &Key) -> Option<&wgpu::BindGroup> {
        self.groups.get(&(id, key.textures)).filter(|_| key.reads_material())
    }
}
