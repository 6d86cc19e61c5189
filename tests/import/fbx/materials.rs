//! Materials and their textures.

use std::path::Path;

use stillframe_asset::asset::{AlphaMode, Material, Reflection, Slot, Texels, Wrap};
use stillframe_asset::source::Diagnostic;
use stillframe_models::import::{self, Model};
use stillframe_testkit::fbx::write::{File, Record, Value, object, one};

use super::{imported, showing, square};

fn shaded(material: Record) -> File {
    let mut file = showing(square(20));
    file.add(material);
    file.connect(30, 10);
    file
}

fn phong() -> Record {
    object("Material", 30, "paint", "").with([one("ShadingModel", "phong")])
}

fn made(material: Record) -> Material {
    imported(&shaded(material)).materials[0].clone()
}

#[test]
fn lambert_and_phong() {
    let lambert = object("Material", 30, "m", "").with([one("ShadingModel", "lambert")]);
    let matte = made(
        lambert
            .number("DiffuseColor", [0.1, 0.2, 0.3])
            .number("DiffuseFactor", [0.5])
            .number("ShininessExponent", [25.0]),
    );
    assert_eq!((matte.base_color, matte.roughness, matte.metallic), ([0.05, 0.1, 0.15, 1.0], 1.0, 0.0));
    for (shininess, roughness) in [(0.0, 1.0), (25.0, 0.5), (100.0, 0.0), (4.0, 0.8), (-1.0, 1.0), (900.0, 0.0)] {
        let glossy = made(phong().number("ShininessExponent", [shininess]));
        assert!((glossy.roughness - roughness).abs() < 1e-6, "{shininess}: {}", glossy.roughness);
    }
    let glowing = made(phong().number("EmissiveColor", [1.0, 0.5, 0.0]).number("EmissiveFactor", [3.0]));
    assert_eq!(glowing.emissive, [3.0, 1.5, 0.0]);
    // Both sides are drawn unless the model says otherwise.
    assert!(glowing.double_sided);
    let mut file = shaded(phong());
    file.objects[0].inside.push(one("Culling", "CullingOnCCW"));
    assert!(!imported(&file).materials[0].double_sided);
}

#[test]
fn transparency() {
    let of = |color: f64, factor: f64| {
        made(phong().number("TransparentColor", [color; 3]).number("TransparencyFactor", [factor]))
    };
    for (color, factor, alpha) in [(0.0, 1.0, 1.0), (1.0, 0.0, 1.0), (1.0, 0.25, 0.75), (0.5, 1.0, 0.5)] {
        let got = of(color, factor);
        assert_eq!(got.base_color[3], alpha, "{color} {factor}");
        assert_eq!(got.alpha_mode, if alpha < 1.0 { AlphaMode::Blend } else { AlphaMode::Opaque });
    }
    let mut file = shaded(phong().number("TransparencyFactor", [0.25]).number("ReflectionFactor", [0.75]));
    file.creator = "Blender (stable FBX IO) - 4.5".to_string();
    let blender = &imported(&file).materials[0];
    assert_eq!((blender.base_color[3], blender.metallic), (0.75, 0.75));
}

/// Blender's level of specular reflection, half of which is in the file; other Phong materials mean something else.
#[test]
fn reflection_of_blenders_and_physical_materials() {
    let of = |creator: &str, half: f64| {
        let mut file = shaded(phong().number("SpecularFactor", [half]));
        file.creator = creator.to_string();
        imported(&file).materials[0].reflection
    };
    let blender = "Blender (stable FBX IO) - 4.5";
    for (half, f0, f90) in [(0.25, 0.04, 1.0), (0.125, 0.02, 0.5), (0.0, 0.0, 0.0), (0.5, 0.08, 1.0)] {
        assert_eq!(of(blender, half), Reflection { f0: [f0; 3], f90 }, "{half}");
    }
    assert!(of(blender, 0.25).is_plain() && of("another", 0.5).is_plain());
    let surface = |rows: &[(&str, &[f64])]| {
        let plain = object("Material", 30, "m", "").number("Maya|baseColor", [0.5; 3]);
        made(rows.iter().fold(plain, |material, (name, values)| {
            let name = format!("Maya|{name}");
            match values {
                [one] => material.number(&name, [*one]),
                [r, g, b] => material.number(&name, [*r, *g, *b]),
                _ => unreachable!("a number or a colour"),
            }
        }))
        .reflection
    };
    assert!(surface(&[]).is_plain() && surface(&[("specularIOR", &[1.5]), ("specular", &[1.0])]).is_plain());
    assert_eq!(surface(&[("specularIOR", &[3.0])]), Reflection { f0: [0.25; 3], f90: 1.0 });
    let dim = surface(&[("specularIOR", &[3.0]), ("specular", &[0.5]), ("specularColor", &[1.0, 0.5, 0.0])]);
    assert_eq!(dim, Reflection { f0: [0.125, 0.0625, 0.0], f90: 0.5 });
}

#[test]
fn physical_materials_of_three_programs() {
    let material = || object("Material", 30, "m", "");
    let max = |part: &str| format!("3dsMax|Parameters|{part}");
    let physical = made(
        material()
            .number(&max("base_color"), [0.1, 0.2, 0.3])
            .number(&max("metalness"), [0.25])
            .number(&max("roughness"), [0.75])
            .number(&max("emission"), [2.0])
            .number(&max("emit_color"), [1.0, 0.5, 0.0]),
    );
    assert_eq!(
        (physical.base_color, physical.metallic, physical.roughness, physical.emissive),
        ([0.1, 0.2, 0.3, 1.0], 0.25, 0.75, [2.0, 1.0, 0.0])
    );
    let inverse = made(
        material()
            .number(&max("base_color"), [1.0; 3])
            .number(&max("roughness"), [0.75])
            .number(&max("roughness_inv"), [1.0]),
    );
    assert_eq!(inverse.roughness, 0.25);
    let gloss = |mode: f64| {
        made(
            material()
                .number("3dsMax|main|basecolor", [1.0; 3])
                .number("3dsMax|main|glossiness", [0.75])
                .number("3dsMax|main|roughness", [0.5])
                .number("3dsMax|main|useGlossiness", [mode]),
        )
    };
    assert_eq!((gloss(1.0).roughness, gloss(2.0).roughness), (0.25, 0.5));
    let specular = made(
        material()
            .number("3dsMax|main|basecolor", [0.0; 3])
            .number("3dsMax|main|Specular", [1.0, 0.8, 0.4])
            .number("3dsMax|main|glossiness", [0.5]),
    );
    assert_eq!((specular.metallic, specular.base_color), (1.0, [1.0, 0.8, 0.4, 1.0]));
    let surface = made(
        material()
            .number("Maya|baseColor", [0.5; 3])
            .number("Maya|base", [0.5])
            .number("Maya|metalness", [1.0])
            .number("Maya|specularRoughness", [0.3])
            .number("Maya|opacity", [0.5; 3]),
    );
    assert_eq!(
        (surface.base_color, surface.metallic, surface.roughness, surface.alpha_mode),
        ([0.25, 0.25, 0.25, 0.5], 1.0, 0.3, AlphaMode::Blend)
    );
    let stingray = made(
        material()
            .number("Maya|base_color", [0.5; 3])
            .number("Maya|metallic", [0.5])
            .number("Maya|roughness", [0.25])
            .number("Maya|emissive", [1.0; 3])
            .number("Maya|emissive_intensity", [0.5]),
    );
    assert_eq!((stingray.metallic, stingray.roughness, stingray.emissive), (0.5, 0.25, [0.5; 3]));
}

/// A PNG of one row of texels.
fn png(texels: &[[u8; 4]]) -> Vec<u8> {
    let mut out = std::io::Cursor::new(Vec::new());
    let picture = image::RgbaImage::from_fn(texels.len() as u32, 1, |x, _| image::Rgba(texels[x as usize]));
    picture.write_to(&mut out, image::ImageFormat::Png).expect("written");
    out.into_inner()
}

/// Hangs an embedded picture on a property of the material.
fn embed(file: &mut File, id: i64, property: &str, texels: &[[u8; 4]]) {
    file.add(object("Texture", id, "t", "").with([one("RelativeFilename", format!("inside{id}.png"))]));
    file.add(object("Video", id + 100, "v", "Clip").with([one("Content", Value::Bytes(png(texels)))]));
    file.connect(id + 100, id);
    file.connect_property(id, 30, property);
}

fn texels(model: &Model, image: usize) -> Vec<[u8; 4]> {
    match &model.images[image].texels {
        Texels::Rgba8(texels) => texels.as_chunks().0.to_vec(),
        other => panic!("{other:?}"),
    }
}

#[test]
fn embedded_pictures_take_the_place_of_values() {
    let mut file = shaded(phong().number("DiffuseColor", [0.1; 3]).number("DiffuseFactor", [0.5]));
    embed(&mut file, 41, "DiffuseColor", &[[1, 2, 3, 255], [4, 5, 6, 255]]);
    let model = imported(&file);
    let material = &model.materials[0];
    assert_eq!((material.base_color, material.alpha_mode), ([0.5, 0.5, 0.5, 1.0], AlphaMode::Opaque));
    let slot = material.textures.get(&Slot::BaseColor).expect("a texture");
    assert_eq!(texels(&model, slot.image.index()), [[1, 2, 3, 255], [4, 5, 6, 255]]);
    assert_eq!(model.images[0].name, "inside41.png");
}

#[test]
fn alpha_comes_from_textures_of_transparency() {
    for (clear, mode) in [(0, AlphaMode::Mask { cutoff: 0.5 }), (100, AlphaMode::Blend), (255, AlphaMode::Opaque)] {
        let mut file = shaded(phong());
        embed(&mut file, 41, "DiffuseColor", &[[10, 20, 30, 255], [40, 50, 60, clear]]);
        file.connect_property(41, 30, "TransparentColor");
        let material = &imported(&file).materials[0];
        assert_eq!((material.alpha_mode, material.base_color[3]), (mode, 1.0), "{clear}");
    }
    let mut file = shaded(phong());
    embed(&mut file, 41, "DiffuseColor", &[[10, 20, 30, 255], [40, 50, 60, 255]]);
    embed(&mut file, 42, "TransparencyFactor", &[[255, 255, 255, 255], [0, 0, 0, 255]]);
    let model = imported(&file);
    let slot = model.materials[0].textures.get(&Slot::BaseColor).expect("a texture");
    assert_eq!(texels(&model, slot.image.index()), [[10, 20, 30, 255], [40, 50, 60, 0]]);
}

#[test]
fn roughness_and_metalness_share_a_picture() {
    let base = || object("Material", 30, "m", "").number("3dsMax|Parameters|base_color", [1.0; 3]);
    let rough = [[50, 50, 50, 255], [60, 60, 60, 255]];
    let metal = [[200, 200, 200, 255], [0, 0, 0, 255]];
    let mut file = shaded(base());
    embed(&mut file, 41, "3dsMax|Parameters|roughness_map", &rough);
    embed(&mut file, 42, "3dsMax|Parameters|metalness_map", &metal);
    let of = |file: &File| {
        let model = imported(file);
        let slot = model.materials[0].textures.get(&Slot::MetallicRoughness).expect("a texture");
        let surface = (model.materials[0].roughness, model.materials[0].metallic);
        (texels(&model, slot.image.index()), surface)
    };
    assert_eq!(of(&file), (vec![[255, 50, 200, 255], [255, 60, 0, 255]], (1.0, 1.0)));
    // Turned round, and switched off.
    file.objects
        .iter_mut()
        .find(|o| o.name == "Material")
        .map(|m| {
            *m = base()
                .number("3dsMax|Parameters|roughness_inv", [1.0])
                .number("3dsMax|Parameters|metalness_map_on", [0.0])
        })
        .expect("the material");
    assert_eq!(of(&file), (vec![[255, 205, 255, 255], [255, 195, 255, 255]], (1.0, 0.0)));
}

#[test]
fn normal_maps_and_heights() {
    let normal = [[128, 128, 255, 255], [120, 140, 250, 255]];
    for (property, texels, kept) in
        [("NormalMap", normal, true), ("Bump", normal, true), ("Bump", [[99, 99, 99, 255]; 2], false)]
    {
        let mut file = shaded(phong().number("BumpFactor", [0.5]));
        embed(&mut file, 41, property, &texels);
        let model = imported(&file);
        assert_eq!(model.materials[0].textures.contains_key(&Slot::Normal), kept, "{property}");
        assert_eq!(model.materials[0].normal_scale, 0.5);
        assert_eq!(model.warnings.iter().any(|w| w.code == "W0454"), !kept);
    }
}

#[test]
fn transforms_and_wrapping_of_textures() {
    let of = |texture: Record| {
        let mut file = shaded(phong());
        file.add(texture.with([one("RelativeFilename", "crate_base.png")]));
        file.connect_property(41, 30, "DiffuseColor");
        imported(&file).materials[0].textures.get(&Slot::BaseColor).cloned().expect("a texture")
    };
    let texture = || object("Texture", 41, "t", "");
    let plain = of(texture());
    assert_eq!((plain.transform, plain.wrap), (stillframe_asset::asset::UvTransform::IDENTITY, [Wrap::Repeat; 2]));
    assert_eq!(of(texture().whole("WrapModeU", 1)).wrap, [Wrap::Clamp, Wrap::Repeat]);
    let apply = |texture: Record, [u, v]: [f32; 2]| {
        let t = of(texture).transform;
        [t.x[0] * u + t.x[1] * v + t.offset[0], t.y[0] * u + t.y[1] * v + t.offset[1]]
    };
    // The picture lies twice as large and is pushed to the right; the lower left corner stays its own.
    assert_eq!(apply(texture().number("Scaling", [2.0, 2.0, 1.0]), [1.0, 1.0]), [0.5, 1.0]);
    assert_eq!(apply(texture().number("Scaling", [2.0, 2.0, 1.0]), [0.0, 0.0]), [0.0, 0.5]);
    assert_eq!(apply(texture().number("Translation", [0.25, 0.0, 0.0]), [0.5, 0.5]), [0.25, 0.5]);
    assert_eq!(apply(texture().number("Translation", [0.0, 0.25, 0.0]), [0.5, 0.5]), [0.5, 0.75]);
    let turned = apply(texture().number("Rotation", [0.0, 0.0, 90.0]), [0.0, 0.0]);
    assert!((turned[0] - 1.0).abs() < 1e-6 && (turned[1] - 1.0).abs() < 1e-6, "{turned:?}");
}

/// Pictures are found where people keep them, and never outside the root.
#[test]
fn pictures_are_found_the_way_people_store_them() {
    let found = |said: &[(&str, &str)], there: &str| {
        let mut file = shaded(phong());
        file.add(object("Texture", 41, "t", "").with(said.iter().map(|(key, name)| one(key, *name))));
        file.connect_property(41, 30, "DiffuseColor");
        let picture = png(&[[1, 2, 3, 255]]);
        let read = |path: &Path| -> Result<Vec<u8>, Diagnostic> {
            if path == Path::new(there) { Ok(picture.clone()) } else { Err(Diagnostic::error("E0301", path, "no")) }
        };
        let model = import::fbx(Path::new("models/chair.fbx"), &file.bytes(7400, false), &read).expect("a model");
        let lost = model.warnings.iter().any(|w| w.code == "W0459");
        assert_eq!(model.images[0].name == "missing picture", lost, "{:?}", model.warnings);
        !lost
    };
    for (said, there) in [
        (vec![("RelativeFilename", r"maps\wood.png")], "models/maps/wood.png"),
        (vec![("RelativeFilename", r"..\maps\wood.png")], "models/../maps/wood.png"),
        (vec![("RelativeFilename", r"..\..\elsewhere\wood.png")], "models/wood.png"),
        (vec![("FileName", r"C:\Users\me\chair\wood.png")], "models/wood.png"),
        (vec![("FileName", "/home/me/chair/textures/wood.png")], "models/textures/wood.png"),
        (vec![("FileName", r"C:\chair\sourceimages\wood.png")], "models/textures/wood.png"),
        (vec![("FileName", r"C:\chair.fbm\wood.png")], "models/chair.fbm/wood.png"),
        (vec![("FileName", "Wood.PNG")], "models/wood.png"),
        (vec![("RelativeFilename", "lost.png"), ("FileName", "wood.png")], "models/wood.png"),
    ] {
        assert!(found(&said, there), "{said:?} is not found at {there}");
    }
    assert!(!found(&[("RelativeFilename", "/etc/wood.png")], "/etc/wood.png"));
    assert!(!found(&[("FileName", "wood.png")], "models/steel.png"));
}
