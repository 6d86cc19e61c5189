// Loaded: what `loaded` finds of a pixel.

struct Loaded {
    s: Surface,
    depth: f32,
}
