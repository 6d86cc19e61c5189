// Tiles: which lights can reach what is seen in a square of pixels. `shader/tile_lists.wgsl` makes the lists.

// Tile size in pixels, columns, words of a tile, nothing; then for each tile how many lights it has and their numbers.
@group(1) @binding(12) var<storage, read> tiles: array<u32>;

// Where in `tiles` the list of a pixel begins and ends.
fn tile_list(pixel: vec2f) -> vec2u {
    let tile = vec2u(pixel) / tiles[0];
    let at = 4u + (tile.y * tiles[1] + tile.x) * tiles[2];
    return vec2u(at + 1u, at + 1u + tiles[at]);
}
