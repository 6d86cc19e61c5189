//! Textures of layers: one that has the same value everywhere is that value, whichever way it is given.

use std::fs;
use std::path::{Path, PathBuf};

use serde_json::{Value, json};
use stillframe_asset::source::Vfs;
use stillframe_base::math::ops64 as m;
use stillframe_draw::shader;
use stillframe_scene::scene::{Scene, resolve_text};
use stillframe_soft::{Probe, Value as Number};
use stillframe_testkit::glb::Glb;

use super::furnace::linear;

/// A card of one material with a picture of one texel, in the light of a sun and of everything, and a striped wall
/// behind it.
fn card(name: &str, texel: [u8; 4], extensions: &Value, scale: f32) -> Scene {
    let mut glb = Glb::new();
    let positions = glb.floats(&[[-0.5, -0.5, 0.0], [0.5, -0.5, 0.0], [0.5, 0.5, 0.0], [-0.5, 0.5, 0.0]]);
    let normals = glb.floats(&[[0.0, 0.0, 1.0]; 4]);
    let tangents = glb.floats(&[[1.0, 0.0, 0.0, 1.0]; 4]);
    let uv = glb.floats(&[[0.0, 1.0], [1.0, 1.0], [1.0, 0.0], [0.0, 0.0]]);
    let indices = glb.shorts(&[[0], [1], [2], [0], [2], [3]]);
    let mut png = std::io::Cursor::new(Vec::new());
    image::RgbaImage::from_pixel(1, 1, image::Rgba(texel))
        .write_to(&mut png, image::ImageFormat::Png)
        .expect("written");
    let view = glb.view(png.get_ref(), None);
    glb.push("images", json!({ "bufferView": view, "mimeType": "image/png" }));
    glb.push("textures", json!({ "source": 0 }));
    glb.push(
        "materials",
        json!({
            "pbrMetallicRoughness": {
                "baseColorFactor": [0.6, 0.4, 0.2, 1.0], "metallicFactor": 0.0, "roughnessFactor": 0.4,
            },
            "extensions": extensions,
        }),
    );
    glb.mesh(json!({
        "attributes": { "POSITION": positions, "NORMAL": normals, "TANGENT": tangents, "TEXCOORD_0": uv },
        "indices": indices, "material": 0,
    }));
    glb.json["nodes"][0]["rotation"] = json!([0.0, 0.25881904, 0.0, 0.9659258]);
    let folder = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join("textures").join(name);
    fs::create_dir_all(&folder).unwrap();
    fs::write(folder.join("card.glb"), glb.bytes()).unwrap();
    let text = format!(
        "title = 'card'
[output]
size_px = [24, 24]
samples = 1
tonemap = 'none'
[camera.main]
position = [0.0, 0.0, 3.0]
look_at = [0.0, 0.0, 0.0]
height_m = 1.1
[environment]
gradient = {{ zenith = [1.0, 0.8, 0.5], horizon = [0.5, 0.6, 0.7], ground = [0.1, 0.2, 0.1] }}
[[light]]
illuminance_lux = 3.0
direction = [-0.4, -0.3, -1.0]
[[light]]
illuminance_lux = 2.0
direction = [0.2, -0.3, 1.0]
[material.wall]
emissive = [0.2, 0.5, 0.9]
[[node]]
shape = 'box'
size_m = [0.4, 1.0, 0.1]
position = [0.1, 0.0, -0.6]
material = 'wall'
[model.card]
file = 'card.glb'
[[node]]
model = 'card'
scale = [{scale}, {scale}, {scale}]
"
    );
    let vfs = Vfs::open(&folder).expect("the folder is there");
    let resolved = resolve_text(&text, Path::new("test.toml"), &folder, &vfs, &[]);
    resolved.unwrap_or_else(|diagnostics| panic!("{diagnostics:#?}")).scene
}

/// Linear of an 8-bit sRGB value.
fn srgb(value: u8) -> f32 {
    stillframe_base::math::colour::LINEAR_FROM_SRGB8[usize::from(value)]
}

#[test]
fn a_texture_of_one_value_is_the_value() {
    let texel = [200, 140, 230, 170];
    let [r, g, b, a] = texel.map(|value| f32::from(value) / 255.0);
    let color = [srgb(200), srgb(140), srgb(230)];
    let [x, y] = [r, g].map(|value| f64::from(2.0 * value - 1.0));
    let map = json!({ "index": 0 });
    // The extension, its fields in both, those with a texture, those with its value.
    let rows = [
        ("specular", json!({}), json!({ "specularTexture": map }), json!({ "specularFactor": a })),
        (
            "specular",
            json!({ "specularFactor": 0.5 }),
            json!({ "specularColorTexture": map, "specularColorFactor": [3.0, 1.0, 2.0] }),
            json!({ "specularColorFactor": [3.0 * color[0], color[1], 2.0 * color[2]] }),
        ),
        (
            "clearcoat",
            json!({}),
            json!({ "clearcoatFactor": 1, "clearcoatTexture": map }),
            json!({ "clearcoatFactor": r }),
        ),
        (
            "clearcoat",
            json!({ "clearcoatFactor": 1 }),
            json!({ "clearcoatRoughnessFactor": 1, "clearcoatRoughnessTexture": map }),
            json!({ "clearcoatRoughnessFactor": g }),
        ),
        (
            "sheen",
            json!({ "sheenRoughnessFactor": 0.5 }),
            json!({ "sheenColorFactor": [1, 1, 1], "sheenColorTexture": map }),
            json!({ "sheenColorFactor": color }),
        ),
        (
            "sheen",
            json!({ "sheenColorFactor": [1, 1, 1] }),
            json!({ "sheenRoughnessFactor": 1, "sheenRoughnessTexture": map }),
            json!({ "sheenRoughnessFactor": a }),
        ),
        (
            "anisotropy",
            json!({}),
            json!({ "anisotropyStrength": 1, "anisotropyTexture": map, "anisotropyRotation": 0.25 }),
            // The direction of the texel, and the rotation on top.
            json!({
                "anisotropyStrength": b,
                "anisotropyRotation": 0.25 + m::acos(x / (x * x + y * y).sqrt()),
            }),
        ),
        (
            "iridescence",
            json!({}),
            json!({ "iridescenceFactor": 1, "iridescenceTexture": map }),
            json!({ "iridescenceFactor": r }),
        ),
        (
            "iridescence",
            json!({ "iridescenceFactor": 1, "iridescenceThicknessMinimum": 200 }),
            json!({ "iridescenceThicknessMaximum": 1000, "iridescenceThicknessTexture": map }),
            json!({ "iridescenceThicknessMaximum": 200.0 + 800.0 * g }),
        ),
        (
            "transmission",
            json!({}),
            json!({ "transmissionFactor": 1, "transmissionTexture": map }),
            json!({ "transmissionFactor": r }),
        ),
        (
            "diffuse_transmission",
            json!({}),
            json!({ "diffuseTransmissionFactor": 1, "diffuseTransmissionTexture": map }),
            json!({ "diffuseTransmissionFactor": a }),
        ),
        (
            "diffuse_transmission",
            json!({ "diffuseTransmissionFactor": 0.7 }),
            json!({ "diffuseTransmissionColorTexture": map }),
            json!({ "diffuseTransmissionColorFactor": color }),
        ),
    ];
    for (number, (extension, both, textured, plain)) in rows.into_iter().enumerate() {
        let with = |more: &Value| {
            let mut values = both.clone();
            values.as_object_mut().unwrap().extend(more.as_object().unwrap().clone());
            json!({ format!("KHR_materials_{extension}"): values })
        };
        let picture =
            |name: &str, extensions: &Value| linear(&card(&format!("{number} {name}"), texel, extensions, 1.0));
        let found = picture("texture", &with(&textured));
        let want = picture("value", &with(&plain));
        let without = picture("without", &with(&json!({})));
        let off = |a: &[[f32; 4]], b: &[[f32; 4]]| {
            let pairs = a.as_flattened().iter().zip(b.as_flattened());
            pairs.map(|(a, b)| (a - b).abs()).fold(0.0, f32::max)
        };
        assert!(off(&found, &want) < 2e-3, "{extension} row {number}: {}", off(&found, &want));
        assert!(off(&found, &without) > 5e-3, "{extension} row {number}: it shows");
    }
}

/// A pane that shows all of what is behind it is not there, and half of one shows half.
#[test]
fn glass_without_a_surface_shows_what_is_behind() {
    let pane = |transmission: f32, base: f32| {
        let extensions = json!({
            "KHR_materials_transmission": { "transmissionFactor": transmission },
            "KHR_materials_ior": { "ior": 1.0 },
        });
        let mut scene = card(&format!("pane {transmission} {base}"), [255; 4], &extensions, 1.0);
        scene.lights.clear();
        scene.environment.source = stillframe_scene::scene::EnvironmentSource::None;
        linear(&scene)
    };
    let middle = 12 * 24 + 13;
    let clear = pane(1.0, 1.0)[middle];
    let half = pane(0.5, 1.0)[middle];
    for (channel, (wall, base)) in [(0.2, 0.6), (0.5, 0.4), (0.9, 0.2)].into_iter().enumerate() {
        assert!((clear[channel] - wall * base).abs() < 2e-3, "{clear:?}");
        assert!((half[channel] - 0.5 * wall * base).abs() < 2e-3, "{half:?}");
    }
}

/// Beer's law along a ray that is not bent: the way is a length of the mesh, and grows with it.
#[test]
fn thick_glass_absorbs_by_the_length_of_the_way() {
    let pane = |scale: f32| {
        let extensions = json!({
            "KHR_materials_transmission": { "transmissionFactor": 1 },
            "KHR_materials_ior": { "ior": 1.0 },
            "KHR_materials_volume": {
                "thicknessFactor": 0.5, "attenuationColor": [0.5, 0.25, 0.8], "attenuationDistance": 1.0,
            },
        });
        let mut scene = card(&format!("thick {scale}"), [255; 4], &extensions, scale);
        scene.lights.clear();
        scene.environment.source = stillframe_scene::scene::EnvironmentSource::None;
        linear(&scene)[12 * 24 + 13]
    };
    for scale in [1.0, 2.0] {
        let found = pane(scale);
        for (channel, (lit, left)) in [(0.2 * 0.6, 0.5), (0.5 * 0.4, 0.25), (0.9 * 0.2, 0.8)].into_iter().enumerate() {
            let want = lit * m::pow(left, 0.5 * f64::from(scale));
            assert!((f64::from(found[channel]) - want).abs() < 2e-3, "{scale}: {found:?} for {want}");
        }
    }
}

/// Each level is the mean of the one before, whether it has an even number of texels or an odd one.
#[test]
fn levels_behind_glass_count_every_texel_alike() {
    let probe = Probe::new(&shader::behind_levels()).unwrap_or_else(|error| panic!("{error}"));
    for size in [1u32, 2, 3, 5, 6, 7, 12, 13] {
        let count = (size / 2).max(1);
        let mut shares = vec![0.0; size as usize];
        for at in 0..count {
            let call = probe.call("behind_shares", &[Number::U32(at), Number::U32(size)]);
            let Ok(Number::Vec3(found)) = call else { panic!("{call:?}") };
            for (step, share) in (0..).zip(found) {
                shares[(2 * at + step).min(size - 1) as usize] += f64::from(share);
            }
        }
        let want = f64::from(count) / f64::from(size);
        assert!(shares.iter().all(|share| (share - want).abs() < 1e-6), "{size}: {shares:?}");
    }
}

/// Tokuyoshi, Kaplanyan 2019: the variance of the normals is added to the square of alpha, up to 0.18.
#[test]
fn normals_that_turn_widen_the_highlight() {
    let text = shader::compose(&[shader::COMMON, shader::LOBES, shader::DIELECTRIC, shader::SPECULAR_AA]);
    let probe = Probe::new(&text).unwrap_or_else(|error| panic!("{error}"));
    for roughness in [0.0, 0.1, 0.3, 0.7, 1.0] {
        for change in [0.0, 0.001, 0.02, 0.3, 0.36, 2.0] {
            let call = probe.call("widened", &[Number::F32(roughness as f32), Number::F32(change as f32)]);
            let Ok(Number::F32(found)) = call else { panic!("{call:?}") };
            let alpha = f64::max(roughness * roughness, 0.002025);
            let want = m::pow((alpha * alpha + f64::min(2.0 * 0.25 * change, 0.18)).min(1.0), 0.25);
            assert!((f64::from(found) - want).abs() < 1e-4, "{roughness} {change}: {found} for {want}");
        }
    }
}
