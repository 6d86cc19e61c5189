//! Moments: a world is the same whatever was placed before it, and whatever is placed at the same time.

use std::path::Path;

use stillframe_base::tick::Tick;
use stillframe_scene::scene::{Scene, read};
use stillframe_world::world::{Placed, dump, open};

/// What plays and moves, reaches, wears and is shaped, fades in crowds, shows drawings.
const SCENES: &[&str] = &[
    "scene/keyed.toml",
    "animation/modes.toml",
    "animation/walk.toml",
    "animation/crowd/faces.toml",
    "animation/assembly/body_weights.toml",
    "animation/ik/feet.toml",
    "animation/show/skeleton.toml",
    "animation/show/trails.toml",
];

const TIMES_S: [f64; 3] = [0.0, 0.8, 0.35];

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

/// The first moment of each order is one that nothing was placed before.
#[test]
fn a_moment_depends_on_no_other() {
    let times = TIMES_S.map(Tick::from_seconds);
    for name in SCENES {
        let scene = scene(name);
        let want = one_by_one(&scene, &times);
        assert!(want.iter().all(|placed| !placed.world.items.is_empty()), "{name} shows something");
        let reversed: Vec<Tick> = times.iter().rev().copied().collect();
        for (at, found) in one_by_one(&scene, &reversed).iter().rev().enumerate() {
            check(name, times[at], found, &want[at]);
        }
        for (at, found) in at_once(&scene, &times) {
            check(name, times[at], &found, &want[at]);
        }
    }
}

/// Moments of a freshly loaded scene, each placed by two threads at the same time as the others, so that the same
/// things are made at the same time too.
fn at_once(scene: &Scene, times: &[Tick]) -> Vec<(usize, Placed)> {
    let vfs = scene.vfs().expect("a root");
    let loaded = open(scene, None, &|path| vfs.read(path)).unwrap_or_else(|d| panic!("{d:#?}"));
    let start = std::sync::Barrier::new(2 * times.len());
    let place = |time: Tick| {
        let vfs = scene.vfs().expect("a root");
        start.wait();
        loaded.place(time, &|path| vfs.read(path)).unwrap_or_else(|d| panic!("{d:#?}"))
    };
    std::thread::scope(|scope| {
        let spawn = |thread: usize| {
            let (at, place) = (thread % times.len(), &place);
            scope.spawn(move || (at, place(times[at])))
        };
        let threads: Vec<_> = (0..2 * times.len()).map(spawn).collect();
        threads.into_iter().map(|thread| thread.join().expect("it places")).collect()
    })
}
