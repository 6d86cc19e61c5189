//! Model: the WGSL of a lighting model, with its parameters and its layers.
//!
//! In: a row of `asset::MODELS`, layers as bits. Out: functions `lobes_NAME` and `around_NAME`, the struct of the
//! model's parameters, `own_of`, which fills it for a pixel. Never here: a model's own formulas, which its row holds.

use std::fmt::Write;

use crate::asset::{Hook, Layer, Slot};

use super::texel::texel;
use super::{Key, Lobes};

/// Functions and structs of a model. Needs `LOBES`, `AROUND`, and of a model with a dielectric `dielectric_f0` and
/// `dielectric_f90`.
pub fn model_text(lobes: Lobes) -> String {
    let row = lobes.model.row();
    let mut out = structure(lobes);
    out.push('\n');
    out.push_str(row.text);
    for layer in lobes.laid().filter(|layer| !layer.text.is_empty()) {
        out.push('\n');
        out.push_str(layer.text);
    }
    if !row.layers.is_empty() {
        out.push('\n');
        layered(lobes, &mut out);
    }
    out
}

fn structure(lobes: Lobes) -> String {
    let row = lobes.model.row();
    let mut members: String =
        lobes.read().map(|param| format!("    {}: {},\n", param.name, param.kind.wgsl())).collect();
    members.push_str(row.needs.prepared);
    members.extend(lobes.laid().map(|layer| layer.members));
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
    let [dielectric_f0, metal_f0, scattered] = parts(lobes);
    let at = |hook: Hook| lobes.laid().filter(move |layer| layer.hook == hook).map(|layer| layer.name);
    let specular = match at(Hook::Microfacets).last() {
        Some(layer) => format!("microfacets_{layer}(s, own, a)"),
        None => "microfacets(s, own, a)".to_string(),
    };
    let fresnel: String = at(Hook::Fresnel)
        .map(|layer| {
            format!(
                "    dielectric = fresnel_{layer}(own, a.vh, {dielectric_f0}, dielectric);
    metal = fresnel_{layer}(own, a.vh, {metal_f0}, metal);\n"
            )
        })
        .collect();
    let over: String = lobes
        .laid()
        .filter(|layer| matches!(layer.hook, Hook::Over | Hook::OverBent))
        .map(|layer| format!("    f = over_{}(s, own, a, f);\n", layer.name))
        .collect();
    let around: String = lobes
        .laid()
        .filter(|layer| layer.hook != Hook::Values)
        .map(|layer| format!("    around = around_{}(s, own, v, around);\n", function(layer)))
        .collect();
    let under: Vec<String> = lobes
        .laid()
        .filter(|layer| matches!(layer.hook, Hook::Through | Hook::Back | Hook::Subsurface))
        .map(|layer| format!("    body.base = under_{}(own, body.base);\n", function(layer)))
        .collect();
    let (body, under) = match under.is_empty() && scattered == "s.base" {
        true => ("s", String::new()),
        false if scattered == "s.base" => ("body", format!("    var body = s;\n{}", under.concat())),
        false => ("body", format!("    var body = s;\n    body.base = {scattered};\n{}", under.concat())),
    };
    let mut away: Vec<String> = at(Hook::OverBent).map(|layer| format!("alone_{layer}(own, a) * incident.e")).collect();
    away.extend(at(Hook::Back).map(|layer| format!("back_{name}(s, own, v, incident, back_{layer}(own))")));
    let away = if away.is_empty() { "vec3f(0.0)".to_string() } else { away.join(" + ") };
    if lobes.has(Hook::Back) {
        let kept = match lobes.has(Hook::Through) {
            true => " * (1.0 - own.transmission)",
            false => "",
        };
        _ = write!(
            out,
            "// What light from the other side scatters to this one; it comes in as it would on this side.
fn back_{name}(s: Surface, own: {structure}, v: vec3f, incident: Incident, color: vec3f) -> vec3f {{
    let a = angles(s, incident.l - 2.0 * dot(s.n, incident.l) * s.n, v);
    let f = dielectric_f0() + (dielectric_f90() - dielectric_f0()) * schlick_weight(a.vh);
    let share = (1.0 - largest_of(f)) * (1.0 - s.metallic) * INV_PI * max(a.nl, 0.0);
    return color * share * incident.e{kept};
}}\n\n"
        );
    }
    _ = write!(
        out,
        "fn lobes_{name}(s: Surface, own: {structure}, v: vec3f, incident: Incident) -> vec3f {{
    let a = angles(s, incident.l, v);
    if a.nl <= 0.0 {{
        return {away};
    }}
    let weight = schlick_weight(a.vh);
    var dielectric = {name}_dielectric(own, a.vh, weight);
    var metal = {name}_metal(s, own, a.vh, weight);
{fresnel}{under}    var f = {name}_below({body}, own, a, dielectric, metal, {specular});
{over}    return f * a.nl * incident.e;
}}

fn around_{name}(s: Surface, own: {structure}, v: vec3f, weight: f32) -> Around {{
    var around = around_{name}_below(s, own, v, weight);
{around}    return around;
}}
"
    );
}

/// f0 of the dielectric and of the metal, and the colour that the dielectric scatters: WGSL.
fn parts(lobes: Lobes) -> [&'static str; 3] {
    match lobes.model.row().needs.dielectric {
        true => ["dielectric_f0()", "s.base", "s.base"],
        false => ["vec3f(own.f0)", "own.metal_f0", "own.scattered"],
    }
}

/// What functions of a layer are called by.
fn function(layer: &Layer) -> &'static str {
    if layer.hook == Hook::Through { "transmission" } else { layer.name }
}

/// What layers keep of `kept`, which lies below them.
fn over(lobes: Lobes) -> String {
    let layers = lobes.laid().filter(|layer| matches!(layer.hook, Hook::Over | Hook::OverBent));
    layers.map(|layer| format!("    kept = around_{}(s, own, v, kept);\n", layer.name)).collect()
}

/// `through_of`: what is seen through a pixel's surface, exposed, and how much nothing is seen behind it.
fn through(lobes: Lobes, out: &mut String) {
    let (name, structure) = (lobes.model.row().name, lobes.model.row().structure());
    let [dielectric_f0, ..] = parts(lobes);
    _ = writeln!(out, "alias Own = {structure};\n");
    let of = |hook: Hook| lobes.laid().filter(move |layer| layer.hook == hook);
    out.extend(of(Hook::Through).map(|layer| format!("{}\n", layer.through)));
    let fresnel: String = of(Hook::Fresnel)
        .map(|layer| format!("    dielectric = fresnel_{}(own, nv, {dielectric_f0}, dielectric);\n", layer.name))
        .collect();
    // What lies over it keeps as much of it as of a mirror.
    let over = over(lobes);
    _ = write!(
        out,
        "fn through_of(s: Surface, own: {structure}, v: vec3f, seen: Seen) -> vec4f {{
    let nv = eye_cosine(s.n, v);
    var dielectric = {name}_dielectric(own, nv, schlick_weight(nv));
{fresnel}    var kept = around_diffuse(s, vec3f(0.0));
    kept.f0 = share_transmission(s, own, dielectric);
{over}    let behind = through_transmission(s, own, v, seen);
    let mean = (kept.f0.x + kept.f0.y + kept.f0.z) * (1.0 / 3.0);
    return vec4f(kept.f0 * behind.xyz, mean * (1.0 - behind.w));
}}\n\n"
    );
}

/// `inside_of`: what leaves of the light that has entered around a pixel.
fn inside(lobes: Lobes, out: &mut String) {
    let structure = lobes.model.row().structure();
    let layer = lobes.laid().find(|layer| layer.hook == Hook::Subsurface).expect("it is there").name;
    // What lies over it keeps as much of it as of a matt surface.
    let over = over(lobes);
    _ = write!(
        out,
        "fn inside_of(s: Surface, own: {structure}, v: vec3f, point: vec3f, at: vec2f) -> vec3f {{
    var kept = around_diffuse(s, share_{layer}(s, own));
{over}    return kept.diffuse * gathered_inside(point, s.ng, widths_{layer}(own), vec2i(at), material.number.x + 1.0);
}}\n\n"
    );
}

/// Members of the material's uniform that hold the parameters.
pub fn declare(key: &Key, out: &mut String) {
    for param in key.lobes.read() {
        _ = writeln!(out, "    own_{}: {},", param.name, param.kind.wgsl());
    }
}

/// Whether f0 and f90 differ from pixel to pixel: `own_f0` and `own_f90`, which `own_of` fills.
pub fn reflection_varies(key: &Key) -> bool {
    [Slot::Specular, Slot::SpecularColor].into_iter().any(|slot| key.has(slot))
}

/// `own_of`: a pixel's parameters. `ambient_own`, where there is an environment. What a dielectric reflects.
pub fn own(key: &Key, out: &mut String) {
    let (name, structure) = (key.lobes.model.row().name, key.lobes.model.row().structure());
    let slots: Vec<Slot> = key.inputs.textures.iter().filter(|slot| !slot.is_of_all()).collect();
    let varies = reflection_varies(key);
    if varies {
        out.push_str("// Those of this pixel.\nvar<private> own_f0: vec3f;\nvar<private> own_f90: f32;\n\n");
    }
    if key.lobes.model.row().needs.dielectric {
        let [f0, f90] = if varies {
            ["own_f0", "own_f90"]
        } else if key.reflection {
            ["material.f0", "material.f90"]
        } else {
            ["vec3f(0.04)", "1.0"]
        };
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
    for param in key.lobes.read() {
        _ = writeln!(out, "    own.{0} = material.own_{0};", param.name);
    }
    let turn = if key.double_sided { " * select(-1.0, 1.0, front)" } else { "" };
    if key.lobes.has(Hook::OverBent) {
        out.push_str("    own.coat_n = s.ng;\n");
    }
    if slots.contains(&Slot::ClearcoatNormal) {
        _ = writeln!(
            out,
            "    let side = 1.0{turn};\n    let bitangent = cross(in.normal, in.tangent.xyz) * in.tangent.w;"
        );
    }
    if varies {
        out.push_str("    own_f0 = material.f0;\n    own_f90 = material.f90;\n");
    }
    for slot in slots {
        _ = write!(
            out,
            "{}    {{\n    let texel = {}_texel;\n    {}\n    }}\n",
            texel(key, slot),
            slot.name(),
            slot.row().text
        );
    }
    if varies {
        out.push_str("    own_f0 = min(own_f0, vec3f(1.0)) * own_f90;\n");
    }
    if key.lobes.has_frame() {
        // Scratches of a sheet are the same from both of its sides.
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
    if key.shows_behind() {
        through(key.lobes, out);
    }
    if key.shows_areas() {
        _ = write!(
            out,
            "fn leaving_own(s: Surface, own: {structure}, v: vec3f, light: Light, point: vec3f, arriving: Incident) -> vec3f {{
    if has_area(light) {{
        return leaving_around(s, v, light, point, around_{name}(s, own, v, area_weight(v, light, point)));
    }}
    return lobes_{name}(s, own, v, gathered_of(s, v, light, point));
}}\n\n"
        );
    }
    if key.scatters() {
        inside(key.lobes, out);
    }
    if key.switches.environment {
        let coat = match key.lobes.has(Hook::OverBent) {
            true => "\n        + ambient_coat(s, v, own.coat_n, own.clearcoat, own.clearcoat_roughness)",
            false => "",
        };
        let back: String = key
            .lobes
            .laid()
            .filter(|layer| layer.hook == Hook::Back)
            .map(|layer| {
                format!(
                    "\n        + diffuse_radiance(unturned(-s.n)) * back_around(s, own, weight, back_{}(own))",
                    layer.name
                )
            })
            .collect();
        if !back.is_empty() {
            let kept = if key.lobes.has(Hook::Through) { " * (1.0 - own.transmission)" } else { "" };
            _ = write!(
                out,
                "fn back_around(s: Surface, own: {structure}, weight: f32, color: vec3f) -> vec3f {{
    let most = largest_of(dielectric_f0());
    let through = 1.0 - most - (dielectric_f90() - most) * weight;
    return color * (through * (1.0 - s.metallic) * s.occlusion){kept};
}}\n\n"
            );
        }
        _ = write!(
            out,
            "fn ambient_own(s: Surface, own: {structure}, v: vec3f) -> vec3f {{
    let weight = albedo_at(eye_cosine(s.n, v), s.roughness).z;
    return ambient_of(s, v, around_{name}(s, own, v, weight)){coat}{back};
}}\n\n"
        );
    }
}

#[cfg(test)]
mod tests {
    use super::super::{MATERIAL_FLOATS, Streams, Switches, Variant, emit, material_uniform};
    use super::*;
    use crate::asset::{Lighting, Material, ModelId, ParamKind};
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
