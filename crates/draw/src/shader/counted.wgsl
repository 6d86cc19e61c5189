// Counted: how many blended surfaces each pixel has that nothing opaque hides. Group 0, beside `NEAREST`.

@group(0) @binding(2) var<storage, read_write> counts: array<atomic<u32>>;

fn pixel_number(position: vec4f) -> u32 {
    return u32(position.y) * u32(view.tile.z) + u32(position.x);
}
