// List entry: a blended surface in the list of its pixel.

struct Listed {
    color: vec4f,
    depth: f32,
    id: u32,
}
