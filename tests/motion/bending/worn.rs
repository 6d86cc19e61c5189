//! What is worn goes with its body: a figure that wears its own model is twice in one place, whatever moves it.

use std::path::Path;

use stillframe_asset::source::Vfs;
use stillframe_base::tick::Tick;
use stillframe_scene::scene::{read, resolve_text};
use stillframe_world::world::{World, open};

const SCENE: &str = r#"
title = "x"
[camera.main]
[model.figure]
file = "mannequin.glb"
[model.twin]
file = "mannequin.glb"
[[animator]]
name = "figure"
model = "figure"
clip = "walk"
SOLVER
[[node]]
name = "ball"
shape = "sphere"
position = [-0.45, 1.5, 0.35]
[[node]]
name = "figure"
model = "figure"
animator = "figure"
[[node]]
name = "twin"
parent = "figure"
model = "twin"
worn = true
[[node]]
name = "twin of the twin"
parent = "twin"
model = "twin"
worn = true
"#;

const SOLVER: &str = "solver = [{ kind = \"two_bone\", joint = \"Hand.R\", target = \"ball\" }]";

/// Positions of all that is bent below a node of the scene.
fn bent(world: &World, node: usize) -> Vec<Vec<[f32; 3]>> {
    let items = world.items.iter().filter(|item| item.origin.node() == Some(node));
    items.map(|item| world.bents[item.bent.expect("it has a skin") as usize].positions.clone()).collect()
}

#[test]
fn a_figure_that_wears_itself_is_twice_in_one_place() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("scenes/assets");
    let vfs = Vfs::open(&folder).unwrap();
    let mut moments: Vec<Vec<Vec<[f32; 3]>>> = Vec::new();
    for solver in ["", SOLVER] {
        let text = SCENE.replace("SOLVER", solver);
        let scene =
            resolve_text(&text, Path::new("scene.toml"), &folder, &vfs, &[]).unwrap_or_else(|d| panic!("{d:#?}"));
        let read = |path: &Path| vfs.read(path);
        let loaded = open(&scene.scene, None, &read).unwrap_or_else(|d| panic!("{d:#?}"));
        for time_s in [0.0, 0.3, 0.71] {
            let world = loaded.place(Tick::from_seconds(time_s), &read).unwrap_or_else(|d| panic!("{d:#?}")).world;
            let figure = bent(&world, 1);
            assert!(!figure.is_empty());
            assert!(figure == bent(&world, 2), "what is worn at {time_s} s {solver}");
            assert!(figure == bent(&world, 3), "what that wears at {time_s} s {solver}");
            moments.push(figure);
        }
    }
    for (number, moment) in moments.iter().enumerate() {
        assert!(!moments[..number].contains(moment), "moment {number} is another pose");
    }
}

/// `--dump animation` tells which joints of its body a part goes with.
#[test]
fn the_dump_tells_which_joints_a_part_goes_with() {
    let file = Path::new(env!("CARGO_MANIFEST_DIR")).join("scenes/animation/assembly/two_parts.toml");
    let scene = read(&file, &[]).unwrap_or_else(|d| panic!("{d:#?}")).scene;
    let vfs = scene.vfs().unwrap();
    let loaded = open(&scene, None, &|path| vfs.read(path)).unwrap_or_else(|d| panic!("{d:#?}"));
    let text = loaded.describe_animators(Tick::ZERO, &|path| vfs.read(path)).unwrap();
    assert!(text.contains("part \"hat\" on \"figure\"\n  goes with 1: Head\n  not with 45: "), "{text}");
    assert!(text.contains("part \"coat\" on \"figure\"\n  goes with 10: Hips, Spine, "), "{text}");
}
