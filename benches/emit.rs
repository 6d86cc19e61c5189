//! The WGSL of one variant of a material: plain, with layers, and with graphs of nodes, with their pruning.
//! `cargo bench --bench emit [-- NAME]`.

use std::hint::black_box;
use std::path::Path;

use criterion::{Criterion, criterion_group, criterion_main};
use stillframe_asset::asset::{Material, MaterialId};
use stillframe_base::tick::Tick;
use stillframe_draw::light::Kinds;
use stillframe_draw::material::{Key, Streams, Switches, Variant, emit};
use stillframe_scene::scene::read;

/// Scenes whose first materials are timed, by what they show.
const SCENES: [(&str, &str); 5] = [
    ("plain", "material/roughness_metal"),
    ("layers", "material/openpbr_board"),
    ("marble", "graph/marble"),
    ("rust", "graph/rust"),
    ("materialx", "graph/materialx"),
];

/// Of the materials of a scene the one with the longest text.
fn material(scene: &str) -> Material {
    let file = Path::new(env!("CARGO_MANIFEST_DIR")).join(format!("scenes/{scene}.toml"));
    let scene = read(&file, &[]).expect("a scene").scene;
    let vfs = scene.vfs().expect("its folder");
    let loaded = stillframe_world::world::open(&scene, None, &|path| vfs.read(path)).expect("its files");
    let world = loaded.place(Tick::from_seconds(0.0), &|path| vfs.read(path)).expect("its pictures").world;
    let count = world.store.materials.len() as u32;
    let all = (0..count).map(|at| world.store.material(MaterialId::new(at)).clone());
    all.max_by_key(|material| emit(&key(material)).len()).expect("a material")
}

/// Lit by everything that a text can hold.
fn key(material: &Material) -> Key {
    let switches = Switches {
        lights: true,
        shadows: true,
        environment: true,
        kinds: Kinds::of(Kinds::unusual()),
        ..Switches::default()
    };
    Key::new(Variant::Lit, material, Streams::default(), switches)
}

fn texts(criterion: &mut Criterion) {
    for (name, scene) in SCENES {
        let material = material(scene);
        criterion.bench_function(&format!("emit/{name}"), |bencher| {
            bencher.iter(|| emit(&key(black_box(&material))));
        });
    }
}

criterion_group!(benches, texts);
criterion_main!(benches);
