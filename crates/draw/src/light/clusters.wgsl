// Clusters: which lights can reach a point. `light/clusters.rs` makes the lists (Olsson, Billeter, Assarsson 2012).

// Tile size in pixels, columns, rows, first slice, slices; where the list of each cluster begins, the end of the last;
// the lists.
@group(1) @binding(12) var<storage, read> clusters: array<u32>;

// Where in `clusters` the list of a point begins and ends.
fn cluster_list(pixel: vec2f, point: vec3f) -> vec2u {
    let tile = vec2u(picture_px(pixel)) / clusters[0];
    // Upper bits of a float: they part depths four times an octave.
    let number = bitcast<u32>(max(view_depth(point), 0.0)) >> 21u;
    let first = clusters[3];
    let slice = clamp(number, first, first + clusters[4] - 1u) - first;
    let at = 5u + (slice * clusters[2] + tile.y) * clusters[1] + tile.x;
    return vec2u(clusters[at], clusters[at + 1u]);
}
