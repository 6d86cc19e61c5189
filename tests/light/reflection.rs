//! What materials reflect: KHR_materials_ior, KHR_materials_specular and KHR_materials_emissive_strength, against the
//! formulas of the extensions.

use std::fs;
use std::path::{Path, PathBuf};
use std::sync::LazyLock;

use serde_json::{Value, json};
use stillframe_asset::source::Vfs;
use stillframe_base::math::ops64 as m;
use stillframe_draw::{light, shader};
use stillframe_scene::scene::{Scene, resolve_text};
use stillframe_soft::{self as soft, Probe};
use stillframe_testkit::glb::Glb;

use super::furnace::{
    PI, TILTS_DEG, fresnel_of_lambert, linear, middles, mu, places, row_of_patches, specular, uniform,
};

/// Patches of one material of glTF, each turned about +Y by its angle, seen from +Z without perspective.
fn patches(name: &str, material: Value, more: &str) -> Scene {
    let mut glb = Glb::new();
    let h = 0.45;
    let positions = glb.floats(&[[-h, -h, 0.0], [h, -h, 0.0], [h, h, 0.0], [-h, h, 0.0]]);
    let normals = glb.floats(&[[0.0, 0.0, 1.0]; 4]);
    let indices = glb.shorts(&[[0], [1], [2], [0], [2], [3]]);
    glb.push("materials", material);
    glb.mesh(json!({
        "attributes": { "POSITION": positions, "NORMAL": normals }, "indices": indices, "material": 0,
    }));
    glb.json["nodes"] = json!([]);
    for (x, tilt) in places() {
        let (sin, cos) = m::sin_cos(tilt.to_radians() / 2.0);
        glb.push("nodes", json!({ "mesh": 0, "translation": [x, 0.0, 0.0], "rotation": [0.0, sin, 0.0, cos] }));
    }
    glb.json["scenes"][0]["nodes"] = json!((0..TILTS_DEG.len()).collect::<Vec<_>>());
    let folder = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join("reflection").join(name);
    fs::create_dir_all(&folder).unwrap();
    fs::write(folder.join("patches.glb"), glb.bytes()).unwrap();
    let text =
        row_of_patches(&format!("[model.patches]\nfile = \"patches.glb\"\n[[node]]\nmodel = \"patches\"\n{more}"));
    let vfs = Vfs::open(&folder).expect("the folder is there");
    let resolved = resolve_text(&text, Path::new("test.toml"), &folder, &vfs, &[]);
    resolved.unwrap_or_else(|diagnostics| panic!("{diagnostics:#?}")).scene
}

const SUN: &str = "[[light]]\nilluminance_lux = 3.0\ndirection = [0.0, 0.0, -1.0]\nshadow = false";

/// A material as its file says it, and what it reflects at normal and at grazing incidence.
fn rows() -> Vec<(&'static str, Value, [f64; 3], f64)> {
    let water = squared((1.33 - 1.0) / (1.33 + 1.0));
    let diamond = squared((2.42 - 1.0) / (2.42 + 1.0));
    vec![
        ("water", json!({ "KHR_materials_ior": { "ior": 1.33 } }), [water; 3], 1.0),
        ("mirror", json!({ "KHR_materials_ior": { "ior": 0 } }), [1.0; 3], 1.0),
        ("dull", json!({ "KHR_materials_specular": { "specularFactor": 0.25 } }), [0.01; 3], 0.25),
        ("none", json!({ "KHR_materials_specular": { "specularFactor": 0 } }), [0.0; 3], 0.0),
        (
            "tinted",
            json!({ "KHR_materials_specular": { "specularColorFactor": [1.0, 0.5, 40.0] } }),
            [0.04, 0.02, 1.0],
            1.0,
        ),
        (
            "all",
            json!({
                "KHR_materials_ior": { "ior": 2.42 },
                "KHR_materials_specular": { "specularFactor": 0.5, "specularColorFactor": [1.0, 0.25, 0.5] },
            }),
            [diamond * 0.5, diamond * 0.125, diamond * 0.25],
            0.5,
        ),
    ]
}

const BASE: [f64; 3] = [0.8, 0.5, 0.25];

fn material(extensions: &Value, roughness: f64) -> Value {
    json!({
        "pbrMetallicRoughness": {
            "baseColorFactor": [BASE[0], BASE[1], BASE[2], 1.0], "metallicFactor": 0.0, "roughnessFactor": roughness,
        },
        "extensions": extensions,
    })
}

/// D V of the lobe where light and eye are both at the angle whose cosine is `mu`.
fn lobe(mu: f64, roughness: f64) -> f64 {
    let a2 = squared((roughness * roughness).max(0.002025));
    let s = mu * mu * a2 + 1.0 - mu * mu;
    let root = (mu * mu * (1.0 - a2) + a2).sqrt();
    a2 / (PI * s * s) * 0.25 / (mu * root)
}

fn largest(values: [f64; 3]) -> f64 {
    values.iter().copied().fold(0.0, f64::max)
}

fn squared(x: f64) -> f64 {
    x * x
}

/// Light and eye are one, so nothing grazes: what is reflected is f0.
#[test]
fn ior_and_specular_under_a_directional_light() {
    for (name, extensions, f0, _) in rows() {
        for roughness in [0.4, 0.9] {
            let found = middles(&patches(&format!("sun_{name}"), material(&extensions, roughness), SUN));
            for (index, pixel) in found.iter().enumerate() {
                let through = (1.0 - largest(f0)) / PI;
                for c in 0..3 {
                    let want = 3.0 * mu(index) * (through * BASE[c] + f0[c] * lobe(mu(index), roughness));
                    let off = (f64::from(pixel[c]) - want).abs();
                    assert!(off <= 1e-3 * want + 1e-6, "{name}, {index}: {pixel:?}, channel {c} for {want}");
                }
            }
        }
    }
}

#[test]
fn ior_and_specular_in_a_white_room() {
    for (name, extensions, f0, f90) in rows() {
        let found = middles(&uniform(patches(&format!("room_{name}"), material(&extensions, 1.0), ""), [1.0; 3]));
        for (index, pixel) in found.iter().enumerate() {
            let (all, weighted) = specular(mu(index), 1.0);
            let strongest = largest(f0);
            let through = 1.0 - (strongest + (f90 - strongest) * fresnel_of_lambert(mu(index)));
            for c in 0..3 {
                let want = BASE[c] * through + f0[c] * (all - weighted) + f90 * weighted;
                let off = (f64::from(pixel[c]) - want).abs();
                assert!(off <= 2e-3 * want, "{name}, {index}: {pixel:?}, channel {c} for {want}");
            }
        }
    }
}

/// The defaults, said in so many words, are the material without extensions, bit for bit; so is a metal.
#[test]
fn extensions_without_effect_change_nothing() {
    let plain = linear(&patches("plain", material(&json!({}), 0.4), SUN));
    let said = json!({
        "KHR_materials_ior": { "ior": 1.5 },
        "KHR_materials_specular": { "specularFactor": 1.0, "specularColorFactor": [1, 1, 1] },
        "KHR_materials_emissive_strength": { "emissiveStrength": 1 },
    });
    assert_eq!(linear(&patches("said", material(&said, 0.4), SUN)), plain);
    let metal = |extensions: Value| {
        let mut material = material(&extensions, 0.4);
        material["pbrMetallicRoughness"]["metallicFactor"] = json!(1.0);
        material
    };
    let of = |name: &str, extensions: Value| linear(&patches(name, metal(extensions), SUN));
    assert_eq!(of("metal_2", json!({ "KHR_materials_ior": { "ior": 2.0 } })), of("metal", json!({})));
}

#[test]
fn emissive_strength_multiplies() {
    let glowing = json!({
        "pbrMetallicRoughness": { "baseColorFactor": [0, 0, 0, 1] },
        "emissiveFactor": [0.25, 0.5, 1.0],
        "extensions": { "KHR_materials_emissive_strength": { "emissiveStrength": 6.0 } },
    });
    for pixel in middles(&patches("emissive", glowing, "")) {
        assert_eq!(pixel[..3], [1.5, 3.0, 6.0]);
    }
}

/// The shader's numbers, for directions of light and eye that are not one.
#[test]
fn reflection_is_that_of_the_extensions() {
    const CALLS: &str = "
struct Material {
    f0: vec3f,
    f90: f32,
}
var<private> material: Material;

fn call(f0: vec3f, f90: f32, roughness: f32, l: vec3f, v: vec3f) -> vec3f {
    material.f0 = f0;
    material.f90 = f90;
    var s: Surface;
    s.base = vec3f(0.8, 0.5, 0.25);
    s.roughness = roughness;
    s.n = vec3f(0.0, 0.0, 1.0);
    return lobes(s, v, Incident(l, vec3f(1.0)));
}
";
    static PROBE: LazyLock<Probe> = LazyLock::new(|| {
        let parts = [shader::COMMON, shader::LOBES, shader::REFLECTION, &light::text(light::Kinds::default()), CALLS];
        Probe::new(&shader::compose(&parts)).unwrap_or_else(|error| panic!("{error}"))
    });
    let (l, v): ([f64; 3], [f64; 3]) = ([0.6, 0.0, 0.8], [-0.48, 0.64, 0.6]);
    let sum = [0, 1, 2].map(|c| l[c] + v[c]);
    let length = sum.iter().map(|x| x * x).sum::<f64>().sqrt();
    let h = sum.map(|x| x / length);
    let vh: f64 = (0..3).map(|c| v[c] * h[c]).sum();
    let weight = squared(squared(1.0 - vh)) * (1.0 - vh);
    for (_, _, f0, f90) in rows() {
        for roughness in [0.3_f64, 0.8] {
            let a2 = squared(roughness * roughness);
            let s = h[2] * h[2] * a2 + 1.0 - h[2] * h[2];
            let root = |x: f64| (x * x * (1.0 - a2) + a2).sqrt();
            let specular = a2 / (PI * s * s) * 0.5 / (l[2] * root(v[2]) + v[2] * root(l[2]));
            let fresnel = f0.map(|f0| f0 + (f90 - f0) * weight);
            let vector = |x: [f64; 3]| soft::Value::Vec3(x.map(|x| x as f32));
            let number = |x: f64| soft::Value::F32(x as f32);
            let row = [vector(f0), number(f90), number(roughness), vector(l), vector(v)];
            let soft::Value::Vec3(found) = PROBE.call("call", &row).unwrap_or_else(|error| panic!("{error}")) else {
                panic!("three numbers")
            };
            for c in 0..3 {
                let want = ((1.0 - largest(fresnel)) * BASE[c] / PI + fresnel[c] * specular) * l[2];
                assert!((f64::from(found[c]) - want).abs() <= 2e-5 * want + 1e-7, "{f0:?}: {found:?} for {want}");
            }
        }
    }
}
