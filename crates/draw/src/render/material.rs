//! Material: bind groups of materials, made when a batch first needs them.

use std::collections::BTreeMap;
use std::sync::Arc;

use stillframe_base::par::Pool;
use stillframe_graph::{Program, Settled};

use super::adapter::Gpu;
use super::bind::{Entry, FRAGMENT, Layouts, SAMPLER, TEXTURE, UNIFORM, VERTEX_FRAGMENT, filled, group};
use super::texture::{Textures, use_of};
use crate::asset::{Material, MaterialId, Slots, Store, TextureSlot};
use crate::bake::MipUse;
use crate::material::{Key, MATERIAL_NUMBER, graph_binding, material_uniform, sampler_binding, texture_binding};

/// A material, and what a key reads of it: slots, and what its nodes compute.
type GroupKey = (MaterialId, Slots, Option<Arc<Program>>);

/// Groups by material and what a key reads of it.
#[derive(Debug, Default)]
pub struct Materials {
    groups: BTreeMap<GroupKey, wgpu::BindGroup>,
    uniforms: BTreeMap<(MaterialId, Slots), wgpu::Buffer>,
    pub textures: Textures,
}

/// Group 2 of a key.
pub fn material_entries(key: &Key) -> Vec<Entry> {
    let mut entries = vec![(0, FRAGMENT, UNIFORM)];
    let slots = key.inputs.textures;
    for slot in slots.iter() {
        entries.push((texture_binding(slots, slot), FRAGMENT, TEXTURE));
        entries.push((sampler_binding(slots, slot), FRAGMENT, SAMPLER));
    }
    if let Some(program) = &key.inputs.graph {
        let first = graph_binding(slots);
        if program.parameter_count > 0 {
            let stages = if program.displaces() { VERTEX_FRAGMENT } else { FRAGMENT };
            entries.push((first, stages, UNIFORM));
        }
        for at in 0..program.texture_count {
            entries.push((stillframe_graph::texture_binding(first, at), FRAGMENT, TEXTURE));
            entries.push((stillframe_graph::sampler_binding(first, at), FRAGMENT, SAMPLER));
        }
    }
    entries
}

/// The textures that a key reads of a material, with what they mean and their bindings.
fn textures<'s>(material: &'s Material, key: &Key) -> Vec<(u32, u32, MipUse, &'s TextureSlot)> {
    let slots = key.inputs.textures;
    let of = |slot| {
        let mip_use = use_of(material, slot);
        (texture_binding(slots, slot), sampler_binding(slots, slot), mip_use, &material.textures[&slot])
    };
    let mut out: Vec<(u32, u32, MipUse, &TextureSlot)> = slots.iter().map(of).collect();
    if let (Some(program), Some(own)) = (&key.inputs.graph, &material.graph) {
        for (at, sampled) in (0..).zip(&own.bound_of(program).textures) {
            let mip_use = if sampled.is_color { MipUse::Color } else { MipUse::Data };
            let texture = stillframe_graph::texture_binding(graph_binding(slots), at);
            let sampler = stillframe_graph::sampler_binding(graph_binding(slots), at);
            out.push((texture, sampler, mip_use, &own.textures[sampled.at]));
        }
    }
    out
}

/// Values of the parameters that a key's nodes read.
fn parameters(material: &Material, key: &Key) -> Vec<[f32; 4]> {
    let (Some(program), Some(own)) = (&key.inputs.graph, &material.graph) else { return Vec::new() };
    let value = |node: &usize| match own.graph.nodes[*node].setting {
        Settled::Parameter(value) => value,
        other => unreachable!("{other:?} is not a parameter"),
    };
    own.bound_of(program).parameters.iter().map(value).collect()
}

impl Materials {
    /// Forgets what belongs to numbers of materials; textures stay as long as somebody holds their images.
    pub fn forget(&mut self) {
        self.textures.forget();
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
            textures(store.material(id), key).into_iter().map(|(_, _, mip_use, texture)| (mip_use, texture))
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
        let of = (id, key.inputs.textures, key.inputs.graph.clone());
        if !key.reads_material() || self.groups.contains_key(&of) {
            return;
        }
        let device = &gpu.device;
        let material = store.material(id);
        let slots = key.inputs.textures;
        let uniform = self.uniforms.entry((id, slots)).or_insert_with(|| {
            let mut values = material_uniform(material, slots);
            values[MATERIAL_NUMBER] = id.index() as f32;
            filled(device, &material.name, wgpu::BufferUsages::UNIFORM, bytemuck::cast_slice(&values))
        });
        let uniform = uniform.clone();
        let parameters = parameters(material, key);
        let of_graph = (!parameters.is_empty())
            .then(|| filled(device, &material.name, wgpu::BufferUsages::UNIFORM, bytemuck::cast_slice(&parameters)));
        let bound: Vec<(u32, u32, (wgpu::TextureView, wgpu::Sampler))> = textures(material, key)
            .into_iter()
            .map(|(at, sampler, mip_use, slot)| (at, sampler, self.textures.bind(gpu, store, mip_use, slot, max_mip)))
            .collect();
        let mut entries = vec![(0, uniform.as_entire_binding())];
        entries.extend(of_graph.as_ref().map(|buffer| (graph_binding(slots), buffer.as_entire_binding())));
        for (at, sampler_at, (view, sampler)) in &bound {
            entries.push((*at, wgpu::BindingResource::TextureView(view)));
            entries.push((*sampler_at, wgpu::BindingResource::Sampler(sampler)));
        }
        let layout = layouts.layout(device, "material", &material_entries(key));
        let made = group(device, &material.name, &layout, &entries);
        self.groups.insert(of, made);
    }

    /// The group made by `ensure`.
    pub fn group(&self, id: MaterialId, key: &Key) -> Option<&wgpu::BindGroup> {
        let made = || self.groups.get(&(id, key.inputs.textures, key.inputs.graph.clone()));
        if key.reads_material() { made() } else { None }
    }
}
