//! Model: the WGSL of a lighting model, with its parameters and its layers.
//!
//! In: a row of `asset::MODELS`, layers as bits. Out: functions `lobes_NAME` and `around_NAME`, the struct of the
//! model's parameters, `own_of`, which fills it for a pixel. Never here: a model's own formulas, which its row holds.

use std::fmt::Write;

use crate::asset::{Hook, ModelId, ParamKind};

use super::{Key, Lobes};

/// Functions and structs of a model. Needs `LOBES`, `AROUND`, and of a model with a dielectric `dielectric_f0` and
/// `dielectric_f90`.
pub fn model_text(lobes: Lobes) -> String {
    let row = lobes.model.row();
    let mut out = structure(lobes);
    out.push('\n');
    out.push_str(row.text);
    for layer in lobes.laid() {
        out.push('\n');
        out.push_str(layer.text);
    }
    if !row.layers.is_empty() {
        out.push('\n');
        layered(lobes, &mut out);
    }
    out
}

fn read(model: ModelId) -> impl Iterator<Item = (&'static str, ParamKind)> {
    model.row().params.iter().filter(|param| param.is_read).map(|param| (param.name, param.kind))
}

fn structure(lobes: Lobes) -> String {
    let row = lobes.model.row();
    let mut members: String = read(lobes.model).map(|(name, kind)| format!("    {name}: {},\n", kind.wgsl())).collect();
    members.push_str(row.needs.prepared);
    if lobes.has_frame() {
        members.push_str("    t: vec3f,\n    b: vec3f,\n");
    }
    if members.is_empty() {
        members.push_str("    nothing: f32,\n");
    }
    format!("struct {} {{\n{members}}}\n", row.structure())
}

/// `lobes_NAME` and `around_NAME` of a model with layers.
fn layered(lobes: Lobes, out: &mut String) {
    let (name, structure) = (lobes.model.row().name, lobes.model.row().structure());
    let at = |hook: Hook| lobes.laid().filter(move |layer| layer.hook == hook).map(|layer| layer.name);
    let specular = match at(Hook::Microfacets).last() {
        Some(layer) => format!("microfacets_{layer}(s, own, a)"),
        None => "microfacets(s, a)".to_string(),
    };
    let fresnel: String = at(Hook::Fresnel)
        .map(|layer| {
            format!(
                "    dielectric = fresnel_{layer}(own, a.vh, dielectric_f0(), dielectric);
    metal = fresnel_{layer}(own, a.vh, s.base, metal);\n"
            )
        })
        .collect();
    let over: String = at(Hook::Over).map(|layer| format!("    f = over_{layer}(own, a, f);\n")).collect();
    let around: String =
        lobes.laid().map(|layer| format!("    around = around_{}(s, own, v, around);\n", layer.name)).collect();
    _ = write!(
        out,
        "fn lobes_{name}(s: Surface, own: {structure}, v: vec3f, incident: Incident) -> vec3f {{
    let a = angles(s, incident.l, v);
    if a.nl <= 0.0 {{
        return vec3f(0.0);
    }}
    let weight = schlick_weight(a.vh);
    var dielectric = dielectric_f0() + (dielectric_f90() - dielectric_f0()) * weight;
    var metal = s.base + (1.0 - s.base) * weight;
{fresnel}    var f = {name}_below(s, dielectric, metal, {specular});
{over}    return f * a.nl * incident.e;
}}

fn around_{name}(s: Surface, own: {structure}, v: vec3f, weight: f32) -> Around {{
    var around = around_{name}_below(s, weight);
{around}    return around;
}}
"
    );
}

/// Members of the material's uniform that hold the parameters.
pub fn declare(key: &Key, out: &mut String) {
    for (name, kind) in read(key.lobes.model) {
        _ = writeln!(out, "    own_{name}: {},", kind.wgsl());
    }
}

/// `own_of`: a pixel's parameters. `ambient_own`, where there is an environment. What a dielectric reflects.
pub fn own(key: &Key, out: &mut String) {
    let (name, structure) = (key.lobes.model.row().name, key.lobes.model.row().structure());
    if key.lobes.model.row().needs.dielectric {
        let [f0, f90] = if key.reflection { ["material.f0", "material.f90"] } else { ["vec3f(0.04)", "1.0"] };
        _ = write!(
            out,
            "fn dielectric_f0() -> vec3f {{\n    return {f0};\n}}\n
fn dielectric_f90() -> f32 {{\n    return {f90};\n}}\n\n"
        );
    }
    _ = writeln!(
        out,
        "fn own_of(in: Varyings, s: Surface, v: vec3f, front: bool) -> {structure} {{\n    var own: {structure};"
    );
    for (param, _) in read(key.lobes.model) {
        _ = writeln!(out, "    own.{param} = material.own_{param};");
    }
    if key.lobes.has_frame() {
        // Scratches of a sheet are the same from both of its sides.
        let turn = if key.double_sided { " * select(-1.0, 1.0, front)" } else { "" };
        _ = write!(
            out,
            "    let t = in.tangent.xyz - s.n * dot(s.n, in.tangent.xyz);
    own.t = t * inverseSqrt(max(dot(t, t), 1e-12));
    own.b = cross(s.n, own.t) * in.tangent.w{turn};\n"
        );
    }
    let made = if key.lobes.model.row().needs.prepared.is_empty() {
        "own".to_string()
    } else {
        format!("prepare_{name}(s, own, v)")
    };
    _ = write!(out, "    return {made};\n}}\n\n");
    if key.switches.environment {
        _ = write!(
            out,
            "fn ambient_own(s: Surface, own: {structure}, v: vec3f) -> vec3f {{
    let weight = albedo_at(eye_cosine(s.n, v), s.roughness).z;
    return ambient_of(s, v, around_{name}(s, own, v, weight));
}}\n\n"
        );
    }
}

#[cfg(test)]
mod tests {
    use super::super::{MATERIAL_FLOATS, Streams, Switches, Variant, emit, material_uniform};
    use super::*;
    use crate::asset::{Lighting, Material};
    use crate::shader;

    /// Every parameter stands where the text reads it.
    #[test]
    fn parameters_follow_wgsl() {
        for model in ModelId::all() {
            let mut lighting = Lighting::new(model);
            let row = model.row();
            for (at, (param, value)) in row.params.iter().zip(&mut lighting.values).enumerate() {
                *value = [0.1 + at as f32, 0.2 + at as f32, 0.3 + at as f32];
                if let ParamKind::Turn { .. } = param.kind {
                    *value = [0.0; 3];
                }
            }
            let material = Material { lighting, ..Material::default() };
            let key =
                Key::new(Variant::Lit, &material, Streams::default(), Switches { lights: true, ..Switches::default() });
            assert!(!key.lobes.is_plain() || model == ModelId::of_name("gltf").unwrap(), "{}", row.name);
            let module = shader::check(&emit(&key)).unwrap_or_else(|error| panic!("{}: {error}", row.name));
            let uniform = material_uniform(&material, key.inputs.textures);
            let members = module.types.iter().find_map(|(_, ty)| match &ty.inner {
                naga::TypeInner::Struct { members, span } if ty.name.as_deref() == Some("Material") => {
                    assert!(*span as usize <= uniform.len() * 4, "{}", row.name);
                    Some(members)
                }
                _ => None,
            });
            for member in members.expect("the material") {
                let Some(name) = member.name.as_deref().and_then(|name| name.strip_prefix("own_")) else { continue };
                let at = member.offset as usize / 4;
                assert!(at >= MATERIAL_FLOATS);
                let value = material.lighting.value(name);
                let want = if name.ends_with("_deg") { 1.0 } else { value[0] };
                assert_eq!(uniform[at], want, "{}: {name}", row.name);
            }
        }
    }
}
