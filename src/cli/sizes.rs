//! What `inspect` says about a model's weight: before baking, after it, and what few bits would make of it.

use serde_json::{Value, json};

use crate::bake::{CACHE, Sizes, measure};
use crate::import::Model;

/// Figures of everything the model shows, each geometry once.
pub fn of(model: &Model) -> Sizes {
    let mut used = vec![false; model.geometries.len()];
    model.nodes.iter().flat_map(|node| &node.parts).for_each(|part| used[part.geometry] = true);
    measure(model.geometries.iter().zip(&used).filter(|(_, used)| **used).map(|(geometry, _)| &geometry.surface))
}

fn kib(bytes: usize) -> String {
    format!("{:.1} KiB", bytes as f64 / 1024.0)
}

/// Lines for people.
pub fn lines(sizes: &Sizes) -> Vec<String> {
    if sizes.triangle_count == 0 {
        return Vec::new();
    }
    let percent = |bytes: usize| 100.0 * bytes as f64 / sizes.raw_bytes.max(1) as f64;
    vec![
        format!("as stored   {:>10} vertices  {}", sizes.raw_vertex_count, kib(sizes.raw_bytes)),
        format!(
            "baked       {:>10} vertices  {} ({:.0} %): equal vertices joined, normals and tangents made",
            sizes.baked_vertex_count,
            kib(sizes.baked_bytes),
            percent(sizes.baked_bytes)
        ),
        format!(
            "16 bits     {:>10} vertices  {} ({:.0} %): off by {:.2e} m, {:.4} degrees, {:.1e} of a texture at most",
            sizes.baked_vertex_count,
            kib(sizes.quantised_bytes),
            percent(sizes.quantised_bytes),
            sizes.loss.position_m,
            sizes.loss.normal_rad.to_degrees(),
            sizes.loss.uv
        ),
        format!(
            "order       {:.3} vertices shaded a triangle (cache of {CACHE}), {:.3} at best; overdraw {:.3}, {:.3} at best",
            sizes.misses[0], sizes.misses[1], sizes.overdraw[0], sizes.overdraw[1]
        ),
    ]
}

/// The same for programs.
pub fn json(sizes: &Sizes) -> Value {
    json!({
        "raw": { "vertices": sizes.raw_vertex_count, "bytes": sizes.raw_bytes },
        "baked": { "vertices": sizes.baked_vertex_count, "bytes": sizes.baked_bytes },
        "quantised": {
            "bytes": sizes.quantised_bytes,
            "position_error_m": sizes.loss.position_m,
            "normal_error_deg": sizes.loss.normal_rad.to_degrees(),
            "uv_error": sizes.loss.uv,
        },
        "misses_per_triangle": { "stored": sizes.misses[0], "ordered": sizes.misses[1] },
        "overdraw": { "stored": sizes.overdraw[0], "ordered": sizes.overdraw[1] },
    })
}
