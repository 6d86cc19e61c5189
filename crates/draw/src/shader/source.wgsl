// Source: a texel of a small cube, in a list of all of them.

struct Source {
    direction: vec3f,
    // Solid angle, of 4 sr where the texel is in the middle of a face that fills 6.
    weight: f32,
    radiance: vec3f,
    unused: f32,
}
