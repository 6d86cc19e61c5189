//! FBX 6: what its files have in ways of their own.

use std::path::Path;
use stillframe_asset::asset::Slot;

use stillframe_anim::{Property, TrackValues};
use stillframe_base::tick::Tick;
use stillframe_models::import::{self, Model, ModelLightKind, ModelProjection};

use super::{import_bytes, read};

const HEAD: &str = "; FBX 6.1.0 project file\n; ----\n\nFBXHeaderExtension:  {\n\tFBXVersion: 6100\n}\n";

/// A square of two faces in a model of this name.
fn square(name: &str, more: &str) -> String {
    format!(
        "\tModel: \"Model::{name}\", \"Mesh\" {{
\t\tVersion: 232
\t\tVertices: 0,0,0,1,0,0,1,1,0,0,1,0
\t\tPolygonVertexIndex: 0,1,-3,0,2
\t\t\t,-4
\t\tEdges:
\t\tGeometryVersion: 124
{more}
\t\tNodeAttributeName: \"Geometry::{name}_ncl1_1\"
\t}}
"
    )
}

fn file(objects: &str, connections: &str, takes: &str) -> Vec<u8> {
    let connections: String = connections.lines().map(|line| format!("\tConnect: {}\n", line.trim())).collect();
    format!(
        "{HEAD}Objects:  {{\n{objects}}}\nConnections:  {{\n{connections}}}\nTakes:  {{\n\tCurrent: \"a\"\n{takes}}}\n"
    )
    .into_bytes()
}

fn read_old(bytes: &[u8]) -> Model {
    import_bytes(bytes).unwrap_or_else(|d| panic!("{d:#?}"))
}

fn texture(name: &str, picture: &str) -> String {
    format!("\tTexture: \"Texture::{name}\", \"TextureVideoClip\" {{\n\t\tRelativeFilename: \"{picture}\"\n\t}}\n")
}

/// Textures of faces: all of a mesh, some of its faces, and one material that two models dress differently.
#[test]
fn textures_on_faces_become_textures_of_materials() {
    let layers = |mapping: &str, ids: &str, slots: &str| {
        format!(
            "\t\tLayerElementTexture: 0 {{\n\t\t\tMappingInformationType: \"{mapping}\"\n\t\t\tTextureId: {ids}\n\t\t}}
\t\tLayerElementMaterial: 0 {{\n\t\t\tMappingInformationType: \"ByPolygon\"\n\t\t\tMaterials: {slots}\n\t\t}}"
        )
    };
    let objects = [
        square("all", &layers("AllSame", "0", "0,0")),
        square("some", &layers("ByPolygon", "1,0", "1,0")),
        square("other", &layers("AllSame", "0", "0,0")),
        square("none", &layers("NoMappingInformation", "", "0,0")),
        "\tMaterial: \"Material::m\", \"\" {\n\t\tShadingModel: \"phong\"\n\t}\n".to_string(),
        "\tMaterial: \"Material::n\", \"\" {\n\t}\n".to_string(),
        texture("crate", "crate_base.png"),
        texture("eye", "mannequin_eye_base.png"),
    ]
    .concat();
    let model = read_old(&file(
        &objects,
        "\"OO\", \"Model::all\", \"Model::Scene\"
        \"OO\", \"Model::some\", \"Model::Scene\"
        \"OO\", \"Model::other\", \"Model::Scene\"
        \"OO\", \"Model::none\", \"Model::Scene\"
        \"OO\", \"Material::m\", \"Model::all\"
        \"OO\", \"Texture::crate\", \"Model::all\"
        \"OO\", \"Material::m\", \"Model::some\"
        \"OO\", \"Material::n\", \"Model::some\"
        \"OO\", \"Texture::crate\", \"Model::some\"
        \"OO\", \"Texture::eye\", \"Model::some\"
        \"OO\", \"Material::m\", \"Model::other\"
        \"OO\", \"Texture::eye\", \"Model::other\"
        \"OO\", \"Material::n\", \"Model::none\"
        \"OO\", \"Texture::eye\", \"Model::none\"",
        "",
    ));
    let shown = |node: &str| -> Vec<(String, String)> {
        let node = model.nodes.iter().find(|other| other.name == node).expect("a node");
        let part = |part: &import::Part| {
            let material = &model.materials[part.material];
            let picture =
                material.textures.get(&Slot::BaseColor).map(|slot| model.images[slot.image.index()].name.clone());
            (material.name.clone(), picture.unwrap_or_default())
        };
        node.parts.iter().map(part).collect()
    };
    let pair = |a: &str, b: &str| (a.to_string(), b.to_string());
    assert_eq!(shown("all"), [pair("m", "crate_base.png")]);
    // Its first face has the second material and the second texture.
    assert_eq!(shown("some"), [pair("m", "crate_base.png"), pair("n", "mannequin_eye_base.png")]);
    assert_eq!(shown("other"), [pair("m", "mannequin_eye_base.png")]);
    assert_eq!(shown("none"), [pair("n", "mannequin_eye_base.png")], "a material has its textures on every model");
}

/// Shapes lie in the model's mesh, their weights are properties of the model, and a channel of that name moves them.
#[test]
fn shapes_in_models() {
    let shapes = "\t\tProperties60:  {\n\t\t\tProperty: \"smile\", \"Number\", \"A+N\",25\n\t\t}
\t\tShape: \"smile\" {\n\t\t\tIndexes: 1,3\n\t\t\tVertices: 0,0,1,0,0,2\n\t\t\tNormals: 0,0,0,0,0,0\n\t\t}
\t\tShape: \"blink\" {\n\t\t\tIndexes: 0\n\t\t\tVertices: 1,0,0\n\t\t}";
    let take = "\tTake: \"a\" {
\t\tLocalTime: 0,46186158000
\t\tModel: \"Model::face\" {
\t\t\tVersion: 1.1
\t\t\tChannel: \"blink\" {
\t\t\t\tDefault: 0
\t\t\t\tKeyVer: 4005
\t\t\t\tKeyCount: 2
\t\t\t\tKey: 0,0,L,46186158000,100,L
\t\t\t\tColor: 1,1,1
\t\t\t}
\t\t}
\t}
";
    let model = read_old(&file(&square("face", shapes), "\"OO\", \"Model::face\", \"Model::Scene\"", take));
    let morphs: Vec<_> = model.nodes[0].morphs.iter().map(|morph| (morph.name.as_str(), morph.weight)).collect();
    assert_eq!(morphs, [("smile", 0.25), ("blink", 0.0)]);
    let targets = &model.geometries[0].targets;
    assert_eq!(targets.iter().map(|target| target.name.as_str()).collect::<Vec<_>>(), ["smile", "blink"]);
    let track = &model.clips[0].layers[0].tracks[0];
    assert_eq!((track.node, &track.property), (0, &Property::MorphWeight(1)));
    let TrackValues::Components { curves, .. } = &track.values else { panic!("{track:?}") };
    assert_eq!(curves[0].as_ref().expect("keys").sample(Tick::from_seconds(0.5)), Some(0.5));
}

/// Cameras and lights are models; those that programs add for their own windows are left out.
#[test]
fn cameras_and_lights_in_models() {
    let of = |name: &str, class: &str, properties: &str| {
        format!("\tModel: \"Model::{name}\", \"{class}\" {{\n\t\tProperties60:  {{\n{properties}\t\t}}\n\t}}\n")
    };
    let objects = [
        of("eye", "Camera", "\t\t\tProperty: \"FieldOfView\", \"FieldOfView\", \"A+\",90\n\t\t\tProperty: \"NearPlane\", \"double\", \"\",10\n"),
        of("Producer Perspective", "Camera", ""),
        of("Camera Switcher", "CameraSwitcher", ""),
        of("sun", "Light", "\t\t\tProperty: \"LightType\", \"enum\", \"\",1\n\t\t\tProperty: \"Color\", \"Color\", \"A+\",1,0.5,0\n"),
    ]
    .concat();
    let settings = "\tGlobalSettings:  {\n\t\tVersion: 1000\n\t\tProperties60:  {\n\t\t\tProperty: \"UpAxis\", \"int\", \"\",2
\t\t\tProperty: \"FrontAxis\", \"int\", \"\",1\n\t\t\tProperty: \"FrontAxisSign\", \"int\", \"\",-1
\t\t\tProperty: \"CoordAxis\", \"int\", \"\",0\n\t\t\tProperty: \"UnitScaleFactor\", \"double\", \"\",2.54\n\t\t}\n\t}\n";
    let connections = "\"OO\", \"Model::eye\", \"Model::Scene\"
        \"OO\", \"Model::Producer Perspective\", \"Model::Scene\"
        \"OO\", \"Model::Camera Switcher\", \"Model::Scene\"
        \"OO\", \"Model::sun\", \"Model::eye\"";
    let model = read_old(&file(&(objects + settings), connections, ""));
    assert!(model.warnings.is_empty(), "{:?}", model.warnings);
    let names: Vec<_> = model.nodes.iter().map(|node| (node.name.as_str(), node.parent)).collect();
    assert_eq!(names, [("eye", None), ("sun", Some(0))]);
    let camera = &model.cameras[0];
    let ModelProjection::Perspective { fov_y_rad } = camera.projection else { panic!("{camera:?}") };
    assert!(
        (fov_y_rad - std::f32::consts::FRAC_PI_2).abs() < 1e-6 && (camera.near_m - 0.254).abs() < 1e-6,
        "{camera:?}"
    );
    assert_eq!(model.lights[0].color, [1.0, 0.5, 0.0]);
    assert!(matches!(model.lights[0].kind, ModelLightKind::Directional { .. }));
    assert_eq!(model.format.up, Some(import::Axis::Z));
}

/// Where opacity stands alone, and where it only repeats the transparency.
#[test]
fn opacity_of_materials() {
    let material = |name: &str, properties: &str| {
        format!("\tMaterial: \"Material::{name}\", \"\" {{\n\t\tProperties60:  {{\n{properties}\t\t}}\n\t}}\n")
    };
    let white = "\t\t\tProperty: \"TransparentColor\", \"ColorRGB\", \"\",1,1,1\n";
    let number = |name: &str, value: f64| format!("\t\t\tProperty: \"{name}\", \"double\", \"\",{value}\n");
    for (properties, want) in [
        (number("Opacity", 0.25), 0.25),
        (white.to_string() + &number("Opacity", 0.25), 0.25),
        (white.to_string() + &number("Opacity", 1.0), 1.0),
        (white.to_string() + &number("TransparencyFactor", 0.0) + &number("Opacity", 1.0), 1.0),
        (white.to_string() + &number("TransparencyFactor", 0.75), 0.25),
        (String::new(), 1.0),
    ] {
        let objects = square("s", "") + &material("m", &properties);
        let connections = "\"OO\", \"Model::s\", \"Model::Scene\"\n\"OO\", \"Material::m\", \"Model::s\"";
        let model = read_old(&file(&objects, connections, ""));
        assert_eq!(model.materials[0].base_color[3], want as f32, "{properties}");
    }
}

/// Two objects of one name: the first is meant, the second is there.
#[test]
fn objects_of_one_name() {
    let objects = square("twin", "") + &square("twin", "") + &square("child", "");
    let connections = "\"OO\", \"Model::twin\", \"Model::Scene\"\n\"OO\", \"Model::child\", \"Model::twin\"\n\"OO\", \"Model::gone\", \"Model::twin\"";
    let model = read_old(&file(&objects, connections, ""));
    let names: Vec<_> = model.nodes.iter().map(|node| (node.name.as_str(), node.parent)).collect();
    assert_eq!(names, [("twin", None), ("child", Some(0)), ("twin", None)]);
}

/// Keys that break off are told, and those before the break are kept.
#[test]
fn broken_keys_are_told() {
    let take = "\tTake: \"a\" {
\t\tModel: \"Model::s\" {
\t\t\tChannel: \"Transform\" {
\t\t\t\tChannel: \"T\" {
\t\t\t\t\tChannel: \"X\" {\n\t\t\t\t\t\tDefault: 3\n\t\t\t\t\t\tKeyCount: 3\n\t\t\t\t\t\tKey: 0,1,L,46186158000,2,U,s,1\n\t\t\t\t\t}
\t\t\t\t\tChannel: \"Y\" {\n\t\t\t\t\t\tDefault: 5\n\t\t\t\t\t}
\t\t\t\t}
\t\t\t}
\t\t}
\t}
";
    let model = read_old(&file(&square("s", ""), "\"OO\", \"Model::s\", \"Model::Scene\"", take));
    let told: Vec<_> = model.warnings.iter().filter(|w| w.code == "W0453").map(|w| w.message.as_str()).collect();
    assert_eq!(told, ["the animation \"a\": ignored broken keys of 1 curve"]);
    let TrackValues::Components { curves, rest } = &model.clips[0].layers[0].tracks[0].values else {
        panic!("a curve")
    };
    assert_eq!((curves[0].as_ref().expect("keys").keys.len(), rest.as_slice()), (1, [3.0, 5.0, 0.0].as_slice()));
}

/// Files of version 6.0 leave the class of meshes out, and have spaces before colons and names in quotes.
#[test]
fn habits_of_version_6_0() {
    let text = "; FBX 6.0.0 project file\nObjects :  {\n\tModel : \"Model::a\" {\n\t\tVertices : 0,0,0,1,0,0,0,1,0\n\t\tPolygonVertexIndex : 0,1,-3\n\t}\n}\n\"Tool Settings\": {\n}\n";
    let model = read_old(text.as_bytes());
    assert_eq!((model.format.name.as_str(), model.geometries.len()), ("FBX 6.0 (text)", 1));
    let early = import::fbx(Path::new("a.fbx"), text.replace("6.0.0", "5.0.0").as_bytes(), &read).expect_err("too old");
    assert_eq!(early[0].code, "E0421");
}

/// What is many times many: shapes and properties of a model, layers of textures and materials.
#[test]
fn crowds_in_models_end_soon() {
    let properties: String = (0..15_000).map(|i| format!("\t\t\tProperty: \"s{i}\", \"Number\", \"A\",50\n")).collect();
    let shapes: String = (0..15_000).map(|i| format!("\t\tShape: \"s{}\" {{\n\t\t}}\n", 14_999 - i)).collect();
    let more = format!("\t\tProperties60:  {{\n{properties}\t\t}}\n{shapes}");
    let crowded = file(&square("s", &more), "\"OO\", \"Model::s\", \"Model::Scene\"", "");
    let layer = "\t\tLayerElementTexture: 0 {\n\t\t\tMappingInformationType: \"AllSame\"\n\t\t}\n";
    let other = "\t\tLayerElementOTextures: 0 {\n\t\t\tMappingInformationType: \"AllSame\"\n\t\t}\n";
    let materials: String = (0..8000).map(|i| format!("\tMaterial: \"Material::{i}\", \"\" {{\n\t}}\n")).collect();
    let objects =
        square("s", &(layer.repeat(4000) + &other.repeat(4000))) + &materials + &texture("t", "crate_base.png");
    let links: String = (0..8000).map(|i| format!("\n\"OO\", \"Material::{i}\", \"Model::s\"")).collect();
    let laid = file(&objects, &format!("\"OO\", \"Texture::t\", \"Model::s\"{links}"), "");
    for bytes in [crowded, laid] {
        match import_bytes(&bytes) {
            Ok(model) => assert_eq!(model.nodes.len(), 1),
            Err(found) => assert_eq!(found[0].code, "E0414", "{}", found[0].message),
        }
    }
}
