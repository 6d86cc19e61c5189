//! Moments: a world is the same whatever was placed before it, and whatever is placed at the same time.

use std::path::Path;

use stillframe::scene::{Scene, read};
use stillframe::world::{Placed, dump, open};
use stillframe_base::tick::Tick;

/// What plays, reaches, wears, is shaped, is bent without normals, fades in crowds, shows drawings, moves materials and the ground.
const SCENES: &[&str] = &[
    "animation/walk.toml",
    "animation/smile.toml",
    "animation/modes.toml",
    "animation/crowd/walk.toml",
    "animation/crowd/faces.toml",
    "animation/assembly/body_weights.toml",
    "animation/assembly/two_parts.toml",
    "animation/ik/feet.toml",
    "animation/show/skeleton.toml",
    "animation/show/trails.toml",
    "import/fbx_skinned_rest.toml",
];

const TIMES_S: [f64; 4] = [0.0, 0.35, 0.8, 0.55];

fn scene(name: &str) -> Scene {
    let file = Path::new(env!("CARGO_MANIFEST_DIR")).join("scenes").join(name);
    read(&file, &[]).unwrap_or_else(|d| panic!("{d:#?}")).scene
}

/// Moments of a freshly loaded scene, in this order.
fn one_by_one(scene: &Scene, times: &[Tick]) -> Vec<Placed> {
    let vfs = scene.vfs().expect("a root");
    let read = |path: &Path| vfs.read(path);
    let loaded = open(scene, None, &read).unwrap_or_else(|d| panic!("{d:#?}"));
    times.iter().map(|time| loaded.place(*time, &read).unwrap_or_else(|d| panic!("{d:#?}"))).collect()
}

fn check(name: &str, time: Tick, found: &Placed, want: &Placed) {
    assert_eq!(dump(&found.world), dump(&want.world), "{name} at {} s", time.seconds());
    assert!(found.world == want.world, "{name} at {} s: contents", time.seconds());
    assert_eq!(found.warnings, want.warnings, "{name} at {} s", time.seconds());
    assert!(found.scene == want.scene, "{name} at {} s: the scene", time.seconds());
}

#[test]
fn a_moment_depends_on_no_other() {
    for name in SCENES {
        let scene = scene(name);
        let times = TIMES_S.map(Tick::from_seconds);
        let alone: Vec<Placed> = times.iter().flat_map(|time| one_by_one(&scene, &[*time])).collect();
        assert!(alone.iter().all(|placed| !placed.world.items.is_empty()), "{name} shows something");
        for (at, found) in one_by_one(&scene, &times).iter().enumerate() {
            check(name, times[at], found, &alone[at]);
        }
        let reversed: Vec<Tick> = times.iter().rev().copied().collect();
        for (at, found) in one_by_one(&scene, &reversed).iter().rev().enumerate() {
            check(name, times[at], found, &alone[at]);
        }
    }
}

#[test]
fn moments_placed_at_once_are_the_same() {
    for name in SCENES {
        let scene = scene(name);
        let times = TIMES_S.map(Tick::from_seconds);
        let want = one_by_one(&scene, &times);
        let vfs = scene.vfs().expect("a root");
        let loaded = open(&scene, None, &|path| vfs.read(path)).unwrap_or_else(|d| panic!("{d:#?}"));
        let start = std::sync::Barrier::new(2 * times.len());
        let place = |time: Tick| {
            let vfs = scene.vfs().expect("a root");
            start.wait();
            loaded.place(time, &|path| vfs.read(path)).unwrap_or_else(|d| panic!("{d:#?}"))
        };
        // Each moment twice, so that the same things are made at the same time too.
        let found: Vec<(usize, Placed)> = std::thread::scope(|scope| {
            let threads: Vec<_> = (0..2 * times.len())
                .map(|thread| {
                    let place = &place;
                    scope.spawn(move || (thread % times.len(), place(times[thread % times.len()])))
                })
                .collect();
            threads.into_iter().map(|thread| thread.join().expect("it places")).collect()
        });
        for (at, found) in &found {
            check(name, times[*at], found, &want[*at]);
        }
    }
}
