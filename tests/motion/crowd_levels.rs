//! Levels of a crowd: which look each figure has from where the camera stands.

use std::path::Path;

use glam::Vec3;
use stillframe_draw::view::{Shot, look};
use stillframe_scene::scene::{Scene, read};
use stillframe_world::world::{Built, build};

fn built(edits: &[String]) -> Built {
    let file = Path::new(env!("CARGO_MANIFEST_DIR")).join("scenes/animation/crowd/levels.toml");
    let scene: Scene = read(&file, edits).unwrap_or_else(|d| panic!("{d:#?}")).scene;
    let vfs = scene.vfs().unwrap();
    build(&scene, &|path| vfs.read(path)).unwrap_or_else(|d| panic!("{d:#?}"))
}

/// Base colours of what each figure shows, by its number: red, blue, or none.
fn looks(built: &Built, shot: &Shot) -> Vec<[bool; 2]> {
    let first = built.world.object_names.iter().position(|name| name == "people/0").unwrap() as u32 + 1;
    let count = built.scene.crowds[0].count;
    let mut out = vec![[false; 2]; count as usize];
    for item in shot.opaque.iter().filter(|item| (first..first + count).contains(&item.object_id)) {
        let [red, _, blue, _] = built.world.store.material(item.material).base_color;
        out[(item.object_id - first) as usize][usize::from(blue > red)] = true;
    }
    out
}

/// One figure at the origin, seen along an axis: at its distance to the last bit the next level begins.
#[test]
fn levels_change_exactly_at_their_distances() {
    for (distance_m, look_of_it) in [
        (1.0_f32, [true, false]),
        (6.5_f32.next_down(), [true, false]),
        (6.5, [false, true]),
        (8.5_f32.next_down(), [false, true]),
        (8.5, [false, false]),
        (50.0, [false, false]),
    ] {
        let edits = [
            "crowd.people.count=1".to_string(),
            "crowd.people.size_m=[0, 0, 0]".to_string(),
            format!("camera.main.position=[0, 0, {distance_m:.9}]"),
            "camera.main.look_at=[0, 0, 0]".to_string(),
        ];
        let built = built(&edits);
        let shot = look(&built.scene, &built.world);
        assert_eq!(shot.camera.position, Vec3::new(0.0, 0.0, distance_m));
        assert_eq!(looks(&built, &shot), [look_of_it], "at {distance_m} m");
    }
}

/// Every figure of the scene has the look of its distance, one at most, in the same place.
#[test]
fn every_figure_has_the_look_of_its_distance() {
    let built = built(&[]);
    let shot = look(&built.scene, &built.world);
    let first = built.world.object_names.iter().position(|name| name == "people/0").unwrap() as u32 + 1;
    let mut counts = [0; 3];
    for (number, found) in looks(&built, &shot).into_iter().enumerate() {
        let items = built.world.items.iter().filter(|item| item.object_id == first + number as u32);
        let places: Vec<Vec3> = items.map(|item| item.world_from_local.w_axis.truncate()).collect();
        assert!(places.len() >= 2 && places.iter().all(|place| *place == places[0]), "{places:?}");
        let distance_m = places[0].distance(shot.camera.position);
        let level = usize::from(distance_m >= 6.5) + usize::from(distance_m >= 8.5);
        counts[level] += 1;
        // What is seen at all: culling may take more away.
        let wanted = [level == 0, level == 1];
        assert!(found == wanted || found == [false; 2], "{number} at {distance_m} m: {found:?}");
    }
    assert!(counts.iter().all(|count| *count >= 2), "{counts:?}");
}
