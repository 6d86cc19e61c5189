//! Gbuffer: surfaces that are stored first and shaded later, by screens (Saito, Takahashi 1990; Hargreaves 2004).
//!
//! In: a key of `Variant::Store`. Out: the text that stores, the key and the text of the screen that shades, values
//! of materials that screens read. Never here: targets and passes.
//!
//! Stored are base colour, normals, roughness, metalness, emission, occlusion and depth, and the number of a screen and
//! that of a material. `shader/store_*.wgsl` say how. Screens run the functions that `Variant::Lit` runs.

use std::fmt::Write;

use stillframe_graph::Output;

use crate::asset::{Lighting, Store};

use super::emit::{base_line, cut, declared, finish, fragment_in, light_up, surface};
use super::{Alpha, Bending, Inputs, Key, Streams, Switches, Variant, model};

/// f32 values of the uniform that screens read, too: f0 and f90, before the lighting model's.
const SHARED_FLOATS: usize = 4;

/// Whether surfaces of this key cannot be shaded by what is stored of them: something of their lighting model is other
/// at each pixel.
pub fn is_forward_only(key: &Key) -> bool {
    let reads_textures = key.inputs.textures.iter().any(|slot| !slot.is_of_all());
    !key.unlit && (reads_textures || key.lobes.has_frame() || key.computes(Output::Radiance))
}

/// The number of the screen that shades surfaces of a key; 0 is none.
fn number(key: &Key) -> u32 {
    let model = crate::asset::ModelId::all().position(|id| id == key.lobes.model).expect("it is in the table");
    let flags = u32::from(key.reflection) << 1 | u32::from(key.unlit);
    1 + ((model as u32) << 18 | u32::from(key.lobes.layers) << 2 | flags)
}

/// The key of the screen that shades what a key stores, under a scene's lights.
pub fn shade_key(key: &Key, switches: Switches) -> Key {
    let Variant::Store(how) = key.variant else { unreachable!("{key} stores nothing") };
    Key {
        variant: Variant::Shade(how),
        alpha: Alpha::Opaque,
        inputs: Inputs::default(),
        streams: Streams::default(),
        double_sided: false,
        switches: if key.unlit { Switches::default() } else { switches },
        bending: Bending::No,
        centroid: false,
        ..key.clone()
    }
}

/// What a screen reads of materials, if it reads any: by the number of the material.
#[derive(Clone, Debug, PartialEq)]
pub struct ShadedValues(pub Vec<f32>);

/// The values of the store's materials for a screen of this key; zeros for those of other lighting models.
pub fn shaded_values(key: &Key, store: &Store) -> Option<ShadedValues> {
    if !reads_materials(key) {
        return None;
    }
    let stride = SHARED_FLOATS + Lighting::new(key.lobes.model).floats(key.lobes.layers).len();
    let mut out = Vec::with_capacity(stride * store.materials.len());
    for (at, material) in store.materials.as_slice().iter().enumerate() {
        if material.lighting.model == key.lobes.model {
            out.extend(material.reflection.f0);
            out.push(material.reflection.f90);
            out.extend(material.lighting.floats(key.lobes.layers));
        }
        out.resize((at + 1) * stride, 0.0);
    }
    Some(ShadedValues(out))
}

fn reads_materials(key: &Key) -> bool {
    key.reflection || !key.lobes.is_plain()
}

/// Stores a surface.
pub fn store(key: &Key, out: &mut String) {
    let inputs = if key.unlit { fragment_in(key) } else { "in: Varyings, @builtin(front_facing) front: bool" };
    if !key.unlit {
        surface(key, out);
    }
    _ = writeln!(out, "@fragment\nfn fragment({inputs}) -> Stored {{");
    if key.unlit {
        _ = write!(out, "{}    var s: Surface;\n    s.base = base.xyz;\n", base_line(key));
    } else {
        out.push_str("    let s = surface(in, front);\n");
    }
    out.push_str(&cut(key, if key.unlit { "base.w" } else { "s.alpha" }));
    let number = number(key);
    _ = writeln!(out, "    return stored(s, in.position.z, vec2u({number}u, u32(material.number.x)));\n}}");
}

/// Shades what is stored with the number of this key.
pub fn shade(key: &Key, out: &mut String) {
    out.push_str("struct Varyings {\n    position: vec4f,\n}\n\n");
    if reads_materials(key) {
        out.push_str("struct ShadedMaterial {\n    f0: vec3f,\n    f90: f32,\n");
        model::declare(key, out);
        out.push_str(
            "}

@group(2) @binding(5) var<storage, read> materials: array<ShadedMaterial>;

var<private> material: ShadedMaterial;

",
        );
    }
    if !key.lobes.is_plain() {
        model::own(key, out);
    }
    _ = write!(
        out,
        "@fragment
fn fragment(@builtin(position) position: vec4f) -> @location(0) vec4f {{
    let at = vec2u(position.xy);
    let number = textureLoad(numbers, at, 0).xy;
    if number.x != {}u {{
        discard;
    }}
    let it = loaded(at);
    {} s = it.s;
",
        number(key),
        declared(key)
    );
    if key.unlit {
        out.push_str("    let color = s.base;\n");
        finish(key, "1.0", out);
        return;
    }
    if reads_materials(key) {
        out.push_str("    material = materials[number.y];\n");
    }
    out.push_str("    let in = Varyings(vec4f(position.xy, it.depth, 1.0));\n    let front = true;\n");
    light_up(key, "", out);
}

#[cfg(test)]
mod tests {
    use super::super::Gbuffer;
    use super::*;
    use crate::asset::{Material, ModelId};
    use crate::shader::{check, folded_constants};

    fn lit() -> Switches {
        Switches { lights: true, environment: true, ..Switches::default() }
    }

    /// Every model with every layer, with and without a reflection of its own.
    fn keys() -> Vec<(Material, Key)> {
        let mut out = Vec::new();
        for model in ModelId::all() {
            let layers = model.row().layers;
            for bits in 0..1u32 << (layers.len() + 2) {
                let mut lighting = Lighting::new(model);
                for (at, layer) in layers.iter().enumerate() {
                    for weight in layer.weights {
                        lighting.set(weight, if bits >> at & 1 == 1 { [0.5; 3] } else { [0.0; 3] });
                    }
                }
                let f90 = if bits >> layers.len() & 1 == 1 { 0.5 } else { 1.0 };
                let reflection = crate::asset::Reflection { f90, ..Default::default() };
                let unlit = bits >> (layers.len() + 1) & 1 == 1;
                let material = Material { lighting, reflection, unlit, ..Material::default() };
                for how in [Gbuffer::Exact, Gbuffer::Packed] {
                    let key = Key::new(Variant::Store(how), &material, Streams::default(), lit());
                    out.push((material.clone(), key));
                }
            }
        }
        out
    }

    #[test]
    fn texts_are_valid_and_nothing_in_them_is_folded_with_the_hosts_maths() {
        let mut seen = std::collections::BTreeSet::new();
        for (_, key) in keys() {
            for key in [key.clone(), shade_key(&key, lit())] {
                if is_forward_only(&key) || !seen.insert(key.clone()) {
                    continue;
                }
                let text = super::super::emit(&key);
                check(&text).unwrap_or_else(|error| panic!("{key}: {error}\n{text}"));
                assert_eq!(folded_constants(&text), Vec::<String>::new(), "{key}");
            }
        }
        assert!(seen.len() > 60, "{}", seen.len());
    }

    /// Keys whose screens differ have different numbers, and the others the same.
    #[test]
    fn numbers_are_those_of_screens() {
        let mut screens = std::collections::BTreeMap::new();
        for (_, key) in keys() {
            let screen = shade_key(&key, lit());
            let before = screens.insert((key.variant, number(&key)), screen.clone());
            assert!(number(&key) != 0 && before.is_none_or(|before| before == screen), "{key}");
        }
    }

    /// Scratches run along the tangent, which no target holds.
    #[test]
    fn what_reads_the_tangent_is_drawn_forward() {
        for (_, key) in keys() {
            assert_eq!(is_forward_only(&key), key.lobes.has_frame(), "{key}");
        }
    }

    /// The screen's material begins where f0 stands in the uniform, and each is as long as WGSL says.
    #[test]
    fn values_follow_wgsl() {
        for (material, key) in keys() {
            let mut store = Store::default();
            store.add_material(Material::default());
            store.add_material(material.clone());
            let Some(ShadedValues(values)) = shaded_values(&key, &store) else { continue };
            let module = check(&super::super::emit(&shade_key(&key, lit())));
            let Ok(module) = module else { continue };
            let found = module.types.iter().find_map(|(_, ty)| match (&ty.name, &ty.inner) {
                (Some(name), naga::TypeInner::Struct { span, .. }) if name == "ShadedMaterial" => {
                    Some(*span as usize / 4)
                }
                _ => None,
            });
            let stride = values.len() / 2;
            assert_eq!(found, Some(stride), "{key}");
            assert_eq!(values[stride..stride + 3], material.reflection.f0, "{key}");
            assert_eq!(values[stride + 3], material.reflection.f90, "{key}");
            assert_eq!(values[stride + 4..], material.lighting.floats(key.lobes.layers), "{key}");
        }
    }
}
