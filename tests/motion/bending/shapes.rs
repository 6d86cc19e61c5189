//! Weights of shapes: what nodes and animators say of them beside clips, and in which order that counts.

use std::fs;
use std::path::{Path, PathBuf};

use stillframe_asset::source::{Diagnostic, Vfs};
use stillframe_base::tick::Tick;
use stillframe_scene::scene::resolve_text;
use stillframe_world::world::{Loaded, World, open};

/// A triangle with the shapes `up` (stored with a quarter of it) and `out`; the clip `move` moves its node, `lift`
/// raises `up` from 0 to 1 in a second, `half` stands at a half of it and none of the other.
fn folder() -> PathBuf {
    let folder = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join(format!("shapes.{}", std::process::id()));
    fs::create_dir_all(&folder).unwrap();
    let positions = [[0.0, 0.0, 0.0], [1.0, 0.0, 0.0], [0.0, 1.0, 0.0f32]];
    let normals = [[0.0, 0.0, 1.0f32]; 3];
    let (up, out) = ([[0.0, 1.0, 0.0f32]; 3], [[1.0, 0.0, 0.0f32]; 3]);
    let mut floats: Vec<f32> = [positions, normals, up, out].as_flattened().as_flattened().to_vec();
    floats.extend([0.0, 1.0]);
    floats.extend([0.0, 0.0, 0.0, 0.0, 0.0, 2.0]);
    floats.extend([0.0, 0.0, 1.0, 0.0]);
    floats.extend([0.5, 0.0, 0.5, 0.0]);
    fs::write(folder.join("face.bin"), floats.iter().flat_map(|x| x.to_le_bytes()).collect::<Vec<u8>>()).unwrap();
    let accessor = |offset: usize, count: usize, ty: &str| {
        format!(
            r#"{{"bufferView":0,"byteOffset":{},"componentType":5126,"count":{count},"type":"{ty}","min":[0,0,0],"max":[1,1,1]}}"#,
            offset * 4
        )
    };
    let accessors = [
        accessor(0, 3, "VEC3"),
        accessor(9, 3, "VEC3"),
        accessor(18, 3, "VEC3"),
        accessor(27, 3, "VEC3"),
        accessor(36, 2, "SCALAR"),
        accessor(38, 2, "VEC3"),
        accessor(44, 4, "SCALAR"),
        accessor(48, 4, "SCALAR"),
    ];
    let clip = |name: &str, path: &str, output: u32| {
        format!(
            r#"{{"name":"{name}","channels":[{{"sampler":0,"target":{{"node":0,"path":"{path}"}}}}],"samplers":[{{"input":4,"output":{output}}}]}}"#
        )
    };
    let clips = [clip("move", "translation", 5), clip("lift", "weights", 6), clip("half", "weights", 7)];
    let text = format!(
        r#"{{"asset":{{"version":"2.0"}},"scene":0,"scenes":[{{"nodes":[0]}}],"nodes":[{{"name":"face","mesh":0}}],
"meshes":[{{"weights":[0.25,0],"extras":{{"targetNames":["up","out"]}},"primitives":[{{"attributes":{{"POSITION":0,"NORMAL":1}},
"targets":[{{"POSITION":2}},{{"POSITION":3}}]}}]}}],"buffers":[{{"uri":"face.bin","byteLength":{}}}],
"bufferViews":[{{"buffer":0,"byteLength":{}}}],"accessors":[{}],"animations":[{}]}}"#,
        floats.len() * 4,
        floats.len() * 4,
        accessors.join(","),
        clips.join(",")
    );
    fs::write(folder.join("face.gltf"), text).unwrap();
    folder
}

fn opened(folder: &Path, text: &str) -> Result<(Loaded, Vfs), Vec<Diagnostic>> {
    let vfs = Vfs::open(folder).unwrap();
    let text = format!("title = 'x'\n[camera.main]\n{text}");
    let scene = resolve_text(&text, Path::new("scene.toml"), folder, &vfs, &[])?;
    let loaded = open(&scene.scene, None, &|path| vfs.read(path))?;
    Ok((loaded, vfs))
}

fn placed(text: &str, time_s: f64) -> World {
    let (loaded, vfs) = opened(&folder(), text).unwrap_or_else(|d| panic!("{d:#?}\n{text}"));
    loaded.place(Tick::from_seconds(time_s), &|path| vfs.read(path)).unwrap_or_else(|d| panic!("{d:#?}")).world
}

/// How much of each shape a node of the scene shows.
fn shares(world: &World, node: usize) -> Vec<f32> {
    let item = world.items.iter().find(|item| item.origin.node() == Some(node)).expect("it shows something");
    world.bents[item.bent.expect("it has shapes") as usize].posture.shares.clone()
}

/// The same where a face moves by a text of its own.
fn of(text: &str, time_s: f64) -> [f32; 2] {
    let all = format!("[model.face]\nfile = 'face.gltf'\n{text}");
    shares(&placed(&all, time_s), 0).try_into().expect("two shapes")
}

#[test]
fn nodes_weigh_shapes_without_any_animator() {
    let node = |morph: &str| format!("[[node]]\nmodel = 'face'\nmorph = [{morph}]\n");
    assert_eq!(of(&node(""), 0.0), [0.25, 0.0], "as it is stored");
    assert_eq!(of(&node("{ name = 'out', weight = 0.75 }"), 0.0), [0.25, 0.75]);
    assert_eq!(of(&node("{ name = 'up' }, { name = 'out', weight = -2 }"), 0.0), [1.0, -2.0]);
    let keyed = node("{ name = 'up', weight = { keys = [[0, 0.0], [2, 1.0]] } }");
    for (time_s, up) in [(-1.0, 0.0), (0.5, 0.25), (1.0, 0.5), (7.0, 1.0)] {
        assert_eq!(of(&keyed, time_s), [up, 0.0], "{time_s} s");
    }
    let formula = format!("[param]\nmood = 0.5\n{}", node("{ name = 'up', weight = '$(mood * 3)' }"));
    assert_eq!(of(&format!("[model.other]\nfile = 'face.gltf'\n{formula}"), 0.0), [1.5, 0.0]);
}

/// Two nodes show one model: each has its own face, and the one that says nothing the stored one.
#[test]
fn nodes_of_one_model_have_faces_of_their_own() {
    let text = "[model.face]\nfile = 'face.gltf'\n[[node]]\nname = 'a'\nmodel = 'face'\nmorph = [{ name = 'out' }]\n\
                [[node]]\nname = 'b'\nmodel = 'face'\n[[node]]\nname = 'c'\nmodel = 'face'\nmorph = [{ name = 'up', weight = 0 }]\n";
    let world = placed(text, 0.0);
    assert_eq!([0, 1, 2].map(|node| shares(&world, node)), [vec![0.25, 1.0], vec![0.25, 0.0], vec![0.0, 0.0]]);
    let top = |node: usize| {
        let item = world.items.iter().find(|item| item.origin.node() == Some(node)).unwrap();
        [item.bounds.max.x, item.bounds.max.y].map(|reach| (reach * 1e4).round() / 1e4)
    };
    assert_eq!([0, 1, 2].map(top), [[2.0, 1.25], [1.0, 1.25], [1.0, 1.0]], "boxes go along");
}

/// A node's word is the last: over the clip of its model, over an animator, over what its animator drives.
#[test]
fn nodes_weigh_over_clips_and_animators() {
    let text = |model: &str, node: &str| {
        format!(
            "[model.face]\nfile = 'face.gltf'\n{model}\n[[animator]]\nname = 'a'\nmodel = 'face'\nclip = 'lift'\n\
             morph = [{{ name = 'up', weight = 4, over_clips = true }}]\n[[node]]\nmodel = 'face'\n{node}\n"
        )
    };
    let at = |model: &str, node: &str| shares(&placed(&text(model, node), 0.5), 0);
    assert_eq!(at("clip = 'lift'", ""), [0.5, 0.0]);
    assert_eq!(at("clip = 'lift'", "morph = [{ name = 'up', weight = 0.125 }]"), [0.125, 0.0]);
    assert_eq!(at("clip = 'lift'", "morph = [{ name = 'out', weight = 0.125 }]"), [0.5, 0.125], "the other one plays");
    assert_eq!(at("", "animator = 'a'"), [4.0, 0.0]);
    assert_eq!(at("", "animator = 'a'\nmorph = [{ name = 'up', weight = 0.125 }]"), [0.125, 0.0]);
}

/// A parameter counts where no clip moves the shape, share by share, or everywhere where it is said.
#[test]
fn animators_drive_shapes() {
    let graph = |nodes: &str, over: &str| {
        format!(
            "[[animator]]\nname = 'a'\nmodel = 'face'\n\
             parameter = [{{ name = 'mood', value = {{ keys = [[0, 0.0], [1, 0.5]] }} }}, {{ name = 'x', value = 0.25 }}]\n\
             morph = [{{ name = 'up', weight = 'mood'{over} }}, {{ name = 'out', weight = 0.75{over} }}]\n\
             {nodes}\n[[node]]\nmodel = 'face'\nanimator = 'a'\n"
        )
    };
    let clip = |name: &str| format!("[[animator.node]]\nname = '{name}'\nkind = 'clip'\nclip = '{name}'\n");
    let over = ", over_clips = true";
    // A track of weights is one of all shapes of the node: what has none of it keeps what the parameter says.
    assert_eq!(of(&graph(&clip("move"), ""), 1.0 / 2.0), [0.25, 0.75]);
    assert_eq!(of(&graph(&clip("half"), ""), 1.0 / 2.0), [0.5, 0.0]);
    assert_eq!(of(&graph(&clip("half"), over), 1.0 / 2.0), [0.25, 0.75]);
    // A quarter of a clip that moves it, three of one that does not.
    let line = format!(
        "{}{}[[animator.node]]\nkind = 'line'\nparameter = 'x'\nat = [0, 1]\ninputs = ['move', 'half']\n",
        clip("move"),
        clip("half")
    );
    assert_eq!(of(&graph(&line, ""), 0.5), [0.25 * 0.5 + 0.75 * 0.25, 0.75 * 0.75]);
    // What a delta does beyond the stored shape comes on top: a half instead of a quarter.
    let add = format!(
        "{}{}[[animator.node]]\nname = 'd'\nkind = 'delta'\nsource = 'half'\n\
         [[animator.node]]\nkind = 'additive'\nbase = 'move'\nadd = [{{ delta = 'd' }}]\n",
        clip("move"),
        clip("half")
    );
    assert_eq!(of(&graph(&add, ""), 0.5), [0.25 + 0.25, 0.75]);
    // A mask leaves the node, and with it its shapes, to what is below.
    let masked = |branch: &str| {
        format!(
            "mask = [{{ name = 'm', {branch} }}]\n{}{}[[animator.node]]\nkind = 'layers'\nbase = 'move'\n\
             layer = [{{ node = 'half', mask = 'm' }}]\n",
            clip("move"),
            clip("half")
        )
    };
    assert_eq!(of(&graph(&masked("default = 0.0"), ""), 0.5), [0.25, 0.75]);
    assert_eq!(of(&graph(&masked("shape = [{ name = 'up' }]"), ""), 0.5), [0.5, 0.75]);
}

/// What is worn has its body's expression, unless it has one of its own.
#[test]
fn what_is_worn_follows_the_face() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("scenes/assets");
    let text = |own: &str| {
        format!(
            "[model.m]\nfile = 'mannequin.glb'\n[[node]]\nname = 'body'\nmodel = 'm'\nmorph = [{{ name = 'smile', weight = 0.5 }}]\n\
             [[node]]\nname = 'twin'\nparent = 'body'\nmodel = 'm'\nworn = true\n{own}"
        )
    };
    let of_twin = |own: &str| {
        let (loaded, vfs) = opened(&folder, &text(own)).unwrap_or_else(|d| panic!("{d:#?}"));
        let world = loaded.place(Tick::ZERO, &|path| vfs.read(path)).unwrap().world;
        assert_eq!(shares(&world, 0), [0.0, 0.0, 0.5, 0.0, 0.0], "blinks, a smile, a mouth, breath");
        shares(&world, 1)
    };
    assert_eq!(of_twin(""), [0.0, 0.0, 0.5, 0.0, 0.0]);
    assert_eq!(of_twin("morph = [{ name = 'mouth_open', weight = 0.25 }]"), [0.0, 0.0, 0.5, 0.25, 0.0]);
    assert_eq!(of_twin("morph = [{ name = 'smile', weight = 0.25 }]"), [0.0, 0.0, 0.25, 0.0, 0.0]);
}

/// A slot that nothing reads plays nothing, and ends nothing.
#[test]
fn plays_in_slots_that_nothing_reads_are_silent() {
    let slot = "[[animator.node]]\nname = 'still'\nkind = 'frame'\nclip = 'half'\n\
                [[animator.node]]\nname = 'slot'\nkind = 'slot'\ninput = 'still'\n";
    let text = format!(
        "[[animator]]\nname = 'a'\nmodel = 'face'\noutput = 'still'\nplay = [{{ at_s = 0, clip = 'lift', passes = 0 }}]\n{slot}\
         [[node]]\nmodel = 'face'\nanimator = 'a'\n"
    );
    assert_eq!(of(&text, 0.75), [0.5, 0.0]);
    let played = text.replace("output = 'still'", "output = 'slot'");
    assert_eq!(of(&played, 0.75), [0.75, 0.0], "where it is shown, it plays");
}

#[test]
fn dumps_tell_what_is_driven() {
    let text = "[model.face]\nfile = 'face.gltf'\n[[animator]]\nname = 'a'\nmodel = 'face'\nclip = 'move'\n\
                morph = [{ name = 'out', weight = 0.75 }]\n[[node]]\nmodel = 'face'\nanimator = 'a'\n";
    let (loaded, vfs) = opened(&folder(), text).unwrap();
    let told = loaded.describe_animators(Tick::ZERO, &|path| vfs.read(path)).unwrap();
    assert!(told.contains("shape out of face: 0.7500"), "{told}");
    assert!(!told.contains("shape up"), "{told}");
}

#[test]
fn shapes_that_are_not_there_are_told() {
    for (what, owner) in [
        ("[[node]]\nname = 'n'\nmodel = 'face'\nmorph = [{ name = 'uq' }]\n", "node \"n\""),
        (
            "[[animator]]\nname = 'n'\nmodel = 'face'\nclip = 'move'\nmorph = [{ name = 'uq' }]\n[[node]]\nmodel = 'face'\nanimator = 'n'\n",
            "animator \"n\"",
        ),
    ] {
        let found = opened(&folder(), &format!("[model.face]\nfile = 'face.gltf'\n{what}")).map(|_| ()).unwrap_err();
        assert_eq!(found.iter().map(|d| d.code).collect::<Vec<_>>(), ["E0502"], "{found:#?}");
        assert_eq!(found[0].message, format!("face.gltf: {owner}: the file has no morph target \"uq\""));
        assert_eq!(found[0].help.as_deref(), Some("did you mean \"up\"?"));
    }
}
